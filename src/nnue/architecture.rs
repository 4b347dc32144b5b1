//! The architecture of a network: everything that the trainer and the engine must agree on.

use super::features::INPUTS;
use super::scalars::SCALARS;
use crate::chess::{Board, Color};
use std::fmt;

/// The number of output buckets, selected by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;
/// Piece counts that share an output bucket.
const PIECES_PER_BUCKET: usize = 4;

/// Search units per output of 1, with which a player scores 1 / (1 + 1/e) = 73 % of the points. The margins
/// of the search are in the same units, and were tuned with this number.
pub const EVAL_SCALE: i32 = 300;

/// Neurons of the second hidden layer.
pub const L2_SIZE: usize = 16;
/// Neurons of the third hidden layer.
pub const L3_SIZE: usize = 32;

/// The step and minimum of the width.
pub const WIDTH_STEP: usize = 16;
/// The maximum width.
pub const MAX_WIDTH: usize = 1024;

/// The shape of a network: (4608 -> width) x 2 + 32 -> (16 -> 32 -> 1) x 8.
///
/// Each perspective has the inputs of [`super::features`] and `width` hidden neurons; both perspectives share the
/// weights. The sums are clamped to `0..=1`, and each of the first half is multiplied by its partner in the second
/// half. The products of the side to move come first, followed by those of the other side and by the scalars of both
/// (`scalars.rs`). Then come eight layer stacks, one of which is selected by the number of pieces: 16 neurons and 32
/// neurons, whose activation is the square of the sum clamped to `0..=1`, and an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    width: usize,
}

impl Architecture {
    /// The name of the architecture in network files.
    pub const ID: &'static str = "threats4608-x2-pairs-s32-16-32-8";

    /// The architecture with this many hidden neurons per perspective.
    ///
    /// # Errors
    /// [`WidthError`] unless the width is a multiple of [`WIDTH_STEP`] up to [`MAX_WIDTH`].
    pub const fn new(width: usize) -> Result<Self, WidthError> {
        if width == 0 || width > MAX_WIDTH || !width.is_multiple_of(WIDTH_STEP) {
            Err(WidthError(width))
        } else {
            Ok(Self { width })
        }
    }

    /// Hidden neurons of one perspective.
    pub const fn l1_size(self) -> usize {
        self.width
    }

    /// The number of weights between the inputs and the first hidden layer: a row of [`Architecture::width`]
    /// for each input.
    pub const fn feature_weights(self) -> usize {
        INPUTS * self.width
    }

    /// The number of products of the hidden neurons of one perspective.
    pub const fn products(self) -> usize {
        self.width / 2
    }

    /// The number of weights of the second hidden layer: for each bucket and neuron a row of
    /// [`Architecture::width`], one half for each perspective.
    pub const fn second_weights(self) -> usize {
        OUTPUT_BUCKETS * L2_SIZE * self.width
    }

    /// The number of weights from the scalars to the second hidden layer: for each bucket and neuron a row.
    pub const fn scalar_weights(self) -> usize {
        OUTPUT_BUCKETS * L2_SIZE * SCALARS
    }

    /// The number of weights of the third hidden layer: for each bucket and neuron a row.
    pub const fn third_weights(self) -> usize {
        OUTPUT_BUCKETS * L3_SIZE * L2_SIZE
    }

    /// The number of weights of the outputs: a row for each.
    pub const fn output_weights(self) -> usize {
        OUTPUT_BUCKETS * L3_SIZE
    }

    /// The number of weights of all layers after the first hidden layer.
    pub const fn later_weights(self) -> usize {
        self.second_weights() + self.scalar_weights() + self.third_weights() + self.output_weights()
    }

    /// The number of biases of all layers after the first hidden layer.
    pub const fn later_biases(self) -> usize {
        OUTPUT_BUCKETS * (L2_SIZE + L3_SIZE + 1)
    }

    /// The number of parameters of the network.
    pub const fn numbers(self) -> usize {
        self.feature_weights() + self.width + self.later_weights() + self.later_biases()
    }

    /// The output bucket of this board, below [`OUTPUT_BUCKETS`].
    #[inline]
    pub fn bucket(board: &Board) -> usize {
        Self::bucket_of(board.occupied().count() as usize)
    }

    /// The output bucket of boards with this many pieces.
    #[inline]
    pub const fn bucket_of(pieces: usize) -> usize {
        let bucket = pieces.saturating_sub(1) / PIECES_PER_BUCKET;
        if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
    }
}

impl fmt::Display for Architecture {
    /// `(4608 -> 256) x 2 + 32 -> (16 -> 32 -> 1) x 8`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "({INPUTS} -> {}) x {} + {SCALARS} -> ({L2_SIZE} -> {L3_SIZE} -> 1) x {OUTPUT_BUCKETS}",
            self.width,
            Color::COUNT
        )
    }
}

/// The width is not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} hidden neurons, expected a multiple of {WIDTH_STEP} from {WIDTH_STEP} to {MAX_WIDTH}")]
pub struct WidthError(pub usize);

