//! Roles, colors and pieces.

use super::{Bitboard, Rank, ordinal};
use std::fmt;

ordinal! {
    /// The kind of a piece, regardless of its color.
    #[allow(missing_docs)]
    Role [6] { Pawn, Knight, Bishop, Rook, Queen, King }
}

ordinal! {
    /// A role and a color.
    #[allow(missing_docs)]
    Piece [12] {
        WhitePawn, WhiteKnight, WhiteBishop, WhiteRook, WhiteQueen, WhiteKing,
        BlackPawn, BlackKnight, BlackBishop, BlackRook, BlackQueen, BlackKing,
    }
}

impl Role {
    /// The roles that a pawn may promote to, the most valuable first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The conventional value of a piece, in pawns (<https://www.chessprogramming.org/Point_Value>). A king counts
    /// zero, since it is never exchanged.
    pub const fn points(self) -> u32 {
        match self {
            Self::Pawn => 1,
            Self::Knight | Self::Bishop => 3,
            Self::Rook => 5,
            Self::Queen => 9,
            Self::King => 0,
        }
    }

    /// The English letter in lower case, as in FEN and UCI.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The role with this English letter, in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            'p' => Some(Self::Pawn),
            'n' => Some(Self::Knight),
            'b' => Some(Self::Bishop),
            'r' => Some(Self::Rook),
            'q' => Some(Self::Queen),
            'k' => Some(Self::King),
            _ => None,
        }
    }

    /// The English word, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }
}

impl Piece {
    /// The piece of this color and role.
    #[inline]
    pub const fn new(color: Color, role: Role) -> Self {
        Self::ALL[color as usize * Role::COUNT + role as usize]
    }

    /// The side of the piece.
    #[inline]
    pub const fn color(self) -> Color {
        if (self as usize) < Role::COUNT { Color::White } else { Color::Black }
    }

    /// The role of the piece.
    #[inline]
    pub const fn role(self) -> Role {
        ROLES[self as usize]
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.role().letter().to_ascii_uppercase(),
            Color::Black => self.role().letter(),
        }
    }

    /// The piece with this FEN letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(Self::new(color, role)),
            None => None,
        }
    }
}

/// The role of each piece.
const ROLES: [Role; Piece::COUNT] = {
    let mut roles = [Role::Pawn; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        roles[index] = Role::ALL[index % Role::COUNT];
        index += 1;
    }
    roles
};

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

ordinal! {
    /// A side of the game.
    Color [2] {
        /// The side that moves first.
        White,
        /// The side that moves second.
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

    /// The squares one step ahead of these, in the direction of this side's pawns.
    #[inline(always)]
    pub const fn forward(self, squares: Bitboard) -> Bitboard {
        match self {
            Self::White => squares.north(),
            Self::Black => squares.south(),
        }
    }

    /// The rank `rank` counted from this side's back rank.
    #[inline]
    pub const fn relative(self, rank: Rank) -> Rank {
        match self {
            Self::White => rank,
            Self::Black => rank.flipped(),
        }
    }

    /// `White` or `Black`, as in the texts of outcomes and errors.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

/// A color as a type, so that the code for each side is compiled separately and branches on the
/// color only once.
pub(crate) trait Side {
    /// The color of this type.
    const COLOR: Color;
    /// The other side.
    type Other: Side<Other = Self>;

    /// The squares one step ahead.
    fn forward(set: Bitboard) -> Bitboard;
    /// The squares one step back: the inverse of [`Side::forward`].
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for piece in Piece::ALL {
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Piece::new(piece.color(), piece.role()), piece);
        }
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::from_letter('é'), None);
    }
}
