//! `hematite train`: training of a network on positions of games.

mod output;

use super::streams::write_json;
use super::training_data::{self, TrainingDataArgs};
use super::values::{
    JsonAtEndArg, above_zero, factors, fraction, integer_in, non_negative, path_factor, positive,
    thread_count,
};
use super::{CliError, ExitStatus};
use crate::cli::{net, signals};
use crate::files::AtomicFile;
use crate::nnue::file::NetworkFile;
use crate::nnue::{Architecture, FloatNetwork};
use crate::search::MAX_THREADS;
use crate::train::trainer::{
    AdamW, Checkpoint, CheckpointError, DataSet, DecayTarget, Ema, Ending, Length, Plan, Schedule, Settings,
    Training, TrainingError, run as train,
};
use output::{Networks, Reporter, Summary};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const EXAMPLES: &str = "\
Examples:
  hematite train --data games/ --output new.nnue
  hematite train --data games/ more.games --output new.nnue --hidden 256 --epochs 20 --seed 7
  hematite train --data games/ --output new.nnue --ema 0.999 --wdl 0.2..0.5 --loss-exponent 2.5
  hematite train --data games/ --output next.nnue --init-net new.float --lr 0.001 --decay-toward start
  hematite train --data old/ games/ --output new.nnue --source-weight old/=0.5 --fit-curve
  hematite train --resume new.nnue.checkpoint

The network that plays is written to NET, the network of real numbers beside it: for new.nnue to
new.float, for another name to NET.float. --resume continues a run that was interrupted, which then
ends with the same bytes.
The same program, games, options, seed and number of threads give the same bytes on the same kind
of machine.";

