//! `hematite book show`: the moves of a position.

use crate::cli::output::{Heedless, write_json};
use crate::cli::position::Game;
use crate::cli::{CliError, Verdict};
use crate::notation::{CastlingStyle, San, UciMove};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite book show book.bin
  hematite book show book.bin --moves '1. e4 c5'
  hematite book show book.bin 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' --json

Exit code 1 if the book has no move for the position.";

/// Show the moves that a book has for a position.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// The book; `-` for standard input; .zst, .gz and .bz2 are decompressed.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The position, in one argument or several.
    #[arg(default_value = "startpos", num_args = 1..)]
    fen: Vec<String>,

    /// Moves to be played from there, in SAN or as UCI has them.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What a program reads.
#[derive(Serialize)]
struct Moves {
    moves: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    san: String,
    uci: String,
    weight: u16,
    percent: f64,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        // Whether there is a move is told by the exit code as well.
        let out = &mut Heedless::new(out);
        let game = Game::new(&self.fen.join(" "), self.moves.as_deref().unwrap_or_default());
        let position = game.map_err(|problems| CliError::Usage(problems.join("\n")))?.position;
        let moves = super::open(&self.file)?.moves(&position);
        let sum: u64 = moves.iter().map(|book_move| u64::from(book_move.weight)).sum();
        let row = |book_move: &crate::book::BookMove| Row {
            san: San::new(&position, book_move.mv).text().to_string(),
            uci: UciMove::new(book_move.mv, CastlingStyle::Standard).to_string(),
            weight: book_move.weight,
            percent: if sum == 0 { 0.0 } else { f64::from(book_move.weight) * 100.0 / sum as f64 },
        };
        let rows: Vec<_> = moves.iter().map(row).collect();
        let verdict = if rows.is_empty() { Verdict::No } else { Verdict::Yes };
        if self.json {
            write_json(out, &Moves { moves: rows })?;
        } else if rows.is_empty() {
            writeln!(out, "no move for this position")?;
        } else {
            for Row { san, weight, percent, .. } in rows {
                writeln!(out, "{san:<8}{weight:>6} {percent:>6.2} %")?;
            }
        }
        Ok(verdict)
    }
}
