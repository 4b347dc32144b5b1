//! Training a network on the positions of games.
//!
//! [`DataSet`] contains the [`Example`]s, [`Training`] learns from them batch by batch, and [`run`] trains until the
//! end of a [`Plan`], with reports and checkpoints. The first layer is sparse: only the weights of active inputs are
//! used.

mod average;
mod checkpoint;
mod curve;
mod data_set;
mod example;
mod first_layer;
mod half_precision;
mod later_layers;
mod loss;
mod optimizer;
mod outcomes;
mod parameters;
mod settings;
mod target;
#[cfg(test)]
mod testing;
mod training;
mod vector;
mod worker;

pub use average::Ema;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use curve::Curve;
pub use data_set::{Counts, DataSet, LoadError, LoadProgress, load};
pub use example::Example;
pub use loss::{Loss, LossDifference, total_loss};
pub use optimizer::{AdamW, DecayTarget, Schedule};
pub use outcomes::{FitError, Outcomes};
pub use settings::{Length, Plan, Selection, Settings, Source};
pub use target::{Target, WdlWeight};
pub use training::{Training, TrainingError};

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The reason why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All steps are done.
    Complete,
    /// The run was interrupted; the checkpoint was written.
    Interrupted,
    /// The loss of a batch, or a weight that would be saved, is not a finite number. The latest checkpoint is from
    /// before that.
    Diverged {
        /// The number of batches done.
        step: u64,
    },
}

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Status {
    /// The number of batches done.
    pub step: u64,
    /// The total number of batches of the run.
    pub steps: u64,
    /// The number of passes over all examples.
    pub epochs: f64,
    /// The mean loss of the batches since the last report.
    pub loss: f64,
    /// The latest learning rate.
    pub learning_rate: f64,
    /// The number of examples trained on since this run was started or resumed.
    pub positions: u64,
    /// The time of training, without validation.
    pub elapsed: Duration,
}

/// A report that is made at intervals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Report {
    /// The progress.
    pub status: Status,
    /// The mean loss of the latest weights over the examples for validation; `None` if there are no such examples.
    pub validation_loss: Option<f64>,
    /// The mean loss of the average of the weights over these examples; `None` also if there is no average yet.
    pub ema_validation_loss: Option<f64>,
}

/// An event of a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A batch is done.
    Step(&'a Status),
    /// A report is due; the checkpoint is written next.
    Report(&'a Report),
}

/// Trains until all steps are done or `on_event`, which is called after every batch, returns a break, or until a number
/// is not finite any more. A checkpoint is written after each report and at the end.
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
        let loss = trainer.learn(&data.training);
        losses.push(loss);
        elapsed += start.elapsed();
        positions += batch;
        let step = trainer.steps_done();
        let is_report_due = step.is_multiple_of(report_steps) || trainer.is_done();
        if !loss.is_finite() || is_report_due && !trainer.is_finite() {
            return Ok(Ending::Diverged { step });
        }
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
        if is_report_due {
            let report = Report {
                status,
                validation_loss: trainer.loss(&data.validation),
                ema_validation_loss: trainer.average_loss(&data.validation),
            };
            is_stopped |= on_event(Event::Report(&report)).is_break();
            losses.clear();
            save(trainer)?;
        }
        if is_stopped && !trainer.is_done() {
            if !trainer.is_finite() {
                return Ok(Ending::Diverged { step });
            }
            save(trainer)?;
            return Ok(Ending::Interrupted);
        }
    }
    Ok(Ending::Complete)
}
