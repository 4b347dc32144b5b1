//! Pairing and scoring of an arena: a tournament with a fixed duration, in which free players are paired again, and
//! games after several wins in a row count double.
//!
//! This module does not read a clock: times are passed in, in milliseconds since 1970.

use super::pairing::{Entry, Order, Paired, Relaxation, Repeats, first_pairing};
use super::standings::{Played, Row};
use crate::chess::Color;
use crate::zone::Game;
use std::cmp::Reverse;

/// The time after a game during which a player is not paired, to see its result.
const REST_MS: u64 = 3_000;
/// The maximum time that free players wait for others, so that players with similar points can meet.
const GATHER_MS: u64 = 10_000;
/// The time after which two players who have just met may meet again.
const REPEAT_MS: u64 = 60_000;
/// The number of latest opponents that a player does not meet again if another pairing is possible.
const RECENT: usize = 2;
/// The maximum number of players who are tried as the one left without a game.
const MAX_LEFT_OUT: usize = 8;
/// The number of wins in a row after which games count double.
const STREAK: u32 = 2;
/// The minimum number of moves of a player with berserk for a win to be one point more.
const BERSERK_MOVES: usize = 7;

/// A player who waits for an opponent.
#[derive(Clone, Debug)]
pub(super) struct Free {
    /// The player, with all previous opponents.
    pub(super) entry: Entry,
    /// The time at which the waiting started.
    pub(super) since_ms: u64,
}

/// Pairs free players, while `games` other games are being played.
///
/// Pairing waits until half of all players are free, but at most some seconds. Then neighbors in the table meet. Two
/// players who have just met are paired again only if no other player can become free, or after a minute. If the number
/// is odd, the player who has waited the shortest time is left out.
pub(super) fn pair(free: &[Free], games: usize, now_ms: u64) -> Vec<Paired> {
    let waited_ms = |free: &Free| now_ms.saturating_sub(free.since_ms);
    let mut rested: Vec<Free> = free.iter().filter(|free| waited_ms(free) >= REST_MS).cloned().collect();
    let longest_ms = rested.iter().map(waited_ms).max().unwrap_or_default();
    if rested.len() < 2 || (2 * rested.len() < free.len() + 2 * games && longest_ms < GATHER_MS) {
        return Vec::new();
    }
    rested.sort_by_key(|free| (Reverse(free.entry.half_points), free.entry.player));
    let mut left_out = vec![None];
    if !rested.len().is_multiple_of(2) {
        let mut waiting: Vec<usize> = (0..rested.len()).rev().collect();
        waiting.sort_by_key(|&index| Reverse(rested[index].since_ms));
        left_out = waiting.into_iter().take(MAX_LEFT_OUT).map(Some).collect();
    }
    for free in &mut rested {
        let old = free.entry.opponents.len().saturating_sub(RECENT);
        free.entry.opponents.drain(..old);
    }
    let ranked: Vec<&Entry> = rested.iter().map(|free| &free.entry).collect();
    let nobody_comes = games == 0 && rested.len() == free.len();
    let may_repeat = nobody_comes || longest_ms >= REPEAT_MS;
    let relaxations = [
        Some(Relaxation { colors: false, repeats: Repeats::None }),
        Some(Relaxation { colors: true, repeats: Repeats::None }),
        Some(Relaxation { colors: true, repeats: Repeats::NotAtOnce }),
        may_repeat.then_some(Relaxation { colors: true, repeats: Repeats::All }),
    ];
    let relaxations: Vec<Relaxation> = relaxations.into_iter().flatten().collect();
    first_pairing(&ranked, &left_out, &relaxations, Order::Neighbors)
        .map_or_else(Vec::new, |(paired, _)| paired)
}

/// The value of a game for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Worth {
    /// The points: 2 for a win and 1 for a draw, doubled if `is_double`, and one more for a win with berserk.
    pub(super) points: u32,
    /// Whether the game counts double.
    pub(super) is_double: bool,
}

/// The number of consecutive wins of a player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Streak(u32);

impl Streak {
    /// Whether the next game counts double.
    pub(super) const fn doubles(self) -> bool {
        self.0 >= STREAK
    }

    /// The value of the next game, given twice its normal points. Any result but a win ends the streak.
    pub(super) const fn count(&mut self, half_points: u32, is_berserk: bool) -> Worth {
        let is_double = self.doubles();
        let is_won = half_points == 2;
        self.0 = if is_won { self.0 + 1 } else { 0 };
        let points = if is_double { 2 * half_points } else { half_points };
        Worth { points: if is_won && is_berserk { points + 1 } else { points }, is_double }
    }
}

/// Whether a side has played berserk with effect: with half the time, and for a minimum number of moves, as on lichess
/// (<https://lichess.org/tournament/help?system=arena>).
pub(super) fn has_played_berserk(game: &Game, side: Color) -> bool {
    game.clocks().is_berserk(side) && game.moves_of(side) >= BERSERK_MOVES
}

