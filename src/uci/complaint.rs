//! What is odd about a line.

use crate::notation::Excerpt;
use std::fmt;

/// Something in a line that was skipped, replaced or refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Complaint {
    /// No word of the line is a command.
    UnknownCommand(Excerpt),
    /// A word that the command does not know; it is skipped.
    UnknownToken {
        /// The command or token it was found in.
        within: &'static str,
        /// What was found.
        found: Excerpt,
    },
    /// A token that needs a value after it; it is skipped.
    MissingValue {
        /// The token.
        token: &'static str,
        /// What was expected after it.
        expected: &'static str,
    },
    /// A token whose value is no number; both are skipped.
    NotANumber {
        /// The token.
        token: &'static str,
        /// What was found.
        found: Excerpt,
    },
    /// A number that was brought into its range.
    OutOfRange {
        /// The token.
        token: &'static str,
        /// What was found.
        found: Excerpt,
        /// The nearest number in range, which is taken.
        taken: u64,
    },
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(line) => {
                write!(f, "unknown command {}, `help` lists what is known", line)
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
                write!(f, "{token}: {} is out of range, {taken} is taken", found)
            }
        }
    }
}
