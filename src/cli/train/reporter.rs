//! Progress of training.

use super::CliError;
use crate::cli::progress::{bar, eta};
use crate::train::trainer::{DataSet, Event, Report, Status, Training};
use indicatif::{HumanDuration, ProgressBar};
use serde::Serialize;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The time between two redraws of the bar.
const REDRAW: Duration = Duration::from_millis(250);

/// Writes reports, and shows the progress of training.
pub(super) struct Reporter<'a> {
    out: &'a mut dyn Write,
    /// Whether no lines are wanted.
    is_quiet: bool,
    written: io::Result<()>,
    bar: ProgressBar,
    drawn: Instant,
    /// Steps that were done before this run was resumed.
    before: u64,
    progress: Progress,
}

/// The latest values of the reports.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub(super) struct Progress {
    /// Positions that were learned from in this run, each as often as it was.
    pub trained: u64,
    /// Seconds that took.
    pub seconds: f64,
    /// Mean loss of the batches before the last report.
    pub loss: Option<f64>,
    /// Mean loss over the positions kept back.
    pub validation_loss: Option<f64>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(is_quiet: bool, out: &'a mut dyn Write) -> Self {
        Self {
            out,
            is_quiet,
            written: Ok(()),
            bar: ProgressBar::hidden(),
            drawn: Instant::now(),
            before: 0,
            progress: Progress::default(),
        }
    }

    /// Prints the numbers of positions and games.
    pub(super) fn loaded(&mut self, data: &DataSet) {
        if !self.is_quiet {
            self.written = self.write_loaded(data);
        }
    }

    fn write_loaded(&mut self, data: &DataSet) -> io::Result<()> {
        let counts = &data.counts;
        let (training, validation) = (data.training.len(), data.validation.len());
        writeln!(self.out, "{} positions of {} games", counts.positions, counts.games)?;
        writeln!(
            self.out,
            "left out: {} early, {} in check, {} with a noisy move, {} decided",
            counts.early, counts.checks, counts.noisy, counts.decided
        )?;
        let kept = match counts.validation_games {
            0 => "none".to_owned(),
            games => format!("{validation} of {games} games"),
        };
        writeln!(self.out, "{training} to learn from, {kept} to validate with")?;
        self.out.flush()
    }

    /// Shows a bar on a terminal.
    pub(super) fn start(&mut self, trainer: &Training) {
        self.before = trainer.steps_done();
        self.bar = bar(trainer.settings().schedule.steps, "{wide_bar} {pos}/{len} {msg}");
        self.bar.set_position(self.before);
    }

    /// Removes the bar, and returns the latest values.
    ///
    /// # Errors
    /// If something could not be written.
    pub(super) fn end(self) -> Result<Progress, CliError> {
        self.bar.finish_and_clear();
        self.written?;
        Ok(self.progress)
    }
}

/// Positions learned from in a second.
fn pace(status: &Status) -> f64 {
    status.positions as f64 / status.elapsed.max(Duration::from_nanos(1)).as_secs_f64()
}

impl Reporter<'_> {
    /// Shows an event.
    pub(super) fn report(&mut self, event: Event<'_>) {
        match event {
            Event::Step(status) => self.show_step(status),
            Event::Report(report) => self.write_report(report),
        }
    }

    fn show_step(&mut self, status: &Status) {
        self.progress.trained = status.positions;
        self.progress.seconds = status.elapsed.as_secs_f64();
        if self.drawn.elapsed() < REDRAW {
            return;
        }
        self.drawn = Instant::now();
        let done = status.step - self.before;
        let eta = eta(done, status.steps - status.step, status.elapsed);
        let eta = eta.map_or_else(|| "?".to_owned(), |eta| HumanDuration(eta).to_string());
        self.bar.set_position(status.step);
        self.bar.set_message(format!(
            "loss {:.6}, {:.0} positions/s, {eta} to go",
            status.loss,
            pace(status)
        ));
    }

    fn write_report(&mut self, report: &Report) {
        let status = &report.status;
        self.progress.loss = Some(status.loss);
        self.progress.validation_loss = report.validation_loss;
        if self.is_quiet || self.written.is_err() {
            return;
        }
        let validation =
            report.validation_loss.map(|loss| format!(", validation {loss:.6}")).unwrap_or_default();
        let width = status.steps.to_string().len();
        let line = format!(
            "step {:width$}/{} epoch {:.2}: loss {:.6}{validation}, rate {:.2e}, {:.0} positions/s",
            status.step,
            status.steps,
            status.epochs,
            status.loss,
            status.learning_rate,
            pace(status)
        );
        self.written = self.bar.suspend(|| {
            writeln!(self.out, "{line}")?;
            self.out.flush()
        });
    }
}
