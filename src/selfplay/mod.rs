//! Games of the engine against itself, for training data and for tuning: the game loop, adjudication, openings, and
//! the threads that play.

mod adjudicator;
mod game;
mod openings;
mod pool;

pub use adjudicator::{Adjudication, Adjudicator, Counted, GameResult, Tally, Termination, plies_before};
pub use game::{Game, Ply, play};
pub use openings::{Openings, OpeningsId, is_level, random_walk};
pub use pool::{Inbox, Message, pool};

/// The fewest nodes that make a search: with fewer it may not even have looked at all moves.
pub const LEAST_NODES: u64 = 50;

/// The size, in MiB, of a hash table that is large enough for the searches of a game with this many nodes each. A
/// larger one would only take longer to clear, and leave the processor's cache.
pub fn hash_for(nodes: u64) -> usize {
    /// Nodes per search for which 1 MiB holds what the searches of a game store.
    const NODES_PER_MIB: u64 = 500;
    /// The largest default size, in MiB.
    const USUAL_MIB: u64 = 16;
    nodes.div_ceil(NODES_PER_MIB).clamp(1, USUAL_MIB) as usize
}
