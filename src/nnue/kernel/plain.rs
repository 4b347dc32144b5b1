//! The kernels in plain Rust. Compiled as they are they run everywhere; the modules beside
//! this one compile them once more for better instructions, and replace what the compiler
//! does not see through.

use super::block::{Block, LANES};
use crate::nnue::quantization::ACTIVATION_SCALE;

/// The largest clamped sum.
pub(super) const MAX_ACTIVATION: i16 = ACTIVATION_SCALE as i16;

impl Block {
    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(*number);
        }
    }

    #[inline(always)]
    fn subtract(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_sub(*number);
        }
    }
}

/// See [`super::Kernel::update`].
#[inline(always)]
pub(super) fn update<const A: usize, const R: usize>(
    to: &mut [Block],
    from: &[Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    // Cut to one length, so that the loop has no other checks.
    let length = to.len();
    let from = &from[..length];
    let added = added.map(|row| &row[..length]);
    let removed = removed.map(|row| &row[..length]);
    for index in 0..length {
        let mut block = from[index];
        for row in added {
            block.add(&row[index]);
        }
        for row in removed {
            block.subtract(&row[index]);
        }
        to[index] = block;
    }
}

/// Blocks of sums that stay in registers while the rows pass.
const TILE: usize = 4;

/// See [`super::Kernel::accumulate`].
#[inline(always)]
pub(super) fn accumulate(sums: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    let stride = sums.len();
    let (tiles, rest) = sums.as_chunks_mut::<TILE>();
    let mut offset = 0;
    for tile in tiles {
        accumulate_tile(tile, &weights[offset..], stride, added, removed);
        offset += TILE;
    }
    for block in rest {
        let tile = std::array::from_mut(block);
        accumulate_tile(tile, &weights[offset..], stride, added, removed);
        offset += 1;
    }
}

#[inline(always)]
fn accumulate_tile<const N: usize>(
    tile: &mut [Block; N],
    weights: &[Block],
    stride: usize,
    added: &[u16],
    removed: &[u16],
) {
    let mut sums = *tile;
    let row = |number: &u16| &weights[usize::from(*number) * stride..][..N];
    for blocks in added.iter().map(row) {
        for (sum, block) in sums.iter_mut().zip(blocks) {
            sum.add(block);
        }
    }
    for blocks in removed.iter().map(row) {
        for (sum, block) in sums.iter_mut().zip(blocks) {
            sum.subtract(block);
        }
    }
    *tile = sums;
}

/// See [`super::Kernel::output`].
#[inline(always)]
pub(super) fn output(sums: &[Block], weights: &[Block]) -> i32 {
    let mut totals = [0_i32; LANES];
    for (block, weights) in sums.iter().zip(weights) {
        for (total, (&sum, &weight)) in totals.iter_mut().zip(block.0.iter().zip(&weights.0)) {
            let activation = sum.clamp(0, MAX_ACTIVATION);
            // Fits: an output weight has 8 bits.
            let product = activation.wrapping_mul(weight);
            *total = total.wrapping_add(i32::from(product) * i32::from(activation));
        }
    }
    totals.into_iter().fold(0, i32::wrapping_add)
}
