//! The first hidden layer, for many examples at once.
//!
//! The weights are far too large for the cache of a core. So its neurons are processed in groups: the weights from all
//! inputs to one group fit into the cache, and are used for every example before the next group. In the backward pass
//! the gradient of each weight is loaded and stored only once for all examples of a part of the tile.

use super::example::Inputs;
use super::vector::Vector;
use crate::chess::Color;
use crate::nnue::WIDTH_STEP;
use crate::nnue::features::{INPUTS, MAX_ACTIVE};
use wide::f32x8;

/// The number of neurons in a group: some of the first half of the layer, followed by their partners.
pub(super) const GROUP: usize = WIDTH_STEP;
/// The number of products of a group.
const PAIRS: usize = GROUP / 2;

/// A number for each product of a group.
type Products = f32x8;
/// A number for each neuron of a group: for those of the first half of the layer, then for their partners.
type Neurons = Vector;
/// The sums of a group for an example, from the perspectives of the side to move and of the other side.
type Sums = [Neurons; Color::COUNT];

const _: () = assert!(size_of::<Products>() == PAIRS * size_of::<f32>());
const _: () = assert!(size_of::<Neurons>() == GROUP * size_of::<f32>());

/// The maximum number of examples whose inputs are inverted at once.
const PART: usize = PERSPECTIVES / Color::COUNT;
/// The maximum number of their perspectives: as many as an index of 8 bits can tell apart.
const PERSPECTIVES: usize = 1 << u8::BITS;

/// The number of parts of a tile.
const PARTS: usize = 4;
/// The maximum number of examples that are processed at once. The more there are, the more often the weights of a group
/// are used while they are in the cache; but not even the sums of twice as many would stay there.
pub(super) const TILE: usize = PARTS * PART;

/// The number of examples from the sums of one group to those of the next. With a power of two, all sums of an example
/// would compete for the same places of the cache.
const STRIDE: usize = TILE + GAP;
/// The number of unused places after each group.
const GAP: usize = 8;

/// The number of groups whose sums are computed together, so that inputs are read once for both.
const TOGETHER: usize = 2;

/// The index of the weight from an input, one of `inputs`, to a neuron in a layer of this width: group by group, with a
/// row for each input. Biases are stored as the weights of a single input.
pub(super) const fn place(width: usize, inputs: usize, input: usize, neuron: usize) -> usize {
    let [half, pair] = [neuron / (width / 2), neuron % (width / 2)];
    (pair / PAIRS * inputs + input) * GROUP + half * PAIRS + pair % PAIRS
}

/// The sums of the layer for a tile of examples, later their gradient.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// For each group those of [`TILE`] examples.
    sums: Vec<Sums>,
    /// For each part of the tile its active inputs.
    occurrences: Vec<Occurrences>,
}

impl Tile {
    /// The buffers for a layer of this width.
    pub(super) fn new(width: usize) -> Self {
        Self {
            sums: vec![Sums::default(); STRIDE * width / GROUP],
            occurrences: vec![Occurrences::new(); PARTS],
        }
    }

    /// Computes the sums of these examples.
    pub(super) fn add_up(&mut self, weights: &[f32], biases: &[f32], inputs: &[Inputs]) {
        let weights: &[[Neurons; INPUTS]] = bytemuck::cast_slice(weights).as_chunks().0;
        let biases: &[Neurons] = bytemuck::cast_slice(biases);
        let pairs = weights.len() / TOGETHER * TOGETHER;
        let (weights, last_weights) = weights.split_at(pairs);
        let (biases, last_biases) = biases.split_at(pairs);
        let (sums, last_sums) = self.sums.split_at_mut(pairs * STRIDE);
        add_up_groups::<TOGETHER>(weights, biases, inputs, sums);
        add_up_groups::<1>(last_weights, last_biases, inputs, last_sums);
    }

