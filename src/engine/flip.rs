//! The same position with the sides exchanged.

use crate::chess::{CastlingRight, Color, Piece, Position, Problem, Setup, Square};

/// Mirrors the board between the ranks and exchanges the colors, the side to move too. It has
/// the same value for the side to move, so an evaluation that sees a difference is wrong.
///
/// # Errors
/// None that is known: what is legal for one side is legal for the other.
pub(super) fn flip(position: &Position) -> Result<Position, Vec<Problem>> {
    let setup = Setup::from(position);
    let pieces = Square::ALL.map(|square| {
        let piece = setup.pieces[square.flipped().index()]?;
        Some(Piece::new(!piece.color(), piece.role()))
    });
    // White's rights come first, as before.
    let rights = |color: Color| setup.castling.iter().copied().filter(move |right| right.color() != color);
    let castling = Color::ALL.into_iter().flat_map(rights).map(|right| match right {
        CastlingRight::Outermost(color, wing) => CastlingRight::Outermost(!color, wing),
        CastlingRight::WithRookOn(color, file) => CastlingRight::WithRookOn(!color, file),
    });
    Position::try_from(Setup {
        pieces,
        turn: !setup.turn,
        castling: castling.collect(),
        en_passant: setup.en_passant.map(Square::flipped),
        ..setup
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded;
    use crate::notation::{Fen, position_from_fen};
    use crate::search::evaluate;

    #[test]
    fn sides_are_exchanged_and_twice_is_nothing() {
        let cases = [
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
            ),
            ("r3k3/8/8/8/8/8/8/4K2R b Kq - 4 30", "4k2r/8/8/8/8/8/8/R3K3 w Qk - 4 30"),
        ];
        let network = embedded();
        for (fen, expected) in cases {
            let position = position_from_fen(fen).expect(fen);
            let flipped = flip(&position).expect(fen);
            assert_eq!(Fen::new(&flipped).to_string(), expected);
            assert_eq!(flip(&flipped), Ok(position), "{fen}");
            assert_eq!(evaluate(&flipped, &network), evaluate(&position, &network), "{fen}");
        }
    }
}
