//! The numbers that are learned, and how they lie in memory.

use crate::nnue::{Architecture, FloatNetwork, OUTPUT_BUCKETS};
use crate::rng::Rng;
use std::ops::Range;

/// Where in one long row of numbers each part of a network lies.
///
/// Weights, gradients and the optimizer's moments are all such rows, so that adding them up and
/// stepping along them need not know the parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout(pub Architecture);

/// A part of the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// From each input to each neuron: a row of neurons for each input.
    FeatureWeights,
    /// Of each neuron.
    FeatureBiases,
    /// For each bucket: from our neurons, then from theirs.
    OutputWeights,
    /// Of each bucket.
    OutputBiases,
}

impl Part {
    /// Every part, in the order in which they lie.
    pub(super) const ALL: [Self; 4] =
        [Self::FeatureWeights, Self::FeatureBiases, Self::OutputWeights, Self::OutputBiases];
}

impl Layout {
    /// How many numbers a part has.
    pub(super) const fn size(self, part: Part) -> usize {
        match part {
            Part::FeatureWeights => self.0.feature_weights(),
            Part::FeatureBiases => self.0.width(),
            Part::OutputWeights => self.0.output_weights(),
            Part::OutputBiases => OUTPUT_BUCKETS,
        }
    }

    /// Where a part lies.
    pub(super) fn range(self, part: Part) -> Range<usize> {
        let start = Part::ALL.iter().take_while(|other| **other != part).map(|other| self.size(*other)).sum();
        start..start + self.size(part)
    }

    /// How many numbers there are.
    pub(super) fn parameters(self) -> usize {
        Part::ALL.iter().map(|part| self.size(*part)).sum()
    }

    /// The parts of a row of parameters.
    pub(super) fn split(self, row: &[f32]) -> Parts<&[f32]> {
        let (feature_weights, rest) = row.split_at(self.size(Part::FeatureWeights));
        let (feature_biases, rest) = rest.split_at(self.size(Part::FeatureBiases));
        let (output_weights, output_biases) = rest.split_at(self.size(Part::OutputWeights));
        Parts { feature_weights, feature_biases, output_weights, output_biases }
    }

    /// The parts of a row of parameters.
    pub(super) fn split_mut(self, row: &mut [f32]) -> Parts<&mut [f32]> {
        let (feature_weights, rest) = row.split_at_mut(self.size(Part::FeatureWeights));
        let (feature_biases, rest) = rest.split_at_mut(self.size(Part::FeatureBiases));
        let (output_weights, output_biases) = rest.split_at_mut(self.size(Part::OutputWeights));
        Parts { feature_weights, feature_biases, output_weights, output_biases }
    }

    /// Random weights to begin with, and biases of zero.
    ///
    /// Each weight is evenly distributed around zero, with a width that keeps sums of as many
    /// terms as the layer adds up at the size of its terms' limits.
    pub(super) fn random_parameters(self, rng: &mut Rng) -> Vec<f32> {
        /// About as many inputs of a perspective are active at once.
        const ACTIVE_INPUTS: f32 = 32.0;
        let mut row = vec![0.0; self.parameters()];
        let parts = self.split_mut(&mut row);
        fill(parts.feature_weights, rng, ACTIVE_INPUTS.sqrt().recip());
        fill(parts.output_weights, rng, (self.0.output_row() as f32).sqrt().recip());
        row
    }

    /// The parameters of a network of this width or less. The neurons that it lacks begin at random and unheard: their
    /// output weights are zero.
    pub(super) fn widened(self, network: &FloatNetwork, rng: &mut Rng) -> Vec<f32> {
        let narrow = Layout(network.parameters.architecture());
        let (from, mut row) = (narrow.row(network), self.random_parameters(rng));
        let (width, parts, old) = (narrow.0.width(), self.split_mut(&mut row), narrow.split(&from));
        parts.output_weights.fill(0.0);
        let copy = |from: &[f32], to: &mut [f32]| {
            for (from, to) in from.chunks_exact(width).zip(to.chunks_exact_mut(self.0.width())) {
                to[..width].copy_from_slice(from);
            }
        };
        copy(old.feature_weights, parts.feature_weights);
        copy(old.feature_biases, parts.feature_biases);
        copy(old.output_weights, parts.output_weights);
        parts.output_biases.copy_from_slice(old.output_biases);
        row
    }

    /// The network with these parameters.
    pub(super) fn network(self, row: &[f32]) -> FloatNetwork {
        let mut network = FloatNetwork::zeroed(self.0);
        let parts = self.split(row);
        let numbers = &mut network.parameters;
        numbers.feature_weights_mut().copy_from_slice(parts.feature_weights);
        numbers.feature_bias_mut().copy_from_slice(parts.feature_biases);
        numbers.output_weights_mut().copy_from_slice(parts.output_weights);
        numbers.output_bias_mut().copy_from_slice(parts.output_biases);
        network
    }

    /// The parameters of a network of this architecture.
    pub(super) fn row(self, network: &FloatNetwork) -> Vec<f32> {
        let numbers = &network.parameters;
        let parts = [
            numbers.feature_weights(),
            numbers.feature_bias(),
            numbers.output_weights(),
            numbers.output_bias(),
        ];
        parts.concat()
    }
}

/// Fills with numbers evenly distributed between `-width` and `width`.
fn fill(numbers: &mut [f32], rng: &mut Rng, width: f32) {
    /// As many bits as the fraction of a number has.
    const BITS: u32 = f32::MANTISSA_DIGITS;
    for number in numbers {
        let part = (rng.next_u64() >> (u64::BITS - BITS)) as f32 / (1 << BITS) as f32;
        *number = width * (2.0 * part - 1.0);
    }
}

/// Something for each part of the parameters.
pub(super) struct Parts<T> {
    /// See [`Part::FeatureWeights`].
    pub feature_weights: T,
    /// See [`Part::FeatureBiases`].
    pub feature_biases: T,
    /// See [`Part::OutputWeights`].
    pub output_weights: T,
    /// See [`Part::OutputBiases`].
    pub output_biases: T,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_row() {
        let layout = Layout(Architecture::new(16).expect("a width"));
        let mut end = 0;
        for part in Part::ALL {
            assert_eq!(layout.range(part).start, end, "{part:?}");
            end = layout.range(part).end;
        }
        assert_eq!(end, layout.parameters());
        let row = layout.random_parameters(&mut Rng::new(1));
        let parts = layout.split(&row);
        assert_eq!(parts.output_weights, &row[layout.range(Part::OutputWeights)]);
        assert_eq!(parts.output_biases.len(), OUTPUT_BUCKETS);
        let mean = parts.feature_weights.iter().sum::<f32>() / parts.feature_weights.len() as f32;
        assert!(mean.abs() < 0.01, "{mean}");
        assert_eq!(row, layout.random_parameters(&mut Rng::new(1)));
        assert_ne!(row, layout.random_parameters(&mut Rng::new(2)));
        assert_eq!(layout.row(&layout.network(&row)), row);
    }
}
