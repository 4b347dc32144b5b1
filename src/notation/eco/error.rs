//! What can be wrong with a list or a table of openings.

use crate::notation::{Excerpt, SanError};
use std::fmt;

/// A line of a list or of a table that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: OpeningProblem,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningProblem {
    /// It does not have its columns.
    Columns(Excerpt),
    /// The code is no code.
    Code(Excerpt),
    /// A move is not legal.
    Move(SanError),
    /// The position has a name already.
    Named {
        /// The name in this line.
        found: String,
        /// The name that was there before.
        before: String,
    },
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for OpeningProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns(found) => {
                write!(f, "found {found}, expected a code, a name and moves, separated by tabs")
            }
            Self::Code(found) => write!(f, "found {found}, expected a code A00 to E99"),
            Self::Move(error) => error.fmt(f),
            Self::Named { found, before } => {
                write!(
                    f,
                    "`{found}` leads to the position of `{before}`, expected one name for each position"
                )
            }
        }
    }
}

impl std::error::Error for OpeningError {}
