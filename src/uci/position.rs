//! `position`, and positions or moves without a command.

use super::ParseWarning;
use super::tokens::Tokens;
use crate::chess::{Color, File, Move, Position};
use crate::notation::{CastlingStyle, Excerpt, Fen, parse_uci_move, without_number};
use std::fmt;

/// The position before the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartPosition {
    /// `startpos`: the initial position of standard chess.
    Startpos,
    /// `fen`: the text of the FEN, unparsed.
    Fen(String),
    /// Neither of these, so there is no position.
    Missing,
}

/// The tokens of a `position` command, not interpreted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionTokens {
    /// The position before the moves.
    pub base: StartPosition,
    /// The moves, unparsed.
    pub moves: Vec<String>,
}

impl PositionTokens {
    /// The tokens for a position without the moves before it. The FEN states the files of castling rooks if castling is
    /// sent as in Chess960.
    pub fn of(position: &Position, castling: CastlingStyle) -> Self {
        let fen = Fen::new(position);
        let fen = if castling == CastlingStyle::Chess960 { fen.shredder() } else { fen };
        Self { base: StartPosition::Fen(fen.to_string()), moves: Vec::new() }
    }

    pub(super) fn read(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Self {
        let is_base = |word: &str| matches!(word, "startpos" | "fen");
        for found in tokens.take_until(|word| is_base(word) || word == "moves") {
            warnings.push(ParseWarning::UnknownToken { within: "position", found: Excerpt::new(found) });
        }
        let base = match tokens.next_unless(|word| !is_base(word)) {
            Some("startpos") => StartPosition::Startpos,
            Some(_) => StartPosition::Fen(tokens.text_until(|word| word == "moves")),
            None => StartPosition::Missing,
        };
        for found in tokens.take_until(|word| word == "moves") {
            warnings.push(ParseWarning::UnknownToken { within: "position", found: Excerpt::new(found) });
        }
        tokens.next();
        Self { base, moves: tokens.map(str::to_owned).collect() }
    }
}

impl fmt::Display for PositionTokens {
    /// The command that parses as these tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            StartPosition::Startpos => f.write_str("position startpos")?,
            StartPosition::Fen(fen) => write!(f, "position fen {fen}")?,
            StartPosition::Missing => f.write_str("position")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

/// Whether castling in this position cannot be sent as in standard chess, that is, from the e-file with rooks in the
/// corners.
pub fn needs_chess960(position: &Position) -> bool {
    [Color::White, Color::Black].into_iter().any(|color| {
        position
            .castling_rooks(color)
            .into_iter()
            .any(|rook| position.king(color).file() != File::E || ![File::A, File::H].contains(&rook.file()))
    })
}

/// The notation of castling for this position: that of standard chess if possible.
pub fn castling_style(position: &Position) -> CastlingStyle {
    if needs_chess960(position) { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
}

/// The longest legal start of a line.
pub fn legal_line(start: &Position, texts: &[String]) -> Vec<Move> {
    let mut position = *start;
    let mut line = Vec::new();
    for text in texts {
        let Ok(mv) = parse_uci_move(text, &position) else { break };
        position = position.after(mv).0;
        line.push(mv);
    }
    line
}

/// A line without a command word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shorthand {
    /// A FEN to set up, unparsed.
    Fen(String),
    /// Moves to play in UCI or algebraic notation, unparsed.
    Moves(Vec<String>),
}

/// The number of slashes between the ranks of a FEN.
const FEN_SLASHES: usize = 7;
/// The maximum length of a move, in characters: `Nb1xd2+!?`, with some reserve.
const LONGEST_MOVE: usize = 12;

impl Shorthand {
    /// Reads a line that looks like a position or like moves; `None` if it looks like neither.
    pub(super) fn read(tokens: Tokens<'_>) -> Option<Self> {
        let first = tokens.peek()?;
        if first.bytes().filter(|&byte| byte == b'/').count() == FEN_SLASHES {
            return Some(Self::Fen(tokens.collect::<Vec<_>>().join(" ")));
        }
        let moves: Vec<_> = tokens.map(without_number).filter(|text| !text.is_empty()).collect();
        let is_moves = !moves.is_empty() && moves.iter().all(|text| looks_like_a_move(text));
        is_moves.then(|| Self::Moves(moves.into_iter().map(str::to_owned).collect()))
    }
}

/// Whether a word is castling, or contains a square and only characters of moves.
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
    /// The line that parses as this shorthand.
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
    use crate::notation::position_from_fen;

    // Positions

    #[test]
    fn chess960_is_used_where_it_is_needed() {
        let cases = [
            ("the initial position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
            ("no castling", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w - - 2 9", false),
            ("other files", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", true),
            ("one rook", "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", true),
        ];
        for (name, fen, expected) in cases {
            assert_eq!(needs_chess960(&position_from_fen(fen).expect(name)), expected, "{name}");
        }
    }

    #[test]
    fn lines_end_before_an_illegal_move() {
        let texts = ["e2e4", "e7e5", "e1e3", "a7a6"].map(str::to_owned);
        assert_eq!(legal_line(&Position::start(), &texts).len(), 2);
    }

    // The command

    #[test]
    fn base_and_moves_are_separated() {
        /// The base, the moves, and the number of warnings.
        type Expected<'a> = (StartPosition, &'a [&'a str], usize);
        let start = StartPosition::Startpos;
        let fen = |text: &str| StartPosition::Fen(text.to_owned());
        let cases: [(&str, &str, Expected<'_>); 9] = [
            ("start", "startpos", (start.clone(), &[], 0)),
            ("moves", "startpos  moves e2e4\te7e5", (start.clone(), &["e2e4", "e7e5"], 0)),
            ("no moves", "startpos moves", (start.clone(), &[], 0)),
            ("fen", "fen 8/8 w  - - 0 1 moves a1a2", (fen("8/8 w - - 0 1"), &["a1a2"], 0)),
            ("empty fen", "fen", (fen(""), &[], 0)),
            ("no base", "moves e2e4", (StartPosition::Missing, &["e2e4"], 0)),
            ("nothing", "", (StartPosition::Missing, &[], 0)),
            ("skipped before", "joho startpos moves e2e4", (start.clone(), &["e2e4"], 1)),
            ("skipped between", "startpos a b moves e2e4", (start, &["e2e4"], 2)),
        ];
        for (name, line, (base, moves, warnings)) in cases {
            let mut found = Vec::new();
            let tokens = PositionTokens::read(&mut Tokens::new(line), &mut found);
            let moves: Vec<String> = moves.iter().map(|&mv| mv.to_owned()).collect();
            assert_eq!((tokens.base, tokens.moves), (base, moves), "{name}");
            assert_eq!(found.len(), warnings, "{name}: {found:?}");
        }
    }

    // Without a command

    #[test]
    fn positions_moves_and_nonsense() {
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
