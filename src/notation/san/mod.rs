//! SAN, the notation of moves in PGN and EPD (PGN standard, section 8.2.3).
//!
//! [`San`] writes it: canonical, long or with figurines. [`parse_san`] and [`SanReader`] read it, and also the other
//! notations of real files.

mod error;
mod read;
mod resolve;
mod write;

pub use error::{Illegality, SanError};
pub(super) use read::Found;
pub use read::{SanReader, parse_san, without_number};
pub use write::{PieceLetters, San, SanText};
pub(super) use write::{has_right_sign, with_sign, word_without_sign};

use crate::chess::{Color, Move, Position};
use std::fmt;

/// A move, or a null move, which annotators use to show threats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SanMove {
    /// A move of chess.
    Move(Move),
    /// A null move: the side to move passes.
    Null,
}

impl SanMove {
    /// The notation of a null move; PGN does not define one, and this is the most common one.
    pub const NULL: &str = "--";

    /// The move, unless it is a null move.
    #[inline]
    pub const fn mv(self) -> Option<Move> {
        match self {
            Self::Move(mv) => Some(mv),
            Self::Null => None,
        }
    }

    /// The position after the move. The move must be legal in `position`, as is every move read there by a
    /// [`crate::notation::SanReader`].
    #[inline]
    pub fn after(self, position: &Position) -> Position {
        match self {
            Self::Move(mv) => position.after(mv).0,
            Self::Null => position.after_null(),
        }
    }
}

impl From<Move> for SanMove {
    fn from(mv: Move) -> Self {
        Self::Move(mv)
    }
}

/// The number before a move, such as `9.` for White and `9...` for Black (PGN standard, section 8.2.2.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveNumber {
    number: u32,
    color: Color,
}

impl MoveNumber {
    /// The number of a move of `color`.
    #[inline(always)]
    pub const fn new(number: u16, color: Color) -> Self {
        Self { number: number as u32, color }
    }

    /// The number of the move after this many plies from the start of chess.
    pub const fn after_plies(plies: u32) -> Self {
        Self {
            number: plies / 2 + 1,
            color: if plies.is_multiple_of(2) { Color::White } else { Color::Black },
        }
    }

    /// The full-move number.
    #[inline(always)]
    pub const fn number(self) -> u32 {
        self.number
    }

    /// The side that moves.
    #[inline(always)]
    pub const fn color(self) -> Color {
        self.color
    }

    /// The number of the moves from this position.
    pub fn of(position: &Position) -> Self {
        Self::new(position.fullmove_number(), position.turn())
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, if self.color == Color::White { "." } else { "..." })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_the_side() {
        let start = Position::start();
        assert_eq!(MoveNumber::of(&start).to_string(), "1.");
        assert_eq!(MoveNumber::of(&start.after_null()).to_string(), "1...");
        assert_eq!(MoveNumber::of(&start.after_null().after_null()).to_string(), "2.");
        assert_eq!(MoveNumber::new(24, Color::Black).to_string(), "24...");
        assert_eq!(
            [0, 1, 2, 47].map(|plies| MoveNumber::after_plies(plies).to_string()),
            ["1.", "1...", "2.", "24..."]
        );
    }
}
