//! Who can still mate: dead positions and falls of flags.
//!
//! The question is that of the Laws of Chess (5.2.2, 6.9): whether a side can mate by any series of legal moves, the
//! other side's help included. Repetitions and counts of moves do not end such a series.
//!
//! Three steps answer it. Material that can never mate is known (`material`). In closed positions the squares that men
//! can ever reach are looked at (`reach`). Else a search looks for a helpmate (`helpmate`), which proves that there is
//! one by finding it and that there is none by running out of positions.

mod helpmate;
mod material;
mod reach;

use super::{Color, Move, Position};
use helpmate::{Found, View};

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

/// The most positions that a search enters: some milliseconds.
const MAX_NODES: u32 = 100_000;
/// The most positions of a search that are looked at for what their men can reach, which takes as long as many moves.
const MAX_LOOKS: u32 = 1_000;

/// Moves at the beginning of a search after each of which what the men can reach is looked at; later only after captures
/// and pawn moves.
const FIRST_PLIES: u16 = 2;

const VIEWS: [View; 3] =
    [[10, 2, 1, 1, 3, 2, 8, 1, 0], [1, 0, 5, 6, 3, 2, 8, 0, 0], [10, 2, 1, 1, 3, 2, 8, 1, 1]];

impl Position {
    /// Whether this side can mate by some series of legal moves of both sides, with a proof of it. Takes microseconds
    /// to some milliseconds.
    pub fn can_checkmate(&self, winner: Color) -> Verdict {
        if self.legal_moves().is_empty() {
            let is_mate = self.is_check() && self.turn() != winner;
            return if is_mate { Verdict::Yes(Vec::new()) } else { Verdict::No };
        }
        if material::is_too_little(self, winner) || reach::rules_out_mate(self, winner) {
            return Verdict::No;
        }
        let mut looks = 0;
        let found = helpmate::search(self, winner, &VIEWS, MAX_NODES, |before, after, plies| {
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
            Found::OutOfNodes => Verdict::Undecided,
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
