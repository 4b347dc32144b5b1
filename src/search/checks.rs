//! Squares and moves that give check.

use crate::chess::{Bitboard, Move, MoveKind, Position, Role, Square, attacks};

/// The possible checks of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checks {
    /// The squares from which each kind of piece gives check itself.
    direct: [Bitboard; Role::COUNT],
    /// Own pieces that alone block an own slider from the enemy king.
    blockers: Bitboard,
    /// The enemy king.
    king: Square,
}

impl Checks {
    /// The possible checks in this position.
    #[inline(always)]
    pub(super) fn of(position: &Position) -> Self {
        let us = position.turn();
        let king = position.king(!us);
        // A piece attacks the king from the squares that the king would attack as that piece; pawns are
        // reversed.
        let diagonal = attacks::bishop(king, position.occupied());
        let orthogonal = attacks::rook(king, position.occupied());
        let direct = [
            attacks::pawn(!us, king),
            attacks::knight(king),
            diagonal,
            orthogonal,
            diagonal | orthogonal,
            Bitboard::EMPTY,
        ];
        let own = position.color(us);
        let [rooks, bishops] =
            [position.orthogonal_sliders(), position.diagonal_sliders()].map(|all| all & own);
        let blockers = attacks::blockers(king, rooks, bishops, position.occupied()) & own;
        Self { direct, blockers, king }
    }

    /// The squares from which a piece of this role gives check itself.
    #[inline]
    pub(super) fn from(&self, role: Role) -> Bitboard {
        self.direct[role]
    }

    /// Whether this legal move gives check, directly or by discovery. The rook of castling, the new piece of a
    /// promotion and the lines opened by a pawn captured en passant are not examined.
    #[inline]
    pub(super) fn contains(&self, position: &Position, mv: Move) -> bool {
        position.role_at(mv.from()).is_some_and(|role| self.from(role).contains(mv.to()))
            || self.discovers(mv)
    }

    /// Whether this legal move may give check. True for every move that does.
    #[inline(always)]
    pub(super) fn may_contain(&self, position: &Position, mv: Move) -> bool {
        mv.kind() != MoveKind::Normal || self.contains(position, mv)
    }

    /// Whether this move leaves the line on which the piece blocks a slider.
    fn discovers(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        self.blockers.contains(from)
            && !attacks::between(self.king, from).contains(to)
            && !attacks::between(self.king, to).contains(from)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{mv, position, walk};
    use super::*;

    #[test]
    fn checks_are_the_moves_after_which_the_king_is_attacked() {
        let mut discovered = 0;
        for seed in 0..60 {
            walk(seed, 120, |_, position, _| {
                let checks = Checks::of(position);
                for mv in position.legal_moves() {
                    let child = position.after(mv).0;
                    assert!(!child.is_check() || checks.may_contain(position, mv), "{position:?} {mv:?}");
                    if mv.kind() == MoveKind::Normal {
                        assert_eq!(checks.contains(position, mv), child.is_check(), "{position:?} {mv:?}");
                        discovered += usize::from(!(child.checkers() - mv.to().bitboard()).is_empty());
                    }
                }
            });
        }
        assert!(discovered > 50, "{discovered} discovered checks");
    }

    #[test]
    fn a_piece_that_stays_on_the_line_discovers_nothing() {
        let position = position("4k3/8/8/3p4/4P3/8/8/4QK2 w - - 0 1");
        let checks = Checks::of(&position);
        assert!(!checks.contains(&position, mv("e4e5")));
        assert!(checks.contains(&position, mv("e4d5")));
    }
}
