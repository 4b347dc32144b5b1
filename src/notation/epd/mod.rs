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

pub use operation::{CentipawnEvaluation, CommentIndex, Correspondent, Operand, Operation};
pub use reader::{EpdLine, EpdReader, parse_epd, parse_epd_line};
pub use record::Epd;

use crate::notation::{Excerpt, PositionError, SanError, SanText};
use std::io;

/// An error in a file of records.
#[derive(Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct EpdError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character of the line where it starts, counted from 1.
    pub column: usize,
    /// The problem there.
    #[source]
    pub problem: EpdProblem,
}

/// A problem with a record.
#[derive(Debug, thiserror::Error)]
pub enum EpdProblem {
    /// The file cannot be read any further.
    #[error(transparent)]
    Io(io::Error),
    /// The line is longer than this many bytes.
    #[error("longer than {0} bytes, expected one record")]
    TooLong(usize),
    /// The first four fields are not a chess position.
    #[error(transparent)]
    Position(PositionError),
    /// Errors of the position that do not affect the moves and have been repaired.
    #[error("{0}")]
    Repaired(String),
    /// It is not an opcode.
    #[error("{0} is not an opcode, expected a letter and up to 14 letters, digits or underscores")]
    Opcode(Excerpt),
    /// An opcode that the record already has.
    #[error("{opcode}: found twice, expected once")]
    Repeated {
        /// The opcode.
        opcode: String,
    },
    /// A string that does not end.
    #[error("{opcode}: {found} does not end, expected a closing quote")]
    UnclosedString {
        /// The opcode.
        opcode: String,
        /// The string.
        found: Excerpt,
    },
    /// Operands that the opcode does not take, or none where there must be some.
    #[error("{opcode}: found {found}, expected {expected}")]
    Operands {
        /// The opcode.
        opcode: String,
        /// The text found.
        found: Excerpt,
        /// The text expected.
        expected: &'static str,
    },
    /// Not a legal move.
    #[error("{opcode}: {error}")]
    Move {
        /// The opcode.
        opcode: String,
        /// The problem with the move.
        #[source]
        error: SanError,
    },
    /// A string of several words without quotes.
    #[error("{opcode}: {found} without quotes, expected a string in quotes")]
    Unquoted {
        /// The opcode.
        opcode: String,
        /// The words.
        found: Excerpt,
    },
    /// A move that is both a best move and one to be avoided.
    #[error("{san} is a move of `bm` and of `am`, expected one of them")]
    Contradiction {
        /// The move.
        san: SanText,
    },
}
