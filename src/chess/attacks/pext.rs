//! Gathering by the BMI2 instruction PEXT, where the build's CPU has it: one instruction
//! instead of a multiplication and a shift, and perft runs about 6 % faster for it
//! (<https://www.chessprogramming.org/BMI2>).

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
