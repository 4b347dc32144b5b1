//! The search for the best move within limits.

mod attention;
mod checks;
mod correction_history;
mod evaluation;
mod history;
mod history_update;
mod iterative;
mod job;
mod mate_search;
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
mod strength;
mod table;
mod tablebase;
mod thread;
mod time;

pub use attention::Candidates;
pub use evaluation::evaluate;
pub use job::{Bound, Clock, Iteration, Job, Limits, Listener, SearchOptions, Signals, SyzygyOptions};
pub use mate_search::MateProof;
pub use memory::{ResourceError, physical as physical_memory};
pub use params::{Parameter, ParameterError, Params};
pub use score::{MAX_PLY, Score};
pub use searcher::{MAX_HASH_MIB, MAX_THREADS, STACK, SearchResult, Searcher};
pub use see::{see_ge, value as see_value};
pub use shared::Statistics;
pub use strength::{MAX_ELO, MAX_SKILL, MIN_ELO, ReportedLines, Strength, root_move_count};
pub use table::Table;

/// Waiting for other threads.
pub use searcher::recv_parked;

/// Positions and random walks for the tests of the search.
#[cfg(test)]
mod samples {
    use super::searcher::root_moves;
    use super::shared::SharedContext;
    use super::table::Table;
    use super::thread::{SearchThread, ThreadData};
    use super::{Job, Limits, Params};
    use crate::chess::{Delta, KeyHistory, Move, Position};
    use crate::nnue;
    use crate::rng::Rng;
    use std::sync::Arc;

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

    /// Calls `test` with a thread at this position that has learned nothing yet.
    pub(super) fn with_thread_at(fen: &str, test: impl FnOnce(&mut SearchThread, &Position)) {
        let position = position(fen);
        let job =
            Job { position, key_history: KeyHistory::new(&position), limits: Limits::default(), multi_pv: 1 };
        let (table, network) = (Arc::new(Table::new(1).expect("a MiB is there")), nnue::embedded());
        let mut data = ThreadData::new(&network);
        let root_moves = root_moves(&job);
        let shared =
            SharedContext::new(job, root_moves, table, Arc::default(), Params::default(), network, 1);
        test(&mut SearchThread::new(&shared, &mut data, 0), &position);
    }
}
