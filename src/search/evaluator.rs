//! What a thread evaluates the positions of its line with.

use super::{MAX_PLY, Score};
use crate::chess::{Delta, Position};
use crate::nnue::{Accumulators, Network};
use std::sync::Arc;

/// The value of a position for the side to move, without looking ahead. Not for positions in
/// check.
pub fn evaluate(position: &Position, network: &Network) -> Score {
    Score::centipawns(network.evaluate(position))
}

/// Evaluates the positions of a line, and remembers what makes the next ones cheaper.
pub(super) struct Evaluator(Accumulators);

impl Evaluator {
    pub(super) fn new(network: &Arc<Network>) -> Self {
        Self(Accumulators::new(Arc::clone(network), MAX_PLY + 1))
    }

    /// Does it evaluate with just this?
    pub(super) fn uses(&self, network: &Arc<Network>) -> bool {
        Arc::ptr_eq(self.0.network(), network)
    }

    /// A new line begins with this position.
    pub(super) fn begin(&mut self, root: &Position) {
        self.0.begin(root);
    }

    /// A move has led to `ply` and changed this.
    #[inline]
    pub(super) fn follow(&mut self, ply: usize, delta: &Delta) {
        self.0.follow(ply, delta);
    }

    /// The value for the side to move of the position at `ply`, which is not in check.
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize, position: &Position) -> Score {
        Score::centipawns(self.0.evaluate(ply, position))
    }
}
