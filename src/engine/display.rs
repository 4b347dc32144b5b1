//! The position for a person: board, evaluation of each piece, exchanged sides.

use super::game::Game;
use crate::chess::{CastlingRight, Color, File, Piece, Position, Problem, Rank, Role, Setup, Square};
use crate::notation::{CastlingStyle, Fen, UciMove};
use crate::search::Score;
use std::fmt;

/// Displays the board, the FEN, the key, the checkers, the legal moves, and the result if the game is over.
pub(super) struct Display<'a> {
    pub game: &'a Game,
    pub style: CastlingStyle,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.game.position;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank} ")?;
            for file in File::ALL {
                match position.piece_at(Square::new(file, rank)) {
                    Some(piece) => write!(f, " {piece}")?,
                    None => f.write_str(" .")?,
                }
            }
            writeln!(f)?;
        }
        f.write_str("  ")?;
        File::ALL.into_iter().try_for_each(|file| write!(f, " {file}"))?;
        writeln!(f, "\n\nFen: {}", fen(position, self.style))?;
        writeln!(f, "Key: {}", position.key())?;
        f.write_str("Checkers:")?;
        position.checkers().into_iter().try_for_each(|square| write!(f, " {square}"))?;
        let moves = position.legal_moves();
        write!(f, "\nLegal moves: {}", moves.len())?;
        moves.iter().try_for_each(|&mv| write!(f, " {}", UciMove::new(mv, self.style)))?;
        if let Some(outcome) = position.outcome(&self.game.line) {
            let claim = if outcome.must_be_claimed() { ", if claimed" } else { "" };
            write!(f, "\nResult: {} ({outcome}{claim})", outcome.result())?;
        }
        Ok(())
    }
}

/// The FEN in the notation of castling.
pub(super) const fn fen(position: &Position, style: CastlingStyle) -> Fen<'_> {
    let fen = Fen::new(position);
    match style {
        CastlingStyle::Standard => fen,
        CastlingStyle::Chess960 => fen.shredder(),
    }
}

/// Displays the board and, below each piece, the difference of the evaluation without it, in pawns, from White's
/// point of view. Kings, and pieces without which the position would be illegal, have none.
pub(super) struct EvalTrace<'a> {
    pub position: &'a Position,
    /// The evaluation of a position for the side to move.
    pub evaluate: &'a dyn Fn(&Position) -> Score,
}

/// The width of a square, in characters.
const WIDTH: usize = 7;

impl fmt::Display for EvalTrace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let whole = self.for_white(position);
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank} ")?;
            for file in File::ALL {
                match position.piece_at(Square::new(file, rank)) {
                    Some(piece) => write!(f, "{:>WIDTH$}", piece.to_string())?,
                    None => write!(f, "{:>WIDTH$}", ".")?,
                }
            }
            f.write_str("\n  ")?;
            for file in File::ALL {
                let square = Square::new(file, rank);
                match without(position, square) {
                    Some(rest) => {
                        let pawns = f64::from(whole - self.for_white(&rest)) / CENTIPAWNS;
                        write!(f, "{pawns:>+WIDTH$.2}")?;
                    }
                    None => write!(f, "{:WIDTH$}", "")?,
                }
            }
            writeln!(f)?;
        }
        f.write_str("  ")?;
        File::ALL.into_iter().try_for_each(|file| write!(f, "{:>WIDTH$}", file.letter()))
    }
}

/// Centipawns in a pawn.
const CENTIPAWNS: f64 = 100.0;

impl EvalTrace<'_> {
    fn for_white(&self, position: &Position) -> i32 {
        let value = (self.evaluate)(position).to_cp();
        if position.turn() == Color::White { value } else { -value }
    }
}

/// The position without the piece on a square, if there is one and the position remains legal.
fn without(position: &Position, square: Square) -> Option<Position> {
    position.role_at(square).filter(|&role| role != Role::King)?;
    let mut setup = Setup::from(position);
    setup.pieces[square.index()] = None;
    // The evaluation does not depend on them.
    setup.castling.clear();
    setup.en_passant = None;
    Position::try_from(setup).ok()
}

/// Mirrors the board between the ranks and exchanges the colors, and the side to move. The
/// evaluation for the side to move must remain the same.
///
/// # Errors
/// None in practice: a legal position remains legal with exchanged sides.
pub(super) fn flip(position: &Position) -> Result<Position, Vec<Problem>> {
    let setup = Setup::from(position);
    let pieces = Square::ALL.map(|square| {
        let piece = setup.pieces[square.flip_rank().index()]?;
        Some(Piece::new(!piece.color(), piece.role()))
    });
    // White's rights come first.
    let rights = |color: Color| setup.castling.iter().copied().filter(move |right| right.color() != color);
    let castling = Color::ALL.into_iter().flat_map(rights).map(|right| match right {
        CastlingRight::Outermost(color, wing) => CastlingRight::Outermost(!color, wing),
        CastlingRight::WithRookOn(color, file) => CastlingRight::WithRookOn(!color, file),
    });
    Position::try_from(Setup {
        pieces,
        turn: !setup.turn,
        castling: castling.collect(),
        en_passant: setup.en_passant.map(Square::flip_rank),
        ..setup
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded;
    use crate::notation::position_from_fen;
    use crate::search::evaluate;

    // Evaluation of each piece

    #[test]
    fn each_piece_counts_for_its_side() {
        let position = position_from_fen("3qk3/8/8/8/8/8/8/R3K3 b Q - 0 1").expect("legal");
        let network = embedded();
        let text =
            EvalTrace { position: &position, evaluate: &|position| evaluate(position, &network) }.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 17, "{text}");
        let queen: f64 = lines[1].trim().parse().expect("only the queen is weighed");
        let rook: f64 = lines[15].trim().parse().expect("only the rook is weighed");
        assert!(queen < -2.0 && rook > 1.0, "{text}");
        // Without the rook Black would be in check from the queen behind it.
        let shield = position_from_fen("4k3/8/8/8/4r3/8/4Q3/4K3 w - - 0 1").expect("legal");
        assert_eq!(without(&shield, Square::E4), None);
    }

    // Exchanged sides

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
