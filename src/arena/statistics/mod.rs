//! Statistics of matches: Elo, normalized Elo, error bars, the likelihood of superiority, and the
//! sequential probability ratio test.
//!
//! Games are played in pairs: each opening is played twice with colors swapped. The two results of a pair are not
//! independent, so pairs (five outcomes, "pentanomial") are counted if there are pairs, and otherwise single games
//! (three outcomes, "trinomial").

mod estimate;
#[cfg(test)]
mod published;
mod report;
mod sprt;

pub use estimate::{Distribution, Estimate, Interval};
pub use report::{MatchTable, Report};
pub use sprt::{EloModel, Hypothesis, Sprt, SprtError};

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// The result of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameScore {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

impl GameScore {
    /// The result of the game for the other side.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// Half points: 0, 1 or 2.
    const fn half_points(self) -> usize {
        self as usize
    }
}

/// The results of single games, from one side's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Results {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Results {
    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// The points, with one for a win.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The distribution of scores, from a loss to a win.
    pub fn distribution(&self) -> Distribution<3> {
        Distribution::new([self.losses, self.draws, self.wins])
    }

    /// The results from the other side's point of view.
    pub const fn reversed(&self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

/// Pairs of games on the same opening with colors swapped, from one side's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Pairs {
    /// The number of pairs with 0, ½, 1, 1½ and 2 points.
    #[serde(rename = "counts")]
    pub ptnml: [u64; 5],
    /// The number of pairs with one point that were a win and a loss, not two draws.
    pub win_loss_pairs: u64,
}

impl Pairs {
    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.ptnml.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The distribution of scores, from two losses to two wins.
    pub fn distribution(&self) -> Distribution<5> {
        Distribution::new(self.ptnml)
    }

    /// The pairs from the other side's point of view.
    pub const fn reversed(&self) -> Self {
        let [a, b, c, d, e] = self.ptnml;
        Self { ptnml: [e, d, c, b, a], win_loss_pairs: self.win_loss_pairs }
    }
}

/// All counts of the games of one side against another.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct PairTally {
    /// All games.
    pub results: Results,
    /// The pairs of those games that were played in pairs.
    pub pairs: Pairs,
}

impl PairTally {
    /// Counts a game that is not half of a pair.
    pub const fn add_game(&mut self, score: GameScore) {
        let results = &mut self.results;
        match score {
            GameScore::Loss => results.losses += 1,
            GameScore::Draw => results.draws += 1,
            GameScore::Win => results.wins += 1,
        }
    }

    /// Counts the two games of a pair.
    pub const fn add_pair(&mut self, first: GameScore, second: GameScore) {
        self.add_game(first);
        self.add_game(second);
        self.pairs.ptnml[first.half_points() + second.half_points()] += 1;
        if first.half_points().abs_diff(second.half_points()) == 2 {
            self.pairs.win_loss_pairs += 1;
        }
    }

    /// Whether all games were played in pairs, so that the pairs contain all results. `false` without games.
    pub fn is_paired(&self) -> bool {
        let pairs = self.pairs.count();
        pairs > 0 && pairs.saturating_mul(2) == self.results.games()
    }

    /// The estimated difference in strength: from pairs if all games are paired.
    pub fn estimate(&self) -> Estimate {
        if self.is_paired() {
            Estimate::of_pairs(&self.pairs.distribution())
        } else {
            Estimate::of_games(&self.results.distribution())
        }
    }

    /// The counts from the other side's point of view.
    pub const fn reversed(&self) -> Self {
        Self { results: self.results.reversed(), pairs: self.pairs.reversed() }
    }
}

impl AddAssign for PairTally {
    fn add_assign(&mut self, other: Self) {
        self.results.wins += other.results.wins;
        self.results.draws += other.results.draws;
        self.results.losses += other.results.losses;
        self.pairs.win_loss_pairs += other.pairs.win_loss_pairs;
        for (count, more) in self.pairs.ptnml.iter_mut().zip(other.pairs.ptnml) {
            *count += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_points() {
        use GameScore::{Draw, Loss, Win};
        let mut tally = PairTally::default();
        for (first, second) in [(Win, Win), (Win, Draw), (Draw, Draw), (Loss, Win), (Win, Loss), (Loss, Loss)]
        {
            tally.add_pair(first, second);
        }
        assert_eq!(tally.pairs, Pairs { ptnml: [1, 0, 3, 1, 1], win_loss_pairs: 2 });
        assert_eq!(tally.results, Results { wins: 5, draws: 3, losses: 4 });
        assert!(tally.is_paired());
        assert_eq!(tally.reversed().pairs.ptnml, [1, 1, 3, 0, 1]);
        assert_eq!(tally.reversed().reversed(), tally);
        let mut more = tally;
        more += tally;
        assert_eq!(more.results.games(), 24);
        more.add_game(Draw);
        assert!(!more.is_paired());
    }
}
