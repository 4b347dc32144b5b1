//! Settings of a run, and the origin of its games: engine, seed and settings.

use crate::chess::{KeyHistory, Position};
use crate::nnue::Network;
use crate::rng::Rng;
use crate::search::{Job, Limits, Searcher};
use crate::selfplay::{Adjudication, OpeningsId, hash_for, random_walk};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The settings of games. Games with different settings belong to different runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// No iteration of a search starts after this many nodes.
    pub soft_nodes: u64,
    /// No search takes more nodes.
    pub hard_nodes: u64,
    /// The hash table, in MiB. It is emptied before each game.
    pub hash_mib: usize,
    /// The network's name, the first digits of its checksum; `None` for the evaluation by
    /// material and squares that earlier versions had.
    pub net: Option<String>,
    /// Share of the games that start with shuffled pieces, in percent: half of them the same on
    /// both sides (Chess960), half not (double Chess960).
    pub frc_percent: u8,
    /// Random plies before the game; in every second game, at random, one more.
    pub random_plies: u32,
    /// The openings of games that are not shuffled; `None` for the initial position.
    pub book: Option<OpeningsId>,
    /// Nodes of the search that decides whether an opening is level.
    pub opening_nodes: u64,
    /// An opening is dropped if the score is farther from zero, in search units.
    pub opening_score: i32,
    /// When games end before the rules end them.
    pub adjudication: Adjudication,
}

/// A queen and a rook ahead through three moves of each side is a win even for a search of a
/// hundred nodes. Draws are called late, since equality early in a game means little.
const ADJUDICATION: Adjudication = Adjudication {
    win_score: 1500,
    win_plies: 6,
    draw_score: 8,
    draw_plies: 12,
    draw_from: 80,
    longest: 500,
};

impl Settings {
    /// Random plies that make games different without a book.
    pub const RANDOM_PLIES: u32 = 8;
    /// Random plies after an opening from a book, which is different already.
    pub const RANDOM_PLIES_AFTER_BOOK: u32 = 2;
    /// Enough nodes to find the pieces that hang after random moves.
    const OPENING_NODES: u64 = 1000;
    /// A piece ahead without compensation is decided, a few pawns are not.
    const OPENING_SCORE: i32 = 400;

    /// The default settings with this limit of nodes, and twice of that as the hard limit.
    pub fn new(soft_nodes: u64) -> Self {
        Self {
            soft_nodes,
            hard_nodes: soft_nodes.saturating_mul(2),
            hash_mib: hash_for(soft_nodes),
            net: None,
            frc_percent: 0,
            random_plies: Self::RANDOM_PLIES,
            book: None,
            opening_nodes: Self::OPENING_NODES,
            opening_score: Self::OPENING_SCORE,
            adjudication: ADJUDICATION,
        }
    }
}

/// The engine that has played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Engine {
    /// Name and version.
    pub name: String,
    /// The commit that it was built from, if that was stated when it was built, in the
    /// environment variable `HEMATITE_COMMIT`.
    pub commit: Option<String>,
    /// Nodes of some fixed searches, which another search or network would hardly take.
    pub signature: u64,
}

impl Engine {
    /// This program with this network.
    pub fn this(network: Arc<Network>) -> Self {
        Self {
            name: concat!("Hematite ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: option_env!("HEMATITE_COMMIT").map(str::to_owned),
            signature: signature(network),
        }
    }
}

/// The origin of the games of a chunk; its note.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The engine that has played them.
    pub engine: Engine,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the first game; the others follow it.
    pub first: u64,
    /// Their settings.
    pub settings: Settings,
}

impl Origin {
    /// The differences that make games of this origin and of another games of two runs: none if seed and
    /// settings are the same.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let run = |origin: &Self| serde_json::json!({ "seed": origin.seed, "settings": origin.settings });
        let mut found = Vec::new();
        compare("", &run(self), &run(other), &mut found);
        found
    }
}

/// Adds what differs, in words.
fn compare(name: &str, this: &Value, other: &Value, found: &mut Vec<String>) {
    match (this, other) {
        (Value::Object(this), Value::Object(other)) => {
            for (key, value) in this {
                compare(key, value, other.get(key).unwrap_or(&Value::Null), found);
            }
        }
        _ if this == other => {}
        _ => found.push(format!("{name} is {this} there, {other} here")),
    }
}

/// Random games, each of which gives a position.
const POSITIONS: u64 = 4;
/// Plies of these games.
const PLIES: u64 = 16;
/// Depth of the searches: they take a tenth of a second together.
const DEPTH: u32 = 8;
const HASH_MIB: usize = 1;

/// Nodes of searches to a fixed depth with this evaluation; zero if there is no memory for them.
fn signature(network: Arc<Network>) -> u64 {
    let Ok(mut searcher) = Searcher::new(1, HASH_MIB) else { return 0 };
    searcher.set_network(network);
    let positions =
        (0..POSITIONS).filter_map(|seed| random_walk(Position::start(), PLIES, &mut Rng::new(seed)));
    let nodes = positions.map(|position| {
        let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
        searcher
            .search_silently(Job { position, key_history: KeyHistory::new(&position), limits, multi_pv: 1 })
            .nodes
    });
    nodes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded;

    #[test]
    fn differences_are_named() {
        let origin =
            Origin { engine: Engine::this(embedded()), seed: 1, first: 0, settings: Settings::new(100) };
        let later = Origin { first: 500, ..origin.clone() };
        assert_eq!(origin.differences(&later), Vec::<String>::new(), "another part of the run");
        let mut other = Origin { seed: 2, ..origin.clone() };
        other.settings.adjudication.win_plies = 9;
        assert_eq!(origin.differences(&other), ["seed is 1 there, 2 here", "win_plies is 6 there, 9 here"]);
    }

    #[test]
    fn it_reads_what_it_writes() {
        let origin = Origin {
            engine: Engine::this(embedded()),
            seed: u64::MAX,
            first: 3,
            settings: Settings::new(5000),
        };
        let text = serde_json::to_string(&origin).expect("it is plain data");
        assert_eq!(serde_json::from_str::<Origin>(&text).expect("its own text"), origin);
    }
}
