//! Random numbers with a seed, the same on every platform and in every build: xoshiro256++
//! (<https://prng.di.unimi.it/>, Blackman and Vigna 2018). Not for secrets, since the output reveals the state.

/// A stream of random numbers, determined by its seed.
///
/// The period is 2²⁵⁶ - 1. A clone continues with the same numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    /// Never all zero, a state that the generator would never leave.
    state: [u64; 4],
}

impl Rng {
    /// The stream with this seed. Similar seeds result in unrelated streams.
    pub const fn new(seed: u64) -> Self {
        let mut seeds = SplitMix64(seed);
        // Four successive outputs are different, so they are not all zero.
        Self { state: [seeds.next(), seeds.next(), seeds.next(), seeds.next()] }
    }

    /// The next number; all 64-bit values are equally likely.
    pub const fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let output = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ b << 17, d.rotate_left(45)];
        output
    }

    /// A number in `0..bound`; all are equally likely (<https://arxiv.org/abs/1805.10941>, Lemire 2019).
    ///
    /// # Panics
    /// If `bound` is zero.
    pub const fn below(&mut self, bound: u64) -> u64 {
        assert!(bound != 0, "no number is below zero");
        loop {
            let product = self.next_u64() as u128 * bound as u128;
            // The lowest (2⁶⁴ mod bound) fractions would favor some results.
            if product as u64 >= bound.wrapping_neg() % bound {
                return (product >> u64::BITS) as u64;
            }
        }
    }

    /// A number in `0.0..1.0`.
    pub const fn fraction(&mut self) -> f64 {
        /// The bits of the fraction of an `f64`.
        const BITS: u32 = f64::MANTISSA_DIGITS;
        (self.next_u64() >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
    }

    /// One of the items, with equal probability; `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(self.below(items.len() as u64) as usize)
    }

    /// Shuffles the items; all orders are equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): spreads a seed over the generator's state.
struct SplitMix64(u64);

impl SplitMix64 {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers were computed with a second implementation that uses arbitrary-precision integers.
    #[test]
    fn known_numbers() {
        let mut seeds = SplitMix64(1_234_567);
        assert_eq!(
            [seeds.next(), seeds.next(), seeds.next()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let numbers: Vec<u64> = (0..5).map(|_| rng.next_u64()).collect();
        assert_eq!(
            numbers,
            [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386, 9_228_616_714_210_784_205]
        );
    }

    #[test]
    fn below_is_even() {
        const BOUND: usize = 6;
        const DRAWS: usize = 60_000;
        let mut rng = Rng::new(1);
        let mut counts = [0; BOUND];
        for _ in 0..DRAWS {
            counts[rng.below(BOUND as u64) as usize] += 1;
        }
        // Six standard deviations of a binomial count are less than 600.
        assert!(counts.iter().all(|&count: &usize| count.abs_diff(DRAWS / BOUND) < 600), "{counts:?}");
        assert_eq!(rng.below(1), 0);
    }

    #[test]
    fn shuffled_items_are_the_same_items() {
        let mut rng = Rng::new(2);
        let mut items: Vec<u32> = (0..100).collect();
        rng.shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
        assert_eq!(rng.choose::<u32>(&[]), None);
        assert_eq!(rng.choose(&[7]), Some(&7));
    }
}
