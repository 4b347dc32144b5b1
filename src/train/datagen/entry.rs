//! A line of the manifest.

use super::Origin;
use crate::train::data::{ClosedChunk, GameResult};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A chunk, as the manifest tells of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The name of the file.
    pub file: String,
    /// How many games it holds.
    pub games: u64,
    /// How many positions: plies of all games.
    pub positions: u64,
    /// Games that White won.
    pub white_wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// The checksum of the file, sixteen hexadecimal digits.
    pub checksum: String,
    /// Where the games come from.
    #[serde(flatten)]
    pub origin: Origin,
}

impl Entry {
    /// The line of a chunk that was closed.
    pub fn new(file: String, chunk: &ClosedChunk, origin: Origin) -> Self {
        let ClosedChunk { totals, checksum } = chunk;
        Self {
            file,
            games: totals.games,
            positions: totals.positions,
            white_wins: totals.with_result(GameResult::WhiteWins),
            draws: totals.with_result(GameResult::Draw),
            black_wins: totals.with_result(GameResult::BlackWins),
            checksum: format!("{checksum:016x}"),
            origin,
        }
    }

    /// The numbers of its games.
    pub fn numbers(&self) -> Range<u64> {
        self.origin.first..self.origin.first.saturating_add(self.games)
    }
}
