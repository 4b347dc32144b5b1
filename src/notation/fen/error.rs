//! What can be wrong with a FEN.

use crate::chess::{Problem, Rank};
use crate::notation::Excerpt;
use std::fmt;

/// A field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenField {
    /// Which piece stands on which square.
    PiecePlacement,
    /// Whose move it is.
    SideToMove,
    /// With which rooks the kings may still castle.
    CastlingRights,
    /// The square that a pawn has just passed.
    EnPassantSquare,
    /// Half-moves since the last capture or pawn move.
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

/// A text that is not a FEN. Each error names the field, what was found and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// The text ends before this field.
    MissingField(FenField),
    /// Something follows the last field.
    TrailingText(Excerpt),
    /// There are not eight ranks, but so many.
    RankCount(usize),
    /// A rank does not describe eight squares.
    RankLength {
        /// The rank.
        rank: Rank,
        /// How many squares it describes.
        squares: usize,
    },
    /// A character is neither a piece nor a number of empty squares.
    UnknownPiece {
        /// The rank.
        rank: Rank,
        /// What was found.
        found: char,
    },
    /// Two numbers of empty squares follow each other, where one would do.
    AdjacentNumbers(Rank),
    /// The side to move is neither `w` nor `b`.
    SideToMove(Excerpt),
    /// A character is no castling right.
    UnknownRight {
        /// The character.
        letter: char,
        /// The field in which it stands.
        found: Excerpt,
    },
    /// There are more castling rights than rooks that could have them.
    TooManyRights(Excerpt),
    /// The en passant square is no square.
    EnPassantSquare(Excerpt),
    /// A counter is no number, or is too large.
    Counter {
        /// The field.
        field: FenField,
        /// What was found.
        found: Excerpt,
    },
}

impl FenError {
    /// The field that is wrong; `None` if there is too much after the last one.
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

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = self.field() {
            write!(f, "{field}: ")?;
        }
        match self {
            Self::MissingField(_) => {
                f.write_str("missing, expected `PIECES SIDE CASTLING EN-PASSANT [CLOCK [MOVE]]`")
            }
            Self::TrailingText(found) => {
                write!(f, "{found} after the full-move number, expected the end of the FEN")
            }
            Self::RankCount(1) => f.write_str("1 rank, expected 8 separated by `/`"),
            Self::RankCount(ranks) => write!(f, "{ranks} ranks, expected 8 separated by `/`"),
            Self::RankLength { rank, squares } => {
                write!(f, "rank {rank} has {squares} {}, expected 8", plural(*squares, "square"))
            }
            Self::UnknownPiece { rank, found } => write!(
                f,
                "{} on rank {rank}, expected a piece letter of `PNBRQKpnbrqk` or a number 1 to 8",
                Excerpt::new(found.encode_utf8(&mut [0; 4]))
            ),
            Self::AdjacentNumbers(rank) => {
                write!(f, "two numbers in a row on rank {rank}, expected one number for all empty squares")
            }
            Self::SideToMove(found) => write!(f, "{found}, expected `w` or `b`"),
            Self::UnknownRight { letter, found } => write!(
                f,
                "{} in {found}, expected `-` or letters of `KQkq`, `A` to `H` and `a` to `h`",
                Excerpt::new(letter.encode_utf8(&mut [0; 4]))
            ),
            Self::TooManyRights(found) => write!(f, "{found}, expected at most 4 letters"),
            Self::EnPassantSquare(found) => write!(f, "{found}, expected `-` or a square such as `e3`"),
            Self::Counter { found, .. } => write!(f, "{found}, expected a number 0 to {}", u16::MAX),
        }
    }
}

impl std::error::Error for FenError {}

/// A text that is not the FEN of a chess position, for all these reasons; there is at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionError {
    /// Why it is not a FEN.
    pub errors: Vec<FenError>,
    /// Why what it describes is not a chess position, as far as it can be read.
    pub problems: Vec<Problem>,
}

impl PositionError {
    /// The reasons one by one: those why it is not a FEN first.
    pub fn reasons(&self) -> impl Iterator<Item = &dyn fmt::Display> {
        let errors = self.errors.iter().map(|error| error as &dyn fmt::Display);
        errors.chain(self.problems.iter().map(|problem| problem as &dyn fmt::Display))
    }
}

impl fmt::Display for PositionError {
    /// All that is wrong, on one line.
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

/// `noun`, with an `s` unless there is exactly one.
fn plural(count: usize, noun: &str) -> String {
    format!("{noun}{}", if count == 1 { "" } else { "s" })
}
