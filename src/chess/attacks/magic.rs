//! Lookups by a magic multiplication: it brings the relevant bits of an occupancy to the top of a
//! word, without a harmful collision (<https://www.chessprogramming.org/Magic_Bitboards>).

use crate::chess::Bitboard;

/// The table lookup of one square.
#[derive(Clone, Copy)]
pub(super) struct Lookup {
    /// Squares whose occupation matters.
    mask: u64,
    /// Gathers the masked bits at the top.
    magic: u64,
    /// Keeps just those gathered bits.
    shift: u32,
    /// The start of the square's part of the table.
    offset: u32,
}

impl Lookup {
    pub(super) const fn new(mask: u64, magic: u64, offset: usize) -> Self {
        Self { mask, magic, shift: u64::BITS - mask.count_ones(), offset: offset as u32 }
    }

    /// The index of the attacks for this subset of the mask.
    pub(super) const fn place(&self, subset: u64, _ordinal: usize) -> usize {
        self.index(subset)
    }

    /// The start of the square's part of the table.
    pub(super) const fn first(&self) -> usize {
        self.offset as usize
    }

    /// The index of the attacks among these occupied squares.
    #[inline(always)]
    pub(super) const fn index(&self, occupied: u64) -> usize {
        let gathered = (occupied & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.offset as usize + gathered as usize
    }
}

/// The squares that a slider attacks, as a large table stores them.
#[derive(Clone, Copy)]
pub(super) struct PackedAttacks(Bitboard);

impl PackedAttacks {
    /// No square.
    pub(super) const NONE: Self = Self(Bitboard::EMPTY);

    /// Some of the squares on these rays.
    pub(super) const fn new(attacks: Bitboard, _rays: Bitboard) -> Self {
        Self(attacks)
    }

    /// The squares, given the same rays.
    #[inline(always)]
    pub(super) fn squares(self, _rays: Bitboard) -> Bitboard {
        self.0
    }
}
