//! Running a suite.

use super::{Case, Count};
use crate::chess::Position;

/// A count of a suite, compared.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// Whose count.
    pub case: &'a Case,
    /// What the suite says.
    pub expected: Count,
    /// How many leaves were found.
    pub found: u64,
}

impl Check<'_> {
    /// Has the expected number been found?
    pub const fn is_right(&self) -> bool {
        self.found == self.expected.nodes
    }
}

/// Hears of every count as soon as it is known.
pub trait Listener {
    /// The next count has been compared.
    fn checked(&mut self, check: &Check<'_>);
}

/// For those who need only the [`Summary`].
impl Listener for () {
    fn checked(&mut self, _check: &Check<'_>) {}
}

/// What a run has come to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Counts that were compared.
    pub checked: usize,
    /// Those of them that were wrong.
    pub failed: usize,
    /// Counts that were left out because they are too large.
    pub skipped: usize,
    /// Leaves found.
    pub nodes: u64,
}

/// Counts with `perft` what the cases say, and compares. Counts above `max_nodes` are left out.
pub fn run<'a>(
    cases: impl IntoIterator<Item = &'a Case>,
    max_nodes: u64,
    mut perft: impl FnMut(&Position, u32) -> u64,
    listener: &mut dyn Listener,
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
            listener.checked(&check);
        }
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::perft::perft;
    use crate::suite::perft::cases;

    struct Failures(Vec<(usize, u32, u64, u64)>);

    impl Listener for Failures {
        fn checked(&mut self, check: &Check<'_>) {
            if !check.is_right() {
                let Count { depth, nodes } = check.expected;
                self.0.push((check.case.line, depth, nodes, check.found));
            }
        }
    }

    #[test]
    fn reports_what_is_wrong_and_leaves_out_what_is_large() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D2 401 ;D3 8902\n\
                    4k3/8/8/8/8/8/8/4K3 w - - ;D1 6";
        let cases: Vec<Case> = cases(text.as_bytes()).collect::<Result<_, _>>().expect("a good suite");
        let mut failures = Failures(Vec::new());
        let summary = run(&cases, 1000, perft, &mut failures);
        assert_eq!(failures.0, [(1, 2, 401, 400), (2, 1, 6, 5)]);
        assert_eq!(summary, Summary { checked: 3, failed: 2, skipped: 1, nodes: 425 });
    }
}
