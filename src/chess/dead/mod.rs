//! Who can still mate: dead positions and falls of flags.
//!
//! The question is that of the Laws of Chess (5.2.2, 6.9): whether a side can mate by any series of legal moves, the
//! other side's help included. Repetitions and counts of moves do not end such a series.
//!
//! Four steps answer it. Material that can never mate is known (`material`). Most helpmates are found by going straight
//! for them (`greedy`), or by one man alone on the way (`series`). Else the squares that men can ever reach are looked at (`reach`), which may rule out a mate. Last a
//! search looks for a helpmate (`helpmate`), which proves that there is one by finding it and that there is none by
//! running out of positions.

mod geometry;
mod greedy;
mod helpmate;
mod material;
mod reach;
mod series;
mod weights;

use super::{Color, Move, Position};
use helpmate::{Budget, Found};

/// Whether a side can still mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It can: these moves end in mate. There are none if the position is the mate.
    Yes(Vec<Move>),
    /// It cannot, whatever both sides play.
    No,
    /// Neither was shown within the limits of the search.
    Undecided,
}

/// The work of a search: some tens of milliseconds. The moves are enough for nearly every search that ends by itself.
const BUDGET: Budget = Budget { positions: 50_000, moves: 800_000 };
/// The most positions of a search that are looked at for what their men can reach, which takes as long as many moves.
const MAX_LOOKS: u32 = 200;

/// Moves at the beginning of a search after each of which what the men can reach is looked at; later only after captures
/// and pawn moves.
const FIRST_PLIES: u16 = 2;

impl Position {
    /// Whether this side can mate by some series of legal moves of both sides, with a proof of it. Takes microseconds
    /// to some milliseconds.
    pub fn can_checkmate(&self, winner: Color) -> Verdict {
        if material::is_too_little(self, winner) {
            return Verdict::No;
        }
        let is_too_little = |position: &Position| material::is_too_little(position, winner);
        let mut all_weights = weights::in_order(self, winner).into_iter();
        if let Some(line) =
            all_weights.find_map(|weights| greedy::search(self, winner, weights, is_too_little))
        {
            return Verdict::Yes(line);
        }
        if !self.has_legal_moves() {
            let is_mate = self.is_check() && self.turn() != winner;
            return if is_mate { Verdict::Yes(Vec::new()) } else { Verdict::No };
        }
        if reach::rules_out_mate(self, winner) {
            return Verdict::No;
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
            Found::Mate(line) => Verdict::Yes(line),
            Found::Nothing => Verdict::No,
            Found::OutOfBudget => Verdict::Undecided,
        }
    }

    /// Whether nothing seen at a glance keeps this side from mating. `false` is a proof: there is not the material, or
    /// the position is closed for ever. `true` is none, since a side may be kept from it by forced moves.
    /// Takes well below a microsecond unless the position is closed.
    pub fn can_checkmate_quickly(&self, winner: Color) -> bool {
        !(material::is_too_little(self, winner)
            || reach::is_closed(self) && reach::rules_out_mate(self, winner))
    }

    /// Whether neither side can mate by any series of legal moves: the game is drawn at once (Laws of Chess, 5.2.2).
    /// `false` where it is not known.
    pub fn is_dead(&self) -> bool {
        // The side with more men is the one that can, if either can.
        let first = if self.color(Color::White).count() < self.color(Color::Black).count() {
            Color::Black
        } else {
            Color::White
        };
        [first, !first].into_iter().all(|winner| self.can_checkmate(winner) == Verdict::No)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples::position;

    /// Which sides can mate in these positions.
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
                Verdict::Yes(line) => {
                    let end = line
                        .iter()
                        .try_fold(position, |position, &mv| position.play(mv))
                        .expect("legal moves");
                    assert!(end.is_checkmate() && end.turn() != winner, "{name}");
                    Some(true)
                }
                Verdict::No => Some(false),
                Verdict::Undecided => None,
            });
            assert_eq!(found, expected.map(Some), "{name}");
            assert_eq!(position.is_dead(), expected == [false; 2], "{name}");
            for winner in Color::ALL {
                assert!(
                    position.can_checkmate_quickly(winner) || !expected[winner],
                    "{name}: {}",
                    winner.name()
                );
            }
        }
    }

    #[test]
    fn walls_are_seen_at_a_glance() {
        for (name, fen, _) in
            CASES.iter().filter(|(name, ..)| name.contains("wall on") || name.contains("behind"))
        {
            for winner in Color::ALL {
                assert!(!position(fen).can_checkmate_quickly(winner), "{name}: {}", winner.name());
            }
        }
    }
}
