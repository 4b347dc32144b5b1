//! The schedule of a match: the pairings of engines.

use crate::rng::Rng;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The format of a match.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Each engine plays against every other one. With two engines this is a plain match.
    #[default]
    #[serde(alias = "round-robin")]
    RoundRobin,
    /// The first engine, or the first few, play against all others.
    Gauntlet,
    /// Each engine plays against all that are named before it.
    Pyramid,
    /// The loser of an encounter is eliminated.
    Knockout,
}

/// The number of games for which an opening is kept.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningPolicy {
    /// For one pairing, that is, for the number of times that an opening is repeated.
    #[default]
    Default,
    /// For all games of two engines in a round.
    Encounter,
    /// For all games of a round.
    Round,
}

/// The pairings of a match. A pairing is one game, or several games on one opening, usually two with colors swapped.
/// The pairings of two engines in a round are an encounter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The number of engines; at least two.
    pub players: usize,
    /// The format of the match.
    pub format: Format,
    /// In a gauntlet, the number of engines that play against all others, by default one. In a knockout, the number of
    /// engines that keep their seeds, by default all; the others are seeded at random.
    pub seeds: Option<usize>,
    /// The number of rounds; in each round every two engines have an encounter.
    pub rounds: usize,
    /// The number of pairings of an encounter.
    pub pairings: usize,
    /// The number of games of a pairing.
    pub repeat: usize,
    /// Whether colors are swapped from game to game.
    pub swaps: bool,
    /// Whether the second engine has White first.
    pub is_reversed: bool,
    /// The number of games for which an opening is kept.
    pub policy: OpeningPolicy,
    /// The seed of the random order of unseeded engines in a knockout.
    pub lots: u64,
}

/// One or more games between two engines on one opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The number of the pairing, counted from 0.
    pub index: usize,
    /// The engine from whose point of view results are reported.
    pub first: usize,
    /// The opponent.
    pub second: usize,
    /// The engine that has White in the first game.
    pub white: usize,
    /// The number of games, at least 1.
    pub games: usize,
    /// Whether colors are swapped from game to game.
    pub swaps: bool,
    /// The number of the opening, counted from 0.
    pub opening: usize,
}

impl Pairing {
    /// The `Round` tag of a game of the pairing, counted from 0.
    pub fn round(&self, game: usize) -> String {
        format!("{}.{}", self.index + 1, game + 1)
    }
}

/// The results that a schedule depends on, which determine the later rounds of a knockout.
pub trait Results {
    /// Whether a pairing is over.
    fn is_over(&self, pairing: usize) -> bool;
    /// Compares the points of two engines against each other.
    fn compare(&self, first: usize, second: usize) -> Ordering;
}

/// The maximum number of pairings added to a tied encounter of a knockout. Engines that always play the same moves
/// would tie forever.
const TIE_BREAKS: usize = 10;

/// A place in a round of a knockout.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// No player: the opponent advances.
    Bye,
    /// The winner of an encounter that is not over.
    Open,
    /// A player, by its index in the list of seeds.
    Player(usize),
}

/// The state of a knockout.
struct Bracket {
    pairings: Vec<Pairing>,
    /// The number of pairings that were added to tied encounters.
    tie_breaks: usize,
    winner: Option<usize>,
}

impl Schedule {
    /// The two engines of each encounter of a round, if these do not depend on results.
    fn matchups(&self) -> Vec<(usize, usize)> {
        let all = 0..self.players;
        match self.format {
            Format::RoundRobin => {
                all.clone().flat_map(|a| all.clone().skip(a + 1).map(move |b| (a, b))).collect()
            }
            Format::Gauntlet => {
                let seeds = self.seeds.unwrap_or(1).min(self.players);
                (0..seeds).flat_map(|a| all.clone().skip(seeds).map(move |b| (a, b))).collect()
            }
            Format::Pyramid => all.flat_map(|b| (0..b).map(move |a| (a, b))).collect(),
            Format::Knockout => Vec::new(),
        }
    }

    /// Whether later pairings depend on the results of earlier ones.
    pub const fn is_staged(&self) -> bool {
        matches!(self.format, Format::Knockout)
    }

