//! An adaptive binary range coder: converts yes-or-no decisions with their probabilities to bytes, and back.
//!
//! The code is a fraction between 0 and 1. Each decision divides the interval that contains it in proportion to the
//! probabilities of yes and no, so an expected decision takes a small fraction of a bit
//! (<https://en.wikipedia.org/wiki/Range_coding>).

/// The number of bits of a probability.
pub(super) const PROBABILITY_BITS: u32 = 16;
/// The probability of certainty. Those of decisions are between zero and this.
pub(super) const CERTAIN: u32 = 1 << PROBABILITY_BITS;

/// The number of bits of a byte, by which the interval is shifted.
const BYTE: u32 = u8::BITS;
/// The position of the first byte of the interval's bounds.
const FIRST_BYTE: u32 = u64::BITS - BYTE;

/// Codes decisions: an encoder writes the given ones, a decoder returns those that were written. So one function
/// implements both directions of a format.
pub(super) trait BitCoder {
    /// Codes a decision that is yes with this probability, in fractions of [`CERTAIN`]. Returns the decision; a decoder
    /// ignores `decision`.
    fn code(&mut self, decision: bool, probability: u32) -> bool;

    /// Whether decisions are no longer those of the code because it has ended: never true when encoding.
    fn is_exhausted(&self) -> bool;
}

/// The bounds of the interval, both inclusive.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: u64,
    high: u64,
}

impl Interval {
    const WHOLE: Self = Self { low: 0, high: u64::MAX };

    /// The last number of the part for yes. Neither part is empty.
    fn split(self, probability: u32) -> u64 {
        debug_assert!((1..CERTAIN).contains(&probability));
        let width = self.high - self.low;
        self.low + (width >> PROBABILITY_BITS) * u64::from(probability)
    }

    fn narrow(&mut self, split: u64, decision: bool) {
        if decision {
            self.high = split;
        } else {
            self.low = split + 1;
        }
    }

    /// Removes the first byte if it is the same in both bounds.
    fn shift(&mut self) -> Option<u8> {
        let first = self.high >> FIRST_BYTE;
        if self.low >> FIRST_BYTE != first {
            return None;
        }
        self.low <<= BYTE;
        self.high = self.high << BYTE | u64::from(u8::MAX);
        Some(first as u8)
    }
}

/// Writes a code.
#[derive(Debug)]
pub(super) struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) const fn new() -> Self {
        Self { interval: Interval::WHOLE, bytes: Vec::new() }
    }

    /// Ends the code with the fewest bytes that identify the interval if zeros follow.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let Interval { low, high } = self.interval;
        let bytes = high.to_be_bytes();
        let is_enough = |&count: &usize| {
            let mut code = [0; size_of::<u64>()];
            code[..count].copy_from_slice(&bytes[..count]);
            u64::from_be_bytes(code) >= low
        };
        let count = (0..bytes.len()).find(is_enough).unwrap_or(bytes.len());
        self.bytes.extend(&bytes[..count]);
        self.bytes
    }
}

impl BitCoder for Encoder {
    #[inline]
    fn code(&mut self, decision: bool, probability: u32) -> bool {
        let split = self.interval.split(probability);
        self.interval.narrow(split, decision);
        while let Some(byte) = self.interval.shift() {
            self.bytes.push(byte);
        }
        decision
    }

    fn is_exhausted(&self) -> bool {
        false
    }
}

/// Reads a code. Zeros are read after its end.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    interval: Interval,
    code: u64,
    bytes: &'a [u8],
    /// The number of zeros that were read after the end.
    made_up: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut this = Self { interval: Interval::WHOLE, code: 0, bytes, made_up: 0 };
        (0..size_of::<u64>()).for_each(|_| this.read());
        this
    }

    fn read(&mut self) {
        let byte = match self.bytes.split_off_first() {
            Some(&byte) => byte,
            None => {
                self.made_up += 1;
                0
            }
        };
        self.code = self.code << BYTE | u64::from(byte);
    }
}

impl BitCoder for Decoder<'_> {
    #[inline]
    fn code(&mut self, _decision: bool, probability: u32) -> bool {
        let split = self.interval.split(probability);
        let decision = self.code <= split;
        self.interval.narrow(split, decision);
        while self.interval.shift().is_some() {
            self.read();
        }
        decision
    }

    /// The decoder is ahead by the bytes of the interval, and the encoder omits as many zeros.
    fn is_exhausted(&self) -> bool {
        self.made_up > size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Decisions that are yes with a given probability, and that probability.
    fn decisions(seed: u64, count: usize, probability: impl Fn(&mut Rng) -> u32) -> Vec<(bool, u32)> {
        let mut rng = Rng::new(seed);
        let one = |_| {
            let probability = probability(&mut rng);
            (rng.below(CERTAIN.into()) < probability.into(), probability)
        };
        (0..count).map(one).collect()
    }

    fn encode(decisions: &[(bool, u32)]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        for &(decision, probability) in decisions {
            encoder.code(decision, probability);
        }
        encoder.finish()
    }

    #[test]
    fn decisions_come_back_and_take_what_they_are_worth() {
        for seed in 0..50 {
            let all = decisions(seed, 20 * seed as usize, |rng| 1 + rng.below(CERTAIN as u64 - 1) as u32);
            let bytes = encode(&all);
            let mut decoder = Decoder::new(&bytes);
            for (index, &(decision, probability)) in all.iter().enumerate() {
                assert_eq!(decoder.code(false, probability), decision, "seed {seed}, decision {index}");
                assert!(!decoder.is_exhausted());
            }
            let worth = |&(decision, yes): &(bool, u32)| {
                let probability = if decision { yes } else { CERTAIN - yes };
                -(f64::from(probability) / f64::from(CERTAIN)).log2()
            };
            let bits: f64 = all.iter().map(worth).sum();
            let bytes = bytes.len() as f64;
            assert!(bytes <= bits / 8.0 + 2.0 && bytes + 1.0 >= bits / 8.0, "{bytes} bytes for {bits} bits");
        }
    }

    #[test]
    fn extreme_probabilities_come_back() {
        for (decision, probability) in [(true, 1), (false, 1), (true, CERTAIN - 1), (false, CERTAIN - 1)] {
            let all = vec![(decision, probability); 3000];
            let bytes = encode(&all);
            let mut decoder = Decoder::new(&bytes);
            assert!(all.iter().all(|&(decision, probability)| decoder.code(false, probability) == decision));
        }
    }

    #[test]
    fn a_code_that_has_ended_is_noticed() {
        // If the first bytes of the bounds differ by one, the interval may shrink in steps of one.
        const MOST: usize = 2 * CERTAIN as usize;
        for bytes in [&[][..], &[1, 2, 3], &[255, 0, 9, 9], &[255; 20]] {
            let mut decoder = Decoder::new(bytes);
            let before = (0..2 * MOST).take_while(|_| {
                decoder.code(false, CERTAIN / 2);
                !decoder.is_exhausted()
            });
            assert!(before.count() < MOST, "{bytes:?}");
        }
    }
}
