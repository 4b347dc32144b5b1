//! Principal variations, one for each ply (<https://www.chessprogramming.org/Triangular_PV-Table>).

use super::MAX_PLY;
use crate::chess::Move;
use arrayvec::ArrayVec;

/// A principal variation from some ply on.
pub(super) type PvLine = ArrayVec<Move, MAX_PLY>;

/// The principal variation from each ply on.
pub(super) struct PvTable(Vec<PvLine>);

impl PvTable {
    pub(super) fn new() -> Self {
        Self(vec![PvLine::new(); MAX_PLY + 1])
    }

    /// The principal variation from `ply` on.
    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }

    /// Clears the principal variation from `ply` on.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the principal variation from `ply` on to `mv` and the one of the next ply.
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.0.split_at_mut(ply + 1);
        if let (Some(line), Some(rest)) = (here.last_mut(), below.first()) {
            line.clear();
            line.push(mv);
            line.extend(rest.iter().copied().take(MAX_PLY - 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    #[test]
    fn lines_grow_from_the_leaves() {
        let mut lines = PvTable::new();
        lines.update(2, mv("e2e4"));
        lines.update(1, mv("e7e5"));
        lines.clear(2);
        lines.update(0, mv("d2d4"));
        assert_eq!(lines.at(0), [mv("d2d4"), mv("e7e5"), mv("e2e4")]);
        assert!(lines.at(2).is_empty());
        lines.update(0, mv("c2c4"));
        assert_eq!(lines.at(0), [mv("c2c4"), mv("e7e5"), mv("e2e4")]);
    }
}
