//! Perft suites: positions with known numbers of leaves by depth.
//!
//! Three formats are accepted, even mixed in one file; in all of them blank lines and lines that start with `#` are
//! comments.
//!
//! ```text
//! 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 14 ;D2 191      an EPD line
//!
//! id pos-3                                                     a block
//! epd 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -
//! perft 1 14
//! perft 2 191
//!
//! pos-3→8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1→2→191        separated by tabs
//! ```

mod cases;

pub use cases::{Case, Count, MAX_DEPTH, SuiteError, SuiteProblem};
pub use cases::{Cases, cases};

use crate::chess::Position;
use std::ops::{AddAssign, ControlFlow};

/// A comparison with a count of a suite.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// The case of the count.
    pub case: &'a Case,
    /// The count of the suite.
    pub expected: Count,
    /// The number of leaves found.
    pub found: u64,
}

impl Check<'_> {
    /// Whether the numbers are equal.
    pub const fn is_right(&self) -> bool {
        self.found == self.expected.nodes
    }
}

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// The number of counts compared.
    pub checked: usize,
    /// The number of wrong counts.
    pub failed: usize,
    /// The number of counts that were skipped because they are too large.
    pub skipped: usize,
    /// The total number of leaves found.
    pub nodes: u64,
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.checked += other.checked;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.nodes += other.nodes;
    }
}

/// Counts the leaves of each case with `perft`, and compares the numbers. Counts above `max_nodes` are skipped.
/// `on_check` receives each comparison at once; a break ends the run.
pub fn run<'a>(
    cases: impl IntoIterator<Item = &'a Case>,
    max_nodes: u64,
    mut perft: impl FnMut(&Position, u32) -> u64,
    on_check: &mut dyn FnMut(&Check<'a>) -> ControlFlow<()>,
) -> Summary {
    let mut summary = Summary::default();
    for case in cases {
        for &expected in &case.counts {
            if expected.nodes > max_nodes {
                summary.skipped += 1;
                continue;
            }
            let check = Check { case, expected, found: perft(&case.position, expected.depth) };
            summary.checked += 1;
            summary.failed += usize::from(!check.is_right());
            summary.nodes += check.found;
            if on_check(&check).is_break() {
                return summary;
            }
        }
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::perft::perft;
    use crate::suite::perft::cases;

    #[test]
    fn reports_what_is_wrong_and_leaves_out_what_is_large() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D2 401 ;D3 8902\n\
                    4k3/8/8/8/8/8/8/4K3 w - - ;D1 6";
        let cases: Vec<Case> = cases(text.as_bytes()).collect::<Result<_, _>>().expect("a good suite");
        let mut failures = Vec::new();
        let summary = run(&cases, 1000, perft, &mut |check| {
            if !check.is_right() {
                let Count { depth, nodes } = check.expected;
                failures.push((check.case.line, depth, nodes, check.found));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(failures, [(1, 2, 401, 400), (2, 1, 6, 5)]);
        assert_eq!(summary, Summary { checked: 3, failed: 2, skipped: 1, nodes: 425 });
        let mut twice = summary;
        twice += summary;
        assert_eq!(twice, Summary { checked: 6, failed: 4, skipped: 2, nodes: 850 });
    }

    #[test]
    fn a_break_ends_a_run() {
        let text = "4k3/8/8/8/8/8/8/4K3 w - - ;D1 5 ;D2 25";
        let cases: Vec<Case> = cases(text.as_bytes()).collect::<Result<_, _>>().expect("a good suite");
        assert_eq!(run(&cases, u64::MAX, perft, &mut |_| ControlFlow::Break(())).checked, 1);
    }
}
