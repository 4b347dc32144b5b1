//! The layers after the first hidden layer, for one example.

use super::parameters::{Part, Parts};
use super::vector::{LANES, Vector, slope, square, sums_of_each};
use crate::nnue::{L2_SIZE, L3_SIZE, OUTPUT_BUCKETS, SCALARS};
use arrayvec::ArrayVec;

/// The number of vectors of the third hidden layer; the second one is a single vector.
const THIRDS: usize = L3_SIZE / LANES;
const _: () = assert!(L2_SIZE == LANES && L3_SIZE == THIRDS * LANES);

/// The scalars of an example, 0 to 1.
pub(super) type Scalars = [Vector; SCALARS / LANES];

/// The activations of the layers for an example.
#[derive(Clone, Copy, Debug)]
pub(super) struct Activations {
    /// The sums of the second hidden layer.
    second: Vector,
    /// The sums of the third hidden layer.
    third: [Vector; THIRDS],
    /// The output of the network.
    pub output: f32,
}

/// Computes the activations for the products of the first hidden layer and the scalars.
pub(super) fn forward(
    parts: &Parts<&[f32]>,
    bucket: usize,
    products: &[Vector],
    scalars: &Scalars,
) -> Activations {
    let part = |part| of_bucket(parts.get(part), bucket);
    let second = part(Part::SecondBiases)[0]
        + weighted(part(Part::SecondWeights), products)
        + weighted(part(Part::ScalarWeights), scalars);
    let activations = square(second);
    let mut third = [Vector::ZERO; THIRDS];
    let rows = part(Part::ThirdWeights).as_chunks().0;
    for ((sums, rows), biases) in third.iter_mut().zip(rows).zip(part(Part::ThirdBiases)) {
        *sums = *biases + sums_of_each(rows.map(|row| row * activations));
    }
    let terms = third.iter().zip(part(Part::OutputWeights)).map(|(sums, weights)| square(*sums) * *weights);
    let output = parts.get(Part::OutputBiases)[bucket] + terms.sum::<Vector>().reduce_add();
    Activations { second, third, output }
}

/// Adds the gradients that result from `pull`, the gradient of the output, and replaces the products by their gradient.
pub(super) fn backward(
    parts: &Parts<&[f32]>,
    gradient: &mut Parts<&mut [f32]>,
    bucket: usize,
    found: &Activations,
    pull: f32,
    products: &mut [Vector],
    scalars: &Scalars,
) {
    gradient.get_mut(Part::OutputBiases)[bucket] += pull;
    let pull = Vector::splat(pull);
    let weights = of_bucket(parts.get(Part::OutputWeights), bucket);
    let third: [Vector; THIRDS] =
        std::array::from_fn(|index| slope(found.third[index]) * (pull * weights[index]));
    let changes = of_bucket_mut(gradient.get_mut(Part::OutputWeights), bucket);
    for (change, sums) in changes.iter_mut().zip(found.third) {
        *change = pull.mul_add(square(sums), *change);
    }
    for (change, pulls) in of_bucket_mut(gradient.get_mut(Part::ThirdBiases), bucket).iter_mut().zip(third) {
        *change += pulls;
    }

    let activations = square(found.second);
    let mut second = Vector::ZERO;
    let weights = of_bucket(parts.get(Part::ThirdWeights), bucket);
    let changes = of_bucket_mut(gradient.get_mut(Part::ThirdWeights), bucket);
    let third = third.map(Vector::to_array);
    for ((change, weights), pull) in changes.iter_mut().zip(weights).zip(third.as_flattened()) {
        let pull = Vector::splat(*pull);
        *change = pull.mul_add(activations, *change);
        second = pull.mul_add(*weights, second);
    }
    second *= slope(found.second);
    of_bucket_mut(gradient.get_mut(Part::SecondBiases), bucket)[0] += second;

    // Neurons that are out of range have no gradient.
    let live = second.to_array().into_iter().enumerate().filter(|(_, pull)| *pull != 0.0).collect();
    weighted_back(
        &live,
        of_bucket(parts.get(Part::ScalarWeights), bucket),
        of_bucket_mut(gradient.get_mut(Part::ScalarWeights), bucket),
        // Nothing comes before the scalars that could learn from their gradient.
        &mut { *scalars },
    );
    weighted_back(
        &live,
        of_bucket(parts.get(Part::SecondWeights), bucket),
        of_bucket_mut(gradient.get_mut(Part::SecondWeights), bucket),
        products,
    );
}

/// The weighted sum of the products for each neuron of the second hidden layer, which has a row of weights.
#[inline(always)]
fn weighted(weights: &[Vector], products: &[Vector]) -> Vector {
    /// The number of rows that are added up at once, limited by the number of registers.
    const ROWS: usize = 8;
    let mut sums = [Vector::ZERO; L2_SIZE];
    let columns = products.len();
    for (rows, sums) in weights.chunks_exact(ROWS * columns).zip(sums.as_chunks_mut::<ROWS>().0) {
        let rows: [&[Vector]; ROWS] = std::array::from_fn(|row| &rows[row * columns..][..columns]);
        for (column, products) in products.iter().enumerate() {
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = row[column].mul_add(*products, *sum);
            }
        }
    }
    sums_of_each(sums)
}

/// Neurons that are in range, with the gradients of their sums.
type Live = ArrayVec<(usize, f32), L2_SIZE>;

/// The derivative of [`weighted`]: adds to the gradients `changes` of the weights, and replaces the products by their
/// gradient.
#[inline(always)]
fn weighted_back(live: &Live, weights: &[Vector], changes: &mut [Vector], products: &mut [Vector]) {
    /// The number of vectors of a row that are processed at once.
    const BLOCK: usize = 4;
    let columns = products.len();
    let (blocks, rest) = products.as_chunks_mut::<BLOCK>();
    for (block, products) in blocks.iter_mut().enumerate() {
        columns_back(live, weights, changes, (block * BLOCK, columns), products);
    }
    let first = columns - rest.len();
    for (index, products) in rest.iter_mut().enumerate() {
        columns_back(live, weights, changes, (first + index, columns), std::array::from_mut(products));
    }
}

/// The derivative of [`weighted`] for `N` of the `columns` of vectors, from `column` on.
#[inline(always)]
fn columns_back<const N: usize>(
    live: &Live,
    weights: &[Vector],
    changes: &mut [Vector],
    (column, columns): (usize, usize),
    products: &mut [Vector; N],
) {
    let mut pulls = [Vector::ZERO; N];
    for &(neuron, pull) in live {
        let pull = Vector::splat(pull);
        let start = neuron * columns + column;
        let (weights, changes) = (&weights[start..][..N], &mut changes[start..][..N]);
        for index in 0..N {
            changes[index] = pull.mul_add(products[index], changes[index]);
            pulls[index] = pull.mul_add(weights[index], pulls[index]);
        }
    }
    *products = pulls;
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