/// The table of all players, best first. The games must be in the order in which they were played.
pub(super) fn standings(players: usize, played: &[Played]) -> Vec<Row> {
    let mut rows: Vec<Row> = (0..players).map(|player| Row { player, ..Row::default() }).collect();
    let mut streaks = vec![Streak::default(); players];
    for game in played {
        let Some(black) = game.black else { continue };
        let sides = [game.white, black].into_iter().zip(game.half_points).zip(game.berserk);
        for ((player, half_points), is_berserk) in sides {
            rows[player].half_points += 2 * streaks[player].count(half_points, is_berserk).points;
            rows[player].wins += u32::from(half_points == 2);
        }
    }
    let key = |row: &Row| (Reverse(row.half_points), Reverse(row.wins));
    rows.sort_by_key(|row| (key(row), row.player));
    for index in 0..rows.len() {
        let is_equal = index > 0 && key(&rows[index - 1]) == key(&rows[index]);
        rows[index].place = if is_equal { rows[index - 1].place } else { index + 1 };
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A free player with these points and opponents.
    fn free(player: usize, points: u32, opponents: &[usize], since_ms: u64) -> Free {
        let entry = Entry {
            player,
            half_points: 2 * points,
            opponents: opponents.to_vec(),
            colors: opponents.iter().map(|_| Color::White).collect(),
            ..Entry::default()
        };
        Free { entry, since_ms }
    }

    fn pairs(paired: &[Paired]) -> BTreeSet<(usize, usize)> {
        paired
            .iter()
            .map(|&Paired { white, black }| {
                let black = black.expect("nobody has a bye");
                (white.min(black), white.max(black))
            })
            .collect()
    }

    #[test]
    fn neighbors_in_the_table_meet() {
        let all = [free(0, 1, &[], 0), free(1, 8, &[], 0), free(2, 2, &[], 0), free(3, 6, &[], 0)];
        assert_eq!(pairs(&pair(&all, 0, REST_MS)), BTreeSet::from([(0, 2), (1, 3)]));
        assert!(pair(&all, 0, REST_MS - 1).is_empty(), "they see the end of their games");
        assert!(pair(&all[..1], 0, REST_MS).is_empty() && pair(&[], 0, REST_MS).is_empty());
    }

    #[test]
    fn few_wait_for_others_but_not_for_long() {
        let two = [free(0, 0, &[], 0), free(1, 0, &[], 0)];
        assert!(pair(&two, 3, REST_MS).is_empty(), "six others play");
        assert_eq!(pair(&two, 3, GATHER_MS).len(), 1);
        assert_eq!(pair(&two, 1, REST_MS).len(), 1, "half of all are free");
    }

    #[test]
    fn two_who_have_just_met_wait_for_somebody_else() {
        let two = [free(0, 2, &[5, 1], 0), free(1, 0, &[0], 0)];
        assert!(pair(&two, 1, GATHER_MS).is_empty());
        assert_eq!(pair(&two, 0, REST_MS).len(), 1, "nobody else is there");
        assert_eq!(pair(&two, 1, REPEAT_MS).len(), 1, "nobody else comes");
        let three = [free(0, 2, &[1], 0), free(1, 0, &[0], 0), free(2, 9, &[4], 2000)];
        let paired = pairs(&pair(&three, 1, GATHER_MS));
        assert_eq!(paired, BTreeSet::from([(0, 2)]), "the leader of the two");
        // A player may meet an earlier opponent again if there is no other way, but not the last one.
        let four =
            [free(0, 4, &[2, 1], 0), free(1, 3, &[3, 0], 0), free(2, 2, &[0, 3], 0), free(3, 1, &[1, 2], 0)];
        assert_eq!(pairs(&pair(&four, 0, REST_MS)), BTreeSet::from([(0, 3), (1, 2)]));
    }

    #[test]
    fn of_an_odd_number_the_last_to_come_waits() {
        let three = [free(0, 9, &[], 5_000), free(1, 4, &[], 0), free(2, 0, &[], 0)];
        assert_eq!(pairs(&pair(&three, 0, GATHER_MS)), BTreeSet::from([(1, 2)]));
    }

    #[test]
    fn wins_in_a_row_count_double() {
        let mut streak = Streak::default();
        let worth: Vec<(u32, bool)> = [2, 2, 2, 1, 2, 2, 0, 2]
            .into_iter()
            .map(|half_points| streak.count(half_points, false))
            .map(|worth| (worth.points, worth.is_double))
            .collect();
        // The draw ends the streak, but still counts double.
        let expected =
            [(2, false), (2, false), (4, true), (2, true), (2, false), (2, false), (0, true), (2, false)];
        assert_eq!(worth, expected);
        let game = |white, black, half_points| Played {
            white,
            black: Some(black),
            half_points,
            berserk: [false; 2],
        };
        let played = [game(0, 1, [2, 0]), game(1, 0, [0, 2]), game(0, 2, [2, 0]), game(1, 2, [1, 1])];
        let rows = standings(4, &played);
        let shown: Vec<_> =
            rows.iter().map(|row| (row.player, row.place, row.half_points / 2, row.wins)).collect();
        assert_eq!(shown, [(0, 1, 8, 3), (1, 2, 1, 0), (2, 2, 1, 0), (3, 4, 0, 0)]);
    }

    #[test]
    fn a_win_with_half_the_time_is_one_point_more() {
        let mut streak = Streak::default();
        let games = [(2, true), (1, true), (2, false), (2, true), (2, true), (0, true)];
        let points = games.map(|(half_points, is_berserk)| streak.count(half_points, is_berserk).points);
        assert_eq!(points, [3, 1, 2, 3, 5, 0]);
        let game = Played { white: 0, black: Some(1), half_points: [2, 0], berserk: [true, true] };
        let points: Vec<_> =
            standings(2, &[game]).iter().map(|row| (row.player, row.half_points / 2)).collect();
        assert_eq!(points, [(0, 3), (1, 0)]);
    }

    #[test]
    fn few_moves_are_not_played_berserk() {
        use crate::chess::Position;
        use crate::zone::{Act, Actor, Event, Moment, Rules};
        let rules =
            Rules { berserk: true, time_control: "60".parse().expect("a time control"), ..Rules::default() };
        let mut game = Game::new(Position::start(), rules);
        let mut does = |by, act| game.submit(Event { at: Moment::START, by, act }).refusal;
        for by in [Actor::White, Actor::Black] {
            assert_eq!(does(by, Act::Sit { name: "Ann".to_owned() }), None);
        }
        assert_eq!(does(Actor::White, Act::Berserk), None);
        let moves = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6";
        for (ply, mv) in moves.split(' ').enumerate() {
            let by = if ply % 2 == 0 { Actor::White } else { Actor::Black };
            assert_eq!(does(by, Act::Move { mv: mv.parse().expect("a move") }), None, "{mv}");
        }
        assert!(!has_played_berserk(&game, Color::White), "six moves");
        let mv = "g2g3".parse().expect("a move");
        assert_eq!(
            game.submit(Event { at: Moment::START, by: Actor::White, act: Act::Move { mv } }).refusal,
            None
        );
        assert!(has_played_berserk(&game, Color::White) && !has_played_berserk(&game, Color::Black));
    }

    /// An hour of games of different lengths: no pair meets twice in a row, colors are balanced, and waiting times are
    /// short.
    #[test]
    fn an_hour_is_played() {
        for players in [2, 3, 5, 8, 21, 64] {
            let mut all: Vec<Free> = (0..players).map(|player| free(player, 0, &[], 0)).collect();
            let mut is_free = vec![true; players];
            let mut running: Vec<(u64, usize, usize)> = Vec::new();
            let (mut games, mut longest_ms) = (0_usize, 0);
            for now_ms in (0..3_600_000).step_by(1000) {
                for (_, one, other) in running.extract_if(.., |&mut (end, ..)| end <= now_ms) {
                    for player in [one, other] {
                        is_free[player] = true;
                        all[player].since_ms = now_ms;
                    }
                    all[one].entry.half_points += 4;
                }
                let waiting: Vec<Free> =
                    all.iter().filter(|free| is_free[free.entry.player]).cloned().collect();
                for Paired { white, black } in pair(&waiting, running.len(), now_ms) {
                    let black = black.expect("nobody has a bye");
                    let waited_ms = now_ms - all[white].since_ms.min(all[black].since_ms);
                    longest_ms = longest_ms.max(waited_ms);
                    let is_again = all[white].entry.opponents.last() == Some(&black)
                        && all[black].entry.opponents.last() == Some(&white);
                    assert!(
                        !is_again || players < 4 || waited_ms >= REPEAT_MS,
                        "{players}: {white} and {black}"
                    );
                    for (own, other, color) in [(white, black, Color::White), (black, white, Color::Black)] {
                        assert!(is_free[own], "{own} plays already");
                        is_free[own] = false;
                        all[own].entry.opponents.push(other);
                        all[own].entry.colors.push(color);
                    }
                    games += 1;
                    running.push((now_ms + 60_000 + (games as u64 * 97 % 240) * 1000, white, black));
                }
            }
            assert!(games >= players * 3_600 / 2 / 400, "{players}: {games} games");
            // If there are few players or an odd number, the remaining player waits for the end of a game.
            let most_ms = if players >= 8 && players % 2 == 0 { REPEAT_MS + GATHER_MS } else { 310_000 };
            assert!(longest_ms <= most_ms, "{players}: {longest_ms} ms");
            for free in &all {
                let white = free.entry.colors.iter().filter(|&&color| color == Color::White).count();
                let difference = (2 * white).abs_diff(free.entry.colors.len());
                assert!(difference <= 4, "{players}: {difference}");
            }
        }
    }
}
