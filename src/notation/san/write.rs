//! Writing moves.

use super::PieceLetters;
use crate::chess::{Move, Position, Role};
use arrayvec::ArrayString;
use std::fmt;

/// The longest text of a move in bytes: `e7xd8=♕#` and `♘b1xd2#` take ten and nine.
const MAX_BYTES: usize = 12;

/// The text of a move, without allocation.
pub type SanText = ArrayString<MAX_BYTES>;

/// A legal move of a position to be written in algebraic notation.
///
/// ```
/// use hematite::notation::{PieceLetters, San, parse_san, position_from_fen};
/// let position = position_from_fen("6k1/3n1pp1/8/8/7Q/5N2/8/1N4K1 w - - 0 1").unwrap();
/// let mv = parse_san("nbd2", &position).unwrap().mv().unwrap();
/// let san = San::new(&position, mv);
/// assert_eq!(san.to_string(), "Nbd2");
/// assert_eq!(san.long().to_string(), "Nb1-d2");
/// assert_eq!(san.letters(PieceLetters::FIGURINES).to_string(), "♘bd2");
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct San<'a> {
    position: &'a Position,
    mv: Move,
    letters: PieceLetters,
    is_long: bool,
}

impl<'a> San<'a> {
    /// In canonical form: the origin is written only as far as other legal moves make it necessary,
    /// a check ends in `+` and mate in `#`. The move must be legal in the position.
    pub const fn new(position: &'a Position, mv: Move) -> Self {
        Self { position, mv, letters: PieceLetters::ENGLISH, is_long: false }
    }

    /// In long algebraic notation: `Ng1-f3`, `e5xd6`, `e7-e8=Q+`.
    pub const fn long(self) -> Self {
        Self { is_long: true, ..self }
    }

    /// With the letters of another language or with figurines.
    pub const fn letters(self, letters: PieceLetters) -> Self {
        Self { letters, ..self }
    }

    /// The text.
    ///
    /// # Panics
    /// If there is no piece on the origin; any other illegal move gives a meaningless text.
    pub fn text(&self) -> SanText {
        self.played().0
    }

    /// The text, and the position after the move.
    ///
    /// # Panics
    /// As [`Self::text`].
    pub fn played(&self) -> (SanText, Position) {
        let (from, to) = (self.mv.from(), self.mv.to());
        let mut text = SanText::new();
        if self.mv.is_castle() {
            text.push_str(if to > from { "O-O" } else { "O-O-O" });
        } else {
            let role = self.position.role_at(from).expect("a legal move starts from a piece");
            let captures = self.position.captured_role(self.mv).is_some();
            if role != Role::Pawn {
                text.push(self.letters.letter(role));
            }
            let (shows_file, shows_rank) = self.origin(role, captures);
            if shows_file {
                text.push(from.file().letter());
            }
            if shows_rank {
                text.push(from.rank().digit());
            }
            if captures {
                text.push('x');
            } else if self.is_long {
                text.push('-');
            }
            text.push(to.file().letter());
            text.push(to.rank().digit());
            if let Some(role) = self.mv.promotion() {
                text.push('=');
                text.push(self.letters.letter(role));
            }
        }
        let (after, _) = self.position.after(self.mv);
        if after.is_check() {
            text.push(if after.legal_moves().is_empty() { '#' } else { '+' });
        }
        (text, after)
    }

    /// Whether the file and the rank of the origin are written.
    fn origin(&self, role: Role, captures: bool) -> (bool, bool) {
        if self.is_long {
            return (true, true);
        }
        if role == Role::Pawn {
            return (captures, false);
        }
        let from = self.mv.from();
        let rivals = self.position.origins(role, self.mv.to()) - from;
        let shares_file = rivals.intersects(from.file().squares());
        let shares_rank = rivals.intersects(from.rank().squares());
        // The file is preferred, the rank is next, and both are the last resort.
        (!rivals.is_empty() && (!shares_file || shares_rank), shares_file)
    }
}

impl fmt::Display for San<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}
