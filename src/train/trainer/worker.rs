//! What one thread does with its share of a batch: forward, loss, backward.

use super::Example;
use super::example::Inputs;
use super::kernel::{accumulate, activate, add, deactivate, scatter};
use super::parameters::{Layout, Parts};
use super::target::sigmoid;
use crate::nnue::Architecture;

/// Examples that are fetched at once. They lie anywhere in memory; the machine waits for many
/// of them together in the time that it waits for one.
const FETCHED: usize = 64;

/// Buffers of a thread, and what it has found out.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    layout: Layout,
    inputs: Inputs,
    own: Vec<f32>,
    other: Vec<f32>,
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
        Self { layout, inputs: Inputs::NONE, own: neurons(), other: neurons(), gradient: Vec::new() }
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

    /// Leaves inputs and neurons for the way back.
    #[inline]
    fn forward(&mut self, parts: &Parts<&[f32]>, example: &Example) -> f32 {
        example.inputs(&mut self.inputs);
        accumulate(parts.feature_weights, parts.feature_biases, self.inputs.own(), &mut self.own);
        accumulate(parts.feature_weights, parts.feature_biases, self.inputs.other(), &mut self.other);
        let (bucket, own, other) = self.output_weights(parts.output_weights, example);
        activate(&self.own, own) + activate(&self.other, other) + parts.output_biases[bucket]
    }

    /// Adds the gradient of an example; `pull` is that of its output.
    #[inline]
    fn backward(&mut self, parts: &Parts<&[f32]>, example: &Example, pull: f32) {
        let (bucket, own, other) = self.output_weights(parts.output_weights, example);
        let width = self.layout.0.width();
        let gradient = self.layout.split_mut(&mut self.gradient);
        gradient.output_biases[bucket] += pull;
        let row = &mut gradient.output_weights[bucket * 2 * width..][..2 * width];
        let (own_gradient, other_gradient) = row.split_at_mut(width);
        deactivate(&mut self.own, own, own_gradient, pull);
        deactivate(&mut self.other, other, other_gradient, pull);
        for (neurons, inputs) in [(&self.own, self.inputs.own()), (&self.other, self.inputs.other())] {
            add(gradient.feature_biases, neurons);
            scatter(gradient.feature_weights, inputs, neurons);
        }
    }

    /// The bucket of an example, and its weights for the neurons of either side.
    #[inline]
    fn output_weights<'a>(&self, weights: &'a [f32], example: &Example) -> (usize, &'a [f32], &'a [f32]) {
        let bucket = Architecture::bucket_of(example.piece_count() as usize);
        let width = self.layout.0.width();
        let (own, other) = weights[bucket * 2 * width..][..2 * width].split_at(width);
        (bucket, own, other)
    }
}
