//! SAN, the notation of moves in PGN and EPD (PGN standard, section 8.2.3).
//!
//! [`San`] writes it: canonical, long or with figurines. [`parse_san`] and [`SanReader`] read it, and also the other
//! notations of real files.

mod error;
mod read;
mod resolve;
mod write;

pub use error::{Illegality, SanError};
pub(in crate::notation) use read::read_canonical;
pub use read::{SanReader, parse_san, without_number};
pub use write::{PieceLetters, San, SanText};

use crate::chess::{Move, Position};

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
