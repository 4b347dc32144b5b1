//! Rays: the steps of sliders, and squares along them.

use crate::chess::{Bitboard, Square};

/// File and rank steps of a rook, then of a bishop.
pub(crate) const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
pub(crate) const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Squares seen along `steps` from `from`, up to and including the first occupied one.
/// Slow; it makes the tables and checks them.
pub(crate) const fn slide(from: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    let mut step = 0;
    while step < steps.len() {
        let mut next = from.offset(steps[step].0, steps[step].1);
        while let Some(square) = next {
            attacks = attacks.with(square);
            if occupied.contains(square) {
                break;
            }
            next = square.offset(steps[step].0, steps[step].1);
        }
        step += 1;
    }
    attacks
}

/// The squares that a slider attacks on an empty board, by square.
pub(super) const fn ray_table(steps: &[(i8, i8)]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        table[from] = slide(Square::ALL[from], Bitboard::EMPTY, steps);
        from += 1;
    }
    table
}
