//! Counting what was solved.

use super::{Moment, Trial};
use std::ops::AddAssign;
use std::time::Duration;

/// What some cases have come to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Cases that were tried.
    pub cases: usize,
    /// Those of them that were solved.
    pub solved: usize,
    /// Points that were got.
    pub points: u64,
    /// Points that there were to be got; 0 where there are none.
    pub max_points: u64,
    /// Sums over the solutions.
    elapsed: Duration,
    nodes: u64,
    depth: u64,
}

/// Means over the cases that were solved, of what it took to find the right move for good.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Means {
    /// Mean time.
    pub elapsed: Duration,
    /// Mean number of nodes.
    pub nodes: f64,
    /// Mean depth, in plies.
    pub depth: f64,
}

impl Tally {
    /// Counts one more case.
    pub(super) fn add(&mut self, trial: &Trial<'_>) {
        self.cases += 1;
        if let Some(Moment { elapsed, nodes, depth }) = trial.solution {
            self.solved += 1;
            self.elapsed += elapsed;
            self.nodes = self.nodes.saturating_add(nodes);
            self.depth += u64::from(depth);
        }
        if let (Some(points), Some(list)) = (trial.points, &trial.case.points) {
            self.points += u64::from(points);
            self.max_points += u64::from(list.max());
        }
    }

    /// The share that was solved, in percent; `None` without any case.
    pub fn percent(&self) -> Option<f64> {
        percent(self.solved as f64, self.cases as f64)
    }

    /// The share of the points, in percent; `None` where there are none.
    pub fn points_percent(&self) -> Option<f64> {
        percent(self.points as f64, self.max_points as f64)
    }

    /// What it took to solve a case; `None` if none was solved.
    pub fn means(&self) -> Option<Means> {
        let solved = u32::try_from(self.solved).ok().filter(|&solved| solved > 0)?;
        Some(Means {
            elapsed: self.elapsed / solved,
            nodes: self.nodes as f64 / f64::from(solved),
            depth: self.depth as f64 / f64::from(solved),
        })
    }
}

fn percent(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part * 100.0 / whole)
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.cases += other.cases;
        self.solved += other.solved;
        self.points += other.points;
        self.max_points += other.max_points;
        self.elapsed += other.elapsed;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.depth += other.depth;
    }
}
