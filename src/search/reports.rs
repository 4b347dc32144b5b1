//! Reports of the main thread to the listener.

use super::thread::SearchThread;
use super::{Bound, Iteration, evaluation};
use crate::chess::{Key, Move, Position};
use std::time::Duration;

/// The time between two reports of the current line, and before the first.
const CURRLINE_INTERVAL: Duration = Duration::from_secs(1);
/// Root moves are reported only after this time.
const CURRMOVE_DELAY: Duration = Duration::from_secs(1);

impl SearchThread<'_> {
    /// Reports the principal variation with this index, counted from 0.
    pub(super) fn report(&mut self, multipv_index: usize) {
        let (Some(listener), Some(best)) = (&mut self.listener, self.root.best(multipv_index)) else {
            return;
        };
        let Some(score) = best.reported_score() else { return };
        if multipv_index == 0 {
            self.last_reported = best.reported();
        }
        let iteration = Iteration {
            depth: self.iteration as u32,
            seldepth: best.seldepth as u32,
            multipv: multipv_index + 1,
            score: evaluation::without_contempt(score, self.shared.preferences.contempt),
            bound: best.bound,
            nodes: self.shared.nodes(),
            elapsed: self.shared.elapsed(),
            hashfull: self.table.hashfull(),
            tb_hits: self.shared.tb_hits(),
            pv: best.pv.to_vec(),
        };
        listener.iteration(&iteration);
    }

    /// Reports that there is no mate in this many moves.
    pub(super) fn report_no_mate(&mut self, moves: usize) {
        if let Some(listener) = &mut self.listener {
            listener.no_mate(moves);
        }
    }

    /// Reports that the search of a root move starts.
    pub(super) fn report_root_move(&mut self, mv: Move, move_count: usize) {
        let Some(listener) = &mut self.listener else { return };
        let elapsed = self.shared.elapsed();
        if elapsed >= CURRMOVE_DELAY {
            listener.root_move(self.iteration as u32, mv, move_count, elapsed);
        }
    }

    /// Reports the line being searched, if requested and due.
    pub(super) fn report_current_line(&mut self) {
        let Some(listener) = self.listener.as_mut().filter(|_| self.shared.preferences.show_currline) else {
            return;
        };
        let elapsed = self.shared.elapsed();
        if elapsed < self.currline_reported_at + CURRLINE_INTERVAL {
            return;
        }
        let root = self.shared.job.key_history.len();
        let moves =
            moves_of(self.shared.job.position, self.key_history.keys().get(root..).unwrap_or_default());
        if moves.is_empty() {
            return; // the next check will see a longer line
        }
        listener.current_line(&moves);
        self.currline_reported_at = elapsed;
    }

    /// Reports the refutation of each root move after the best `lines`, if requested.
    pub(super) fn report_refutations(&mut self, lines: usize) {
        if !self.shared.preferences.show_refutations {
            return;
        }
        for index in lines..self.root.len() {
            let Some(mv) = self.root.best(index).map(|found| found.mv) else { continue };
            let reply = self.refutation(mv);
            if let Some(listener) = &mut self.listener {
                listener.refutation(mv, reply);
            }
        }
    }

    /// The reply to a root move from the hash table, if it is not an upper bound.
    fn refutation(&self, mv: Move) -> Option<Move> {
        let child = self.shared.job.position.after(mv).0;
        let entry = self.table.probe(child.key()).filter(|entry| entry.bound != Bound::Upper)?;
        entry.mv.filter(|&reply| child.is_legal(reply))
    }
}

/// The moves that lead through positions with these keys, up to the first key that no legal move leads to, as
/// after a null move.
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
