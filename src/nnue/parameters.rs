//! The numbers of a network, in the order in which files hold them, and the network of real numbers that training makes.

use super::architecture::{OUTPUT_BUCKETS, SECOND, THIRD};
use super::features::active;
use super::quantization::{BoundsError, quantized, real};
use super::{Architecture, Network};
use crate::chess::{Board, Color};

/// All numbers of a network of some architecture: weights and biases of the first hidden layer
/// are of type `H`, weights of the others and of the outputs of type `W`, their biases of type `B`.
///
/// How many there are follows from the architecture and cannot change.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters<H, W, B> {
    architecture: Architecture,
    feature_weights: Vec<H>,
    feature_bias: Vec<H>,
    second_weights: Vec<W>,
    second_bias: Vec<B>,
    third_weights: Vec<W>,
    third_bias: Vec<B>,
    output_weights: Vec<W>,
    output_bias: Vec<B>,
}

impl<H: Copy + Default, W: Copy + Default, B: Copy + Default> Parameters<H, W, B> {
    /// Everything zero.
    pub fn zeroed(architecture: Architecture) -> Self {
        Self {
            architecture,
            feature_weights: vec![H::default(); architecture.feature_weights()],
            feature_bias: vec![H::default(); architecture.width()],
            second_weights: vec![W::default(); architecture.second_weights()],
            second_bias: vec![B::default(); OUTPUT_BUCKETS * SECOND],
            third_weights: vec![W::default(); architecture.third_weights()],
            third_bias: vec![B::default(); OUTPUT_BUCKETS * THIRD],
            output_weights: vec![W::default(); architecture.output_weights()],
            output_bias: vec![B::default(); OUTPUT_BUCKETS],
        }
    }
}

/// Ways to numbers, to be read and to be changed.
macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident, $name_mut:ident: $number:ident;)+) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> &[$number] {
            &self.$name
        }

        /// The same, to be changed.
        pub fn $name_mut(&mut self) -> &mut [$number] {
            &mut self.$name
        }
    )+};
}

impl<H, W, B> Parameters<H, W, B> {
    /// What they are the numbers of.
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    parts! {
        /// Weights of the first hidden layer: a row of all neurons for each input.
        feature_weights, feature_weights_mut: H;
        /// Biases of the first hidden layer.
        feature_bias, feature_bias_mut: H;
        /// Weights of the second hidden layer: for each bucket and neuron a row of the products of the side to move,
        /// followed by those of the other side.
        second_weights, second_weights_mut: W;
        /// Biases of the second hidden layer, for each bucket.
        second_bias, second_bias_mut: B;
        /// Weights of the third hidden layer: for each bucket and neuron a row of the neurons of the second.
        third_weights, third_weights_mut: W;
        /// Biases of the third hidden layer, for each bucket.
        third_bias, third_bias_mut: B;
        /// Weights of the outputs: for each a row of the neurons of the third hidden layer.
        output_weights, output_weights_mut: W;
        /// Biases of the outputs.
        output_bias, output_bias_mut: B;
    }
}

/// A network of real numbers: exact and slow.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    /// Its numbers.
    pub parameters: Parameters<f32, f32, f32>,
}

impl FloatNetwork {
    /// A network that finds every position equal.
    pub fn zeroed(architecture: Architecture) -> Self {
        Self { parameters: Parameters::zeroed(architecture) }
    }

    /// The value of a board for the side to move. It is the logarithm of the odds of winning,
    /// roughly; [`super::EVALUATION_SCALE`] makes centipawns of it.
    pub fn evaluate(&self, board: &Board) -> f32 {
        let numbers = &self.parameters;
        let bucket = Architecture::bucket(board);
        let turn = board.turn();
        let products = [self.products(board, turn), self.products(board, !turn)].concat();
        let second = layer(numbers.second_weights(), numbers.second_bias(), SECOND, bucket, &products);
        let third = layer(numbers.third_weights(), numbers.third_bias(), THIRD, bucket, &squares(&second));
        layer(numbers.output_weights(), numbers.output_bias(), 1, bucket, &squares(&third))[0]
    }

    /// What the first hidden layer makes of one perspective.
    fn products(&self, board: &Board, perspective: Color) -> Vec<f32> {
        let architecture = self.parameters.architecture();
        let width = architecture.width();
        let mut sums = self.parameters.feature_bias().to_vec();
        for input in active(board, perspective) {
            let row = &self.parameters.feature_weights()[input * width..][..width];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        let (first, second) = sums.split_at(architecture.products());
        first.iter().zip(second).map(|(a, b)| a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0)).collect()
    }

    /// The real numbers that the integers of a network stand for.
    pub fn dequantized(network: &Network) -> Self {
        Self { parameters: real(&network.parameters()) }
    }

    /// The network of integers that is nearest to this one.
    ///
    /// # Errors
    /// [`BoundsError`] if a number is too large, or a sum of them could become so.
    pub fn quantize(&self) -> Result<Network, BoundsError> {
        Network::new(&quantized(&self.parameters)?)
    }
}

/// The sums of the neurons of a layer in a bucket.
fn layer(weights: &[f32], biases: &[f32], neurons: usize, bucket: usize, inputs: &[f32]) -> Vec<f32> {
    let rows = weights.chunks_exact(inputs.len()).skip(bucket * neurons).take(neurons);
    let sum = |row: &[f32]| row.iter().zip(inputs).map(|(weight, input)| weight * input).sum::<f32>();
    rows.zip(&biases[bucket * neurons..]).map(|(row, bias)| bias + sum(row)).collect()
}

/// The activations of neurons with these sums.
fn squares(sums: &[f32]) -> Vec<f32> {
    sums.iter().map(|sum| sum.clamp(0.0, 1.0).powi(2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_stand_for_numbers_that_round_to_them() {
        let network = crate::nnue::embedded();
        assert_eq!(FloatNetwork::dequantized(&network).quantize().as_ref(), Ok(&*network));
    }
}
