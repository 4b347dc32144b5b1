//! Bishop, rook and queen attacks by lookup: every square has as many table entries as its
//! relevant occupancies need, and a [`Gather`] turns an occupancy into an index.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::{BISHOP_STEPS, ROOK_STEPS, slide};
use crate::chess::{Bitboard, File, Rank, Square};

#[cfg(not(target_feature = "bmi2"))]
use super::magic::Gather;
#[cfg(target_feature = "bmi2")]
use super::pext::Gather;

/// The sum of two to the number of relevant squares, over all squares.
const ROOK_TABLE_SIZE: usize = 102_400;
const BISHOP_TABLE_SIZE: usize = 5_248;

/// Squares whose occupation changes what a slider on `from` sees: its rays without their ends.
pub(super) const fn relevant_occupancy(from: Square, steps: &[(i8, i8)]) -> u64 {
    let outer_files = File::A.squares().bits() | File::H.squares().bits();
    let outer_ranks = Rank::First.squares().bits() | Rank::Eighth.squares().bits();
    // An edge matters only to a slider that moves along it.
    let ends = outer_files & !from.file().squares().bits() | outer_ranks & !from.rank().squares().bits();
    slide(from, Bitboard::EMPTY, steps).bits() & !ends
}

/// The subset of `mask` after this one, in counting order; zero after the last
/// (<https://www.chessprogramming.org/Traversing_Subsets_of_a_Set>).
pub(super) const fn next_subset(subset: u64, mask: u64) -> u64 {
    subset.wrapping_sub(mask) & mask
}

const fn gathers(magics: &[u64; Square::COUNT], steps: &[(i8, i8)]) -> [Gather; Square::COUNT] {
    let mut gathers = [Gather::new(0, 0, 0); Square::COUNT];
    let mut offset = 0;
    let mut square = 0;
    while square < Square::COUNT {
        let mask = relevant_occupancy(Square::ALL[square], steps);
        gathers[square] = Gather::new(mask, magics[square], offset);
        offset += 1 << mask.count_ones();
        square += 1;
    }
    gathers
}

/// What a slider on `from` sees along `line`, by "o^(o-2r)"
/// (<https://www.chessprogramming.org/Hyperbola_Quintessence>): far fewer steps than walking,
/// which the compiler, who evaluates the tables, feels.
const fn along(line: u64, from: u64, occupied: u64) -> u64 {
    let occupied = occupied & line;
    let upward = occupied.wrapping_sub(from << 1);
    let downward = occupied.reverse_bits().wrapping_sub(from.reverse_bits() << 1).reverse_bits();
    (upward ^ downward) & line
}

const fn table<const SIZE: usize>(
    gathers: &[Gather; Square::COUNT],
    steps: &[(i8, i8); 4],
) -> [Bitboard; SIZE] {
    let mut table = [Bitboard::EMPTY; SIZE];
    let mut square = 0;
    while square < Square::COUNT {
        let from = Square::ALL[square];
        let mask = relevant_occupancy(from, steps);
        let lines = [
            slide(from, Bitboard::EMPTY, &[steps[0], steps[2]]).bits(),
            slide(from, Bitboard::EMPTY, &[steps[1], steps[3]]).bits(),
        ];
        let bit = from.bitboard().bits();
        let mut subset = 0;
        let mut ordinal = 0;
        loop {
            let attacks = along(lines[0], bit, subset) | along(lines[1], bit, subset);
            let slot = &mut table[gathers[square].place(subset, ordinal)];
            assert!(slot.bits() == 0 || slot.bits() == attacks, "a magic collides");
            *slot = Bitboard::from_bits(attacks);
            subset = next_subset(subset, mask);
            ordinal += 1;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

static ROOK_GATHERS: [Gather; Square::COUNT] = gathers(&ROOK_MAGICS, &ROOK_STEPS);
static BISHOP_GATHERS: [Gather; Square::COUNT] = gathers(&BISHOP_MAGICS, &BISHOP_STEPS);
// A hundred thousand entries take the compiler a few seconds, and every program start nothing.
#[allow(long_running_const_eval)]
static ROOK_TABLE: [Bitboard; ROOK_TABLE_SIZE] = table(&ROOK_GATHERS, &ROOK_STEPS);
#[allow(long_running_const_eval)]
static BISHOP_TABLE: [Bitboard; BISHOP_TABLE_SIZE] = table(&BISHOP_GATHERS, &BISHOP_STEPS);

/// Squares a rook attacks among `occupied` squares.
#[inline(always)]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    ROOK_TABLE[ROOK_GATHERS[from].index(occupied.bits())]
}

/// Squares a bishop attacks among `occupied` squares.
#[inline(always)]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_TABLE[BISHOP_GATHERS[from].index(occupied.bits())]
}

/// Squares a queen attacks among `occupied` squares.
#[inline(always)]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    rook(from, occupied) | bishop(from, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_equal_sliding_for_random_occupancies() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            // xorshift64: any spread of occupancies will do
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let occupied = Bitboard::from_bits(state & state.rotate_left(23));
            let from = Square::wrapping((state >> 58) as usize);
            assert_eq!(rook(from, occupied), slide(from, occupied, &ROOK_STEPS), "{from}");
            assert_eq!(bishop(from, occupied), slide(from, occupied, &BISHOP_STEPS), "{from}");
        }
    }
}
