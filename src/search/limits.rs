//! What a search may use: depth, nodes, time.

use crate::chess::Move;
use std::time::Duration;

/// The bounds of one search; whatever is `None` does not bound it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Iterations of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// Begin no new iteration once so many nodes are spent.
    pub soft_nodes: Option<u64>,
    /// Look for a mate in this many full moves or fewer; stop when there is one, and when there is none.
    pub mate: Option<u32>,
    /// Time to be used for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move, from which the time for this move is taken.
    pub clock: Option<Clock>,
    /// Kept back of each time limit for what happens between the clock and the engine.
    pub move_overhead: Duration,
    /// Only these moves at the root; all legal ones if empty.
    pub search_moves: Vec<Move>,
}

/// What a chess clock shows the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` if the time must last for the rest of the game.
    pub moves_to_go: Option<u32>,
}
