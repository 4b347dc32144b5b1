//! How the moves that are not the best are answered.

use super::Bound;
use super::order::Message;
use super::tree::Tree;
use crate::chess::Move;

impl Tree<'_> {
    /// Tells the answer to each root move behind the best `lines`, if that is wanted.
    pub(super) fn report_refutations(&self, lines: usize) {
        let Some(messages) = self.messages.as_ref().filter(|_| self.order.preferences.tells_refutations)
        else {
            return;
        };
        for mv in (lines..self.root.len()).filter_map(|number| self.root.best(number)).map(|found| found.mv) {
            // Nobody listening is no reason to stop.
            let _ = messages.send(Message::Refutation { mv, reply: self.refutation(mv) });
        }
    }

    /// The reply that the hash table remembers to have been good enough.
    fn refutation(&self, mv: Move) -> Option<Move> {
        let child = self.order.job.position.after(mv).0;
        let entry = self.table.probe(child.key()).filter(|entry| entry.bound != Bound::Upper)?;
        entry.mv.filter(|&reply| child.is_legal(reply))
    }
}
