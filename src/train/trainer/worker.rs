//! What one thread does with its share of a batch: forward, loss, backward.

use super::Example;
use super::example::Inputs;
use super::kernel::{accumulate, add, add_multiple, dot, multiply, multiply_back, scatter, slope, square};
use super::parameters::{Layout, Part, Parts};
use super::target::sigmoid;
use crate::nnue::{Architecture, SECOND, THIRD};

/// Examples that are fetched at once. They lie anywhere in memory; the machine waits for many
/// of them together in the time that it waits for one.
const FETCHED: usize = 64;

/// Buffers of a thread, and what it has found out.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    layout: Layout,
    inputs: Inputs,
    /// Sums of the first hidden layer, of the side to move and of the other; on the way back their gradient.
    sums: [Vec<f32>; 2],
    /// Products of these sums, of both sides.
    products: Vec<f32>,
    /// The gradient of the products.
    pulls: Vec<f32>,
    /// Sums of the second hidden layer.
    second: [f32; SECOND],
    /// Sums of the third.
    third: [f32; THIRD],
    /// The sum over the examples of the gradient of the loss, laid out as the parameters.
    gradient: Vec<f32>,
}

/// A network.
#[derive(Clone, Copy)]
pub(super) struct Model<'a> {
    pub layout: Layout,
    pub parameters: &'a [f32],
}

impl Worker {
    /// Buffers for learning.
    pub(super) fn new(layout: Layout) -> Self {
        Self { gradient: vec![0.0; layout.parameters()], ..Self::without_gradient(layout) }
    }

    /// Buffers for evaluating only.
    pub(super) fn without_gradient(layout: Layout) -> Self {
        let neurons = || vec![0.0; layout.0.width()];
        Self {
            layout,
            inputs: Inputs::NONE,
            sums: [neurons(), neurons()],
            products: neurons(),
            pulls: neurons(),
            second: [0.0; SECOND],
            third: [0.0; THIRD],
            gradient: Vec::new(),
        }
    }

    /// What [`Worker::learn`] has found.
    pub(super) fn gradient(&self) -> &[f32] {
        &self.gradient
    }

    /// The output of a network for an example.
    #[cfg(test)]
    pub(super) fn evaluate(&mut self, parameters: &[f32], example: &Example) -> f32 {
        let parts = self.layout.split(parameters);
        self.forward(&parts, example)
    }

    /// The sum of the losses of examples.
    pub(super) fn loss(&mut self, model: Model<'_>, examples: &[Example]) -> f64 {
        let parts = model.layout.split(model.parameters);
        let mut sum = 0.0;
        for example in examples {
            let output = self.forward(&parts, example);
            let error = sigmoid(output) - example.points();
            sum += f64::from(error) * f64::from(error);
        }
        sum
    }

    /// Finds the sum of the gradients of the losses of these examples, and returns that of the
    /// losses.
    pub(super) fn learn(
        &mut self,
        model: Model<'_>,
        examples: &[Example],
        mut indices: impl Iterator<Item = usize>,
    ) -> f64 {
        self.gradient.fill(0.0);
        let parts = model.layout.split(model.parameters);
        let mut sum = 0.0;
        let mut fetched = Vec::with_capacity(FETCHED);
        loop {
            fetched.clear();
            fetched.extend(indices.by_ref().take(FETCHED).map(|index| examples[index]));
            if fetched.is_empty() {
                return sum;
            }
            for example in &fetched {
                let output = self.forward(&parts, example);
                let points = sigmoid(output);
                let error = points - example.points();
                sum += f64::from(error) * f64::from(error);
                self.backward(&parts, example, 2.0 * error * points * (1.0 - points));
            }
        }
    }

    /// Leaves inputs and sums for the way back.
    #[inline]
    fn forward(&mut self, parts: &Parts<&[f32]>, example: &Example) -> f32 {
        example.inputs(&mut self.inputs);
        let (weights, biases) = (parts.get(Part::FeatureWeights), parts.get(Part::FeatureBiases));
        let half = self.layout.0.products();
        let sides = [self.inputs.own(), self.inputs.other()];
        let products = self.products.chunks_exact_mut(half);
        for ((sums, inputs), products) in self.sums.iter_mut().zip(sides).zip(products) {
            accumulate(weights, biases, inputs, sums);
            multiply(sums, products);
        }
        let bucket = Architecture::bucket_of(example.piece_count() as usize);
        let biases = of_bucket(parts.get(Part::SecondBiases), bucket, SECOND);
        let rows = self.second_rows(parts, bucket);
        for ((sum, row), bias) in self.second.iter_mut().zip(rows).zip(biases) {
            *sum = bias + dot(&self.products, row);
        }
        let activations = self.second.map(square);
        let biases = of_bucket(parts.get(Part::ThirdBiases), bucket, THIRD);
        for ((sum, row), bias) in self.third.iter_mut().zip(third_rows(parts, bucket)).zip(biases) {
            *sum = bias + dot(&activations, row);
        }
        let weights = of_bucket(parts.get(Part::OutputWeights), bucket, THIRD);
        parts.get(Part::OutputBiases)[bucket] + dot(&self.third.map(square), weights)
    }

