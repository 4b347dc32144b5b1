//! The schedule of a match: who plays whom, and how often.

use serde::{Deserialize, Serialize};

/// The form of a match.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Each engine plays each other one. With two engines this is a plain match.
    #[default]
    #[serde(alias = "round-robin")]
    RoundRobin,
    /// The first plays all others.
    Gauntlet,
}

/// All pairings of a match. A pairing is one game, or two on one opening with colors
/// swapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The number of engines; at least two.
    pub players: usize,
    /// Who plays whom.
    pub format: Format,
    /// The number of pairings of every two engines.
    pub rounds: usize,
    /// Whether each opening is played twice, with colors swapped.
    pub is_repeated: bool,
}

/// A game or a pair of games between two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Its number, counted from 0.
    pub index: usize,
    /// The engine from whose point of view results are reported.
    pub first: usize,
    /// Its opponent.
    pub second: usize,
    /// Who has White in the first game.
    pub white: usize,
    /// The number of games: 1 or 2.
    pub games: usize,
}

impl Schedule {
    /// Who plays whom in each round.
    fn matchups(&self) -> Vec<(usize, usize)> {
        let firsts = match self.format {
            Format::RoundRobin => self.players.saturating_sub(1),
            Format::Gauntlet => 1,
        };
        (0..firsts).flat_map(|first| (first + 1..self.players).map(move |second| (first, second))).collect()
    }

    /// The number of pairings; `None` for more than can be counted.
    pub fn count(&self) -> Option<usize> {
        self.matchups().len().checked_mul(self.rounds)
    }

    /// All pairings in the order in which they start.
    pub fn pairings(&self) -> Vec<Pairing> {
        let matchups = self.matchups();
        let games = if self.is_repeated { 2 } else { 1 };
        let all = (0..self.rounds).flat_map(|round| matchups.iter().map(move |&matchup| (round, matchup)));
        all.enumerate()
            .map(|(index, (round, (first, second)))| {
                // Single games change colors from round to round.
                let white = if self.is_repeated || round % 2 == 0 { first } else { second };
                Pairing { index, first, second, white, games }
            })
            .collect()
    }
}

impl Pairing {
    /// Who has White and who has Black in a game of it, counted from 0.
    pub const fn colors(&self, game: usize) -> (usize, usize) {
        let other = if self.white == self.first { self.second } else { self.first };
        if game.is_multiple_of(2) { (self.white, other) } else { (other, self.white) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors_of(schedule: Schedule) -> Vec<(usize, usize)> {
        let pairings = schedule.pairings();
        assert!(pairings.iter().enumerate().all(|(index, pairing)| pairing.index == index));
        pairings.iter().flat_map(|e| (0..e.games).map(|game| e.colors(game))).collect()
    }

    #[test]
    fn each_engine_has_both_colors() {
        let schedule =
            |players, format, rounds, is_repeated| Schedule { players, format, rounds, is_repeated };
        let cases = [
            ("a match", schedule(2, Format::RoundRobin, 2, true), vec![(0, 1), (1, 0), (0, 1), (1, 0)]),
            ("single games", schedule(2, Format::RoundRobin, 3, false), vec![(0, 1), (1, 0), (0, 1)]),
            (
                "round robin",
                schedule(3, Format::RoundRobin, 1, true),
                vec![(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)],
            ),
            ("gauntlet", schedule(3, Format::Gauntlet, 2, false), vec![(0, 1), (0, 2), (1, 0), (2, 0)]),
            ("one engine", schedule(1, Format::RoundRobin, 5, true), vec![]),
        ];
        for (name, schedule, expected) in cases {
            assert_eq!(colors_of(schedule), expected, "{name}");
        }
    }
}
