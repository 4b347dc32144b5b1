//! The first hidden layer, for many examples at once.
//!
//! The weights are far too large for the cache of a core. So its neurons are processed in bands: the weights from all
//! inputs to one band fit into the cache, and are used for every example of a tile before the next band. In the
//! backward pass the gradient of each weight is loaded and stored only once for all examples of a part of a section.

use super::example::Pairs;
use super::half_precision::{
    self, BIASES, Band, GROUPS, Neurons, RoundedWeights, Row, packed, sums_of, unpacked,
};
use super::parameters::PAIRS;
use super::vector::Vector;
use crate::chess::Color;
use crate::nnue::features::{INPUTS, MAX_ACTIVE};
use std::array;
use wide::f32x8;

/// A number for each product of a group.
type Products = f32x8;
/// The rows of a band for an example, from the perspectives of the side to move and of the other side.
type Rows = [Row; Color::COUNT];

const _: () = assert!(size_of::<Products>() == PAIRS * size_of::<f32>());

/// The number of examples whose sums are computed at once. The more there are, the more often the weights of a band are
/// used while they are in the cache; but not even the sums of twice as many would stay there.
pub(super) const TILE: usize = 512;
/// The maximum number of examples whose gradients are added up at once. They are read in their order, so they need not
/// fit into the cache.
const MAX_SECTION: usize = 32 * TILE;

/// The maximum number of examples whose inputs are inverted at once. The more there are, the less often gradients of
/// weights are loaded and stored; but the gradients of the sums have to stay in the cache.
const PART: usize = 512;
/// The maximum number of their perspectives.
const PERSPECTIVES: usize = PART * Color::COUNT;

/// The number of unused places after the examples of a band. With a power of two, all rows of an example would compete
/// for the same places of the cache.
const GAP: usize = 8;
/// The number of examples from the sums of one band to those of the next.
const TILE_STRIDE: usize = stride(TILE);

/// The number of places of a band with this many examples.
const fn stride(examples: usize) -> usize {
    examples + GAP
}

/// The number of bands whose sums are computed together, so that inputs are read once for both.
const TOGETHER: usize = 2;

/// The sums of the layer for a tile of examples, and their gradients for a section.
#[derive(Clone, Debug)]
pub(super) struct Buffers {
    /// For each band the sums of [`TILE`] examples.
    sums: Vec<Rows>,
    /// The number of examples of a section.
    section: usize,
    /// For each band the gradients of their sums.
    gradients: Vec<Rows>,
    /// For each part of the section its active inputs.
    occurrences: Vec<Occurrences>,
}

impl Buffers {
    /// The buffers for a layer of this width, for sections of this many examples or somewhat more, up to a maximum.
    /// Without examples there is only a forward pass.
    pub(super) fn new(width: usize, examples: usize) -> Self {
        let bands = half_precision::bands(width);
        let parts = examples.min(MAX_SECTION).div_ceil(PART);
        let section = parts * PART;
        Self {
            sums: vec![Rows::default(); TILE_STRIDE * bands],
            section,
            gradients: vec![Rows::default(); stride(section) * bands],
            occurrences: vec![Occurrences::new(); parts],
        }
    }

    /// The number of examples whose gradients are added up at once.
    pub(super) const fn section(&self) -> usize {
        self.section
    }

    /// Computes the sums of the examples of a tile.
    pub(super) fn add_up(&mut self, weights: &RoundedWeights, inputs: Pairs<'_>) {
        let (bands, rest) = weights.bands().as_chunks::<TOGETHER>();
        let (sums, last_sums) = self.sums.split_at_mut(bands.as_flattened().len() * TILE_STRIDE);
        add_up_bands(bands, inputs, sums);
        add_up_bands::<1>(rest.as_chunks().0, inputs, last_sums);
    }

    /// Computes the products of an example of the tile, first those of the side to move.
    #[inline(always)]
    pub(super) fn multiply(&self, example: usize, products: &mut [Vector]) {
        let products: &mut [Products] = bytemuck::cast_slice_mut(products);
        let (own, other) = products.split_at_mut(products.len() / Color::COUNT);
        let sums = self.sums.chunks_exact(TILE_STRIDE).map(|sums| sums[example]);
        for (sums, (own, other)) in sums.zip(own.chunks_mut(GROUPS).zip(other.chunks_mut(GROUPS))) {
            for (sums, products) in sums.into_iter().zip([own, other]) {
                for (product, neurons) in products.iter_mut().zip(sums_of(sums)) {
                    *product = multiply(neurons);
                }
            }
        }
    }

