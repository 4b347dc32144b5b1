//! Quantization of real numbers to integers, and the proof that no sum of them overflows.

use super::architecture::{L2_SIZE, L3_SIZE, OUTPUT_BUCKETS};
use super::features::MAX_ACTIVE;
use super::scalars::{SCALAR_ONE, SCALARS};
use super::{Architecture, Parameters};

/// The integer for 1 in the weights, biases and sums of the first hidden layer.
pub const QA: i32 = 255;
/// The integer for 1 in the weights of the later layers.
pub const QB: i32 = 1024;
/// The largest magnitude of a weight of the later layers of a [`super::FloatNetwork`] that can be quantized.
/// Longer sums than those of 256 products fit if not all weights are so large.
pub const MAX_OUTPUT_WEIGHT: f32 = MAX_OUTPUT_INTEGER as f32 / QB as f32;
/// Just below 2 in units of 1/[`QB`], so that it fits into 16 bits and the sums of 256 products fit into 32 bits.
const MAX_OUTPUT_INTEGER: i32 = 2 * QB - 1;

/// The right shift of products of two clamped sums; eleven bits remain.
pub(super) const PRODUCT_SHIFT: u32 = 5;
/// The right shift of sums of the later layers before they are squared.
pub(super) const SUM_SHIFT: u32 = 6;
/// The scale of the weights after [`SUM_SHIFT`].
const SUM_SCALE: i32 = QB >> SUM_SHIFT;
/// The right shift of squares: the bits of the squared scale of the sums, and the bits of [`L2_ONE`].
pub(super) const SQUARE_SHIFT: u32 = L2_ONE.ilog2() + 1 + 2 * SUM_SCALE.ilog2();
/// The integer for 1 in the products, which are the inputs of the second hidden layer.
pub(super) const L2_ONE: i32 = (QA * QA) >> PRODUCT_SHIFT;
/// The integer for 1 in the shifted sums of the second hidden layer.
pub(super) const L2_MAX: i32 = L2_ONE * SUM_SCALE;
/// The integer for 1 in the activations of the second hidden layer, which are the inputs of the third.
pub(super) const L3_ONE: i32 = (L2_MAX * L2_MAX) >> SQUARE_SHIFT;
/// The integer for 1 in the shifted sums of the third hidden layer.
pub(super) const L3_MAX: i32 = L3_ONE * SUM_SCALE;
/// The integer for 1 in the activations of the third hidden layer, which are the inputs of the outputs.
pub(super) const OUTPUT_ONE: i32 = (L3_MAX * L3_MAX) >> SQUARE_SHIFT;

/// The parameters of a network for playing: weights and biases of the first hidden layer in units of
/// 1/[`QA`], other weights in units of 1/[`QB`], and other biases in the units of the
/// sums that they are added to.
pub(super) type Integers = Parameters<i16, i16, i32>;

/// A parameter is too large, or a sum could overflow.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BoundsError {
    /// A parameter is out of the range of its integers.
    #[error("{what} {index} is {value}, expected a number from -{limit} to {limit}")]
    Number {
        /// The kind of parameter.
        what: &'static str,
        /// The index of the parameter.
        index: usize,
        /// The parameter.
        value: f32,
        /// The largest valid magnitude.
        limit: f32,
    },
    /// The sum of a neuron of the first hidden layer could overflow for some arrangement of pieces.
    #[error(
        "hidden neuron {neuron} could sum up to {low} or {high}, expected at most {} to {}",
        i16::MIN,
        i16::MAX
    )]
    Neuron {
        /// The index of the neuron.
        neuron: usize,
        /// The smallest sum of its bias and the weights of as many pieces as a board can have.
        low: i32,
        /// The largest such sum.
        high: i32,
    },
    /// The sum of a neuron of a later layer could overflow for some inputs.
    #[error("{what} {neuron} could sum up to {low} or {high}, expected at most {} to {}", i32::MIN, i32::MAX)]
    Sum {
        /// The kind of neuron.
        what: &'static str,
        /// The index of the neuron.
        neuron: usize,
        /// The smallest possible sum.
        low: i64,
        /// The largest possible sum.
        high: i64,
    },
}

/// The largest magnitude of a 32-bit bias, which leaves room for the sum.
const MAX_BIAS: i32 = i32::MAX / 2;

