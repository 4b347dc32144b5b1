//! How many are solved after how long?

use std::time::Duration;

/// How many cases were solved within some times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeGrid {
    /// By time; each counts those before it too. The last one counts all.
    pub steps: Vec<TimeStep>,
}

/// How many cases were solved within a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeStep {
    /// The time.
    pub within: Duration,
    /// How many were solved in it.
    pub solved: usize,
}

/// The first time, which is about what it takes to see on a screen that something is solved.
const FIRST: Duration = Duration::from_millis(10);
/// Each decade has these multiples of its first time.
const MULTIPLES: [u32; 3] = [1, 2, 5];
const DECADE: u32 = 10;

impl TimeGrid {
    /// The grid of these solution times, as far as it changes.
    pub(super) fn new(times: &[Duration]) -> Self {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let mut steps = Vec::new();
        let mut decade = FIRST;
        while steps.last().map_or(0, |step: &TimeStep| step.solved) < sorted.len() {
            for multiple in MULTIPLES {
                let within = decade.saturating_mul(multiple);
                let solved = sorted.partition_point(|&time| time <= within);
                let is_complete = steps.last().is_some_and(|step: &TimeStep| step.solved == sorted.len());
                if !is_complete {
                    steps.push(TimeStep { within, solved });
                }
            }
            decade = decade.saturating_mul(DECADE);
        }
        Self { steps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_count_all_before_them() {
        let of = |milliseconds: &[u64]| {
            let times: Vec<Duration> = milliseconds.iter().map(|&ms| Duration::from_millis(ms)).collect();
            let grid = TimeGrid::new(&times);
            grid.steps.iter().map(|step| (step.within.as_millis() as u64, step.solved)).collect::<Vec<_>>()
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[0, 3]), [(10, 2)]);
        assert_eq!(of(&[10, 11, 150]), [(10, 1), (20, 2), (50, 2), (100, 2), (200, 3)]);
        let all = TimeGrid::new(&[Duration::MAX]);
        assert_eq!(all.steps.last(), Some(&TimeStep { within: Duration::MAX, solved: 1 }));
    }
}
