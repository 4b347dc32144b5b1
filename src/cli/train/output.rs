//! The progress, the network files and the summary of a training run.

use crate::cli::CliError;
use crate::cli::progress::{bar, eta};
use crate::cli::streams::new_file;
use crate::nnue::FloatNetwork;
use crate::train::trainer::{Curve, DataSet, Event, LossDifference, Plan, Report, Status, Training};
use indicatif::{HumanDuration, ProgressBar};
use serde::Serialize;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The paths of the two files of a network.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Networks {
    quantized: PathBuf,
    float: PathBuf,
}

/// The extension of networks of integers.
const QUANTIZED: &str = "nnue";
/// The extension of networks of real numbers.
const FLOAT: &str = "float";

/// The number of positions on which the two networks are compared.
const COMPARED: usize = 100_000;

impl Networks {
    /// The paths of `new.nnue` and of `new.float` in the same folder. To a name that does not end in `.nnue` the
    /// extension is added, so that `lr0.002` and `lr0.004` have different networks of real numbers.
    ///
    /// # Errors
    /// [`CliError::Usage`] if the name is that of a network of real numbers.
    pub(super) fn new(out: &Path) -> Result<Self, CliError> {
        let has_extension = |wanted: &str| out.extension().is_some_and(|found| found == wanted);
        let float = if has_extension(QUANTIZED) {
            out.with_extension(FLOAT)
        } else {
            out.with_added_extension(FLOAT)
        };
        if has_extension(FLOAT) {
            let problem = format!("{}: expected a name that does not end in .{FLOAT}", out.display());
            return Err(CliError::Usage(problem));
        }
        Ok(Self { quantized: out.to_owned(), float })
    }

    /// The paths of both files.
    pub(super) fn paths(&self) -> [&Path; 2] {
        [&self.quantized, &self.float]
    }

    /// Checks that both files can be written.
    ///
    /// # Errors
    /// [`CliError::Output`] for the first file that cannot be created.
    pub(super) fn check(&self) -> Result<(), CliError> {
        // A pipe or device is opened only to be written.
        let is_special = |path: &&Path| fs::metadata(path).is_ok_and(|found| !found.is_file());
        self.paths()
            .into_iter()
            .filter(|path| !is_special(path))
            .try_for_each(|path| new_file(path).map(drop))
    }

    /// Writes both files of a network, or neither, and returns the difference between them on the validation positions,
    /// or on the training positions if there are none.
    pub(super) fn write(&self, network: &FloatNetwork, data: &DataSet) -> Result<LossDifference, CliError> {
        let quantized = network
            .quantize()
            .map_err(|error| CliError::Failed(format!("the network cannot be quantized: {error}")))?;
        // Both are complete under temporary names before either of them replaces an older file.
        let [mut float_file, mut quantized_file] = [new_file(&self.float)?, new_file(&self.quantized)?];
        network.write(&mut float_file)?;
        quantized.write(&mut quantized_file)?;
        float_file.flush()?;
        quantized_file.flush()?;
        float_file.commit()?;
        quantized_file.commit()?;
        let examples = if data.validation.is_empty() { &data.training } else { &data.validation };
        Ok(LossDifference::new(network, &quantized, &examples[..examples.len().min(COMPARED)]))
    }
}

/// The summary of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Summary {
    games: u64,
    validation_games: u64,
    positions: u64,
    training_positions: usize,
    validation_positions: usize,
    hidden: usize,
    steps: u64,
    threads: usize,
    seed: u64,
    #[serde(flatten)]
    progress: Progress,
    positions_per_second_and_thread: f64,
    networks: Networks,
    /// The mean difference between the two networks, in search units.
    mean_quantization_error: f64,
    max_quantization_error: f64,
    compared_positions: usize,
    /// The curve that was fitted to the games, in search units.
    #[serde(skip_serializing_if = "Option::is_none")]
    fitted_curve: Option<Curve>,
}