    /// Computes the products of an example, first those of the side to move.
    #[inline(always)]
    pub(super) fn multiply(&self, example: usize, products: &mut [Vector]) {
        let products: &mut [Products] = bytemuck::cast_slice_mut(products);
        let (own, other) = products.split_at_mut(products.len() / Color::COUNT);
        let sums = self.sums.chunks_exact(STRIDE).map(|sums| sums[example]);
        for ((sums, own), other) in sums.zip(own).zip(other) {
            [*own, *other] = sums.map(multiply);
        }
    }

    /// Replaces the sums of an example by their gradient for `pulls`, the gradient of the products.
    #[inline(always)]
    pub(super) fn multiply_back(&mut self, example: usize, pulls: &[Vector]) {
        let pulls: &[Products] = bytemuck::cast_slice(pulls);
        let (own, other) = pulls.split_at(pulls.len() / Color::COUNT);
        let sums = self.sums.chunks_exact_mut(STRIDE).map(|sums| &mut sums[example]);
        for (sums, (own, other)) in sums.zip(own.iter().zip(other)) {
            *sums = [multiply_back(sums[0], *own), multiply_back(sums[1], *other)];
        }
    }

    /// Adds the gradients of weights and biases that result from those of the sums of these examples.
    pub(super) fn add_back(&mut self, weights: &mut [f32], biases: &mut [f32], inputs: &[Inputs]) {
        for (occurrences, inputs) in self.occurrences.iter_mut().zip(inputs.chunks(PART)) {
            occurrences.set(inputs);
        }
        let biases: &mut [Neurons] = bytemuck::cast_slice_mut(biases);
        let weights = bytemuck::cast_slice_mut(weights).chunks_exact_mut(INPUTS);
        for ((weights, biases), sums) in weights.zip(biases).zip(self.sums.chunks_exact(STRIDE)) {
            for change in sums[..inputs.len()].as_flattened() {
                *biases += *change;
            }
            let parts = self.occurrences.iter().zip(sums.as_flattened().as_chunks::<PERSPECTIVES>().0);
            for (occurrences, changes) in parts.take(inputs.len().div_ceil(PART)) {
                add_back(weights, occurrences, changes);
            }
        }
    }
}

/// Computes the sums of some groups for each example, `N` groups at a time.
#[inline(always)]
fn add_up_groups<const N: usize>(
    weights: &[[Neurons; INPUTS]],
    biases: &[Neurons],
    inputs: &[Inputs],
    sums: &mut [Sums],
) {
    let groups = weights.as_chunks::<N>().0.iter().zip(biases.as_chunks::<N>().0);
    for ((weights, biases), sums) in groups.zip(sums.chunks_exact_mut(N * STRIDE)) {
        for (example, inputs) in inputs.iter().enumerate() {
            for (group, found) in add_up(weights, biases, inputs).into_iter().enumerate() {
                sums[group * STRIDE + example] = found;
            }
        }
    }
}

/// The sums of the biases and the rows of the active inputs, for each group those of both sides.
#[inline(always)]
fn add_up<const N: usize>(
    weights: &[[Neurons; INPUTS]; N],
    biases: &[Neurons; N],
    inputs: &Inputs,
) -> [Sums; N] {
    let mut sums = biases.map(|biases| [biases; Color::COUNT]);
    for pair in inputs.pairs() {
        for (sums, weights) in sums.iter_mut().zip(weights) {
            for (sums, input) in sums.iter_mut().zip(pair) {
                *sums += weights[usize::from(*input)];
            }
        }
    }
    sums
}

