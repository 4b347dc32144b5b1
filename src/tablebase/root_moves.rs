//! Ranks of the root moves by the tables.

use super::{Dtz, Tablebase, Wdl};
use crate::chess::{Color, FIFTY_MOVES, Key, KeyHistory, Move, Position};

/// The number of plies since the last capture or pawn move during which all winning moves have the same rank. A search
/// finds better wins than tables, which contain captures but not mates; but a search alone might repeat moves.
const FREE_PLIES: u16 = 10;

/// The ranks of moves that mate at once, that win, and that would win without the 50-move rule. All distances fit
/// between two of them.
const MATE: i32 = 4_000_000;
const WIN: i32 = 3_000_000;
const CURSED_WIN: i32 = 1_000_000;
/// The penalty of a winning move that repeats a position.
const REPETITION: i32 = 500_000;

/// A move with its result and rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The result for the side that plays the move, with regard to the halfmove clock and repetitions.
    pub outcome: Wdl,
    /// A move of a higher rank is better; moves of the same rank are equally good.
    pub rank: i32,
}

/// The moves of a position, the best first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// The moves; those of equal rank in the order in which they were given.
    pub moves: Vec<RankedMove>,
    /// Whether distances are known. Without them a win may be lost by repetition.
    pub has_dtz: bool,
}

/// The consequence of a move.
#[derive(Clone, Copy)]
struct Consequence {
    outcome: Wdl,
    /// Plies to the next capture or pawn move; 0 if the move itself is one, or ends the game.
    plies: u32,
    is_mate: bool,
    /// Whether the position after the move has occurred before.
    is_repetition: bool,
}

impl Consequence {
    const fn end(outcome: Wdl) -> Self {
        Self { outcome, plies: 0, is_mate: matches!(outcome, Wdl::Win), is_repetition: false }
    }
}

impl Tablebase {
    /// Ranks legal moves of a position; `key_history` contains the game up to and including it. `None` unless the
    /// tables contain the results of all of these moves.
    ///
    /// A player who always plays a move of the highest rank keeps a win, within the 50-move rule if `fifty_move_rule`,
    /// and makes progress regardless of the opponent's moves.
    pub fn rank_root_moves(
        &self,
        position: &Position,
        key_history: &KeyHistory,
        moves: &[Move],
        fifty_move_rule: bool,
    ) -> Option<Ranking> {
        let has_castling =
            [Color::White, Color::Black].iter().any(|&side| !position.castling_rooks(side).is_empty());
        if has_castling || position.occupied().count() > self.max_pieces() {
            return None;
        }
        let is_free = position.halfmove_clock() < FREE_PLIES && !has_repeated(position, key_history);
        let clock = u32::from(position.halfmove_clock());
        let rank = |has_dtz: bool| {
            let mut key_history = key_history.clone();
            let mut ranked = Vec::with_capacity(moves.len());
            for &mv in moves {
                let child = position.after(mv).0;
                key_history.push(&child);
                let consequence = self.consequence(&child, &key_history, has_dtz, fifty_move_rule)?;
                key_history.pop();
                let rank = consequence.rank(clock, is_free || !has_dtz);
                ranked.push(RankedMove { mv, outcome: consequence.outcome, rank });
            }
            ranked.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
            Some(Ranking { moves: ranked, has_dtz })
        };
        rank(true).or_else(|| rank(false))
    }

    /// The result of a position with regard to its halfmove clock, but not to repetitions. `None` if no table contains
    /// it, or if the clock matters and no table contains the distance.
    pub fn probe_at_clock(&self, position: &Position) -> Option<Wdl> {
        let result = self.probe_wdl(position)?;
        // A draw, a cursed win or a blessed loss is a draw at any halfmove clock.
        if position.halfmove_clock() == 0 || matches!(result, Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin) {
            return Some(result);
        }
        let distance = self.probe_dtz(position)?;
        Some(distance.map_or(Wdl::Draw, |distance| at_clock(distance, position.halfmove_clock())))
    }

    /// The consequence of the move that has led to this position.
    fn consequence(
        &self,
        child: &Position,
        key_history: &KeyHistory,
        has_dtz: bool,
        fifty_move_rule: bool,
    ) -> Option<Consequence> {
        if !child.has_legal_moves() {
            return Some(Consequence::end(if child.is_check() { Wdl::Win } else { Wdl::Draw }));
        }
        let repetitions = key_history.repetitions(child);
        let is_over = child.has_insufficient_material() || fifty_move_rule && child.is_drawn_by_fifty_moves();
        if is_over || repetitions >= 2 {
            return Some(Consequence::end(Wdl::Draw));
        }
        let (outcome, plies) = if child.halfmove_clock() == 0 || !has_dtz {
            (self.probe_wdl(child)?.reversed(), 0)
        } else {
            match self.probe_dtz(child)? {
                None => (Wdl::Draw, 0),
                Some(distance) => (at_clock(distance, child.halfmove_clock()).reversed(), distance.plies),
            }
        };
        let outcome = if fifty_move_rule { outcome } else { outcome.without_fifty_moves() };
        Some(Consequence { outcome, plies, is_mate: false, is_repetition: repetitions > 0 })
    }
}

