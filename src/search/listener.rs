//! The search reports; others print.

use super::Score;
use crate::chess::Move;
use std::time::Duration;

/// Hears how a search comes along.
pub trait Listener {
    /// An iteration, or one line of several, was completed or left its window.
    fn iteration(&mut self, _iteration: &Iteration) {}

    /// The main thread begins to search a root move, the `number`th, counted from 1. In the
    /// first second nothing is said, as nobody could read it.
    fn root_move(&mut self, _depth: u32, _mv: Move, _number: usize, _elapsed: Duration) {}

    /// There is no mate in so many moves or fewer, as was asked for.
    fn no_mate(&mut self, _moves: usize) {}

    /// The main thread is looking at this line, as [`super::Preferences`] want to be told.
    fn current_line(&mut self, _line: &[Move]) {}

    /// A root move is not the best, and this reply, if one is known, shows it; as
    /// [`super::Preferences`] want to be told.
    fn refutation(&mut self, _mv: Move, _reply: Option<Move>) {}
}

/// For those who want only the result.
impl Listener for () {}

/// Collects every report.
impl Listener for Vec<Iteration> {
    fn iteration(&mut self, iteration: &Iteration) {
        self.push(iteration.clone());
    }
}

/// How a score relates to the truth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The truth is the score or more.
    Lower,
    /// The truth is the score or less.
    Upper,
}

/// The state of a search after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// Which of the best lines this is, counted from 1.
    pub line: usize,
    /// The value of the line for the side to move.
    pub score: Score,
    /// How the score relates to the truth.
    pub bound: Bound,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// How full the hash table is, in thousandths.
    pub hash_full: u32,
    /// Positions found in endgame tables by all threads; none if there are no tables.
    pub table_hits: Option<u64>,
    /// The line itself, best move first; never empty.
    pub pv: Vec<Move>,
}
