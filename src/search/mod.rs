//! The search for the best move within limits.

mod checks;
mod correction_history;
mod evaluation;
mod history;
mod history_update;
mod iterative;
mod job;
mod mate_search;
mod mate_table;
mod memory;
mod node;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod reduction;
mod root;
mod score;
mod searcher;
mod see;
mod shared;
mod singular;
mod table;
mod tablebase;
mod thread;
mod time;

pub use evaluation::evaluate;
pub use job::{Bound, Clock, Iteration, Job, Limits, Listener, SearchOptions, Signals, SyzygyOptions};
pub use memory::{ResourceError, physical as physical_memory};
pub use params::{Parameter, ParameterError, Params};
pub use score::{MAX_PLY, Score};
pub use searcher::{MAX_HASH_MIB, MAX_THREADS, STACK, SearchResult, Searcher};

/// Waiting for other threads.
pub use searcher::recv_parked;

/// Positions and random walks for the tests of the search.
#[cfg(test)]
mod samples {
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
}
