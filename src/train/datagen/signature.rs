//! A number that tells one search from another.

use crate::chess::{Line, Position};
use crate::nnue::Network;
use crate::rng::Rng;
use crate::search::{Job, Limits, Solo};
use std::sync::Arc;

/// How many random games give a position.
const POSITIONS: u64 = 4;
/// Plies of these games.
const PLIES: u32 = 16;
/// Depth of the searches: they take a tenth of a second together.
const DEPTH: u32 = 8;
const HASH_MIB: usize = 1;

/// Nodes of searches to a fixed depth with this evaluation; zero if there is no memory for them.
pub(super) fn of_search(network: Arc<Network>) -> u64 {
    let Ok(mut solo) = Solo::new(HASH_MIB) else { return 0 };
    solo.set_network(network);
    (0..POSITIONS)
        .map(|seed| {
            let position = random_position(seed);
            let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
            solo.search(Job { position, line: Line::new(&position), limits, multi_pv: 1 }).nodes
        })
        .sum()
}

fn random_position(seed: u64) -> Position {
    let mut rng = Rng::new(seed);
    (0..PLIES).fold(Position::start(), |position, _| {
        rng.choose(&position.legal_moves()).map_or(position, |&mv| position.after(mv).0)
    })
}
