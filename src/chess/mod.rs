//! The rules of chess: positions, legal moves, their effects, and the end of the game. Standard chess, Chess960 and
//! double Chess960 are treated alike.
//!
//! [`Setup`] is an unchecked description, [`Position`] a checked one. A position lists its [`Move`]s and is copied to
//! make one; a [`KeyHistory`] stores the keys of the positions of a game.

pub mod attacks;
mod bitboard;
mod board;
mod dead;
mod generate;
mod key;
mod key_history;
mod legality;
mod make;
mod mv;
mod outcome;
pub mod perft;
mod piece;
mod placement;
mod position;
#[cfg(test)]
pub(crate) mod samples;
mod setup;
mod square;
mod validate;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use dead::Winnability;
pub use generate::{MAX_MOVES, MoveList, MoveSet};
pub use key::{Key, KeyHasher};
pub use key_history::KeyHistory;
pub use legality::FindMove;
pub use make::{Delta, PlacedPiece};
pub use mv::{Move, MoveKind};
pub use outcome::{FIFTY_MOVES, FIVEFOLD, Outcome, SEVENTY_FIVE_MOVES, THREEFOLD};
pub use piece::{Color, Piece, Role};
pub use placement::Placement;
pub use position::{IllegalMove, Position};
pub use setup::{CastlingRight, CastlingSide, Problem, Setup};
pub use square::{File, Rank, Square, SquareError};
pub use validate::chess960_back_rank;

/// Declares a plain enumeration whose variants count from zero, with a checked
/// conversion from an index that compiles to a comparison, and tables indexed by it.
macro_rules! ordinal {
    ($(#[$meta:meta])* $name:ident [$count:literal] { $($(#[$variant_meta:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// The number of values.
            pub const COUNT: usize = $count;

            /// Every value, in index order.
            pub const ALL: [Self; $count] = [$(Self::$variant),+];

            /// The value with this index, or `None` if there is none.
            #[inline]
            #[allow(non_upper_case_globals)]
            pub const fn from_index(index: usize) -> Option<Self> {
                $(const $variant: usize = $name::$variant as usize;)+
                match index {
                    $($variant => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The index of this value, counted from zero.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        const _: () = assert!(size_of::<Option<$name>>() == 1);

        impl<T> std::ops::Index<$name> for [T; $count] {
            type Output = T;
            #[inline(always)]
            fn index(&self, index: $name) -> &T {
                &self[index as usize] // no bounds check is emitted: every value is below the length
            }
        }

        impl<T> std::ops::IndexMut<$name> for [T; $count] {
            #[inline(always)]
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index as usize]
            }
        }
    };
}

use ordinal;
