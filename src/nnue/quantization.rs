//! Integers in place of real numbers, and the proof that no sum of them overflows.

use super::architecture::OUTPUT_BUCKETS;
use super::features::MAX_ACTIVE;
use super::{Architecture, Parameters};
use std::fmt;

/// What stands for 1 in the sums of the hidden neurons, and so in their weights and biases.
///
/// The largest activation, this number, times the largest output weight fits 16 bits.
pub const ACTIVATION_SCALE: i32 = 255;
/// What stands for 1 in the weights of the outputs.
pub const OUTPUT_SCALE: i32 = 64;
/// The largest magnitude of an output weight of a [`super::FloatNetwork`] that can be
/// quantized: the largest 8-bit number.
pub const MAX_OUTPUT_WEIGHT: f32 = i8::MAX as f32 / OUTPUT_SCALE as f32;

/// The numbers of a network that plays: hidden weights and biases in units of
/// 1/[`ACTIVATION_SCALE`], output weights in units of 1/[`OUTPUT_SCALE`], and output biases in
/// units of 1/([`ACTIVATION_SCALE`] x [`OUTPUT_SCALE`]).
pub(super) type Integers = Parameters<i16, i8, i32>;

/// A number, or a sum that numbers could add up to, is too large.
#[derive(Clone, PartialEq, Debug)]
pub enum BoundsError {
    /// A number has no integer that could stand for it.
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
    Neuron {
        /// Which neuron, counted from 0.
        neuron: usize,
        /// The smallest sum of its bias and the weights of as many pieces as a board can have.
        low: i32,
        /// The largest such sum.
        high: i32,
    },
    /// Some activations could overflow the sum of an output.
    Output {
        /// Which output, counted from 0.
        bucket: usize,
        /// The smallest sum of its inputs.
        low: i64,
        /// The largest sum of its inputs.
        high: i64,
    },
}

impl fmt::Display for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { what, index, value, limit } => {
                write!(f, "{what} {index} is {value}, expected a number from -{limit} to {limit}")
            }
            Self::Neuron { neuron, low, high } => write!(
                f,
                "hidden neuron {neuron} could sum up to {low} or {high}, expected at most {} to {}",
                i16::MIN,
                i16::MAX
            ),
            Self::Output { bucket, low, high } => write!(
                f,
                "output {bucket} could sum up to {low} or {high}, expected at most {} to {}",
                i32::MIN,
                i32::MAX
            ),
        }
    }
}

impl std::error::Error for BoundsError {}

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
    let (from, to) = (real.output_weights(), integers.output_weights_mut());
    round("output weight", from, to, OUTPUT_SCALE, i32::from(i8::MAX), |value| value as i8)?;
    let (from, to) = (real.output_bias(), integers.output_bias_mut());
    round("output bias", from, to, ACTIVATION_SCALE * OUTPUT_SCALE, i32::MAX, |value| value)?;
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
    expand(integers.output_weights(), real.output_weights_mut(), OUTPUT_SCALE);
    expand(integers.output_bias(), real.output_bias_mut(), ACTIVATION_SCALE * OUTPUT_SCALE);
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
    let rows = integers.output_weights().chunks_exact(integers.architecture().output_row());
    for (bucket, row) in rows.enumerate() {
        let largest = i64::from(ACTIVATION_SCALE * ACTIVATION_SCALE);
        let sum = |sign: i64| row.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum::<i64>();
        let (low, high) = (-largest * sum(-1), largest * sum(1));
        if low < i64::from(i32::MIN) || high > i64::from(i32::MAX) {
            return Err(BoundsError::Output { bucket, low, high });
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

const _: () = assert!(ACTIVATION_SCALE * (i8::MAX as i32) <= i16::MAX as i32);
const _: () = assert!(ACTIVATION_SCALE * (i8::MIN as i32) >= i16::MIN as i32);
const _: () = assert!(OUTPUT_BUCKETS == Architecture::bucket_of(MAX_ACTIVE) + 1);
