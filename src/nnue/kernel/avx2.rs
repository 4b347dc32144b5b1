//! AVX2: a block is two registers.

use super::block::{Block, LANES};
use super::plain::{self, MAX_ACTIVATION};
use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
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

/// See [`super::Kernel::output`].
#[target_feature(enable = "avx2")]
pub(super) fn output(sums: &[Block], weights: &[Block]) -> i32 {
    let zero = _mm256_setzero_si256();
    let most = _mm256_set1_epi16(MAX_ACTIVATION);
    let mut totals = [zero; 2];
    for (sum, weight) in sums.iter().zip(weights) {
        let (sums, weights) = (load(sum), load(weight));
        for half in 0..2 {
            let activation = _mm256_min_epi16(_mm256_max_epi16(sums[half], zero), most);
            let product = _mm256_mullo_epi16(activation, weights[half]);
            totals[half] = _mm256_add_epi32(totals[half], _mm256_madd_epi16(product, activation));
        }
    }
    let total = _mm256_add_epi32(totals[0], totals[1]);
    let four = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
}
