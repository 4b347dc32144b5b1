//! The network of integers used for play, and the embedded network.

use super::features::{self, MAX_ACTIVE};
use super::kernel::Kernel;
use super::layer_stack::{Block, LayerStack, blocks_for};
use super::quantization::{BoundsError, Integers, OUTPUT_ONE, QB, check_bounds};
use super::{Architecture, EVAL_SCALE, OUTPUT_BUCKETS, Parameters};
use crate::chess::{Board, Color};
use arrayvec::ArrayVec;
use flate2::read::ZlibDecoder;
use once_cell::sync::Lazy;
use std::sync::Arc;

/// A network of integers whose sums cannot overflow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    architecture: Architecture,
    kernel: Kernel,
    /// The number of blocks in the sums of one perspective. Each half of the neurons fills half of them.
    blocks: usize,
    feature_weights: Box<[Block]>,
    feature_bias: Box<[Block]>,
    /// The layers after the first hidden layer, for each output bucket.
    layer_stacks: Box<[LayerStack]>,
}

impl Network {
    /// The network with these parameters.
    ///
    /// # Errors
    /// [`BoundsError`] if a sum could overflow.
    pub fn new(parameters: &Parameters<i16, i16, i32>) -> Result<Self, BoundsError> {
        check_bounds(parameters)?;
        let architecture = parameters.architecture();
        let half = architecture.products();
        Ok(Self {
            architecture,
            kernel: Kernel::best(),
            blocks: 2 * blocks_for(half),
            feature_weights: in_blocks(parameters.feature_weights(), half),
            feature_bias: in_blocks(parameters.feature_bias(), half),
            layer_stacks: (0..OUTPUT_BUCKETS).map(|bucket| LayerStack::new(parameters, bucket)).collect(),
        })
    }

    /// This network with another kernel.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    /// The architecture.
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The kernel with which the network is computed.
    pub const fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The parameters.
    pub fn parameters(&self) -> Parameters<i16, i16, i32> {
        let mut parameters = Integers::zeroed(self.architecture);
        let half = self.architecture.products();
        let take = |blocks: &[Block], to: &mut [i16]| {
            let halves = blocks.chunks(self.blocks / 2);
            let numbers = halves.flat_map(|blocks| blocks.iter().flat_map(|block| block.0).take(half));
            to.iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
        };
        take(&self.feature_weights, parameters.feature_weights_mut());
        take(&self.feature_bias, parameters.feature_bias_mut());
        for (bucket, stack) in self.layer_stacks.iter().enumerate() {
            stack.write(&mut parameters, bucket);
        }
        parameters
    }

    /// The value of a board for the side to move, in search units.
    pub fn evaluate(&self, board: &Board) -> i32 {
        let mut sums = vec![Block::ZERO; Color::COUNT * self.blocks];
        for (perspective, sums) in
            [board.turn(), !board.turn()].into_iter().zip(sums.chunks_exact_mut(self.blocks))
        {
            let inputs = features::active(board, perspective).map(|input| input as u16);
            let inputs: ArrayVec<u16, MAX_ACTIVE> = inputs.take(MAX_ACTIVE).collect();
            self.kernel.update(sums, &self.feature_bias, &self.feature_weights, &inputs, &[]);
        }
        let (own, other) = sums.split_at(self.blocks);
        self.propagate(board, own, other, &Block(features::scalars_of(board)))
    }

    /// The value of a board, in search units, from the sums of the side to move and of the other side, and from
    /// its scalars.
    #[inline]
    pub(super) fn propagate(&self, board: &Board, own: &[Block], other: &[Block], scalars: &Block) -> i32 {
        const UNIT: i64 = OUTPUT_ONE as i64 * QB as i64;
        let sum = self.kernel.propagate(own, other, scalars, &self.layer_stacks[Architecture::bucket(board)]);
        (i64::from(sum) * i64::from(EVAL_SCALE) / UNIT) as i32
    }

    /// The number of blocks in the sums of one perspective.
    pub(super) const fn blocks(&self) -> usize {
        self.blocks
    }

    /// The weights of all inputs.
    pub(super) fn rows(&self) -> &[Block] {
        &self.feature_weights
    }

    /// The initial value of the sums.
    pub(super) fn bias(&self) -> &[Block] {
        &self.feature_bias
    }
}

/// The numbers in blocks, with blocks of its own for each `half` neurons.
fn in_blocks(numbers: &[i16], half: usize) -> Box<[Block]> {
    let halves = numbers.chunks(half);
    let mut blocks = Vec::with_capacity(halves.len() * blocks_for(half));
    blocks.extend(halves.flat_map(Block::of));
    blocks.into()
}

/// The file of the embedded network, compressed by `build.rs`. `net/HISTORY.md` describes the origin of the
/// shipped network; a build may embed another one.
const FILE: &[u8] = include_bytes!(env!("HEMATITE_NETWORK"));

/// The embedded network.
///
/// # Panics
/// If the embedded file cannot be read, which a test rules out.
pub fn embedded() -> Arc<Network> {
    static NETWORK: Lazy<Arc<Network>> =
        Lazy::new(|| Arc::new(Network::read(ZlibDecoder::new(FILE)).expect("a test reads the network")));
    Arc::clone(&NETWORK)
}

#[cfg(test)]
mod tests {
    use super::super::WIDTH_STEP;
    use super::*;

    #[test]
    fn the_network_is_read() {
        assert_eq!(embedded().architecture().l1_size() % WIDTH_STEP, 0);
    }
}
