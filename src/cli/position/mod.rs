//! `hematite position`: everything about one position.

mod report;

use super::input::STDIN;
use super::{CliError, Verdict};
use crate::chess::{Line, Position};
use crate::cli::output::{Heedless, write_json};
use crate::notation::eco::{Opening, opening};
use crate::notation::{CastlingStyle, Excerpt, parse_san, position_from_fen};
use report::{Board, Pieces, Report};
use serde::Serialize;
use std::io::{self, BufRead, Write};

const EXAMPLES: &str = "\
Examples:
  hematite position startpos --moves '1. e4 c5 2. Nf3'
  hematite position 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' --json
  hematite position r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
  echo '8/8/8/8/8/4k3/4p3/4K3 b - - 0 1' | hematite position -

Exit code 1 if the FEN is not that of a chess position, or a move is not legal.";

/// The word that stands for the initial position.
const START: &str = "startpos";
/// What some write behind a capture en passant.
const EN_PASSANT: &str = "e.p.";
/// The longest text that is read from standard input, in bytes.
const MAX_INPUT: u64 = 64 * 1024;

/// Show a position: board, FEN, key, legal moves, status, opening and evaluation.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The position, standard, X-FEN or Shredder-FEN, in one argument or several; `startpos`; `-` reads a line
    /// from standard input.
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,

    /// Moves to be played from there, in SAN or as UCI has them.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Write castling as king takes rook, as with UCI_Chess960.
    #[arg(long)]
    chess960: bool,

    /// Show chess figures, whatever the locale [default: where the locale is UTF-8].
    #[arg(long, conflicts_with_all = ["ascii", "json"])]
    unicode: bool,

    /// Show letters.
    #[arg(long, conflicts_with = "json")]
    ascii: bool,

    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Where a game stands.
pub(super) struct Game {
    pub(super) position: Position,
    line: Line,
    /// The last opening on the way.
    opening: Option<&'static Opening>,
}

/// What a program reads if there is no such position.
#[derive(Serialize)]
struct Refusal<'a> {
    fen: &'a str,
    problems: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        // Whether there is such a position is told by the exit code as well.
        let out = &mut Heedless::new(out);
        let fen = self.fen()?;
        let game = match Game::new(&fen, self.moves.as_deref().unwrap_or_default()) {
            Ok(game) => game,
            Err(problems) => return self.refuse(&fen, problems, out),
        };
        let style = if self.chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        let report = Report::new(&game, style);
        if self.json {
            write_json(out, &report)?;
        } else {
            writeln!(out, "{}\n\n{report}", Board { position: &game.position, pieces: self.pieces() })?;
        }
        Ok(Verdict::Yes)
    }

    fn fen(&self) -> Result<String, CliError> {
        if self.fen == [STDIN] {
            return read_line(io::stdin().lock());
        }
        Ok(self.fen.join(" "))
    }

    fn pieces(&self) -> Pieces {
        match (self.unicode, self.ascii) {
            (true, _) => Pieces::Figures,
            (_, true) => Pieces::Letters,
            _ => Pieces::of_locale(),
        }
    }

    fn refuse(&self, fen: &str, problems: Vec<String>, out: &mut dyn Write) -> Result<Verdict, CliError> {
        if self.json {
            write_json(out, &Refusal { fen, problems })?;
        } else {
            for problem in problems {
                writeln!(out, "{problem}")?;
            }
        }
        Ok(Verdict::No)
    }
}

/// The first line that is neither blank nor a comment.
fn read_line(input: impl BufRead) -> Result<String, CliError> {
    let error =
        |problem: &str| CliError::Input { name: "standard input".to_owned(), problem: problem.to_owned() };
    let mut input = input.take(MAX_INPUT);
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes).map_err(|problem| error(&problem.to_string()))? > 0 {
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim_start_matches('\u{feff}').trim();
        if !line.is_empty() && !line.starts_with('#') {
            return Ok(line.to_owned());
        }
        bytes.clear();
    }
    Err(error("empty, expected a FEN"))
}

impl Game {
    /// The game that leads from a FEN by these moves, or everything that is wrong with it.
    pub(super) fn new(fen: &str, moves: &str) -> Result<Self, Vec<String>> {
        let start = match fen.trim() {
            START => Position::start(),
            fen => position_from_fen(fen)
                .map_err(|error| error.reasons().map(ToString::to_string).collect::<Vec<_>>())?,
        };
        let mut game = Self { position: start, line: Line::new(&start), opening: opening(&start) };
        let words = moves
            .split_whitespace()
            .map(without_number)
            .filter(|word| !word.is_empty() && *word != EN_PASSANT);
        for (index, word) in words.enumerate() {
            game.play(word).map_err(|problem| vec![format!("move {}: {problem}", index + 1)])?;
        }
        Ok(game)
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        let turn = parse_san(word, &self.position).map_err(|error| error.to_string())?;
        let Some(mv) = turn.mv() else {
            return Err(format!("{} passes, expected a legal move", Excerpt::new(word)));
        };
        self.position = self.position.play(mv).map_err(|error| error.to_string())?;
        self.line.push(&self.position);
        self.opening = opening(&self.position).or(self.opening);
        Ok(())
    }
}

/// A word without the number of the move, if it has one: `e4` of `1.e4`, nothing of `12...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_moves_are_skipped() {
        let cases = [
            ("1.e4", "e4"),
            ("12...", ""),
            ("1.", ""),
            ("3...Nf6", "Nf6"),
            ("0-0", "0-0"),
            ("e4", "e4"),
            ("0000", "0000"),
            ("", ""),
        ];
        for (word, expected) in cases {
            assert_eq!(without_number(word), expected, "{word}");
        }
    }

    #[test]
    fn lines_are_found_behind_comments() {
        let cases = [
            ("one", "8/8 w\n", Some("8/8 w")),
            ("without an end", "8/8 w", Some("8/8 w")),
            ("comments and a mark", "\u{feff}# a\r\n\r\n  8/8 w \r\nx", Some("8/8 w")),
            ("nothing", "\n# a\n", None),
        ];
        for (name, text, expected) in cases {
            assert_eq!(read_line(text.as_bytes()).ok().as_deref(), expected, "{name}");
        }
    }
}
