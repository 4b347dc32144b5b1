//! Integers in place of real numbers, and the proof that no sum of them overflows.

use super::architecture::{OUTPUT_BUCKETS, SECOND, THIRD};
use super::features::MAX_ACTIVE;
use super::{Architecture, Parameters};

/// What stands for 1 in the sums of the first hidden layer, and so in its weights and biases.
pub const ACTIVATION_SCALE: i32 = 255;
/// What stands for 1 in the weights of the layers after it.
pub const OUTPUT_SCALE: i32 = 1024;
/// The largest magnitude of a weight of the layers after the first of a [`super::FloatNetwork`] that can be
/// quantized. Sums of the second hidden layer of 256 neurons always fit with it, those of more if their weights are not
/// all so large.
pub const MAX_OUTPUT_WEIGHT: f32 = MAX_OUTPUT_INTEGER as f32 / OUTPUT_SCALE as f32;
/// Just below 2, so that 16 bits and the sums of 256 neurons hold it.
const MAX_OUTPUT_INTEGER: i32 = 2 * OUTPUT_SCALE - 1;

/// Products of two clamped sums lose so many bits: eleven remain.
pub(super) const PRODUCT_SHIFT: u32 = 5;
/// Sums of the later layers lose so many bits before they are squared.
pub(super) const SUM_SHIFT: u32 = 6;
/// What the scale of the weights leaves of the sums then.
const SUM_SCALE: i32 = OUTPUT_SCALE >> SUM_SHIFT;
/// Squares lose so many bits, of which those of the scale of the sums are a part: the rest are as many as
/// [`L2_ONE`] has.
pub(super) const SQUARE_SHIFT: u32 = L2_ONE.ilog2() + 1 + 2 * SUM_SCALE.ilog2();
/// What stands for 1 in the products, and in the sums of the second hidden layer but for the scale of its weights.
pub(super) const L2_ONE: i32 = (ACTIVATION_SCALE * ACTIVATION_SCALE) >> PRODUCT_SHIFT;
/// What stands for 1 in the sums of the second hidden layer before they are squared.
pub(super) const L2_MAX: i32 = L2_ONE * SUM_SCALE;
/// The same as [`L2_ONE`] for the squares of the second hidden layer and the sums of the third.
pub(super) const L3_ONE: i32 = (L2_MAX * L2_MAX) >> SQUARE_SHIFT;
/// What stands for 1 in the sums of the third hidden layer before they are squared.
pub(super) const L3_MAX: i32 = L3_ONE * SUM_SCALE;
/// The same as [`L2_ONE`] for the squares of the third hidden layer and the outputs.
pub(super) const OUTPUT_ONE: i32 = (L3_MAX * L3_MAX) >> SQUARE_SHIFT;

/// The numbers of a network that plays: weights and biases of the first hidden layer in units of
/// 1/[`ACTIVATION_SCALE`], weights of the others in units of 1/[`OUTPUT_SCALE`], and their biases in the units of the
/// sums that they are added to.
pub(super) type Integers = Parameters<i16, i16, i32>;

/// A number, or a sum that numbers could add up to, is too large.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BoundsError {
    /// A number has no integer that could stand for it.
    #[error("{what} {index} is {value}, expected a number from -{limit} to {limit}")]
    Number {
        /// Which kind of number it is.
        what: &'static str,
        /// Which of them, counted from 0.
        index: usize,
        /// The number.
        value: f32,
        /// The largest magnitude it could have.
        limit: f32,
    },
    /// Some arrangement of pieces could overflow the sum of a hidden neuron.
    #[error(
        "hidden neuron {neuron} could sum up to {low} or {high}, expected at most {} to {}",
        i16::MIN,
        i16::MAX
    )]
    Neuron {
        /// Which neuron, counted from 0.
        neuron: usize,
        /// The smallest sum of its bias and the weights of as many pieces as a board can have.
        low: i32,
        /// The largest such sum.
        high: i32,
    },
    /// Some activations could overflow the sum of a neuron of a later layer.
    #[error("{what} {neuron} could sum up to {low} or {high}, expected at most {} to {}", i32::MIN, i32::MAX)]
    Sum {
        /// Which layer it is in.
        what: &'static str,
        /// Which neuron, counted from 0.
        neuron: usize,
        /// The smallest sum of its inputs.
        low: i64,
        /// The largest sum of its inputs.
        high: i64,
    },
}

/// The largest magnitude of a bias that is added to 32 bits: it leaves room for the sum.
const MAX_BIAS: i32 = i32::MAX / 2;

