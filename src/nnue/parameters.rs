//! The numbers of a network, in the order in which files hold them.

use super::Architecture;
use super::architecture::OUTPUT_BUCKETS;

/// All numbers of a network of some architecture: weights and biases of the hidden neurons
/// are of type `H`, output weights of type `O`, output biases of type `B`.
///
/// How many there are follows from the architecture and cannot change.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters<H, O, B> {
    architecture: Architecture,
    feature_weights: Vec<H>,
    feature_bias: Vec<H>,
    output_weights: Vec<O>,
    output_bias: [B; OUTPUT_BUCKETS],
}

impl<H: Copy + Default, O: Copy + Default, B: Copy + Default> Parameters<H, O, B> {
    /// Everything zero.
    pub fn zeroed(architecture: Architecture) -> Self {
        Self {
            architecture,
            feature_weights: vec![H::default(); architecture.feature_weights()],
            feature_bias: vec![H::default(); architecture.width()],
            output_weights: vec![O::default(); architecture.output_weights()],
            output_bias: [B::default(); OUTPUT_BUCKETS],
        }
    }
}

impl<H, O, B> Parameters<H, O, B> {
    /// What they are the numbers of.
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Weights of the hidden neurons: a row of all neurons for each input.
    pub fn feature_weights(&self) -> &[H] {
        &self.feature_weights
    }

    /// The same, to be changed.
    pub fn feature_weights_mut(&mut self) -> &mut [H] {
        &mut self.feature_weights
    }

    /// Biases of the hidden neurons.
    pub fn feature_bias(&self) -> &[H] {
        &self.feature_bias
    }

    /// The same, to be changed.
    pub fn feature_bias_mut(&mut self) -> &mut [H] {
        &mut self.feature_bias
    }

    /// Weights of the outputs: for each output a row of the neurons of the side to move,
    /// followed by those of the other side.
    pub fn output_weights(&self) -> &[O] {
        &self.output_weights
    }

    /// The same, to be changed.
    pub fn output_weights_mut(&mut self) -> &mut [O] {
        &mut self.output_weights
    }

    /// Biases of the outputs.
    pub const fn output_bias(&self) -> &[B; OUTPUT_BUCKETS] {
        &self.output_bias
    }

    /// The same, to be changed.
    pub const fn output_bias_mut(&mut self) -> &mut [B; OUTPUT_BUCKETS] {
        &mut self.output_bias
    }
}
