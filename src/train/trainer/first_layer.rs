//! The first hidden layer, for many examples at once.
//!
//! The weights are far too large for the cache of a core. So its neurons are processed in groups: the weights from all
//! inputs to one group fit into the cache, and are used for every example before the next group.

use super::example::Inputs;
use super::vector::Vector;
use crate::chess::Color;
use crate::nnue::WIDTH_STEP;
use crate::nnue::features::INPUTS;
use wide::f32x8;

/// The number of neurons in a group: some of the first half of the layer, followed by their partners.
pub(super) const GROUP: usize = WIDTH_STEP;
/// The number of products of a group.
const PAIRS: usize = GROUP / 2;

/// A number for each product of a group.
type Products = f32x8;
/// A number for each neuron of a group: for those of the first half of the layer, and for their partners.
type Neurons = [Products; 2];
/// The sums of a group for an example, from the perspectives of the side to move and of the other side.
pub(super) type Sums = [Neurons; Color::COUNT];

const _: () = assert!(size_of::<Products>() == PAIRS * size_of::<f32>());

/// The index of the weight from an input, one of `inputs`, to a neuron in a layer of this width: group by group, with a
/// row for each input. Biases are stored as the weights of a single input.
pub(super) const fn place(width: usize, inputs: usize, input: usize, neuron: usize) -> usize {
    let [half, pair] = [neuron / (width / 2), neuron % (width / 2)];
    (pair / PAIRS * inputs + input) * GROUP + half * PAIRS + pair % PAIRS
}

/// Computes the sums, for each group those of all examples, and the products, for each example first those of the side
/// to move.
pub(super) fn forward(
    weights: &[f32],
    biases: &[f32],
    inputs: &[Inputs],
    sums: &mut [Sums],
    products: &mut [Vector],
) {
    let biases: &[Neurons] = bytemuck::cast_slice(biases);
    let products: &mut [Products] = bytemuck::cast_slice_mut(products);
    let groups = biases.len();
    let weights = bytemuck::cast_slice(weights).chunks_exact(INPUTS);
    let parts = weights.zip(biases).zip(sums.chunks_exact_mut(inputs.len()));
    for (group, ((weights, biases), sums)) in parts.enumerate() {
        let products = products.chunks_exact_mut(Color::COUNT * groups);
        for ((inputs, sums), products) in inputs.iter().zip(sums).zip(products) {
            *sums = add_up(weights, biases, inputs);
            for (sums, products) in sums.iter().zip(products.chunks_exact_mut(groups)) {
                products[group] = multiply(*sums);
            }
        }
    }
}

/// Adds the gradients of weights and biases that result from `pulls`, the gradient of the products.
pub(super) fn backward(
    weights: &mut [f32],
    biases: &mut [f32],
    inputs: &[Inputs],
    sums: &[Sums],
    pulls: &[Vector],
) {
    let biases: &mut [Neurons] = bytemuck::cast_slice_mut(biases);
    let pulls: &[Products] = bytemuck::cast_slice(pulls);
    let groups = biases.len();
    let weights = bytemuck::cast_slice_mut(weights).chunks_exact_mut(INPUTS);
    let parts = weights.zip(biases).zip(sums.chunks_exact(inputs.len()));
    for (group, ((weights, biases), sums)) in parts.enumerate() {
        let pulls = pulls.chunks_exact(Color::COUNT * groups);
        for ((inputs, sums), pulls) in inputs.iter().zip(sums).zip(pulls) {
            let changes = [0, 1].map(|side| multiply_back(sums[side], pulls[side * groups + group]));
            for change in changes {
                add(biases, change);
            }
            for pair in inputs.pairs() {
                for (input, change) in pair.iter().zip(changes) {
                    add(&mut weights[usize::from(*input)], change);
                }
            }
        }
    }
}

/// The sums of the biases and the rows of the active inputs, for both sides.
#[inline(always)]
fn add_up(weights: &[Neurons], biases: &Neurons, inputs: &Inputs) -> Sums {
    let mut sums = [*biases; Color::COUNT];
    for pair in inputs.pairs() {
        for (sums, input) in sums.iter_mut().zip(pair) {
            add(sums, weights[usize::from(*input)]);
        }
    }
    sums
}

#[inline(always)]
fn add(sums: &mut Neurons, change: Neurons) {
    for (sums, change) in sums.iter_mut().zip(change) {
        *sums += change;
    }
}

#[inline(always)]
fn clamped(sums: Products) -> Products {
    sums.fast_max(Products::ZERO).fast_min(Products::ONE)
}

/// Multiplies each neuron, clamped to `0..=1`, by its partner.
#[inline(always)]
fn multiply([first, second]: Neurons) -> Products {
    clamped(first) * clamped(second)
}

/// The derivative of [`multiply`]: returns the gradient of the neurons for `pulls`, that of the products.
#[inline(always)]
fn multiply_back([first, second]: Neurons, pulls: Products) -> Neurons {
    let [a, b] = [clamped(first), clamped(second)];
    // A neuron that is out of range has no gradient.
    [a.simd_eq(first) & (pulls * b), b.simd_eq(second) & (pulls * a)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_a_place() {
        const WIDTH: usize = 3 * GROUP;
        let mut places: Vec<usize> = (0..INPUTS)
            .flat_map(|input| (0..WIDTH).map(move |neuron| place(WIDTH, INPUTS, input, neuron)))
            .collect();
        // The first neurons of both halves are in the same group.
        assert_eq!(places[WIDTH / 2], places[0] + PAIRS);
        places.sort_unstable();
        assert!(places.into_iter().eq(0..INPUTS * WIDTH));
    }

    #[test]
    fn neurons_are_multiplied_and_pulled() {
        let halves = [[-1.0, 0.5, 2.0, 0.25], [0.5, 0.5, 0.75, 3.0]];
        let neurons = halves.map(|half| Products::new(std::array::from_fn(|pair| half[pair % 4])));
        assert_eq!(multiply(neurons).to_array()[..4], [0.0, 0.25, 0.75, 0.25]);
        let found = multiply_back(neurons, Products::splat(2.0)).map(|half| half.to_array());
        assert_eq!([&found[0][..4], &found[1][..4]], [[0.0, 1.0, 0.0, 2.0], [0.0, 1.0, 2.0, 0.0]]);
    }
}
