//! The result as a table.

use crate::suite::epd::{Means, Summary, Tally};
use std::fmt;

/// What a person reads in the end.
pub(super) struct Table<'a> {
    pub solver: &'a str,
    pub suites: &'a [(String, Tally)],
    pub summary: &'a Summary,
}

/// The least width of the first column.
const NAME: usize = 12;
/// The most steps of the grid on a line.
const STEPS_ON_A_LINE: usize = 9;

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { solver, suites, summary } = self;
        let themes = summary.themes();
        let suites: &[_] = if suites.len() > 1 { suites } else { &[] };
        let names = suites.iter().chain(themes).map(|(name, _)| shown(name).chars().count());
        let width = names.max().unwrap_or(0).max(NAME);
        let has_points = summary.total.max_points > 0;
        writeln!(f, "{solver}")?;
        write!(f, "{:width$} {:>11} {:>7}", "", "solved", "%")?;
        if has_points {
            write!(f, " {:>13} {:>7}", "points", "%")?;
        }
        writeln!(f, " {:>9} {:>12} {:>6}", "mean s", "mean nodes", "depth")?;
        for (name, tally) in suites.iter().chain(themes) {
            write_row(f, &shown(name), width, tally, has_points)?;
        }
        write_row(f, "all", width, &summary.total, has_points)?;
        if summary.left_out > 0 {
            writeln!(f, "{} left out", summary.left_out)?;
        }
        self.write_grid(f)
    }
}

/// A name without what would disturb a table.
fn shown(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).collect()
}

fn write_row(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    width: usize,
    tally: &Tally,
    has_points: bool,
) -> fmt::Result {
    let percent = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.1}"));
    let solved = format!("{}/{}", tally.solved, tally.cases);
    write!(f, "{name:width$} {solved:>11} {:>7}", percent(tally.percent()))?;
    if has_points {
        let points = match tally.max_points {
            0 => "-".to_owned(),
            max => format!("{}/{max}", tally.points),
        };
        write!(f, " {points:>13} {:>7}", percent(tally.points_percent()))?;
    }
    match tally.means() {
        Some(Means { elapsed, nodes, depth }) => {
            writeln!(f, " {:>9.3} {nodes:>12.0} {depth:>6.1}", elapsed.as_secs_f64())
        }
        None => writeln!(f, " {:>9} {:>12} {:>6}", "-", "-", "-"),
    }
}

impl Table<'_> {
    fn write_grid(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = self.summary.grid();
        for steps in grid.steps.chunks(STEPS_ON_A_LINE) {
            write!(f, "\nwithin s ")?;
            for step in steps {
                write!(f, " {:>7}", step.within.as_secs_f64())?;
            }
            write!(f, "\nsolved   ")?;
            for step in steps {
                write!(f, " {:>7}", step.solved)?;
            }
        }
        Ok(())
    }
}
