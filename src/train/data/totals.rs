//! How much there is.

use super::{Game, GameResult};
use std::iter::Sum;
use std::ops::AddAssign;

/// Counts of games and positions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// Whole games.
    pub games: u64,
    /// Positions with a move and a score: the plies of all games.
    pub positions: u64,
    /// Games by result, in the order of [`GameResult::ALL`].
    pub results: [u64; GameResult::ALL.len()],
}

impl Totals {
    /// Games with this result.
    pub const fn with_result(&self, result: GameResult) -> u64 {
        self.results[result as usize]
    }

    /// One more game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies().len() as u64;
        self.results[game.result() as usize] += 1;
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.positions += other.positions;
        for (result, more) in self.results.iter_mut().zip(other.results) {
            *result += more;
        }
    }
}

impl Sum for Totals {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, totals| {
            sum += totals;
            sum
        })
    }
}
