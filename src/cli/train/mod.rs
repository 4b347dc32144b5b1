//! `hematite train`: games become a network.

mod output;
mod reporter;
mod work;

use super::examples::{self, ExampleArguments};
use super::quantity::{above_zero, factor, part, positive, whole};
use super::{CliError, Verdict};
use crate::nnue::Architecture;
use crate::search::MAX_THREADS;
use crate::train::trainer::{AdamW, Checkpoint, Length, Plan, Schedule, Settings};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

const EXAMPLES: &str = "\
Examples:
  hematite train --data games/ --out new.nnue
  hematite train --data games/ more.games --out new.nnue --hidden 256 --epochs 20 --seed 7
  hematite train --resume new.nnue.checkpoint

The network that plays is written to NET, the network of real numbers beside it: for new.nnue to
new.float. A run that was interrupted goes on with --resume, and ends with the same bytes.
The same program, games, options, seed and number of threads give the same bytes on the same kind
of machine.";

/// Train a network on games of self-play.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files and folders with games, as `hematite datagen` writes them.
    #[arg(long, value_name = "PATH", num_args = 1.., required_unless_present = "resume")]
    data: Vec<PathBuf>,

    /// Where the network goes.
    #[arg(long, value_name = "NET", required_unless_present = "resume")]
    out: Option<PathBuf>,

    /// Hidden neurons of one perspective, a multiple of 16.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_WIDTH, value_parser = whole::<usize>(0..), conflicts_with = "resume")]
    hidden: usize,

    /// How often every position is learned from.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_EPOCHS, value_parser = positive, conflicts_with = "resume")]
    epochs: u64,

    /// Batches to learn from, in place of epochs.
    #[arg(long, value_name = "N", value_parser = positive, conflicts_with_all = ["resume", "epochs"])]
    steps: Option<u64>,

    /// Positions that move the weights together.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BATCH, value_parser = whole::<u32>(1..), conflicts_with = "resume")]
    batch: u32,

    /// Highest learning rate.
    #[arg(long, value_name = "RATE", default_value_t = DEFAULT_RATE, value_parser = above_zero, conflicts_with = "resume")]
    lr: f64,

    /// Learning rate of the last batch.
    #[arg(long, value_name = "RATE", default_value_t = DEFAULT_END_RATE, value_parser = above_zero, conflicts_with = "resume")]
    lr_end: f64,

    /// Batches until the highest learning rate is reached [default: a fiftieth of all].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..), conflicts_with = "resume")]
    warm_up: Option<u64>,

    /// How much of each weight decays, times the learning rate.
    #[arg(long, value_name = "FACTOR", default_value_t = DEFAULT_DECAY, value_parser = factor, conflicts_with = "resume")]
    decay: f64,

    #[command(flatten)]
    examples: ExampleArguments,

    /// Share of the games kept back to validate with, such as 2% or 0.02.
    #[arg(long, value_name = "PART", default_value = DEFAULT_VALIDATION, value_parser = part, conflicts_with = "resume")]
    validation: f64,

    /// Begin with this network, of real numbers or integers, in place of random weights; it may have fewer neurons.
    #[arg(long, value_name = "NET", conflicts_with = "resume")]
    start: Option<PathBuf>,

    /// Threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=MAX_THREADS as u16), conflicts_with = "resume")]
    threads: Option<u16>,

    /// Decides the first weights, the order of positions and which games are kept back.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = whole::<u64>(0..), conflicts_with = "resume")]
    seed: u64,

    /// Batches between two reports, after each of which the run is saved [default: an epoch, at most 1000].
    #[arg(long, value_name = "N", value_parser = positive, conflicts_with = "resume")]
    report: Option<u64>,

    /// Where the run is saved [default: NET.checkpoint].
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Go on with the run that was saved in this file, with all its options; --data, --out and --checkpoint
    /// say where those files are now, if they have moved.
    #[arg(long, value_name = "FILE", conflicts_with = examples::GROUP)]
    resume: Option<PathBuf>,

    /// At the end, write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

const DEFAULT_WIDTH: usize = 128;
const DEFAULT_EPOCHS: u64 = 10;
const DEFAULT_BATCH: u32 = 16_384;
/// A network learns more from the same positions with this than with less, and no more from many
/// positions with more (`src/nnue/net/HISTORY.md`).
const DEFAULT_RATE: f64 = 4e-3;
/// So low that the weights come to rest.
const DEFAULT_END_RATE: f64 = 1e-5;
/// Against learning the games by heart (`src/nnue/net/HISTORY.md`).
const DEFAULT_DECAY: f64 = 0.25;
const DEFAULT_VALIDATION: &str = "2%";
const DEFAULT_SEED: u64 = 1;

/// What the name of a checkpoint ends in.
const CHECKPOINT: &str = ".checkpoint";

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        let json = self.json;
        match &self.resume {
            Some(path) => {
                let read = Checkpoint::read(path);
                let checkpoint = read.map_err(|error| input_error(path, &error))?;
                let plan = self.changed(checkpoint.plan().clone());
                work::run(&plan, Some(checkpoint), json, out)
            }
            None => work::run(&self.plan()?, None, json, out),
        }
    }

    fn plan(self) -> Result<Plan, CliError> {
        Architecture::new(self.hidden).map_err(|error| CliError::Usage(format!("--hidden: {error}")))?;
        if self.lr_end > self.lr {
            let problem = format!("--lr-end {}: expected at most --lr {}", self.lr_end, self.lr);
            return Err(CliError::Usage(problem));
        }
        let threads = self.threads.map(usize::from);
        let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
        let settings = Settings {
            width: self.hidden,
            batch: self.batch as usize,
            optimizer: AdamW::with_decay(self.decay as f32),
            schedule: Schedule { peak: self.lr, end: self.lr_end, warm_up: 0, steps: 0 },
            seed: self.seed,
            threads,
        };
        let selection = self.examples.selection(self.validation, self.seed);
        let target = self.examples.target();
        let out = self.out.unwrap_or_default();
        Ok(Plan {
            data: self.data,
            checkpoint: self.checkpoint.unwrap_or_else(|| with_suffix(&out, CHECKPOINT)),
            out,
            start: self.start,
            selection,
            target,
            length: self.steps.map_or(Length::Epochs(self.epochs), Length::Steps),
            report: self.report,
            warm_up: self.warm_up,
            settings,
        })
    }

    /// The plan of a checkpoint, which may have been moved.
    fn changed(self, mut plan: Plan) -> Plan {
        if !self.data.is_empty() {
            plan.data = self.data;
        }
        plan.out = self.out.unwrap_or(plan.out);
        // It goes on being saved where it was.
        plan.checkpoint = self.checkpoint.or(self.resume).unwrap_or(plan.checkpoint);
        plan
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn input_error(path: &Path, problem: &impl ToString) -> CliError {
    CliError::Input { name: path.display().to_string(), problem: problem.to_string() }
}