/// Train a network on games of self-play.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files and folders with games, as `hematite datagen` writes them.
    #[arg(long, value_name = "PATH", num_args = 1.., required_unless_present = "resume")]
    data: Vec<PathBuf>,

    /// Factor of the loss of the positions of a path of --data, such as old/=0.5; may be repeated.
    #[arg(long, value_name = "PATH=FACTOR", value_parser = path_factor, conflicts_with = "resume")]
    source_weight: Vec<(PathBuf, f32)>,

    /// The file for the network.
    #[arg(short, long = "output", alias = "out", value_name = "NET", required_unless_present = "resume")]
    out: Option<PathBuf>,

    /// Hidden neurons of one perspective, a multiple of 16.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_WIDTH, value_parser = integer_in::<usize>(0..), conflicts_with = "resume")]
    hidden: usize,

    /// Times that every position is learned from.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_EPOCHS, value_parser = positive, conflicts_with = "resume")]
    epochs: u64,

    /// Batches to learn from, such as 50k, in place of epochs.
    #[arg(long, value_name = "N", value_parser = positive, conflicts_with_all = ["resume", "epochs"])]
    steps: Option<u64>,

    /// Positions in a batch.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BATCH, value_parser = integer_in::<u32>(1..), conflicts_with = "resume")]
    batch: u32,

    /// Highest learning rate.
    #[arg(long, value_name = "RATE", default_value_t = DEFAULT_RATE, value_parser = above_zero, conflicts_with = "resume")]
    lr: f64,

    /// Learning rate of the last batch.
    #[arg(long, alias = "lr-end", value_name = "RATE", default_value_t = DEFAULT_FINAL_RATE, value_parser = above_zero, conflicts_with = "resume")]
    final_lr: f64,

    /// Batches until the highest learning rate is reached [default: a fiftieth of all].
    #[arg(long, alias = "warm-up", value_name = "N", value_parser = integer_in::<u64>(0..), conflicts_with = "resume")]
    warmup: Option<u64>,

    /// Share of each weight that decays in a step, times the learning rate. The weights of scalars do not decay.
    #[arg(long, alias = "decay", value_name = "FACTOR", default_value_t = DEFAULT_DECAY, value_parser = non_negative, conflicts_with = "resume")]
    weight_decay: f64,

    /// Place toward which weights decay: zero, or start, the weights of --init-net, which keeps what that network
    /// knows.
    #[arg(long, value_name = "PLACE", value_enum, default_value_t = DecayToward::Zero, conflicts_with = "resume")]
    decay_toward: DecayToward,

    /// The same for what a weight has for the threat to its piece alone, beyond what it shares with the weights of the
    /// same piece and square [default: that of --weight-decay].
    #[arg(long, value_name = "FACTOR", value_parser = non_negative, conflicts_with = "resume")]
    threat_decay: Option<f64>,

    /// Exclude biases from the decay, as is common for AdamW.
    #[arg(long, conflicts_with = "resume")]
    no_bias_decay: bool,

    /// Average the weights of the last half of the run, of which each batch keeps this share, such as 0.999 (EMA), and
    /// write the average as the network; 0 for the last weights, 1 for the plain mean.
    #[arg(long, value_name = "FACTOR", default_value_t = 0.0, value_parser = fraction, conflicts_with = "resume")]
    ema: f64,

    /// Share of the run before the averaging begins [default: 50%].
    #[arg(long, value_name = "PART", value_parser = fraction, requires = "ema", conflicts_with = "resume")]
    ema_start: Option<f64>,

    #[command(flatten)]
    examples: TrainingDataArgs,

    /// Fit offset and scale of the scores and of the output to the results of the games, by maximum likelihood.
    #[arg(long, conflicts_with_all = ["resume", "eval_offset", "eval_scale", "output_offset", "output_scale"])]
    fit_curve: bool,

    /// Share of the games kept back to validate with, such as 2% or 0.02.
    #[arg(long, value_name = "PART", default_value = DEFAULT_VALIDATION, value_parser = fraction, conflicts_with = "resume")]
    validation: f64,

    /// Start with this network, of real numbers or integers, in place of random weights; it may have fewer neurons.
    #[arg(long, alias = "start", value_name = "NET", conflicts_with = "resume")]
    init_net: Option<PathBuf>,

    /// Threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16), conflicts_with = "resume")]
    threads: Option<u16>,

    /// Determines the initial weights, the order of positions and the games that are kept back.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = integer_in::<u64>(0..), conflicts_with = "resume")]
    seed: u64,

    /// Batches between progress reports; each report also writes a checkpoint [default: one epoch, at most 1000].
    #[arg(long, alias = "report", value_name = "N", value_parser = positive, conflicts_with = "resume")]
    report_every: Option<u64>,

    /// The file to which the run is saved [default: NET.checkpoint].
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Resume the run saved in this file, with all its options; --data, --output and --checkpoint
    /// give the present places of those files, if they have moved.
    #[arg(long, value_name = "FILE", conflicts_with = training_data::GROUP)]
    resume: Option<PathBuf>,

    #[command(flatten)]
    json: JsonAtEndArg,
}

/// The values toward which weights decay, as a value of an option.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum DecayToward {
    Zero,
    Start,
}

impl From<DecayToward> for DecayTarget {
    fn from(place: DecayToward) -> Self {
        match place {
            DecayToward::Zero => Self::Zero,
            DecayToward::Start => Self::Start,
        }
    }
}

const DEFAULT_WIDTH: usize = 128;
const DEFAULT_EPOCHS: u64 = 10;
const DEFAULT_BATCH: u32 = 16_384;
/// At a lower rate a network learns less from the same positions; a higher rate gains nothing even with many positions
/// (`src/nnue/net/HISTORY.md`).
const DEFAULT_RATE: f64 = 4e-3;
/// Low enough for the weights to settle at the end.
const DEFAULT_FINAL_RATE: f64 = 1e-5;
/// Prevents overfitting to the games (`src/nnue/net/HISTORY.md`).
const DEFAULT_DECAY: f64 = 0.25;
/// From this part of the run on, the weights only swing around an average.
const DEFAULT_EMA_START: f64 = 0.5;
const DEFAULT_VALIDATION: &str = "2%";
const DEFAULT_SEED: u64 = 1;

