//! The result of a run: in total, by theme and by time.

use super::solver::as_seconds;
use super::{CaseResult, SearchStats, theme};
use crate::notation::percent;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::ops::AddAssign;
use std::time::Duration;

/// The result of a run: in total, by theme and by time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// The result of all cases that were tried.
    pub total: Tally,
    /// The number of cases without a goal, which were skipped.
    pub left_out: usize,
    /// The number of cases that failed because of a fault of the engine.
    pub faults: usize,
    /// The results by theme, in the order of their first cases.
    themes: Vec<(String, Tally)>,
    /// The time of each solution.
    times: Vec<Duration>,
}

/// The minimum average number of cases per theme for results by theme to be useful.
const CASES_PER_THEME: usize = 2;

impl Summary {
    pub(super) fn add(&mut self, result: &CaseResult<'_>) {
        self.total.add(result);
        self.faults += usize::from(result.answer.fault.is_some());
        self.times.extend(result.solution.map(|stats| stats.elapsed));
        if let Some(theme) = result.case.epd.id().and_then(theme) {
            self.theme(theme).add(result);
        }
    }

    pub(super) const fn skip(&mut self) {
        self.left_out += 1;
    }

    fn theme(&mut self, name: &str) -> &mut Tally {
        // A suite has few themes, whose cases are mostly consecutive.
        let place = self.themes.iter().rposition(|(known, _)| known == name).unwrap_or_else(|| {
            self.themes.push((name.to_owned(), Tally::default()));
            self.themes.len() - 1
        });
        &mut self.themes[place].1
    }

    /// The results of each theme. Empty if there are fewer than two themes, or if nearly every position has a different
    /// one.
    pub fn themes(&self) -> &[(String, Tally)] {
        let count = self.themes.len();
        let has_useful_themes = count > 1 && count * CASES_PER_THEME <= self.total.cases;
        if has_useful_themes { &self.themes } else { &[] }
    }

    /// The number of solved cases by time.
    pub fn grid(&self) -> Vec<TimeStep> {
        time_grid(&self.times)
    }
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.left_out += other.left_out;
        self.faults += other.faults;
        self.times.extend(other.times);
        for (name, tally) in other.themes {
            *self.theme(&name) += tally;
        }
    }
}

/// The results of some cases.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// The number of cases that were tried.
    pub cases: usize,
    /// The number of these that were solved.
    pub solved: usize,
    /// The points scored.
    pub points: u64,
    /// The points available; 0 without points.
    pub max_points: u64,
    /// The sums over the solutions.
    elapsed: Duration,
    nodes: u64,
    depth: u64,
}

/// The means, over the solved cases, of the statistics since which the right move has been first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Means {
    /// Mean time.
    pub elapsed: Duration,
    /// Mean number of nodes.
    pub nodes: f64,
    /// Mean depth, in plies.
    pub depth: f64,
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let means = self.means();
        let mut object = serializer.serialize_struct("Tally", 9)?;
        object.serialize_field("positions", &self.cases)?;
        object.serialize_field("solved", &self.solved)?;
        object.serialize_field("percent", &self.percent())?;
        object.serialize_field("points", &self.points)?;
        object.serialize_field("max_points", &self.max_points)?;
        object.serialize_field("points_percent", &self.points_percent())?;
        object.serialize_field("mean_seconds", &means.map(|means| means.elapsed.as_secs_f64()))?;
        object.serialize_field("mean_nodes", &means.map(|means| means.nodes))?;
        object.serialize_field("mean_depth", &means.map(|means| means.depth))?;
        object.end()
    }
}

impl Tally {
    /// Counts a case.
    pub(super) fn add(&mut self, result: &CaseResult<'_>) {
        self.cases += 1;
        if let Some(SearchStats { elapsed, nodes, depth }) = result.solution {
            self.solved += 1;
            self.elapsed = self.elapsed.saturating_add(elapsed);
            self.nodes = self.nodes.saturating_add(nodes);
            self.depth += u64::from(depth);
        }
        if let (Some(points), Some(list)) = (result.points, &result.case.points) {
            self.points += u64::from(points);
            self.max_points += u64::from(list.max());
        }
    }

    /// The percentage of solved cases; `None` without cases.
    pub fn percent(&self) -> Option<f64> {
        percent(self.solved as u64, self.cases as u64)
    }

    /// The percentage of the points; `None` without points.
    pub fn points_percent(&self) -> Option<f64> {
        percent(self.points, self.max_points)
    }

    /// The means over the solved cases; `None` if none was solved.
    pub fn means(&self) -> Option<Means> {
        let solved = u32::try_from(self.solved).ok().filter(|&solved| solved > 0)?;
        Some(Means {
            elapsed: self.elapsed / solved,
            nodes: self.nodes as f64 / f64::from(solved),
            depth: self.depth as f64 / f64::from(solved),
        })
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.cases += other.cases;
        self.solved += other.solved;
        self.points += other.points;
        self.max_points += other.max_points;
        self.elapsed = self.elapsed.saturating_add(other.elapsed);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.depth += other.depth;
    }
}

/// The number of cases that were solved within a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TimeStep {
    /// The time.
    #[serde(rename = "seconds", serialize_with = "as_seconds")]
    pub within: Duration,
    /// The number of cases.
    pub solved: usize,
}

/// The first time, about the shortest that a person perceives.
const FIRST: Duration = Duration::from_millis(10);
/// The multiples of the first time of each decade.
const MULTIPLES: [u32; 3] = [1, 2, 5];
const DECADE: u32 = 10;

/// The number of solved cases by time, at the steps where it changes. The numbers are cumulative, so the last one is
/// the number of all solved cases.
fn time_grid(times: &[Duration]) -> Vec<TimeStep> {
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
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_add_up_without_a_limit() {
        let mut sum = Tally { elapsed: Duration::MAX, ..Tally::default() };
        sum += Tally { elapsed: Duration::MAX, solved: 1, ..Tally::default() };
        assert_eq!(sum.means().map(|means| means.elapsed), Some(Duration::MAX));
    }

    #[test]
    fn steps_count_all_before_them() {
        let of = |milliseconds: &[u64]| {
            let times: Vec<Duration> = milliseconds.iter().map(|&ms| Duration::from_millis(ms)).collect();
            let grid = time_grid(&times);
            grid.iter().map(|step| (step.within.as_millis() as u64, step.solved)).collect::<Vec<_>>()
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[0, 3]), [(10, 2)]);
        assert_eq!(of(&[10, 11, 150]), [(10, 1), (20, 2), (50, 2), (100, 2), (200, 3)]);
        let all = time_grid(&[Duration::MAX]);
        assert_eq!(all.last(), Some(&TimeStep { within: Duration::MAX, solved: 1 }));
    }
}
