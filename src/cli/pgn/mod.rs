//! `hematite pgn`: tools for collections of games.

mod check;
mod export;
mod fen;
mod finding;
pub(super) mod inputs;
mod pgc;
mod stats;
mod tag_check;

use super::{CliError, Verdict};
use std::io::Write;

/// Check, normalize, count and convert games.
#[derive(clap::Subcommand, Debug)]
pub(super) enum Command {
    Check(check::Arguments),
    Export(export::Arguments),
    Fen(fen::Arguments),
    Stats(stats::Arguments),
    Pgc(pgc::WriteArguments),
    Unpgc(pgc::ReadArguments),
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        match self {
            Self::Check(arguments) => arguments.run(out),
            Self::Export(arguments) => arguments.run(out),
            Self::Fen(arguments) => arguments.run(out),
            Self::Stats(arguments) => arguments.run(out),
            Self::Pgc(arguments) => arguments.run(out),
            Self::Unpgc(arguments) => arguments.run(out),
        }
    }
}