impl Consequence {
    /// The rank of a move played at this halfmove clock.
    fn rank(self, clock: u32, is_free: bool) -> i32 {
        let plies = self.plies as i32;
        match self.outcome {
            Wdl::Win if self.is_mate => MATE,
            Wdl::Win => {
                WIN - if is_free { 0 } else { plies } - if self.is_repetition { REPETITION } else { 0 }
            }
            Wdl::CursedWin => CURSED_WIN - plies,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => plies - CURSED_WIN,
            // A longer loss is better only near the 50-move rule, which an error of the opponent may bring within
            // reach.
            Wdl::Loss if 2 * self.plies + clock >= u32::from(FIFTY_MOVES) => plies - WIN,
            Wdl::Loss => -WIN,
        }
    }
}

/// The result of a position with this distance and halfmove clock for the side to move. The next capture, pawn move or
/// mate must come before the clock reaches the 50-move rule.
fn at_clock(distance: Dtz, clock: u16) -> Wdl {
    let is_in_time = |plies: u32| plies.saturating_add(u32::from(clock)) <= u32::from(FIFTY_MOVES);
    match (distance.is_win, is_in_time(distance.plies), is_in_time(distance.longest())) {
        (true, true, _) => Wdl::Win,
        (true, false, _) => Wdl::CursedWin,
        // If the distance is rounded, the true number may be one ply more.
        (false, _, true) => Wdl::Loss,
        (false, _, false) => Wdl::BlessedLoss,
    }
}

/// Whether any position has occurred twice since the last capture or pawn move.
fn has_repeated(position: &Position, key_history: &KeyHistory) -> bool {
    let reversible = usize::from(position.halfmove_clock()) + 1;
    let keys = key_history.keys();
    let mut keys: Vec<u64> =
        keys[keys.len().saturating_sub(reversible)..].iter().copied().map(Key::bits).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_decides_between_win_and_draw() {
        let won = |plies, is_rounded| Dtz { is_win: true, plies, is_rounded };
        let lost = |plies, is_rounded| Dtz { is_win: false, plies, is_rounded };
        let cases = [
            ("far from the rule", won(30, true), 10, Wdl::Win),
            ("in the last moment", won(60, false), 40, Wdl::Win),
            ("too late", won(61, false), 40, Wdl::CursedWin),
            ("a sure loss", lost(60, false), 40, Wdl::Loss),
            ("a loss that may be one ply too late", lost(60, true), 40, Wdl::BlessedLoss),
            ("saved", lost(61, false), 40, Wdl::BlessedLoss),
            ("cursed later", won(103, false), 0, Wdl::CursedWin),
        ];
        for (name, distance, clock, expected) in cases {
            assert_eq!(at_clock(distance, clock), expected, "{name}");
        }
    }

    #[test]
    fn ranks_are_in_order() {
        let of = |outcome, plies| Consequence { outcome, plies, is_mate: false, is_repetition: false };
        let mate = Consequence::end(Wdl::Win);
        let back = Consequence { is_repetition: true, ..of(Wdl::Win, 4) };
        let best_first = [
            mate,
            of(Wdl::Win, 0),
            of(Wdl::Win, 12),
            back,
            of(Wdl::CursedWin, 100),
            of(Wdl::CursedWin, 300),
            of(Wdl::Draw, 0),
            of(Wdl::BlessedLoss, 90),
            of(Wdl::BlessedLoss, 60),
            of(Wdl::Loss, 49),
            of(Wdl::Loss, 48),
            of(Wdl::Loss, 3),
        ];
        let ranks: Vec<_> = best_first.iter().map(|consequence| consequence.rank(4, false)).collect();
        assert!(ranks.is_sorted_by(|one, other| one > other), "{ranks:?}");
        assert_eq!(of(Wdl::Win, 0).rank(4, true), of(Wdl::Win, 12).rank(4, true), "free");
        assert!(back.rank(4, true) < of(Wdl::Win, 12).rank(4, true), "back");
        assert_eq!(of(Wdl::Loss, 3).rank(0, false), of(Wdl::Loss, 30).rank(0, false), "lost");
    }
}
