//! The board as lines of text.

use crate::chess::{Board, File, Piece, Rank, Square};
use std::fmt;

/// A board as text for people, White below: eight ranks and the letters of the files, without a line end after them.
///
/// ```
/// use hematite_core::chess::Position;
/// use hematite_core::notation::BoardText;
/// let text = BoardText::new(&Position::start()).to_string();
/// assert!(text.starts_with("8  r n b q k b n r\n7  p p p p p p p p\n6  . . . . . . . .\n"));
/// assert!(text.ends_with("\n1  R N B Q K B N R\n   a b c d e f g h"));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct BoardText<'a> {
    board: &'a Board,
    has_figures: bool,
    has_frame: bool,
    is_flipped: bool,
}

impl<'a> BoardText<'a> {
    /// The board with the piece letters of a FEN.
    pub const fn new(board: &'a Board) -> Self {
        Self { board, has_figures: false, has_frame: false, is_flipped: false }
    }

    /// The board with the chess symbols of Unicode.
    pub const fn figures(self) -> Self {
        Self { has_figures: true, ..self }
    }

    /// The board with Black below.
    ///
    /// ```
    /// use hematite_core::chess::Position;
    /// use hematite_core::notation::BoardText;
    /// let text = BoardText::new(&Position::start()).flipped().to_string();
    /// assert!(text.starts_with("1  R N B K Q B N R\n"));
    /// assert!(text.ends_with("\n8  r n b k q b n r\n   h g f e d c b a"));
    /// ```
    pub const fn flipped(self) -> Self {
        Self { is_flipped: true, ..self }
    }

    /// The ranks from top to bottom.
    fn ranks(self) -> impl Iterator<Item = Rank> {
        Rank::ALL.into_iter().map(move |rank| if self.is_flipped { rank } else { rank.flipped() })
    }

    /// The files from left to right.
    fn files(self) -> impl Iterator<Item = File> + Clone {
        let last = File::COUNT - 1;
        (0..File::COUNT).map(move |index| File::ALL[if self.is_flipped { last - index } else { index }])
    }

    /// The board with lines between the squares, as Stockfish prints it and other programs read it.
    ///
    /// ```
    /// use hematite_core::chess::Position;
    /// use hematite_core::notation::BoardText;
    /// let text = BoardText::new(&Position::start()).framed().to_string();
    /// let line = " +---+---+---+---+---+---+---+---+\n";
    /// assert!(text.starts_with(&format!("{line} | r | n | b | q | k | b | n | r | 8\n{line}")));
    /// assert!(text.ends_with(&format!("{line}   a   b   c   d   e   f   g   h")));
    /// ```
    pub const fn framed(self) -> Self {
        Self { has_frame: true, ..self }
    }

    fn write_framed(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINE: &str = " +---+---+---+---+---+---+---+---+";
        for rank in self.ranks() {
            writeln!(f, "{LINE}")?;
            for file in self.files() {
                write!(f, " | {}", self.sign(file, rank, ' '))?;
            }
            writeln!(f, " | {rank}")?;
        }
        writeln!(f, "{LINE}")?;
        self.files().try_for_each(|file| write!(f, "   {file}"))
    }

    /// The sign of the piece on a square, or `empty`.
    fn sign(self, file: File, rank: Rank, empty: char) -> char {
        let sign = if self.has_figures { figure } else { Piece::letter };
        self.board.piece_at(Square::new(file, rank)).map_or(empty, sign)
    }
}

impl fmt::Display for BoardText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_frame {
            return self.write_framed(f);
        }
        for rank in self.ranks() {
            write!(f, "{rank} ")?;
            for file in self.files() {
                write!(f, " {}", self.sign(file, rank, '.'))?;
            }
            writeln!(f)?;
        }
        f.write_str("  ")?;
        self.files().try_for_each(|file| write!(f, " {file}"))
    }
}

const fn figure(piece: Piece) -> char {
    match piece {
        Piece::WhiteKing => '♔',
        Piece::WhiteQueen => '♕',
        Piece::WhiteRook => '♖',
        Piece::WhiteBishop => '♗',
        Piece::WhiteKnight => '♘',
        Piece::WhitePawn => '♙',
        Piece::BlackKing => '♚',
        Piece::BlackQueen => '♛',
        Piece::BlackRook => '♜',
        Piece::BlackBishop => '♝',
        Piece::BlackKnight => '♞',
        Piece::BlackPawn => '♟',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_piece_has_a_sign_of_its_own() {
        for sign in [figure, Piece::letter] {
            let signs: HashSet<char> = Piece::ALL.into_iter().map(sign).collect();
            assert_eq!(signs.len(), Piece::COUNT);
        }
    }
}
