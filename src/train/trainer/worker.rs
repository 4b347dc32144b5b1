//! The work of one thread on its part of a batch: forward pass, loss, backward pass.

use super::example::Inputs;
use super::first_layer::{self, TILE};
use super::half_precision::RoundedWeights;
use super::later_layers::{self, Activations, BLOCK, Columns, Scalars};
use super::parameters::{Layout, Part, Parts};
use super::vector::{AlignedVec, LANES, Vector};
use super::{Example, Loss};
use crate::nnue::features::MAX_ACTIVE;
use crate::nnue::{Architecture, SCALARS};
use std::iter::Sum;
use std::ops::Range;

/// The buffers of a thread, and the gradient that it has computed.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    layout: Layout,
    /// The inputs of each example of a section.
    inputs: Inputs,
    /// The first hidden layer for a tile, and its gradients for a section.
    first: first_layer::Buffers,
    /// The weights of later layers in another order.
    columns: Columns,
    /// The inputs of later layers for a block of examples.
    block: Block,
    /// The examples to learn from.
    batch: SortedExamples,
    /// The sum over the examples of the gradient of the loss, in the layout of the parameters.
    gradient: AlignedVec,
}

/// A network and its loss.
#[derive(Clone, Copy)]
pub(super) struct Model<'a> {
    pub layout: Layout,
    pub parameters: &'a AlignedVec,
    /// The weights of the first hidden layer in 16 bits.
    pub rounded: &'a RoundedWeights,
    /// The share by which the points of the examples are moved toward the results of their games.
    pub toward_result: f32,
    /// The loss of the output.
    pub loss: Loss,
}

/// Sums over examples.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Sums {
    /// The sum of the losses, each multiplied by the weight of its example.
    pub loss: f64,
    /// The sum of the weights.
    pub weight: f64,
}

impl Sums {
    /// Adds an example.
    fn add(&mut self, loss: f64, weight: f32) {
        self.loss += f64::from(weight) * loss;
        self.weight += f64::from(weight);
    }

    /// The mean loss.
    pub(super) fn mean(self) -> f64 {
        self.loss / self.weight
    }
}

impl Sum for Sums {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, part| Self {
            loss: sum.loss + part.loss,
            weight: sum.weight + part.weight,
        })
    }
}

impl Worker {
    /// The buffers for training with this many examples at once.
    pub(super) fn new(layout: Layout, examples: usize) -> Self {
        let gradient = AlignedVec::zeroed(layout.parameters());
        let first = first_layer::Buffers::new(layout.0.l1_size(), examples);
        Self { first, gradient, ..Self::without_gradient(layout) }
    }

    /// The buffers for evaluation only.
    pub(super) fn without_gradient(layout: Layout) -> Self {
        let width = layout.0.l1_size();
        Self {
            layout,
            inputs: Inputs::default(),
            first: first_layer::Buffers::new(width, 0),
            columns: Columns::new(width),
            block: Block {
                products: vec![Vector::ZERO; BLOCK * width / LANES],
                scalars: [NO_SCALARS; BLOCK],
            },
            batch: SortedExamples::default(),
            gradient: AlignedVec::zeroed(0),
        }
    }

    /// The gradient that [`Worker::learn`] has computed.
    pub(super) fn gradient(&self) -> &[f32] {
        &self.gradient
    }

    /// The outputs of a network for examples.
    #[cfg(test)]
    pub(super) fn evaluate(&mut self, parameters: &AlignedVec, examples: &[Example]) -> Vec<f32> {
        let parts = self.layout.split(parameters);
        let rounded = &RoundedWeights::of(self.layout.0.l1_size(), &parts);
        let layout = self.layout;
        let model = Model { layout, parameters, rounded, toward_result: 0.0, loss: Loss::default() };
        self.columns.copy(&parts);
        let mut outputs = Vec::new();
        for tile in examples.chunks(TILE) {
            self.evaluate_tile(model, tile, |_, output| outputs.push(output));
        }
        outputs
    }

    /// The sums of losses and weights over examples.
    pub(super) fn loss(&mut self, model: Model<'_>, examples: &[Example]) -> Sums {
        let mut sums = Sums::default();
        self.columns.copy(&model.layout.split(model.parameters));
        let mut batch = SortedExamples::default();
        for tile in examples.chunks(TILE) {
            self.evaluate_tile(model, batch.sort(tile.iter().copied()), |example, output| {
                let loss = model.loss.of(output, example.points_toward_result(model.toward_result));
                sums.add(loss, example.weight());
            });
        }
        sums
    }

    /// Passes the output of a network for each example of a tile to `visit`.
    fn evaluate_tile(&mut self, model: Model<'_>, tile: &[Example], mut visit: impl FnMut(&Example, f32)) {
        self.inputs.set(tile);
        self.first.add_up(model.rounded, self.inputs.pairs());
        let parts = model.layout.split(model.parameters);
        for (bucket, range) in blocks(tile) {
            let activations = self.forward(&parts, bucket, 0, range.clone());
            for (example, output) in tile[range].iter().zip(activations.outputs) {
                visit(example, output);
            }
        }
    }

