//! Adaptive probabilities: each decision is predicted from several contexts, and a mixer weights the predictions.
//!
//! Predictions are mixed as logits, the logarithms of their odds, whose evidence is additive ("logistic mixing",
//! <https://en.wikipedia.org/wiki/Context_mixing>). All computations use integers and tables that are computed at
//! compile time, so that every machine computes the same probabilities.

use super::range_coder::{BitCoder, CERTAIN, PROBABILITY_BITS};

/// The unit of logits: this number is one natural logarithm.
pub(super) const LOGIT: i32 = 256;
/// The maximum magnitude of a logit.
pub(super) const MAX_LOGIT: i32 = 8 * LOGIT - 1;

/// The number of fractional bits in the computation of the tables.
const TABLE_BITS: u32 = 60;
const TABLE_ONE: u128 = 1 << TABLE_BITS;

/// One step of the exponential function: e to the power of -1 / [`LOGIT`], computed by its series.
const fn exponential_step() -> u128 {
    let (mut sum, mut term, mut n) = (TABLE_ONE as i128, TABLE_ONE as i128, 1);
    while term != 0 {
        term = -term / (LOGIT as i128 * n);
        sum += term;
        n += 1;
    }
    sum as u128
}

/// The number of powers of e in the table of [`exponential`].
const POWERS: usize = 4096;
/// The number of fractional bits of the powers.
const POWER_BITS: u32 = 24;

/// Powers of e, from the exponent 0 down in steps of 1 / [`LOGIT`].
static POWER_TABLE: [u32; POWERS] = {
    let (step, mut power) = (exponential_step(), TABLE_ONE);
    let mut table = [0; POWERS];
    let mut index = 0;
    while index < POWERS {
        table[index] = (power >> (TABLE_BITS - POWER_BITS)) as u32;
        power = (power * step) >> TABLE_BITS;
        index += 1;
    }
    table
};

/// e to the power of this many logits, which must not be positive, in fractions of 2²⁴; never zero.
pub(super) fn exponential(logit: i32) -> u32 {
    POWER_TABLE[(-logit).clamp(0, POWERS as i32 - 1) as usize].max(1)
}

const LOGITS: usize = 2 * MAX_LOGIT as usize + 1;

/// The probability for each logit.
static PROBABILITIES: [u16; LOGITS] = {
    let (step, mut power) = (exponential_step(), TABLE_ONE);
    let mut table = [0; LOGITS];
    let mut logit = 0;
    while logit <= MAX_LOGIT as usize {
        let above = ((TABLE_ONE << PROBABILITY_BITS) / (TABLE_ONE + power)) as u32;
        table[MAX_LOGIT as usize + logit] = above as u16;
        table[MAX_LOGIT as usize - logit] = (CERTAIN - above) as u16;
        power = (power * step) >> TABLE_BITS;
        logit += 1;
    }
    table
};

/// The number of low bits of a probability that the table of logits ignores.
const COARSER: u32 = 4;

/// The logit for each probability.
static LOGIT_TABLE: [i16; (CERTAIN >> COARSER) as usize] = {
    let mut table = [0; (CERTAIN >> COARSER) as usize];
    let (mut index, mut logit) = (0, 0);
    while index < table.len() {
        let probability = (index << COARSER) + (1 << COARSER) / 2;
        while logit + 1 < LOGITS && (PROBABILITIES[logit] as usize) < probability {
            logit += 1;
        }
        table[index] = (logit as i32 - MAX_LOGIT) as i16;
        index += 1;
    }
    table
};

/// The probability of a logit.
#[inline]
fn probability(logit: i32) -> u32 {
    PROBABILITIES[(logit.clamp(-MAX_LOGIT, MAX_LOGIT) + MAX_LOGIT) as usize].into()
}

/// The logit of a probability below [`CERTAIN`].
#[inline]
pub(super) fn logit(probability: u32) -> i32 {
    LOGIT_TABLE[(probability >> COARSER) as usize].into()
}

/// The probability of a decision in one context: the share of the answer yes, in which later decisions have more
/// weight.
#[derive(Clone, Copy, Debug)]
struct Share {
    probability: u16,
    /// The number of decisions so far, up to the limit of the slowest rate.
    seen: u8,
}

impl Share {
    const NEW: Self = Self { probability: (CERTAIN / 2) as u16, seen: 0 };

    #[inline]
    fn update(&mut self, decision: bool, slowest: u8) {
        let target = if decision { CERTAIN as i32 - 1 } else { 0 };
        let distance = target - i32::from(self.probability);
        // The share of decisions, as if there had been one yes and one no before.
        let probability = i32::from(self.probability) + distance / (i32::from(self.seen) + 2);
        self.probability = probability as u16;
        self.seen = (self.seen + 1).min(slowest);
    }
}

/// The number of fractional bits of the mixer's weights.
const WEIGHT_BITS: u32 = 16;
/// The right shift of the product of an input and an error, for a rate of 1.
const RATE_BITS: u32 = 21;
/// The final learning rate of weights, and the sum of that and of the initial additional rate.
const LAST_RATE: i32 = 4;
const EXTRA_RATE: i32 = 28;
/// The number of decisions after which the additional rate is halved.
const HALF_LIFE: i32 = 64;

/// Predicts decisions, each from several contexts.
///
/// `CONTEXTS` is the number of contexts. `INPUTS` is one more than the number of contexts and external logits: the last
/// input is constant.
#[derive(Debug)]
pub(super) struct Mixer<const CONTEXTS: usize, const INPUTS: usize> {
    shares: Vec<Share>,
    /// For each value of each of the two selectors, the weights of the inputs and the number of their updates.
    weights: [Vec<([i32; INPUTS], i32)>; SELECTORS],
    /// The approximate number of decisions of which a share is the mean.
    slowest: u8,
}

