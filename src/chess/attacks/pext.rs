//! Gathering by the BMI2 instruction PEXT, where the build's CPU has it: one instruction
//! instead of a multiplication and a shift, and perft runs about 6 % faster for it
//! (<https://www.chessprogramming.org/BMI2>). Its counterpart PDEP keeps the largest table small.

use crate::chess::Bitboard;

/// How one square finds its attacks in a table.
#[derive(Clone, Copy)]
pub(super) struct Gather {
    /// Squares whose occupation matters.
    mask: u64,
    /// Where the square's part of the table begins.
    offset: usize,
}

impl Gather {
    pub(super) const fn new(mask: u64, _magic: u64, offset: usize) -> Self {
        Self { mask, offset }
    }

    /// Where the attacks for the `ordinal`th subset of the mask belong. Subsets are counted
    /// upward, and PEXT numbers them just so.
    pub(super) const fn place(&self, _subset: u64, ordinal: usize) -> usize {
        self.offset + ordinal
    }

    /// Where the square's part of the table begins.
    pub(super) const fn first(&self) -> usize {
        self.offset
    }

    /// Where the attacks among these occupied squares are.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(super) fn index(&self, occupied: u64) -> usize {
        // SAFETY: this file is compiled only where `target_feature = "bmi2"` says that every
        // machine the build is meant for has the instruction; it touches no memory.
        let gathered = unsafe { std::arch::x86_64::_pext_u64(occupied, self.mask) };
        self.offset + gathered as usize
    }
}

/// What a slider sees, as a large table keeps it: a bit for each of the squares on its rays, which are 14 at most. A quarter
/// of the bytes leave the caches to others, and the search runs about 2 % faster for it.
#[derive(Clone, Copy)]
pub(super) struct Sight(u16);

impl Sight {
    /// Nothing is seen.
    pub(super) const NONE: Self = Self(0);

    /// Some of the squares on these rays.
    pub(super) const fn new(attacks: Bitboard, rays: Bitboard) -> Self {
        let mut bits = 0;
        let mut rest = attacks.bits() & rays.bits();
        while rest != 0 {
            let below = !rest & (rest - 1);
            bits |= 1 << (rays.bits() & below).count_ones();
            rest &= rest - 1;
        }
        Self(bits)
    }

    /// The squares, given the same rays.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(super) fn squares(self, rays: Bitboard) -> Bitboard {
        // SAFETY: as for PEXT above.
        Bitboard::from_bits(unsafe { std::arch::x86_64::_pdep_u64(u64::from(self.0), rays.bits()) })
    }
}
