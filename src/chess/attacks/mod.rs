//! The squares that a piece attacks, from precomputed tables.
//!
//! Leapers are looked up directly; sliders through magic bitboards, or PEXT where the build's
//! CPU has it. All tables are computed at compile time.

#[cfg_attr(target_feature = "bmi2", allow(dead_code, reason = "PEXT replaces it, the tests still prove it"))]
mod magic;
mod magics;
#[cfg(target_feature = "bmi2")]
mod pext;
mod rays;
mod sliders;

pub use sliders::{bishop, queen, rook};

use super::{Bitboard, Color, Role, Square};
use rays::ray_table;
#[cfg(test)]
pub(crate) use rays::slide;
pub(crate) use rays::{BISHOP_STEPS, ROOK_STEPS};

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Squares one step away, by square.
const fn leaper_table<const STEPS: usize>(steps: [(i8, i8); STEPS]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut step = 0;
        while step < STEPS {
            if let Some(to) = Square::ALL[from].offset(steps[step].0, steps[step].1) {
                table[from] = table[from].with(to);
            }
            step += 1;
        }
        from += 1;
    }
    table
}

static KNIGHT: [Bitboard; Square::COUNT] = leaper_table(KNIGHT_STEPS);
static KING: [Bitboard; Square::COUNT] = leaper_table(KING_STEPS);
static PAWN: [[Bitboard; Square::COUNT]; Color::COUNT] =
    [leaper_table([(-1, 1), (1, 1)]), leaper_table([(-1, -1), (1, -1)])];
static ROOK_RAYS: [Bitboard; Square::COUNT] = ray_table(&ROOK_STEPS);
static BISHOP_RAYS: [Bitboard; Square::COUNT] = ray_table(&BISHOP_STEPS);
static BETWEEN: [[Bitboard; Square::COUNT]; Square::COUNT] = between_table();

const fn between_table() -> [[Bitboard; Square::COUNT]; Square::COUNT] {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut step = 0;
        while step < KING_STEPS.len() {
            let mut passed = Bitboard::EMPTY;
            let mut next = Square::ALL[from].offset(KING_STEPS[step].0, KING_STEPS[step].1);
            while let Some(square) = next {
                table[from][square as usize] = passed;
                passed = passed.with(square);
                next = square.offset(KING_STEPS[step].0, KING_STEPS[step].1);
            }
            step += 1;
        }
        from += 1;
    }
    table
}

/// Squares a knight attacks.
#[inline(always)]
pub fn knight(from: Square) -> Bitboard {
    KNIGHT[from]
}

/// Squares a king attacks.
#[inline(always)]
pub fn king(from: Square) -> Bitboard {
    KING[from]
}

/// Squares a pawn of `color` attacks.
#[inline(always)]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    PAWN[color][from]
}

/// Squares a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(from: Square) -> Bitboard {
    ROOK_RAYS[from]
}

/// Squares a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(from: Square) -> Bitboard {
    BISHOP_RAYS[from]
}

/// Squares strictly between two squares on a common rank, file or diagonal; none for others.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a][b]
}

/// Squares a piece of this role and color attacks among `occupied` squares.
#[inline]
pub fn attacks(role: Role, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, from),
        Role::Knight => knight(from),
        Role::Bishop => bishop(from, occupied),
        Role::Rook => rook(from, occupied),
        Role::Queen => queen(from, occupied),
        Role::King => king(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leapers() {
        assert_eq!(knight(Square::A1), Square::B3.bitboard() | Square::C2);
        assert_eq!(king(Square::H8), Square::G8.bitboard() | Square::G7 | Square::H7);
        assert_eq!(pawn(Color::White, Square::A2), Square::B3.bitboard());
        assert_eq!(pawn(Color::Black, Square::E4), Square::D3.bitboard() | Square::F3);
    }

    #[test]
    fn between_is_what_two_sliders_both_see() {
        for a in Square::ALL {
            for b in Square::ALL {
                let expected = if rook_rays(a).contains(b) {
                    rook(a, b.bitboard()) & rook(b, a.bitboard())
                } else if bishop_rays(a).contains(b) {
                    bishop(a, b.bitboard()) & bishop(b, a.bitboard())
                } else {
                    Bitboard::EMPTY
                };
                assert_eq!(between(a, b), expected, "{a} {b}");
            }
        }
    }
}
