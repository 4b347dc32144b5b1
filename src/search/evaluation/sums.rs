//! The part of the evaluation that a move changes little by little.

use super::squares;
use super::tapered::Tapered;
use crate::chess::{Board, Delta, Placed, Role};

/// Material, squares and phase of a board, White's less Black's.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::search) struct Sums {
    squares: Tapered,
    phase: i32,
}

/// How much a piece makes a position a middlegame.
const fn phase_of(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

impl Sums {
    /// The sums over the pieces of a board.
    pub(in crate::search) fn of(board: &Board) -> Self {
        let mut sums = Self::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_at(square) {
                sums.add(Placed { piece, square });
            }
        }
        sums
    }

    /// Follows a move.
    #[inline]
    pub(in crate::search) fn apply(&mut self, delta: &Delta) {
        for placed in delta.removed() {
            self.squares -= squares::value(placed);
            self.phase -= phase_of(placed.piece.role());
        }
        for placed in delta.added() {
            self.add(placed);
        }
    }

    #[inline]
    fn add(&mut self, placed: Placed) {
        self.squares += squares::value(placed);
        self.phase += phase_of(placed.piece.role());
    }

    pub(super) fn squares(&self) -> Tapered {
        self.squares
    }

    pub(super) fn phase(&self) -> i32 {
        self.phase
    }
}
