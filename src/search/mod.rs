//! The search for the best move within limits.

mod checks;
mod correction_history;
mod evaluation;
mod history;
mod history_update;
mod iterative;
mod limits;
mod listener;
mod mate_search;
mod mate_table;
mod memory;
mod node;
mod params;
mod picker;
mod pruning;
mod pv;
mod quiescence;
mod reduction;
mod reports;
mod root;
#[cfg(test)]
mod samples;
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
pub use limits::{Clock, Job, Limits, SearchOptions, Signals, SyzygyOptions};
pub use listener::{Bound, Iteration, Listener};
pub use memory::{ResourceError, physical as physical_memory};
pub use params::{Parameter, ParameterError, Params};
pub use score::{MAX_PLY, Score};
pub use searcher::{MAX_HASH_MIB, MAX_THREADS, STACK, SearchResult, Searcher};

/// Waiting for other threads.
pub use searcher::recv_parked;
