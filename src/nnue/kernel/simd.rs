//! The kernels for instruction sets that not every machine supports.

/// AVX2: a block is two registers.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    use super::super::plain;
    use crate::chess::Square;
    use crate::nnue::L2_SIZE;
    use crate::nnue::features::{Changes, Code, Planes};
    use crate::nnue::layer_stack::{Block, GROUP, LANES, LayerStack};
    use crate::nnue::quantization::{L2_MAX, L3_MAX, SQUARE_SHIFT, SUM_SHIFT};
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_hadd_epi32, _mm256_add_epi32, _mm256_and_si256,
        _mm256_castsi256_pd, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256,
        _mm256_hadd_epi32, _mm256_load_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_max_epi32,
        _mm256_min_epi32, _mm256_movemask_pd, _mm256_packs_epi32, _mm256_permute2x128_si256,
        _mm256_permute4x64_epi64, _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_set1_epi64x,
        _mm256_setzero_si256, _mm256_srai_epi32, _mm256_srli_epi32,
    };

    kernel!(["avx2"], plain::TILE, |planes, square| code(planes, square), |own, other, scalars, stack| {
        propagate_by_neurons(own, other, scalars, stack)
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

    /// Numbers of 32 bits in a register.
    const WORDS: usize = 8;

    const _: () = assert!(
        size_of::<[i32; WORDS]>() == size_of::<__m256i>() && L2_SIZE == 2 * WORDS && GROUP == 2 * WORDS,
        "the sums of the second layer, and of a group of the third, fill two registers"
    );

    /// Eight numbers.
    #[target_feature(enable = "avx2")]
    fn load_words(numbers: &[i32; WORDS]) -> __m256i {
        // SAFETY: the numbers have the size of a register, and unaligned access is used.
        #[allow(unsafe_code)]
        unsafe {
            _mm256_loadu_si256(numbers.as_ptr().cast())
        }
    }

    /// See [`crate::nnue::Kernel::propagate`].
    #[target_feature(enable = "avx2")]
    fn propagate_by_neurons(own: &[Block], other: &[Block], scalars: &Block, stack: &LayerStack) -> i32 {
        let (bias, _) = stack.second_bias.as_chunks();
        let mut second = [load_words(&bias[0]), load_words(&bias[1])];
        let mut add = |products: &[Block], weights: &[[Block; L2_SIZE]]| {
            // Half of the neurons, so that their sums and what is added to them stay in registers.
            for (sums, neurons) in second.iter_mut().zip([0, WORDS]) {
                *sums = _mm256_add_epi32(*sums, totals(products, weights, neurons));
            }
        };
        add(std::slice::from_ref(scalars), std::slice::from_ref(&stack.scalars));
        plain::for_each_chunk(own, other, stack, add);
        let [low, high] = second.map(|sums| squares(sums, L2_MAX));
        // Instructions that pack two registers do so in each half of them.
        let inputs = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high));
        let (output_weights, _) = stack.output.as_chunks::<GROUP>();
        let mut output = _mm256_setzero_si256();
        for ((bias, weights), output_weights) in stack.third_bias.iter().zip(&stack.third).zip(output_weights)
        {
            let (bias, _) = bias.as_chunks();
            let mut sums = [load_words(&bias[0]), load_words(&bias[1])];
            for (pair, weights) in weights.iter().enumerate() {
                let pair = _mm256_permutevar8x32_epi32(inputs, _mm256_set1_epi32(pair as i32));
                for (sum, weights) in sums.iter_mut().zip(load(weights)) {
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
                }
            }
            for (sum, weights) in sums.into_iter().zip(output_weights.as_chunks().0) {
                // Both fit into 16 bits, see `squares`.
                let terms = _mm256_madd_epi16(squares(sum, L3_MAX), load_words(weights));
                output = _mm256_add_epi32(output, terms);
            }
        }
        let halves = _mm_add_epi32(_mm256_castsi256_si128(output), _mm256_extracti128_si256::<1>(output));
        let pairs = _mm_hadd_epi32(halves, halves);
        stack.output_bias + _mm_cvtsi128_si32(_mm_hadd_epi32(pairs, pairs))
    }

    /// The sums of products times weights of eight neurons.
    #[target_feature(enable = "avx2")]
    fn totals(products: &[Block], weights: &[[Block; L2_SIZE]], first_neuron: usize) -> __m256i {
        let mut sums = [_mm256_setzero_si256(); WORDS];
        for (products, weights) in products.iter().zip(weights) {
            let products = load(products);
            for (sum, weights) in sums.iter_mut().zip(&weights[first_neuron..][..WORDS]) {
                for (products, weights) in products.into_iter().zip(load(weights)) {
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(products, weights));
                }
            }
        }
        let [a, b, c, d, e, f, g, h] = sums;
        let four = |a, b, c, d| _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        let (first, second) = (four(a, b, c, d), four(e, f, g, h));
        let low = _mm256_permute2x128_si256::<0x20>(first, second);
        _mm256_add_epi32(low, _mm256_permute2x128_si256::<0x31>(first, second))
    }

    /// See [`plain::square`].
    #[target_feature(enable = "avx2")]
    fn squares(sums: __m256i, most: i32) -> __m256i {
        let shifted = _mm256_srai_epi32::<{ SUM_SHIFT as i32 }>(sums);
        let positive = _mm256_max_epi32(shifted, _mm256_setzero_si256());
        let clamped = _mm256_min_epi32(positive, _mm256_set1_epi32(most));
        // Clamped numbers fit into 16 bits, and pairs of these are faster to multiply than 32 bits.
        _mm256_srli_epi32::<{ SQUARE_SHIFT as i32 }>(_mm256_madd_epi16(clamped, clamped))
    }
}

