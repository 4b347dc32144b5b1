//! Warnings about a line, and suggestions for misspelled names.

use crate::notation::Excerpt;
use std::fmt;
use strsim::osa_distance;

/// A word of a line that was skipped, replaced or refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseWarning {
    /// A line without a command.
    UnknownCommand(Excerpt),
    /// An unknown word in a command, which is skipped.
    UnknownToken {
        /// The command or token before it.
        within: &'static str,
        /// The word.
        found: Excerpt,
    },
    /// A token without its value, which is skipped.
    MissingValue {
        /// The token.
        token: &'static str,
        /// The expected value.
        expected: &'static str,
    },
    /// A token whose value is not a number; both are skipped.
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
        /// The nearest number in range, which is used.
        taken: u64,
    },
}

impl ParseWarning {
    /// The problem without what is done about it; `None` for a number that is near enough to what was asked for.
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

/// The known name that is nearest to what was found, if it is near enough to be a misspelling.
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
