//! What a thread evaluates the positions of its line with.

use super::evaluation::{self, Sums};
use super::{MAX_PLY, Score};
use crate::chess::{Delta, Position};
use crate::nnue::{Accumulators, Network};
use std::sync::Arc;

/// The value of a position for the side to move, without looking ahead: by the network, or by
/// material and squares if there is none. Not for positions in check.
pub fn evaluate(position: &Position, network: Option<&Network>) -> Score {
    match network {
        Some(network) => Score::centipawns(network.evaluate(position)),
        None => evaluation::evaluate(position, &Sums::of(position)),
    }
}

/// Evaluates the positions of a line, and remembers what makes the next ones cheaper.
pub(super) enum Evaluator {
    /// By material and squares: the sums at each ply.
    Classic(Vec<Sums>),
    /// By a network.
    Network(Box<Accumulators>),
}

impl Evaluator {
    /// With a network, or by material and squares if there is none.
    pub(super) fn new(network: Option<&Arc<Network>>) -> Self {
        match network {
            Some(network) => Self::Network(Box::new(Accumulators::new(Arc::clone(network), MAX_PLY + 1))),
            None => Self::Classic(vec![Sums::default(); MAX_PLY + 2]),
        }
    }

    /// Does it evaluate with just this?
    pub(super) fn uses(&self, network: Option<&Arc<Network>>) -> bool {
        match (self, network) {
            (Self::Classic(_), None) => true,
            (Self::Network(own), Some(network)) => Arc::ptr_eq(own.network(), network),
            _ => false,
        }
    }

    /// A new line begins with this position.
    pub(super) fn begin(&mut self, root: &Position) {
        match self {
            Self::Classic(sums) => sums[0] = Sums::of(root),
            Self::Network(accumulators) => accumulators.begin(root),
        }
    }

    /// A move has led to `ply` and changed this.
    #[inline]
    pub(super) fn follow(&mut self, ply: usize, delta: &Delta) {
        match self {
            Self::Classic(sums) => {
                let mut next = sums[ply - 1];
                next.apply(delta);
                sums[ply] = next;
            }
            Self::Network(accumulators) => accumulators.follow(ply, delta),
        }
    }

    /// The value for the side to move of the position at `ply`, which is not in check.
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize, position: &Position) -> Score {
        match self {
            Self::Classic(sums) => evaluation::evaluate(position, &sums[ply]),
            Self::Network(accumulators) => Score::centipawns(accumulators.evaluate(ply, position)),
        }
    }
}
