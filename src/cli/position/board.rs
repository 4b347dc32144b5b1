//! The board as a person sees it.

use crate::chess::{File, Piece, Position, Rank, Square};
use std::{env, fmt};

/// How pieces are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pieces {
    /// As the letters of a FEN.
    Letters,
    /// As the figures that Unicode has.
    Figures,
}

/// Where the locale is told, the first that is set having the last word.
const LOCALE_VARIABLES: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

impl Pieces {
    /// Figures where the locale has them.
    pub(super) fn of_locale() -> Self {
        let locale = LOCALE_VARIABLES.into_iter().filter_map(env::var_os).find(|value| !value.is_empty());
        locale.map_or(Self::Letters, |locale| Self::of_locale_name(&locale.to_string_lossy()))
    }

    fn of_locale_name(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        if name.contains("utf-8") || name.contains("utf8") { Self::Figures } else { Self::Letters }
    }

    const fn sign(self, piece: Piece) -> char {
        match self {
            Self::Letters => piece.letter(),
            Self::Figures => match piece {
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
            },
        }
    }
}

/// A position to be drawn with White below.
pub(super) struct Board<'a> {
    pub position: &'a Position,
    pub pieces: Pieces,
}

impl fmt::Display for Board<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank} ")?;
            for file in File::ALL {
                let sign = self.position.piece_at(Square::new(file, rank));
                write!(f, " {}", sign.map_or('.', |piece| self.pieces.sign(piece)))?;
            }
            writeln!(f)?;
        }
        f.write_str("  ")?;
        File::ALL.into_iter().try_for_each(|file| write!(f, " {file}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_chooses() {
        let cases = [
            ("de_DE.UTF-8", Pieces::Figures),
            ("C.utf8", Pieces::Figures),
            ("C", Pieces::Letters),
            ("de_DE.ISO-8859-1", Pieces::Letters),
        ];
        for (name, expected) in cases {
            assert_eq!(Pieces::of_locale_name(name), expected, "{name}");
        }
    }

    #[test]
    fn every_piece_has_a_sign_of_its_own() {
        for pieces in [Pieces::Letters, Pieces::Figures] {
            let signs: std::collections::HashSet<char> =
                Piece::ALL.into_iter().map(|piece| pieces.sign(piece)).collect();
            assert_eq!(signs.len(), Piece::COUNT, "{pieces:?}");
        }
    }
}
