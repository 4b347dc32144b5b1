//! The blocks of numbers that the kernels work on.

/// Numbers in a block.
pub(in crate::nnue) const LANES: usize = 32;

/// A block of numbers with the size of a cache line and of the widest register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(in crate::nnue) struct Block(pub [i16; LANES]);

const _: () = assert!(size_of::<Block>() == align_of::<Block>());

impl Block {
    /// Zeros.
    pub(in crate::nnue) const ZERO: Self = Self([0; LANES]);

    /// The blocks of these numbers; the last one is padded with zeros.
    pub(in crate::nnue) fn of<T: Copy + Into<i16>>(numbers: &[T]) -> impl Iterator<Item = Self> {
        numbers.chunks(LANES).map(|chunk| {
            let mut block = Self::ZERO;
            for (to, &number) in block.0.iter_mut().zip(chunk) {
                *to = number.into();
            }
            block
        })
    }
}

/// The number of blocks for this many numbers.
pub(in crate::nnue) const fn blocks_for(numbers: usize) -> usize {
    numbers.div_ceil(LANES)
}
