//! Vectors of numbers, in the widest registers of the target machine.

use std::ops::{Deref, DerefMut};
use wide::f32x16;

/// The numbers that are processed at once.
pub(super) type Vector = f32x16;
/// The number of lanes of a vector.
pub(super) const LANES: usize = size_of::<Vector>() / size_of::<f32>();

/// A long row of numbers, aligned so that none of its vectors crosses a cache line.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AlignedVec {
    vectors: Vec<Vector>,
    length: usize,
}

impl AlignedVec {
    /// A row of this many zeros.
    pub(super) fn zeroed(length: usize) -> Self {
        Self { vectors: vec![Vector::ZERO; length.div_ceil(LANES)], length }
    }
}

impl Deref for AlignedVec {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &bytemuck::cast_slice(&self.vectors)[..self.length]
    }
}

impl DerefMut for AlignedVec {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut bytemuck::cast_slice_mut(&mut self.vectors)[..self.length]
    }
}

/// The activation of neurons of the later layers: their sums clamped to `0..=1` and squared (SCReLU).
#[inline(always)]
pub(super) fn square(sums: Vector) -> Vector {
    let clamped = sums.fast_max(Vector::ZERO).fast_min(Vector::ONE);
    clamped * clamped
}

/// The derivative of [`square`].
#[inline(always)]
pub(super) fn slope(sums: Vector) -> Vector {
    sums.simd_lt(Vector::ONE) & (sums + sums).fast_max(Vector::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_activations_are_clamped_squares() {
        let cases = [(-1.0, 0.0, 0.0), (0.5, 0.25, 1.0), (2.0, 1.0, 0.0), (0.75, 0.5625, 1.5)];
        for (sum, activation, growth) in cases {
            let sums = Vector::splat(sum);
            assert_eq!(square(sums), Vector::splat(activation), "{sum}");
            assert_eq!(slope(sums), Vector::splat(growth), "{sum}");
        }
    }

    #[test]
    fn a_row_is_aligned_and_as_long_as_asked() {
        for length in [0, 1, LANES, LANES + 1] {
            let mut row = AlignedVec::zeroed(length);
            row.fill(1.0);
            assert_eq!(*row, vec![1.0; length][..]);
            assert_eq!(row.as_ptr().addr() % align_of::<Vector>(), 0);
        }
    }
}
