//! What a run depends on besides the parameters.

use super::{Allowance, Gains, OpeningsId};
use crate::search::MAX_HASH_MIB;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// What a run depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// What the searches may take.
    #[serde(flatten)]
    pub allowance: Allowance,
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
    /// Iterations of a run.
    pub const ITERATIONS: RangeInclusive<u64> = 1..=10_000_000;
    /// Pairs of games in an iteration.
    pub const PAIRS: RangeInclusive<u64> = 1..=10_000;
    /// What `r_end` can be.
    pub const RATES: RangeInclusive<f64> = 1e-9..=10.0;
    /// The usual `r_end`.
    pub const RATE: f64 = 0.002;

    /// How far parameters are moved.
    pub const fn gains(&self) -> Gains {
        Gains { iterations: self.iterations, rate: self.rate }
    }

    /// What is wrong with the first of them that is out of range, if any is.
    pub(super) fn problem(&self) -> Option<String> {
        (self.allowance.problem())
            .or_else(|| out_of("hash_mib", &self.hash_mib, &(1..=MAX_HASH_MIB)))
            .or_else(|| out_of("iterations", &self.iterations, &Self::ITERATIONS))
            .or_else(|| out_of("pairs", &self.pairs, &Self::PAIRS))
            .or_else(|| out_of("rate", &self.rate, &Self::RATES))
    }
}

/// What is wrong with a value that is out of its range.
pub(super) fn out_of<T: PartialOrd + Display>(
    name: &str,
    value: &T,
    range: &RangeInclusive<T>,
) -> Option<String> {
    (!range.contains(value))
        .then(|| format!("{name} is {value}, expected {} to {}", range.start(), range.end()))
}