/// AVX-512 with BW, VL and VNNI: a block is a register.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512 {
    use super::super::plain;
    use crate::chess::Square;
    use crate::nnue::L2_SIZE;
    use crate::nnue::features::{Changes, Code, Planes};
    use crate::nnue::layer_stack::{Block, GROUP, LayerStack};
    use crate::nnue::quantization::{L2_MAX, L3_MAX, SQUARE_SHIFT, SUM_SHIFT};
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi32, _mm512_castsi256_si512, _mm512_cvtepi32_epi16, _mm512_dpwssd_epi32,
        _mm512_load_si512, _mm512_loadu_si512, _mm512_madd_epi16, _mm512_max_epi32, _mm512_min_epi32,
        _mm512_permutexvar_epi32, _mm512_reduce_add_epi32, _mm512_set1_epi32, _mm512_set1_epi64,
        _mm512_setzero_si512, _mm512_shuffle_i32x4, _mm512_srai_epi32, _mm512_srli_epi32,
        _mm512_test_epi64_mask, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32,
        _mm512_unpacklo_epi64,
    };

    /// Blocks of sums that stay in registers: all sums of a perspective of 256 neurons, in a quarter of the registers.
    const TILE: usize = 8;

    kernel!(
        ["avx512f,avx512bw,avx512vl,avx512vnni"],
        TILE,
        |planes, square| code(planes, square),
        |own, other, scalars, stack| propagate_by_neurons(own, other, scalars, stack)
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

    const _: () = assert!(
        size_of::<[i32; GROUP]>() == size_of::<__m512i>() && L2_SIZE == GROUP,
        "the sums of the second layer, and of a group of the third, fill a register"
    );

    /// See [`crate::nnue::Kernel::propagate`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn propagate_by_neurons(own: &[Block], other: &[Block], scalars: &Block, stack: &LayerStack) -> i32 {
        let inputs = load(scalars);
        let mut sums: [__m512i; L2_SIZE] =
            std::array::from_fn(|neuron| _mm512_madd_epi16(inputs, load(&stack.scalars[neuron])));
        let half = own.len() / 2;
        let (weights, _) = stack.second.as_chunks::<L2_SIZE>();
        for (perspective, weights) in [own, other].into_iter().zip(weights.chunks_exact(half)) {
            let (first, partners) = perspective.split_at(half);
            for ((first, partners), weights) in first.iter().zip(partners).zip(weights) {
                let products = load(&plain::products(first, partners));
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = _mm512_dpwssd_epi32(*sum, products, load(weights));
                }
            }
        }
        let second = _mm512_add_epi32(totals(sums), load_words(&stack.second_bias));
        let inputs = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(squares(second, L2_MAX)));
        let (output_weights, _) = stack.output.as_chunks();
        let mut output = _mm512_setzero_si512();
        for ((bias, weights), output_weights) in stack.third_bias.iter().zip(&stack.third).zip(output_weights)
        {
            // Two chains of additions, which need not wait for each other.
            let mut sums = [load_words(bias), _mm512_setzero_si512()];
            for (pair, weights) in weights.iter().enumerate() {
                let inputs = _mm512_permutexvar_epi32(_mm512_set1_epi32(pair as i32), inputs);
                sums[pair % 2] = _mm512_dpwssd_epi32(sums[pair % 2], inputs, load(weights));
            }
            let third = squares(_mm512_add_epi32(sums[0], sums[1]), L3_MAX);
            // Both fit into 16 bits, see `squares`.
            output = _mm512_dpwssd_epi32(output, third, load_words(output_weights));
        }
        stack.output_bias + _mm512_reduce_add_epi32(output)
    }

    /// The total of the numbers in each register, in the order of the registers.
    #[target_feature(enable = "avx512f")]
    fn totals(registers: [__m512i; L2_SIZE]) -> __m512i {
        // In each quarter of two and then four registers.
        let two = |a, b| _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let four = |a, b| _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
        // The even quarters of two registers plus the odd ones.
        let quarters = |a, b| {
            let even = _mm512_shuffle_i32x4::<0b10_00_10_00>(a, b);
            _mm512_add_epi32(even, _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b))
        };
        let fours: [__m512i; L2_SIZE / 4] = std::array::from_fn(|index| {
            let start = 4 * index;
            let first = two(registers[start], registers[start + 1]);
            four(first, two(registers[start + 2], registers[start + 3]))
        });
        quarters(quarters(fours[0], fours[1]), quarters(fours[2], fours[3]))
    }

    /// See [`plain::square`].
    #[target_feature(enable = "avx512f,avx512bw")]
    fn squares(sums: __m512i, most: i32) -> __m512i {
        let positive = _mm512_max_epi32(_mm512_srai_epi32::<SUM_SHIFT>(sums), _mm512_setzero_si512());
        let clamped = _mm512_min_epi32(positive, _mm512_set1_epi32(most));
        // Clamped numbers fit into 16 bits, and pairs of these are faster to multiply than 32 bits.
        _mm512_srli_epi32::<SQUARE_SHIFT>(_mm512_madd_epi16(clamped, clamped))
    }

    /// Sixteen numbers.
    #[target_feature(enable = "avx512f")]
    fn load_words(numbers: &[i32; GROUP]) -> __m512i {
        // SAFETY: the numbers have the size of a register, and unaligned access is used.
        #[allow(unsafe_code)]
        unsafe {
            _mm512_loadu_si512(numbers.as_ptr().cast())
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

    kernel!(["neon"], plain::TILE, Planes::code, plain::propagate);
}
