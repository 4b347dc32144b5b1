//! Pairings of the rounds of a tournament.
//!
//! Unlike the schedule of `hematite match`, every player has exactly one game per round, with balanced colors, and a
//! Swiss round depends on all earlier results.

use crate::chess::Color;
use std::cmp::Reverse;

/// The maximum number of steps of one attempt at a pairing, after which the next attempt follows.
const MAX_STEPS: u32 = 20_000;
/// The same for arenas, which are paired every second.
const MAX_STEPS_OF_NEIGHBORS: u32 = 500;
/// The maximum number of players who are tried for the bye.
const MAX_BYES: usize = 8;

/// Two paired players, or one with a bye.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Paired {
    /// The player of White, or the player with a bye.
    pub(super) white: usize,
    /// The player of Black; `None` for a bye.
    pub(super) black: Option<usize>,
}

/// The number of rounds in which each player meets every other one once.
pub(super) const fn rounds_of_all(players: usize) -> usize {
    match players {
        0 | 1 => 0,
        _ if players.is_multiple_of(2) => players - 1,
        _ => players,
    }
}

/// A round of a round robin, counted from 0, by Berger tables (FIDE Handbook C.05, annex 1). If the number of players
/// is odd, one is free in each round, and is left out here. After all have met, they meet again with colors swapped.
pub(super) fn round_robin(players: usize, round: usize) -> Vec<Paired> {
    let rounds = rounds_of_all(players);
    if rounds == 0 {
        return Vec::new();
    }
    // Players are numbered from 1 as in the tables. The last number is fixed, and is a dummy if the number of players
    // is odd.
    let last = rounds + 1;
    let is_swapped = (round / rounds) % 2 == 1;
    let sum = (round % rounds + 2) % rounds;
    let mut paired = Vec::with_capacity(last / 2);
    for one in 1..last {
        let other = (1..last).find(|other| (one + other) % rounds == sum).unwrap_or(one);
        let (white, black) = if one == other {
            if one <= last / 2 { (one, last) } else { (last, one) }
        } else if one > other {
            continue; // this pair is found from its other player
        } else if (one + other).is_multiple_of(2) {
            (other, one)
        } else {
            (one, other)
        };
        let (white, black) = if is_swapped { (black, white) } else { (white, black) };
        if white.max(black) <= players {
            paired.push(Paired { white: white - 1, black: Some(black - 1) });
        }
    }
    paired
}

/// A player of a tournament with previous results.
#[derive(Clone, Default, Debug)]
pub(super) struct Entry {
    /// The index of the player.
    pub(super) player: usize,
    /// Twice the points.
    pub(super) half_points: u32,
    /// The opponents of previous rounds.
    pub(super) opponents: Vec<usize>,
    /// The colors of the games that were played.
    pub(super) colors: Vec<Color>,
    /// Whether the player has had a bye.
    pub(super) has_bye: bool,
}

impl Entry {
    /// The number of games with White minus the number with Black.
    fn surplus_of_white(&self) -> i32 {
        self.colors.iter().map(|color| if *color == Color::White { 1 } else { -1 }).sum()
    }

    /// The color that the next game must have: the other color would be the third in a row, or make a difference of
    /// three.
    fn due_color(&self) -> Option<Color> {
        match (self.surplus_of_white(), &self.colors[..]) {
            (2.., _) | (_, [.., Color::White, Color::White]) => Some(Color::Black),
            (..=-2, _) | (_, [.., Color::Black, Color::Black]) => Some(Color::White),
            _ => None,
        }
    }
}

/// The pairs that may meet again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    /// None.
    None,
    /// Pairs that were not each other's last opponents.
    NotAtOnce,
    /// All.
    All,
}

/// The constraints that a pairing may violate if there is no other.
#[derive(Clone, Copy)]
pub(super) struct Relaxation {
    /// Whether two players with the same due color may meet.
    pub(super) colors: bool,
    /// The pairs that may meet again.
    pub(super) repeats: Repeats,
}

/// The preferred opponents among players with equal points.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The upper half meets the lower half.
    Halves,
    /// Neighbors meet.
    Neighbors,
}

/// Pairs a round of a Swiss tournament. Players with equal points meet if possible, the upper half against the lower
/// half, and pairs do not repeat unless there is no other way. If the number of players is odd, the lowest-ranked
/// player without a bye gets one.
pub(super) fn swiss(entries: &[Entry]) -> Vec<Paired> {
    let ranked = ranked(entries);
    let byes: Vec<Option<usize>> = if ranked.len().is_multiple_of(2) {
        vec![None]
    } else {
        let mut byes: Vec<usize> = (0..ranked.len()).rev().collect();
        byes.sort_by_key(|&index| ranked[index].has_bye);
        byes.into_iter().take(MAX_BYES).map(Some).collect()
    };
    let relaxations = [(false, Repeats::None), (true, Repeats::None), (true, Repeats::All)]
        .map(|(colors, repeats)| Relaxation { colors, repeats });
    let Some((mut paired, bye)) = first_pairing(&ranked, &byes, &relaxations, Order::Halves) else {
        return Vec::new(); // there are no players
    };
    paired.extend(bye.map(|bye| Paired { white: ranked[bye].player, black: None }));
    paired
}