    /// Adds the gradient of an example; `pull` is that of its output.
    #[inline]
    fn backward(&mut self, parts: &Parts<&[f32]>, example: &Example, pull: f32) {
        let bucket = Architecture::bucket_of(example.piece_count() as usize);
        let mut gradient = self.layout.split_mut(&mut self.gradient);
        gradient.get_mut(Part::OutputBiases)[bucket] += pull;
        let row = of_bucket_mut(gradient.get_mut(Part::OutputWeights), bucket, THIRD);
        add_multiple(row, pull, &self.third.map(square));
        let mut pulls = self.third.map(slope);
        for (third, weight) in pulls.iter_mut().zip(of_bucket(parts.get(Part::OutputWeights), bucket, THIRD))
        {
            *third *= pull * weight;
        }
        add(of_bucket_mut(gradient.get_mut(Part::ThirdBiases), bucket, THIRD), &pulls);
        let activations = self.second.map(square);
        let mut second = [0.0; SECOND];
        let rows = of_bucket_mut(gradient.get_mut(Part::ThirdWeights), bucket, THIRD * SECOND);
        let rows = rows.chunks_exact_mut(SECOND).zip(third_rows(parts, bucket));
        for ((row, weights), pull) in rows.zip(pulls) {
            add_multiple(row, pull, &activations);
            add_multiple(&mut second, pull, weights);
        }
        for (pull, sum) in second.iter_mut().zip(self.second) {
            *pull *= slope(sum);
        }
        add(of_bucket_mut(gradient.get_mut(Part::SecondBiases), bucket, SECOND), &second);
        self.pulls.fill(0.0);
        let width = self.layout.0.width();
        let rows = of_bucket_mut(gradient.get_mut(Part::SecondWeights), bucket, SECOND * width);
        let weights = of_bucket(parts.get(Part::SecondWeights), bucket, SECOND * width);
        let rows = rows.chunks_exact_mut(width).zip(weights.chunks_exact(width));
        for ((row, weights), pull) in rows.zip(second) {
            // Neurons that are out of range have no say.
            if pull != 0.0 {
                add_multiple(row, pull, &self.products);
                add_multiple(&mut self.pulls, pull, weights);
            }
        }
        let sides = [self.inputs.own(), self.inputs.other()];
        let pulls = self.pulls.chunks_exact(self.layout.0.products());
        for ((sums, inputs), pulls) in self.sums.iter_mut().zip(sides).zip(pulls) {
            multiply_back(sums, pulls);
            add(gradient.get_mut(Part::FeatureBiases), sums);
            scatter(gradient.get_mut(Part::FeatureWeights), inputs, sums);
        }
    }

    /// The weights of each neuron of the second hidden layer.
    fn second_rows<'a>(&self, parts: &Parts<&'a [f32]>, bucket: usize) -> std::slice::ChunksExact<'a, f32> {
        let width = self.layout.0.width();
        of_bucket(parts.get(Part::SecondWeights), bucket, SECOND * width).chunks_exact(width)
    }
}

/// The weights of each neuron of the third hidden layer.
fn third_rows<'a>(parts: &Parts<&'a [f32]>, bucket: usize) -> std::slice::ChunksExact<'a, f32> {
    of_bucket(parts.get(Part::ThirdWeights), bucket, THIRD * SECOND).chunks_exact(SECOND)
}

/// The numbers of a bucket, of which each has as many.
#[inline(always)]
fn of_bucket(numbers: &[f32], bucket: usize, length: usize) -> &[f32] {
    &numbers[bucket * length..][..length]
}

/// The same, to be changed.
#[inline(always)]
fn of_bucket_mut(numbers: &mut [f32], bucket: usize, length: usize) -> &mut [f32] {
    &mut numbers[bucket * length..][..length]
}
