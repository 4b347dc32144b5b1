//! The position in which a game begins.

use super::PgnProblem;
use crate::chess::{Position, Problem, Setup};
use crate::notation::{Excerpt, PositionError, parse_fen, position_from_fen};

/// Variants whose moves are those of standard chess or Chess960, as files name them; letters
/// only, in lower case.
const KNOWN_VARIANTS: [&str; 14] = [
    "",
    "standard",
    "chess",
    "normal",
    "regular",
    "fromposition",
    "setupposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischerrandomchess",
    "frc",
    "freestyle",
    "doublechess960",
];

/// What the tags say about the initial position.
#[derive(Clone, Copy, Default, Debug)]
pub(super) enum Start {
    /// Nothing.
    #[default]
    Standard,
    /// It is this one.
    SetUp(Position),
    /// It cannot be read, or the rules are not known.
    Unknown,
}

impl Start {
    /// Reads the `Variant` tag.
    pub(super) fn read_variant(&mut self, value: &str) -> Result<(), Box<PgnProblem>> {
        let letters = value.chars().filter(char::is_ascii_alphanumeric);
        let plain = letters.collect::<String>().to_ascii_lowercase();
        if KNOWN_VARIANTS.contains(&&*plain) {
            return Ok(());
        }
        *self = Self::Unknown;
        Err(Box::new(PgnProblem::Variant(Excerpt::new(value))))
    }

    /// Reads the `FEN` tag. What is wrong but does no harm to the moves is put right, and
    /// reported nevertheless.
    pub(super) fn read_fen(&mut self, value: &str) -> Result<(), Box<PgnProblem>> {
        if matches!(self, Self::Unknown) {
            return Ok(());
        }
        let (position, error) = read(value);
        *self = position.map_or(Self::Unknown, Self::SetUp);
        match error {
            None => Ok(()),
            Some(error) => {
                let (found, is_repaired) = (Excerpt::new(value), position.is_some());
                Err(Box::new(PgnProblem::Position { found, error, is_repaired }))
            }
        }
    }
}

/// The position that a FEN means, if there is one, and what is wrong with it, if anything is.
fn read(fen: &str) -> (Option<Position>, Option<PositionError>) {
    match position_from_fen(fen) {
        Ok(position) => (Some(position), None),
        Err(error) => {
            let repaired = parse_fen(fen).ok().and_then(|setup| repaired(setup, &error.problems));
            (repaired, Some(error))
        }
    }
}

/// The position without what is wrong with it but does no harm to the moves, if no more is wrong.
fn repaired(mut setup: Setup, problems: &[Problem]) -> Option<Position> {
    for problem in problems {
        match *problem {
            Problem::CastlingKing(right) | Problem::CastlingRook(right) | Problem::CastlingTwice(right) => {
                setup.castling.retain(|&other| other != right);
            }
            Problem::EnPassantRank(_)
            | Problem::EnPassantPawn { .. }
            | Problem::EnPassantBlocked { .. }
            | Problem::EnPassantCheck(_) => setup.en_passant = None,
            Problem::FullmoveNumber => setup.fullmove_number = 1,
            _ => {}
        }
    }
    Position::try_from(setup).ok()
}