/// Rounds real numbers to integers.
///
/// # Errors
/// [`BoundsError::Number`] if a number is too large.
pub(super) fn quantized(real: &Parameters<f32, f32, f32>) -> Result<Integers, BoundsError> {
    /// Rounds each number in its unit, if the result is in range.
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
    round("feature weight", from, to, QA, hidden, |value| value as i16)?;
    let (from, to) = (real.feature_bias(), integers.feature_bias_mut());
    round("feature bias", from, to, QA, hidden, |value| value as i16)?;
    let weight = MAX_OUTPUT_INTEGER;
    let to = integers.second_weights_mut();
    round("second weight", real.second_weights(), to, QB, weight, |value| value as i16)?;
    let to = integers.scalar_weights_mut();
    round("scalar weight", real.scalar_weights(), to, QB, weight, |value| value as i16)?;
    let to = integers.third_weights_mut();
    round("third weight", real.third_weights(), to, QB, weight, |value| value as i16)?;
    let to = integers.output_weights_mut();
    round("output weight", real.output_weights(), to, QB, weight, |value| value as i16)?;
    let to = integers.second_bias_mut();
    round("second bias", real.second_bias(), to, L2_ONE * QB, MAX_BIAS, |value| value)?;
    let to = integers.third_bias_mut();
    round("third bias", real.third_bias(), to, L3_ONE * QB, MAX_BIAS, |value| value)?;
    let to = integers.output_bias_mut();
    round("output bias", real.output_bias(), to, OUTPUT_ONE * QB, MAX_BIAS, |value| value)?;
    Ok(integers)
}

/// The real numbers that integers represent.
pub(super) fn real(integers: &Integers) -> Parameters<f32, f32, f32> {
    fn expand<T: Copy + Into<f64>>(from: &[T], to: &mut [f32], scale: i32) {
        for (&number, real) in from.iter().zip(to) {
            *real = (number.into() / f64::from(scale)) as f32;
        }
    }
    let mut real = Parameters::zeroed(integers.architecture());
    expand(integers.feature_weights(), real.feature_weights_mut(), QA);
    expand(integers.feature_bias(), real.feature_bias_mut(), QA);
    expand(integers.second_weights(), real.second_weights_mut(), QB);
    expand(integers.second_bias(), real.second_bias_mut(), L2_ONE * QB);
    expand(integers.scalar_weights(), real.scalar_weights_mut(), QB);
    expand(integers.third_weights(), real.third_weights_mut(), QB);
    expand(integers.third_bias(), real.third_bias_mut(), L3_ONE * QB);
    expand(integers.output_weights(), real.output_weights_mut(), QB);
    expand(integers.output_bias(), real.output_bias_mut(), OUTPUT_ONE * QB);
    real
}

/// Proves that no sum can overflow in any position.
///
/// Additions wrap, so only complete sums must fit.
///
/// # Errors
/// [`BoundsError`] for the first sum that might overflow.
pub(super) fn check_bounds(integers: &Integers) -> Result<(), BoundsError> {
    let width = integers.architecture().l1_size();
    let rows = || integers.feature_weights().chunks_exact(width);
    let mut ranges = vec![[0; 2]; width];
    for row in rows() {
        for ([least, most], &weight) in ranges.iter_mut().zip(row) {
            (*least, *most) = (weight.min(*least), weight.max(*most));
        }
    }
    for (neuron, (&bias, range)) in integers.feature_bias().iter().zip(ranges).enumerate() {
        // The bound by the largest weight is fast to compute, and sufficient in most cases.
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
    let width = integers.architecture().l1_size();
    let rows = integers.second_weights().chunks_exact(width);
    let scalars = integers.scalar_weights().chunks_exact(SCALARS);
    let second: Vec<i16> = rows.zip(scalars).flat_map(|(row, scalars)| [row, scalars].concat()).collect();
    check_sums("second neuron", &second, width + SCALARS, integers.second_bias(), L2_ONE)?;
    check_sums("third neuron", integers.third_weights(), L2_SIZE, integers.third_bias(), L3_ONE)?;
    check_sums("output", integers.output_weights(), L3_SIZE, integers.output_bias(), OUTPUT_ONE)
}

/// Proves that the sums of a layer fit into 32 bits in any order of addition. Rows have `length` weights, and
/// inputs are at most `largest`.
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

/// Bounds of the sum of a neuron: its bias and at most [`MAX_ACTIVE`] of its weights.
fn extremes(bias: i32, mut weights: Vec<i32>) -> [i32; 2] {
    weights.sort_unstable();
    let low: i32 = weights.iter().take(MAX_ACTIVE).map(|&weight| weight.min(0)).sum();
    let high: i32 = weights.iter().rev().take(MAX_ACTIVE).map(|&weight| weight.max(0)).sum();
    [bias + low, bias + high]
}

const _: () = assert!(SCALAR_ONE as i32 == L2_ONE, "scalars and products are inputs of the same layer");
const _: () = assert!(QB == 1 << QB.ilog2());
const _: () = assert!(OUTPUT_BUCKETS == Architecture::bucket_of(MAX_ACTIVE) + 1);
