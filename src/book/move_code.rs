//! Moves as books store them.

use crate::chess::{Move, Role};

const SQUARE_BITS: u32 = 6;
/// What a pawn becomes, counted from 1.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A move in two bytes: target, origin, and what a pawn becomes. Castling is king takes rook.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct MoveCode(pub u16);

impl MoveCode {
    pub(super) fn of(mv: Move) -> Self {
        let place = |role| PROMOTIONS.iter().position(|&other| other == role);
        let promotion = mv.promotion().and_then(place).map_or(0, |place| place as u16 + 1);
        let (from, to) = (mv.from().index() as u16, mv.to().index() as u16);
        Self(promotion << (2 * SQUARE_BITS) | from << SQUARE_BITS | to)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::position;
    use super::*;

    #[test]
    fn every_legal_move_has_a_code_of_its_own() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let moves = position(fen).legal_moves();
            let mut codes: Vec<_> = moves.iter().map(|&mv| MoveCode::of(mv)).collect();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), moves.len(), "{fen}");
        }
    }

    #[test]
    fn codes_are_those_of_the_format() {
        let code = |fen, wanted: &str| {
            let position = position(fen);
            let moves = position.legal_moves();
            let spelled = |mv: &&Move| {
                let promotion = mv.promotion().map_or(String::new(), |role| format!("{role:?}"));
                format!("{}{}{promotion}", mv.from(), mv.to()) == wanted
            };
            MoveCode::of(*moves.iter().find(spelled).expect(wanted)).0
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(code(start, "e2e4"), 0o1434);
        assert_eq!(code(castling, "e1h1"), 0o0407);
        assert_eq!(code(castling, "e1a1"), 0o0400);
        assert_eq!(code("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8Queen"), 4 << 12 | 0o6070);
        assert_eq!(code("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8Knight"), 1 << 12 | 0o6070);
    }
}
