//! Evaluation by a neural network (NNUE, Yu Nasu 2018, <https://www.chessprogramming.org/NNUE>).
//!
//! [`features`] defines the inputs of the network, and [`Architecture`] its layers. Training results in a
//! [`FloatNetwork`]; [`FloatNetwork::quantize`] converts it to the [`Network`] of integers used for play. [`file`]
//! reads and writes both.

mod accumulators;
mod architecture;
pub mod features;
pub mod file;
mod float_network;
mod kernel;
mod layer_stack;
mod material;
mod network;
mod quantization;
mod scalars;

pub use accumulators::Accumulators;
pub use architecture::{
    Architecture, EVAL_SCALE, L2_SIZE, L3_SIZE, MAX_WIDTH, OUTPUT_BUCKETS, Parameters, WIDTH_STEP, WidthError,
};
pub use float_network::{FloatNetwork, MeanError};
pub use kernel::Kernel;
pub use network::{Network, embedded};
pub use quantization::{BoundsError, MAX_OUTPUT_WEIGHT, QA, QB};
pub use scalars::{SCALAR_ONE, SCALARS};
