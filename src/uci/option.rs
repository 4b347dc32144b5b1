//! Options: their declarations and their values.

use super::tokens::{Tokens, saturating};
use crate::notation::Excerpt;
use std::fmt;

/// An option that an engine declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDeclaration {
    /// The name, which may contain spaces.
    pub name: String,
    /// The kind, with default and range.
    pub kind: OptionKind,
}

/// The kind of an option, with default and range.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OptionKind {
    /// On or off.
    Check { default: bool },
    /// An integer in a range.
    Spin { default: i64, min: i64, max: i64 },
    /// One of several words.
    Combo { default: String, values: Vec<String> },
    /// An action without a value.
    Button,
    /// Any text.
    Text { default: String },
}

/// A value that an option has been set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// On or off.
    Check(bool),
    /// A number in the option's range.
    Spin(i64),
    /// One of the option's words, as declared.
    Combo(String),
    /// The button has been pressed.
    Button,
    /// Any text; empty for `<empty>`.
    Text(String),
}

/// A value to which an option cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}, expected {expected}", .found.as_ref().map_or_else(|| "no value".to_owned(), Excerpt::to_string))]
pub struct OptionError {
    found: Option<Excerpt>,
    expected: String,
}

/// The word for an empty text.
const EMPTY: &str = "<empty>";

/// Whether two names are equal, ignoring case and white space.
pub fn same_name(one: &str, other: &str) -> bool {
    let letters = |name: &str| {
        name.chars().filter(|letter| !letter.is_whitespace()).flat_map(char::to_lowercase).collect::<String>()
    };
    letters(one) == letters(other)
}

impl OptionKind {
    /// The value of a text for this kind of option.
    ///
    /// # Errors
    /// [`OptionError`] if the text is not a value, or is out of range; it states the expected value.
    pub fn parse_value(&self, text: Option<&str>) -> Result<OptionValue, OptionError> {
        let text = text.map(str::trim);
        let error = |expected: String| OptionError { found: text.map(Excerpt::new), expected };
        match self {
            Self::Button => Ok(OptionValue::Button),
            Self::Text { .. } => {
                let text = text.unwrap_or_default();
                Ok(OptionValue::Text(if text.eq_ignore_ascii_case(EMPTY) { "" } else { text }.to_owned()))
            }
            Self::Check { .. } => match text {
                Some(text) if text.eq_ignore_ascii_case("true") => Ok(OptionValue::Check(true)),
                Some(text) if text.eq_ignore_ascii_case("false") => Ok(OptionValue::Check(false)),
                _ => Err(error("`true` or `false`".to_owned())),
            },
            Self::Spin { min, max, .. } => text
                .and_then(saturating)
                .filter(|value| (min..=max).contains(&value))
                .map(OptionValue::Spin)
                .ok_or_else(|| error(format!("a whole number from {min} to {max}"))),
            Self::Combo { values, .. } => values
                .iter()
                .find(|value| text.is_some_and(|text| same_name(value, text)))
                .map(|value| OptionValue::Combo(value.clone()))
                .ok_or_else(|| error(format!("one of {}", values.join(", ")))),
        }
    }
}

impl OptionDeclaration {
    /// Reads the text after the word `option`; `None` if it is not a declaration.
    pub fn parse(text: &str) -> Option<Self> {
        let mut tokens = Tokens::new(text);
        tokens.next().filter(|&word| word == "name")?;
        let name = tokens.text_until(|word| word == "type");
        tokens.next()?;
        let kind = tokens.next()?;
        let is_keyword = |word: &str| matches!(word, "default" | "min" | "max" | "var");
        if kind == "string" {
            let default = match tokens.next() {
                Some("default") if tokens.rest() != EMPTY => tokens.rest(),
                _ => "",
            };
            return Some(Self { name, kind: OptionKind::Text { default: default.to_owned() } });
        }
        let (mut default, mut min, mut max, mut values) = (String::new(), None, None, Vec::new());
        while let Some(word) = tokens.next() {
            let value = tokens.text_until(is_keyword);
            match word {
                "default" => default = value,
                "min" => min = saturating(&value),
                "max" => max = saturating(&value),
                "var" => values.push(value),
                _ => {}
            }
        }
        let kind = match kind {
            "check" => OptionKind::Check { default: default == "true" },
            "spin" => OptionKind::Spin {
                default: saturating(&default)?,
                min: min.unwrap_or(-i64::MAX),
                max: max.unwrap_or(i64::MAX),
            },
            "combo" => OptionKind::Combo { default, values },
            "button" => OptionKind::Button,
            _ => return None,
        };
        Some(Self { name, kind })
    }
}

