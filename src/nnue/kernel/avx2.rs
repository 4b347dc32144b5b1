//! AVX2: a block is two registers.

use super::block::{Block, LANES};
use super::plain::{self, Pair};
use crate::nnue::head::{GROUP, Head};
use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_storeu_si256,
};

/// See [`super::Kernel::update`].
#[target_feature(enable = "avx2")]
pub(super) fn update<const A: usize, const R: usize>(
    to: &mut [Block],
    from: &[Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    plain::update(to, from, added, removed);
}

/// See [`super::Kernel::accumulate`].
#[target_feature(enable = "avx2")]
pub(super) fn accumulate(sums: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    plain::accumulate(sums, weights, added, removed);
}

/// Both halves of a block.
#[target_feature(enable = "avx2")]
fn load(block: &Block) -> [__m256i; 2] {
    let start = block.0.as_ptr();
    // SAFETY: a half has as many numbers as a register, and both are as aligned as one.
    #[allow(unsafe_code)]
    unsafe {
        [_mm256_load_si256(start.cast()), _mm256_load_si256(start.add(LANES / 2).cast())]
    }
}

/// See [`super::Kernel::judge`].
#[target_feature(enable = "avx2")]
pub(super) fn judge(own: &[Block], other: &[Block], head: &Head) -> i32 {
    plain::judge_with(|sums, pairs, weights| add_pairs(sums, pairs, weights), own, other, head)
}

const _: () =
    assert!(size_of::<[i32; GROUP / 2]>() == size_of::<__m256i>(), "half of the sums fills a register");

#[target_feature(enable = "avx2")]
fn add_pairs(sums: &mut [i32; GROUP], pairs: &[Pair], weights: &[Block]) {
    let mut totals = [_mm256_setzero_si256(); 2];
    for (pair, weights) in pairs.iter().zip(weights) {
        let pair = _mm256_set1_epi32(plain::word(*pair));
        for (total, weights) in totals.iter_mut().zip(load(weights)) {
            *total = _mm256_add_epi32(*total, _mm256_madd_epi16(pair, weights));
        }
    }
    for (sums, total) in sums.as_chunks_mut::<{ GROUP / 2 }>().0.iter_mut().zip(totals) {
        // SAFETY: half of the sums fills a register, and need not be aligned.
        #[allow(unsafe_code)]
        unsafe {
            let sums: *mut __m256i = sums.as_mut_ptr().cast();
            _mm256_storeu_si256(sums, _mm256_add_epi32(_mm256_loadu_si256(sums), total));
        }
    }
}
