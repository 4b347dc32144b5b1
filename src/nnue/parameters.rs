//! The parameters of a network in file order.

use super::Architecture;
use super::architecture::{L2_SIZE, L3_SIZE, OUTPUT_BUCKETS};

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
    second_bias: Vec<B>,
    third_weights: Vec<W>,
    third_bias: Vec<B>,
    output_weights: Vec<W>,
    output_bias: Vec<B>,
}

impl<H: Copy + Default, W: Copy + Default, B: Copy + Default> Parameters<H, W, B> {
    /// All zero.
    pub fn zeroed(architecture: Architecture) -> Self {
        Self {
            architecture,
            feature_weights: vec![H::default(); architecture.feature_weights()],
            feature_bias: vec![H::default(); architecture.l1_size()],
            second_weights: vec![W::default(); architecture.second_weights()],
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

        /// The same, mutable.
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
