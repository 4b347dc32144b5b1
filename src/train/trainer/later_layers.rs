//! The layers after the first hidden layer, for a block of examples at once: each weight that is loaded is used for all
//! of them.

use super::parameters::{Part, Parts};
use super::vector::{AlignedVec, LANES, Vector, slope, square};
use crate::nnue::{L2_SIZE, L3_SIZE, OUTPUT_BUCKETS, SCALARS};
use std::array;

/// The number of examples of a block, limited by the number of registers.
pub(super) const BLOCK: usize = if cfg!(target_feature = "avx512f") { 8 } else { 4 };

/// The number of vectors of the third hidden layer; the second one is a single vector.
const THIRDS: usize = L3_SIZE / LANES;
const _: () = assert!(L2_SIZE == LANES && L3_SIZE == THIRDS * LANES);

/// The scalars of an example, 0 to 1.
pub(super) type Scalars = [Vector; SCALARS / LANES];

/// The weights of these layers in columns: for each bucket and input of a layer those of all its neurons, which are the
/// lanes of a vector. So sums are computed without adding up lanes.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// From the products to the second hidden layer.
    second: AlignedVec,
    /// From the scalars to the second hidden layer.
    scalars: AlignedVec,
    /// From the second to the third hidden layer, one vector of its neurons after the other.
    third: AlignedVec,
}

impl Columns {
    /// The buffers for a first hidden layer of this width.
    pub(super) fn new(width: usize) -> Self {
        let of = |inputs: usize| AlignedVec::zeroed(OUTPUT_BUCKETS * inputs * LANES);
        Self { second: of(width), scalars: of(SCALARS), third: of(THIRDS * L2_SIZE) }
    }

    /// Copies the weights of a network.
    pub(super) fn copy(&mut self, parts: &Parts<&[f32]>) {
        let layers = [
            (Part::SecondWeights, &mut self.second, OUTPUT_BUCKETS),
            (Part::ScalarWeights, &mut self.scalars, OUTPUT_BUCKETS),
            (Part::ThirdWeights, &mut self.third, OUTPUT_BUCKETS * THIRDS),
        ];
        for (part, columns, count) in layers {
            let rows = parts.get(part);
            let size = rows.len() / count;
            for (rows, columns) in rows.chunks_exact(size).zip(columns.chunks_exact_mut(size)) {
                let inputs = size / LANES;
                for (input, column) in columns.chunks_exact_mut(LANES).enumerate() {
                    for (row, weight) in column.iter_mut().enumerate() {
                        *weight = rows[row * inputs + input];
                    }
                }
            }
        }
    }
}

/// The activations of the layers for a block of examples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Activations {
    /// The sums of the second hidden layer.
    second: [Vector; BLOCK],
    /// The sums of the third hidden layer.
    third: [[Vector; BLOCK]; THIRDS],
    /// The outputs of the network.
    pub outputs: [f32; BLOCK],
}

/// Computes the activations for the products of the first hidden layer, example by example, and the scalars. All
/// examples are in the same bucket.
pub(super) fn forward(
    parts: &Parts<&[f32]>,
    columns: &Columns,
    bucket: usize,
    products: &[Vector],
    scalars: &[Scalars; BLOCK],
) -> Activations {
    let part = |part| of_bucket(parts.get(part), bucket);
    let mut second = [part(Part::SecondBiases)[0]; BLOCK];
    add_weighted(&mut second, of_bucket(&columns.second, bucket), products);
    add_weighted(&mut second, of_bucket(&columns.scalars, bucket), scalars.as_flattened());
    let activations = second.map(square);
    let columns = of_bucket(&columns.third, bucket).as_chunks::<L2_SIZE>().0;
    let third = array::from_fn(|index| {
        let mut sums = [part(Part::ThirdBiases)[index]; BLOCK];
        add_weighted(&mut sums, &columns[index], &activations);
        sums
    });
    let bias = parts.get(Part::OutputBiases)[bucket];
    let outputs = array::from_fn(|example| {
        let sums = third.iter().zip(part(Part::OutputWeights));
        let terms = sums.map(|(sums, weights): (&[Vector; BLOCK], _)| square(sums[example]) * *weights);
        bias + terms.sum::<Vector>().reduce_add()
    });
    Activations { second, third, outputs }
}

