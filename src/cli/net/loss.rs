//! `hematite net loss`: the loss of networks on games.

use super::read_any;
use crate::cli::progress::bar;
use crate::cli::streams::write_json;
use crate::cli::training_data::{self, TrainingDataArgs};
use crate::cli::values::{JsonArg, thread_count};
use crate::cli::{CliError, ExitStatus, signals};
use crate::nnue::EVAL_SCALE;
use crate::nnue::file::NetworkFile;
use crate::train::trainer::{Example, Loss, Source, total_loss};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

const HELP: &str = "\
Examples:
  hematite net loss old.nnue new.nnue --data games/
  hematite net loss new.float new.nnue --data games/ --max-positions 1M --json

The loss is that of `hematite train`: the mean squared error of the points that a network expects, if
no option says otherwise.
It is meaningful for games that no network was trained on, such as those of another seed.";

/// Compare the loss of networks on games they were not trained on.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(super) struct Arguments {
    /// Networks, quantized or float; each is compared with the first.
    #[arg(value_name = "NET", required = true)]
    networks: Vec<PathBuf>,

    /// Files and folders with games, as `hematite datagen` writes them.
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    data: Vec<PathBuf>,

    #[command(flatten)]
    examples: TrainingDataArgs,

    #[command(flatten)]
    json: JsonArg,
}

/// The JSON object.
#[derive(Serialize)]
struct Report {
    games: u64,
    positions: usize,
    networks: Vec<NetworkLoss>,
}

/// The loss of a network.
#[derive(Serialize)]
struct NetworkLoss {
    file: String,
    loss: f64,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let networks: Vec<NetworkFile> =
            self.networks.iter().map(|path| read_any(path)).collect::<Result<_, _>>()?;
        let stop = signals::interrupted_flag()?;
        let threads = thread_count(None);
        let (selection, target) = (self.examples.selection(0.0, 0), self.examples.final_target());
        let sources: Vec<Source> = self.data.into_iter().map(Source::from).collect();
        let data = training_data::read(&sources, &selection, &target, threads, stop)?;
        if data.training.is_empty() {
            let games = data.counts.games;
            let problem = format!("no position to judge by in {games} games, expected at least one");
            return Err(CliError::Usage(problem));
        }
        let positions = (networks.len() * data.training.len()) as u64;
        let bar = bar(positions, "{wide_bar} {pos}/{len} positions (still {eta})");
        let judged = self.networks.into_iter().zip(&networks).map(|(file, network)| {
            let loss = mean_loss(network, self.examples.loss(), &data.training, &bar, stop)?;
            Ok(NetworkLoss { file: file.display().to_string(), loss })
        });
        let networks: Result<Vec<NetworkLoss>, CliError> = judged.collect();
        bar.finish_and_clear();
        let report = Report { games: data.counts.games, positions: data.training.len(), networks: networks? };
        if self.json.is_given() {
            write_json(out, &report)?;
        } else {
            report.write(out)?;
        }
        Ok(ExitStatus::Yes)
    }
}

/// The mean loss of a network over all positions.
fn mean_loss(
    network: &NetworkFile,
    loss: Loss,
    examples: &[Example],
    bar: &ProgressBar,
    stop: &AtomicBool,
) -> Result<f64, CliError> {
    /// The number of examples between two updates of the progress bar.
    const BLOCK: usize = 1 << 17;
    let mut sum = 0.0;
    for block in examples.chunks(BLOCK) {
        if stop.load(Ordering::Relaxed) {
            return Err(CliError::interrupted("interrupted"));
        }
        sum += match network {
            NetworkFile::Float(network) => total_loss(block, loss, |board| network.evaluate(board)),
            NetworkFile::Quantized(network) => {
                total_loss(block, loss, |board| network.evaluate(board) as f32 / EVAL_SCALE as f32)
            }
        };
        bar.inc(block.len() as u64);
    }
    Ok(sum / examples.len() as f64)
}

impl Report {
    fn write(&self, out: &mut dyn Write) -> Result<(), CliError> {
        const PERCENT: f64 = 100.0;
        writeln!(out, "{} quiet positions of {} games", self.positions, self.games)?;
        let first = self.networks.first().map_or(0.0, |first| first.loss);
        for (index, NetworkLoss { file, loss }) in self.networks.iter().enumerate() {
            write!(out, "{loss:.6}")?;
            if self.networks.len() > 1 {
                match index {
                    0 => write!(out, "         ")?,
                    _ => write!(out, "  {:+5.2} %", PERCENT * (loss - first) / first)?,
                }
            }
            writeln!(out, "  {file}")?;
        }
        Ok(())
    }
}
