//! How far a run has come.

use super::Entry;
use crate::train::data::{Termination, Totals};
use std::time::Duration;

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Progress {
    /// Games that were there before.
    pub before: Totals,
    /// Games played now.
    pub played: Totals,
    /// Searches of moves.
    pub searches: u64,
    /// Nodes of these searches.
    pub nodes: u64,
    /// Openings that were dropped.
    pub dropped: u64,
    /// Games played now, by how they ended, in the order of [`Termination::ALL`].
    pub terminations: [u64; Termination::ALL.len()],
    /// Time since the run began.
    pub elapsed: Duration,
}

impl Progress {
    /// What was there before and what was played now.
    pub fn total(&self) -> Totals {
        let mut total = self.before;
        total += self.played;
        total
    }

    /// Positions played a second.
    pub fn positions_per_second(&self) -> f64 {
        self.played.positions as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// Nodes that a search took on average.
    pub fn nodes_per_search(&self) -> f64 {
        self.nodes as f64 / self.searches.max(1) as f64
    }
}

/// Hears how a run comes along.
pub trait Listener {
    /// Some time has gone by.
    fn progress(&mut self, _progress: &Progress) {}

    /// A chunk was closed.
    fn chunk(&mut self, _entry: &Entry, _progress: &Progress) {}
}

/// For those who want only the result.
impl Listener for () {}
