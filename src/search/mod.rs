//! Finding the best move within limits.

mod checks;
mod contempt;
mod correction;
mod current_line;
mod endgames;
mod evaluator;
mod exchange;
mod gravity;
mod history;
mod huge_pages;
mod iterative;
mod killers;
mod lessons;
mod limits;
mod listener;
mod mate_search;
mod mate_table;
mod memory;
mod move_pruning;
mod node;
mod order;
mod params;
mod picker;
mod preferences;
mod pruning;
mod quiescence;
mod reduction;
mod refutation;
mod root;
#[cfg(test)]
mod samples;
mod score;
mod searcher;
mod signals;
mod singular;
mod structure;
mod table;
mod time;
mod tree;
mod variation;
mod vote;
pub mod waiting;

pub use evaluator::evaluate;
pub use limits::{Clock, Limits};
pub use listener::{Bound, Iteration, Listener};
pub use memory::physical as physical_memory;
pub use params::{Parameter, ParameterError, Params};
pub use preferences::{EndgameUse, Preferences};
pub use score::{MAX_PLY, Score};
pub use searcher::{MAX_HASH_MIB, MAX_THREADS, STACK, Searcher};
pub use signals::Signals;

use crate::chess::{Line, Move, Position};
use std::fmt;

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
