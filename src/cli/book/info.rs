//! `hematite book info`: what is in a book.

use crate::book::Book;
use crate::cli::output::write_json;
use crate::cli::{CliError, Verdict};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite book info book.bin
  hematite book info book.bin.zst --json";

/// Show how large a book is, and check its form.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    /// The book; `-` for standard input; .zst, .gz and .bz2 are decompressed.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What a book holds.
#[derive(Serialize)]
struct Contents {
    moves: usize,
    positions: usize,
    /// Moves with the weight 0.
    never_played: usize,
    heaviest: u16,
    reachable: Reachable,
}

/// What can be reached from the initial position.
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

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        let contents = Contents::of(&super::open(&self.file)?);
        if self.json {
            write_json(out, &contents)?;
            return Ok(Verdict::Yes);
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
        Ok(Verdict::Yes)
    }
}
