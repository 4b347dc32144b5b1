//! The kernels in plain Rust. The portable kernel uses them directly; [`super::simd`] compiles them for other
//! instruction sets, and replaces the part that the compiler does not vectorize well.

use crate::nnue::layer_stack::{Block, GROUP, LANES, LayerStack};
use crate::nnue::quantization::{L2_MAX, L3_MAX, PRODUCT_SHIFT, QA, SQUARE_SHIFT, SUM_SHIFT};

/// The maximum clamped sum.
const MAX_ACTIVATION: i16 = QA as i16;

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
    // Slices of equal length, so that the loop has no bounds checks.
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

/// Blocks of sums that stay in registers while the rows are added.
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

/// Adjacent numbers, which are multiplied and added together.
pub(super) type Pair = [i16; 2];

/// See [`super::Kernel::propagate`].
#[inline(always)]
pub(super) fn propagate(own: &[Block], other: &[Block], stack: &LayerStack) -> i32 {
    propagate_with(add_pairs, own, other, stack)
}

/// The same with a function that adds pairs of numbers times their weights to the sums of a group of neurons.
#[inline(always)]
pub(super) fn propagate_with(
    add_pairs: impl Fn(&mut [i32; GROUP], &[Pair], &[Block]),
    own: &[Block],
    other: &[Block],
    stack: &LayerStack,
) -> i32 {
    let mut second = stack.second_bias;
    let half = own.len() / 2;
    let (weights, _) = stack.second.as_chunks::<GROUP>();
    for (sums, weights) in [own, other].into_iter().zip(weights.chunks_exact(half)) {
        let (first, partners) = sums.split_at(half);
        for ((first, partners), weights) in first.iter().zip(partners).zip(weights) {
            add_pairs(&mut second, products(first, partners).as_chunks().0, weights);
        }
    }
    let activations = second.map(|sum| square(sum, L2_MAX) as i16);
    let mut third = stack.third_bias;
    for (sums, weights) in third.iter_mut().zip(&stack.third) {
        add_pairs(sums, activations.as_chunks().0, weights);
    }
    let terms = third.as_flattened().iter().zip(&stack.output);
    stack.output_bias + terms.map(|(&sum, weight)| square(sum, L3_MAX) * weight).sum::<i32>()
}

/// Each clamped sum times its partner.
#[inline(always)]
fn products(sums: &Block, partners: &Block) -> [i16; LANES] {
    std::array::from_fn(|index| {
        let [sum, partner] = [sums, partners].map(|block| block.0[index].clamp(0, MAX_ACTIVATION) as u16);
        // 255 times 255 fits into 16 bits unsigned, and the shifted product into 16 bits signed.
        ((sum * partner) >> PRODUCT_SHIFT) as i16
    })
}

/// The activation of a neuron of a later layer: the square of its sum, clamped to the range of `0..=1`.
#[inline(always)]
fn square(sum: i32, most: i32) -> i32 {
    let clamped = (sum >> SUM_SHIFT).clamp(0, most);
    (clamped * clamped) >> SQUARE_SHIFT
}

#[inline(always)]
pub(super) fn add_pairs(sums: &mut [i32; GROUP], pairs: &[Pair], weights: &[Block]) {
    for (pair, weights) in pairs.iter().zip(weights) {
        let [first, second] = pair.map(i32::from);
        for (sum, weights) in sums.iter_mut().zip(weights.0.as_chunks::<2>().0) {
            *sum += first * i32::from(weights[0]) + second * i32::from(weights[1]);
        }
    }
}

/// A pair as the 32 bits that vector instructions broadcast.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
pub(super) fn word([first, second]: Pair) -> i32 {
    i32::from(first as u16) | (i32::from(second) << i16::BITS)
}
