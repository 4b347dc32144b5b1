//! EPD suites: positions with moves to find, moves to avoid, or mates to find.
//!
//! [`check`] reports the problems of a file. [`cases`] reads a suite, a [`Solver`] (our own search or any UCI engine)
//! searches its positions, [`run`] compares the answers, and a [`Summary`] counts the results.

mod case;
mod own_search;
mod run;
mod solver;
mod summary;
mod uci_engine;

pub use case::{Case, Goal, NoGoal, Points, Unread, cases, theme};
pub use own_search::{OwnOptions, OwnSearch};
pub use run::{Event, Settings, run};
pub use solver::{Answer, CaseResult, Fault, SearchStats, Solver, SolverError, SolverInfo};
pub use summary::{Means, Summary, Tally, TimeStep};
pub use uci_engine::UciEngine;

use crate::notation::{CentipawnEvaluation, Epd, EpdError, EpdProblem, EpdReader, Operation};
use crate::uci::InfoValue;
use std::io::BufRead;
use std::ops::{AddAssign, ControlFlow};
use std::time::Duration;

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CheckSummary {
    /// The number of lines that are neither blank nor comments.
    pub records: usize,
    /// The number of these that have problems.
    pub wrong_records: usize,
    /// The number of all problems.
    pub problems: usize,
}

impl AddAssign for CheckSummary {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.wrong_records += other.wrong_records;
        self.problems += other.problems;
    }
}

/// Reads a file and reports all problems: illegal positions, moves that cannot be played, invalid operations, and
/// deviations from the standard that can be understood. A break ends the check.
pub fn check(file: impl BufRead, mut on_problem: impl FnMut(&EpdError) -> ControlFlow<()>) -> CheckSummary {
    let mut summary = CheckSummary::default();
    for line in EpdReader::new(file) {
        if let Err(error @ EpdError { problem: EpdProblem::Io(_), .. }) = &line {
            // This is neither a record nor a problem of one, and nothing more is read after it.
            let _ = on_problem(error);
            return summary;
        }
        summary.records += 1;
        let mut problems = match line {
            Ok(line) => line.problems.into_iter().chain(line.remarks).collect(),
            Err(error) => vec![error],
        };
        problems.sort_by_key(|problem| problem.column);
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

/// The best evaluation that is not a mate (PGN standard, section 16.2.5.6).
const MAX_CENTIPAWNS: i32 = 32_000;

/// The record of a case with the result in `acd`, `acn`, `acs`, `ce`, `pm` and `pv`; unchanged without an answer.
pub fn annotated(result: &CaseResult<'_>) -> Epd {
    let Answer { end, best, score, pv, fault } = &result.answer;
    let mut epd = result.case.epd.clone();
    if matches!(fault, Some(Fault::NoAnswer(_))) {
        return epd;
    }
    // The former values are from another search.
    for opcode in ["acd", "acn", "acs", "ce", "pm", "pv"] {
        epd.remove(opcode);
    }
    epd.set(Operation::AnalysisDepth(end.depth));
    epd.set(Operation::AnalysisNodes(end.nodes));
    epd.set(Operation::AnalysisSeconds(rounded_seconds(end.elapsed)));
    if let Some(evaluation) = score.and_then(evaluation) {
        epd.set(Operation::Evaluation(evaluation));
    }
    if let Some(best) = best {
        epd.set(Operation::PredictedMove(*best));
    }
    if !pv.is_empty() {
        epd.set(Operation::PredictedVariation(pv.clone()));
    }
    epd
}

/// The nearest number of whole seconds.
pub const fn rounded_seconds(time: Duration) -> u64 {
    const HALF: u32 = 500_000_000;
    time.as_secs() + (time.subsec_nanos() >= HALF) as u64
}

fn evaluation(score: InfoValue) -> Option<CentipawnEvaluation> {
    match score {
        InfoValue::Centipawns(value) => {
            CentipawnEvaluation::new(value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS))
        }
        // The side that mates makes the last move.
        InfoValue::Mate(moves) if moves > 0 => {
            CentipawnEvaluation::mate(moves.checked_mul(2)?.checked_sub(1)?)
        }
        InfoValue::Mate(moves) => CentipawnEvaluation::mate(moves.checked_mul(2)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{CastlingStyle, parse_san};

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

    #[test]
    fn what_was_found_replaces_what_was_there() {
        let line = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; ce 5; pm Kf2; id \"x\"; acd 3;";
        let case = cases(line.as_bytes()).next().expect("a line").expect("a record");
        let best = parse_san("Ra8", case.epd.position()).ok().and_then(|turn| turn.mv());
        let end = SearchStats { elapsed: Duration::from_millis(1600), nodes: 77, depth: 9 };
        let result = |answer| {
            let castling = CastlingStyle::Standard;
            CaseResult { case: &case, answer, castling, solution: None, points: None }
        };
        let scores = [
            (InfoValue::Mate(1), "ce 32766;"),
            (InfoValue::Mate(-2), "ce -32763;"),
            (InfoValue::Centipawns(-31), "ce -31;"),
            (InfoValue::Centipawns(i32::MAX), "ce 32000;"),
        ];
        for (score, expected) in scores {
            let pv = best.into_iter().collect();
            let answer = Answer { end, best, fault: None, score: Some(score), pv };
            assert_eq!(
                annotated(&result(answer)).to_string(),
                format!(
                    "6k1/5ppp/8/8/8/8/8/R5K1 w - - acd 9; acn 77; acs 2; bm Ra8#; {expected} \
                     id \"x\"; pm Ra8#; pv Ra8#;"
                )
            );
        }
        let answer =
            Answer { end, best: None, fault: None, score: Some(InfoValue::Mate(i32::MIN)), pv: vec![] };
        let found = annotated(&result(answer));
        assert!(found.operation("ce").is_none() && found.operation("pm").is_none(), "{found}");
        let failed = Answer::failed(Duration::ZERO, Fault::NoAnswer("it has ended".to_owned()));
        assert_eq!(annotated(&result(failed)), case.epd);
    }
}
