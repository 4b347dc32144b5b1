//! The work of one thread on its part of a batch: forward pass, loss, backward pass.

use super::example::Inputs;
use super::first_layer::{self, GROUP};
use super::parameters::{Layout, Part};
use super::vector::{AlignedVec, LANES, Vector};
use super::{Example, Loss, later_layers};
use crate::nnue::Architecture;
use std::iter::Sum;

/// The number of examples that are processed at once. They are anywhere in memory, and the accesses to many of them
/// overlap in the time of one.
const TILE: usize = 128;

/// The buffers of a thread, and the gradient that it has computed.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    layout: Layout,
    /// The inputs of each example of a tile.
    inputs: Vec<Inputs>,
    /// The sums of the first hidden layer, for each group of neurons those of all examples.
    sums: Vec<first_layer::Sums>,
    /// The products of these sums for each example; in the backward pass their gradient.
    products: Vec<Vector>,
    /// The sum over the examples of the gradient of the loss, in the layout of the parameters.
    gradient: AlignedVec,
}

/// A network and its loss.
#[derive(Clone, Copy)]
pub(super) struct Model<'a> {
    pub layout: Layout,
    pub parameters: &'a AlignedVec,
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
    /// The buffers for training.
    pub(super) fn new(layout: Layout) -> Self {
        Self { gradient: AlignedVec::zeroed(layout.parameters()), ..Self::without_gradient(layout) }
    }

    /// The buffers for evaluation only.
    pub(super) fn without_gradient(layout: Layout) -> Self {
        let width = layout.0.l1_size();
        Self {
            layout,
            inputs: vec![Inputs::NONE; TILE],
            sums: vec![first_layer::Sums::default(); TILE * width / GROUP],
            products: vec![Vector::ZERO; TILE * width / LANES],
            gradient: AlignedVec::zeroed(0),
        }
    }

    /// The gradient that [`Worker::learn`] has computed.
    pub(super) fn gradient(&self) -> &[f32] {
        &self.gradient
    }

    /// The output of a network for an example.
    #[cfg(test)]
    pub(super) fn evaluate(&mut self, parameters: &AlignedVec, example: &Example) -> f32 {
        let model = Model { layout: self.layout, parameters, toward_result: 0.0, loss: Loss::default() };
        let mut output = None;
        self.evaluate_tile(model, std::slice::from_ref(example), |_, found| output = Some(found));
        output.expect("there is an example")
    }

    /// The sums of losses and weights over examples.
    pub(super) fn loss(&mut self, model: Model<'_>, examples: &[Example]) -> Sums {
        let mut sums = Sums::default();
        for tile in examples.chunks(TILE) {
            self.evaluate_tile(model, tile, |example, output| {
                let loss = model.loss.of(output, example.points_toward_result(model.toward_result));
                sums.add(loss, example.weight());
            });
        }
        sums
    }

    /// Passes the output of a network for each example of a tile to `visit`.
    fn evaluate_tile(&mut self, model: Model<'_>, tile: &[Example], mut visit: impl FnMut(&Example, f32)) {
        self.enter(model, tile);
        let parts = model.layout.split(model.parameters);
        let columns = self.layout.0.l1_size() / LANES;
        let inputs = self.inputs.iter().zip(self.products.chunks_exact(columns));
        for (example, (inputs, products)) in tile.iter().zip(inputs) {
            let scalars = inputs.scalars();
            visit(example, later_layers::forward(&parts, bucket(example), products, &scalars).output);
        }
    }

    /// Computes the sum of the gradients of the losses of these examples, each multiplied by the weight of its example,
    /// and returns the sums of losses and weights.
    pub(super) fn learn(
        &mut self,
        model: Model<'_>,
        examples: &[Example],
        mut indices: impl Iterator<Item = usize>,
    ) -> Sums {
        self.gradient.fill(0.0);
        let mut sums = Sums::default();
        let mut tile = Vec::with_capacity(TILE);
        loop {
            tile.clear();
            tile.extend(indices.by_ref().take(TILE).map(|index| examples[index]));
            if tile.is_empty() {
                return sums;
            }
            // Examples of the same bucket use the same weights.
            tile.sort_unstable_by_key(Example::piece_count);
            self.learn_tile(model, &tile, &mut sums);
        }
    }

    /// Adds the contributions of a tile of examples to the gradient and to the sums.
    fn learn_tile(&mut self, model: Model<'_>, tile: &[Example], sums: &mut Sums) {
        self.enter(model, tile);
        let parts = model.layout.split(model.parameters);
        let mut gradient = self.layout.split_mut(&mut self.gradient);
        let columns = self.layout.0.l1_size() / LANES;
        let inputs = self.inputs.iter().zip(self.products.chunks_exact_mut(columns));
        for (example, (inputs, products)) in tile.iter().zip(inputs) {
            let scalars = inputs.scalars();
            let bucket = bucket(example);
            let activations = later_layers::forward(&parts, bucket, products, &scalars);
            let points = example.points_toward_result(model.toward_result);
            let (loss, pull) = model.loss.with_pull(activations.output, points);
            sums.add(loss, example.weight());
            let pull = example.weight() * pull;
            later_layers::backward(&parts, &mut gradient, bucket, &activations, pull, products, &scalars);
        }
        let [weights, biases] = gradient.first_layer_mut();
        first_layer::backward(weights, biases, &self.inputs[..tile.len()], &self.sums, &self.products);
    }

    /// Computes the inputs, sums and products of a tile of examples.
    fn enter(&mut self, model: Model<'_>, tile: &[Example]) {
        let inputs = &mut self.inputs[..tile.len()];
        for (inputs, example) in inputs.iter_mut().zip(tile) {
            example.inputs(inputs);
        }
        let parts = model.layout.split(model.parameters);
        let (weights, biases) = (parts.get(Part::FeatureWeights), parts.get(Part::FeatureBiases));
        first_layer::forward(weights, biases, inputs, &mut self.sums, &mut self.products);
    }
}

/// The output bucket of an example.
fn bucket(example: &Example) -> usize {
    Architecture::bucket_of(example.piece_count() as usize)
}
