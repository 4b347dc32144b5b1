//! Errors in FENs.

use crate::chess::{Problem, Rank};
use crate::notation::Excerpt;
use crate::notation::quantity::plural;
use std::fmt;

/// A field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenField {
    /// The pieces on the squares.
    PiecePlacement,
    /// The side to move.
    SideToMove,
    /// The rooks with which the kings may still castle.
    CastlingRights,
    /// The square that a pawn has just passed.
    EnPassantSquare,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move to be played.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PiecePlacement => "piece placement",
            Self::SideToMove => "side to move",
            Self::CastlingRights => "castling rights",
            Self::EnPassantSquare => "en passant square",
            Self::HalfmoveClock => "half-move clock",
            Self::FullmoveNumber => "full-move number",
        })
    }
}

/// The reason why a text is not a FEN. Each message states the field, the text found and the text expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text ends before this field.
    #[error("{0}: missing, expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`")]
    MissingField(FenField),
    /// There is text after the last field.
    #[error("{0} after the full-move number, expected the end of the FEN")]
    TrailingText(Excerpt),
    /// The number of ranks is not eight, but this number.
    #[error("piece placement: {} {}, expected 8 separated by `/`", .0, plural(*.0 as u64, "rank"))]
    RankCount(usize),
    /// A rank does not describe eight squares.
    #[error("piece placement: rank {rank} has {squares} {}, expected 8", plural(*.squares as u64, "square"))]
    RankLength {
        /// The rank.
        rank: Rank,
        /// The number of squares that the rank describes.
        squares: usize,
    },
    /// A character is neither a piece nor a number of empty squares.
    #[error(
        "piece placement: {} on rank {rank}, expected a piece letter of `PNBRQKpnbrqk` or a number 1 to 8",
        Excerpt::of_char(*.found)
    )]
    UnknownPiece {
        /// The rank.
        rank: Rank,
        /// The character found.
        found: char,
    },
    /// Two adjacent numbers of empty squares, where one is sufficient.
    #[error("piece placement: two numbers in a row on rank {0}, expected one number for all empty squares")]
    AdjacentNumbers(Rank),
    /// The side to move is neither `w` nor `b`.
    #[error("side to move: {0}, expected `w` or `b`")]
    SideToMove(Excerpt),
    /// A character is not a castling right.
    #[error(
        "castling rights: {} in {found}, expected `-` or letters of `KQkq`, `A` to `H` and `a` to `h`",
        Excerpt::of_char(*.letter)
    )]
    UnknownRight {
        /// The character.
        letter: char,
        /// The field that contains it.
        found: Excerpt,
    },
    /// There are more castling rights than rooks that could have them.
    #[error("castling rights: {0}, expected at most 4 letters")]
    TooManyRights(Excerpt),
    /// The en passant square is not a square.
    #[error("en passant square: {0}, expected `-` or a square such as `e3`")]
    EnPassantSquare(Excerpt),
    /// A counter is not a number, or is too large.
    #[error("{field}: {found}, expected a number 0 to {}", u16::MAX)]
    Counter {
        /// The field.
        field: FenField,
        /// The text found.
        found: Excerpt,
    },
}

impl FenError {
    /// The field that is wrong; `None` if there is text after the last one.
    pub const fn field(&self) -> Option<FenField> {
        match self {
            Self::MissingField(field) | Self::Counter { field, .. } => Some(*field),
            Self::TrailingText(_) => None,
            Self::RankCount(_)
            | Self::RankLength { .. }
            | Self::UnknownPiece { .. }
            | Self::AdjacentNumbers(_) => Some(FenField::PiecePlacement),
            Self::SideToMove(_) => Some(FenField::SideToMove),
            Self::UnknownRight { .. } | Self::TooManyRights(_) => Some(FenField::CastlingRights),
            Self::EnPassantSquare(_) => Some(FenField::EnPassantSquare),
        }
    }
}

/// All reasons why a text is not the FEN of a chess position, of which there is at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionError {
    /// The reasons why the text is not a FEN.
    pub errors: Vec<FenError>,
    /// The reasons why the content, as far as it can be read, is not a chess position.
    pub problems: Vec<Problem>,
}

impl PositionError {
    /// All reasons, those of the text first.
    pub fn reasons(&self) -> impl Iterator<Item = &dyn fmt::Display> {
        let errors = self.errors.iter().map(|error| error as &dyn fmt::Display);
        errors.chain(self.problems.iter().map(|problem| problem as &dyn fmt::Display))
    }
}

impl fmt::Display for PositionError {
    /// All reasons, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, reason) in self.reasons().enumerate() {
            write!(f, "{}{reason}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for PositionError {}

impl From<Vec<Problem>> for PositionError {
    fn from(problems: Vec<Problem>) -> Self {
        Self { errors: Vec::new(), problems }
    }
}