/// The players, sorted by points.
pub(super) fn ranked(entries: &[Entry]) -> Vec<&Entry> {
    let mut ranked: Vec<&Entry> = entries.iter().collect();
    ranked.sort_by_key(|entry| (Reverse(entry.half_points), entry.player));
    ranked
}

/// The first possible pairing, with the player who is left out. Relaxations are tried in the given order, and each with
/// all candidates in `left_out`; `None` in it leaves out no player.
pub(super) fn first_pairing(
    ranked: &[&Entry],
    left_out: &[Option<usize>],
    relaxations: &[Relaxation],
    order: Order,
) -> Option<(Vec<Paired>, Option<usize>)> {
    for &relaxation in relaxations {
        for &left_out in left_out {
            let is_taken = (0..ranked.len()).map(|index| left_out == Some(index)).collect();
            let mut round = Round { ranked, is_taken, relaxation, order, steps: 0, pairs: Vec::new() };
            if round.pair() {
                let pairs = round.pairs.iter().enumerate();
                let paired =
                    pairs.map(|(board, &(one, other))| with_colors(ranked[one], ranked[other], board));
                return Some((paired.collect(), left_out));
            }
        }
    }
    None
}

/// A partially paired round.
struct Round<'a> {
    ranked: &'a [&'a Entry],
    is_taken: Vec<bool>,
    relaxation: Relaxation,
    order: Order,
    steps: u32,
    pairs: Vec<(usize, usize)>,
}

impl Round<'_> {
    /// Pairs the remaining players, highest first. Backtracks if a player is left without an opponent.
    fn pair(&mut self) -> bool {
        let free: Vec<usize> = (0..self.ranked.len()).filter(|&index| !self.is_taken[index]).collect();
        let Some((&first, rest)) = free.split_first() else { return true };
        let points = |index: usize| self.ranked[index].half_points;
        let equal = rest.iter().filter(|&&index| points(index) == points(first)).count();
        // The preferred opponent of the first player: the first of the lower half, or the next neighbor.
        let middle = match self.order {
            Order::Halves => equal.div_ceil(2).saturating_sub(1),
            Order::Neighbors => 0,
        };
        let mut order: Vec<usize> = (0..rest.len()).collect();
        order.sort_by_key(|&at| if at < equal { (0, at.abs_diff(middle)) } else { (1, at) });
        for other in order.into_iter().map(|at| rest[at]) {
            if !self.may_meet(first, other) {
                continue;
            }
            self.steps += 1;
            // With repeats allowed the search does not backtrack, so it stays below the limit.
            let most = match self.order {
                Order::Halves => MAX_STEPS,
                Order::Neighbors => MAX_STEPS_OF_NEIGHBORS,
            };
            if self.steps > most {
                return false;
            }
            self.is_taken[first] = true;
            self.is_taken[other] = true;
            self.pairs.push((first, other));
            if self.pair() {
                return true;
            }
            self.pairs.pop();
            self.is_taken[first] = false;
            self.is_taken[other] = false;
        }
        false
    }

    fn may_meet(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.ranked[one], self.ranked[other]);
        let have_met = one.opponents.contains(&other.player) || other.opponents.contains(&one.player);
        let have_just_met =
            one.opponents.last() == Some(&other.player) && other.opponents.last() == Some(&one.player);
        let may_repeat = match self.relaxation.repeats {
            Repeats::None => !have_met,
            Repeats::NotAtOnce => !have_just_met,
            Repeats::All => true,
        };
        let due = one.due_color();
        may_repeat && (self.relaxation.colors || due.is_none() || due != other.due_color())
    }
}

