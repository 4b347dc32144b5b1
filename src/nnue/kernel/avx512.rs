//! AVX-512 with BW, VL and VNNI: a block is a register.

use super::block::Block;
use super::plain::{self, MAX_ACTIVATION};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_load_si512, _mm512_max_epi16, _mm512_min_epi16,
    _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
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

#[target_feature(enable = "avx512f")]
fn load(block: &Block) -> __m512i {
    // SAFETY: a block is as long and as aligned as a register.
    #[allow(unsafe_code)]
    unsafe {
        _mm512_load_si512((&raw const *block).cast())
    }
}

/// See [`super::Kernel::output`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub(super) fn output(sums: &[Block], weights: &[Block]) -> i32 {
    let zero = _mm512_setzero_si512();
    let most = _mm512_set1_epi16(MAX_ACTIVATION);
    let term = |total, sum: &Block, weight: &Block| {
        let activation = _mm512_min_epi16(_mm512_max_epi16(load(sum), zero), most);
        let product = _mm512_mullo_epi16(activation, load(weight));
        _mm512_dpwssd_epi32(total, product, activation)
    };
    // Two chains of additions, so that one need not wait for the other.
    let mut totals = [zero; 2];
    let (sum_pairs, last_sum) = sums.as_chunks::<2>();
    let (weight_pairs, last_weight) = weights.as_chunks::<2>();
    for (sum, weight) in sum_pairs.iter().zip(weight_pairs) {
        totals[0] = term(totals[0], &sum[0], &weight[0]);
        totals[1] = term(totals[1], &sum[1], &weight[1]);
    }
    if let (Some(sum), Some(weight)) = (last_sum.first(), last_weight.first()) {
        totals[0] = term(totals[0], sum, weight);
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(totals[0], totals[1]))
}
