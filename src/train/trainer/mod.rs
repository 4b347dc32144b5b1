//! Training a network on the positions of games.
//!
//! [`DataSet`] holds the [`Example`]s, [`Training`] learns from them batch by batch, [`run`]
//! does so until the end of a [`Plan`], with reports and checkpoints. The first layer is sparse: of
//! its inputs only those are touched for which there is a piece.

mod checkpoint;
mod data_set;
mod example;
mod first_layer;
mod later_layers;
mod loss;
mod optimizer;
mod order;
mod parameters;
#[cfg(test)]
mod testing;
mod training;
mod vector;
mod worker;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use data_set::{Counts, DataSet, LoadError, LoadProgress, load};
pub use example::{Example, Target};
pub use loss::{Comparison, total_loss};
pub use optimizer::{AdamW, Schedule};
pub use training::{Training, TrainingError};

use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All steps are done.
    Complete,
    /// It was interrupted; the checkpoint was written.
    Interrupted,
}

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Status {
    /// The number of batches done.
    pub step: u64,
    /// All batches of the run.
    pub steps: u64,
    /// The number of times that all examples were learned from.
    pub epochs: f64,
    /// Mean loss of the batches since the last report.
    pub loss: f64,
    /// The latest learning rate.
    pub learning_rate: f64,
    /// Examples that were learned from since this run started or was resumed.
    pub positions: u64,
    /// The time that took; validation is not counted.
    pub elapsed: Duration,
}

/// A report that is due from time to time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Report {
    /// The progress.
    pub status: Status,
    /// The mean loss over the examples for validation; `None` if there are none.
    pub validation_loss: Option<f64>,
}

/// A report of a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A batch was learned from.
    Step(&'a Status),
    /// The report that is due; the checkpoint is written next.
    Report(&'a Report),
}

/// Trains until all steps are done or `on_event` breaks, which is called after every batch. A checkpoint is written
/// after each report and at the end.
///
/// # Errors
/// [`CheckpointError`] if a checkpoint cannot be written.
pub fn run(
    plan: &Plan,
    data: &DataSet,
    trainer: &mut Training,
    on_event: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Ending, CheckpointError> {
    let fingerprint = data.fingerprint();
    let report_steps = plan.report_steps(data.training.len());
    let save = |trainer: &Training| Checkpoint::new(plan, fingerprint, trainer).write(&plan.checkpoint);
    let batch = trainer.settings().batch as u64;
    let mut elapsed = Duration::ZERO;
    let mut positions = 0;
    let mut losses = Vec::new();
    while !trainer.is_done() {
        let learning_rate = trainer.learning_rate();
        let start = Instant::now();
        losses.push(trainer.learn(&data.training));
        elapsed += start.elapsed();
        positions += batch;
        let step = trainer.steps_done();
        let status = Status {
            step,
            steps: trainer.settings().schedule.steps,
            epochs: (step * batch) as f64 / data.training.len().max(1) as f64,
            loss: losses.iter().sum::<f64>() / losses.len() as f64,
            learning_rate,
            positions,
            elapsed,
        };
        let mut is_stopped = on_event(Event::Step(&status)).is_break();
        if step.is_multiple_of(report_steps) || trainer.is_done() {
            let report = Report { status, validation_loss: trainer.loss(&data.validation) };
            is_stopped |= on_event(Event::Report(&report)).is_break();
            losses.clear();
            save(trainer)?;
        }
        if is_stopped && !trainer.is_done() {
            save(trainer)?;
            return Ok(Ending::Interrupted);
        }
    }
    Ok(Ending::Complete)
}

/// Everything besides the examples that determines the trained network.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Hidden neurons of one perspective.
    pub width: usize,
    /// Examples that move the weights together.
    pub batch: usize,
    /// The optimizer, which turns gradients into steps.
    pub optimizer: AdamW,
    /// The learning rate of each step.
    pub schedule: Schedule,
    /// Determines the initial weights and the order of the examples.
    pub seed: u64,
    /// The number of threads, which determines the order in which numbers are added up.
    pub threads: usize,
}

/// The length of training.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// This many times through all examples.
    Epochs(u64),
    /// This many batches.
    Steps(u64),
}

impl Length {
    /// The number of batches, at least one.
    pub fn steps(self, examples: usize, batch: usize) -> u64 {
        match self {
            Self::Epochs(epochs) => epochs.saturating_mul(examples as u64).div_ceil(batch.max(1) as u64),
            Self::Steps(steps) => steps,
        }
        .max(1)
    }
}

/// The selection of positions that become examples.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Selection {
    /// Positions before this many half-moves are left out: they are random.
    pub min_ply: u32,
    /// Positions with a score beyond this, in search units, are left out: they are decided.
    pub max_score: i16,
    /// The share of the games that is kept back for validation, 0 to 1.
    pub validation: f64,
    /// No more positions than this are learned from; those for validation come on top.
    pub max_positions: Option<u64>,
    /// Determines the games that are kept back.
    pub seed: u64,
}

/// A whole run, as the user asks for it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Files and folders with games.
    pub data: Vec<PathBuf>,
    /// The file of the quantized network.
    pub out: PathBuf,
    /// The file of the checkpoint.
    pub checkpoint: PathBuf,
    /// The initial network, in place of random weights.
    #[serde(alias = "start")]
    pub init_net: Option<PathBuf>,
    /// The selection of positions.
    pub selection: Selection,
    /// The target of each position.
    pub target: Target,
    /// The length of training.
    pub length: Length,
    /// Steps between two reports; `None` for an epoch, but no more than [`Plan::REPORT_STEPS`].
    pub report: Option<u64>,
    /// Steps until the highest learning rate is reached; `None` for all divided by [`Plan::WARMUP_DIVISOR`].
    #[serde(alias = "warm_up")]
    pub warmup: Option<u64>,
    /// The rest. The schedule has no steps yet.
    pub settings: Settings,
}

impl Plan {
    /// The most steps between two reports by default.
    pub const REPORT_STEPS: u64 = 1000;
    /// The learning rate climbs for this fraction of all steps by default.
    pub const WARMUP_DIVISOR: u64 = 50;

    /// The settings for this many examples.
    pub fn settings(&self, examples: usize) -> Settings {
        let mut settings = self.settings;
        let steps = self.length.steps(examples, settings.batch);
        settings.schedule.steps = steps;
        settings.schedule.warmup = self.warmup.unwrap_or(steps / Self::WARMUP_DIVISOR).min(steps);
        settings
    }

    /// Steps between two reports for this many examples, at least one.
    pub fn report_steps(&self, examples: usize) -> u64 {
        let epoch = Length::Epochs(1).steps(examples, self.settings.batch);
        self.report.unwrap_or(epoch.min(Self::REPORT_STEPS)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_in_batches() {
        let cases = [
            ("an epoch", Length::Epochs(1), 1000, 100, 10),
            ("a part of a batch more", Length::Epochs(1), 1001, 100, 11),
            ("several epochs", Length::Epochs(3), 50, 100, 2),
            ("steps", Length::Steps(7), 1000, 100, 7),
            ("at least one", Length::Epochs(0), 1000, 100, 1),
        ];
        for (name, length, examples, batch, steps) in cases {
            assert_eq!(length.steps(examples, batch), steps, "{name}");
        }
    }
}
