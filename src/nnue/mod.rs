//! Evaluating a position with a network (NNUE, Yu Nasu 2018,
//! <https://www.chessprogramming.org/NNUE>).
//!
//! [`features`] tells what the network sees, [`Architecture`] how it is built. A
//! [`FloatNetwork`] is what training makes; [`FloatNetwork::quantize`] turns it into the
//! [`Network`] of integers that plays. [`file`] reads and writes both.

mod accumulators;
mod architecture;
pub mod features;
pub mod file;
mod kernel;
mod layer_stack;
mod material;
mod network;
mod parameters;
mod quantization;

pub use accumulators::Accumulators;
pub use architecture::{
    Architecture, EVALUATION_SCALE, MAX_WIDTH, OUTPUT_BUCKETS, SECOND, THIRD, WIDTH_STEP, WidthError,
};
pub use kernel::Kernel;
pub use network::{Network, embedded};
pub use parameters::{FloatNetwork, Parameters};
pub use quantization::{ACTIVATION_SCALE, BoundsError, MAX_OUTPUT_WEIGHT, OUTPUT_SCALE};
