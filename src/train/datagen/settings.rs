//! The settings of a run, and the origin of its games: engine, seed and settings.

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
    /// The number of nodes after which a search starts no new iteration.
    pub soft_nodes: u64,
    /// The maximum number of nodes of a search.
    pub hard_nodes: u64,
    /// The size of the hash table, in MiB. It is cleared before each game.
    pub hash_mib: usize,
    /// The network's name, the first digits of its checksum; `None` for the evaluation by material and squares of
    /// earlier versions.
    pub net: Option<String>,
    /// The percentage of the games that start with shuffled pieces: half of them with the same back rank on both sides
    /// (Chess960), half with different ones (double Chess960).
    pub frc_percent: u8,
    /// The number of random plies before the game; a randomly chosen half of the games has one more.
    pub random_plies: u32,
    /// The openings of games that are not shuffled; `None` for the initial position.
    pub book: Option<OpeningsId>,
    /// The number of nodes of the search that decides whether an opening is level.
    pub opening_nodes: u64,
    /// The maximum magnitude of the score of an opening, in search units; others are rejected.
    pub opening_score: i32,
    /// The rules that end games before the rules of chess do.
    pub adjudication: Adjudication,
    /// Whether evaluations are neither scaled toward a draw nor raised by optimism, as in
    /// [`SearchOptions::is_plain`](crate::search::SearchOptions). Earlier versions scaled them.
    #[serde(default)]
    pub plain_scores: bool,
}

/// Whether scores for training are plain, in new games and in rescored ones.
pub(super) const PLAIN_SCORES: bool = true;

/// An advantage of a queen and a rook through three moves of each side wins even with searches of a hundred nodes.
/// Draws are adjudicated late, since a level score early in a game means little.
const ADJUDICATION: Adjudication = Adjudication {
    win_score: 1500,
    win_plies: 6,
    draw_score: 8,
    draw_plies: 12,
    draw_from: 80,
    longest: 500,
};

impl Settings {
    /// The default number of random plies without a book, which make games different.
    pub const RANDOM_PLIES: u32 = 8;
    /// The default number of random plies after an opening from a book, which is already different.
    pub const RANDOM_PLIES_AFTER_BOOK: u32 = 2;
    /// The number of nodes of opening searches, sufficient to find hanging pieces after random moves.
    const OPENING_NODES: u64 = 1000;
    /// The default maximum score of an opening: an advantage of a piece is decisive, a few pawns are not.
    pub const OPENING_SCORE: i32 = 400;
    /// The default score of an adjudicated win.
    pub const WIN_SCORE: i32 = ADJUDICATION.win_score;

    /// The default settings with this soft limit of nodes, and twice that as the hard limit.
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
            plain_scores: PLAIN_SCORES,
        }
    }
}

/// The engine that played the games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Engine {
    /// The name and version.
    pub name: String,
    /// The commit of the build, if it was set in the environment variable `HEMATITE_COMMIT` at build time.
    pub commit: Option<String>,
    /// The number of nodes of some fixed searches, which would hardly be the same with another search or network.
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

/// The origin of the games of a chunk, which is its note.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The engine that played the games.
    pub engine: Engine,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the first game; the others have the next numbers.
    pub first: u64,
    /// The settings of the games.
    pub settings: Settings,
}

impl Origin {
    /// The differences because of which games of this origin and of another belong to different runs: empty if seed and
    /// settings are equal.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let run = |origin: &Self| serde_json::json!({ "seed": origin.seed, "settings": origin.settings });
        let mut found = Vec::new();
        compare("", &run(self), &run(other), &mut found);
        found
    }
}

/// Adds the descriptions of differences.
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

/// The number of random games, each of which yields a position.
const POSITIONS: u64 = 4;
/// The number of plies of these games.
const PLIES: u64 = 16;
/// The depth of the searches, which together take a tenth of a second.
const DEPTH: u32 = 8;
const HASH_MIB: usize = 1;

/// The number of nodes of searches to a fixed depth with this network; zero if there is no memory for them.
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
    fn games_with_scaled_scores_belong_to_another_run() {
        let origin =
            Origin { engine: Engine::this(embedded()), seed: 1, first: 0, settings: Settings::new(100) };
        let mut json = serde_json::to_value(&origin).expect("it is plain data");
        let settings = json["settings"].as_object_mut().expect("settings");
        assert_eq!(settings.remove("plain_scores"), Some(true.into()));
        let earlier: Origin = serde_json::from_value(json).expect("earlier versions did not write the field");
        assert_eq!(earlier.differences(&origin), ["plain_scores is false there, true here"]);
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
