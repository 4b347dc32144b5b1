//! `hematite datagen`: games for the training of a network.

mod check;
mod combine;
mod info;
mod play;
mod reporter;

use super::output::Heedless;
use super::{CliError, Verdict};
use crate::train::data::FileError;
use crate::train::datagen::DatagenError;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  hematite datagen --out data/gen0 --soft-nodes 300 --games 100k
  hematite datagen --out data/gen0 --soft-nodes 300 --time 8h --threads 2 --frc 20
  hematite datagen --out data/uho --soft-nodes 1000 --positions 10M --book UHO_4060_v2.epd.zip
  hematite datagen --out data/gen1 --soft-nodes 300 --games 1M --net gen0.nnue
  hematite datagen info data/gen0
  hematite datagen check data/gen0
  hematite datagen shuffle --out data/mixed --seed 1 data/gen0 data/gen1
  hematite datagen merge --out gen0.games data/gen0

Ctrl-C ends a run in order; the same command goes on with it. Which game has which number depends
on the seed and the settings alone, so no game is played twice, and every number of threads
gives the same games. Numbers may end in k or M.";

/// Let the engine play against itself, and keep the games.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    play: Option<play::Flags>,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Info(info::Arguments),
    Check(check::Arguments),
    Shuffle(combine::ShuffleArguments),
    Merge(combine::MergeArguments),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        // Games are played and written, and whether they are whole is told by the exit code, whoever reads the text.
        let out = &mut Heedless::new(out);
        match (self.command, self.play) {
            (Some(Command::Info(arguments)), _) => arguments.run(out),
            (Some(Command::Check(arguments)), _) => arguments.run(out),
            (Some(Command::Shuffle(arguments)), _) => arguments.run(out),
            (Some(Command::Merge(arguments)), _) => arguments.run(out),
            (None, Some(arguments)) => arguments.run(out),
            (None, None) => Err(CliError::Usage("expected --out and --soft-nodes, or a command".to_owned())),
        }
    }
}

impl From<DatagenError> for CliError {
    fn from(error: DatagenError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<FileError> for CliError {
    fn from(error: FileError) -> Self {
        Self::Usage(error.to_string())
    }
}
