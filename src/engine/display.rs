//! The position as a person reads it.

use super::game::Game;
use crate::chess::{File, Position, Rank, Square};
use crate::notation::{CastlingStyle, Fen, UciMove};
use std::fmt;

/// Shows the board, the FEN, the key, who gives check, the legal moves, and whether the game is over.
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

/// The FEN in the form that goes with the moves.
pub(super) const fn fen(position: &Position, style: CastlingStyle) -> Fen<'_> {
    let fen = Fen::new(position);
    match style {
        CastlingStyle::Standard => fen,
        CastlingStyle::Chess960 => fen.shredder(),
    }
}
