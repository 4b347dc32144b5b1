//! A match from its configuration to its end: workers that play, a state that survives, and
//! reports of its progress.

mod progress;
mod run;
mod state;
mod worker;

pub use progress::Progress;
pub use run::{Ending, Tournament};
pub use state::{State, StateError};

use crate::arena::game::Termination;
use crate::arena::opening::BookError;
use crate::client::EngineError;
use std::path::PathBuf;
use std::{fmt, io};

/// A game that is over.
#[derive(Clone, Debug)]
pub struct GameReport<'a> {
    /// The number of the encounter and of the game in it: `12.1`.
    pub round: String,
    /// White's and Black's name.
    pub names: [&'a str; 2],
    /// How it ended.
    pub termination: &'a Termination,
    /// Half-moves.
    pub plies: usize,
}

/// An event of a match.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// Something that the user should know.
    Remark(&'a str),
    /// A game is over. It is not counted yet: that is done when its encounter is over.
    Game(GameReport<'a>),
    /// An encounter is over, counted, written and saved.
    Encounter(&'a Progress),
}

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
