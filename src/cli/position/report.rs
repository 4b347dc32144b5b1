//! What is told about a position.

use super::Game;
use crate::chess::{File, Outcome, Piece, Position, Rank, Square};
use crate::nnue::embedded;
use crate::notation::{CastlingStyle, Fen, San, UciMove};
use crate::search::evaluate;
use serde::Serialize;
use std::{env, fmt};

/// All that is told about a position, as a program reads it and, displayed, a person.
#[derive(Serialize)]
pub(super) struct Report {
    fen: String,
    shredder_fen: String,
    key: String,
    turn: &'static str,
    checkers: Vec<String>,
    moves: Vec<MoveNames>,
    /// `check`, `checkmate`, `stalemate`, ... or `in play`.
    status: &'static str,
    outcome: Option<Ending>,
    opening: Option<OpeningNames>,
    /// The static evaluation for the side to move, in centipawns; none in check and
    /// when the game is over, where there is nothing to evaluate.
    evaluation_cp: Option<i32>,
}

/// A move in both notations.
#[derive(Serialize)]
struct MoveNames {
    san: String,
    uci: String,
}

/// How the game is over, or can be ended.
#[derive(Serialize)]
struct Ending {
    result: &'static str,
    reason: String,
    must_be_claimed: bool,
}

#[derive(Serialize)]
struct OpeningNames {
    eco: String,
    name: String,
}

impl Report {
    pub(super) fn new(game: &Game, style: CastlingStyle) -> Self {
        let position = &game.position;
        let outcome = position.outcome(&game.line);
        let names = |mv| MoveNames {
            san: San::new(position, mv).to_string(),
            uci: UciMove::new(mv, style).to_string(),
        };
        let mut moves: Vec<MoveNames> = position.legal_moves().iter().map(|&mv| names(mv)).collect();
        moves.sort_unstable_by(|a, b| a.san.cmp(&b.san));
        let is_quiet = !position.is_check() && !moves.is_empty();
        Self {
            fen: Fen::new(position).to_string(),
            shredder_fen: Fen::new(position).shredder().to_string(),
            key: position.key().to_string(),
            turn: position.turn().name(),
            checkers: position.checkers().into_iter().map(|square| square.to_string()).collect(),
            moves,
            status: status(position, outcome),
            outcome: outcome.map(|outcome| Ending {
                result: outcome.result(),
                reason: outcome.to_string(),
                must_be_claimed: outcome.must_be_claimed(),
            }),
            opening: game.opening.map(|opening| OpeningNames {
                eco: opening.code().to_string(),
                name: opening.name().to_owned(),
            }),
            evaluation_cp: is_quiet.then(|| evaluate(position, &embedded()).told()),
        }
    }
}

fn status(position: &Position, outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Checkmate { .. }) => "checkmate",
        Some(Outcome::Stalemate) => "stalemate",
        Some(outcome) if !outcome.must_be_claimed() => "drawn",
        _ if position.is_check() => "check",
        _ => "in play",
    }
}

/// The width of the first column.
const LABEL: usize = 14;
/// Where lists of moves are broken, in columns.
const WIDTH: usize = 100;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, label: &str, text: &str| writeln!(f, "{label:LABEL$}{text}");
        row(f, "FEN", &self.fen)?;
        row(f, "Shredder-FEN", &self.shredder_fen)?;
        row(f, "Key", &self.key)?;
        row(f, "To move", self.turn)?;
        let checkers = if self.checkers.is_empty() { "none".to_owned() } else { self.checkers.join(" ") };
        row(f, "Checkers", &checkers)?;
        row(f, "Legal moves", &self.moves.len().to_string())?;
        list(f, "  SAN", self.moves.iter().map(|names| names.san.as_str()))?;
        list(f, "  UCI", self.moves.iter().map(|names| names.uci.as_str()))?;
        row(f, "Status", self.status)?;
        if let Some(Ending { result, reason, must_be_claimed }) = &self.outcome {
            let claim = if *must_be_claimed { ", if claimed" } else { "" };
            row(f, "Result", &format!("{result} ({reason}{claim})"))?;
        }
        if let Some(OpeningNames { eco, name }) = &self.opening {
            row(f, "Opening", &format!("{eco} {name}"))?;
        }
        write!(f, "{:LABEL$}", "Evaluation")?;
        match self.evaluation_cp {
            Some(value) => {
                write!(f, "{:+.2} for {}", f64::from(value) / CENTIPAWNS, self.turn)
            }
            None if self.moves.is_empty() => f.write_str("none, the game is over"),
            None => f.write_str("none in check"),
        }
    }
}

/// Centipawns in a pawn.
const CENTIPAWNS: f64 = 100.0;

/// Writes words below one another where they would be too long for a line.
fn list<'a>(f: &mut fmt::Formatter<'_>, label: &str, words: impl Iterator<Item = &'a str>) -> fmt::Result {
    let mut column = LABEL;
    let mut label = Some(label);
    for word in words {
        match label.take() {
            Some(label) => write!(f, "{label:LABEL$}{word}")?,
            None if column + 1 + word.len() > WIDTH => {
                write!(f, "\n{:LABEL$}{word}", "")?;
                column = LABEL;
            }
            None => {
                write!(f, " {word}")?;
                column += 1;
            }
        }
        column += word.len();
    }
    // Without any word there is nothing to be listed.
    if label.is_none() { writeln!(f) } else { Ok(()) }
}

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
