//! `hematite train`: games become a network.

mod output;
mod reporter;
mod work;

use super::quantity::{positive, whole};
use super::{CliError, Verdict};
use crate::nnue::{Architecture, EVALUATION_SCALE};
use crate::search::MAX_THREADS;
use crate::train::trainer::{AdamW, Checkpoint, Length, Plan, Schedule, Selection, Settings, Target};
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

    /// Weight of the game's result beside the score.
    #[arg(long, value_name = "PART", default_value_t = DEFAULT_WDL, value_parser = part, conflicts_with = "resume")]
    wdl: f64,

    /// Weight of what the scores after it say about a position, beside its own.
    #[arg(long, value_name = "PART", default_value_t = DEFAULT_FORESIGHT, value_parser = part, conflicts_with = "resume")]
    foresight: f64,

    /// Score of the games that brings 73 % of the points, in units of the search that played them.
    #[arg(long, value_name = "CP", default_value_t = f64::from(EVALUATION_SCALE), value_parser = above_zero, conflicts_with = "resume")]
    scale: f64,

    /// Share of the games kept back to validate with, such as 2% or 0.02.
    #[arg(long, value_name = "PART", default_value = DEFAULT_VALIDATION, value_parser = part, conflicts_with = "resume")]
    validation: f64,

    /// Leave out positions before this many half-moves.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MIN_PLY, value_parser = whole::<u32>(0..), conflicts_with = "resume")]
    min_ply: u32,

    /// Leave out positions with a score beyond this.
    #[arg(long, value_name = "CP", default_value_t = DEFAULT_MAX_SCORE, value_parser = whole::<i16>(0..), conflicts_with = "resume")]
    max_score: i16,

    /// Learn from the first N positions only.
    #[arg(long, value_name = "N", value_parser = positive, conflicts_with = "resume")]
    max_positions: Option<u64>,

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
    #[arg(long, value_name = "FILE")]
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
/// The score says more about a position than how one fast game ended.
const DEFAULT_WDL: f64 = 0.3;
/// None: it was not shown to bring anything (`src/nnue/net/HISTORY.md`).
const DEFAULT_FORESIGHT: f64 = 0.0;
const DEFAULT_VALIDATION: &str = "2%";
/// Games begin with eight or nine random half-moves, after which it takes some more to calm down.
const DEFAULT_MIN_PLY: u32 = 16;
/// Beyond it every game is won.
const DEFAULT_MAX_SCORE: i16 = 3000;
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
        let selection = Selection {
            min_ply: self.min_ply,
            max_score: self.max_score,
            validation: self.validation,
            max_positions: self.max_positions,
            seed: self.seed,
        };
        let target =
            Target { wdl: self.wdl as f32, scale: self.scale as f32, foresight: self.foresight as f32 };
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

/// A share: `0.02` or `2%`, from 0 to 1.
fn part(text: &str) -> Result<f64, String> {
    const HUNDRED: f64 = 100.0;
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, HUNDRED));
    match number.trim().parse::<f64>() {
        Ok(number) if (0.0..=unit).contains(&number) => Ok(number / unit),
        _ => Err("expected a share from 0 to 1, or from 0% to 100%".to_owned()),
    }
}

/// A number that is not negative.
fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number, 0 or more".to_owned()),
    }
}

/// A number above zero.
fn above_zero(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number above 0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read() {
        let cases = [
            ("2%", Some(0.02)),
            ("0.3", Some(0.3)),
            ("100%", Some(1.0)),
            ("0", Some(0.0)),
            ("2", None),
            ("-1%", None),
            ("101%", None),
            ("NaN", None),
            ("%", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(part(text).ok(), expected, "{text}");
        }
        for text in ["0", "-1", "inf", "NaN", "x"] {
            assert!(above_zero(text).is_err(), "{text}");
        }
        assert_eq!(above_zero("0.001"), Ok(0.001));
    }
}
