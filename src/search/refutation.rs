//! How the moves that are not the best are answered.

use super::Bound;
use super::tree::Tree;
use crate::chess::Move;

impl Tree<'_> {
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
