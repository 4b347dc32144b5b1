//! Bishop, rook and queen attacks by lookup: every square has as many table entries as its
//! relevant occupancies need, and a [`Lookup`] turns an occupancy into an index.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays::{BISHOP_STEPS, ROOK_STEPS, ray_table, slide};
use crate::chess::{Bitboard, File, Rank, Square};

#[cfg(not(target_feature = "bmi2"))]
use super::magic::{Lookup, PackedAttacks};
#[cfg(target_feature = "bmi2")]
use super::pext::{Lookup, PackedAttacks};

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

const fn lookups(magics: &[u64; Square::COUNT], steps: &[(i8, i8)]) -> [Lookup; Square::COUNT] {
    let mut lookups = [Lookup::new(0, 0, 0); Square::COUNT];
    let mut offset = 0;
    let mut square = 0;
    while square < Square::COUNT {
        let mask = relevant_occupancy(Square::ALL[square], steps);
        lookups[square] = Lookup::new(mask, magics[square], offset);
        offset += 1 << mask.count_ones();
        square += 1;
    }
    lookups
}

/// The squares that a slider on `from` attacks along `line`, by "o^(o-2r)"
/// (<https://www.chessprogramming.org/Hyperbola_Quintessence>): far fewer steps than walking, which
/// matters because the compiler evaluates the tables.
const fn along(line: u64, from: u64, occupied: u64) -> u64 {
    let occupied = occupied & line;
    let upward = occupied.wrapping_sub(from << 1);
    let downward = occupied.reverse_bits().wrapping_sub(from.reverse_bits() << 1).reverse_bits();
    (upward ^ downward) & line
}

const fn table<const SIZE: usize>(
    lookups: &[Lookup; Square::COUNT],
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
            let slot = &mut table[lookups[square].place(subset, ordinal)];
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

/// A large table of attacks takes less room if each entry is kept relative to the rays of its square.
const fn packed<const SIZE: usize>(
    table: &[Bitboard; SIZE],
    lookups: &[Lookup; Square::COUNT],
    rays: &[Bitboard; Square::COUNT],
) -> [PackedAttacks; SIZE] {
    let mut packed_table = [PackedAttacks::NONE; SIZE];
    let mut square = 0;
    while square < Square::COUNT {
        let mut place = lookups[square].first();
        let end = if square + 1 < Square::COUNT { lookups[square + 1].first() } else { SIZE };
        while place < end {
            packed_table[place] = PackedAttacks::new(table[place], rays[square]);
            place += 1;
        }
        square += 1;
    }
    packed_table
}

/// The lookup of a rook's attacks on a square, and the rays relative to which they are stored. They
/// are side by side because both are needed at once.
#[derive(Clone, Copy)]
struct RookLookup {
    attacks: Lookup,
    rays: Bitboard,
}

const fn rook_lookups() -> [RookLookup; Square::COUNT] {
    let (attacks, rays) = (lookups(&ROOK_MAGICS, &ROOK_STEPS), ray_table(&ROOK_STEPS));
    let mut table = [RookLookup { attacks: attacks[0], rays: rays[0] }; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        table[square] = RookLookup { attacks: attacks[square], rays: rays[square] };
        square += 1;
    }
    table
}

static ROOK_LOOKUPS: [RookLookup; Square::COUNT] = rook_lookups();
static BISHOP_LOOKUPS: [Lookup; Square::COUNT] = lookups(&BISHOP_MAGICS, &BISHOP_STEPS);
// A hundred thousand entries take the compiler a few seconds, and every program start nothing.
#[allow(long_running_const_eval)]
static ROOK_TABLE: [PackedAttacks; ROOK_TABLE_SIZE] =
    packed(&ROOK_ATTACKS, &lookups(&ROOK_MAGICS, &ROOK_STEPS), &ray_table(&ROOK_STEPS));
/// Only the compiler reads this, and leaves it out of the program.
#[allow(long_running_const_eval)]
static ROOK_ATTACKS: [Bitboard; ROOK_TABLE_SIZE] = table(&lookups(&ROOK_MAGICS, &ROOK_STEPS), &ROOK_STEPS);
#[allow(long_running_const_eval)]
static BISHOP_TABLE: [Bitboard; BISHOP_TABLE_SIZE] = table(&BISHOP_LOOKUPS, &BISHOP_STEPS);

/// Squares a rook attacks among `occupied` squares.
#[inline(always)]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    let RookLookup { attacks, rays } = &ROOK_LOOKUPS[from];
    ROOK_TABLE[attacks.index(occupied.bits())].squares(*rays)
}

/// Squares a bishop attacks among `occupied` squares.
#[inline(always)]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_TABLE[BISHOP_LOOKUPS[from].index(occupied.bits())]
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
