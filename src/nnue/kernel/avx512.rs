//! AVX-512 with BW, VL and VNNI: a block is a register.

use super::block::{Block, LANES};
use super::plain::{self, Pair};
use crate::nnue::SECOND;
use crate::nnue::head::{GROUP, Head};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_load_si512, _mm512_loadu_si512, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_storeu_si512,
};

/// See [`super::Kernel::update`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub(super) fn update<const A: usize, const R: usize>(
    to: &mut [Block],
    from: &[Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    plain::update(to, from, added, removed);
}

/// See [`super::Kernel::accumulate`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub(super) fn accumulate(sums: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
    plain::accumulate(sums, weights, added, removed);
}

/// See [`super::Kernel::judge`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub(super) fn judge(own: &[Block], other: &[Block], head: &Head) -> i32 {
    plain::judge_with(|sums, pairs, weights| add_pairs(sums, pairs, weights), own, other, head)
}

/// Additions that need not wait for each other.
const CHAINS: usize = 4;

const _: () =
    assert!(size_of::<[i32; GROUP]>() == size_of::<__m512i>(), "the sums of a group fill a register");
const _: () = assert!(
    (LANES / 2).is_multiple_of(CHAINS) && (SECOND / 2).is_multiple_of(CHAINS),
    "pairs come in whole chains, from a block of products or from the second layer"
);

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn add_pairs(sums: &mut [i32; GROUP], pairs: &[Pair], weights: &[Block]) {
    let mut totals = [_mm512_setzero_si512(); CHAINS];
    for (pairs, weights) in pairs.as_chunks::<CHAINS>().0.iter().zip(weights.as_chunks::<CHAINS>().0) {
        for ((total, pair), weights) in totals.iter_mut().zip(pairs).zip(weights) {
            *total = _mm512_dpwssd_epi32(*total, _mm512_set1_epi32(plain::word(*pair)), load(weights));
        }
    }
    let [a, b, c, d] = totals;
    let total = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
    // SAFETY: the sums fill a register, and need not be aligned.
    #[allow(unsafe_code)]
    unsafe {
        let sums: *mut i32 = sums.as_mut_ptr();
        _mm512_storeu_si512(sums.cast(), _mm512_add_epi32(_mm512_loadu_si512(sums.cast()), total));
    }
}

#[target_feature(enable = "avx512f")]
fn load(block: &Block) -> __m512i {
    // SAFETY: a block is as long and as aligned as a register.
    #[allow(unsafe_code)]
    unsafe {
        _mm512_load_si512((&raw const *block).cast())
    }
}