    /// Computes the gradients of the sums of an example for `pulls`, the gradient of the products. The tile begins with
    /// example `start` of the section.
    #[inline(always)]
    pub(super) fn multiply_back(&mut self, start: usize, example: usize, pulls: &[Vector]) {
        let pulls: &[Products] = bytemuck::cast_slice(pulls);
        let (own, other) = pulls.split_at(pulls.len() / Color::COUNT);
        let sums = self.sums.chunks_exact(TILE_STRIDE).map(|sums| sums[example]);
        let gradients =
            self.gradients.chunks_exact_mut(stride(self.section)).map(|rows| &mut rows[start + example]);
        let pulls = own.chunks(GROUPS).zip(other.chunks(GROUPS));
        for ((sums, gradients), (own, other)) in sums.zip(gradients).zip(pulls) {
            for ((sums, gradient), pulls) in sums.into_iter().zip(gradients).zip([own, other]) {
                let mut found = [Neurons::ZERO; GROUPS];
                for ((found, neurons), pulls) in found.iter_mut().zip(sums_of(sums)).zip(pulls) {
                    *found = multiply_back(neurons, *pulls);
                }
                *gradient = packed(found);
            }
        }
    }

    /// Adds the gradients of weights and biases that result from those of the sums of the examples of the section. If
    /// it `is_first`, the former gradients of weights are replaced.
    pub(super) fn add_back(
        &mut self,
        weights: &mut [f32],
        biases: &mut [f32],
        mut inputs: Pairs<'_>,
        is_first: bool,
    ) {
        let count = inputs.examples();
        let parts = count.div_ceil(PART);
        for occurrences in &mut self.occurrences[..parts] {
            occurrences.set(inputs.split_off(PART));
        }
        let biases: &mut [Neurons] = bytemuck::cast_slice_mut(biases);
        let weights: &mut [[Neurons; INPUTS]] = bytemuck::cast_slice_mut(weights).as_chunks_mut().0;
        let bands = weights.chunks_mut(GROUPS).zip(biases.chunks_mut(GROUPS));
        for ((weights, biases), rows) in bands.zip(self.gradients.chunks_exact(stride(self.section))) {
            if is_first {
                // Here, so that they stay in the cache.
                weights.as_flattened_mut().fill(Neurons::ZERO);
            }
            let used = rows[..count].as_flattened().chunks(PERSPECTIVES);
            let changes = rows.as_flattened().as_chunks::<PERSPECTIVES>().0;
            for ((occurrences, changes), used) in self.occurrences.iter().zip(changes).zip(used) {
                for row in used {
                    for (bias, change) in biases.iter_mut().zip(unpacked(*row)) {
                        *bias += change;
                    }
                }
                match weights {
                    [one, other] => add_back([one, other], occurrences, changes),
                    [last] => add_back([last], occurrences, changes),
                    _ => {}
                }
            }
        }
    }
}

/// Computes the sums of some bands for each example, `N` bands at a time.
#[inline(always)]
fn add_up_bands<const N: usize>(bands: &[[Band; N]], inputs: Pairs<'_>, sums: &mut [Rows]) {
    for (bands, sums) in bands.iter().zip(sums.chunks_exact_mut(N * TILE_STRIDE)) {
        for (example, pairs) in inputs.iter().enumerate() {
            for (band, found) in add_up(bands, pairs).into_iter().enumerate() {
                sums[band * TILE_STRIDE + example] = found;
            }
        }
    }
}

/// The sums of the biases and the rows of the active inputs, for each band those of both sides.
#[inline(always)]
fn add_up<const N: usize>(bands: &[Band; N], pairs: &[[u16; Color::COUNT]]) -> [Rows; N] {
    let mut sums: [Rows; N] = array::from_fn(|band| [bands[band][BIASES]; Color::COUNT]);
    for pair in pairs {
        for (sums, band) in sums.iter_mut().zip(bands) {
            for (sum, input) in sums.iter_mut().zip(pair) {
                *sum = sum.saturating_add(band[usize::from(*input)]);
            }
        }
    }
    sums
}

