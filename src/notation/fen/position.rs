//! From text to a chess position.

use super::read::Reading;
use super::{FenError, FenField, PositionError};
use crate::chess::{CastlingRight, Position, Problem};

/// Reads the FEN of a chess position.
///
/// # Errors
/// [`PositionError`] with all that is wrong with the text, and all that keeps what it describes
/// from being a chess position, whatever the fields should say that cannot be read.
pub fn position_from_fen(text: &str) -> Result<Position, PositionError> {
    let Reading { setup, errors } = Reading::of(text);
    if errors.is_empty() {
        return Ok(Position::try_from(setup)?);
    }
    let wrong: Vec<FenField> = errors.iter().filter_map(FenError::field).collect();
    let repeated = repeated_rights(&setup.castling);
    let mut problems = Position::try_from(setup).err().unwrap_or_default();
    problems.retain(|problem| is_certain(problem, &wrong));
    if wrong.contains(&FenField::PiecePlacement) {
        problems.extend(repeated);
    }
    Err(PositionError { errors, problems })
}

/// Would the problem be there whatever stood in these fields?
fn is_certain(problem: &Problem, wrong: &[FenField]) -> bool {
    let is_right = |field| !wrong.contains(&field);
    match problem {
        Problem::FullmoveNumber => true,
        Problem::EnPassantRank(_) => is_right(FenField::SideToMove),
        Problem::Kings { .. }
        | Problem::PawnOnBackRank(_)
        | Problem::TooManyPieces { .. }
        | Problem::TooManyPawns { .. }
        | Problem::CastlingKing(_)
        | Problem::CastlingRook(_)
        | Problem::CastlingTwice(_) => is_right(FenField::PiecePlacement),
        Problem::OpponentInCheck { .. }
        | Problem::TooManyCheckers { .. }
        | Problem::EnPassantPawn { .. }
        | Problem::EnPassantBlocked { .. }
        | Problem::EnPassantCheck(_) => is_right(FenField::PiecePlacement) && is_right(FenField::SideToMove),
    }
}

/// The castling rights that are stated twice, wherever kings and rooks stand.
fn repeated_rights(rights: &[CastlingRight]) -> Vec<Problem> {
    let is_repeated = |&(index, right): &(usize, &CastlingRight)| rights[..index].contains(right);
    rights.iter().enumerate().filter(is_repeated).map(|(_, &right)| Problem::CastlingTwice(right)).collect()
}