/// All parameters of a network. Weights and biases of the first hidden layer are of type `H`, the other
/// weights of type `W`, and the other biases of type `B`.
///
/// The architecture determines their number.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters<H, W, B> {
    architecture: Architecture,
    feature_weights: Vec<H>,
    feature_bias: Vec<H>,
    second_weights: Vec<W>,
    scalar_weights: Vec<W>,
    second_bias: Vec<B>,
    third_weights: Vec<W>,
    third_bias: Vec<B>,
    output_weights: Vec<W>,
    output_bias: Vec<B>,
}

impl<H: Copy + Default, W: Copy + Default, B: Copy + Default> Parameters<H, W, B> {
    /// Parameters that are all zero.
    pub fn zeroed(architecture: Architecture) -> Self {
        Self {
            architecture,
            feature_weights: vec![H::default(); architecture.feature_weights()],
            feature_bias: vec![H::default(); architecture.l1_size()],
            second_weights: vec![W::default(); architecture.second_weights()],
            scalar_weights: vec![W::default(); architecture.scalar_weights()],
            second_bias: vec![B::default(); OUTPUT_BUCKETS * L2_SIZE],
            third_weights: vec![W::default(); architecture.third_weights()],
            third_bias: vec![B::default(); OUTPUT_BUCKETS * L3_SIZE],
            output_weights: vec![W::default(); architecture.output_weights()],
            output_bias: vec![B::default(); OUTPUT_BUCKETS],
        }
    }
}

/// Defines accessors for reading and for changing parameters.
macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident, $name_mut:ident: $number:ident;)+) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> &[$number] {
            &self.$name
        }

        /// A mutable reference to the parameters that the method without `_mut` returns.
        pub fn $name_mut(&mut self) -> &mut [$number] {
            &mut self.$name
        }
    )+};
}

impl<H, W, B> Parameters<H, W, B> {
    /// The architecture of the network.
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    parts! {
        /// Weights of the first hidden layer: a row of all neurons for each input.
        feature_weights, feature_weights_mut: H;
        /// Biases of the first hidden layer.
        feature_bias, feature_bias_mut: H;
        /// Weights of the second hidden layer: for each bucket and neuron a row of the products of the side
        /// to move, followed by those of the other side.
        second_weights, second_weights_mut: W;
        /// Weights from the scalars to the second hidden layer: for each bucket and neuron a row.
        scalar_weights, scalar_weights_mut: W;
        /// Biases of the second hidden layer, for each bucket.
        second_bias, second_bias_mut: B;
        /// Weights of the third hidden layer: for each bucket and neuron a row of the neurons of the second
        /// layer.
        third_weights, third_weights_mut: W;
        /// Biases of the third hidden layer, for each bucket.
        third_bias, third_bias_mut: B;
        /// Weights of the outputs: for each output a row of the neurons of the third hidden layer.
        output_weights, output_weights_mut: W;
        /// Biases of the outputs.
        output_bias, output_bias_mut: B;
    }
}

impl<T> Parameters<T, T, T> {
    /// All parameters, in the order of network files.
    pub(super) fn all(&self) -> impl Iterator<Item = &T> {
        let parts = [
            &self.feature_weights[..],
            &self.feature_bias,
            &self.second_weights,
            &self.scalar_weights,
            &self.second_bias,
            &self.third_weights,
            &self.third_bias,
            &self.output_weights,
            &self.output_bias,
        ];
        parts.into_iter().flatten()
    }

    /// Mutable references to [`Self::all`].
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let parts = [
            &mut self.feature_weights[..],
            &mut self.feature_bias,
            &mut self.second_weights,
            &mut self.scalar_weights,
            &mut self.second_bias,
            &mut self.third_weights,
            &mut self.third_bias,
            &mut self.output_weights,
            &mut self.output_bias,
        ];
        parts.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parameters_are_visited_in_order() {
        let architecture = Architecture::new(WIDTH_STEP).expect("a width");
        let mut numbers = Parameters::<u32, u32, u32>::zeroed(architecture);
        numbers.all_mut().zip(0..).for_each(|(number, index)| *number = index);
        assert_eq!(numbers.all().count(), architecture.numbers());
        assert!(numbers.all().copied().eq(0..architecture.numbers() as u32));
        assert_eq!(numbers.output_bias().last(), Some(&(architecture.numbers() as u32 - 1)));
    }

    #[test]
    fn widths_are_checked() {
        for width in [16, 32, 48, 256, 1024] {
            assert_eq!(Architecture::new(width).map(Architecture::l1_size), Ok(width));
        }
        for width in [0, 1, 15, 17, 1025, 1040, usize::MAX] {
            assert_eq!(Architecture::new(width), Err(WidthError(width)));
        }
    }

    #[test]
    fn every_number_of_pieces_has_its_bucket() {
        let cases = [(2, 0), (4, 0), (5, 1), (8, 1), (9, 2), (28, 6), (29, 7), (32, 7), (0, 0), (64, 7)];
        for (pieces, expected) in cases {
            assert_eq!(Architecture::bucket_of(pieces), expected, "{pieces}");
        }
    }
}
