//! What each piece contributes to the evaluation.

use crate::chess::{Color, File, Position, Rank, Role, Setup, Square};
use crate::search::Score;
use std::fmt;

/// Shows the board with, below each piece, by how much the evaluation would differ without it,
/// in pawns, from White's side of the board. Nothing is shown where the evaluation cannot tell: for kings,
/// and for pieces without which the position would be illegal.
pub(super) struct Contributions<'a> {
    pub position: &'a Position,
    /// The value of a position for the side to move.
    pub evaluate: &'a dyn Fn(&Position) -> Score,
}

/// The letters of a square.
const WIDTH: usize = 7;

impl fmt::Display for Contributions<'_> {
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

/// In a pawn.
const CENTIPAWNS: f64 = 100.0;

impl Contributions<'_> {
    fn for_white(&self, position: &Position) -> i32 {
        let value = (self.evaluate)(position).told();
        if position.turn() == Color::White { value } else { -value }
    }
}

/// The position without the piece on a square, if there is one and it can be spared.
fn without(position: &Position, square: Square) -> Option<Position> {
    position.role_at(square).filter(|&role| role != Role::King)?;
    let mut setup = Setup::from(position);
    setup.pieces[square.index()] = None;
    // Whether these still hold does not matter to the evaluation.
    setup.castling.clear();
    setup.en_passant = None;
    Position::try_from(setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded;
    use crate::notation::position_from_fen;
    use crate::search::evaluate;

    #[test]
    fn each_piece_counts_for_its_side() {
        let position = position_from_fen("3qk3/8/8/8/8/8/8/R3K3 b Q - 0 1").expect("legal");
        let network = embedded();
        let text = Contributions { position: &position, evaluate: &|position| evaluate(position, &network) }
            .to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 17, "{text}");
        let queen: f64 = lines[1].trim().parse().expect("only the queen is weighed");
        let rook: f64 = lines[15].trim().parse().expect("only the rook is weighed");
        assert!(queen < -2.0 && rook > 1.0, "{text}");
        // Without the rook Black would be in check from the queen behind it.
        let shield = position_from_fen("4k3/8/8/8/4r3/8/4Q3/4K3 w - - 0 1").expect("legal");
        assert_eq!(without(&shield, Square::E4), None);
    }
}