/// Assigns colors. `one` is ranked higher.
fn with_colors(one: &Entry, other: &Entry, board: usize) -> Paired {
    let last_difference =
        one.colors.iter().rev().zip(other.colors.iter().rev()).find(|(one, other)| one != other);
    let color = match (one.due_color(), other.due_color()) {
        (Some(color), None) => color,
        (None, Some(color)) => !color,
        (Some(color), Some(others)) if color != others => color,
        _ => match one.surplus_of_white().cmp(&other.surplus_of_white()) {
            std::cmp::Ordering::Less => Color::White,
            std::cmp::Ordering::Greater => Color::Black,
            std::cmp::Ordering::Equal => match (last_difference, one.colors.last()) {
                (Some((&color, _)), _) | (None, Some(&color)) => !color,
                (None, None) if board.is_multiple_of(2) => Color::White,
                (None, None) => Color::Black,
            },
        },
    };
    match color {
        Color::White => Paired { white: one.player, black: Some(other.player) },
        Color::Black => Paired { white: other.player, black: Some(one.player) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn pairs(paired: &[Paired]) -> Vec<(usize, usize)> {
        paired.iter().map(|paired| (paired.white + 1, paired.black.map_or(0, |black| black + 1))).collect()
    }

    #[test]
    fn berger_tables_are_those_of_the_handbook() {
        assert_eq!(pairs(&round_robin(4, 0)), [(1, 4), (2, 3)]);
        assert_eq!(pairs(&round_robin(4, 1)), [(1, 2), (4, 3)]);
        assert_eq!(pairs(&round_robin(4, 2)), [(3, 1), (2, 4)]);
        assert_eq!(pairs(&round_robin(4, 3)), [(4, 1), (3, 2)], "the second time with colors swapped");
        assert_eq!(pairs(&round_robin(3, 0)), [(2, 3)], "the first is free");
        assert_eq!(pairs(&round_robin(2, 0)), [(1, 2)]);
        assert!(round_robin(1, 0).is_empty() && round_robin(0, 0).is_empty());
    }

    #[test]
    fn all_meet_once_with_even_colors() {
        for players in 2..=33 {
            let mut met = BTreeSet::new();
            let mut surplus = vec![0_i32; players];
            for round in 0..rounds_of_all(players) {
                let paired = round_robin(players, round);
                assert_eq!(paired.len(), players / 2);
                for Paired { white, black } in paired {
                    let black = black.expect("nobody has a bye");
                    assert!(met.insert((white.min(black), white.max(black))), "{players}: {white} {black}");
                    surplus[white] += 1;
                    surplus[black] -= 1;
                }
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            assert!(surplus.iter().all(|surplus| surplus.abs() <= 1), "{players}: {surplus:?}");
        }
    }

    /// Plays a tournament in which the player with the lower number wins, or in which all games are drawn.
    fn play(players: usize, rounds: usize, has_draws: bool) -> Vec<Entry> {
        let mut entries: Vec<Entry> =
            (0..players).map(|player| Entry { player, ..Entry::default() }).collect();
        for round in 0..rounds {
            let paired = swiss(&entries);
            let all: BTreeSet<usize> =
                paired.iter().flat_map(|paired| [Some(paired.white), paired.black]).flatten().collect();
            assert_eq!((all.len(), paired.len()), (players, players.div_ceil(2)), "round {round}");
            for Paired { white, black } in paired {
                let Some(black) = black else {
                    assert!(!entries[white].has_bye, "a second bye");
                    entries[white].has_bye = true;
                    entries[white].half_points += 2;
                    continue;
                };
                for (own, other, color) in [(white, black, Color::White), (black, white, Color::Black)] {
                    assert!(!entries[own].opponents.contains(&other), "{players}: {own} meets {other} again");
                    entries[own].opponents.push(other);
                    entries[own].colors.push(color);
                    entries[own].half_points += if has_draws { 1 } else { 2 * u32::from(own < other) };
                }
            }
        }
        entries
    }

    #[test]
    fn swiss_rounds_repeat_nothing_and_balance_colors() {
        for (players, rounds) in [(2, 1), (5, 4), (8, 5), (9, 5), (16, 7), (31, 9), (64, 11)] {
            for has_draws in [false, true] {
                for entry in play(players, rounds, has_draws) {
                    let surplus = entry.surplus_of_white().abs();
                    assert!(surplus <= 2, "{players}: {entry:?}");
                }
            }
        }
        let winner = &play(16, 5, false)[0];
        assert_eq!(winner.half_points, 10, "the best has beaten all others");
    }

    #[test]
    fn the_first_round_pairs_the_upper_half_with_the_lower_half() {
        let entries: Vec<Entry> = (0..7).map(|player| Entry { player, ..Entry::default() }).collect();
        assert_eq!(pairs(&swiss(&entries)), [(1, 4), (5, 2), (3, 6), (7, 0)]);
        assert!(swiss(&[]).is_empty());
    }

    #[test]
    fn two_meet_again_only_if_nobody_else_is_there() {
        let met = |player, other| Entry {
            player,
            opponents: vec![other],
            colors: vec![Color::White],
            ..Entry::default()
        };
        assert_eq!(swiss(&[met(0, 1), met(1, 0)]).len(), 1);
        let four = [met(0, 1), met(1, 0), met(2, 3), met(3, 2)];
        for Paired { white, black } in swiss(&four) {
            assert_ne!(white / 2, black.expect("an opponent") / 2);
        }
    }
}
