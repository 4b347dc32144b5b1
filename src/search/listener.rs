//! The interface through which a search reports its progress.

use super::Score;
use crate::chess::Move;
use std::time::Duration;

/// Receives the progress of a search.
pub trait Listener {
    /// An iteration has been completed, or one of its principal variations has, or a score has left the
    /// aspiration window.
    fn iteration(&mut self, _iteration: &Iteration) {}

    /// The main thread starts to search a root move, the `number`th, counted from 1. Not called during the
    /// first second.
    fn root_move(&mut self, _depth: u32, _mv: Move, _number: usize, _elapsed: Duration) {}

    /// There is no mate in this many moves or fewer.
    fn no_mate(&mut self, _moves: usize) {}

    /// The line being searched, if requested in [`super::SearchOptions`].
    fn current_line(&mut self, _line: &[Move]) {}

    /// A root move that is not best, and the reply that refutes it, if known; if requested in
    /// [`super::SearchOptions`].
    fn refutation(&mut self, _mv: Move, _reply: Option<Move>) {}
}

/// Ignores all reports.
impl Listener for () {}

/// Collects all iterations.
impl Listener for Vec<Iteration> {
    fn iteration(&mut self, iteration: &Iteration) {
        self.push(iteration.clone());
    }
}

/// The relation of a score to the true value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    /// The true value.
    Exact,
    /// The true value is the score or more.
    Lower,
    /// The true value is the score or less.
    Upper,
}

/// The state of a search after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The depth, in plies.
    pub depth: u32,
    /// The selective depth, in plies.
    pub seldepth: u32,
    /// The MultiPV number of the line, counted from 1.
    pub multipv: usize,
    /// The score of the line for the side to move.
    pub score: Score,
    /// The bound type of the score.
    pub bound: Bound,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// The fill level of the hash table, in permille.
    pub hashfull: u32,
    /// Tablebase hits of all threads; `None` without tablebases.
    pub tb_hits: Option<u64>,
    /// The principal variation; never empty.
    pub pv: Vec<Move>,
}
