//! `hematite book`: opening books in the Polyglot format.

mod make;

use crate::book::{Book, BookMove};
use crate::cli::position::Game;
use crate::cli::streams::{IgnoreBrokenPipe, Input, MaxUnpacked, write_json};
use crate::cli::values::JsonArg;
use crate::cli::{CliError, ExitStatus};
use crate::notation::{CastlingStyle, San, UciMove};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show and make opening books in the Polyglot format (.bin).
#[derive(clap::Subcommand, Debug)]
#[command(defer = true)]
pub(super) enum Command {
    Info(InfoArguments),
    Show(ShowArguments),
    Make(make::Arguments),
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            Self::Info(arguments) => arguments.run(out),
            Self::Show(arguments) => arguments.run(out),
            Self::Make(arguments) => arguments.run(out),
        }
    }
}

/// Reads a book, compressed or not.
pub(super) fn open(path: &Path, max: MaxUnpacked) -> Result<Book, CliError> {
    let Input { name, reader } = Input::open_binary(path)?.limited(max.max_unpacked);
    Book::read(reader).map_err(|error| CliError::Input { name, problem: error.to_string() })
}

const INFO_EXAMPLES: &str = "\
Examples:
  hematite book info book.bin
  hematite book info book.bin.zst --json";

/// Show the size of a book, and check its format.
#[derive(clap::Args, Debug)]
#[command(after_help = INFO_EXAMPLES)]
pub(super) struct InfoArguments {
    /// The book; `-` for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    max: MaxUnpacked,

    #[command(flatten)]
    json: JsonArg,
}

/// The content of a book.
#[derive(Serialize)]
struct Contents {
    moves: usize,
    positions: usize,
    /// The number of moves with the weight 0.
    never_played: usize,
    heaviest: u16,
    reachable: Reachable,
}

/// The part of a book that can be reached from the initial position.
#[derive(Serialize)]
struct Reachable {
    positions: usize,
    moves: usize,
    plies: usize,
}

impl Contents {
    fn of(book: &Book) -> Self {
        let survey = book.survey();
        Self {
            moves: book.len(),
            positions: book.positions(),
            never_played: book.unplayed(),
            heaviest: book.heaviest(),
            reachable: Reachable { positions: survey.positions, moves: survey.moves, plies: survey.plies },
        }
    }
}

impl InfoArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let contents = Contents::of(&open(&self.file, self.max)?);
        if self.json.is_given() {
            write_json(out, &contents)?;
            return Ok(ExitStatus::Yes);
        }
        let Contents { moves, positions, never_played, heaviest, reachable } = contents;
        writeln!(out, "positions     {positions:>12}")?;
        writeln!(out, "moves         {moves:>12}")?;
        writeln!(out, "never played  {never_played:>12}")?;
        writeln!(out, "largest weight{heaviest:>12}")?;
        writeln!(
            out,
            "\nfrom the initial position: {} positions, {} moves, up to {} plies",
            reachable.positions, reachable.moves, reachable.plies
        )?;
        Ok(ExitStatus::Yes)
    }
}

const SHOW_EXAMPLES: &str = "\
Examples:
  hematite book show book.bin
  hematite book show book.bin --moves '1. e4 c5'
  hematite book show book.bin 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' --json

Exit code 1 if the book has no move for the position.";

/// Show the moves that a book has for a position.
#[derive(clap::Args, Debug)]
#[command(after_help = SHOW_EXAMPLES)]
pub(super) struct ShowArguments {
    /// The book; `-` for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The position, in one argument or several.
    #[arg(default_value = "startpos", num_args = 1..)]
    fen: Vec<String>,

    /// Moves to play from there, in SAN or in the notation of UCI.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    #[command(flatten)]
    max: MaxUnpacked,

    #[command(flatten)]
    json: JsonArg,
}

/// The moves of a position, as JSON output.
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

impl ShowArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether there is a move.
        let out = &mut IgnoreBrokenPipe::new(out);
        let game = Game::new(&self.fen.join(" "), self.moves.as_deref().unwrap_or_default());
        let position = game.map_err(|problems| CliError::Usage(problems.join("\n")))?.position;
        let moves = open(&self.file, self.max)?.moves(&position);
        let sum: u64 = moves.iter().map(|book_move| u64::from(book_move.weight)).sum();
        let row = |book_move: &BookMove| Row {
            san: San::new(&position, book_move.mv).text().to_string(),
            uci: UciMove::new(book_move.mv, CastlingStyle::Standard).to_string(),
            weight: book_move.weight,
            percent: if sum == 0 { 0.0 } else { f64::from(book_move.weight) * 100.0 / sum as f64 },
        };
        let rows: Vec<_> = moves.iter().map(row).collect();
        let verdict = if rows.is_empty() { ExitStatus::No } else { ExitStatus::Yes };
        if self.json.is_given() {
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
