//! Training to the end.

use super::{Checkpoint, CheckpointError, DataSet, Plan, Training};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All steps are done.
    Complete,
    /// Somebody asked to stop; the checkpoint was written.
    Interrupted,
}

/// Where a run is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Status {
    /// Batches that were learned from.
    pub step: u64,
    /// All batches of the run.
    pub steps: u64,
    /// How often all examples were learned from.
    pub epochs: f64,
    /// Mean loss of the batches since the last report.
    pub loss: f64,
    /// The latest learning rate.
    pub learning_rate: f64,
    /// Examples that were learned from since this run began or went on.
    pub positions: u64,
    /// How long that took; validation is not counted.
    pub elapsed: Duration,
}

/// What a run has to tell from time to time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Report {
    /// Where it is.
    pub status: Status,
    /// The mean loss over the examples for validation; `None` if there are none.
    pub validation_loss: Option<f64>,
}

/// Is told what happens.
pub trait Listener {
    /// A batch was learned from.
    fn step(&mut self, status: &Status);
    /// It is time for a report; the checkpoint is written next.
    fn report(&mut self, report: &Report);
}

/// Nobody wants to know.
impl Listener for () {
    fn step(&mut self, _: &Status) {}
    fn report(&mut self, _: &Report) {}
}

/// Trains until all steps are done or `stop` is set, and writes a checkpoint after each report
/// and at the end.
///
/// # Errors
/// [`CheckpointError`] if a checkpoint cannot be written.
pub fn run(
    plan: &Plan,
    data: &DataSet,
    trainer: &mut Training,
    stop: &AtomicBool,
    listener: &mut dyn Listener,
) -> Result<Ending, CheckpointError> {
    let fingerprint = data.fingerprint();
    let report_steps = plan.report_steps(data.training.len());
    let save = |trainer: &Training| Checkpoint::new(plan, fingerprint, trainer).write(&plan.checkpoint);
    let batch = trainer.settings().batch as u64;
    let mut elapsed = Duration::ZERO;
    let mut positions = 0;
    let mut losses = Vec::new();
    while !trainer.is_done() {
        if stop.load(Ordering::Relaxed) {
            save(trainer)?;
            return Ok(Ending::Interrupted);
        }
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
        listener.step(&status);
        if step.is_multiple_of(report_steps) || trainer.is_done() {
            listener.report(&Report { status, validation_loss: trainer.loss(&data.validation) });
            losses.clear();
            save(trainer)?;
        }
    }
    Ok(Ending::Complete)
}
