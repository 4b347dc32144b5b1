//! What can be wrong with PGC.

use std::{fmt, io};

/// A place in a PGC file from which it cannot be read any further.
#[derive(Debug)]
pub struct PgcError {
    /// How many bytes come before it.
    pub offset: u64,
    /// What is wrong there.
    pub problem: PgcProblem,
}

/// What is wrong.
#[derive(Debug)]
pub enum PgcProblem {
    /// The source cannot be read.
    Io(io::Error),
    /// The data end within a record or within a game.
    UnexpectedEnd,
    /// No record begins with this byte.
    UnknownMarker(u8),
    /// A record of this marker does not belong here.
    Misplaced(u8),
    /// There are not so many legal moves.
    Ordinal {
        /// The number of the move, counted from 0.
        found: u8,
        /// How many there are.
        moves: usize,
    },
    /// A null move in check.
    NullMove,
    /// Variations are nested deeper than is read.
    TooDeep,
}

impl fmt::Display for PgcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.problem)
    }
}

impl fmt::Display for PgcProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::UnexpectedEnd => f.write_str("the data end here, expected the rest of a game"),
            Self::UnknownMarker(found) => {
                write!(f, "found the byte 0x{found:02x}, expected a record marker 0x00 to 0x0a")
            }
            Self::Misplaced(found) => write!(f, "a record 0x{found:02x} does not belong here"),
            Self::Ordinal { found, moves } => {
                write!(f, "found the move number {found}, but there are {moves} legal moves")
            }
            Self::NullMove => f.write_str("a null move in check"),
            Self::TooDeep => {
                write!(f, "more than {} variations within one another", crate::notation::pgn::MAX_DEPTH)
            }
        }
    }
}

impl std::error::Error for PgcError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            PgcProblem::Io(error) => Some(error),
            _ => None,
        }
    }
}