    /// The number of pairings of an encounter of a knockout without tie breaks.
    const fn of_knockout(&self) -> usize {
        self.rounds.saturating_mul(self.pairings)
    }

    /// The maximum number of pairings; `None` if it overflows.
    pub fn count(&self) -> Option<usize> {
        if self.is_staged() {
            return self.of_knockout().checked_add(TIE_BREAKS)?.checked_mul(self.players.saturating_sub(1));
        }
        self.matchups().len().checked_mul(self.rounds)?.checked_mul(self.pairings)
    }

    /// The maximum number of openings that are used.
    pub fn openings(&self) -> usize {
        let count = self.count().unwrap_or(usize::MAX);
        match self.policy {
            OpeningPolicy::Round if !self.is_staged() => self.rounds,
            _ => count,
        }
    }

    /// The number of games, as far as it is known.
    pub fn games(&self, results: &dyn Results) -> usize {
        let pairings = if self.is_staged() {
            self.of_knockout() * self.players.saturating_sub(1) + self.bracket(results).tie_breaks
        } else {
            self.count().unwrap_or(usize::MAX)
        };
        pairings.saturating_mul(self.repeat)
    }

    /// All pairings that are known, in the order in which they start.
    pub fn pairings(&self, results: &dyn Results) -> Vec<Pairing> {
        if self.is_staged() {
            return self.bracket(results).pairings;
        }
        let matchups = self.matchups();
        let encounters = (0..self.rounds).flat_map(|round| {
            matchups.iter().enumerate().map(move |(number, &players)| (round, number, players))
        });
        let count = matchups.len();
        encounters
            .flat_map(|(round, number, players)| {
                let encounter = round * count + number;
                (0..self.pairings).map(move |at| {
                    let index = encounter * self.pairings + at;
                    let opening = match self.policy {
                        OpeningPolicy::Default => index,
                        OpeningPolicy::Encounter => encounter,
                        OpeningPolicy::Round => round,
                    };
                    self.pairing(index, players, round * self.pairings + at, opening)
                })
            })
            .collect()
    }

    /// A pairing of two engines after `before` earlier pairings of their encounter.
    fn pairing(&self, index: usize, players: (usize, usize), before: usize, opening: usize) -> Pairing {
        let (first, second) = players;
        // If a pairing has an odd number of games, colors are swapped from one pairing to the next.
        let is_swapped = self.swaps && before % 2 == 1 && self.repeat % 2 == 1;
        let white = if is_swapped == self.is_reversed { first } else { second };
        Pairing { index, first, second, white, games: self.repeat, swaps: self.swaps, opening }
    }

    /// The winner of a knockout, if it is known.
    pub fn winner(&self, results: &dyn Results) -> Option<usize> {
        if self.is_staged() { self.bracket(results).winner } else { None }
    }

