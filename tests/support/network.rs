//! Networks for tests.

use hematite::nnue::{Architecture, FloatNetwork, L2_SIZE};
use hematite::rng::Rng;

/// The values of the roles for [`material`], in pawns, in the order of their indices.
const WORTH: [f32; 6] = [1.0, 3.0, 3.0, 5.0, 9.0, 0.0];
/// The number of inputs of a role.
const SQUARES: usize = 64;
/// The number of inputs of one side's pieces.
const SIDE: usize = WORTH.len() * SQUARES;

/// A random number between -`size` and `size`.
fn noise(rng: &mut Rng, size: f32) -> f32 {
    const STEPS: u64 = 1 << 20;
    (rng.below(2 * STEPS + 1) as f32 / STEPS as f32 - 1.0) * size
}

/// A network that evaluates material, and is otherwise random.
pub(crate) fn material(width: usize, seed: u64) -> FloatNetwork {
    let mut rng = Rng::new(seed);
    let mut network = FloatNetwork::zeroed(Architecture::new(width).expect("a width that there is"));
    let parameters = &mut network.parameters;
    for (index, weight) in parameters.feature_weights_mut().iter_mut().enumerate() {
        let input = index / width;
        let sign = if (input / SIDE).is_multiple_of(2) { 1.0 } else { -1.0 };
        let worth = sign * WORTH[input % SIDE / SQUARES];
        *weight = 0.012 * worth + noise(&mut rng, 0.02);
    }
    // Products of a neuron and one that is nearly 1 follow the material.
    let (first, partners) = parameters.feature_bias_mut().split_at_mut(width / 2);
    first.iter_mut().for_each(|bias| *bias = 0.5 + noise(&mut rng, 0.05));
    partners.iter_mut().for_each(|bias| *bias = 0.9 + noise(&mut rng, 0.05));
    for (index, weight) in parameters.second_weights_mut().iter_mut().enumerate() {
        let sign = if (index / (width / 2)).is_multiple_of(2) { 1.0 } else { -1.0 };
        *weight = sign / width as f32 + noise(&mut rng, 0.02 / width as f32);
    }
    parameters.second_bias_mut().iter_mut().for_each(|bias| *bias = 0.5 + noise(&mut rng, 0.02));
    for weight in parameters.third_weights_mut() {
        *weight = 1.0 / L2_SIZE as f32 + noise(&mut rng, 0.02);
    }
    for weight in parameters.output_weights_mut() {
        *weight = 0.5 + noise(&mut rng, 0.02);
    }
    for bias in parameters.output_bias_mut() {
        *bias = -1.0 + noise(&mut rng, 0.02);
    }
    network
}

/// A random network whose sums often exceed the clipping range.
pub(crate) fn nonsense(width: usize, seed: u64) -> FloatNetwork {
    let mut rng = Rng::new(seed);
    let mut network = FloatNetwork::zeroed(Architecture::new(width).expect("a width that there is"));
    let parameters = &mut network.parameters;
    parameters.feature_weights_mut().iter_mut().for_each(|weight| *weight = noise(&mut rng, 0.5));
    parameters.feature_bias_mut().iter_mut().for_each(|bias| *bias = noise(&mut rng, 0.5));
    parameters.second_weights_mut().iter_mut().for_each(|weight| *weight = noise(&mut rng, 0.9));
    parameters.scalar_weights_mut().iter_mut().for_each(|weight| *weight = noise(&mut rng, 0.9));
    parameters.second_bias_mut().iter_mut().for_each(|bias| *bias = noise(&mut rng, 0.9));
    parameters.third_weights_mut().iter_mut().for_each(|weight| *weight = noise(&mut rng, 0.9));
    parameters.third_bias_mut().iter_mut().for_each(|bias| *bias = noise(&mut rng, 0.9));
    parameters.output_weights_mut().iter_mut().for_each(|weight| *weight = noise(&mut rng, 0.9));
    parameters.output_bias_mut().iter_mut().for_each(|bias| *bias = noise(&mut rng, 0.9));
    network
}
