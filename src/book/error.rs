//! What is no book.

use super::entry::ENTRY_BYTES;
use std::fmt;
use std::io;

/// Why a file is no book that can be used.
#[derive(Debug)]
pub enum BookError {
    /// It cannot be read.
    Read(io::Error),
    /// There is nothing in it.
    Empty,
    /// It ends within an entry.
    Torn {
        /// Its length in bytes.
        bytes: usize,
    },
    /// An entry has a smaller key than the one before it.
    Disorder {
        /// Its number, counted from 1.
        entry: usize,
    },
    /// No entry has a move.
    NoMoves,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Empty => f.write_str("the file is empty, expected a Polyglot book"),
            Self::Torn { bytes } => {
                write!(f, "{bytes} bytes are no Polyglot book, expected a multiple of {ENTRY_BYTES}")
            }
            Self::Disorder { entry } => {
                write!(f, "entry {entry} is out of order, expected a Polyglot book, whose keys rise")
            }
            Self::NoMoves => f.write_str("no entry has a move, expected a Polyglot book"),
        }
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}
