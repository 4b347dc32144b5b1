//! What a solver may use for one position.

use std::time::Duration;

/// The bounds of one search; what is `None` does not bound it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Time for each position.
    pub time: Option<Duration>,
    /// Nodes for each position.
    pub nodes: Option<u64>,
    /// Depth of the search, in plies.
    pub depth: Option<u32>,
    /// The mate to look for, in moves.
    pub mate: Option<u32>,
}