    /// Computes the sum of the gradients of the losses of these examples, each multiplied by the weight of its example,
    /// and returns the sums of losses and weights.
    pub(super) fn learn(
        &mut self,
        model: Model<'_>,
        examples: &[Example],
        indices: impl Iterator<Item = usize>,
    ) -> Sums {
        self.columns.copy(&model.layout.split(model.parameters));
        let mut sums = Sums::default();
        let places: Vec<usize> = indices.collect();
        let mut batch = std::mem::take(&mut self.batch);
        // They are anywhere in memory, and the accesses to many of them overlap in the time of one. Similar numbers of
        // pieces have many inputs in common, too.
        let sorted = batch.sort(places.into_iter().map(|place| examples[place]));
        // The gradient of the weights of the first layer is replaced by that of the first section, if there is one.
        let replaced = if sorted.is_empty() { 0..0 } else { self.layout.range(Part::FeatureWeights) };
        self.gradient[..replaced.start].fill(0.0);
        self.gradient[replaced.end..].fill(0.0);
        for (number, section) in sorted.chunks(self.first.section()).enumerate() {
            self.inputs.set(section);
            for (index, tile) in section.chunks(TILE).enumerate() {
                self.learn_tile(model, index * TILE, tile, &mut sums);
            }
            let mut gradient = self.layout.split_mut(&mut self.gradient);
            let [weights, biases] = gradient.first_layer_mut();
            self.first.add_back(weights, biases, self.inputs.pairs(), number == 0);
        }
        self.batch = batch;
        sums
    }

    /// Adds the contributions of a tile of examples to the sums and to the gradient, except that of the first hidden
    /// layer. The tile begins with example `start` of the section.
    fn learn_tile(&mut self, model: Model<'_>, start: usize, tile: &[Example], sums: &mut Sums) {
        let mut inputs = self.inputs.pairs();
        inputs.split_off(start);
        self.first.add_up(model.rounded, inputs.split_off(TILE));
        let parts = model.layout.split(model.parameters);
        for (bucket, range) in blocks(tile) {
            let activations = self.forward(&parts, bucket, start, range.clone());
            let mut pulls = [0.0; BLOCK];
            let outputs = pulls.iter_mut().zip(activations.outputs);
            for (example, (pull, output)) in tile[range.clone()].iter().zip(outputs) {
                let points = example.points_toward_result(model.toward_result);
                let (loss, slope) = model.loss.with_pull(output, points);
                sums.add(loss, example.weight());
                *pull = example.weight() * slope;
            }
            let mut gradient = self.layout.split_mut(&mut self.gradient);
            let Block { products, scalars } = &mut self.block;
            later_layers::backward(&parts, &mut gradient, bucket, &activations, &pulls, products, scalars);
            let columns = self.layout.0.l1_size() / LANES;
            for (example, pulls) in range.zip(products.chunks_exact(columns)) {
                self.first.multiply_back(start, example, pulls);
            }
        }
    }

    /// Fills the block with these examples of the tile, and computes their activations. The tile begins with example
    /// `start` of the section.
    fn forward(
        &mut self,
        parts: &Parts<&[f32]>,
        bucket: usize,
        start: usize,
        examples: Range<usize>,
    ) -> Activations {
        let columns = self.layout.0.l1_size() / LANES;
        let Block { products, scalars } = &mut self.block;
        let count = examples.len();
        for (example, (products, scalars)) in
            examples.zip(products.chunks_exact_mut(columns).zip(scalars.iter_mut()))
        {
            self.first.multiply(example, products);
            *scalars = self.inputs.scalars(start + example);
        }
        // The places of missing examples have no effect, but must be numbers.
        products[count * columns..].fill(Vector::ZERO);
        scalars[count..].fill(NO_SCALARS);
        later_layers::forward(parts, &self.columns, bucket, products, scalars)
    }
}

/// The inputs of later layers for a block of examples.
#[derive(Clone, Debug)]
struct Block {
    /// The products of the first hidden layer, example by example; in the backward pass their gradient.
    products: Vec<Vector>,
    /// The scalars.
    scalars: [Scalars; BLOCK],
}

/// The scalars of no example.
const NO_SCALARS: Scalars = [Vector::ZERO; SCALARS / LANES];

/// Examples that are sorted, and the buffers for that.
#[derive(Clone, Default, Debug)]
struct SortedExamples {
    /// The examples in the order in which they came.
    found: Vec<Example>,
    /// The examples by their numbers of pieces.
    sorted: Vec<Example>,
}

impl SortedExamples {
    /// Replaces the content by these examples, sorted by the number of pieces. Those of the same bucket use the same
    /// weights.
    fn sort(&mut self, examples: impl Iterator<Item = Example>) -> &[Example] {
        let Self { found, sorted } = self;
        found.clear();
        found.extend(examples);
        // A counting sort: there are few different numbers.
        let mut places = [0; MAX_ACTIVE + 2];
        for example in &*found {
            places[example.piece_count() as usize + 1] += 1;
        }
        for count in 1..places.len() {
            places[count] += places[count - 1];
        }
        let Some(first) = found.first() else { return &[] };
        sorted.resize(found.len(), *first);
        for example in &*found {
            let place = &mut places[example.piece_count() as usize];
            sorted[*place] = *example;
            *place += 1;
        }
        sorted
    }
}

/// The blocks of a sorted tile, each with its bucket.
fn blocks(tile: &[Example]) -> impl Iterator<Item = (usize, Range<usize>)> {
    let mut start = 0;
    tile.chunk_by(|one, other| bucket(one) == bucket(other)).flat_map(move |run| {
        let (first, end) = (start, start + run.len());
        start = end;
        let bucket = bucket(&run[0]);
        (first..end).step_by(BLOCK).map(move |place| (bucket, place..end.min(place + BLOCK)))
    })
}

/// The output bucket of an example.
fn bucket(example: &Example) -> usize {
    Architecture::bucket_of(example.piece_count() as usize)
}
