//! What the main thread looks at, for those who like to look on.

use super::tree::Tree;
use crate::chess::{Key, Move, Position};
use std::time::Duration;

/// Between two lines, and before the first: a person can read no more.
const INTERVAL: Duration = Duration::from_secs(1);

impl Tree<'_> {
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
