//! Positions and random walks for the tests of the search.

use crate::chess::{Delta, Move, Position};
use crate::rng::Rng;

pub(super) use crate::chess::samples::{mv, position};

/// Plays random moves from the initial position, and calls `visit` with each move, the position after it and
/// its change.
pub(super) fn walk(seed: u64, plies: usize, mut visit: impl FnMut(Move, &Position, &Delta)) {
    let mut rng = Rng::new(seed);
    let mut position = Position::start();
    for _ in 0..plies {
        let moves = position.legal_moves();
        let Some(&mv) = rng.choose(&moves) else { break };
        let (next, delta) = position.after(mv);
        position = next;
        visit(mv, &position, &delta);
    }
}