impl fmt::Display for OptionDeclaration {
    /// The line that declares the option, without its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, values } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } if default.is_empty() => write!(f, "string default {EMPTY}"),
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_parse_back() {
        for line in [
            "option name Nullmove type check default true",
            "option name Selectivity type spin default 2 min 0 max 4",
            "option name Contempt type spin default 0 min -100 max 100",
            "option name Style type combo default Normal var Solid var Normal var Very Risky",
            "option name NalimovPath type string default c:\\a b",
            "option name Book type string default <empty>",
            "option name Clear Hash type button",
        ] {
            let text = line.strip_prefix("option").expect("each starts with option");
            assert_eq!(
                OptionDeclaration::parse(text).map(|option| option.to_string()).as_deref(),
                Some(line)
            );
        }
        for text in ["", "name", "name X", "name X type", "name X type thing", "name X type spin default y"] {
            assert_eq!(OptionDeclaration::parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_checked() {
        let spin = OptionKind::Spin { default: 16, min: 1, max: 1024 };
        let check = OptionKind::Check { default: false };
        let combo = OptionKind::Combo { default: "A".into(), values: vec!["A".into(), "Very Risky".into()] };
        let text = OptionKind::Text { default: String::new() };
        let cases = [
            ("spin", &spin, Some("32"), Ok(OptionValue::Spin(32))),
            ("spin with a sign", &spin, Some("+32"), Ok(OptionValue::Spin(32))),
            ("spin below", &spin, Some("0"), Err("`0`, expected a whole number from 1 to 1024")),
            ("spin negative", &spin, Some("-5"), Err("`-5`, expected a whole number from 1 to 1024")),
            (
                "spin beyond",
                &spin,
                Some("99999999999999999999"),
                Err("`99999999999999999999`, expected a whole number from 1 to 1024"),
            ),
            ("spin word", &spin, Some("many"), Err("`many`, expected a whole number from 1 to 1024")),
            ("spin without", &spin, None, Err("no value, expected a whole number from 1 to 1024")),
            ("check", &check, Some("TRUE"), Ok(OptionValue::Check(true))),
            ("check off", &check, Some(" false "), Ok(OptionValue::Check(false))),
            ("check number", &check, Some("1"), Err("`1`, expected `true` or `false`")),
            ("combo", &combo, Some("very  risky"), Ok(OptionValue::Combo("Very Risky".into()))),
            ("combo other", &combo, Some("B"), Err("`B`, expected one of A, Very Risky")),
            ("text", &text, Some("a  b"), Ok(OptionValue::Text("a  b".into()))),
            ("text empty", &text, Some("<empty>"), Ok(OptionValue::Text(String::new()))),
            ("text without", &text, None, Ok(OptionValue::Text(String::new()))),
            ("button", &OptionKind::Button, Some("x"), Ok(OptionValue::Button)),
        ];
        for (name, kind, value, expected) in cases {
            let found = kind.parse_value(value).map_err(|error| error.to_string());
            assert_eq!(found, expected.map_err(str::to_owned), "{name}");
        }
    }

    #[test]
    fn names_are_compared_by_their_letters() {
        assert!(same_name("Move Overhead", "moveoverhead"));
        assert!(same_name("UCI_Chess960", "uci_CHESS960"));
        assert!(!same_name("Hash", "Clear Hash"));
    }
}