/// The nearest integers to real numbers.
///
/// # Errors
/// [`BoundsError::Number`] for one that is too large.
pub(super) fn quantized(real: &Parameters<f32, f32, f32>) -> Result<Integers, BoundsError> {
    /// Rounds each number in its unit, if it is in range then.
    fn round<T>(
        what: &'static str,
        from: &[f32],
        to: &mut [T],
        scale: i32,
        largest: i32,
        convert: impl Fn(i32) -> T,
    ) -> Result<(), BoundsError> {
        for (index, (&value, rounded)) in from.iter().zip(to).enumerate() {
            let scaled = (f64::from(value) * f64::from(scale)).round();
            if scaled.is_nan() || scaled.abs() > f64::from(largest) {
                let limit = largest as f32 / scale as f32;
                return Err(BoundsError::Number { what, index, value, limit });
            }
            *rounded = convert(scaled as i32);
        }
        Ok(())
    }
    let mut integers = Integers::zeroed(real.architecture());
    let hidden = i32::from(i16::MAX);
    let (from, to) = (real.feature_weights(), integers.feature_weights_mut());
    round("feature weight", from, to, ACTIVATION_SCALE, hidden, |value| value as i16)?;
    let (from, to) = (real.feature_bias(), integers.feature_bias_mut());
    round("feature bias", from, to, ACTIVATION_SCALE, hidden, |value| value as i16)?;
    let weight = MAX_OUTPUT_INTEGER;
    let to = integers.second_weights_mut();
    round("second weight", real.second_weights(), to, OUTPUT_SCALE, weight, |value| value as i16)?;
    let to = integers.third_weights_mut();
    round("third weight", real.third_weights(), to, OUTPUT_SCALE, weight, |value| value as i16)?;
    let to = integers.output_weights_mut();
    round("output weight", real.output_weights(), to, OUTPUT_SCALE, weight, |value| value as i16)?;
    let to = integers.second_bias_mut();
    round("second bias", real.second_bias(), to, L2_ONE * OUTPUT_SCALE, MAX_BIAS, |value| value)?;
    let to = integers.third_bias_mut();
    round("third bias", real.third_bias(), to, L3_ONE * OUTPUT_SCALE, MAX_BIAS, |value| value)?;
    let to = integers.output_bias_mut();
    round("output bias", real.output_bias(), to, OUTPUT_ONE * OUTPUT_SCALE, MAX_BIAS, |value| value)?;
    Ok(integers)
}

/// The real numbers that integers stand for.
pub(super) fn real(integers: &Integers) -> Parameters<f32, f32, f32> {
    fn expand<T: Copy + Into<f64>>(from: &[T], to: &mut [f32], scale: i32) {
        for (&number, real) in from.iter().zip(to) {
            *real = (number.into() / f64::from(scale)) as f32;
        }
    }
    let mut real = Parameters::zeroed(integers.architecture());
    expand(integers.feature_weights(), real.feature_weights_mut(), ACTIVATION_SCALE);
    expand(integers.feature_bias(), real.feature_bias_mut(), ACTIVATION_SCALE);
    expand(integers.second_weights(), real.second_weights_mut(), OUTPUT_SCALE);
    expand(integers.second_bias(), real.second_bias_mut(), L2_ONE * OUTPUT_SCALE);
    expand(integers.third_weights(), real.third_weights_mut(), OUTPUT_SCALE);
    expand(integers.third_bias(), real.third_bias_mut(), L3_ONE * OUTPUT_SCALE);
    expand(integers.output_weights(), real.output_weights_mut(), OUTPUT_SCALE);
    expand(integers.output_bias(), real.output_bias_mut(), OUTPUT_ONE * OUTPUT_SCALE);
    real
}

/// Proves that no sum overflows, whatever the position.
///
/// The sums are kept by wrapping additions, so only complete sums have to fit.
///
/// # Errors
/// [`BoundsError`] for the first sum that might not fit.
pub(super) fn check_bounds(integers: &Integers) -> Result<(), BoundsError> {
    let width = integers.architecture().width();
    let rows = || integers.feature_weights().chunks_exact(width);
    let mut ranges = vec![[0; 2]; width];
    for row in rows() {
        for ([least, most], &weight) in ranges.iter_mut().zip(row) {
            (*least, *most) = (weight.min(*least), weight.max(*most));
        }
    }
    for (neuron, (&bias, range)) in integers.feature_bias().iter().zip(ranges).enumerate() {
        // What every piece could add at the most is quickly found, and mostly fits.
        let rough = range.map(|weight| i32::from(bias) + i32::from(weight) * MAX_ACTIVE as i32);
        let fits = |sum: i32| i16::try_from(sum).is_ok();
        if rough.into_iter().all(fits) {
            continue;
        }
        let [low, high] = extremes(i32::from(bias), rows().map(|row| i32::from(row[neuron])).collect());
        if !fits(low) || !fits(high) {
            return Err(BoundsError::Neuron { neuron, low, high });
        }
    }
    let width = integers.architecture().width();
    check_sums("second neuron", integers.second_weights(), width, integers.second_bias(), L2_ONE)?;
    check_sums("third neuron", integers.third_weights(), SECOND, integers.third_bias(), L3_ONE)?;
    check_sums("output", integers.output_weights(), THIRD, integers.output_bias(), OUTPUT_ONE)
}

/// Proves that the sums of a layer fit 32 bits, in whatever order they are added up: there are rows of `length` weights
/// for inputs up to `largest`.
fn check_sums(
    what: &'static str,
    weights: &[i16],
    length: usize,
    biases: &[i32],
    largest: i32,
) -> Result<(), BoundsError> {
    for (neuron, (row, &bias)) in weights.chunks_exact(length).zip(biases).enumerate() {
        let sum = |sign: i64| {
            let weights = row.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum::<i64>();
            weights * i64::from(largest) + (sign * i64::from(bias)).max(0)
        };
        let (low, high) = (-sum(-1), sum(1));
        if low < i64::from(i32::MIN) || high > i64::from(i32::MAX) {
            return Err(BoundsError::Sum { what, neuron, low, high });
        }
    }
    Ok(())
}

/// Bounds of a neuron's sum: its bias and at most [`MAX_ACTIVE`] of its weights.
fn extremes(bias: i32, mut weights: Vec<i32>) -> [i32; 2] {
    weights.sort_unstable();
    let low: i32 = weights.iter().take(MAX_ACTIVE).map(|&weight| weight.min(0)).sum();
    let high: i32 = weights.iter().rev().take(MAX_ACTIVE).map(|&weight| weight.max(0)).sum();
    [bias + low, bias + high]
}

const _: () = assert!(OUTPUT_SCALE == 1 << OUTPUT_SCALE.ilog2());
const _: () = assert!(OUTPUT_BUCKETS == Architecture::bucket_of(MAX_ACTIVE) + 1);
