//! How fast the weights are moved at each step.

use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A learning rate that climbs for some steps and then falls along half a cosine
/// (<https://arxiv.org/abs/1608.03983>, Loshchilov and Hutter 2017, without restarts).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    /// The highest rate.
    pub peak: f64,
    /// The rate of the last step.
    pub end: f64,
    /// Steps until the highest rate is reached.
    pub warm_up: u64,
    /// All steps.
    pub steps: u64,
}

impl Schedule {
    /// The rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f64 {
        if step < self.warm_up {
            return self.peak * (step + 1) as f64 / self.warm_up as f64;
        }
        let falling = self.steps.saturating_sub(self.warm_up + 1).max(1);
        let part = (step - self.warm_up).min(falling) as f64 / falling as f64;
        self.end + (self.peak - self.end) * 0.5 * (1.0 + (PI * part).cos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_climbs_and_falls() {
        let schedule = Schedule { peak: 1e-3, end: 1e-5, warm_up: 10, steps: 111 };
        let cases = [
            ("the first step", 0, 1e-4),
            ("the last of the climb", 9, 1e-3),
            ("the top", 10, 1e-3),
            ("half way", 60, 0.5 * (1e-3 + 1e-5)),
            ("the last step", 110, 1e-5),
            ("beyond", 1000, 1e-5),
        ];
        for (name, step, rate) in cases {
            assert!((schedule.rate(step) - rate).abs() < 1e-12, "{name}: {}", schedule.rate(step));
        }
        assert!((10..110).all(|step| schedule.rate(step + 1) < schedule.rate(step)));
        let short = Schedule { peak: 1e-3, end: 1e-5, warm_up: 0, steps: 1 };
        assert_eq!(short.rate(0), 1e-3);
    }
}
