//! Openings: the variants of chess, books of positions and of games, and the order of their use.

mod parse;
mod suite;

pub use parse::{Opening, OpeningSuiteError};
pub use suite::{BookFormat, OpeningSuite};

use crate::chess::{Position, Setup, chess960_back_rank};
use crate::rng::Rng;
use serde::{Deserialize, Serialize};

/// The variants of chess, which differ only in the start position and the notation of castling.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Variant {
    /// Standard chess.
    #[default]
    #[serde(rename = "standard")]
    Standard,
    /// Chess960: both sides have the same shuffled back rank.
    #[serde(rename = "fischerandom", alias = "chess960", alias = "frc")]
    Chess960,
    /// Double Chess960: each side has a different shuffled back rank.
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

    /// The openings without a book: the initial position, all 960 positions, or many pairs of back ranks chosen by the
    /// seed.
    pub fn default_book(self, seed: u64) -> OpeningSuite {
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
        OpeningSuite::new(openings).expect("there is an opening")
    }
}

/// The order of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The order of the book.
    #[default]
    Sequential,
    /// A random order, determined by a seed; all openings are used before any is repeated.
    Random,
}

/// The order in which the openings of a book are used. It depends only on these fields, so that a match can be resumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// Sequential or random.
    pub order: Order,
    /// The index of the first opening in the book, or in the random order, counted from 0.
    pub first: usize,
    /// The seed of the random order.
    pub seed: u64,
}

impl Sequence {
    /// The indices, in a book of `len` openings, that the next `count` games or pairs use.
    pub fn places(&self, len: usize, count: usize) -> Vec<usize> {
        let wanted = self.first..self.first.saturating_add(count);
        if self.order == Order::Sequential || len == 0 {
            return wanted.map(|index| index % len.max(1)).collect();
        }
        let mut rng = Rng::new(self.seed);
        let mut places = Vec::with_capacity(count);
        for cycle in 0.. {
            let mut shuffled: Vec<usize> = (0..len).collect();
            rng.shuffle(&mut shuffled);
            let begin = cycle * len;
            if begin >= wanted.end {
                break;
            }
            places.extend(
                (begin..begin + len)
                    .filter(|index| wanted.contains(index))
                    .map(|index| shuffled[index - begin]),
            );
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_order_goes_round() {
        let sequence = Sequence { order: Order::Sequential, first: 3, seed: 1 };
        assert_eq!(sequence.places(5, 4), [3, 4, 0, 1]);
    }

    #[test]
    fn random_order_uses_each_once_before_any_twice() {
        let sequence = Sequence { order: Order::Random, first: 0, seed: 7 };
        let places = sequence.places(10, 25);
        assert_eq!(places.len(), 25);
        for cycle in places.chunks(10).filter(|cycle| cycle.len() == 10) {
            let mut sorted = cycle.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<_>>());
        }
        assert_ne!(places[..10], places[10..20], "another order each time");
        assert_eq!(sequence.places(10, 5), places[..5], "a longer match begins in the same way");
        assert_eq!(Sequence { first: 7, ..sequence }.places(10, 18), places[7..]);
        assert_ne!(Sequence { seed: 8, ..sequence }.places(10, 25), places);
    }
}