/// The derivative of [`add_up`]: adds the changes to the rows of the inputs that are active in their perspectives.
#[inline(always)]
fn add_back(weights: &mut [Neurons], occurrences: &Occurrences, changes: &[Neurons; PERSPECTIVES]) {
    /// The number of changes that are added up apart from the sum, so that it waits less often for an addition.
    const CHAINS: usize = 4;
    // Most inputs occur only a few times, and loops of a constant length are faster.
    occurrences.for_each_class(|count, inputs, perspectives| match count {
        1 => add_rows::<1>(weights, inputs, perspectives, changes),
        2 => add_rows::<2>(weights, inputs, perspectives, changes),
        3 => add_rows::<3>(weights, inputs, perspectives, changes),
        4 => add_rows::<4>(weights, inputs, perspectives, changes),
        5 => add_rows::<5>(weights, inputs, perspectives, changes),
        6 => add_rows::<6>(weights, inputs, perspectives, changes),
        _ => {
            for (input, perspectives) in inputs.iter().zip(perspectives.chunks_exact(count)) {
                let (chunks, rest) = perspectives.as_chunks::<CHAINS>();
                let mut sum = Neurons::ZERO;
                for places in chunks {
                    let [a, b, c, d] = places.map(|place| changes[usize::from(place)]);
                    sum += (a + b) + (c + d);
                }
                weights[usize::from(*input)] +=
                    rest.iter().fold(sum, |sum, place| sum + changes[usize::from(*place)]);
            }
        }
    });
}

/// [`add_back`] for inputs that are active in `N` perspectives.
#[inline(always)]
fn add_rows<const N: usize>(
    weights: &mut [Neurons],
    inputs: &[u16],
    perspectives: &[u8],
    changes: &[Neurons; PERSPECTIVES],
) {
    for (input, perspectives) in inputs.iter().zip(perspectives.as_chunks::<N>().0) {
        let change = |place: &u8| changes[usize::from(*place)];
        let first = change(&perspectives[0]);
        weights[usize::from(*input)] +=
            perspectives[1..].iter().fold(first, |sum, place| sum + change(place));
    }
}

#[inline(always)]
fn clamped(sums: Products) -> Products {
    sums.fast_max(Products::ZERO).fast_min(Products::ONE)
}

/// Multiplies each neuron, clamped to `0..=1`, by its partner.
#[inline(always)]
fn multiply(neurons: Neurons) -> Products {
    let [first, second]: [Products; 2] = bytemuck::cast(neurons);
    clamped(first) * clamped(second)
}

/// The derivative of [`multiply`]: returns the gradient of the neurons for `pulls`, that of the products.
#[inline(always)]
fn multiply_back(neurons: Neurons, pulls: Products) -> Neurons {
    let [first, second]: [Products; 2] = bytemuck::cast(neurons);
    let [a, b] = [clamped(first), clamped(second)];
    // A neuron that is out of range has no gradient.
    bytemuck::cast([a.simd_eq(first) & (pulls * b), b.simd_eq(second) & (pulls * a)])
}

/// The active inputs of some examples in the other direction: for each input the perspectives in which it is active.
#[derive(Clone, Debug)]
struct Occurrences {
    /// The inputs that occur, those that occur least often first.
    inputs: Vec<u16>,
    /// For each of these inputs its perspectives, numbered example by example, first that of the side to move.
    perspectives: Vec<u8>,
    /// The numbers of inputs that occur equally often, with how often that is.
    classes: Vec<Class>,
    /// For each input the number of perspectives, or where the next one is entered; 0 between calls.
    counts: Vec<u16>,
    /// The inputs that occur, in the order of the examples.
    found: Vec<u16>,
}

/// Inputs that occur equally often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Class {
    /// The number of perspectives of each.
    perspectives: usize,
    /// The number of inputs.
    inputs: usize,
}

impl Occurrences {
    /// The buffers for the inputs of [`PART`] examples.
    fn new() -> Self {
        Self {
            inputs: vec![0; INPUTS],
            perspectives: vec![0; PERSPECTIVES * MAX_ACTIVE],
            classes: Vec::with_capacity(PERSPECTIVES),
            counts: vec![0; INPUTS],
            // There is always a place for a next one.
            found: vec![0; INPUTS + 1],
        }
    }

