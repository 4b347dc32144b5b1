//! The rules of chess: what a position is, which moves are legal, what they do, when it is
//! over. Standard chess, Chess960 and double Chess960 are one case.
//!
//! [`Setup`] is what anybody may describe, [`Position`] what has been checked. A position
//! lists its [`Move`]s and is copied to make one; a [`Line`] remembers the positions of a game.

pub mod attacks;
mod bitboard;
mod board;
mod color;
mod cycle;
mod delta;
mod generate;
mod key;
mod legality;
mod line;
mod make;
mod mv;
mod ordinal;
mod outcome;
pub mod perft;
mod piece;
mod position;
#[cfg(test)]
pub(crate) mod samples;
mod setup;
mod square;
mod validate;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use color::Color;
pub use delta::{Delta, Placed};
pub use generate::{MAX_MOVES, MoveList};
pub use key::Key;
pub use line::Line;
pub use mv::{Move, MoveKind};
pub use outcome::{FIFTY_MOVES, Outcome, SEVENTY_FIVE_MOVES};
pub use piece::{Piece, Role};
pub use position::{IllegalMove, Position};
pub use setup::{CastlingRight, Problem, Setup, Wing};
pub use square::{File, Rank, Square, SquareError};
pub use validate::chess960_back_rank;
