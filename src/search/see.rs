//! Static exchange evaluation: the material gained by captures on one square if both sides continue as long
//! as it pays (<https://www.chessprogramming.org/Static_Exchange_Evaluation>).
//!
//! Pins are ignored, but a king does not capture a guarded piece.

use crate::chess::{Bitboard, Board, Color, Move, MoveKind, Rank, Role, Square, attacks};

/// Piece values for exchanges, in search units. No exchange is worth a king.
const VALUES: [i32; Role::COUNT] = [100, 325, 340, 500, 980, 20_000];

/// The value of a piece in an exchange, in search units.
#[inline(always)]
pub fn value(role: Role) -> i32 {
    VALUES[role]
}

/// The non-pawn material of the initial position.
pub(super) const INITIAL_NON_PAWN_MATERIAL: i32 = 2
    * (2 * (VALUES[Role::Knight as usize] + VALUES[Role::Bishop as usize] + VALUES[Role::Rook as usize])
        + VALUES[Role::Queen as usize]);

/// The value of the pieces of both sides except pawns and kings.
pub(super) fn non_pawn_material(board: &Board) -> i32 {
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    roles.map(|role| board.role(role).count() as i32 * value(role)).iter().sum()
}

/// Whether this legal move wins at least `threshold` search units by exchanges on its target square.
pub fn see_ge(board: &Board, mv: Move, threshold: i32) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = board.role_at(from) else { return false };
    let (captured, arrives, mut occupied) = match mv.kind() {
        MoveKind::Castle => return threshold <= 0,
        MoveKind::EnPassant => {
            let pawn = from.rank().squares() & to.file().squares();
            (VALUES[Role::Pawn], mover, board.occupied() - pawn)
        }
        _ => {
            let captured = board.role_at(to).map_or(0, value);
            let arrives = mv.promotion().unwrap_or(mover);
            (captured + value(arrives) - value(mover), arrives, board.occupied())
        }
    };

    occupied = (occupied - from) | to;
    let mut attackers = board.attackers(to, occupied) & occupied;
    let us = board.turn();
    // A pawn that recaptures on the last rank also promotes.
    if attackers.intersects(board.role(Role::Pawn)) && matches!(to.rank(), Rank::First | Rank::Eighth) {
        return captured - gain(board, !us, to, arrives, occupied) >= threshold;
    }

    // The balance from the view of the side that has just captured, if its piece is lost.
    let mut balance = captured - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(arrives);
    if balance >= 0 {
        return true;
    }

    let mut side = !us;
    loop {
        let ours = attackers & board.color(side);
        let Some((role, attacker)) = least_valuable(board, ours) else { break };
        if role == Role::King && attackers.intersects(board.color(!side)) {
            break;
        }
        occupied -= attacker;
        attackers = (attackers | uncovered(board, role, to.bitboard(), occupied)) & occupied;
        side = !side;
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
    }
    // The side that cannot or need not continue has lost the exchange.
    side != us
}

/// The gain of `side` from capturing the piece of role `standing` on `to`, or 0 if it does not pay.
fn gain(board: &Board, side: Color, to: Square, standing: Role, occupied: Bitboard) -> i32 {
    let attackers = board.attackers(to, occupied) & occupied;
    let Some((role, attacker)) = least_valuable(board, attackers & board.color(side)) else { return 0 };
    if role == Role::King && attackers.intersects(board.color(!side)) {
        return 0;
    }
    let promotes = role == Role::Pawn && to.rank() == side.relative(Rank::Eighth);
    let arrives = if promotes { Role::Queen } else { role };
    let won = value(standing) + value(arrives) - value(role);
    0.max(won - gain(board, !side, to, arrives, occupied - attacker))
}

/// The least valuable piece, and its square as a set.
fn least_valuable(board: &Board, pieces: Bitboard) -> Option<(Role, Bitboard)> {
    Role::ALL.into_iter().find_map(|role| {
        let square = (pieces & board.role(role)).first()?;
        Some((role, square.bitboard()))
    })
}

