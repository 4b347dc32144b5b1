//! A network of real numbers, as training makes it.

use super::features::active;
use super::quantization::{BoundsError, quantized, real};
use super::{Architecture, Network, Parameters};
use crate::chess::{Board, Color};

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
        let architecture = self.parameters.architecture();
        let bucket = Architecture::bucket(board);
        let row = &self.parameters.output_weights()[bucket * architecture.output_row()..];
        let (own, other) = row[..architecture.output_row()].split_at(architecture.width());
        let turn = board.turn();
        let sum = self.half(board, turn, own) + self.half(board, !turn, other);
        sum + self.parameters.output_bias()[bucket]
    }

    /// What the neurons of one perspective contribute.
    fn half(&self, board: &Board, perspective: Color, weights: &[f32]) -> f32 {
        let width = self.parameters.architecture().width();
        let mut sums = self.parameters.feature_bias().to_vec();
        for input in active(board, perspective) {
            let row = &self.parameters.feature_weights()[input * width..][..width];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        sums.iter().zip(weights).map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight).sum()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_stand_for_numbers_that_round_to_them() {
        let network = crate::nnue::embedded();
        assert_eq!(FloatNetwork::dequantized(&network).quantize().as_ref(), Ok(&*network));
    }
}
