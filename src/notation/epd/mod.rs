//! EPD, a position with facts about it on one line (PGN standard, section 16.2).
//!
//! An [`Epd`] is the position and its [`Operation`]s: one variant for each opcode of section
//! 16.2.5 and the later `acd`, and one for all others, which are kept as they are. It is
//! displayed as the standard prescribes: operations in ASCII order of their opcodes, moves in
//! canonical SAN.
//!
//! [`parse_epd`] reads one record, [`EpdReader`] a file line by line.

mod operation;
mod read_operation;
mod reader;
mod record;
mod scan;

pub use operation::{CentipawnEvaluation, Correspondent, Level, Operand, Operation};
pub use reader::{EpdLine, EpdReader, parse_epd, parse_epd_line};
pub use record::Epd;

use crate::notation::{Excerpt, PositionError, SanError};
use std::{fmt, io};

/// Something that is wrong in a file of records.
#[derive(Debug)]
pub struct EpdError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character of the line where it begins, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: EpdProblem,
}

/// What is wrong with a record.
#[derive(Debug)]
pub enum EpdProblem {
    /// The file cannot be read on.
    Io(io::Error),
    /// The line is longer than this many bytes.
    TooLong(usize),
    /// The first four fields are not a chess position.
    Position(PositionError),
    /// Not an opcode.
    Opcode(Excerpt),
    /// An opcode that the record has already.
    Repeated {
        /// The opcode.
        opcode: String,
    },
    /// A string that does not end.
    UnclosedString {
        /// The opcode.
        opcode: String,
        /// The string.
        found: Excerpt,
    },
    /// Operands that the opcode does not take.
    Operands {
        /// The opcode.
        opcode: String,
        /// What was found.
        found: Excerpt,
        /// What was expected.
        expected: &'static str,
    },
    /// Not a legal move.
    Move {
        /// The opcode.
        opcode: String,
        /// What is wrong with the move.
        error: SanError,
    },
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}

impl fmt::Display for EpdProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::TooLong(limit) => write!(f, "longer than {limit} bytes, expected one record"),
            Self::Position(error) => error.fmt(f),
            Self::Opcode(found) => write!(
                f,
                "{found} is not an opcode, expected a letter and up to 14 letters, digits or underscores"
            ),
            Self::Repeated { opcode } => write!(f, "{opcode}: found twice, expected once"),
            Self::UnclosedString { opcode, found } => {
                write!(f, "{opcode}: {found} does not end, expected a closing quote")
            }
            Self::Operands { opcode, found, expected } => {
                write!(f, "{opcode}: found {found}, expected {expected}")
            }
            Self::Move { opcode, error } => write!(f, "{opcode}: {error}"),
        }
    }
}

impl std::error::Error for EpdError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            EpdProblem::Io(error) => Some(error),
            EpdProblem::Position(error) => Some(error),
            EpdProblem::Move { error, .. } => Some(error),
            _ => None,
        }
    }
}
