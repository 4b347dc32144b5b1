//! The run of a match from its configuration to its end: worker threads that play, a state that is saved, and reports
//! of the progress.

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

/// The report of a game that is over.
#[derive(Clone, Debug)]
pub struct FinishedGame<'a> {
    /// The number of the pairing and of the game within it: `12.1`.
    pub round: String,
    /// The names of White and Black.
    pub names: [&'a str; 2],
    /// The termination.
    pub termination: &'a Termination,
    /// The length of the game, in plies.
    pub plies: usize,
}

/// A game that is being played.
#[derive(Clone, Copy, Debug)]
pub struct WatchedGame<'a> {
    /// The index of the game among the concurrent games, counted from 0.
    pub place: usize,
    /// The number of the pairing and of the game within it: `12.1`.
    pub round: &'a str,
    /// The names of White and Black.
    pub names: [&'a str; 2],
    /// The current state of the game.
    pub view: View<'a>,
}

/// Receives the state of the games of a match, on the threads that play them.
pub type Watch = dyn Fn(&WatchedGame<'_>) + Send + Sync;

/// An event of a match.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A remark for the user.
    Remark(&'a str),
    /// A game is over. It is counted when its pairing is over.
    Game(FinishedGame<'a>),
    /// A pairing is over, and has been counted, written and saved.
    Pairing(&'a Progress),
}

/// The reason why a match cannot start or continue.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// An engine cannot be started, or not with its configuration.
    #[error("{}", error.of(name))]
    Engine {
        /// The name or command of the engine.
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
    /// No endgame tablebase can be used.
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
