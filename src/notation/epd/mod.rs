//! EPD, a position and facts about it on one line (PGN standard, section 16.2).
//!
//! An [`Epd`] is a position and its [`Operation`]s: one variant for each opcode of section 16.2.5 and the later `acd`,
//! and one for all others, which are kept unchanged. It is displayed as the standard prescribes: operations in ASCII
//! order of their opcodes, moves in canonical SAN.
//!
//! [`parse_epd`] reads one record, and [`EpdReader`] a file line by line.

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
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The column at which the problem starts, in characters counted from 1.
    pub column: usize,
    /// The problem.
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
    /// The text is not an opcode.
    #[error("{0} is not an opcode, expected a letter and up to 14 letters, digits or underscores")]
    Opcode(Excerpt),
    /// The record already has an operation with this opcode.
    #[error("{opcode}: found twice, expected once")]
    Repeated {
        /// The opcode.
        opcode: String,
    },
    /// A string is not closed.
    #[error("{opcode}: {found} does not end, expected a closing quote")]
    UnclosedString {
        /// The opcode.
        opcode: String,
        /// The string.
        found: Excerpt,
    },
    /// The opcode does not take these operands, or has none where it requires some.
    #[error("{opcode}: found {found}, expected {expected}")]
    Operands {
        /// The opcode.
        opcode: String,
        /// The text found.
        found: Excerpt,
        /// The text expected.
        expected: &'static str,
    },
    /// An operand is not a legal move.
    #[error("{opcode}: {error}")]
    Move {
        /// The opcode.
        opcode: String,
        /// The problem with the move.
        #[source]
        error: SanError,
    },
    /// A string of several words has no quotes.
    #[error("{opcode}: {found} without quotes, expected a string in quotes")]
    Unquoted {
        /// The opcode.
        opcode: String,
        /// The words.
        found: Excerpt,
    },
    /// A move is stated both as a best move and as a move to avoid.
    #[error("{san} is a move of `bm` and of `am`, expected one of them")]
    Contradiction {
        /// The move.
        san: SanText,
    },
}
