//! What results of games say about strength: Elo, normalized Elo, error bars, the likelihood
//! of superiority, and the sequential probability ratio test.
//!
//! Games come in pairs: each opening is played twice with colors swapped. The two results of a
//! pair are not independent, so pairs (five outcomes, "pentanomial") are what is counted where
//! there are pairs, and single games (three outcomes, "trinomial") where there are none.

mod crosstable;
mod distribution;
mod estimate;
mod likelihood;
mod normal;
#[cfg(test)]
mod published;
mod report;
mod sprt;
mod tally;

pub use crosstable::Crosstable;
pub use distribution::Distribution;
pub use estimate::{Estimate, Interval};
pub use report::Report;
pub use sprt::{EloModel, Hypothesis, Sprt, SprtError};
pub use tally::{GameScore, Pairs, Results, Tally};