impl Summary {
    pub(super) fn new(
        plan: &Plan,
        data: &DataSet,
        trainer: &Training,
        progress: Progress,
        networks: Networks,
        comparison: LossDifference,
    ) -> Self {
        let threads = plan.settings.threads;
        let seconds = progress.seconds.max(f64::MIN_POSITIVE);
        Self {
            games: data.counts.games,
            validation_games: data.counts.validation_games,
            positions: data.counts.positions,
            training_positions: data.training.len(),
            validation_positions: data.validation.len(),
            hidden: plan.settings.width,
            steps: trainer.steps_done(),
            threads,
            seed: plan.settings.seed,
            progress,
            positions_per_second_and_thread: progress.trained as f64 / seconds / threads as f64,
            networks,
            mean_quantization_error: comparison.mean,
            max_quantization_error: comparison.max,
            compared_positions: comparison.positions,
            fitted_curve: plan.fit_curve.then_some(plan.target.curve),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { trained, seconds, loss, validation_loss, ema_validation_loss } = self.progress;
        let pace = self.positions_per_second_and_thread;
        writeln!(f, "trained:    {trained} positions in {seconds:.1} s, {pace:.0} a second and thread")?;
        if let Some(loss) = loss {
            writeln!(f, "loss:       {loss:.6}{}", validation_losses(validation_loss, ema_validation_loss))?;
        }
        writeln!(
            f,
            "quantized:  {:.2} search units off in the mean, {:.1} at most, on {} positions",
            self.mean_quantization_error, self.max_quantization_error, self.compared_positions
        )?;
        writeln!(f, "network:    {}", self.networks.quantized.display())?;
        writeln!(f, "real:       {}", self.networks.float.display())
    }
}

/// The existing validation losses: of the latest weights, and of their average.
fn validation_losses(latest: Option<f64>, average: Option<f64>) -> String {
    let part = |name, loss: Option<f64>| loss.map(|loss| format!(", {name} {loss:.6}")).unwrap_or_default();
    part("validation", latest) + &part("of the average", average)
}

/// The minimum time between two redraws of the bar.
const REDRAW: Duration = Duration::from_millis(250);

/// Writes reports, and shows the progress of training.
pub(super) struct Reporter<'a> {
    out: &'a mut dyn Write,
    /// Whether no lines are written.
    is_quiet: bool,
    written: io::Result<()>,
    bar: ProgressBar,
    drawn: Instant,
    /// The number of steps before this run was resumed.
    before: u64,
    progress: Progress,
}

/// The latest values of the reports.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub(super) struct Progress {
    /// The number of positions trained on in this run; repeated positions count each time.
    pub trained: u64,
    /// The duration of the training, in seconds.
    pub seconds: f64,
    /// The mean loss of the batches before the last report.
    pub loss: Option<f64>,
    /// The mean validation loss of the latest weights.
    pub validation_loss: Option<f64>,
    /// The mean validation loss of the average of the weights, if they are averaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ema_validation_loss: Option<f64>,
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

    /// Prints the curve that was fitted to this number of positions.
    pub(super) fn fitted(&mut self, curve: Curve, positions: u64) {
        if !self.is_quiet {
            let Curve { offset, scale } = curve;
            let units = format!("offset {offset:.1}, scale {scale:.1} search units");
            self.written = writeln!(self.out, "curve: {units}, fitted to {positions} positions");
        }
    }

    /// Prints the numbers of positions and games.
    pub(super) fn loaded(&mut self, data: &DataSet) {
        if !self.is_quiet && self.written.is_ok() {
            self.written = self.write_loaded(data);
        }
    }

    fn write_loaded(&mut self, data: &DataSet) -> io::Result<()> {
        let counts = &data.counts;
        let (training, validation) = (data.training.len(), data.validation.len());
        writeln!(self.out, "{} positions of {} games", counts.positions, counts.games)?;
        write!(
            self.out,
            "left out: {} early, {} in check, {} with a noisy move, {} decided",
            counts.early, counts.checks, counts.noisy, counts.decided
        )?;
        // Only with the options of these limits.
        for (count, reason) in [(counts.clock, "with a high 50-move clock"), (counts.refuted, "refuted")] {
            if count > 0 {
                write!(self.out, ", {count} {reason}")?;
            }
        }
        writeln!(self.out)?;
        let kept = match counts.validation_games {
            0 => "none".to_owned(),
            games => format!("{validation} of {games} games"),
        };
        writeln!(self.out, "{training} to learn from, {kept} to validate with")?;
        self.out.flush()
    }

    /// Shows a progress bar on a terminal.
    pub(super) fn start(&mut self, trainer: &Training) {
        self.before = trainer.steps_done();
        self.bar = bar(trainer.settings().schedule.steps, "{wide_bar} {pos}/{len} {msg}");
        self.bar.set_position(self.before);
    }

    /// Removes the bar, and returns the latest values.
    ///
    /// # Errors
    /// The first error of writing.
    pub(super) fn end(self) -> Result<Progress, CliError> {
        self.bar.finish_and_clear();
        self.written?;
        Ok(self.progress)
    }
}

/// The speed in positions per second.
fn pace(status: &Status) -> f64 {
    status.positions as f64 / status.elapsed.max(Duration::from_nanos(1)).as_secs_f64()
}

impl Reporter<'_> {
    /// Reports an event.
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
        self.progress.ema_validation_loss = report.ema_validation_loss;
        if self.is_quiet || self.written.is_err() {
            return;
        }
        let validation = validation_losses(report.validation_loss, report.ema_validation_loss);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_lie_side_by_side() {
        let cases = [
            ("new.nnue", Some("new.float")),
            ("nets/a.b.nnue", Some("nets/a.b.float")),
            ("nets/new", Some("nets/new.float")),
            ("nets/lr0.002", Some("nets/lr0.002.float")),
            ("nets/lr0.004", Some("nets/lr0.004.float")),
            ("nets/new.float", None),
        ];
        for (out, float) in cases {
            let networks = Networks::new(Path::new(out)).ok();
            assert_eq!(networks.map(|networks| networks.float), float.map(PathBuf::from), "{out}");
        }
    }
}
