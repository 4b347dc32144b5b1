//! Notations of chess: FEN, EPD, SAN, PGN, UCI moves and opening names, each read and written; and quantities.

mod board_text;
pub mod eco;
mod epd;
mod fen;
pub mod pgn;
mod quantity;
mod san;
mod uci_move;
mod word;

pub use board_text::BoardText;
pub use epd::{
    CentipawnEvaluation, CommentIndex, Correspondent, Epd, EpdError, EpdLine, EpdProblem, EpdReader, Operand,
    Operation, parse_epd, parse_epd_line,
};
pub use fen::{
    Described, Fen, FenError, FenField, FenText, FenWriter, PositionError, RepairedPosition, parse_fen,
    position_from_fen, repair_fen,
};
pub use quantity::{CountError, DurationError, TimeUnit, parse_count, parse_duration, percent, pluralize};
pub use san::{
    Illegality, MoveNumber, PieceLetters, San, SanError, SanMove, SanReader, SanText, parse_san,
    without_number,
};
pub use uci_move::{CastlingStyle, UciMove, UciMoveError, parse_uci_move};

use std::fmt;

/// The start of a text for a message: in backquotes, on one line, and of limited length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    text: String,
    is_complete: bool,
}

impl Excerpt {
    /// The maximum number of characters kept: enough to find the place, and short enough for one line of a terminal.
    const MAX_CHARS: usize = 40;

    /// Keeps the start of `text`.
    pub fn new(text: &str) -> Self {
        let end = text.char_indices().nth(Self::MAX_CHARS).map_or(text.len(), |(end, _)| end);
        Self { text: text[..end].to_owned(), is_complete: end == text.len() }
    }

    /// An excerpt of one character.
    fn of_char(letter: char) -> Self {
        Self { text: letter.to_string(), is_complete: true }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        for letter in self.text.chars() {
            if letter.is_control() {
                write!(f, "{}", letter.escape_default())?;
            } else {
                write!(f, "{letter}")?;
            }
        }
        f.write_str(if self.is_complete { "`" } else { "...`" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_on_one_short_line() {
        let long = "é".repeat(41);
        let cases = [
            ("plain", "KQkq", "`KQkq`".to_owned()),
            ("empty", "", "``".to_owned()),
            ("control characters", "a\n\0", r"`a\n\u{0}`".to_owned()),
            ("as long as it may be", &long[2..], format!("`{}`", &long[2..])),
            ("longer", &long, format!("`{}...`", &long[2..])),
        ];
        for (name, text, expected) in cases {
            assert_eq!(Excerpt::new(text).to_string(), expected, "{name}");
        }
    }
}
