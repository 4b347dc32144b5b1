//! Results of games.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// How a game has ended for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameResult {
    Win,
    Draw,
    Loss,
}

/// How games have ended for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// How many games there were.
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// By how many more games were won than lost.
    pub const fn difference(&self) -> i64 {
        self.wins as i64 - self.losses as i64
    }

    pub(super) fn add(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}
