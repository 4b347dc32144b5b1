//! What can be wrong with a game.

use super::Place;
use crate::notation::{Excerpt, PositionError, SanError};
use std::fmt;

/// Something in a PGN text that is not as it should be. It never ends the reading: what came
/// before it is kept, and the next game is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnError {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub problem: PgnProblem,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for PgnError {}

/// What is wrong: each says what was found and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnProblem {
    /// A tag pair is not `[Name "value"]`.
    Tag(Excerpt),
    /// The value of a tag pair is not closed on its line. It is read to the end of the line.
    UnclosedValue(Excerpt),
    /// The value of a tag pair has quotes in it that are not escaped. They are read as meant.
    UnescapedQuote(Excerpt),
    /// Not a move, or one that is not legal. The rest of its line is left out.
    Move(SanError),
    /// A variation stands where there is no move that it could replace. It is left out.
    VariationWithoutMove,
    /// Variations are nested deeper than is read. What is deeper is left out.
    TooDeep,
    /// A `)` without its `(`.
    UnopenedVariation,
    /// A `(` without its `)`.
    UnclosedVariation,
    /// A `{` without its `}`. The comment is read to where the next game begins.
    UnclosedComment,
    /// A token is longer than is read. It is left out.
    TooLong {
        /// Its beginning.
        found: Excerpt,
        /// The most bytes that are read.
        limit: usize,
    },
    /// A glyph is not `$0` to `$255`.
    Glyph(Excerpt),
    /// Something is none of the tokens of PGN.
    Stray(Excerpt),
    /// Something stands behind the result, on its line.
    AfterResult(Excerpt),
    /// A comment is not closed before a game begins, or no game follows it. It is kept as a game
    /// without moves.
    MissingGame,
    /// The game ends without a termination marker.
    MissingResult,
    /// The initial position is no chess position.
    Position {
        /// The FEN.
        found: Excerpt,
        /// What is wrong with it.
        error: PositionError,
        /// Could it be read nevertheless, leaving out what is wrong?
        is_repaired: bool,
    },
    /// The rules of this variant are not known. The moves are left out.
    Variant(Excerpt),
    /// The game has more than can be held. The rest is left out.
    TooLarge,
}

impl fmt::Display for PgnProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(found) => write!(f, "found {found}, expected a tag pair such as [Event \"?\"]"),
            Self::UnclosedValue(found) => write!(f, "the tag value {found} is not closed, expected \"]"),
            Self::UnescapedQuote(found) => {
                write!(f, "the tag value {found} has a quote in it, expected it to be written \\\"")
            }
            Self::Move(error) => error.fmt(f),
            Self::VariationWithoutMove => f.write_str("a variation, but no move before it to replace"),
            Self::TooDeep => write!(f, "more than {} variations within one another", super::MAX_DEPTH),
            Self::UnopenedVariation => f.write_str("found `)`, but no variation is open"),
            Self::UnclosedVariation => f.write_str("the game ends within a variation, expected `)`"),
            Self::UnclosedComment => f.write_str("the comment is not closed, expected `}`"),
            Self::TooLong { found, limit } => {
                write!(f, "{found} goes on for more than {limit} bytes, which is too long to be read")
            }
            Self::Glyph(found) => write!(f, "found {found}, expected a glyph $0 to $255"),
            Self::Stray(found) => write!(f, "found {found}, expected a move, a comment or a result"),
            Self::AfterResult(found) => {
                write!(f, "found {found} behind the result, expected the next game on a line of its own")
            }
            Self::MissingGame => {
                f.write_str("a comment that belongs to no game, expected tags or moves behind it")
            }
            Self::MissingResult => {
                f.write_str("the game ends without a result, expected 1-0, 0-1, 1/2-1/2 or *")
            }
            Self::Position { found, error, is_repaired } => {
                let verdict = if *is_repaired { "is put right" } else { "is no chess position" };
                write!(f, "the initial position {found} {verdict}: {error}")
            }
            Self::Variant(found) => {
                write!(f, "the variant {found} is not known, expected standard chess or Chess960")
            }
            Self::TooLarge => f.write_str("the game is too large to be held, expected less moves and text"),
        }
    }
}
