//! A match from its configuration to its end: workers that play, a state that survives, and
//! reports of its progress.

mod run;
mod state;
mod worker;

pub use run::{Ending, Tournament};
pub use state::{Progress, State, StateError};

use crate::arena::game::{Termination, View};
use crate::arena::opening::OpeningSuiteError;
use crate::client::EngineError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// A game that is over.
#[derive(Clone, Debug)]
pub struct GameReport<'a> {
    /// The number of the pairing and of the game in it: `12.1`.
    pub round: String,
    /// White's and Black's name.
    pub names: [&'a str; 2],
    /// The termination.
    pub termination: &'a Termination,
    /// Half-moves.
    pub plies: usize,
}

/// A game that is being played.
#[derive(Clone, Copy, Debug)]
pub struct WatchedGame<'a> {
    /// Which of the games that are played at the same time, counted from 0.
    pub place: usize,
    /// The number of the pairing and of the game in it: `12.1`.
    pub round: &'a str,
    /// White's and Black's name.
    pub names: [&'a str; 2],
    /// The game as it stands.
    pub view: View<'a>,
}

/// Sees the games of a match as they are played, on the threads that play them, which do not wait.
pub type Watch = dyn Fn(&WatchedGame<'_>) + Send + Sync;

/// An event of a match.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// Something that the user should know.
    Remark(&'a str),
    /// A game is over. It is not counted yet: that is done when its pairing is over.
    Game(GameReport<'a>),
    /// A pairing is over, counted, written and saved.
    Pairing(&'a Progress),
}

/// The reason why a match cannot start or continue.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// An engine does not start, or not as configured.
    #[error("{}", error.of(name))]
    Engine {
        /// Its name or command.
        name: String,
        /// The problem.
        error: EngineError,
    },
    /// The openings cannot be used.
    #[error("{}: {error}", path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// The problem.
        error: OpeningSuiteError,
    },
    /// The book of an engine cannot be used.
    #[error("{}: {error}", path.display())]
    EngineBook {
        /// The file.
        path: PathBuf,
        /// The problem.
        error: crate::book::BookError,
    },
    /// There are no endgame tables that can be used.
    #[error("tb={path}: {problem}")]
    Tables {
        /// The folders.
        path: String,
        /// The problem.
        problem: String,
    },
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The state cannot be used.
    #[error("{}: {error}", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// The problem.
        error: StateError,
    },
    /// A thread cannot be started.
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
}