    /// The engines in the order of their seeds.
    fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.players).collect();
        let seeds = self.seeds.unwrap_or(self.players).min(self.players);
        Rng::new(self.lots).shuffle(&mut ranking[seeds..]);
        ranking
    }

    fn bracket(&self, results: &dyn Results) -> Bracket {
        let ranking = self.ranking();
        // The first seed meets the last one; the first two seeds can only meet in the final.
        let mut seats = vec![0];
        while seats.len() < self.players {
            let last = 2 * seats.len() - 1;
            seats = seats.iter().flat_map(|&seat| [seat, last - seat]).collect();
        }
        let slot = |seat| if seat < self.players { Slot::Player(seat) } else { Slot::Bye };
        let mut slots: Vec<Slot> = seats.into_iter().map(slot).collect();
        let mut bracket = Bracket { pairings: Vec::new(), tie_breaks: 0, winner: None };
        let (mut encounter, mut round) = (0, 0);
        while slots.len() > 1 {
            let mut next = Vec::with_capacity(slots.len() / 2);
            for pair in slots.chunks(2) {
                next.push(match *pair {
                    [player, Slot::Bye] | [Slot::Bye, player] => player,
                    [Slot::Player(one), Slot::Player(other)] => {
                        let seats = (one.min(other), one.max(other));
                        let players = (ranking[seats.0], ranking[seats.1]);
                        let goes_on = self.encounter(encounter, round, players, results, &mut bracket);
                        encounter += 1;
                        match goes_on {
                            None => Slot::Open,
                            Some(player) if player == players.0 => Slot::Player(seats.0),
                            Some(_) => Slot::Player(seats.1),
                        }
                    }
                    _ => {
                        encounter += 1;
                        Slot::Open
                    }
                });
            }
            slots = next;
            round += 1;
        }
        if let [Slot::Player(seat)] = slots[..] {
            bracket.winner = Some(ranking[seat]);
        }
        bracket
    }

    /// Adds the pairings of an encounter of a knockout, and returns the player that advances. If it is still tied after
    /// all tie breaks, that is the first player, which has the better seed.
    fn encounter(
        &self,
        number: usize,
        round: usize,
        players: (usize, usize),
        results: &dyn Results,
        bracket: &mut Bracket,
    ) -> Option<usize> {
        let planned = self.of_knockout();
        let base = number * (planned + TIE_BREAKS);
        let pairing = |at: usize| {
            // A tie break uses another opening.
            let opening = match self.policy {
                OpeningPolicy::Encounter if at < planned => base,
                OpeningPolicy::Round if at < planned => round,
                _ => base + at,
            };
            self.pairing(base + at, players, at, opening)
        };
        bracket.pairings.extend((0..planned).map(pairing));
        if !(0..planned).all(|at| results.is_over(base + at)) {
            return None;
        }
        for at in planned..planned + TIE_BREAKS {
            let is_over = results.is_over(base + at);
            if !is_over && results.compare(players.0, players.1).is_ne() {
                break;
            }
            bracket.pairings.push(pairing(at));
            bracket.tie_breaks += 1;
            if !is_over {
                return None;
            }
        }
        Some(if results.compare(players.0, players.1).is_lt() { players.1 } else { players.0 })
    }
}

impl Pairing {
    /// The engines with White and with Black in a game of the pairing, counted from 0.
    pub const fn colors(&self, game: usize) -> (usize, usize) {
        let other = if self.white == self.first { self.second } else { self.first };
        if self.swaps && !game.is_multiple_of(2) { (other, self.white) } else { (self.white, other) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const MATCH: Schedule = Schedule {
        players: 2,
        format: Format::RoundRobin,
        seeds: None,
        rounds: 1,
        pairings: 1,
        repeat: 2,
        swaps: true,
        is_reversed: false,
        policy: OpeningPolicy::Default,
        lots: 1,
    };

    /// Results in which the player with the larger strength wins, and players of equal strength always tie.
    struct Strengths<'a> {
        strengths: &'a [u32],
        over: BTreeSet<usize>,
    }

    impl Results for Strengths<'_> {
        fn is_over(&self, pairing: usize) -> bool {
            self.over.contains(&pairing)
        }

        fn compare(&self, first: usize, second: usize) -> Ordering {
            self.strengths[first].cmp(&self.strengths[second])
        }
    }

    const NOTHING: Strengths<'_> = Strengths { strengths: &[], over: BTreeSet::new() };

    fn colors_of(schedule: Schedule) -> Vec<(usize, usize)> {
        let pairings = schedule.pairings(&NOTHING);
        assert!(pairings.iter().enumerate().all(|(index, pairing)| pairing.index == index));
        assert_eq!(Some(pairings.len()), schedule.count());
        pairings.iter().flat_map(|e| (0..e.games).map(|game| e.colors(game))).collect()
    }

