//! The networks and the summary of a training run.

use super::CliError;
use super::reporter::Progress;
use crate::cli::streams::new_file;
use crate::files::OutputFile;
use crate::nnue::FloatNetwork;
use crate::train::trainer::{Comparison, DataSet, Plan, Training};
use serde::Serialize;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The files of a network.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Networks {
    quantized: PathBuf,
    float: PathBuf,
}

/// The extension of networks of real numbers.
const FLOAT: &str = "float";

/// Positions that the two networks are compared on.
const COMPARED: usize = 100_000;

impl Networks {
    /// `new.nnue` and `new.float` beside it.
    ///
    /// # Errors
    /// [`CliError::Usage`] if both would have the same name.
    pub(super) fn new(out: &Path) -> Result<Self, CliError> {
        let float = out.with_extension(FLOAT);
        if float == out {
            let problem = format!("{}: expected a name that does not end in .{FLOAT}", out.display());
            return Err(CliError::Usage(problem));
        }
        Ok(Self { quantized: out.to_owned(), float })
    }

    /// Their paths.
    pub(super) fn paths(&self) -> [&Path; 2] {
        [&self.quantized, &self.float]
    }

    /// Writes both kinds of a network, or neither, and returns the difference between them on the
    /// positions for validation, or on those for training if there are none.
    pub(super) fn write(&self, network: &FloatNetwork, data: &DataSet) -> Result<Comparison, CliError> {
        let quantized = network
            .quantize()
            .map_err(|error| CliError::Usage(format!("the network cannot be quantized: {error}")))?;
        write(&self.float, |file| network.write(file))?;
        write(&self.quantized, |file| quantized.write(file))?;
        let examples = if data.validation.is_empty() { &data.training } else { &data.validation };
        Ok(Comparison::new(network, &quantized, &examples[..examples.len().min(COMPARED)]))
    }
}

/// Writes a file that is there only when it is complete.
fn write(path: &Path, write: impl FnOnce(&mut OutputFile) -> io::Result<()>) -> Result<(), CliError> {
    let mut file = new_file(path)?;
    write(&mut file)?;
    Ok(file.commit()?)
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
    /// In search units.
    mean_quantization_error: f64,
    max_quantization_error: f64,
    compared_positions: usize,
}

impl Summary {
    pub(super) fn new(
        plan: &Plan,
        data: &DataSet,
        trainer: &Training,
        progress: Progress,
        networks: Networks,
        comparison: Comparison,
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
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { trained, seconds, loss, validation_loss } = self.progress;
        let pace = self.positions_per_second_and_thread;
        writeln!(f, "trained:    {trained} positions in {seconds:.1} s, {pace:.0} a second and thread")?;
        if let Some(loss) = loss {
            write!(f, "loss:       {loss:.6}")?;
            match validation_loss {
                Some(loss) => writeln!(f, ", validation {loss:.6}")?,
                None => writeln!(f)?,
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_lie_side_by_side() {
        let cases = [
            ("new.nnue", Some("new.float")),
            ("nets/a.b.nnue", Some("nets/a.b.float")),
            ("nets/new", Some("nets/new.float")),
            ("nets/new.float", None),
        ];
        for (out, float) in cases {
            let networks = Networks::new(Path::new(out)).ok();
            assert_eq!(networks.map(|networks| networks.float), float.map(PathBuf::from), "{out}");
        }
    }
}
