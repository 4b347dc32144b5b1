//! The loss of a network, its derivative, and the difference between two networks.

use super::curve::Chances;
use super::{Curve, Example};
use crate::chess::Board;
use crate::nnue::{EVAL_SCALE, FloatNetwork, Network};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The loss of an output: the magnitude of the error of the expected points, raised to a power.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loss {
    /// The power, 1 or more: 2 for squared errors; a higher power gives large errors more weight.
    pub exponent: f32,
    /// The curve from outputs in search units to points.
    pub output: Curve,
}

impl Default for Loss {
    fn default() -> Self {
        Self { exponent: Self::SQUARE, output: Curve::default() }
    }
}

impl Loss {
    /// The exponent of squared errors.
    pub const SQUARE: f32 = 2.0;

    /// The loss of an output of the network, in search units divided by [`EVAL_SCALE`], for the target `points`, 0 to
    /// 1.
    #[inline]
    pub(super) fn of(self, output: f32, points: f32) -> f64 {
        self.power(self.chances(output).points() - points)
    }

    /// The loss, and its derivative by the output.
    #[inline]
    pub(super) fn with_pull(self, output: f32, points: f32) -> (f64, f32) {
        let chances = self.chances(output);
        let error = chances.points() - points;
        (self.power(error), chances.pull(self.slope(error)))
    }

    /// The probabilities of a win and of a loss for an output.
    #[inline]
    fn chances(self, output: f32) -> Chances {
        self.output.in_units_of(EVAL_SCALE as f32).chances(output)
    }

    /// The magnitude of an error to the power of the exponent.
    #[inline]
    fn power(self, error: f32) -> f64 {
        if self.exponent == Self::SQUARE {
            return f64::from(error) * f64::from(error);
        }
        f64::from(error.abs()).powf(f64::from(self.exponent))
    }

    /// The derivative of [`Loss::power`] by the error.
    #[inline]
    fn slope(self, error: f32) -> f32 {
        if self.exponent == Self::SQUARE {
            return Self::SQUARE * error;
        }
        (self.exponent * error.abs().powf(self.exponent - 1.0)).copysign(error)
    }
}

/// The number of examples of a task, which is fixed so that sums do not depend on the number of threads.
pub(super) const TASK: usize = 4096;

/// The sum over examples of the losses of `evaluate`, which returns search units divided by [`EVAL_SCALE`], for their
/// targets.
pub fn total_loss(examples: &[Example], loss: Loss, evaluate: impl Fn(&Board) -> f32 + Sync) -> f64 {
    let loss = |example: &Example| {
        // Every example was packed from a legal position.
        let position = example.position().ok()?;
        Some(loss.of(evaluate(position.board()), example.points()))
    };
    let tasks = examples.par_chunks(TASK).map(|task| task.iter().filter_map(loss).sum::<f64>());
    tasks.collect::<Vec<f64>>().iter().sum()
}

/// Differences between the evaluations of two networks over the same positions, in search units.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct LossDifference {
    /// The number of positions.
    pub positions: usize,
    /// The mean magnitude of the differences.
    pub mean: f64,
    /// The maximum magnitude of the differences.
    pub max: f64,
}

impl LossDifference {
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
    use crate::rng::Rng;
    use crate::train::trainer::testing::{examples, settings};
    use crate::train::trainer::{Settings, Training};

    // Loss

    #[test]
    fn it_is_the_loss_that_training_reports() {
        let examples = examples(500, 7);
        let two_sided = Curve { offset: 200.0, scale: 100.0 };
        let losses = [(Loss::SQUARE, Curve::default()), (2.5, Curve::default()), (Loss::SQUARE, two_sided)];
        for (exponent, output) in losses {
            let loss = Loss { exponent, output };
            let trainer = Training::new(Settings { loss, ..settings() }, None).expect("good settings");
            let network = trainer.network();
            let expected = trainer.loss(&examples).expect("there are examples");
            let found = total_loss(&examples, loss, |board| network.evaluate(board)) / examples.len() as f64;
            assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
            assert_eq!(total_loss(&[], loss, |_| 0.0), 0.0);
        }
    }

    #[test]
    fn errors_weigh_by_their_power() {
        let cases = [
            ("squares", 2.0, 0.5, 0.25, 1.0),
            ("squares of an error below", 2.0, -0.5, 0.25, -1.0),
            ("sizes", 1.0, -0.25, 0.25, -1.0),
            ("a broken power", 2.5, 0.25, 0.031_25, 0.312_5),
            ("the same below", 2.5, -0.25, 0.031_25, -0.312_5),
            ("none", 2.5, 0.0, 0.0, 0.0),
        ];
        for (name, exponent, error, power, slope) in cases {
            let loss = Loss { exponent, ..Loss::default() };
            assert!((loss.power(error) - power).abs() < 1e-7, "{name}: {}", loss.power(error));
            assert!((loss.slope(error) - slope).abs() < 1e-6, "{name}: {}", loss.slope(error));
        }
    }

    /// Runs with the default options have the same results as before there were options.
    #[test]
    fn squares_are_what_they_were_to_the_last_bit() {
        let mut rng = Rng::new(3);
        for _ in 0..10_000 {
            let [output, points] = [8.0, 1.0].map(|width| rng.fraction() as f32 * width);
            let output = output - 4.0;
            let expected = 1.0 / (1.0 + (-output).exp());
            let error = expected - points;
            let (loss, pull) = Loss::default().with_pull(output, points);
            assert_eq!(loss, f64::from(error) * f64::from(error));
            assert_eq!(pull, 2.0 * error * expected * (1.0 - expected));
            assert_eq!(Loss::default().of(output, points), loss);
        }
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
        let comparison = LossDifference::new(&network, &quantized, &examples);
        assert_eq!(comparison.positions, 500);
        assert!(comparison.mean > 0.0 && comparison.mean < 10.0, "{comparison:?}");
        assert!(comparison.max < 50.0, "{comparison:?}");
    }
}
