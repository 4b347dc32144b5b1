//! Everything that is wrong with a FEN.

use crate::chess::{Position, Problem, Rank};
use crate::notation::{FenError, FenField, parse_fen};

/// The fields of a FEN that is right, to stand in for those that are wrong.
const SUBSTITUTES: [&str; 6] = ["8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1"];
/// A rank that is right.
const EMPTY_RANK: &str = "8";

/// The position of a FEN.
///
/// # Errors
/// All that is wrong with it: the reader stops at the first thing, so each field that is wrong is
/// replaced by one that is right, and the rest is read again.
pub(super) fn faults(fen: &str) -> Result<Position, Vec<String>> {
    let mut fields: Vec<String> = fen.split_whitespace().map(str::to_owned).collect();
    let mut faults: Vec<String> = Vec::new();
    let mut wrong_fields = Vec::new();
    let setup = loop {
        let error = match parse_fen(&fields.join(" ")) {
            Ok(setup) => break setup,
            Err(error) => error,
        };
        faults.push(error.to_string());
        let field = error.field();
        match repair(&mut fields, &error) {
            Some(()) => wrong_fields.extend(field),
            None => return Err(faults),
        }
    };
    match Position::try_from(setup) {
        Ok(position) if faults.is_empty() => Ok(position),
        Ok(_) => Err(faults),
        Err(problems) => {
            let known = problems.iter().filter(|problem| is_certain(problem, &wrong_fields));
            faults.extend(known.map(ToString::to_string));
            Err(faults)
        }
    }
}

/// Puts something right where the error is; `None` if that cannot be done.
fn repair(fields: &mut Vec<String>, error: &FenError) -> Option<()> {
    let Some(field) = error.field() else {
        fields.truncate(SUBSTITUTES.len());
        return Some(());
    };
    let place = place(field);
    let text = fields.get_mut(place)?;
    match error {
        FenError::RankLength { rank, .. }
        | FenError::UnknownPiece { rank, .. }
        | FenError::AdjacentNumbers(rank) => {
            let ranks = text.split('/').enumerate();
            let from_above = Rank::COUNT - 1 - *rank as usize;
            let ranks: Vec<&str> =
                ranks.map(|(index, text)| if index == from_above { EMPTY_RANK } else { text }).collect();
            *text = ranks.join("/");
        }
        _ => *text = SUBSTITUTES[place].to_owned(),
    }
    Some(())
}

/// Where a field stands.
const fn place(field: FenField) -> usize {
    match field {
        FenField::PiecePlacement => 0,
        FenField::SideToMove => 1,
        FenField::CastlingRights => 2,
        FenField::EnPassantSquare => 3,
        FenField::HalfmoveClock => 4,
        FenField::FullmoveNumber => 5,
    }
}

/// Would the problem be there whatever stood in these fields?
fn is_certain(problem: &Problem, wrong_fields: &[FenField]) -> bool {
    let names_wrong = wrong_fields.iter().any(|field| field.to_string() == problem.field());
    let pieces_are_wrong = wrong_fields.contains(&FenField::PiecePlacement);
    let turn_is_wrong = wrong_fields.contains(&FenField::SideToMove);
    match problem {
        _ if names_wrong => false,
        Problem::FullmoveNumber => true,
        Problem::Kings { .. }
        | Problem::PawnOnBackRank(_)
        | Problem::TooManyPieces { .. }
        | Problem::TooManyPawns { .. }
        | Problem::CastlingKing(_)
        | Problem::CastlingRook(_)
        | Problem::CastlingTwice(_) => !pieces_are_wrong,
        _ => !pieces_are_wrong && !turn_is_wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_wrong_is_told_and_nothing_that_may_be_right() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("nothing", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[]),
            (
                "two ranks and the side",
                "4k3/9/8/8/7/8/8/4K3 x - - 0 1",
                &["piece placement: ", "piece placement: rank 4 has 7 squares", "side to move: `x`"],
            ),
            (
                "every field",
                "4k3/8 x KX e9 many -1 more",
                &[
                    "piece placement: 2 ranks",
                    "side to move: ",
                    "castling rights: ",
                    "en passant square: ",
                    "half-move clock: ",
                    "full-move number: ",
                    "`more` after",
                ],
            ),
            (
                "the side, with kings that are missing",
                "8/8/8/8/8/8/8/8 x - - 0 1",
                &[
                    "side to move: ",
                    "piece placement: White has 0 kings",
                    "piece placement: Black has 0 kings",
                ],
            ),
            ("the side, with a check", "4k3/8/8/8/8/8/8/4RK2 x - - 0 1", &["side to move: `x`"]),
            ("a field that is missing", "4k3/8/8/8/8/8/8/4K3 w", &["castling rights: missing"]),
            ("nothing at all", "", &["piece placement: missing"]),
            (
                "what reads well",
                "4k3/8/8/8/8/8/8/4RK1P w K e4 0 0",
                &[
                    "piece placement: a pawn",
                    "side to move: Black",
                    "castling rights: `K`",
                    "en passant",
                    "full",
                ],
            ),
        ];
        for (name, fen, expected) in cases {
            let found = faults(fen).map_or_else(|faults| faults, |_| Vec::new());
            assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
            for (found, expected) in found.iter().zip(*expected) {
                assert!(found.starts_with(expected), "{name}: {found}, expected {expected}");
            }
        }
    }
}
