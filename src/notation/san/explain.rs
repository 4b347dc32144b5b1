//! Finding out why a move is not legal.

use super::Illegality;
use super::spelling::Spelled;
use crate::chess::{Bitboard, Color, Position, Rank, Role, Square, Wing, attacks};

/// Why no legal move is spelled so.
pub(super) fn explain(position: &Position, spelled: Spelled) -> Illegality {
    let Spelled { role, file, rank, to, promotion } = spelled;
    let color = position.turn();
    let mut origins = position.color(color);
    if let Some(role) = role {
        origins &= position.role(role);
    }
    if let Some(file) = file {
        origins &= file;
    }
    if let Some(rank) = rank {
        origins &= rank;
    }
    if let (Some(file), Some(rank)) = (file, rank) {
        let from = Square::new(file, rank);
        if let Some(role) = position.role_at(from).filter(|_| position.color_at(from) == Some(!color)) {
            return Illegality::NotTheirPiece { color, role, from };
        }
    }
    let Some(first) = origins.first() else {
        return Illegality::NoSuchPiece { color, role, file, rank };
    };
    // A UCI move has no role, but only one origin.
    let role = role.or(position.role_at(first)).unwrap_or(Role::Pawn);
    if let Some(role) = position.role_at(to).filter(|_| position.color_at(to) == Some(color)) {
        return Illegality::OwnPiece { role, on: to };
    }
    let reaching: Bitboard = origins.into_iter().filter(|&from| reaches(position, role, from, to)).collect();
    if let Some(from) = reaching.first() {
        let promotes = role == Role::Pawn && to.rank() == color.relative(Rank::Eighth);
        return match (promotes, promotion) {
            (true, None) => Illegality::NoPromotion { to },
            (false, Some(_)) => Illegality::NotAPromotion,
            _ => explain_check(position, role, from, to),
        };
    }
    explain_reach(position, role, origins, to)
}

/// Could the piece go there if there were no kings?
fn reaches(position: &Position, role: Role, from: Square, to: Square) -> bool {
    let (color, occupied) = (position.turn(), position.occupied());
    if role != Role::Pawn {
        return attacks::attacks(role, color, from, occupied).contains(to);
    }
    let is_prey = position.color(!color).contains(to) || position.passed_square() == Some(to);
    if attacks::pawn(color, from).contains(to) {
        return is_prey;
    }
    pushes(color, from).contains(to)
        && !((attacks::between(from, to) | to) & occupied).intersects(Bitboard::ALL)
}

/// Where a pawn could go on an empty board.
fn pushes(color: Color, from: Square) -> Bitboard {
    let forward = match color {
        Color::White => Bitboard::north,
        Color::Black => Bitboard::south,
    };
    let push = forward(from.bitboard());
    if from.rank() == color.relative(Rank::Second) { push | forward(push) } else { push }
}

/// Why none of these pieces reaches the target.
fn explain_reach(position: &Position, role: Role, origins: Bitboard, to: Square) -> Illegality {
    let color = position.turn();
    for from in origins {
        let sees = match role {
            Role::Pawn if attacks::pawn(color, from).contains(to) => {
                return Illegality::NothingToCapture { on: to };
            }
            Role::Pawn => pushes(color, from),
            _ => attacks::attacks(role, color, from, Bitboard::EMPTY),
        };
        if sees.contains(to) {
            let way = attacks::between(from, to) | to;
            let in_the_way = way & position.occupied();
            let nearest = if to > from { in_the_way.first() } else { in_the_way.last() };
            if let Some(by) = nearest {
                return Illegality::Blocked { role, from, by };
            }
        }
    }
    Illegality::OutOfReach { role, from: origins.single(), to }
}

/// Which enemy piece would take the king after this move.
fn explain_check(position: &Position, role: Role, from: Square, to: Square) -> Illegality {
    let color = position.turn();
    let mut captured = to.bitboard();
    if role == Role::Pawn && position.passed_square() == Some(to) {
        captured |= Square::new(to.file(), from.rank());
    }
    let occupied = ((position.occupied() - captured) - from) | to;
    let king = if role == Role::King { to } else { position.king(color) };
    let enemies = position.color(!color) - captured;
    let attackers = position.attackers(king, occupied) & enemies;
    match (attackers & position.checkers()).first().or(attackers.first()) {
        Some(by) if role == Role::King => Illegality::IntoCheck { king, by },
        Some(by) if position.checkers().contains(by) => Illegality::StaysInCheck { by },
        Some(by) if position.pinned().contains(from) => Illegality::Pinned { role, from, by },
        Some(by) => Illegality::IntoCheck { king, by },
        // Not reached: what reaches its target and leaves no attacker is legal.
        None => Illegality::OutOfReach { role, from: Some(from), to },
    }
}

/// Why the side to move may not castle on this wing.
pub(super) fn explain_castling(position: &Position, wing: Wing) -> Illegality {
    let color = position.turn();
    let Some(rook) = position.castling_rook(color, wing) else {
        return Illegality::NoCastlingRight { color, wing };
    };
    if let Some(by) = position.checkers().first() {
        return Illegality::InCheck { by };
    }
    let king = position.king(color);
    let king_to = Square::new(wing.king_file(), color.back_rank());
    let rook_to = Square::new(wing.rook_file(), color.back_rank());
    let path = attacks::between(king, king_to) | king_to;
    let way = path | attacks::between(rook, rook_to) | rook_to;
    let others = position.occupied() - king - rook;
    if let Some(by) = (way & others).first() {
        return Illegality::CastlingBlocked { by };
    }
    let enemies = position.color(!color);
    for square in path - king {
        if let Some(by) = (position.attackers(square, others) & enemies).first() {
            return Illegality::CastlingThroughCheck { square, by };
        }
    }
    // What is left is a rook that shields its king from a rook beyond, where castling goes away
    // from the middle; the check on the king's target has found that one too.
    Illegality::NoCastlingRight { color, wing }
}
