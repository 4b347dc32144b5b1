//! A network of integers, as it plays.

use super::architecture::OUTPUT_BUCKETS;
use super::features::{self, MAX_ACTIVE};
use super::kernel::{Block, Kernel, blocks_for};
use super::quantization::{ACTIVATION_SCALE, BoundsError, Integers, OUTPUT_SCALE, check_bounds};
use super::{Architecture, EVALUATION_SCALE, Parameters};
use crate::chess::{Board, Color};
use arrayvec::ArrayVec;

/// A network of integers whose sums cannot overflow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    architecture: Architecture,
    kernel: Kernel,
    /// Blocks in a row: in the sums of one perspective.
    blocks: usize,
    feature_weights: Box<[Block]>,
    feature_bias: Box<[Block]>,
    output_weights: Box<[Block]>,
    output_bias: [i32; OUTPUT_BUCKETS],
}

impl Network {
    /// The network with these numbers.
    ///
    /// # Errors
    /// [`BoundsError`] if some sum could overflow.
    pub fn new(parameters: &Parameters<i16, i8, i32>) -> Result<Self, BoundsError> {
        check_bounds(parameters)?;
        let architecture = parameters.architecture();
        let width = architecture.width();
        Ok(Self {
            architecture,
            kernel: Kernel::best(),
            blocks: blocks_for(width),
            feature_weights: parameters.feature_weights().chunks(width).flat_map(Block::of).collect(),
            feature_bias: Block::of(parameters.feature_bias()).collect(),
            output_weights: parameters.output_weights().chunks(width).flat_map(Block::of).collect(),
            output_bias: *parameters.output_bias(),
        })
    }

    /// The same network, computed with these instructions.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    /// How it is built.
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The instructions that it is computed with.
    pub const fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Its numbers.
    pub fn parameters(&self) -> Parameters<i16, i8, i32> {
        let mut parameters = Integers::zeroed(self.architecture);
        let width = self.architecture.width();
        let numbers =
            |blocks: &[Block]| blocks.iter().flat_map(|block| block.0).take(width).collect::<Vec<_>>();
        let rows = parameters.feature_weights_mut().chunks_mut(width);
        for (row, blocks) in rows.zip(self.feature_weights.chunks(self.blocks)) {
            row.copy_from_slice(&numbers(blocks));
        }
        parameters.feature_bias_mut().copy_from_slice(&numbers(&self.feature_bias));
        let rows = parameters.output_weights_mut().chunks_mut(width);
        for (row, blocks) in rows.zip(self.output_weights.chunks(self.blocks)) {
            for (to, number) in row.iter_mut().zip(numbers(blocks)) {
                *to = number as i8; // as which it came
            }
        }
        *parameters.output_bias_mut() = self.output_bias;
        parameters
    }

    /// The value of a board for the side to move, in centipawns.
    pub fn evaluate(&self, board: &Board) -> i32 {
        let mut sums = Vec::with_capacity(Color::COUNT * self.blocks);
        for perspective in [board.turn(), !board.turn()] {
            let inputs = features::active(board, perspective).map(|input| input as u16);
            let inputs: ArrayVec<u16, MAX_ACTIVE> = inputs.take(MAX_ACTIVE).collect();
            let start = sums.len();
            sums.extend_from_slice(&self.feature_bias);
            self.kernel.accumulate(&mut sums[start..], &self.feature_weights, &inputs, &[]);
        }
        let (own, other) = sums.split_at(self.blocks);
        self.judge(board, own, other)
    }

    /// The value of a board, in centipawns, from the sums of the side to move and of the other.
    #[inline]
    pub(super) fn judge(&self, board: &Board, own: &[Block], other: &[Block]) -> i32 {
        const UNIT: i64 = (ACTIVATION_SCALE * ACTIVATION_SCALE * OUTPUT_SCALE) as i64;
        let bucket = Architecture::bucket(board);
        let weights = &self.output_weights[bucket * Color::COUNT * self.blocks..];
        let (own_weights, weights) = weights.split_at(self.blocks);
        let other_weights = &weights[..self.blocks];
        // A half may wrap; the whole fits, and comes out right.
        let sum = self.kernel.output(own, own_weights).wrapping_add(self.kernel.output(other, other_weights));
        let bias = i64::from(self.output_bias[bucket]) * i64::from(ACTIVATION_SCALE);
        ((i64::from(sum) + bias) * i64::from(EVALUATION_SCALE) / UNIT) as i32
    }

    /// Blocks in the sums of one perspective.
    pub(super) const fn blocks(&self) -> usize {
        self.blocks
    }

    /// The weights of an input.
    #[inline]
    pub(super) fn row(&self, input: usize) -> &[Block] {
        &self.feature_weights[input * self.blocks..][..self.blocks]
    }

    /// The weights of all inputs.
    pub(super) fn rows(&self) -> &[Block] {
        &self.feature_weights
    }

    /// What the sums begin with.
    pub(super) fn bias(&self) -> &[Block] {
        &self.feature_bias
    }
}