/// The number of selectors of sets of weights; the prediction is the mean of both logits.
const SELECTORS: usize = 2;
/// The constant input.
const BIAS: i32 = LOGIT;

impl<const CONTEXTS: usize, const INPUTS: usize> Mixer<CONTEXTS, INPUTS> {
    /// A mixer with this many shares, which all contexts divide among them, and this many sets of weights for each
    /// selector.
    pub(super) fn new(shares: usize, selections: [usize; SELECTORS], slowest: u8) -> Self {
        const { assert!(CONTEXTS < INPUTS) };
        let mut first = [(1 << WEIGHT_BITS) * 5 / (4 * (INPUTS as i32 - 1)); INPUTS];
        first[INPUTS - 1] = 0;
        Self {
            shares: vec![Share::NEW; shares],
            weights: selections.map(|count| vec![(first, 0); count]),
            slowest,
        }
    }

    /// Resets the shares of these contexts.
    pub(super) fn forget(&mut self, shares: std::ops::Range<usize>) {
        self.shares[shares].fill(Share::NEW);
    }

    /// Codes a decision. The arguments are the indices of its contexts' shares, other predictions as logits, and the
    /// sets of weights to use.
    #[inline]
    pub(super) fn code(
        &mut self,
        coder: &mut impl BitCoder,
        decision: bool,
        contexts: [usize; CONTEXTS],
        others: &[i32],
        selected: [usize; SELECTORS],
    ) -> bool {
        let mut inputs = [BIAS; INPUTS];
        for (input, &context) in inputs.iter_mut().zip(&contexts) {
            *input = logit(self.shares[context].probability.into());
        }
        inputs[CONTEXTS..INPUTS - 1].copy_from_slice(others);

        let mut logits = [0; SELECTORS];
        for ((weights, &index), logit) in self.weights.iter().zip(&selected).zip(&mut logits) {
            let sum: i64 =
                weights[index].0.iter().zip(&inputs).map(|(&w, &x)| i64::from(w) * i64::from(x)).sum();
            *logit = (sum >> WEIGHT_BITS).clamp((-MAX_LOGIT).into(), MAX_LOGIT.into()) as i32;
        }
        let mixed = probability(logits.iter().sum::<i32>() / SELECTORS as i32);
        let decision = coder.code(decision, mixed);

        let target = if decision { CERTAIN as i32 } else { 0 };
        for ((weights, &index), logit) in self.weights.iter_mut().zip(&selected).zip(logits) {
            let (weights, times) = &mut weights[index];
            let rate = LAST_RATE + EXTRA_RATE * HALF_LIFE / (HALF_LIFE + *times);
            *times = (*times + 1).min(i32::from(u16::MAX));
            let error = i64::from(target - probability(logit) as i32) * i64::from(rate);
            for (weight, &input) in weights.iter_mut().zip(&inputs) {
                *weight += ((i64::from(input) * error) >> RATE_BITS) as i32;
                *weight = (*weight).clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
        for context in contexts {
            self.shares[context].update(decision, self.slowest);
        }
        decision
    }
}

/// The maximum magnitude of a weight.
const MAX_WEIGHT: i32 = 8 << WEIGHT_BITS;

#[cfg(test)]
mod tests {
    use super::super::range_coder::{Decoder, Encoder};
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_tables_are_those_of_the_functions() {
        for logit in -MAX_LOGIT..=MAX_LOGIT {
            let exact = f64::from(CERTAIN) / (1.0 + (-f64::from(logit) / f64::from(LOGIT)).exp());
            assert!((f64::from(probability(logit)) - exact).abs() <= 1.0, "{logit}");
        }
        for yes in 32..CERTAIN - 32 {
            let there_and_back = probability(logit(yes));
            assert!(
                there_and_back.abs_diff(yes) <= 24 + yes.min(CERTAIN - yes) / 32,
                "{yes}: {there_and_back}"
            );
        }
        for power in 0..POWERS as i32 {
            let exact = (-f64::from(power) / f64::from(LOGIT)).exp() * f64::from(1 << POWER_BITS);
            assert!((f64::from(exponential(-power)) - exact).abs() <= 1.0, "{power}");
        }
    }

    #[test]
    fn what_depends_on_one_of_the_contexts_is_learned() {
        let mut rng = Rng::new(1);
        let decisions: Vec<(bool, [usize; 2])> = (0..20_000)
            .map(|_| {
                let (key, noise) = (rng.below(16) as usize, rng.below(16) as usize);
                (key < 4 || (key < 8 && rng.below(100) == 0), [key, 16 + noise])
            })
            .collect();
        let mut encoder = Encoder::new();
        let mut mixer = Mixer::<2, 3>::new(32, [1, 1], 250);
        for &(decision, contexts) in &decisions {
            mixer.code(&mut encoder, decision, contexts, &[], [0, 0]);
        }
        let bytes = encoder.finish();
        assert!(bytes.len() < 20_000 / 8 / 10, "{} bytes", bytes.len());
        let mut decoder = Decoder::new(&bytes);
        let mut mixer = Mixer::<2, 3>::new(32, [1, 1], 250);
        for &(decision, contexts) in &decisions {
            assert_eq!(mixer.code(&mut decoder, false, contexts, &[], [0, 0]), decision);
        }
    }
}
