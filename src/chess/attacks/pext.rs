//! Lookups by the BMI2 instruction PEXT, if the build's CPU has it: one instruction instead of a
//! multiplication and a shift, which makes perft about 6 % faster
//! (<https://www.chessprogramming.org/BMI2>). Its counterpart PDEP keeps the largest table small.

use crate::chess::Bitboard;

/// The table lookup of one square.
#[derive(Clone, Copy)]
pub(super) struct Lookup {
    /// Squares whose occupation matters.
    mask: u64,
    /// The start of the square's part of the table.
    offset: usize,
}

impl Lookup {
    pub(super) const fn new(mask: u64, _magic: u64, offset: usize) -> Self {
        Self { mask, offset }
    }

    /// The index of the attacks for the `ordinal`th subset of the mask. Subsets are counted upward,
    /// and PEXT numbers them the same way.
    pub(super) const fn place(&self, _subset: u64, ordinal: usize) -> usize {
        self.offset + ordinal
    }

    /// The start of the square's part of the table.
    pub(super) const fn first(&self) -> usize {
        self.offset
    }

    /// The index of the attacks among these occupied squares.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(super) fn index(&self, occupied: u64) -> usize {
        // SAFETY: this file is compiled only with `target_feature = "bmi2"`, so every machine the
        // build is meant for has the instruction; it touches no memory.
        let gathered = unsafe { std::arch::x86_64::_pext_u64(occupied, self.mask) };
        self.offset + gathered as usize
    }
}

/// The squares that a slider attacks, as a large table stores them: a bit for each of the squares
/// on its rays, which are 14 at most. The table has a quarter of the bytes and leaves the caches to
/// other data, which makes the search about 2 % faster.
#[derive(Clone, Copy)]
pub(super) struct PackedAttacks(u16);

impl PackedAttacks {
    /// No square.
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
