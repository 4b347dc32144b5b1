//! The rules of chess: positions, legal moves, their effects, and the end of the game. Standard
//! chess, Chess960 and double Chess960 are one case.
//!
//! [`Setup`] is an unchecked description, [`Position`] a checked one. A position lists its
//! [`Move`]s and is copied to make one; a [`KeyHistory`] remembers the positions of a game.

pub mod attacks;
mod bitboard;
mod board;
mod generate;
mod key;
mod key_history;
mod legality;
mod make;
mod mv;
mod outcome;
pub mod perft;
mod piece;
mod position;
mod setup;
mod square;
mod validate;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use generate::{MAX_MOVES, MoveList};
pub use key::Key;
pub use key_history::KeyHistory;
pub use make::{Delta, PlacedPiece};
pub use mv::{Move, MoveKind};
pub use outcome::{FIFTY_MOVES, Outcome, SEVENTY_FIVE_MOVES};
pub use piece::{Color, Piece, Role};
pub use position::{IllegalMove, Position};
pub use setup::{CastlingRight, Problem, Setup, Wing};
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

/// Positions and moves for the tests of modules below FEN and UCI.
#[cfg(test)]
pub(crate) mod samples {
    use super::{CastlingRight, Color, Move, MoveKind, Piece, Position, Role, Setup, Square, Wing};

    /// The position that a FEN without an en passant square describes. The clocks may be missing.
    pub(crate) fn position(fen: &str) -> Position {
        let mut setup = Setup::EMPTY;
        let fields: Vec<&str> = fen.split(' ').collect();
        for (row, rank) in fields[0].split('/').enumerate() {
            let mut square = (7 - row) * 8;
            for letter in rank.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    square += empty as usize;
                } else {
                    setup.pieces[square] = Piece::from_letter(letter);
                    square += 1;
                }
            }
        }
        setup.turn = if fields[1] == "w" { Color::White } else { Color::Black };
        for letter in fields[2].chars().filter(|&letter| letter != '-') {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let wing = if letter.eq_ignore_ascii_case(&'k') { Wing::King } else { Wing::Queen };
            setup.castling.push(CastlingRight::Outermost(color, wing));
        }
        setup.halfmove_clock = fields.get(4).map_or(0, |clock| clock.parse().expect("a halfmove clock"));
        setup.fullmove_number = fields.get(5).map_or(1, |number| number.parse().expect("a full-move number"));
        Position::try_from(setup).expect("a legal position")
    }

    /// The move in the notation of UCI.
    pub(crate) fn mv(text: &str) -> Move {
        let square = |text: &str| text.parse::<Square>().expect("a square");
        let kind = text.chars().nth(4).map_or(MoveKind::Normal, |letter| {
            Role::from_letter(letter).and_then(MoveKind::promotion).expect("a promotion")
        });
        Move::new(square(&text[0..2]), square(&text[2..4]), kind)
    }
}
