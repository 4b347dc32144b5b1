//! What ends a match before its time.

use super::StateError;
use crate::arena::opening::BookError;
use crate::client::EngineError;
use std::path::PathBuf;
use std::{fmt, io};

/// Why a match cannot begin, or not go on.
#[derive(Debug)]
pub enum TournamentError {
    /// An engine does not start, or not as it is wanted.
    Engine {
        /// Its name or command.
        name: String,
        /// What is wrong.
        error: EngineError,
    },
    /// The openings cannot be used.
    Book {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: BookError,
    },
    /// A file cannot be written.
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The state cannot be used.
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: StateError,
    },
    /// A thread cannot be started.
    Thread(io::Error),
}

impl fmt::Display for TournamentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine { name, error } => write!(f, "{name}: {error}"),
            Self::Book { path, error } => write!(f, "{}: {error}", path.display()),
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::State { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Thread(error) => write!(f, "no thread can be started: {error}"),
        }
    }
}

impl std::error::Error for TournamentError {}
