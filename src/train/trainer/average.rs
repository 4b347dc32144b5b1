//! The average of the weights over the last steps of a run, which becomes the trained network.
//!
//! The weights of a single step oscillate around those that would fit all examples best; their average does so less
//! (<https://arxiv.org/abs/1803.05407>, Izmailov et al. 2018).

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// An exponential moving average (EMA) of the weights.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ema {
    /// The factor of the old average in a step, 0 to 1; with 1 the average is the plain mean.
    pub factor: f64,
    /// The fraction of the run, 0 to 1, after which averaging starts.
    pub start: f64,
}

impl Ema {
    /// The first step, counted from 0, whose weights are averaged: at the latest the last step of the run.
    fn first_step(self, steps: u64) -> u64 {
        ((self.start * steps as f64) as u64).min(steps.saturating_sub(1))
    }

    /// The share of the weights after `step` of `steps` in the new average; `None` before averaging starts.
    ///
    /// The average is a plain mean until it has enough members for the factor; otherwise its first member would have
    /// too much weight.
    pub(super) fn gain(self, step: u64, steps: u64) -> Option<f32> {
        let members = step.checked_sub(self.first_step(steps))? + 1;
        Some((1.0 - self.factor).max(1.0 / members as f64) as f32)
    }

    /// Whether there is an average after `done` of `steps` steps.
    pub(super) fn has_begun(self, done: u64, steps: u64) -> bool {
        done > self.first_step(steps)
    }
}

/// The number of parameters of a task, large enough to be worth a task.
const TASK: usize = 4096;

/// Moves an average toward the weights by this share.
pub(super) fn take_in(average: &mut [f32], weights: &[f32], gain: f32) {
    average.par_chunks_mut(TASK).zip(weights.par_chunks(TASK)).for_each(|(average, weights)| {
        for (mean, weight) in average.iter_mut().zip(weights) {
            *mean += gain * (weight - *mean);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The averages in a run of 20 steps in which the weights are the step numbers.
    fn average(ema: Ema) -> Vec<Option<f32>> {
        const STEPS: u64 = 20;
        let mut mean = [0.0];
        let mut means = Vec::new();
        for step in 0..STEPS {
            let gain = ema.gain(step, STEPS);
            assert_eq!(gain.is_some(), ema.has_begun(step + 1, STEPS), "{step}");
            means.push(gain.map(|gain| {
                take_in(&mut mean, &[step as f32], gain);
                mean[0]
            }));
        }
        means
    }

    #[test]
    fn it_is_a_mean_that_forgets() {
        let plain = average(Ema { factor: 1.0, start: 0.5 });
        assert!(plain[..10].iter().all(Option::is_none), "{plain:?}");
        for (step, mean) in plain.iter().enumerate().skip(10) {
            let expected = (10 + step) as f32 / 2.0;
            assert!(mean.is_some_and(|mean| (mean - expected).abs() < 1e-4), "{step}: {mean:?}");
        }
        // The first two members have equal weight; from then on each has half of the weight of the next one.
        let half = average(Ema { factor: 0.5, start: 0.5 });
        assert_eq!(half[10..13], [Some(10.0), Some(10.5), Some(11.25)]);
        // With a factor of zero the average is the last member, and the last step is always averaged.
        assert_eq!(average(Ema { factor: 0.0, start: 0.0 })[19], Some(19.0));
        let late = average(Ema { factor: 0.9, start: 1.0 });
        assert_eq!(late[18..], [None, Some(19.0)]);
    }

    #[test]
    fn very_long_runs_still_learn() {
        const STEPS: u64 = 1 << 40;
        let ema = Ema { factor: 1.0, start: 0.0 };
        let gain = ema.gain(STEPS - 1, STEPS).expect("it has begun");
        assert!(gain > 0.0 && gain < 1e-11, "{gain}");
        assert_eq!(ema.gain(0, 0), Some(1.0));
    }
}
