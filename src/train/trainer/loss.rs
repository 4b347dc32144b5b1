//! The loss of a network, and the difference between two networks.

use super::Example;
use super::target::sigmoid;
use crate::chess::Board;
use crate::nnue::{EVAL_SCALE, FloatNetwork, Network};
use rayon::prelude::*;

/// Examples of a task, so that sums do not depend on the number of threads.
pub(super) const TASK: usize = 4096;

/// The sum over examples of the squared errors of `evaluate`, which returns the logarithm of the odds of
/// winning, against the points that they should bring.
pub fn total_loss(examples: &[Example], evaluate: impl Fn(&Board) -> f32 + Sync) -> f64 {
    let loss = |example: &Example| {
        // Every example was a position once.
        let position = example.position().ok()?;
        let error = sigmoid(evaluate(position.board())) - example.points();
        Some(f64::from(error) * f64::from(error))
    };
    let tasks = examples.par_chunks(TASK).map(|task| task.iter().filter_map(loss).sum::<f64>());
    tasks.collect::<Vec<f64>>().iter().sum()
}

/// Differences between the evaluations of two networks over the same positions, in search units.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Comparison {
    /// The number of positions.
    pub positions: usize,
    /// The mean size of the differences.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

impl Comparison {
    /// Compares both networks on these positions.
    pub fn new(float: &FloatNetwork, quantized: &Network, examples: &[Example]) -> Self {
        let differ = |example: &Example| {
            let position = example.position().ok()?;
            let expected = f64::from(float.evaluate(position.board())) * f64::from(EVAL_SCALE);
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

    // Loss

    #[test]
    fn it_is_the_loss_that_training_reports() {
        let examples = examples(500, 7);
        let trainer = Training::new(settings(), None).expect("good settings");
        let network = trainer.network();
        let expected = trainer.loss(&examples).expect("there are examples");
        let found = total_loss(&examples, |board| network.evaluate(board)) / examples.len() as f64;
        assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
        assert_eq!(total_loss(&[], |_| 0.0), 0.0);
    }

    // Comparison

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
