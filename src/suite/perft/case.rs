//! What a suite says about one position.

use crate::chess::Position;

/// The deepest count that a suite may ask for, in plies. Beyond a dozen plies only locked
/// positions have trees that can be walked; the limit keeps a slip of the pen from walking on.
pub const MAX_DEPTH: u32 = 64;

/// How many leaves the tree of legal moves has at a depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The depth in plies, at most [`MAX_DEPTH`].
    pub depth: u32,
    /// The number of leaves.
    pub nodes: u64,
}

/// A position with its known counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The line on which the position is, counted from 1.
    pub line: usize,
    /// What the suite calls it.
    pub name: Option<String>,
    /// The root of the trees.
    pub position: Position,
    /// What is known, in the order of the suite; at least one count.
    pub counts: Vec<Count>,
}
