//! How far the network that plays is from the one that was trained.

use super::Example;
use crate::nnue::{EVALUATION_SCALE, FloatNetwork, Network};
use rayon::prelude::*;

/// Differences between what two networks say about the same positions, in centipawns.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Comparison {
    /// How many positions there were.
    pub positions: usize,
    /// The mean size of the differences.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

impl Comparison {
    /// Asks both networks about these positions.
    pub fn new(float: &FloatNetwork, quantized: &Network, examples: &[Example]) -> Self {
        let differ = |example: &Example| {
            let position = example.position().ok()?;
            let expected = f64::from(float.evaluate(position.board())) * f64::from(EVALUATION_SCALE);
            Some((f64::from(quantized.evaluate(position.board())) - expected).abs())
        };
        let differences: Vec<f64> = examples.par_iter().filter_map(differ).collect();
        let positions = differences.len();
        Self {
            positions,
            mean: differences.iter().sum::<f64>() / positions.max(1) as f64,
            max: differences.iter().copied().fold(0.0, f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::trainer::Training;
    use crate::train::trainer::testing::{examples, settings};

    #[test]
    fn a_quantized_network_is_near() {
        let examples = examples(500, 6);
        let mut trainer = Training::new(settings(), None).expect("good settings");
        while !trainer.is_done() {
            trainer.learn(&examples);
        }
        let network = trainer.network();
        let quantized = network.quantize().expect("the weights are small");
        let comparison = Comparison::new(&network, &quantized, &examples);
        assert_eq!(comparison.positions, 500);
        assert!(comparison.mean > 0.0 && comparison.mean < 10.0, "{comparison:?}");
        assert!(comparison.max < 50.0, "{comparison:?}");
    }
}
