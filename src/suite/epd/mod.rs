//! EPD suites: positions with moves to find, moves to avoid, or mates to find.
//!
//! [`check`] reports the problems of a file. [`cases`] reads one, a [`Solver`] (our own search
//! or any UCI engine) searches its positions, [`run`] compares and a [`Summary`] counts.

mod annotate;
mod case;
mod own_search;
mod run;
mod solver;
mod summary;
mod uci_engine;

pub use annotate::annotated;
pub use case::{Case, Goal, Points, cases, theme};
pub use own_search::OwnSearch;
pub use run::{Event, Settings, run};
pub use solver::{Answer, CaseResult, SearchStats, Solver, SolverError, SolverInfo};
pub use summary::{Means, Summary, Tally, TimeStep};
pub use uci_engine::UciEngine;

use crate::notation::{EpdError, EpdProblem, EpdReader};
use std::io::BufRead;
use std::ops::{AddAssign, ControlFlow};

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CheckSummary {
    /// Lines that are neither blank nor comments.
    pub records: usize,
    /// Those of them that have problems.
    pub wrong_records: usize,
    /// All problems.
    pub problems: usize,
}

impl AddAssign for CheckSummary {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.wrong_records += other.wrong_records;
        self.problems += other.problems;
    }
}

/// Reads a file and reports all problems: illegal positions, moves that cannot be played,
/// invalid operations. A break ends the check.
pub fn check(file: impl BufRead, mut on_problem: impl FnMut(&EpdError) -> ControlFlow<()>) -> CheckSummary {
    let mut summary = CheckSummary::default();
    for line in EpdReader::new(file) {
        if let Err(error @ EpdError { problem: EpdProblem::Io(_), .. }) = &line {
            // It is neither a record nor a problem of one, and the last thing that is read.
            let _ = on_problem(error);
            return summary;
        }
        summary.records += 1;
        let problems = line.map_or_else(|error| vec![error], |line| line.problems);
        summary.wrong_records += usize::from(!problems.is_empty());
        for problem in &problems {
            summary.problems += 1;
            if on_problem(problem).is_break() {
                return summary;
            }
        }
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# comment\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n8/8 w - -\n\
                        4k3/8/8/8/8/8/4P3/4K3 w - - bm e5; am Kd3; id \"x\";\n";

    #[test]
    fn all_problems_are_reported() {
        let mut places = Vec::new();
        let summary = check(FILE.as_bytes(), |problem| {
            places.push((problem.line, problem.column));
            ControlFlow::Continue(())
        });
        assert_eq!(summary, CheckSummary { records: 3, wrong_records: 2, problems: 3 });
        assert_eq!(places, [(3, 1), (4, 32), (4, 39)]);
    }

    #[test]
    fn a_break_ends_it() {
        let summary = check(FILE.as_bytes(), |_| ControlFlow::Break(()));
        assert_eq!(summary, CheckSummary { records: 2, wrong_records: 1, problems: 1 });
    }
}
