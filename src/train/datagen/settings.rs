//! What a game depends on besides its number.

use crate::search::Solo;
use serde::{Deserialize, Serialize};

/// How games are played. Games of different settings are not of one run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// No iteration of a search begins after so many nodes.
    pub soft_nodes: u64,
    /// No search takes more nodes.
    pub hard_nodes: u64,
    /// The hash table, in MiB. It is emptied before each game.
    pub hash_mib: usize,
    /// The network's name, the first digits of its checksum; `None` for the evaluation by
    /// material and squares that former versions had.
    pub net: Option<String>,
    /// Share of the games that begin with shuffled pieces, in percent: half of them the same on
    /// both sides (Chess960), half not (double Chess960).
    pub frc_percent: u8,
    /// Random plies before the game; in every second game, by chance, one more.
    pub random_plies: u32,
    /// Where games begin that are not shuffled; `None` for the initial position.
    pub book: Option<BookId>,
    /// Nodes of the search that tells whether an opening is still open.
    pub opening_nodes: u64,
    /// An opening is dropped if the score is farther from zero, in centipawns.
    pub opening_score: i32,
    /// When games end before the rules end them.
    pub adjudication: Adjudication,
}

/// Which book was used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BookId {
    /// The name of its file.
    pub name: String,
    /// How many openings it has.
    pub openings: usize,
    /// A checksum of the openings.
    pub checksum: String,
}

/// When games end before the rules end them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Adjudication {
    /// Centipawns that both sides must see for the same side.
    pub win_score: i32,
    /// Through how many plies.
    pub win_plies: u32,
    /// Centipawns around zero.
    pub draw_score: i32,
    /// Through how many plies.
    pub draw_plies: u32,
    /// The first ply, counted from the beginning of the game, at which that makes a draw.
    pub draw_from: u32,
    /// Plies after which a game is a draw, whatever the scores.
    pub longest: u32,
}

impl Default for Adjudication {
    /// A queen and a rook ahead through three moves of each side is a win even for a search of a
    /// hundred nodes. Draws are called late, since equality early in a game says little.
    fn default() -> Self {
        Self { win_score: 1500, win_plies: 6, draw_score: 8, draw_plies: 12, draw_from: 80, longest: 500 }
    }
}

impl Settings {
    /// Random plies that make games different without a book.
    pub const RANDOM_PLIES: u32 = 8;
    /// Random plies after an opening from a book, which is different already.
    pub const RANDOM_PLIES_AFTER_BOOK: u32 = 2;
    /// Nodes that find what hangs after random moves.
    const OPENING_NODES: u64 = 1000;
    /// A piece ahead for nothing is decided, a few pawns are not.
    const OPENING_SCORE: i32 = 400;

    /// The usual settings with this limit of nodes, and twice of that as the hard one.
    pub fn new(soft_nodes: u64) -> Self {
        Self {
            soft_nodes,
            hard_nodes: soft_nodes.saturating_mul(2),
            hash_mib: Solo::hash_for(soft_nodes),
            net: None,
            frc_percent: 0,
            random_plies: Self::RANDOM_PLIES,
            book: None,
            opening_nodes: Self::OPENING_NODES,
            opening_score: Self::OPENING_SCORE,
            adjudication: Adjudication::default(),
        }
    }
}
