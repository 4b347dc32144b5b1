//! What can be wrong with a suite.

use super::MAX_DEPTH;
use crate::notation::{Excerpt, PositionError};
use std::{fmt, io};

/// A line of a suite that cannot be read.
#[derive(Debug)]
pub struct SuiteError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: SuiteProblem,
}

/// What is wrong with a line of a suite.
#[derive(Debug)]
pub enum SuiteProblem {
    /// The file cannot be read on.
    Io(io::Error),
    /// The line is longer than this many bytes.
    TooLong(usize),
    /// The position is not a chess position.
    Position(PositionError),
    /// Not an operation of an EPD line.
    Operation(Excerpt),
    /// Not the depth and the number of a count.
    Count(Excerpt),
    /// The position has no counts.
    NoCounts,
    /// A count without a position above it.
    NoPosition,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for SuiteProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::TooLong(limit) => write!(f, "longer than {limit} bytes, expected one position"),
            Self::Position(error) => error.fmt(f),
            Self::Operation(found) => write!(f, "expected `;D<depth> <nodes>`, found {found}"),
            Self::Count(found) => {
                write!(f, "expected a depth 0 to {MAX_DEPTH} and a number of nodes, found {found}")
            }
            Self::NoCounts => f.write_str("a position without counts, expected `;D<depth> <nodes>`"),
            Self::NoPosition => f.write_str("a count without a position, expected `epd <FEN>` before it"),
        }
    }
}

impl std::error::Error for SuiteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            SuiteProblem::Io(error) => Some(error),
            SuiteProblem::Position(error) => Some(error),
            _ => None,
        }
    }
}

impl From<PositionError> for SuiteProblem {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}
