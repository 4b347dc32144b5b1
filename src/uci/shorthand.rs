//! A position or moves without a command before them, as people type them.

use super::tokens::Tokens;
use std::fmt;

/// What is meant by a line that has no command in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shorthand {
    /// A FEN, unread: to be set up.
    Fen(String),
    /// Moves, unread, in UCI or algebraic notation: to be played.
    Moves(Vec<String>),
}

/// A FEN has as many strokes between its ranks.
const FEN_STROKES: usize = 7;
/// The most letters of a move: `Nb1xd2+!?`, and some to spare.
const LONGEST_MOVE: usize = 12;

impl Shorthand {
    /// Takes a line for a position or for moves by its looks; `None` if it looks like neither.
    pub(super) fn read(tokens: Tokens<'_>) -> Option<Self> {
        let first = tokens.peek()?;
        if first.bytes().filter(|&byte| byte == b'/').count() == FEN_STROKES {
            return Some(Self::Fen(tokens.collect::<Vec<_>>().join(" ")));
        }
        let moves: Vec<_> = tokens.map(without_number).filter(|text| !text.is_empty()).collect();
        let is_moves = !moves.is_empty() && moves.iter().all(|text| looks_like_a_move(text));
        is_moves.then(|| Self::Moves(moves.into_iter().map(str::to_owned).collect()))
    }
}

/// What follows a move number and its dots: `Nf3` of `12.Nf3`, nothing of `12...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// Castling, or letters that moves are made of and a square among them.
fn looks_like_a_move(word: &str) -> bool {
    let is_castling = ["O-O", "0-0", "o-o"].iter().any(|castling| word.starts_with(castling));
    let is_of_moves = |byte: &u8| b"abcdefgh12345678KQRBNPkqrbnx=+#-!?()".contains(byte);
    let has_square = word
        .as_bytes()
        .windows(2)
        .any(|pair| (b'a'..=b'h').contains(&pair[0]) && (b'1'..=b'8').contains(&pair[1]));
    word.len() <= LONGEST_MOVE && (is_castling || has_square && word.as_bytes().iter().all(is_of_moves))
}

impl fmt::Display for Shorthand {
    /// The line that reads back as this.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(fen) => f.write_str(fen),
            Self::Moves(moves) => f.write_str(&moves.join(" ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_moves_are_told_from_nonsense() {
        let fen = |text: &str| Some(Shorthand::Fen(text.to_owned()));
        let moves =
            |texts: &[&str]| Some(Shorthand::Moves(texts.iter().map(|text| (*text).to_owned()).collect()));
        let cases = [
            ("FEN", "8/8/8/8/8/8/8/8  w - -", fen("8/8/8/8/8/8/8/8 w - -")),
            ("UCI move", "e2e4", moves(&["e2e4"])),
            ("promotion", "b7b8q", moves(&["b7b8q"])),
            ("pawn move", "e4", moves(&["e4"])),
            ("piece move", "Nb1xd2+!?", moves(&["Nb1xd2+!?"])),
            ("castling", "O-O-O+", moves(&["O-O-O+"])),
            ("a game", "1. e4 e5 2.Nf3 2...Nc6", moves(&["e4", "e5", "Nf3", "Nc6"])),
            ("a word", "xyzzy", None),
            ("a word of files", "bad", None),
            ("a move and a word", "e4 please", None),
            ("a number", "12", None),
            ("only numbers", "1. 2.", None),
            ("no square", "e9", None),
            ("long", "e4e4e4e4e4e4e4", None),
            ("too few ranks", "8/8/8 w - -", None),
            ("nothing", "", None),
        ];
        for (name, line, expected) in cases {
            assert_eq!(Shorthand::read(Tokens::new(line)), expected, "{name}");
        }
    }
}
