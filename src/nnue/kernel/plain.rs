//! The kernels in plain Rust. The portable kernel uses them directly; [`super::simd`] compiles them for other
//! instruction sets, and replaces the parts that the compiler does not vectorize well.

use crate::nnue::layer_stack::{Block, GROUP, LANES, LayerStack};
use crate::nnue::quantization::{L2_MAX, L3_MAX, PRODUCT_SHIFT, QA, SQUARE_SHIFT, SUM_SHIFT};

/// The maximum clamped sum.
const MAX_ACTIVATION: i16 = QA as i16;

/// The portable kernel.
pub(super) mod portable {
    use super::super::plain;
    use crate::nnue::features::{Changes, Planes};
    use crate::nnue::layer_stack::{Block, LayerStack};

    kernel!([], plain::TILE, Planes::code, plain::add_pairs);
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
        sums.iter_mut().zip(added).for_each(|(sum, added)| sum.add(added));
    }
    for removed in more_removed.iter().map(row) {
        sums.iter_mut().zip(removed).for_each(|(sum, removed)| sum.subtract(removed));
    }
    *tile = sums;
}

/// Adjacent numbers, which are multiplied and added together.
pub(super) type Pair = [i16; 2];

/// See [`super::Kernel::propagate`]. `add_pairs` adds pairs of numbers times their weights to the sums of a group of
/// neurons.
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
        // 255 times 255 fits into 16 bits unsigned, and the shifted product into 16 bits signed.
        ((clamped(sums.0[index]) * clamped(partners.0[index])) >> PRODUCT_SHIFT) as i16
    })
}

#[inline(always)]
fn clamped(sum: i16) -> u16 {
    sum.clamp(0, MAX_ACTIVATION) as u16
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
