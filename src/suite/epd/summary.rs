//! What a run has come to.

use super::{Tally, TimeGrid, Trial, theme};
use std::ops::AddAssign;
use std::time::Duration;

/// The result of a run: in all, by theme and by time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// All cases that were tried.
    pub total: Tally,
    /// Cases that were left out because they have no goal.
    pub left_out: usize,
    /// In the order in which they came.
    themes: Vec<(String, Tally)>,
    /// How long each solution took.
    times: Vec<Duration>,
}

/// So many cases a theme must have on average to be worth a line.
const CASES_PER_THEME: usize = 2;

impl Summary {
    pub(super) fn add(&mut self, trial: &Trial<'_>) {
        self.total.add(trial);
        self.times.extend(trial.solution.map(|moment| moment.elapsed));
        if let Some(theme) = trial.case.epd.id().and_then(theme) {
            self.theme(theme).add(trial);
        }
    }

    pub(super) const fn skip(&mut self) {
        self.left_out += 1;
    }

    fn theme(&mut self, name: &str) -> &mut Tally {
        // A suite has few themes, which mostly come one after the other.
        let place = self.themes.iter().rposition(|(known, _)| known == name).unwrap_or_else(|| {
            self.themes.push((name.to_owned(), Tally::default()));
            self.themes.len() - 1
        });
        &mut self.themes[place].1
    }

    /// What each theme has come to. Empty if there are no two of them, or so many that they are
    /// only names of positions.
    pub fn themes(&self) -> &[(String, Tally)] {
        let count = self.themes.len();
        let is_telling = count > 1 && count * CASES_PER_THEME <= self.total.cases;
        if is_telling { &self.themes } else { &[] }
    }

    /// How many were solved after how long.
    pub fn grid(&self) -> TimeGrid {
        TimeGrid::new(&self.times)
    }
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.left_out += other.left_out;
        self.times.extend(other.times);
        for (name, tally) in other.themes {
            *self.theme(&name) += tally;
        }
    }
}
