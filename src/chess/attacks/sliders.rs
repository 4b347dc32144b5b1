//! Bishop, rook and queen attacks by magic bitboards, in the "fancy" layout: every square has
//! as many table entries as its relevant occupancies need.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::{BISHOP_STEPS, ROOK_STEPS, slide};
use crate::chess::{Bitboard, File, Rank, Square};

/// How one square finds its attacks in a table.
#[derive(Clone, Copy)]
struct Entry {
    /// Squares whose occupation matters: the rays without their last squares.
    mask: u64,
    /// Gathers the masked bits at the top of a word, without a harmful collision.
    magic: u64,
    /// Keeps just those gathered bits.
    shift: u32,
    /// Where the square's part of the table begins.
    offset: u32,
}

const ROOK_TABLE_SIZE: usize = 102_400;
const BISHOP_TABLE_SIZE: usize = 5_248;

/// Squares whose occupation changes what a slider on `from` sees.
pub(super) const fn relevant_occupancy(from: Square, steps: &[(i8, i8)]) -> Bitboard {
    let mut edges = Bitboard::EMPTY;
    let outer_files = File::A.squares().union(File::H.squares());
    let outer_ranks = Rank::First.squares().union(Rank::Eighth.squares());
    // An edge matters only to a slider that moves along it.
    edges = edges.union(Bitboard::from_bits(outer_files.bits() & !from.file().squares().bits()));
    edges = edges.union(Bitboard::from_bits(outer_ranks.bits() & !from.rank().squares().bits()));
    Bitboard::from_bits(slide(from, Bitboard::EMPTY, steps).bits() & !edges.bits())
}

const fn entries(magics: &[u64; Square::COUNT], steps: &[(i8, i8)]) -> [Entry; Square::COUNT] {
    let mut entries = [Entry { mask: 0, magic: 0, shift: 0, offset: 0 }; Square::COUNT];
    let mut offset = 0;
    let mut square = 0;
    while square < Square::COUNT {
        let mask = relevant_occupancy(Square::ALL[square], steps);
        entries[square] =
            Entry { mask: mask.bits(), magic: magics[square], shift: u64::BITS - mask.count(), offset };
        offset += 1 << mask.count();
        square += 1;
    }
    entries
}

const fn index(entry: &Entry, occupied: u64) -> usize {
    let gathered = (occupied & entry.mask).wrapping_mul(entry.magic) >> entry.shift;
    entry.offset as usize + gathered as usize
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
    entries: &[Entry; Square::COUNT],
    steps: &[(i8, i8); 4],
) -> [Bitboard; SIZE] {
    let mut table = [Bitboard::EMPTY; SIZE];
    let mut square = 0;
    while square < Square::COUNT {
        let entry = &entries[square];
        let from = Square::ALL[square];
        let lines = [
            slide(from, Bitboard::EMPTY, &[steps[0], steps[2]]).bits(),
            slide(from, Bitboard::EMPTY, &[steps[1], steps[3]]).bits(),
        ];
        let bit = from.bitboard().bits();
        // Carry-Rippler: every subset of the mask
        // (<https://www.chessprogramming.org/Traversing_Subsets_of_a_Set>).
        let mut subset = 0_u64;
        loop {
            let attacks = along(lines[0], bit, subset) | along(lines[1], bit, subset);
            let slot = &mut table[index(entry, subset)];
            assert!(slot.bits() == 0 || slot.bits() == attacks, "a magic collides");
            *slot = Bitboard::from_bits(attacks);
            subset = subset.wrapping_sub(entry.mask) & entry.mask;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

static ROOK_ENTRIES: [Entry; Square::COUNT] = entries(&ROOK_MAGICS, &ROOK_STEPS);
static BISHOP_ENTRIES: [Entry; Square::COUNT] = entries(&BISHOP_MAGICS, &BISHOP_STEPS);
#[allow(long_running_const_eval)]
static ROOK_TABLE: [Bitboard; ROOK_TABLE_SIZE] = table(&ROOK_ENTRIES, &ROOK_STEPS);
#[allow(long_running_const_eval)]
static BISHOP_TABLE: [Bitboard; BISHOP_TABLE_SIZE] = table(&BISHOP_ENTRIES, &BISHOP_STEPS);

/// Squares a rook attacks among `occupied` squares.
#[inline(always)]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    ROOK_TABLE[index(&ROOK_ENTRIES[from], occupied.bits())]
}

/// Squares a bishop attacks among `occupied` squares.
#[inline(always)]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_TABLE[index(&BISHOP_ENTRIES[from], occupied.bits())]
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