    /// Replaces the content by the inputs of these examples, at most [`PART`] of them.
    fn set(&mut self, examples: &[Inputs]) {
        let Self { inputs, perspectives, classes, counts, found } = self;
        let mut length = 0;
        for input in examples.iter().flat_map(|example| example.pairs().as_flattened()) {
            let count = &mut counts[usize::from(*input)];
            // Without a branch, which would be mispredicted often.
            found[length] = *input;
            length += usize::from(*count == 0);
            *count += 1;
        }
        let found = &found[..length];

        // A counting sort of inputs by how often they occur, which also allots the places of their perspectives.
        let mut sizes = [0; PERSPECTIVES + 1];
        for input in found {
            sizes[usize::from(counts[usize::from(*input)])] += 1;
        }
        classes.clear();
        let mut next = [(0, 0); PERSPECTIVES + 1];
        let (mut first, mut place) = (0, 0);
        for (perspectives, inputs) in sizes.into_iter().enumerate().filter(|(_, inputs)| *inputs > 0) {
            next[perspectives] = (first, place);
            classes.push(Class { perspectives, inputs });
            first += inputs;
            place += inputs * perspectives;
        }
        for input in found {
            let count = &mut counts[usize::from(*input)];
            let (first, place) = &mut next[usize::from(*count)];
            inputs[*first] = *input;
            *first += 1;
            let size = usize::from(*count);
            *count = *place as u16;
            *place += size;
        }

        for (example, pairs) in examples.iter().map(Inputs::pairs).enumerate() {
            for pair in pairs {
                for (side, input) in pair.iter().enumerate() {
                    let place = &mut counts[usize::from(*input)];
                    perspectives[usize::from(*place)] = (Color::COUNT * example + side) as u8;
                    *place += 1;
                }
            }
        }
        for input in found {
            counts[usize::from(*input)] = 0;
        }
    }

    /// Passes inputs that occur equally often, and the perspectives of all of them, to `visit`.
    #[inline(always)]
    fn for_each_class(&self, mut visit: impl FnMut(usize, &[u16], &[u8])) {
        let (mut inputs, mut perspectives) = (&*self.inputs, &*self.perspectives);
        for class in &self.classes {
            let (now, later) = inputs.split_at(class.inputs);
            let (used, rest) = perspectives.split_at(class.inputs * class.perspectives);
            visit(class.perspectives, now, used);
            (inputs, perspectives) = (later, rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::trainer::testing::examples;

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
        let neurons = Neurons::new(std::array::from_fn(|neuron| halves[neuron / PAIRS][neuron % 4]));
        assert_eq!(multiply(neurons).to_array()[..4], [0.0, 0.25, 0.75, 0.25]);
        let found = multiply_back(neurons, Products::splat(2.0)).to_array();
        assert_eq!([&found[..4], &found[PAIRS..][..4]], [[0.0, 1.0, 0.0, 2.0], [0.0, 1.0, 2.0, 0.0]]);
    }

    #[test]
    fn every_input_and_perspective_is_found_once() {
        let mut inputs = vec![Inputs::NONE; PART];
        let mut occurrences = Occurrences::new();
        for (seed, count) in [(1, PART), (2, 3), (3, PART - 1)] {
            let inputs = &mut inputs[..count];
            for (inputs, example) in inputs.iter_mut().zip(examples(count, seed)) {
                example.inputs(inputs);
            }
            occurrences.set(inputs);
            let mut expected = Vec::new();
            for (example, inputs) in inputs.iter().enumerate() {
                for [own, other] in inputs.pairs() {
                    expected.extend([(*own, 2 * example as u8), (*other, 2 * example as u8 + 1)]);
                }
            }
            let (mut found, mut before) = (Vec::new(), 0);
            occurrences.for_each_class(|count, inputs, perspectives| {
                assert!(count > before && perspectives.len() == count * inputs.len());
                before = count;
                for (input, perspectives) in inputs.iter().zip(perspectives.chunks_exact(count)) {
                    found.extend(perspectives.iter().map(|place| (*input, *place)));
                }
            });
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{count} examples");
            found.dedup_by_key(|(input, _)| *input);
            let classes = occurrences.classes.iter().map(|class| class.inputs).sum::<usize>();
            assert_eq!(found.len(), classes, "an input is in one class");
        }
    }
}