/// The suffix of the names of checkpoints.
const CHECKPOINT: &str = ".checkpoint";

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let json = self.json.is_given();
        match &self.resume {
            Some(path) => {
                let read = Checkpoint::read(path);
                let checkpoint = read.map_err(|error| input_error(path, &error))?;
                let plan = self.changed(checkpoint.plan().clone());
                train_network(plan, Some(checkpoint), json, out)
            }
            None => train_network(self.plan()?, None, json, out),
        }
    }

    fn plan(self) -> Result<Plan, CliError> {
        Architecture::new(self.hidden).map_err(|error| CliError::Usage(format!("--hidden: {error}")))?;
        if self.final_lr > self.lr {
            let problem = format!("--final-lr {}: expected at most --lr {}", self.final_lr, self.lr);
            return Err(CliError::Usage(problem));
        }
        if self.decay_toward == DecayToward::Start && self.init_net.is_none() {
            let problem = "--decay-toward start: expected --init-net, a network to decay toward";
            return Err(CliError::usage(problem));
        }
        let data_weights = self.data_weights()?;
        let threads = thread_count(self.threads);
        let target = self.examples.target();
        let settings = Settings {
            width: self.hidden,
            batch: self.batch as usize,
            optimizer: AdamW {
                decay_toward: self.decay_toward.into(),
                no_bias_decay: self.no_bias_decay,
                threat_decay: self.threat_decay.unwrap_or(self.weight_decay) as f32,
                ..AdamW::with_decay(self.weight_decay as f32)
            },
            schedule: Schedule { peak: self.lr, end: self.final_lr, warmup: 0, steps: 0 },
            seed: self.seed,
            threads,
            ema: (self.ema > 0.0)
                .then(|| Ema { factor: self.ema, start: self.ema_start.unwrap_or(DEFAULT_EMA_START) }),
            wdl: target.wdl,
            loss: self.examples.loss(),
        };
        let selection = self.examples.selection(self.validation, self.seed);
        let out = self.out.unwrap_or_default();
        Ok(Plan {
            data: self.data,
            data_weights,
            checkpoint: self.checkpoint.unwrap_or_else(|| with_suffix(&out, CHECKPOINT)),
            out,
            init_net: self.init_net,
            selection,
            target,
            fit_curve: self.fit_curve,
            length: self.steps.map_or(Length::Epochs(self.epochs), Length::Steps),
            report: self.report_every,
            warmup: self.warmup,
            settings,
        })
    }

    /// The weights of the paths of `--data`; empty if all weights are equal.
    fn data_weights(&self) -> Result<Vec<f32>, CliError> {
        if self.source_weight.is_empty() {
            return Ok(Vec::new());
        }
        factors(&self.data, &self.source_weight)
            .map_err(|problem| CliError::Usage(format!("--source-weight {problem}")))
    }

    /// Applies the options to the plan of a checkpoint, whose file may have been moved.
    fn changed(self, mut plan: Plan) -> Plan {
        if !self.data.is_empty() {
            plan.data = self.data;
        }
        plan.out = self.out.unwrap_or(plan.out);
        // By default the run is saved to the same file as before.
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

/// Trains from the start, or resumes from a checkpoint.
fn train_network(
    mut plan: Plan,
    checkpoint: Option<Checkpoint>,
    json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus, CliError> {
    // Errors that would otherwise appear only after hours are reported now.
    for path in [&plan.out, &plan.checkpoint] {
        check_folder(path)?;
    }
    let networks = Networks::new(&plan.out)?;
    networks.check()?;
    check_new_file(&plan.checkpoint)?;
    if networks.paths().contains(&plan.checkpoint.as_path()) {
        let problem = "expected another name than that of a network";
        return Err(CliError::Usage(format!("--checkpoint {}: {problem}", plan.checkpoint.display())));
    }
    if checkpoint.is_none() {
        check_former_run(&plan.checkpoint)?;
    }
    let start = plan.init_net.as_deref().filter(|_| checkpoint.is_none()).map(read_network).transpose()?;
    let stop = signals::interrupted_flag()?;
    let mut reporter = Reporter::new(json, out);
    if plan.fit_curve && checkpoint.is_none() {
        let outcomes =
            training_data::read_outcomes(&plan.data, &plan.selection, plan.settings.threads, stop)?;
        let curve = outcomes.fit().map_err(|error| CliError::Failed(format!("--fit-curve: {error}")))?;
        plan.set_curve(curve);
        reporter.fitted(curve, outcomes.positions());
    }
    let plan = &plan;
    let data = read_data(plan, stop)?;
    reporter.loaded(&data);
    let mut trainer = match checkpoint {
        Some(checkpoint) => {
            checkpoint.training(data.fingerprint()).map_err(|error| CliError::Usage(error.to_string()))?
        }
        None => {
            let settings = plan.settings(data.training.len());
            Training::new(settings, start.as_ref()).map_err(|error| trainer_error(plan, &error))?
        }
    };
    reporter.start(&trainer);
    let ending = train(plan, &data, &mut trainer, &mut |event| {
        reporter.report(event);
        signals::flow(stop)
    })
    .map_err(|error| checkpoint_error(&plan.checkpoint, &error))?;
    let reported = reporter.end();
    match ending {
        Ending::Complete => {}
        Ending::Interrupted => {
            let path = plan.checkpoint.display();
            return Err(CliError::Interrupted(format!("interrupted; --resume {path} continues")));
        }
        Ending::Diverged { step } => {
            let problem = "the loss or a weight is not a finite number any more; expected a lower --lr";
            return Err(CliError::Failed(format!("step {step}: {problem}")));
        }
    }
    // The network took hours and is kept, even if the reports cannot be written.
    let comparison = networks.write(&trainer.network(), &data)?;
    let progress = reported?;
    let summary = Summary::new(plan, &data, &trainer, progress, networks, comparison);
    if json {
        write_json(out, &summary)?;
    } else {
        write!(out, "{summary}")?;
    }
    Ok(ExitStatus::Yes)
}

/// Checks that a file with this name can be created in its folder.
fn check_folder(path: &Path) -> Result<(), CliError> {
    let fail = |problem: &str| Err(CliError::Usage(format!("{}: {problem}", path.display())));
    if path.file_name().is_none() || path.is_dir() {
        return fail("expected the name of a file");
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            fail("the folder does not exist")
        }
        _ => Ok(()),
    }
}

/// Checks that a file with this name can be written without compression.
fn check_new_file(path: &Path) -> Result<(), CliError> {
    signals::install_handlers()?;
    let created = AtomicFile::create(path).map(drop);
    created.map_err(|error| CliError::Usage(format!("--checkpoint {}: {error}", path.display())))
}

/// Checks that the checkpoints of a new run replace only those of a completed run.
fn check_former_run(path: &Path) -> Result<(), CliError> {
    let name = path.display();
    let problem = match Checkpoint::read(path) {
        Err(CheckpointError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(former) if former.is_complete() => return Ok(()),
        Ok(_) => {
            format!(
                "{name}: holds a run that is not over; continue it with --resume {name}, or remove the file"
            )
        }
        Err(error) => format!("{name}: {error}; expected a checkpoint that may be replaced, or --checkpoint"),
    };
    Err(CliError::Usage(problem))
}

fn read_network(path: &Path) -> Result<FloatNetwork, CliError> {
    match net::read_any(path)? {
        NetworkFile::Float(network) => Ok(network),
        NetworkFile::Quantized(network) => Ok(FloatNetwork::dequantized(&network)),
    }
}

fn read_data(plan: &Plan, stop: &AtomicBool) -> Result<DataSet, CliError> {
    let data =
        training_data::read(&plan.sources(), &plan.selection, &plan.target, plan.settings.threads, stop)?;
    if data.training.is_empty() {
        let all = data.counts.games;
        let games = all - data.counts.validation_games;
        let problem = if games == 0 && all > 0 {
            format!("all of {all} games are kept back, expected a smaller --validation")
        } else {
            format!("no position to learn from in {games} games, expected at least one")
        };
        return Err(CliError::Usage(problem));
    }
    Ok(data)
}

fn trainer_error(plan: &Plan, error: &TrainingError) -> CliError {
    match (error, &plan.init_net) {
        (TrainingError::Start { .. }, Some(path)) => input_error(path, error),
        _ => CliError::Usage(error.to_string()),
    }
}

fn checkpoint_error(path: &Path, error: &CheckpointError) -> CliError {
    CliError::Failed(format!("{}: the run cannot be saved: {error}", path.display()))
}
