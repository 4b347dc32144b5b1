//! Whether a side can still mate: dead positions, and flag falls.
//!
//! The definition is that of the Laws of Chess (5.2.2, 6.9): whether a side can mate by any series of legal moves, with
//! the cooperation of the other side. Repetitions and move counts do not end such a series.
//!
//! There are four steps. `material` knows the material that can never mate. `greedy` goes straight for a helpmate and
//! finds most of them, together with `series`, in which a single piece mates. `reach` computes the squares that pieces
//! can ever reach, which may rule out a mate. `helpmate` is a complete search: it proves that there is a mate by
//! finding one, and that there is none by running out of positions.

mod geometry;
mod greedy;
mod helpmate;
mod material;
mod reach;
mod series;
mod weights;

use super::{Color, Move, Position};
use helpmate::{Budget, Found};

/// Whether a side can still mate, in the words of M. Ambrona's
/// [unwinnability analyzer](https://github.com/miguel-ambrona/D3-Chess).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Winnability {
    /// The side can mate: these moves end in mate. There are none if the position already is a mate.
    Winnable(Vec<Move>),
    /// The side cannot mate, whatever both sides play.
    Unwinnable,
    /// Neither was proved within the limits of the search.
    Undetermined,
}

/// The limits of a search, which takes some tens of milliseconds at most. Nearly all searches that end without the
/// limits need fewer moves.
const BUDGET: Budget = Budget { positions: 50_000, moves: 800_000 };
/// The maximum number of positions of a search to which [`reach`] is applied, each of which takes as long as many
/// moves.
const MAX_LOOKS: u32 = 200;

/// The number of plies at the start of a search after each of which [`reach`] is applied; later only after captures and
/// pawn moves.
const FIRST_PLIES: u16 = 2;

impl Position {
    /// Whether this side can mate by a series of legal moves of both sides, with proof. Takes microseconds to some
    /// milliseconds.
    pub fn can_checkmate(&self, winner: Color) -> Winnability {
        if material::is_too_little(self, winner) {
            return Winnability::Unwinnable;
        }
        let is_too_little = |position: &Position| material::is_too_little(position, winner);
        let mut all_weights = weights::in_order(self, winner).into_iter();
        if let Some(line) =
            all_weights.find_map(|weights| greedy::search(self, winner, weights, is_too_little))
        {
            return Winnability::Winnable(line);
        }
        if !self.has_legal_moves() {
            let is_mate = self.is_check() && self.turn() != winner;
            return if is_mate { Winnability::Winnable(Vec::new()) } else { Winnability::Unwinnable };
        }
        if reach::rules_out_mate(self, winner) {
            return Winnability::Unwinnable;
        }
        let mut looks = 0;
        let found = helpmate::search(self, winner, BUDGET, |before, after, plies| {
            if before.occupied().count() != after.occupied().count() && material::is_too_little(after, winner)
            {
                return true;
            }
            let is_worth_it = after.halfmove_clock() == 0 || plies < FIRST_PLIES;
            if is_worth_it && looks < MAX_LOOKS && reach::is_closed(after) {
                looks += 1;
                return reach::rules_out_mate(after, winner);
            }
            false
        });
        match found {
            Found::Mate(line) => Winnability::Winnable(line),
            Found::Nothing => Winnability::Unwinnable,
            Found::OutOfBudget => Winnability::Undetermined,
        }
    }

    /// Whether this side may be able to mate, judged by a quick test. `false` is a proof: the material is insufficient,
    /// or the position is closed forever. `true` is not a proof, since forced moves may still prevent a mate. Takes
    /// well below a microsecond unless the position is closed.
    pub fn may_checkmate(&self, winner: Color) -> bool {
        !(material::is_too_little(self, winner)
            || reach::is_closed(self) && reach::rules_out_mate(self, winner))
    }

    /// Whether neither side can mate by any series of legal moves, so that the game is drawn at once (Laws of Chess,
    /// 5.2.2). `false` if this is not proved.
    pub fn is_dead(&self) -> bool {
        // If only one side can mate, it is most likely the one with more pieces.
        let first = if self.color(Color::White).count() < self.color(Color::Black).count() {
            Color::Black
        } else {
            Color::White
        };
        [first, !first].into_iter().all(|winner| self.can_checkmate(winner) == Winnability::Unwinnable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples::position;

    /// A name, a position, and whether White and Black can mate.
    const CASES: [(&str, &str, [bool; 2]); 19] = [
        ("the start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", [true, true]),
        ("bare kings", "4k3/8/8/8/8/8/8/4K3 w -", [false, false]),
        ("a queen", "4k3/8/8/8/8/8/8/3QK3 w -", [true, false]),
        ("a pawn each", "4k3/p7/8/8/8/8/P7/4K3 w -", [true, true]),
        ("a knight against a pawn", "4k3/p7/8/8/8/8/8/3NK3 w -", [true, true]),
        ("a wall on four files", "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w -", [false, false]),
        ("a wall in steps", "4k3/8/8/1p1p2p1/pP1P2P1/P7/8/4K3 b -", [false, false]),
        ("a wall with a door", "4k3/8/8/1p1p4/pP1P4/P7/8/4K3 b -", [true, true]),
        ("a bishop behind the wall", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/3BK3 w -", [false, false]),
        ("a bishop that opens the wall", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/2B1K3 w -", [true, true]),
        ("bishops on both sides of it", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4KB2 w -", [true, true]),
        ("a king inside the enemy camp", "8/8/4K3/p1p1p1p1/P1P1P1P1/8/8/4k3 w -", [true, true]),
        ("the last pawn must be taken", "7k/5K1P/8/8/8/8/8/8 b -", [false, false]),
        ("the queen must be taken", "k7/1Q6/8/8/8/8/8/6K1 b -", [false, false]),
        ("stalemate", "k7/2Q5/8/8/8/8/8/6K1 b -", [false, false]),
        ("mate", "k7/1Q6/1K6/8/8/8/8/8 b -", [true, false]),
        ("a mate by the other side", "8/8/8/8/8/1k6/8/K6r w -", [false, true]),
        ("the last pawn must be taken in the corner", "8/8/8/8/8/8/5k1p/7K w -", [false, false]),
        ("pawns that have not met yet", "2k5/p1p1p1p1/8/8/8/P1P1P1P1/8/4K3 w -", [true, true]),
    ];

    #[test]
    fn it_is_known_who_can_mate() {
        for (name, fen, expected) in CASES {
            let position = position(fen);
            let found = Color::ALL.map(|winner| match position.can_checkmate(winner) {
                Winnability::Winnable(line) => {
                    let end = line
                        .iter()
                        .try_fold(position, |position, &mv| position.play(mv))
                        .expect("legal moves");
                    assert!(end.is_checkmate() && end.turn() != winner, "{name}");
                    Some(true)
                }
                Winnability::Unwinnable => Some(false),
                Winnability::Undetermined => None,
            });
            assert_eq!(found, expected.map(Some), "{name}");
            assert_eq!(position.is_dead(), expected == [false; 2], "{name}");
            for winner in Color::ALL {
                assert!(position.may_checkmate(winner) || !expected[winner], "{name}: {}", winner.name());
            }
        }
    }

    #[test]
    fn walls_are_seen_at_a_glance() {
        for (name, fen, _) in
            CASES.iter().filter(|(name, ..)| name.contains("wall on") || name.contains("behind"))
        {
            for winner in Color::ALL {
                assert!(!position(fen).may_checkmate(winner), "{name}: {}", winner.name());
            }
        }
    }
}
