//! The two sides.

use super::ordinal::ordinal;
use super::{Bitboard, Rank};

ordinal! {
    /// A side of the game.
    Color [2] {
        /// Moves first.
        White,
        /// Moves second.
        Black,
    }
}

impl std::ops::Not for Color {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Color {
    /// The rank on which this side's pieces start.
    #[inline]
    pub const fn back_rank(self) -> Rank {
        match self {
            Self::White => Rank::First,
            Self::Black => Rank::Eighth,
        }
    }

    /// The rank `rank` as this side counts it, from its own back rank.
    #[inline]
    pub const fn relative(self, rank: Rank) -> Rank {
        match self {
            Self::White => rank,
            Self::Black => rank.flipped(),
        }
    }

    /// `White` or `Black`, as outcome texts and errors spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

/// A color as a type, so that the code for each side is compiled by itself and
/// branches on color only once, at the door.
pub(crate) trait Side {
    /// The color this type stands for.
    const COLOR: Color;
    /// The other side.
    type Other: Side<Other = Self>;

    /// One step ahead.
    fn forward(set: Bitboard) -> Bitboard;
    /// One step back: the inverse of [`Side::forward`].
    fn backward(set: Bitboard) -> Bitboard;
}

/// White as a type.
pub(crate) enum White {}
/// Black as a type.
pub(crate) enum Black {}

impl Side for White {
    const COLOR: Color = Color::White;
    type Other = Black;
    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        set.north()
    }
    #[inline(always)]
    fn backward(set: Bitboard) -> Bitboard {
        set.south()
    }
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Other = White;
    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        set.south()
    }
    #[inline(always)]
    fn backward(set: Bitboard) -> Bitboard {
        set.north()
    }
}
