//! The results of games by the scores of their positions, and the curve that fits them best.

use super::data_set::LoadError;
use super::{Counts, Curve, Selection};
use crate::nnue::EVAL_SCALE;
use crate::train::data::{ChunkReader, Game, GameResult};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// For each score, in search units, the numbers of positions with it that were lost, drawn and won by the side to move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outcomes(BTreeMap<i32, [u64; GameResult::ALL.len()]>);

/// The reason why no curve fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FitError {
    /// There are no games with one of the results.
    #[error("{lost} positions of lost, {drawn} of drawn and {won} of won games, expected some of each")]
    Missing {
        /// The number of positions of games that were lost by the side to move.
        lost: u64,
        /// The number of positions of drawn games.
        drawn: u64,
        /// The number of positions of games that were won by the side to move.
        won: u64,
    },
    /// The likelihood has no maximum.
    #[error("the scores predict no results, or all of them")]
    NoBest,
}

impl Outcomes {
    /// Reads the positions of all games that are not for validation, up to the maximum of the selection: those that
    /// [`load`](super::load) takes for training. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// [`LoadError`] for a file that cannot be used, or if `stop` was set.
    pub fn read(
        files: &[PathBuf],
        selection: &Selection,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Self, LoadError> {
        let files: Vec<_> = files.iter().enumerate().collect();
        let mut found = Self::default();
        let mut left = selection.max_positions.unwrap_or(u64::MAX);
        // With a maximum, only the first files may count.
        for files in files.chunks(threads.max(1)) {
            let read = |&(index, path): &(usize, &PathBuf)| Self::of_file(path, index, selection, left, stop);
            let parts: Vec<Result<Self, LoadError>> = thread::scope(|scope| {
                let readers: Vec<_> = files.iter().map(|file| scope.spawn(move || read(file))).collect();
                readers.into_iter().map(|reader| reader.join().expect("a reader does not panic")).collect()
            });
            for (&(index, path), part) in files.iter().zip(parts) {
                let mut part = part?;
                if part.positions() > left {
                    part = Self::of_file(path, index, selection, left, stop)?;
                }
                left -= part.positions();
                found = found.with(part);
                if left == 0 {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// The first positions of the file with this number, at most `limit`.
    fn of_file(
        path: &Path,
        file: usize,
        selection: &Selection,
        limit: u64,
        stop: &AtomicBool,
    ) -> Result<Self, LoadError> {
        let fail = |error| LoadError::File(path.to_owned(), error);
        let mut found = Self::default();
        let mut left = limit;
        for (number, game) in ChunkReader::open(path).map_err(fail)?.enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Err(LoadError::Interrupted);
            }
            let game = game.map_err(fail)?;
            if !selection.is_for_validation([file as u64, number as u64]) {
                left -= found.add_game(selection, &game, left);
            }
            if left == 0 {
                break;
            }
        }
        Ok(found)
    }

    /// Adds the positions of a game that training would use, at most `limit`, and returns their number.
    fn add_game(&mut self, selection: &Selection, game: &Game, limit: u64) -> u64 {
        let mut counts = Counts::default();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut added = 0;
        for sample in game.samples().filter(|sample| selection.takes(sample, &mut counts)).take(limit) {
            let half_points = sample.result.half_points(sample.position.turn());
            self.0.entry(sample.score.units()).or_default()[usize::from(half_points)] += 1;
            added += 1;
        }
        added
    }

    /// The sums of both.
    fn with(mut self, other: Self) -> Self {
        for (score, counts) in other.0 {
            let sums = self.0.entry(score).or_default();
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        self
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.0.values().flatten().sum()
    }

    /// The curve under which these results are the most likely, in search units.
    ///
    /// The likelihood of such an ordered logit model has one maximum; Fisher's scoring finds it
    /// (<https://en.wikipedia.org/wiki/Scoring_algorithm>).
    ///
    /// # Errors
    /// [`FitError`] if one of the results is missing, or the likelihood has no maximum.
    pub fn fit(&self) -> Result<Curve, FitError> {
        /// The maximum number of steps, far more than are needed.
        const MAX_STEPS: usize = 100;
        /// The relative change of a parameter that no longer matters, but changes the likelihood by more than the
        /// rounding error of its sum.
        const PRECISION: f64 = 1e-6;
        let sum = |kind: usize| self.0.values().map(|counts| counts[kind]).sum::<u64>();
        let [lost, drawn, won] = [0, 1, 2].map(sum);
        if lost.min(drawn).min(won) == 0 {
            return Err(FitError::Missing { lost, drawn, won });
        }
        let mut model = Model { slope: 1.0, threshold: 1.0 };
        let mut likelihood = self.likelihood(model);
        for _ in 0..MAX_STEPS {
            let (mut better, change) = self.improve(model).ok_or(FitError::NoBest)?;
            if change < PRECISION {
                return Ok(better.curve());
            }
            // The step may be too large, but its direction is right.
            while !(better.is_valid() && self.likelihood(better) > likelihood) {
                let half = better.between(model);
                if half == better || half == model {
                    return Err(FitError::NoBest);
                }
                better = half;
            }
            (model, likelihood) = (better, self.likelihood(better));
        }
        Err(FitError::NoBest)
    }

    /// The logarithm of the likelihood of all results.
    fn likelihood(&self, model: Model) -> f64 {
        let of = |(score, counts): (&i32, &[u64; 3])| {
            let chances = model.chances(*score);
            let found = counts.iter().zip(chances).filter(|(count, _)| **count > 0);
            found.map(|(count, chance)| *count as f64 * chance.ln()).sum::<f64>()
        };
        self.0.iter().map(of).sum()
    }

    /// The model after a step of Fisher's scoring, and the size of the step relative to the parameters; `None` if the
    /// results do not determine a step.
    fn improve(&self, model: Model) -> Option<(Model, f64)> {
        let (mut gradient, mut information) = ([0.0; 2], [[0.0; 2]; 2]);
        for (score, counts) in &self.0 {
            let all = counts.iter().sum::<u64>() as f64;
            let chances = model.chances(*score);
            let slopes = model.slopes(*score);
            for ((count, chance), slope) in counts.iter().zip(chances).zip(slopes) {
                for row in 0..2 {
                    gradient[row] += *count as f64 * slope[row] / chance;
                    for column in 0..2 {
                        information[row][column] += all * slope[row] * slope[column] / chance;
                    }
                }
            }
        }
        let [[a, b], [_, d]] = information;
        let determinant = a * d - b * b;
        let change = [d * gradient[0] - b * gradient[1], a * gradient[1] - b * gradient[0]]
            .map(|change| change / determinant);
        let better = Model { slope: model.slope + change[0], threshold: model.threshold + change[1] };
        let size = (change[0] / model.slope).abs().max((change[1] / model.threshold).abs());
        size.is_finite().then_some((better, size))
    }
}

/// The parameters of a curve for scores in evaluations of the network: `(score - offset) / scale` is `slope * score -
/// threshold`, for which the likelihood has one maximum.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Model {
    slope: f64,
    threshold: f64,
}

impl Model {
    /// Whether the model has probabilities.
    fn is_valid(self) -> bool {
        self.slope > 0.0 && self.threshold > 0.0
    }

    fn between(self, other: Self) -> Self {
        let mean = |a: f64, b: f64| a + 0.5 * (b - a);
        Self { slope: mean(self.slope, other.slope), threshold: mean(self.threshold, other.threshold) }
    }

    /// A score in units of network evaluations.
    fn evaluation(score: i32) -> f64 {
        f64::from(score) / f64::from(EVAL_SCALE)
    }

    /// The probabilities of a loss, a draw and a win.
    fn chances(self, score: i32) -> [f64; 3] {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let (x, t) = (self.slope * Self::evaluation(score), self.threshold);
        // The rest of 1, without the rounding error of a difference.
        let draw = sigmoid(t - x) * sigmoid(t + x) * -(-2.0 * t).exp_m1();
        [sigmoid(-x - t), draw, sigmoid(x - t)]
    }

    /// The derivatives of the probabilities by slope and threshold.
    fn slopes(self, score: i32) -> [[f64; 2]; 3] {
        let evaluation = Self::evaluation(score);
        let [loss, _, win] = self.chances(score);
        let [by_loss, by_win] = [loss * (1.0 - loss), win * (1.0 - win)];
        [
            [-by_loss * evaluation, -by_loss],
            [(by_loss - by_win) * evaluation, by_loss + by_win],
            [by_win * evaluation, -by_win],
        ]
    }

    /// The curve in search units.
    fn curve(self) -> Curve {
        let scale = f64::from(EVAL_SCALE) / self.slope;
        Curve { offset: (self.threshold * scale) as f32, scale: scale as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of results that a curve predicts for a thousand positions with each score.
    fn outcomes(offset: f64, scale: f64) -> Outcomes {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let counts = |score: i32| {
            let [loss, win] = [-1.0, 1.0].map(|side| sigmoid((side * f64::from(score) - offset) / scale));
            [loss, 1.0 - win - loss, win].map(|chance| (100_000.0 * chance).round() as u64)
        };
        Outcomes((-2000..=2000).step_by(7).map(|score| (score, counts(score))).collect())
    }

    #[test]
    fn the_curve_of_the_results_is_found() {
        for (offset, scale) in [(150.0, 60.0), (300.0, 200.0), (20.0, 350.0), (500.0, 40.0)] {
            let found = outcomes(offset, scale).fit().expect("there is one");
            let is_near = |found: f32, expected: f64| (f64::from(found) - expected).abs() < 0.01 * expected;
            assert!(
                is_near(found.offset, offset) && is_near(found.scale, scale),
                "{offset} {scale}: {found:?}"
            );
        }
    }

    #[test]
    fn what_has_no_curve_is_refused() {
        let of = |counts: &[(i32, [u64; 3])]| Outcomes(counts.iter().copied().collect());
        let missing = FitError::Missing { lost: 3, drawn: 0, won: 4 };
        let cases = [
            ("nothing", of(&[]), FitError::Missing { lost: 0, drawn: 0, won: 0 }),
            ("no draws", of(&[(-100, [3, 0, 1]), (100, [0, 0, 3])]), missing),
            (
                "scores that tell all",
                of(&[(-9, [9, 0, 0]), (0, [0, 9, 0]), (9, [0, 0, 9])]),
                FitError::NoBest,
            ),
            ("scores that tell nothing", of(&[(-100, [5, 5, 5]), (100, [5, 5, 5])]), FitError::NoBest),
            ("scores that are wrong", of(&[(-100, [1, 5, 9]), (100, [9, 5, 1])]), FitError::NoBest),
        ];
        for (name, outcomes, error) in cases {
            assert_eq!(outcomes.fit(), Err(error), "{name}");
        }
    }

    #[test]
    fn parts_add_up() {
        let [a, b] = [outcomes(100.0, 50.0), outcomes(200.0, 90.0)];
        let both = a.clone().with(b.clone());
        assert_eq!(both.positions(), a.positions() + b.positions());
        assert_eq!(both, b.with(a));
    }
}
