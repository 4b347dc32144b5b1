//! The threads of a search vote on the move to be played
//! (<https://www.chessprogramming.org/Lazy_SMP#Best_Thread_Selection>).

use super::iterative::Finding;
use super::{Bound, Score};
use crate::chess::Move;
use std::cmp::Reverse;

/// What the worst score of all still weighs, in centipawns: a thread that has got deeper counts for more even if it
/// thinks less of the position.
const LEAST_WEIGHT: i32 = 15;

/// The finding to go by, if any thread has a move: a mate, the shortest first; otherwise the best-founded finding of
/// the move for which depth and score speak together in most threads. Where nothing else decides it is the main
/// thread's.
pub(super) fn winner(findings: &[Finding]) -> Option<&Finding> {
    let voters = || findings.iter().filter(|finding| !finding.line.is_empty());
    let mating =
        voters().filter(|finding| is_mating(finding)).max_by_key(|&finding| (finding.score, first(finding)));
    let worst = voters().map(|finding| finding.score).min()?;
    let votes_for = |mv: Option<&Move>| {
        let agreeing = voters().filter(|finding| finding.line.first() == mv);
        agreeing.map(|finding| weight(finding, worst)).sum::<i64>()
    };
    mating.or_else(|| {
        voters()
            .max_by_key(|&finding| (votes_for(finding.line.first()), weight(finding, worst), first(finding)))
    })
}

/// How much a finding counts.
fn weight(finding: &Finding, worst: Score) -> i64 {
    i64::from(finding.score - worst + LEAST_WEIGHT) * i64::from(finding.depth)
}

/// Orders the main thread before all others.
fn first(finding: &Finding) -> Reverse<usize> {
    Reverse(finding.id)
}

/// Does the finding win by force?
fn is_mating(finding: &Finding) -> bool {
    finding.bound == Bound::Exact && finding.score.mate_in().is_some_and(|moves| moves > 0)
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    fn finding(id: usize, text: &str, score: Score, depth: i32) -> Finding {
        let line = if text.is_empty() { Vec::new() } else { vec![mv(text)] };
        Finding { id, score, bound: Bound::Exact, depth, line, selective_depth: 0 }
    }

    #[test]
    fn the_threads_decide_together() {
        let cp = Score::centipawns;
        type Case<'a> = (&'a str, &'a [(&'a str, Score, i32)], Option<usize>);
        let cases: [Case; 8] = [
            ("nobody", &[], None),
            ("nothing found", &[("", cp(0), 0)], None),
            ("one", &[("e2e4", cp(10), 0)], Some(0)),
            ("all alike", &[("e2e4", cp(10), 9), ("d2d4", cp(10), 9)], Some(0)),
            ("the deeper one", &[("e2e4", cp(10), 9), ("d2d4", cp(10), 12)], Some(1)),
            ("the majority", &[("e2e4", cp(10), 9), ("d2d4", cp(10), 9), ("d2d4", cp(10), 8)], Some(1)),
            (
                "a mate",
                &[("e2e4", cp(900), 30), ("e2e4", cp(900), 30), ("d2d4", Score::mating(5), 9)],
                Some(2),
            ),
            ("a shorter mate", &[("e2e4", Score::mating(7), 30), ("d2d4", Score::mating(5), 9)], Some(1)),
        ];
        for (name, findings, expected) in cases {
            let findings: Vec<_> = (0..)
                .zip(findings)
                .map(|(id, &(text, score, depth))| finding(id, text, score, depth))
                .collect();
            assert_eq!(winner(&findings).map(|finding| finding.id), expected, "{name}");
        }
    }

    #[test]
    fn a_mate_that_is_only_a_bound_is_no_mate() {
        let bound = Finding { bound: Bound::Lower, ..finding(1, "d2d4", Score::mating(5), 1) };
        let main = finding(0, "e2e4", Score::mating(5), 30);
        assert_eq!(winner(&[main, bound]).map(|finding| finding.id), Some(0));
    }
}
