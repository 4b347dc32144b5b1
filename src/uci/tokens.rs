//! The words and numbers of a line, warnings about it, and suggestions for misspelled names.

use crate::notation::Excerpt;
use std::fmt;
use strsim::osa_distance;

/// The words of a line that have not been read yet.
///
/// Words are separated by any white space, and by zero bytes and byte order marks, which some programs send.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\0' | '\u{feff}')
}

impl<'a> Tokens<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { rest: line.trim_matches(is_separator) }
    }

    /// The next word, without reading it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.rest.split(is_separator).next().filter(|word| !word.is_empty())
    }

    /// Reads the next word unless `is_end` is true for it.
    pub(super) fn next_unless(&mut self, is_end: impl Fn(&str) -> bool) -> Option<&'a str> {
        self.peek().filter(|word| !is_end(word))?;
        self.next()
    }

    /// Reads words up to one for which `is_end` is true, or to the end.
    pub(super) fn take_until(&mut self, is_end: impl Fn(&str) -> bool) -> Vec<&'a str> {
        std::iter::from_fn(|| self.next_unless(&is_end)).collect()
    }

    /// Reads words up to one for which `is_end` is true, or to the end, and joins them with single spaces.
    pub(super) fn text_until(&mut self, is_end: impl Fn(&str) -> bool) -> String {
        self.take_until(is_end).join(" ")
    }

    /// The unread text as written, without the white space around it.
    pub(super) const fn rest(&self) -> &'a str {
        self.rest
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest[word.len()..].trim_start_matches(is_separator);
        Some(word)
    }
}

/// The integer in decimal notation in `text`, with or without a sign. A number of more than 64 bits becomes the largest
/// or smallest one; `None` if the text is not an integer.
pub(super) fn saturating(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut magnitude = 0_i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        magnitude = magnitude.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    }
    Some(if is_negative { -magnitude } else { magnitude })
}

/// A word of a line that was skipped, replaced or rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseWarning {
    /// The line has no command.
    UnknownCommand(Excerpt),
    /// An unknown word in a command, which was skipped.
    UnknownToken {
        /// The command or token before the word.
        within: &'static str,
        /// The word.
        found: Excerpt,
    },
    /// A token without its value, which was skipped.
    MissingValue {
        /// The token.
        token: &'static str,
        /// The expected value.
        expected: &'static str,
    },
    /// A token whose value is not a number; both were skipped.
    NotANumber {
        /// The token.
        token: &'static str,
        /// The word.
        found: Excerpt,
    },
    /// A number that was clamped to its range.
    OutOfRange {
        /// The token.
        token: &'static str,
        /// The word.
        found: Excerpt,
        /// The nearest number in range, which was used.
        taken: u64,
    },
}

impl ParseWarning {
    /// The problem without its consequence; `None` for a number that was clamped, which is close enough to the
    /// requested one.
    pub fn refusal(&self) -> Option<String> {
        match self {
            Self::OutOfRange { .. } => None,
            Self::UnknownToken { within, found } => Some(format!("{within}: unknown token {found}")),
            Self::NotANumber { token, found } => Some(format!("{token}: {found} is not a whole number")),
            Self::UnknownCommand(_) | Self::MissingValue { .. } => Some(self.to_string()),
        }
    }
}

impl fmt::Display for ParseWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(line) => {
                write!(f, "unknown command {}, `help` lists all commands", line)
            }
            Self::UnknownToken { within, found } => {
                write!(f, "{within}: unknown token {}, skipped", found)
            }
            Self::MissingValue { token, expected } => {
                write!(f, "{token}: nothing follows, expected {expected}")
            }
            Self::NotANumber { token, found } => {
                write!(f, "{token}: {} is not a whole number, ignored", found)
            }
            Self::OutOfRange { token, found, taken } => {
                write!(f, "{token}: {} is out of range, {taken} is used", found)
            }
        }
    }
}

/// The known name that is most similar to `found`; `None` if none is similar enough for a misspelling.
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let found = plain(found);
    let length = found.chars().count();
    known
        .into_iter()
        .map(|name| (osa_distance(&found, &plain(name)), name))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, name)| distance <= 1 + name.len().min(length) / 3)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Words

    #[test]
    fn words_are_cut_at_any_white_space() {
        let cases: [(&str, &str, &[&str]); 6] = [
            ("one space", "go depth 5", &["go", "depth", "5"]),
            ("tabs and more", " \t go\t\tdepth   5 \r\n", &["go", "depth", "5"]),
            ("byte order mark", "\u{feff}uci", &["uci"]),
            ("zero bytes", "\0uci\0\0", &["uci"]),
            ("nothing", " \r", &[]),
            ("other alphabets", "é\u{a0}ü", &["é", "ü"]),
        ];
        for (name, line, expected) in cases {
            assert_eq!(Tokens::new(line).collect::<Vec<_>>(), expected, "{name}");
        }
    }

    #[test]
    fn the_rest_keeps_its_inner_space() {
        let mut tokens = Tokens::new("value  C:\\My  Books\\a b.bin  ");
        assert_eq!(tokens.next(), Some("value"));
        assert_eq!(tokens.rest(), "C:\\My  Books\\a b.bin");
    }

    #[test]
    fn reading_stops_at_the_end_word() {
        let mut tokens = Tokens::new("a  b moves c");
        assert_eq!(tokens.text_until(|word| word == "moves"), "a b");
        assert_eq!(tokens.next_unless(|word| word == "moves"), None);
        assert_eq!(tokens.collect::<Vec<_>>(), ["moves", "c"]);
    }

    // Numbers

    #[test]
    fn any_text_is_a_number_or_none() {
        let cases = [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("007", Some(7)),
            ("+12", Some(12)),
            ("-12", Some(-12)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", Some(i64::MAX)),
            ("-99999999999999999999999", Some(-i64::MAX)),
            ("", None),
            ("-", None),
            ("--1", None),
            ("1.5", None),
            ("1e3", None),
            ("0x10", None),
            ("٣", None),
        ];
        for (text, expected) in cases {
            assert_eq!(saturating(text), expected, "{text}");
        }
    }

    #[test]
    fn slips_of_the_finger_are_understood() {
        let known = ["concurrency", "rounds", "openings", "order", "Move Overhead", "Hash"];
        let cases = [
            ("concurency", Some("concurrency")),
            ("round", Some("rounds")),
            ("opennigs", Some("openings")),
            ("oder", Some("order")),
            ("moveoverhead", Some("Move Overhead")),
            ("hsah", Some("Hash")),
            ("quux", None),
            ("", None),
        ];
        for (found, expected) in cases {
            assert_eq!(nearest(found, known), expected, "{found}");
        }
    }
}