/// The derivative of [`add_up`]: adds the changes to the rows of the inputs that are active in their perspectives, for
/// `N` groups of a band.
#[inline(always)]
fn add_back<const N: usize>(
    mut weights: [&mut [Neurons; INPUTS]; N],
    occurrences: &Occurrences,
    changes: &[Row; PERSPECTIVES],
) {
    /// The number of changes that are added up apart from the sum, so that it waits less often for an addition.
    const CHAINS: usize = 4;
    let weights = &mut weights;
    // Most inputs occur only a few times, and loops of a constant length are faster.
    occurrences.for_each_class(|count, inputs, perspectives| match count {
        1 => add_rows::<1, N>(weights, inputs, perspectives, changes),
        2 => add_rows::<2, N>(weights, inputs, perspectives, changes),
        3 => add_rows::<3, N>(weights, inputs, perspectives, changes),
        4 => add_rows::<4, N>(weights, inputs, perspectives, changes),
        5 => add_rows::<5, N>(weights, inputs, perspectives, changes),
        6 => add_rows::<6, N>(weights, inputs, perspectives, changes),
        _ => {
            for (input, perspectives) in inputs.iter().zip(perspectives.chunks_exact(count)) {
                let (chunks, rest) = perspectives.as_chunks::<CHAINS>();
                let mut sums = [Neurons::ZERO; GROUPS];
                for places in chunks {
                    let [a, b, c, d] = places.map(|place| unpacked(changes[usize::from(place)]));
                    for (group, sum) in sums.iter_mut().enumerate() {
                        *sum += (a[group] + b[group]) + (c[group] + d[group]);
                    }
                }
                for place in rest {
                    add(&mut sums, unpacked(changes[usize::from(*place)]));
                }
                add(weights.each_mut().map(|rows| &mut rows[usize::from(*input)]), sums);
            }
        }
    });
}

/// [`add_back`] for inputs that are active in `COUNT` perspectives.
#[inline(always)]
fn add_rows<const COUNT: usize, const N: usize>(
    weights: &mut [&mut [Neurons; INPUTS]; N],
    inputs: &[u16],
    perspectives: &[u16],
    changes: &[Row; PERSPECTIVES],
) {
    for (input, perspectives) in inputs.iter().zip(perspectives.as_chunks::<COUNT>().0) {
        let change = |place: &u16| unpacked(changes[usize::from(*place)]);
        let mut sums = change(&perspectives[0]);
        for place in &perspectives[1..] {
            add(&mut sums, change(place));
        }
        add(weights.each_mut().map(|rows| &mut rows[usize::from(*input)]), sums);
    }
}

/// Adds the numbers of the groups of a band, or of those that are used.
#[inline(always)]
fn add<'a>(sums: impl IntoIterator<Item = &'a mut Neurons>, numbers: [Neurons; GROUPS]) {
    for (sum, numbers) in sums.into_iter().zip(numbers) {
        *sum += numbers;
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
    perspectives: Vec<u16>,
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
    fn set(&mut self, examples: Pairs<'_>) {
        let Self { inputs, perspectives, classes, counts, found } = self;
        let mut length = 0;
        for input in examples.all().as_flattened() {
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

        for (example, pairs) in examples.iter().enumerate() {
            for pair in pairs {
                for (side, input) in pair.iter().enumerate() {
                    let place = &mut counts[usize::from(*input)];
                    perspectives[usize::from(*place)] = (Color::COUNT * example + side) as u16;
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
    fn for_each_class(&self, mut visit: impl FnMut(usize, &[u16], &[u16])) {
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
    use crate::train::trainer::example::Inputs;
    use crate::train::trainer::testing::examples;

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
        let mut inputs = Inputs::default();
        let mut occurrences = Occurrences::new();
        for (seed, count) in [(1, PART), (2, 3), (3, PART - 1)] {
            inputs.set(&examples(count, seed));
            occurrences.set(inputs.pairs());
            let mut expected = Vec::new();
            for (example, pairs) in inputs.pairs().iter().enumerate() {
                for [own, other] in pairs {
                    expected.extend([(*own, 2 * example as u16), (*other, 2 * example as u16 + 1)]);
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
