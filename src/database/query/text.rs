//! Tests of texts: words, parts, regular expressions, and words with spelling mistakes.

use super::value::{BadValue, Operator};
use deunicode::deunicode;
use regex::{Regex, RegexBuilder};

/// A test of a text.
#[derive(Clone, Debug)]
pub(super) enum Text {
    /// Each of these folded words starts a word of the text.
    Words(Vec<String>),
    Exact(String),
    /// This folded text occurs somewhere in the text.
    Contains(String),
    Matches(Regex),
    /// Each of these folded words is a word of the text, except for a few letters.
    Alike(Vec<String>),
    /// The text is missing or unknown.
    Missing,
}

/// The value for a missing tag.
pub(super) const MISSING: &str = "none";
/// The maximum size of a compiled regular expression, in bytes.
const MAX_REGEX_BYTES: usize = 1 << 22;

/// The text without accents and in lowercase, with letters of other scripts transliterated to Latin.
fn fold(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { deunicode(text).to_ascii_lowercase() }
}

/// Whether this is an apostrophe of folded text, which separates no words: `King's` is `kings`.
const fn is_apostrophe(letter: u8) -> bool {
    matches!(letter, b'\'' | b'`')
}

/// The words of a text, folded and without apostrophes.
pub(in crate::database) fn name_words(text: &str) -> Vec<String> {
    let mut folded = fold(text);
    folded.retain(|letter| !u8::try_from(letter).is_ok_and(is_apostrophe));
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether a word of this ASCII text starts with `start`, ignoring case and apostrophes. A word also begins after an
/// apostrophe.
fn has_word_with(text: &[u8], start: &[u8]) -> bool {
    let mut is_in_word = false;
    text.iter().enumerate().any(|(at, &letter)| {
        let is_start = !std::mem::replace(&mut is_in_word, letter.is_ascii_alphanumeric());
        is_start && starts_with(&text[at..], start)
    })
}

/// Whether this ASCII text starts with `start`, ignoring case, and apostrophes after the first letter.
fn starts_with(text: &[u8], start: &[u8]) -> bool {
    let has_first =
        text.first().zip(start.first()).is_some_and(|(one, other)| one.eq_ignore_ascii_case(other));
    let mut letters = text.iter().filter(|&&letter| !is_apostrophe(letter));
    has_first
        && start.iter().all(|wanted| letters.next().is_some_and(|letter| letter.eq_ignore_ascii_case(wanted)))
}

/// The words of a text, and the parts of words between apostrophes.
fn words_and_parts(text: &str) -> Vec<String> {
    let mut words = name_words(text);
    let folded = fold(text);
    if folded.bytes().any(is_apostrophe) {
        let parts = folded.split(|letter: char| !letter.is_ascii_alphanumeric());
        words.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
    }
    words
}

/// Whether two words are equal except for a few changed, added, missing or transposed letters: none in words of up to
/// two letters, one in words of up to five, two in longer words, as in search engines.
fn is_alike(wanted: &str, word: &str) -> bool {
    let most = match wanted.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    // The lengths of most words differ too much.
    wanted.len().abs_diff(word.len()) <= most && strsim::osa_distance(wanted, word) <= most
}

/// Whether the value of a tag means unknown.
pub(in crate::database) fn is_unknown(value: &str) -> bool {
    value.bytes().all(|byte| matches!(byte, b'?' | b'-' | b'.' | b' ' | b'*'))
}

impl Text {
    /// Reads a value after its operator.
    pub(super) fn read(operator: Operator, value: &str, is_quoted: bool) -> Result<Self, BadValue> {
        if value == MISSING && !is_quoted {
            return Ok(Self::Missing);
        }
        match operator {
            Operator::Colon | Operator::Like => {
                let words = name_words(value);
                if words.is_empty() {
                    return Err(BadValue::new(0, "a word; `=` compares characters"));
                }
                Ok(if operator == Operator::Colon { Self::Words(words) } else { Self::Alike(words) })
            }
            Operator::Equal => Ok(Self::Exact(value.to_owned())),
            Operator::Tilde => Ok(Self::Contains(fold(value))),
            _ => Err(BadValue::new(0, "`:`, `=`, `~` or `~~` before a text")),
        }
    }

    /// Reads a regular expression in the syntax of the crate regex, ignoring case.
    pub(super) fn regex(pattern: &str) -> Result<Self, BadValue> {
        let mut builder = RegexBuilder::new(pattern);
        match builder.case_insensitive(true).size_limit(MAX_REGEX_BYTES).build() {
            Ok(regex) => Ok(Self::Matches(regex)),
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
                Err(BadValue::new(0, format!("a regular expression ({reason})")))
            }
        }
    }

    pub(super) fn matches(&self, value: Option<&str>) -> bool {
        let Some(value) = value else { return matches!(self, Self::Missing) };
        match self {
            // Most texts are ASCII, which needs no copy.
            Self::Words(wanted) if value.is_ascii() => {
                wanted.iter().all(|start| has_word_with(value.as_bytes(), start.as_bytes()))
            }
            Self::Words(wanted) => {
                let value = fold(value);
                wanted.iter().all(|start| has_word_with(value.as_bytes(), start.as_bytes()))
            }
            Self::Exact(text) => value == text,
            Self::Contains(part) => fold(value).contains(&**part),
            Self::Matches(regex) => regex.is_match(value),
            Self::Alike(wanted) => {
                let words = words_and_parts(value);
                wanted.iter().all(|like| words.iter().any(|word| is_alike(like, word)))
            }
            Self::Missing => is_unknown(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(operator: Operator, value: &str) -> Text {
        Text::read(operator, value, false).expect(value)
    }

    #[test]
    fn words_are_compared_by_their_start_without_case_and_accents() {
        let cases = [
            ("kasp", "Kasparov, G", true),
            ("Kasp", "Weinkasp, A", false),
            ("garry kasparov", "Kasparov, Garry", true),
            ("maroczy", "Maróczy, Géza", true),
            ("Maróczy", "Maroczy, Geza", true),
            ("moller", "Møller, J", true),
            ("kasparov", "Каспаров", true),
            ("g kasparov", "Kasparov", false),
            ("linares 93", "Linares 1993", false),
            ("tal", "O'TAL", true),
            ("17", "Player 17, A", true),
            ("17", "Player 117, A", false),
            ("player1", "Player 1", false),
            ("kings indian", "King's Indian Defense", true),
            ("king's indian", "King's Indian Defense", true),
            ("king’s", "King's Indian Defense", true),
            ("king's", "Kings Indian", true),
            ("oneil", "O'Neil, Sean", true),
            ("o'neil", "ONeil, Sean", true),
            ("neil", "O'Neil, Sean", true),
            ("okelly", "O’Kelly de Galway, A", true),
            ("O`Kelly", "O’Kelly de Galway, A", true),
            ("okelly", "O Kelly, A", false),
        ];
        for (wanted, value, expected) in cases {
            assert_eq!(text(Operator::Colon, wanted).matches(Some(value)), expected, "{wanted}: {value}");
        }
        assert!(Text::read(Operator::Colon, "?", false).is_err());
        assert!(Text::read(Operator::Less, "a", false).is_err());
    }

    #[test]
    fn other_operators_are_exact_parts_and_regular_expressions() {
        assert!(text(Operator::Equal, "Tal, M").matches(Some("Tal, M")));
        assert!(!text(Operator::Equal, "Tal, M").matches(Some("tal, m")));
        assert!(text(Operator::Tilde, "aspár").matches(Some("KASPAROV")));
        assert!(!text(Operator::Tilde, "asparow").matches(Some("KASPAROV")));
        assert!(Text::regex("^kas.*v$").expect("it is good").matches(Some("Kasparov")));
        assert!(Text::regex("(").is_err());
        let missing = text(Operator::Colon, "none");
        for (value, expected) in [(None, true), (Some("?"), true), (Some("-"), true), (Some("None"), false)] {
            assert_eq!(missing.matches(value), expected, "{value:?}");
        }
        assert!(Text::read(Operator::Colon, "none", true).expect("a word").matches(Some("None")));
    }

    #[test]
    fn words_with_mistakes_are_alike() {
        let cases = [
            ("kasparow", "Kasparov, Garry", true),
            ("gary kasparov", "Kasparov, Garry", true),
            ("krapov", "Karpov, Anatoly", true),
            ("botvinik", "Botvinnik, Mikhail", true),
            ("kasparow", "Karpov, Anatoly", false),
            ("tel", "Tal, Mihail", true),
            ("tell", "Tal, Mihail", false),
            ("li", "Ni, Hua", false),
            ("kaspar", "Kasparov, Garry", true),
            ("kaspa", "Kasparov, Garry", false),
            ("marozcy", "Maróczy, Géza", true),
            ("okely", "O'Kelly, A", true),
            ("kely", "O’Kelly, A", true),
        ];
        for (wanted, value, expected) in cases {
            assert_eq!(text(Operator::Like, wanted).matches(Some(value)), expected, "{wanted}: {value}");
        }
        assert!(Text::read(Operator::Like, "?", false).is_err());
        assert!(text(Operator::Like, "none").matches(None));
    }
}