/// Sliders that the removal of a piece of this role may have uncovered.
#[inline(always)]
fn uncovered(board: &Board, role: Role, target: Bitboard, occupied: Bitboard) -> Bitboard {
    let Some(to) = target.first() else { return Bitboard::EMPTY };
    let diagonal = || attacks::bishop(to, occupied) & board.diagonal_sliders();
    let orthogonal = || attacks::rook(to, occupied) & board.orthogonal_sliders();
    match role {
        Role::Pawn | Role::Bishop => diagonal(),
        Role::Rook => orthogonal(),
        Role::Queen => diagonal() | orthogonal(),
        Role::Knight | Role::King => Bitboard::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{mv, position, walk};
    use super::*;
    use crate::chess::Position;

    #[test]
    fn a_game_begins_with_all_pieces() {
        assert_eq!(non_pawn_material(&Position::start()), INITIAL_NON_PAWN_MATERIAL);
        assert_eq!(non_pawn_material(&position("4k3/8/2p5/8/8/3R4/8/4K3 w - - 0 1")), value(Role::Rook));
    }

    #[test]
    fn exchanges() {
        let cases = [
            ("free pawn", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
            ("guarded pawn", "4k3/8/2p5/3p4/8/3R4/8/4K3 w - - 0 1", "d3d5", 100 - 500),
            ("rook behind rook", "4k3/8/2p5/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 100 - 500 + 100),
            ("bishop behind pawn", "4k3/8/4p3/3p4/4P3/5B2/8/4K3 w - - 0 1", "e4d5", 100),
            ("king may take", "8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100 - 500),
            ("king may not take", "8/8/3k4/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 100),
            ("to a guarded square", "4k3/8/2p5/8/8/3R4/8/4K3 w - - 0 1", "d3d5", -500),
            ("quiet and safe", "4k3/8/8/8/8/3R4/8/4K3 w - - 0 1", "d3d5", 0),
            ("promotion", "8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", 880),
            ("promotion, taken back", "1r6/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", -100),
            ("capture by promotion, guarded", "rr6/1P6/8/8/8/8/8/k1K5 w - - 0 1", "b7a8q", 500 + 880 - 980),
            ("taken by a promotion", "3q4/1P6/8/8/8/8/8/k1K5 b - - 0 1", "d8c8", -980 - 880),
            ("retaken by promotion", "Rn6/P7/8/8/8/8/8/k1K5 w - - 0 1", "a8b8", 325),
        ];
        for (name, fen, text, expected) in cases {
            let position = position(fen);
            let mv = mv(text);
            assert!(position.is_legal(mv), "{name}");
            assert!(see_ge(&position, mv, expected), "{name}: at least {expected}");
            assert!(!see_ge(&position, mv, expected + 1), "{name}: at most {expected}");
        }
    }

    #[test]
    fn agrees_with_adding_up() {
        let mut captures = 0;
        for seed in 0..80 {
            walk(seed, 100, |_, position, _| {
                for mv in position.legal_moves() {
                    let (to, turn) = (mv.to(), position.turn());
                    let Some(mover) = position.role_at(mv.from()) else { continue };
                    if mv.kind() == MoveKind::Castle || mover == Role::King {
                        continue;
                    }
                    let arrives = mv.promotion().unwrap_or(mover);
                    let captured = position.captured_role(mv);
                    let mut occupied = (position.occupied() - mv.from()) | to;
                    if mv.kind() == MoveKind::EnPassant {
                        occupied -= mv.from().rank().squares() & to.file().squares();
                    }
                    let expected = captured.map_or(0, value) + value(arrives)
                        - value(mover)
                        - gain(position, !turn, to, arrives, occupied);
                    assert!(see_ge(position, mv, expected), "{position:?} {mv:?}: at least {expected}");
                    assert!(!see_ge(position, mv, expected + 1), "{position:?} {mv:?}: at most {expected}");
                    captures += usize::from(captured.is_some());
                }
            });
        }
        assert!(captures > 5000, "only {captures} captures were tried");
    }
}
