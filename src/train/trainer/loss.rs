//! How far a network is from what it should say.

use super::Example;
use super::target::sigmoid;
use crate::chess::Board;
use rayon::prelude::*;

/// Examples of a task: so sums do not depend on the number of threads.
pub(super) const TASK: usize = 4096;

/// The sum over examples of the squared errors of what `evaluate` says about them, which is the logarithm of the odds of
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::trainer::Training;
    use crate::train::trainer::testing::{examples, settings};

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
}
