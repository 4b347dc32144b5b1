//! The chess that is played.

use super::{Book, Opening};
use crate::chess::{Position, Setup, chess960_back_rank};
use crate::rng::Rng;
use serde::{Deserialize, Serialize};

/// The kinds of chess, which differ only in the start position and the notation of castling.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Variant {
    /// Standard chess.
    #[default]
    #[serde(rename = "standard")]
    Standard,
    /// Chess960: both sides start with the same shuffled pieces.
    #[serde(rename = "fischerandom", alias = "chess960", alias = "frc")]
    Chess960,
    /// Double Chess960: each side starts with its own shuffled pieces.
    #[serde(rename = "dfrc")]
    DoubleChess960,
}

/// The number of back ranks of Chess960.
const BACK_RANKS: u64 = 960;
/// The number of openings of double Chess960 without a book.
const DOUBLE_OPENINGS: usize = 10_000;

impl Variant {
    /// Whether castling is sent to engines as king takes rook.
    pub const fn is_chess960(self) -> bool {
        !matches!(self, Self::Standard)
    }

    /// The openings without a book: the initial position, all 960, or many pairs of these which
    /// the seed determines.
    pub fn default_book(self, seed: u64) -> Book {
        let position = |setup| Position::try_from(setup).expect("initial positions are legal");
        let rank = |number: u64| {
            let number = u16::try_from(number).expect("a small number");
            chess960_back_rank(number).expect("a number below 960")
        };
        let openings: Vec<Opening> = match self {
            Self::Standard => vec![Opening::new(Position::start())],
            Self::Chess960 => {
                (0..BACK_RANKS).map(|number| Opening::new(position(Setup::chess960(rank(number))))).collect()
            }
            Self::DoubleChess960 => {
                let mut rng = Rng::new(seed);
                let mut number = || rank(rng.below(BACK_RANKS));
                let mut setup = || Setup::double_chess960(number(), number());
                (0..DOUBLE_OPENINGS).map(|_| Opening::new(position(setup()))).collect()
            }
        };
        Book::new(openings).expect("there is an opening")
    }
}
