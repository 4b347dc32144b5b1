//! Squares and moves that give check.

use crate::chess::{Bitboard, Move, MoveKind, Position, Role, attacks};

/// The squares from which each kind of piece would give check. Discovered checks are not included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checks([Bitboard; Role::COUNT]);

impl Checks {
    /// The checking squares for the side to move.
    pub(super) fn of(position: &Position) -> Self {
        let them = !position.turn();
        let Some(king) = (position.role(Role::King) & position.color(them)).first() else {
            return Self([Bitboard::EMPTY; Role::COUNT]);
        };
        // A piece attacks the king from the squares that the king would attack as that piece; pawns are
        // reversed.
        let diagonal = attacks::bishop(king, position.occupied());
        let orthogonal = attacks::rook(king, position.occupied());
        Self([
            attacks::pawn(them, king),
            attacks::knight(king),
            diagonal,
            orthogonal,
            diagonal | orthogonal,
            Bitboard::EMPTY,
        ])
    }

    /// The squares from which a piece of this role gives check.
    #[inline]
    pub(super) fn from(&self, role: Role) -> Bitboard {
        self.0[role]
    }

    /// Whether this legal move, which is not a promotion, moves a piece to a square from which it gives check.
    pub(super) fn contains(&self, position: &Position, mv: Move) -> bool {
        position.role_at(mv.from()).is_some_and(|role| self.from(role).contains(mv.to()))
    }
}

/// The moves that may give check, directly or by discovery.
#[derive(Clone, Copy, Debug)]
pub(super) struct AllChecks {
    direct: Checks,
    /// Own pieces that alone block an own slider from the enemy king.
    uncovering: Bitboard,
}

impl AllChecks {
    /// The possible checks of the side to move.
    pub(super) fn of(position: &Position) -> Self {
        let us = position.turn();
        let king = position.king(!us);
        let orthogonal = attacks::rook_rays(king) & position.orthogonal_sliders();
        let diagonal = attacks::bishop_rays(king) & position.diagonal_sliders();
        let mut uncovering = Bitboard::EMPTY;
        for sniper in (orthogonal | diagonal) & position.color(us) {
            let blockers = attacks::between(king, sniper) & position.occupied();
            if !blockers.is_many() {
                uncovering |= blockers & position.color(us);
            }
        }
        Self { direct: Checks::of(position), uncovering }
    }

    /// Whether this legal move may give check. True for every move that does.
    pub(super) fn may_contain(&self, position: &Position, mv: Move) -> bool {
        // Castling, en passant and promotions are not examined.
        mv.kind() != MoveKind::Normal
            || self.uncovering.contains(mv.from())
            || self.direct.contains(position, mv)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{mv, position, walk};
    use super::*;

    #[test]
    fn direct_checks_are_those_that_make_a_check() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1pp1pb1/bn2p1p1/3PN3/1p2Pn1q/2N4p/PPPB1PPP/R3K2R b KQkq - 0 1",
            "8/2k5/8/3P4/8/8/1R3K2/B7 w - - 0 1",
            "8/8/3k4/8/4p3/8/3K4/8 b - - 0 1",
        ] {
            let position = position(fen);
            let checks = Checks::of(&position);
            for &mv in position.legal_moves().iter().filter(|&&mv| !position.is_noisy(mv)) {
                let child = position.after(mv).0;
                let is_direct = child.checkers().contains(mv.to());
                assert_eq!(checks.contains(&position, mv), is_direct, "{fen} {mv:?}");
            }
        }
    }

    #[test]
    fn no_move_that_gives_check_is_left_out() {
        for seed in 0..40 {
            walk(seed, 120, |_, position, _| {
                let checks = AllChecks::of(position);
                for mv in position.legal_moves() {
                    let is_check = position.after(mv).0.is_check();
                    let is_normal = mv.kind() == MoveKind::Normal;
                    assert!(!is_check || checks.may_contain(position, mv), "{position:?} {mv:?}");
                    // A piece may move along the line that it blocks.
                    let may_stay = checks.uncovering.contains(mv.from());
                    assert!(is_check || may_stay || !is_normal || !checks.may_contain(position, mv));
                }
            });
        }
    }

    #[test]
    fn discovered_checks_are_not_included() {
        let position = position("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1");
        let checks = Checks::of(&position);
        assert!(!checks.contains(&position, mv("e4c3")));
        assert!(checks.contains(&position, mv("e4d6")));
    }
}
