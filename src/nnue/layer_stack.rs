//! The layers after the first hidden layer in one output bucket, and the blocks of numbers that the kernels read.

use super::Architecture;
use super::architecture::{L2_SIZE, L3_SIZE};
use super::quantization::Integers;
use super::scalars::SCALARS;
use crate::chess::Color;

/// The number of numbers in a block.
pub(in crate::nnue) const LANES: usize = 32;

/// A block of numbers with the size of a cache line and of the widest register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(in crate::nnue) struct Block(pub [i16; LANES]);

const _: () = assert!(size_of::<Block>() == align_of::<Block>());

const _: () = assert!(LANES == SCALARS, "the scalars fill a block");

impl Block {
    /// Zeros.
    pub(in crate::nnue) const ZERO: Self = Self([0; LANES]);

    /// The blocks of these numbers; the last one is padded with zeros.
    pub(in crate::nnue) fn of<T: Copy + Into<i16>>(numbers: &[T]) -> impl Iterator<Item = Self> {
        numbers.chunks(LANES).map(|chunk| {
            let mut block = Self::ZERO;
            for (to, &number) in block.0.iter_mut().zip(chunk) {
                *to = number.into();
            }
            block
        })
    }
}

/// The number of blocks for this many numbers.
pub(in crate::nnue) const fn blocks_for(numbers: usize) -> usize {
    numbers.div_ceil(LANES)
}

/// The number of neurons of the third hidden layer whose sums are computed together.
pub(super) const GROUP: usize = LANES / 2;
/// The number of groups of the third hidden layer.
const THIRD_GROUPS: usize = L3_SIZE / GROUP;

const _: () = assert!(L3_SIZE == THIRD_GROUPS * GROUP);

/// The parameters of the second and third hidden layer and of the output, in the order in which [`super::Kernel`] reads
/// them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LayerStack {
    /// For each block of inputs a block of weights of each neuron. The inputs are the products of both perspectives,
    /// each padded to whole blocks.
    pub second: Box<[Block]>,
    /// For each neuron the weights of the scalars.
    pub scalars: [Block; L2_SIZE],
    pub second_bias: [i32; L2_SIZE],
    /// For each pair of adjacent inputs of a group of neurons a block, and in it a pair of weights of each neuron.
    pub third: [[Block; L2_SIZE / 2]; THIRD_GROUPS],
    pub third_bias: [[i32; GROUP]; THIRD_GROUPS],
    pub output: [i32; L3_SIZE],
    pub output_bias: i32,
}

impl LayerStack {
    /// The parameters of a bucket.
    pub(super) fn new(parameters: &Integers, bucket: usize) -> Self {
        let architecture = parameters.architecture();
        let width = architecture.l1_size();
        let mut second = vec![Block::ZERO; Color::COUNT * blocks_for(architecture.products()) * L2_SIZE]
            .into_boxed_slice();
        let weights = rows(parameters.second_weights(), L2_SIZE * width, bucket);
        for (index, &weight) in weights.iter().enumerate() {
            let (block, lane) = place_in_second(index / width, input_of_second(architecture, index % width));
            second[block].0[lane] = weight;
        }
        let weights = rows(parameters.scalar_weights(), L2_SIZE * SCALARS, bucket);
        let scalars = std::array::from_fn(|neuron| Block(array(&weights[neuron * SCALARS..])));
        let mut third = [[Block::ZERO; L2_SIZE / 2]; THIRD_GROUPS];
        let weights = rows(parameters.third_weights(), L3_SIZE * L2_SIZE, bucket);
        for (index, &weight) in weights.iter().enumerate() {
            let neuron = index / L2_SIZE;
            let (block, lane) = place_in_third(neuron % GROUP, index % L2_SIZE);
            third[neuron / GROUP][block].0[lane] = weight;
        }
        let third_bias = rows(parameters.third_bias(), L3_SIZE, bucket);
        let output = rows(parameters.output_weights(), L3_SIZE, bucket);
        Self {
            second,
            scalars,
            second_bias: array(rows(parameters.second_bias(), L2_SIZE, bucket)),
            third,
            third_bias: std::array::from_fn(|group| array(&third_bias[group * GROUP..])),
            output: array(output).map(i32::from),
            output_bias: parameters.output_bias()[bucket],
        }
    }

    /// Writes the parameters back.
    pub(super) fn write(&self, parameters: &mut Integers, bucket: usize) {
        let architecture = parameters.architecture();
        let width = architecture.l1_size();
        let weights = rows_mut(parameters.second_weights_mut(), L2_SIZE * width, bucket);
        for (index, weight) in weights.iter_mut().enumerate() {
            let (block, lane) = place_in_second(index / width, input_of_second(architecture, index % width));
            *weight = self.second[block].0[lane];
        }
        rows_mut(parameters.second_bias_mut(), L2_SIZE, bucket).copy_from_slice(&self.second_bias);
        let weights = rows_mut(parameters.third_weights_mut(), L3_SIZE * L2_SIZE, bucket);
        for (index, weight) in weights.iter_mut().enumerate() {
            let neuron = index / L2_SIZE;
            let (block, lane) = place_in_third(neuron % GROUP, index % L2_SIZE);
            *weight = self.third[neuron / GROUP][block].0[lane];
        }
        let weights = rows_mut(parameters.scalar_weights_mut(), L2_SIZE * SCALARS, bucket);
        for (to, block) in weights.chunks_exact_mut(SCALARS).zip(&self.scalars) {
            to.copy_from_slice(&block.0);
        }
        let biases = rows_mut(parameters.third_bias_mut(), L3_SIZE, bucket);
        biases.copy_from_slice(self.third_bias.as_flattened());
        let output = rows_mut(parameters.output_weights_mut(), L3_SIZE, bucket);
        // These numbers were read as 16 bits, so they fit.
        output.iter_mut().zip(self.output).for_each(|(to, number)| *to = number as i16);
        parameters.output_bias_mut()[bucket] = self.output_bias;
    }
}

/// The block and lane of the weight of a neuron of the second hidden layer for an input.
fn place_in_second(neuron: usize, input: usize) -> (usize, usize) {
    (input / LANES * L2_SIZE + neuron, input % LANES)
}

/// The block and lane of the weight of a neuron of a group of the third hidden layer for an input.
fn place_in_third(neuron: usize, input: usize) -> (usize, usize) {
    (input / 2, 2 * neuron + input % 2)
}

/// The input index of a product, with both perspectives padded to whole blocks.
fn input_of_second(architecture: Architecture, product: usize) -> usize {
    let half = architecture.products();
    product / half * blocks_for(half) * LANES + product % half
}

/// The first of these numbers.
fn array<T: Copy, const N: usize>(numbers: &[T]) -> [T; N] {
    std::array::from_fn(|index| numbers[index])
}

/// The part of these numbers that belongs to a bucket, if each bucket has `length` numbers.
fn rows<T>(numbers: &[T], length: usize, bucket: usize) -> &[T] {
    &numbers[bucket * length..][..length]
}

fn rows_mut<T>(numbers: &mut [T], length: usize, bucket: usize) -> &mut [T] {
    &mut numbers[bucket * length..][..length]
}
