//! A position to be solved.

use super::{Goal, Points};
use crate::notation::{Epd, EpdError, EpdProblem, EpdReader};
use std::io::BufRead;

/// The opcodes that state the goal.
const GOAL_OPCODES: [&str; 3] = ["bm", "am", "dm"];

/// A record of a suite.
#[derive(Debug)]
pub struct Case {
    /// The number of its line, counted from 1.
    pub line: usize,
    /// The position, and all that is said about it.
    pub epd: Epd,
    /// What is to be found; `None` if that is not stated, or not right.
    pub goal: Option<Goal>,
    /// What moves are worth, if that is stated.
    pub points: Option<Points>,
    /// What is wrong with the line.
    pub problems: Vec<EpdError>,
}

impl Case {
    /// What it is called: its `id`, or its line.
    pub fn name(&self) -> String {
        self.epd.id().map_or_else(|| format!("line {}", self.line), str::to_owned)
    }
}

/// Reads a suite, case by case; each error is a line without a position.
pub fn cases(suite: impl BufRead) -> impl Iterator<Item = Result<Case, EpdError>> {
    EpdReader::new(suite).map(|line| {
        let line = line?;
        // A goal that is only half right would be another one.
        let is_goal_wrong = line.problems.iter().any(|error| concerns_goal(&error.problem));
        let goal = if is_goal_wrong { None } else { Goal::of(&line.epd) };
        let points = Points::of(&line.epd);
        Ok(Case { line: line.line, epd: line.epd, goal, points, problems: line.problems })
    })
}

fn concerns_goal(problem: &EpdProblem) -> bool {
    match problem {
        EpdProblem::Repeated { opcode }
        | EpdProblem::UnclosedString { opcode, .. }
        | EpdProblem::Operands { opcode, .. }
        | EpdProblem::Move { opcode, .. } => GOAL_OPCODES.contains(&opcode.as_str()),
        EpdProblem::Io(_) | EpdProblem::TooLong(_) | EpdProblem::Position(_) | EpdProblem::Opcode(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_whole_or_none() {
        let position = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let cases_of = |operations: &str| {
            let line = format!("{position} {operations}");
            let mut found: Vec<_> = cases(line.as_bytes()).collect();
            found.pop().expect("one line").expect("a position")
        };
        let cases = [
            ("right", "bm e4; id \"x\";", Some("bm e4"), 0, "x"),
            ("partly wrong", "bm e4 e5;", None, 1, "line 1"),
            ("one of two wrong", "bm e4; am e6;", None, 1, "line 1"),
            ("something else wrong", "bm e4; pv e5;", Some("bm e4"), 1, "line 1"),
            ("nothing to be found", "ce 12;", None, 0, "line 1"),
        ];
        for (name, operations, goal, problems, called) in cases {
            let case = cases_of(operations);
            let found = case.goal.as_ref().map(ToString::to_string);
            assert_eq!((found.as_deref(), case.problems.len()), (goal, problems), "{name}");
            assert_eq!(case.name(), called, "{name}");
        }
    }
}
