//! `hematite datagen`: generation of training data by self-play.

mod check;
mod info;
mod pack;
mod play;
mod reporter;
mod rescore;

use super::signals;
use super::streams::IgnoreBrokenPipe;
use super::values::{integer_in, positive};
use super::{CliError, ExitStatus};
use crate::train::data::{CombineError, EXTENSION, FileError, Shuffle, chunk_files, closing_of, merge};
use crate::train::datagen::DatagenError;
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite datagen --output data/gen0 --soft-nodes 300 --games 100k
  hematite datagen --output data/frc --soft-nodes 300 --time 8h --threads 2 --frc 20
  hematite datagen --output data/uho --soft-nodes 1000 --positions 10M --book UHO_4060_v2.epd.zip
  hematite datagen --output data/gen1 --soft-nodes 300 --games 1M --net gen0.nnue
  hematite datagen info data/gen0
  hematite datagen check data/gen0
  hematite datagen rescore --nodes 800 --output data/gen0-800 data/gen0
  hematite datagen rescore --nodes 800 --random-plies 2 --output data/gen0-near data/gen0
  hematite datagen shuffle --output data/mixed --seed 1 data/gen0 data/gen1
  hematite datagen merge --output gen0.games data/gen0
  hematite datagen pack --output gen0.pack data/gen0
  hematite datagen unpack --output data/again gen0.pack

Ctrl-C stops cleanly; run the same command again to resume. Game N depends only on the seed, the
settings and N, so no game is played twice, and every number of threads gives the same games.
Numbers may end in k or M.";

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
#[command(defer = true)]
enum Command {
    Info(info::Arguments),
    Check(check::Arguments),
    Rescore(rescore::Arguments),
    Shuffle(ShuffleArguments),
    Merge(MergeArguments),
    Pack(pack::PackArguments),
    Unpack(pack::UnpackArguments),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // Games are played and written, and the exit code matters, even if the output is closed.
        let out = &mut IgnoreBrokenPipe::new(out);
        match (self.command, self.play) {
            (Some(Command::Info(arguments)), _) => arguments.run(out),
            (Some(Command::Check(arguments)), _) => arguments.run(out),
            (Some(Command::Rescore(arguments)), _) => arguments.run(out),
            (Some(Command::Shuffle(arguments)), _) => arguments.run(out),
            (Some(Command::Merge(arguments)), _) => arguments.run(out),
            (Some(Command::Pack(arguments)), _) => arguments.run(out),
            (Some(Command::Unpack(arguments)), _) => arguments.run(out),
            (None, Some(arguments)) => arguments.run(out),
            (None, None) => Err(CliError::usage("expected --output and --soft-nodes, or a command")),
        }
    }
}

/// The chunks that paths name, and the number of their games.
fn counted_chunks(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, u64), CliError> {
    let files = chunk_files(paths)?;
    let mut games = 0;
    for file in &files {
        let closing = closing_of(file).map_err(|error| CliError::Input {
            name: file.display().to_string(),
            problem: error.to_string(),
        })?;
        games += closing.totals.games;
    }
    Ok((files, games))
}

impl From<DatagenError> for CliError {
    fn from(error: DatagenError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<FileError> for CliError {
    fn from(error: FileError) -> Self {
        let problem = match &error {
            FileError::Read(_, problem) => problem.to_string(),
            FileError::Empty(_) => format!("no chunks, expected files *.{EXTENSION}"),
        };
        let (FileError::Read(path, _) | FileError::Empty(path)) = error;
        Self::Input { name: path.display().to_string(), problem }
    }
}

/// Bring the games of chunks into a random order, across chunks.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  hematite datagen shuffle --output data/mixed --seed 1 data/gen0 data/gen1"
)]
struct ShuffleArguments {
    /// Chunks, and folders of chunks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The folder for the new chunks.
    #[arg(short, long = "output", alias = "out", value_name = "DIR")]
    out: PathBuf,

    /// Determines the order.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u64>(0..))]
    seed: u64,

    /// Games in a new chunk, on average; more if there would be more than 500 chunks. This many are
    /// held in memory.
    #[arg(long, value_name = "N", default_value = "50k", value_parser = positive)]
    chunk_games: u64,
}

impl ShuffleArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        signals::install_handlers()?;
        let files = chunk_files(&self.files)?;
        let shuffle = Shuffle { seed: self.seed, chunk_games: self.chunk_games };
        let totals = shuffle.run(&files, &self.out)?;
        let (games, positions) = (totals.games, totals.positions);
        writeln!(out, "{}: {games} games, {positions} positions", self.out.display())?;
        Ok(ExitStatus::Yes)
    }
}

/// Make one chunk of many.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  hematite datagen merge --output gen0.games data/gen0")]
struct MergeArguments {
    /// Chunks, and folders of chunks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The new chunk.
    #[arg(short, long = "output", alias = "out", value_name = "FILE")]
    out: PathBuf,
}

impl MergeArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        signals::install_handlers()?;
        let files = chunk_files(&self.files)?;
        let totals = merge(&files, &self.out)?.totals;
        let (games, positions) = (totals.games, totals.positions);
        writeln!(out, "{}: {games} games, {positions} positions", self.out.display())?;
        Ok(ExitStatus::Yes)
    }
}

impl From<CombineError> for CliError {
    fn from(error: CombineError) -> Self {
        Self::Usage(error.to_string())
    }
}
