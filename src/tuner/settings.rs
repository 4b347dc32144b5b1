//! What a run depends on besides the parameters.

use super::{Gains, OpeningsId};
use crate::search::MAX_HASH_MIB;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// What a run depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// No search takes more nodes.
    pub nodes: u64,
    /// The hash table of each player, in MiB. It is emptied before each game.
    pub hash_mib: usize,
    /// How often the parameters are moved.
    pub iterations: u64,
    /// Pairs of games in an iteration.
    pub pairs: u64,
    /// Step of the last iteration for each game won, as a share of the squared perturbation: `r_end`.
    pub rate: f64,
    /// Decides about flips, roundings and the order of the openings.
    pub seed: u64,
    /// Where the games begin.
    pub openings: OpeningsId,
}

impl Settings {
    /// Nodes for a search. With fewer than the least, it may not even have looked at all moves.
    pub const NODES: RangeInclusive<u64> = 50..=1_000_000_000;
    /// The most iterations.
    pub const ITERATIONS: RangeInclusive<u64> = 1..=10_000_000;
    /// Pairs of games in an iteration.
    pub const PAIRS: RangeInclusive<u64> = 1..=10_000;
    /// What `r_end` can be.
    pub const RATES: RangeInclusive<f64> = 1e-9..=10.0;
    /// The usual `r_end`.
    pub const RATE: f64 = 0.002;
    /// For so many nodes a search, a MiB of hash table holds what the searches of a game leave
    /// behind. More would only take longer to empty.
    const NODES_PER_HASH_MIB: u64 = 500;
    /// The largest hash table that is used unasked, in MiB.
    const USUAL_HASH_MIB: u64 = 16;

    /// A hash table that does for searches of so many nodes, in MiB.
    pub fn hash_for(nodes: u64) -> usize {
        nodes.div_ceil(Self::NODES_PER_HASH_MIB).clamp(1, Self::USUAL_HASH_MIB) as usize
    }

    /// How far parameters are moved.
    pub const fn gains(&self) -> Gains {
        Gains { iterations: self.iterations, rate: self.rate }
    }

    /// Which of them is out of range, if any is.
    pub(super) fn problem(&self) -> Option<&'static str> {
        [
            (Self::NODES.contains(&self.nodes), "nodes"),
            ((1..=MAX_HASH_MIB).contains(&self.hash_mib), "hash_mib"),
            (Self::ITERATIONS.contains(&self.iterations), "iterations"),
            (Self::PAIRS.contains(&self.pairs), "pairs"),
            (Self::RATES.contains(&self.rate), "rate"),
        ]
        .into_iter()
        .find_map(|(is_in_range, name)| (!is_in_range).then_some(name))
    }
}