    #[test]
    fn each_engine_has_both_colors() {
        let cases = [
            ("a match", Schedule { rounds: 2, ..MATCH }, vec![(0, 1), (1, 0), (0, 1), (1, 0)]),
            ("single games", Schedule { rounds: 3, repeat: 1, ..MATCH }, vec![(0, 1), (1, 0), (0, 1)]),
            ("three in a round", Schedule { pairings: 3, repeat: 1, ..MATCH }, vec![(0, 1), (1, 0), (0, 1)]),
            (
                "three on an opening",
                Schedule { rounds: 2, repeat: 3, ..MATCH },
                vec![(0, 1), (1, 0), (0, 1), (1, 0), (0, 1), (1, 0)],
            ),
            ("colors stay", Schedule { swaps: false, ..MATCH }, vec![(0, 1), (0, 1)]),
            ("the other way", Schedule { is_reversed: true, ..MATCH }, vec![(1, 0), (0, 1)]),
            (
                "round robin",
                Schedule { players: 3, ..MATCH },
                vec![(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)],
            ),
            (
                "gauntlet",
                Schedule { players: 3, format: Format::Gauntlet, rounds: 2, repeat: 1, ..MATCH },
                vec![(0, 1), (0, 2), (1, 0), (2, 0)],
            ),
            (
                "a gauntlet of two",
                Schedule { players: 4, format: Format::Gauntlet, seeds: Some(2), repeat: 1, ..MATCH },
                vec![(0, 2), (0, 3), (1, 2), (1, 3)],
            ),
            (
                "pyramid",
                Schedule { players: 3, format: Format::Pyramid, repeat: 1, ..MATCH },
                vec![(0, 1), (0, 2), (1, 2)],
            ),
            ("one engine", Schedule { players: 1, rounds: 5, ..MATCH }, vec![]),
        ];
        for (name, schedule, expected) in cases {
            assert_eq!(colors_of(schedule), expected, "{name}");
        }
    }

    #[test]
    fn an_opening_is_kept_as_long_as_the_policy_states() {
        let cases = [
            (OpeningPolicy::Default, vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 12),
            (OpeningPolicy::Encounter, vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5], 12),
            (OpeningPolicy::Round, vec![0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], 2),
        ];
        for (policy, expected, count) in cases {
            let schedule = Schedule { players: 3, rounds: 2, pairings: 2, policy, ..MATCH };
            let openings: Vec<_> =
                schedule.pairings(&NOTHING).iter().map(|pairing| pairing.opening).collect();
            assert_eq!((openings, schedule.openings()), (expected, count), "{policy:?}");
        }
    }

    /// Plays a knockout to its end, and returns the encounters in their order, and the winner.
    fn knockout(schedule: Schedule, strengths: &[u32]) -> (Vec<(usize, usize)>, usize) {
        let mut results = Strengths { strengths, over: BTreeSet::new() };
        let mut played = Vec::new();
        loop {
            let pairings = schedule.pairings(&results);
            let Some(next) = pairings.iter().find(|pairing| !results.is_over(pairing.index)) else { break };
            assert!(next.index < schedule.count().expect("few") && next.opening < schedule.openings());
            results.over.insert(next.index);
            played.push((next.first, next.second));
        }
        assert_eq!(played.len() * schedule.repeat, schedule.games(&results));
        played.dedup();
        (played, schedule.winner(&results).expect("it is over"))
    }

    #[test]
    fn who_loses_is_out() {
        let cases = [
            (2, &[1, 2][..], vec![(0, 1)], 1),
            (3, &[3, 1, 2], vec![(1, 2), (0, 2)], 0),
            (4, &[1, 2, 3, 4], vec![(0, 3), (1, 2), (2, 3)], 3),
            (5, &[5, 4, 3, 1, 2], vec![(3, 4), (0, 4), (1, 2), (0, 1)], 0),
            (4, &[1, 1, 1, 1], vec![(0, 3), (1, 2), (0, 1)], 0),
        ];
        for (players, strengths, expected, winner) in cases {
            let schedule = Schedule { players, format: Format::Knockout, rounds: 3, ..MATCH };
            let (mut played, found) = knockout(schedule, strengths);
            played.sort_unstable();
            let mut expected = expected;
            expected.sort_unstable();
            assert_eq!((played, found), (expected, winner), "{strengths:?}");
        }
        let drawn = Schedule { players: 8, format: Format::Knockout, seeds: Some(2), ..MATCH };
        assert_eq!(drawn.ranking()[..2], [0, 1]);
        assert_ne!(drawn.ranking(), Schedule { lots: 2, ..drawn }.ranking());
    }
}
