//! The order of the examples: another one in every epoch, none of them stored.

use crate::rng::Rng;

/// Rounds of the network that mixes an index. Four make it look random
/// (Luby and Rackoff 1988); two more cost little.
const ROUNDS: usize = 6;

/// A random order of the numbers below a length, each looked up by itself.
///
/// A Feistel network permutes the numbers of just enough bits; those beyond the length
/// are mixed again until they do not ("cycle walking", Black and Rogaway 2002).
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    length: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS],
}

impl Permutation {
    /// The order of `length` numbers, at least one, that this seed determines.
    pub(super) fn new(length: u64, seed: u64) -> Self {
        let bits = (u64::BITS - length.saturating_sub(1).leading_zeros()).max(2);
        let low_bits = bits / 2;
        let mut rng = Rng::new(seed);
        Self {
            length: length.max(1),
            low_bits,
            low_mask: (1 << low_bits) - 1,
            high_mask: (1 << (bits - low_bits)) - 1,
            keys: std::array::from_fn(|_| rng.next_u64()),
        }
    }

    /// The number at this place; the place is below the length.
    #[inline]
    pub(super) fn at(&self, place: u64) -> u64 {
        let mut number = place;
        loop {
            number = self.mix(number);
            if number < self.length {
                return number;
            }
        }
    }

    /// One-to-one for any keys: each round changes one half by the other.
    #[inline]
    fn mix(&self, number: u64) -> u64 {
        let mut low = number & self.low_mask;
        let mut high = number >> self.low_bits;
        for keys in self.keys.as_chunks::<2>().0 {
            low ^= scramble(high, keys[0]) & self.low_mask;
            high ^= scramble(low, keys[1]) & self.high_mask;
        }
        high << self.low_bits | low
    }
}

#[inline]
fn scramble(half: u64, key: u64) -> u64 {
    /// Odd, with bits well spread: 2⁶⁴ divided by the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    // The upper half of a product depends on all bits of its factors.
    ((half ^ key).wrapping_mul(FACTOR)) >> 32
}

/// The endless sequence of examples: all of them, then all of them in another order, and so on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    /// The number of examples, at least one.
    pub length: u64,
    /// Determines every order.
    pub seed: u64,
}

impl Order {
    /// The sequence from its member `number` on, as indices of examples.
    pub(super) fn from(self, number: u64) -> impl Iterator<Item = usize> {
        let length = self.length.max(1);
        let mut epoch = number / length;
        let mut place = number % length;
        let mut permutation = self.permutation(epoch);
        std::iter::repeat_with(move || {
            if place == length {
                place = 0;
                epoch += 1;
                permutation = self.permutation(epoch);
            }
            place += 1;
            permutation.at(place - 1) as usize
        })
    }

    fn permutation(self, epoch: u64) -> Permutation {
        Permutation::new(self.length, Rng::new(self.seed).next_u64().wrapping_add(epoch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_every_number_once() {
        for length in [1, 2, 3, 4, 5, 31, 32, 33, 1000, 65_536, 65_537] {
            let permutation = Permutation::new(length, 7);
            let mut numbers: Vec<u64> = (0..length).map(|place| permutation.at(place)).collect();
            assert!(length < 31 || !numbers.is_sorted(), "{length}");
            numbers.sort_unstable();
            assert_eq!(numbers, (0..length).collect::<Vec<_>>(), "{length}");
        }
    }

    #[test]
    fn an_order_looks_random() {
        const LENGTH: u64 = 10_000;
        let permutation = Permutation::new(LENGTH, 3);
        let numbers: Vec<u64> = (0..LENGTH).map(|place| permutation.at(place)).collect();
        // A quarter of each quarter comes from each quarter, within six standard deviations.
        for (quarter, part) in numbers.chunks(LENGTH as usize / 4).enumerate() {
            for target in 0..4 {
                let count = part.iter().filter(|&&number| number / (LENGTH / 4) == target).count();
                assert!(count.abs_diff(625) < 130, "{count} of quarter {target} in quarter {quarter}");
            }
        }
        // Random orders have about one pair of neighbors that stay neighbors in sequence.
        let neighbors = numbers.windows(2).filter(|pair| pair[1] == pair[0] + 1).count();
        assert!(neighbors < 10, "{neighbors} neighbors remain");
    }

    #[test]
    fn the_sequence_can_be_entered_anywhere() {
        let order = Order { length: 100, seed: 5 };
        let all: Vec<usize> = order.from(0).take(350).collect();
        for start in [0, 1, 99, 100, 101, 250] {
            let part: Vec<usize> = order.from(start as u64).take(100).collect();
            assert_eq!(part, all[start..start + 100], "from {start}");
        }
        assert_ne!(all[..100], all[100..200]);
    }
}
