//! Operands that are words or strings.

use std::fmt::{self, Write};

/// An operand as it is written, where nothing is known about its meaning.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// Printing characters without white space.
    Word(String),
    /// A string, in quotes.
    Text(String),
}

impl Operand {
    /// What it says, without quotes.
    pub fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Text(text) => text,
        }
    }
}

impl fmt::Display for Operand {
    /// A word that would not be read as one is written as a string.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) if is_word(text) => f.write_str(text),
            Self::Word(text) | Self::Text(text) => write_string(text, f),
        }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('"')
        && !text.chars().any(|letter| letter.is_whitespace() || letter.is_control() || letter == ';')
}

/// Writes a string as section 7 has it: in quotes, with a backslash before a quote and before a
/// backslash. What would break the line becomes a space.
pub(super) fn write_string(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            _ if letter.is_control() => f.write_char(' ')?,
            _ => f.write_char(letter)?,
        }
    }
    f.write_char('"')
}
