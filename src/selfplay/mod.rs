//! Games of the engine against itself, for training data and for tuning: the game loop, adjudication, openings, and the
//! playing threads.

mod adjudicator;
mod game;
mod openings;
mod pool;

pub use adjudicator::{Adjudication, Adjudicator, Counted, GameResult, Tally, Termination, plies_before};
pub use game::{Game, Ply, play};
pub use openings::{Openings, OpeningsId, is_level, random_walk};
pub use pool::{Inbox, Message, pool};

/// The minimum number of nodes of a search: with fewer it may not even have searched all root moves.
pub const LEAST_NODES: u64 = 50;

/// The size of a hash table, in MiB, that is sufficient for the searches of a game with this many nodes each. A larger
/// one would take longer to clear and would not fit into the processor's cache.
pub fn hash_for(nodes: u64) -> usize {
    /// The number of nodes per search for which 1 MiB is sufficient.
    const NODES_PER_MIB: u64 = 500;
    /// The maximum default size, in MiB.
    const USUAL_MIB: u64 = 16;
    nodes.div_ceil(NODES_PER_MIB).clamp(1, USUAL_MIB) as usize
}
