//! Quiet moves that refuted a sibling (<https://www.chessprogramming.org/Killer_Heuristic>).

use crate::chess::Move;

/// How many are remembered per ply.
pub(super) const KILLERS: usize = 2;

/// The latest different killers of a ply, the latest first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Killers([Option<Move>; KILLERS]);

impl Killers {
    /// Remembers a move; the oldest gives way.
    pub(super) fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// Is this one of them?
    pub(super) fn contains(&self, mv: Move) -> bool {
        self.0.contains(&Some(mv))
    }

    /// The killer with this index.
    pub(super) fn nth(&self, index: usize) -> Option<Move> {
        self.0.get(index).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    #[test]
    fn the_latest_two_are_kept() {
        let mut killers = Killers::default();
        for text in ["a2a3", "b2b3", "b2b3", "c2c3"] {
            killers.add(mv(text));
        }
        assert_eq!(killers.nth(0), Some(mv("c2c3")));
        assert_eq!(killers.nth(1), Some(mv("b2b3")));
        assert_eq!(killers.nth(2), None);
        assert!(!killers.contains(mv("a2a3")));
    }
}
