//! `hematite position`: a report about one position.

mod report;

use super::streams::STDIN;
use super::{CliError, ExitStatus, OpeningListArg};
use crate::cli::streams::{IgnoreBrokenPipe, write_json};
use crate::cli::values::JsonArg;
use crate::notation::{BoardText, CastlingStyle};
pub(super) use report::{Game, START};
use report::{OpeningMatch, Report, has_utf8_locale};
use serde::Serialize;
use std::io::{self, BufRead, Write};

const EXAMPLES: &str = "\
Examples:
  hematite position startpos --moves '1. e4 c5 2. Nf3'
  hematite position startpos --moves '1. Nf3 c5 2. e4' --opening same-length
  hematite position 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' --json
  hematite position r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
  echo '8/8/8/8/8/4k3/4p3/4K3 b - - 0 1' | hematite position -

Exit code 1 if the FEN is not that of a chess position, or a move is not legal.";

/// The maximum length of a text on standard input, in bytes.
const MAX_INPUT: u64 = 64 * 1024;

/// Show a position: board, FEN, key, legal moves, status, opening and evaluation.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The position, standard, X-FEN or Shredder-FEN, in one argument or several; an EPD record; `startpos`;
    /// `-` reads a line from standard input.
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,

    /// Moves to play from there, in SAN or in the notation of UCI. Numbers, comments, glyphs, variations
    /// and a result among them are passed over.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Write castling as king takes rook, as with UCI_Chess960.
    #[arg(long)]
    chess960: bool,

    /// Show chess figures [default: if the locale is UTF-8].
    #[arg(long, conflicts_with_all = ["ascii", "json"])]
    unicode: bool,

    /// Show letters.
    #[arg(long, conflicts_with = "json")]
    ascii: bool,

    /// Which opening is named.
    #[arg(long, value_name = "HOW", default_value = "closest", hide_default_value = true)]
    opening: OpeningMatch,

    #[command(flatten)]
    json: JsonArg,

    #[command(flatten)]
    openings: OpeningListArg,
}

/// The JSON output for an invalid FEN or move.
#[derive(Serialize)]
struct Refusal<'a> {
    fen: &'a str,
    problems: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether the position is valid.
        let out = &mut IgnoreBrokenPipe::new(out);
        let fen = self.fen()?;
        let game = match Game::new(&fen, self.moves.as_deref().unwrap_or_default()) {
            Ok(game) => game,
            Err(problems) => return self.refuse(&fen, problems, out),
        };
        if let Some(note) = &game.repairs {
            // A closed standard error does not matter.
            let _ = writeln!(io::stderr(), "{note}");
        }
        let style = if self.chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        let report = Report::new(&game, style, self.opening);
        if self.json.is_given() {
            write_json(out, &report)?;
        } else {
            let board = BoardText::new(&game.position);
            let board = if self.shows_figures() { board.figures() } else { board };
            writeln!(out, "{board}\n\n{report}")?;
        }
        Ok(ExitStatus::Yes)
    }

    fn fen(&self) -> Result<String, CliError> {
        if self.fen == [STDIN] {
            return read_line(io::stdin().lock());
        }
        Ok(self.fen.join(" "))
    }

    fn shows_figures(&self) -> bool {
        self.unicode || (!self.ascii && has_utf8_locale())
    }

    fn refuse(&self, fen: &str, problems: Vec<String>, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.json.is_given() {
            write_json(out, &Refusal { fen, problems })?;
        } else {
            for problem in problems {
                writeln!(out, "{problem}")?;
            }
        }
        Ok(ExitStatus::No)
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

#[cfg(test)]
mod tests {
    use super::*;

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
