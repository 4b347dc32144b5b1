//! What the main thread reports to the listener.

use super::thread::Tree;
use super::{Bound, Iteration, evaluation};
use crate::chess::{Key, Move, Position};
use std::time::Duration;

/// Between two lines, and before the first: a person can read no more.
const INTERVAL: Duration = Duration::from_secs(1);
/// The root moves of a search are not reported before this time, as nobody could read them.
const SILENCE: Duration = Duration::from_secs(1);

impl Tree<'_> {
    /// Tells the listener of the best line with this number, counted from 0.
    pub(super) fn report(&mut self, line: usize) {
        let (Some(listener), Some(best)) = (&mut self.listener, self.root.best(line)) else { return };
        let Some(score) = best.value() else { return };
        if line == 0 {
            self.told = best.told();
        }
        let iteration = Iteration {
            depth: self.iteration as u32,
            selective_depth: best.selective_depth as u32,
            line: line + 1,
            score: evaluation::told(score, self.order.preferences.contempt),
            bound: best.bound,
            nodes: self.order.nodes(),
            elapsed: self.order.elapsed(),
            hash_full: self.table.fullness(),
            table_hits: self.order.table_hits(),
            pv: best.line.to_vec(),
        };
        listener.iteration(&iteration);
    }

    /// Tells the listener that there is no mate in so many moves.
    pub(super) fn report_no_mate(&mut self, moves: usize) {
        if let Some(listener) = &mut self.listener {
            listener.no_mate(moves);
        }
    }

    /// Tells the listener that a root move is about to be searched.
    pub(super) fn report_root_move(&mut self, mv: Move, number: usize) {
        let Some(listener) = &mut self.listener else { return };
        let elapsed = self.order.elapsed();
        if elapsed >= SILENCE {
            listener.root_move(self.iteration as u32, mv, number, elapsed);
        }
    }

    /// Tells the line being looked at, if that is wanted and it is time.
    pub(super) fn report_current_line(&mut self) {
        let Some(listener) = self.listener.as_mut().filter(|_| self.order.preferences.tells_current_line)
        else {
            return;
        };
        let elapsed = self.order.elapsed();
        if elapsed < self.current_line_told + INTERVAL {
            return;
        }
        let root = self.order.job.line.len();
        let moves = moves_of(self.order.job.position, self.line.keys().get(root..).unwrap_or_default());
        if moves.is_empty() {
            return; // the next look will be at a longer line
        }
        listener.current_line(&moves);
        self.current_line_told = elapsed;
    }

    /// Tells the answer to each root move behind the best `lines`, if that is wanted.
    pub(super) fn report_refutations(&mut self, lines: usize) {
        if !self.order.preferences.tells_refutations {
            return;
        }
        for number in lines..self.root.len() {
            let Some(mv) = self.root.best(number).map(|found| found.mv) else { continue };
            let reply = self.refutation(mv);
            if let Some(listener) = &mut self.listener {
                listener.refutation(mv, reply);
            }
        }
    }

    /// The reply that the hash table remembers to have been good enough.
    fn refutation(&self, mv: Move) -> Option<Move> {
        let child = self.order.job.position.after(mv).0;
        let entry = self.table.probe(child.key()).filter(|entry| entry.bound != Bound::Upper)?;
        entry.mv.filter(|&reply| child.is_legal(reply))
    }
}

/// The moves that lead through positions with these keys, up to the first that none leads to: after a null move.
fn moves_of(root: Position, keys: &[Key]) -> Vec<Move> {
    let mut position = root;
    keys.iter()
        .map_while(|&key| {
            let mv = position.legal_moves().into_iter().find(|&mv| position.after(mv).0.key() == key)?;
            position = position.after(mv).0;
            Some(mv)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    #[test]
    fn keys_lead_back_to_their_moves() {
        let (mut position, mut keys) = (Position::start(), Vec::new());
        let moves = ["e2e4", "e7e5", "g1f3"].map(mv);
        for mv in moves {
            position = position.after(mv).0;
            keys.push(position.key());
        }
        assert_eq!(moves_of(Position::start(), &keys), moves);
        keys.insert(1, Key::from_bits(1));
        assert_eq!(moves_of(Position::start(), &keys), moves[..1]);
        assert_eq!(moves_of(Position::start(), &[]), []);
    }
}
