//! The kernels in plain Rust. The portable kernel uses them directly; [`super::simd`] compiles them for other
//! instruction sets, and replaces the parts that the compiler does not vectorize well.

use crate::nnue::L2_SIZE;
use crate::nnue::layer_stack::{Block, LayerStack};
use crate::nnue::quantization::{L2_MAX, L3_MAX, PRODUCT_SHIFT, QA, SQUARE_SHIFT, SUM_SHIFT};

/// The maximum clamped sum.
const MAX_ACTIVATION: i16 = QA as i16;

/// The portable kernel.
pub(super) mod portable {
    use super::super::plain;
    use crate::nnue::features::{Changes, Planes};
    use crate::nnue::layer_stack::{Block, LayerStack};

    kernel!([], plain::TILE, Planes::code, plain::propagate);
}

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

/// Blocks of sums that stay in registers while rows are added, on an unknown machine.
pub(super) const TILE: usize = 4;

/// See [`super::Kernel::update`]. `N` blocks of sums stay in registers while rows are added.
#[inline(always)]
pub(super) fn update<const N: usize>(
    to: &mut [Block],
    from: &[Block],
    weights: &[Block],
    added: &[u16],
    removed: &[u16],
) {
    let stride = to.len();
    let (tiles, rest) = to.as_chunks_mut::<N>();
    let (sources, others) = from[..stride].as_chunks::<N>();
    let mut offset = 0;
    for (tile, from) in tiles.iter_mut().zip(sources) {
        update_tile(tile, from, &weights[offset..], stride, added, removed);
        offset += N;
    }
    for (block, from) in rest.iter_mut().zip(others) {
        let (tile, from) = (std::array::from_mut(block), std::array::from_ref(from));
        update_tile(tile, from, &weights[offset..], stride, added, removed);
        offset += 1;
    }
}

#[inline(always)]
fn update_tile<const N: usize>(
    tile: &mut [Block; N],
    from: &[Block; N],
    weights: &[Block],
    stride: usize,
    added: &[u16],
    removed: &[u16],
) {
    let mut sums = *from;
    let row = |number: &u16| &weights[usize::from(*number) * stride..][..N];
    // In most cases as many rows are added as removed.
    let both = added.len().min(removed.len());
    let ((added, more_added), (removed, more_removed)) = (added.split_at(both), removed.split_at(both));
    for (added, removed) in added.iter().map(row).zip(removed.iter().map(row)) {
        for ((sum, added), removed) in sums.iter_mut().zip(added).zip(removed) {
            sum.add(added);
            sum.subtract(removed);
        }
    }
    for added in more_added.iter().map(row) {
        for (sum, added) in sums.iter_mut().zip(added) {
            sum.add(added);
        }
    }
    for removed in more_removed.iter().map(row) {
        for (sum, removed) in sums.iter_mut().zip(removed) {
            sum.subtract(removed);
        }
    }
    *tile = sums;
}

/// Blocks of products that are computed before they are multiplied by weights: those of a perspective of 256 neurons.
pub(super) const CHUNK: usize = 4;

/// Calls `add` with each chunk of products of the first hidden layer, of at most [`CHUNK`] blocks, and with the weights
/// of each block of it.
#[inline(always)]
pub(super) fn for_each_chunk(
    own: &[Block],
    other: &[Block],
    stack: &LayerStack,
    mut add: impl FnMut(&[Block], &[[Block; L2_SIZE]]),
) {
    let half = own.len() / 2;
    let (weights, _) = stack.second.as_chunks();
    for (sums, weights) in [own, other].into_iter().zip(weights.chunks_exact(half)) {
        let (first, partners) = sums.split_at(half);
        let chunks = first.chunks(CHUNK).zip(partners.chunks(CHUNK));
        for ((first, partners), weights) in chunks.zip(weights.chunks(CHUNK)) {
            let mut chunk = [Block::ZERO; CHUNK];
            for ((to, first), partners) in chunk.iter_mut().zip(first).zip(partners) {
                *to = products(first, partners);
            }
            add(&chunk[..first.len().min(CHUNK)], weights);
        }
    }
}

/// See [`super::Kernel::propagate`].
#[inline(always)]
pub(super) fn propagate(own: &[Block], other: &[Block], scalars: &Block, stack: &LayerStack) -> i32 {
    let mut second = stack.second_bias;
    for (sum, weights) in second.iter_mut().zip(&stack.scalars) {
        *sum += dot(scalars, weights);
    }
    for_each_chunk(own, other, stack, |products, weights| {
        for (neuron, sum) in second.iter_mut().enumerate() {
            let terms =
                products.iter().zip(weights).map(|(products, weights)| dot(products, &weights[neuron]));
            *sum += terms.sum::<i32>();
        }
    });
    let inputs = second.map(|sum| square(sum, L2_MAX));
    let mut third = stack.third_bias;
    for (sums, weights) in third.iter_mut().zip(&stack.third) {
        for (inputs, weights) in inputs.as_chunks::<2>().0.iter().zip(weights) {
            for (sum, weights) in sums.iter_mut().zip(weights.0.as_chunks::<2>().0) {
                *sum += inputs[0] * i32::from(weights[0]) + inputs[1] * i32::from(weights[1]);
            }
        }
    }
    let terms = third.as_flattened().iter().zip(&stack.output);
    stack.output_bias + terms.map(|(&sum, weight)| square(sum, L3_MAX) * weight).sum::<i32>()
}

/// The sum of the products of the numbers of two blocks.
#[inline(always)]
fn dot(numbers: &Block, weights: &Block) -> i32 {
    let pairs = numbers.0.iter().zip(&weights.0);
    pairs.map(|(&number, &weight)| i32::from(number) * i32::from(weight)).sum()
}

/// Each clamped sum times its partner.
#[inline(always)]
pub(super) fn products(sums: &Block, partners: &Block) -> Block {
    Block(std::array::from_fn(|index| {
        // 255 times 255 fits into 16 bits unsigned, and the shifted product into 16 bits signed.
        ((clamped(sums.0[index]) * clamped(partners.0[index])) >> PRODUCT_SHIFT) as i16
    }))
}

#[inline(always)]
fn clamped(sum: i16) -> u16 {
    sum.clamp(0, MAX_ACTIVATION) as u16
}

/// The activation of a neuron of a later layer: the square of its sum, clamped to the range of `0..=1`.
#[inline(always)]
pub(super) fn square(sum: i32, most: i32) -> i32 {
    let clamped = (sum >> SUM_SHIFT).clamp(0, most);
    (clamped * clamped) >> SQUARE_SHIFT
}
