//! Writing FENs.

use crate::chess::{CastlingRight, Color, File, Position, Rank, Role, Setup, Square, Wing};
use std::fmt;

/// A position to be written as a FEN.
///
/// ```
/// use hematite::notation::{Fen, position_from_fen};
/// let text = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
/// let position = position_from_fen(text).unwrap();
/// assert_eq!(Fen::new(&position).shredder().to_string(), text);
/// assert_eq!(Fen::new(&position).to_string(), text.replace("HFhf", "KQkq"));
/// assert!(text.starts_with(&Fen::new(&position).shredder().without_counters().to_string()));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Fen<'a> {
    position: &'a Position,
    names_files: bool,
    has_counters: bool,
}

impl<'a> Fen<'a> {
    /// In the standard form, with the castling rights of X-FEN: `KQkq` where the rook is the
    /// outermost one of its wing, its file where it is not.
    pub const fn new(position: &'a Position) -> Self {
        Self { position, names_files: false, has_counters: true }
    }

    /// In the form of Shredder: castling rights are always the files of the rooks.
    pub const fn shredder(self) -> Self {
        Self { names_files: true, ..self }
    }

    /// Only the first four fields, as in EPD.
    pub const fn without_counters(self) -> Self {
        Self { has_counters: false, ..self }
    }

    /// The letter of a right as this form has it.
    fn right(&self, right: CastlingRight) -> CastlingRight {
        match right {
            CastlingRight::WithRookOn(color, file) if !self.names_files => self
                .outermost_wing(Square::new(file, color.back_rank()), color)
                .map_or(right, |wing| CastlingRight::Outermost(color, wing)),
            _ => right,
        }
    }

    /// The wing on which this castling rook is the outermost one; `None` if another rook is beyond
    /// it.
    fn outermost_wing(&self, rook: Square, color: Color) -> Option<Wing> {
        let rooks = self.position.pieces(color, Role::Rook) & color.back_rank();
        if rook > self.position.king(color) {
            (rooks.last() == Some(rook)).then_some(Wing::King)
        } else {
            (rooks.first() == Some(rook)).then_some(Wing::Queen)
        }
    }
}

impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = Setup::from(self.position);
        write_pieces(&setup, f)?;
        f.write_str(match setup.turn {
            Color::White => " w ",
            Color::Black => " b ",
        })?;
        for &right in &setup.castling {
            write!(f, "{}", self.right(right))?;
        }
        if setup.castling.is_empty() {
            f.write_str("-")?;
        }
        match setup.en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        if self.has_counters {
            write!(f, " {} {}", setup.halfmove_clock, setup.fullmove_number)?;
        }
        Ok(())
    }
}

fn write_pieces(setup: &Setup, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eighth {
            f.write_str("/")?;
        }
        let mut empty = 0;
        for file in File::ALL {
            match setup.pieces[Square::new(file, rank)] {
                None => empty += 1,
                Some(piece) => {
                    write_number(empty, f)?;
                    empty = 0;
                    write!(f, "{piece}")?;
                }
            }
        }
        write_number(empty, f)?;
    }
    Ok(())
}

/// A number of empty squares, if there are any.
fn write_number(empty: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}
