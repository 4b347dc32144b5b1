//! The position in which a game begins.

use super::PgnProblem;
use crate::chess::{Position, Problem};
use crate::notation::{Excerpt, PositionError, parse_fen};

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
    /// The initial position; `None` if it is not known.
    pub(super) fn position(&self) -> Option<Position> {
        match self {
            Self::Standard => Some(Position::start()),
            Self::SetUp(position) => Some(*position),
            Self::Unknown => None,
        }
    }

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
        let (start, error) = match read(value) {
            Ok(position) => {
                *self = Self::SetUp(position);
                return Ok(());
            }
            Err(refused) => refused,
        };
        *self = start.map_or(Self::Unknown, Self::SetUp);
        let (found, is_repaired) = (Excerpt::new(value), start.is_some());
        Err(Box::new(PgnProblem::Position { found, error, is_repaired }))
    }
}

/// The position of a FEN; or what is wrong with it, and the position that it seems to mean.
fn read(fen: &str) -> Result<Position, (Option<Position>, PositionError)> {
    let setup = parse_fen(fen).map_err(|error| (None, error.into()))?;
    let problems = match Position::try_from(setup.clone()) {
        Ok(position) => return Ok(position),
        Err(problems) => problems,
    };
    let mut repaired = setup;
    for problem in &problems {
        match *problem {
            Problem::CastlingKing(right) | Problem::CastlingRook(right) | Problem::CastlingTwice(right) => {
                repaired.castling.retain(|&other| other != right);
            }
            Problem::EnPassantRank(_)
            | Problem::EnPassantPawn { .. }
            | Problem::EnPassantBlocked { .. }
            | Problem::EnPassantCheck(_) => repaired.en_passant = None,
            Problem::FullmoveNumber => repaired.fullmove_number = 1,
            _ => {}
        }
    }
    Err((Position::try_from(repaired).ok(), problems.into()))
}
