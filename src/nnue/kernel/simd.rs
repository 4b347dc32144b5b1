//! The kernels for instruction sets that not every machine supports.

/// AVX2: a block is two registers.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    use super::super::plain::{self, Pair};
    use crate::chess::Square;
    use crate::nnue::features::{Changes, Code, Planes};
    use crate::nnue::layer_stack::{Block, GROUP, LANES, LayerStack};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_and_si256, _mm256_castsi256_pd, _mm256_cmpeq_epi64,
        _mm256_load_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_movemask_pd, _mm256_set1_epi32,
        _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_storeu_si256,
    };

    kernel!(["avx2"], plain::TILE, |planes, square| code(planes, square), |sums, pairs, weights| {
        add_pairs(sums, pairs, weights)
    });

    const _: () = assert!(
        size_of::<Planes>() == 2 * size_of::<__m256i>() && align_of::<Planes>() >= align_of::<__m256i>(),
        "planes fill two registers"
    );

    /// The code of a square: its bits of all planes at once.
    #[target_feature(enable = "avx2")]
    fn code(planes: &Planes, square: Square) -> Code {
        let bit = _mm256_set1_epi64x(square.bitboard().bits() as i64);
        let start = planes.0.as_ptr();
        // SAFETY: planes are as large as two registers and aligned as a cache line.
        #[allow(unsafe_code)]
        let halves = unsafe {
            [_mm256_load_si256(start.cast()), _mm256_load_si256(start.add(planes.0.len() / 2).cast())]
        };
        let [low, high] = halves.map(|half| {
            let is_set = _mm256_cmpeq_epi64(_mm256_and_si256(half, bit), bit);
            _mm256_movemask_pd(_mm256_castsi256_pd(is_set))
        });
        Code((low | high << 4) as u8)
    }

    /// Both halves of a block.
    #[target_feature(enable = "avx2")]
    fn load(block: &Block) -> [__m256i; 2] {
        let start = block.0.as_ptr();
        // SAFETY: half of a block has the size and alignment of a register.
        #[allow(unsafe_code)]
        unsafe {
            [_mm256_load_si256(start.cast()), _mm256_load_si256(start.add(LANES / 2).cast())]
        }
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
            // SAFETY: half of the sums has the size of a register, and unaligned access is used.
            #[allow(unsafe_code)]
            unsafe {
                let sums: *mut __m256i = sums.as_mut_ptr().cast();
                _mm256_storeu_si256(sums, _mm256_add_epi32(_mm256_loadu_si256(sums), total));
            }
        }
    }
}

/// AVX-512 with BW, VL and VNNI: a block is a register.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512 {
    use super::super::plain::{self, Pair};
    use crate::chess::Square;
    use crate::nnue::L2_SIZE;
    use crate::nnue::features::{Changes, Code, Planes};
    use crate::nnue::layer_stack::{Block, GROUP, LANES, LayerStack};
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_load_si512, _mm512_loadu_si512,
        _mm512_set1_epi32, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_storeu_si512,
        _mm512_test_epi64_mask,
    };

    /// Blocks of sums that stay in registers: all sums of a perspective of 256 neurons, in a quarter of the registers.
    const TILE: usize = 8;

    kernel!(
        ["avx512f,avx512bw,avx512vl,avx512vnni"],
        TILE,
        |planes, square| code(planes, square),
        |sums, pairs, weights| add_pairs(sums, pairs, weights)
    );

    const _: () = assert!(
        size_of::<Planes>() == size_of::<__m512i>() && align_of::<Planes>() >= align_of::<__m512i>(),
        "planes fill a register"
    );

    /// The code of a square: its bits of all planes at once.
    #[target_feature(enable = "avx512f")]
    fn code(planes: &Planes, square: Square) -> Code {
        // SAFETY: planes have the size and alignment of a register.
        #[allow(unsafe_code)]
        let planes = unsafe { _mm512_load_si512(planes.0.as_ptr().cast()) };
        Code(_mm512_test_epi64_mask(planes, _mm512_set1_epi64(square.bitboard().bits() as i64)))
    }

    /// Independent chains of additions.
    const CHAINS: usize = 4;

    const _: () =
        assert!(size_of::<[i32; GROUP]>() == size_of::<__m512i>(), "the sums of a group fill a register");
    const _: () = assert!(
        (LANES / 2).is_multiple_of(CHAINS) && (L2_SIZE / 2).is_multiple_of(CHAINS),
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
        // SAFETY: the sums have the size of a register, and unaligned access is used.
        #[allow(unsafe_code)]
        unsafe {
            let sums: *mut i32 = sums.as_mut_ptr();
            _mm512_storeu_si512(sums.cast(), _mm512_add_epi32(_mm512_loadu_si512(sums.cast()), total));
        }
    }

    #[target_feature(enable = "avx512f")]
    fn load(block: &Block) -> __m512i {
        // SAFETY: a block has the size and alignment of a register.
        #[allow(unsafe_code)]
        unsafe {
            _mm512_load_si512((&raw const *block).cast())
        }
    }
}

/// NEON: a block is four registers, and the compiler vectorizes the plain code.
#[cfg(target_arch = "aarch64")]
pub(super) mod neon {
    use super::super::plain;
    use crate::nnue::features::{Changes, Planes};
    use crate::nnue::layer_stack::{Block, LayerStack};

    kernel!(["neon"], plain::TILE, Planes::code, plain::add_pairs);
}