/// Adds the gradients that result from `pulls`, the gradients of the outputs, and replaces the products by their
/// gradient.
pub(super) fn backward(
    parts: &Parts<&[f32]>,
    gradient: &mut Parts<&mut [f32]>,
    bucket: usize,
    found: &Activations,
    pulls: &[f32; BLOCK],
    products: &mut [Vector],
    scalars: &mut [Scalars; BLOCK],
) {
    gradient.get_mut(Part::OutputBiases)[bucket] += pulls.iter().sum::<f32>();
    let pulls = pulls.map(Vector::splat);
    let weights = of_bucket(parts.get(Part::OutputWeights), bucket);
    let third: [[Vector; BLOCK]; THIRDS] = array::from_fn(|index| {
        array::from_fn(|example| slope(found.third[index][example]) * (pulls[example] * weights[index]))
    });
    let changes = of_bucket_mut(gradient.get_mut(Part::OutputWeights), bucket);
    for (change, sums) in changes.iter_mut().zip(&found.third) {
        for (pull, sums) in pulls.iter().zip(sums) {
            *change = pull.mul_add(square(*sums), *change);
        }
    }
    let changes = of_bucket_mut(gradient.get_mut(Part::ThirdBiases), bucket);
    for (change, pulls) in changes.iter_mut().zip(&third) {
        *change += pulls.iter().sum::<Vector>();
    }

    let mut second = [Vector::ZERO; BLOCK];
    let weights = of_bucket(parts.get(Part::ThirdWeights), bucket).chunks_exact(LANES);
    let changes = of_bucket_mut(gradient.get_mut(Part::ThirdWeights), bucket).chunks_exact_mut(LANES);
    for ((weights, changes), pulls) in weights.zip(changes).zip(&third) {
        let mut inputs = found.second.map(square);
        weighted_back(pulls, weights, changes, &mut inputs);
        for (second, pulls) in second.iter_mut().zip(inputs) {
            *second += pulls;
        }
    }
    for (pulls, sums) in second.iter_mut().zip(found.second) {
        *pulls *= slope(sums);
    }
    of_bucket_mut(gradient.get_mut(Part::SecondBiases), bucket)[0] += second.iter().sum::<Vector>();
    // Nothing comes before the scalars that could learn from their gradient.
    for (part, inputs) in [(Part::ScalarWeights, scalars.as_flattened_mut()), (Part::SecondWeights, products)]
    {
        let weights = of_bucket(parts.get(part), bucket);
        weighted_back(&second, weights, of_bucket_mut(gradient.get_mut(part), bucket), inputs);
    }
}

/// Adds the weighted sums of the inputs of each example. There is a column of weights for each input.
#[inline(always)]
fn add_weighted(sums: &mut [Vector; BLOCK], columns: &[Vector], inputs: &[Vector]) {
    let inputs: &[f32] = bytemuck::cast_slice(inputs);
    let count = columns.len();
    let inputs: [&[f32]; BLOCK] = array::from_fn(|example| &inputs[example * count..][..count]);
    let mut found = *sums;
    for (index, column) in columns.iter().enumerate() {
        for (sum, inputs) in found.iter_mut().zip(inputs) {
            *sum = Vector::splat(inputs[index]).mul_add(*column, *sum);
        }
    }
    *sums = found;
}

/// The derivative of [`add_weighted`]: adds to the gradients `changes` of the weights, which are in rows here, and
/// replaces the inputs by their gradient.
#[inline(always)]
fn weighted_back(pulls: &[Vector; BLOCK], weights: &[Vector], changes: &mut [Vector], inputs: &mut [Vector]) {
    let pulls = pulls.map(Vector::to_array);
    let count = inputs.len() / BLOCK;
    let weights: [&[Vector]; LANES] = array::from_fn(|row| &weights[row * count..][..count]);
    for column in 0..count {
        let found: [Vector; BLOCK] = array::from_fn(|example| inputs[example * count + column]);
        let mut sums = [Vector::ZERO; BLOCK];
        for row in 0..LANES {
            let weight = weights[row][column];
            let mut change = changes[row * count + column];
            for example in 0..BLOCK {
                let pull = Vector::splat(pulls[example][row]);
                change = pull.mul_add(found[example], change);
                sums[example] = pull.mul_add(weight, sums[example]);
            }
            changes[row * count + column] = change;
        }
        for (example, sums) in sums.into_iter().enumerate() {
            inputs[example * count + column] = sums;
        }
    }
}

/// The vectors of a bucket.
#[inline(always)]
fn of_bucket(numbers: &[f32], bucket: usize) -> &[Vector] {
    let vectors = bytemuck::cast_slice(numbers);
    let count = vectors.len() / OUTPUT_BUCKETS;
    &vectors[bucket * count..][..count]
}

/// The vectors of a bucket, mutable.
#[inline(always)]
fn of_bucket_mut(numbers: &mut [f32], bucket: usize) -> &mut [Vector] {
    let vectors = bytemuck::cast_slice_mut(numbers);
    let count = vectors.len() / OUTPUT_BUCKETS;
    &mut vectors[bucket * count..][..count]
}
