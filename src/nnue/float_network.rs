//! The network of real numbers used for training.

use super::architecture::{L2_SIZE, L3_SIZE};
use super::features::{active, scalars_of};
use super::quantization::{BoundsError, quantized, real};
use super::{Architecture, Network, Parameters};
use super::{SCALAR_ONE, SCALARS};
use crate::chess::{Board, Color};

/// A network of real numbers: exact, but slow.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork {
    /// The parameters.
    pub parameters: Parameters<f32, f32, f32>,
}

impl FloatNetwork {
    /// A network that evaluates every position as equal.
    pub fn zeroed(architecture: Architecture) -> Self {
        Self { parameters: Parameters::zeroed(architecture) }
    }

    /// The value of a board for the side to move, roughly the logarithm of the odds of winning. Multiply it
    /// by [`super::EVAL_SCALE`] for search units.
    pub fn evaluate(&self, board: &Board) -> f32 {
        let numbers = &self.parameters;
        let bucket = Architecture::bucket(board);
        let turn = board.turn();
        let products = [self.products(board, turn), self.products(board, !turn)].concat();
        let scalars = scalars_of(board).map(|scalar| f32::from(scalar) / f32::from(SCALAR_ONE));
        let from_scalars = numbers.scalar_weights().chunks_exact(SCALARS).skip(bucket * L2_SIZE);
        let mut second = layer(numbers.second_weights(), numbers.second_bias(), L2_SIZE, bucket, &products);
        for (sum, row) in second.iter_mut().zip(from_scalars) {
            *sum += row.iter().zip(scalars).map(|(weight, scalar)| weight * scalar).sum::<f32>();
        }
        let third = layer(numbers.third_weights(), numbers.third_bias(), L3_SIZE, bucket, &squares(&second));
        layer(numbers.output_weights(), numbers.output_bias(), 1, bucket, &squares(&third))[0]
    }

    /// The activations of the first hidden layer for one perspective.
    fn products(&self, board: &Board, perspective: Color) -> Vec<f32> {
        let architecture = self.parameters.architecture();
        let width = architecture.l1_size();
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

    /// The network of real numbers that a network of integers represents.
    pub fn dequantized(network: &Network) -> Self {
        Self { parameters: real(&network.parameters()) }
    }

    /// The network whose parameters are the weighted means of those of the others; the weights are above zero.
    ///
    /// # Errors
    /// [`MeanError`] if there are no networks, or not all have the shape of the first.
    pub fn mean(networks: &[(Self, f32)]) -> Result<Self, MeanError> {
        let Some((first, _)) = networks.first() else { return Err(MeanError::Empty) };
        let expected = first.parameters.architecture();
        let total: f64 = networks.iter().map(|(_, weight)| f64::from(*weight)).sum();
        let mut sums = Parameters::<f64, f64, f64>::zeroed(expected);
        for (index, (network, weight)) in networks.iter().enumerate() {
            let found = network.parameters.architecture();
            if found != expected {
                return Err(MeanError::Shape { index, found, expected });
            }
            let share = f64::from(*weight) / total;
            for (sum, number) in sums.all_mut().zip(network.parameters.all()) {
                *sum += share * f64::from(*number);
            }
        }
        let mut mean = Self::zeroed(expected);
        mean.parameters.all_mut().zip(sums.all()).for_each(|(mean, sum)| *mean = *sum as f32);
        Ok(mean)
    }

    /// The nearest network of integers.
    ///
    /// # Errors
    /// [`BoundsError`] if a parameter is too large, or a sum could overflow.
    pub fn quantize(&self) -> Result<Network, BoundsError> {
        Network::new(&quantized(&self.parameters)?)
    }
}

/// Networks have no mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MeanError {
    /// There are no networks.
    #[error("no networks, expected at least one")]
    Empty,
    /// A network has another shape than the first.
    #[error("the shape of network {} is {found}, expected that of the first, {expected}", index + 1)]
    Shape {
        /// The index of the network, counted from 0.
        index: usize,
        /// The shape of the network.
        found: Architecture,
        /// The shape of the first network.
        expected: Architecture,
    },
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

    #[test]
    fn a_mean_takes_the_weights_into_account() {
        let network = |width, value| {
            let mut network = FloatNetwork::zeroed(Architecture::new(width).expect("a width"));
            network.parameters.all_mut().zip(0..).for_each(|(number, index)| *number = value + index as f32);
            network
        };
        let mean = |networks: &[(FloatNetwork, f32)]| FloatNetwork::mean(networks);
        assert_eq!(mean(&[(network(16, 2.0), 1.0), (network(16, 4.0), 1.0)]), Ok(network(16, 3.0)));
        assert_eq!(mean(&[(network(16, 2.0), 3.0), (network(16, 6.0), 1.0)]), Ok(network(16, 3.0)));
        assert_eq!(mean(&[(network(16, 2.0), 0.3)]), Ok(network(16, 2.0)));
        assert_eq!(mean(&[]), Err(MeanError::Empty));
        let error = mean(&[(network(16, 2.0), 1.0), (network(32, 4.0), 1.0)]).expect_err("two shapes");
        assert_eq!(
            error.to_string(),
            "the shape of network 2 is (4608 -> 32) x 2 + 32 -> (16 -> 32 -> 1) x 8, \
             expected that of the first, (4608 -> 16) x 2 + 32 -> (16 -> 32 -> 1) x 8"
        );
    }
}
