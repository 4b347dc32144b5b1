//! `hematite datagen shuffle` and `merge`: chunks made of chunks.

use crate::cli::quantity::{positive, whole};
use crate::cli::{CliError, Verdict, interruption};
use crate::train::data::{CombineError, Shuffle, chunk_files, merge};
use std::io::Write;
use std::path::PathBuf;

/// Bring the games of chunks into a random order, across chunks.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  hematite datagen shuffle --out data/mixed --seed 1 data/gen0 data/gen1")]
pub(super) struct ShuffleArguments {
    /// Chunks, and folders of chunks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The folder for the new chunks.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Decides about the order.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,

    /// Games in a new chunk, on average; more if there would be more than 500 chunks. So many are
    /// held in memory.
    #[arg(long, value_name = "N", default_value = "50k", value_parser = positive)]
    chunk_games: u64,
}

impl ShuffleArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        interruption::catch()?;
        let files = chunk_files(&self.files)?;
        let shuffle = Shuffle { seed: self.seed, chunk_games: self.chunk_games };
        let totals = shuffle.run(&files, &self.out)?;
        let (games, positions) = (totals.games, totals.positions);
        writeln!(out, "{}: {games} games, {positions} positions", self.out.display())?;
        Ok(Verdict::Yes)
    }
}

/// Make one chunk of many.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  hematite datagen merge --out gen0.games data/gen0")]
pub(super) struct MergeArguments {
    /// Chunks, and folders of chunks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The new chunk.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl MergeArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        interruption::catch()?;
        let files = chunk_files(&self.files)?;
        let totals = merge(&files, &self.out)?.totals;
        let (games, positions) = (totals.games, totals.positions);
        writeln!(out, "{}: {games} games, {positions} positions", self.out.display())?;
        Ok(Verdict::Yes)
    }
}

impl From<CombineError> for CliError {
    fn from(error: CombineError) -> Self {
        Self::Usage(error.to_string())
    }
}
