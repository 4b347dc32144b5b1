//! Finding the best move within limits.

mod limits;
mod listener;
mod score;
mod signals;

pub use limits::{Clock, Limits};
pub use listener::{Bound, Iteration, Listener};
pub use score::{MAX_PLY, Score};
pub use signals::Signals;

use crate::chess::{Line, Move, Position};
use std::fmt;
use std::sync::Arc;

/// What is to be searched.
#[derive(Clone, Debug)]
pub struct Job {
    /// The position at the root.
    pub position: Position,
    /// The game up to and including the root.
    pub line: Line,
    /// What the search may use.
    pub limits: Limits,
    /// How many of the best moves are wanted, each with its line; at least 1.
    pub multi_pv: usize,
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The best move; `None` if there is no legal move (or none among those to be searched).
    pub best: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// The value of the position for the side to move.
    pub score: Score,
    /// The last completed iteration.
    pub depth: u32,
    /// Nodes visited by all threads.
    pub nodes: u64,
}

/// Something the machine could not give; the searcher goes on with what it had.
#[derive(Debug)]
pub enum ResourceError {
    /// No memory for a hash table of this many MiB.
    Hash(usize),
    /// The system refused to start a thread.
    Threads(usize),
}

impl fmt::Display for ResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash(mib) => write!(f, "no memory for a hash table of {mib} MiB"),
            Self::Threads(count) => write!(f, "the system cannot start {count} threads"),
        }
    }
}

impl std::error::Error for ResourceError {}

/// The search threads and the hash table they share; lives as long as the engine.
pub struct Searcher {}

impl Searcher {
    /// # Errors
    /// [`ResourceError`] if the machine lacks the memory or the threads.
    pub fn new(_threads: usize, _hash_mib: usize) -> Result<Self, ResourceError> {
        todo!()
    }

    /// Changes the number of threads.
    ///
    /// # Errors
    /// [`ResourceError::Threads`]; the former threads are kept.
    pub fn set_threads(&mut self, _threads: usize) -> Result<(), ResourceError> {
        todo!()
    }

    /// Changes the size of the hash table, and empties it.
    ///
    /// # Errors
    /// [`ResourceError::Hash`]; the former table is kept.
    pub fn set_hash(&mut self, _mib: usize) -> Result<(), ResourceError> {
        todo!()
    }

    /// Forgets everything learned: hash table and histories.
    pub fn clear(&mut self) {
        todo!()
    }

    /// Searches until a limit is reached or `signals` say stop. Blocks.
    pub fn search(&mut self, _job: Job, _signals: &Arc<Signals>, _listener: &mut dyn Listener) -> Report {
        todo!()
    }

    /// The static evaluation of a position for the side to move.
    pub fn evaluate(_position: &Position) -> Score {
        todo!()
    }
}
