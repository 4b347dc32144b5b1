//! From the plan to the network.

use super::output::{Networks, Summary};
use super::reporter::Reporter;
use super::{CliError, Verdict, input_error};
use crate::cli::output::write_json;
use crate::cli::{examples, interruption, net};
use crate::nnue::FloatNetwork;
use crate::nnue::file::NetworkFile;
use crate::train::trainer::{
    Checkpoint, CheckpointError, DataSet, Ending, Plan, Training, TrainingError, run as train,
};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Trains from the beginning, or from a checkpoint.
pub(super) fn run(
    plan: &Plan,
    checkpoint: Option<Checkpoint>,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, CliError> {
    // What would fail only after hours fails now.
    for path in [&plan.out, &plan.checkpoint] {
        check_folder(path)?;
    }
    let networks = Networks::new(&plan.out)?;
    if networks.paths().contains(&plan.checkpoint.as_path()) {
        let problem = "expected another name than that of a network";
        return Err(CliError::Usage(format!("--checkpoint {}: {problem}", plan.checkpoint.display())));
    }
    if checkpoint.is_none() {
        check_former_run(&plan.checkpoint)?;
    }
    let start = plan.start.as_deref().filter(|_| checkpoint.is_none()).map(read_network).transpose()?;
    let stop = interruption::watch()?;
    let data = read_data(plan, stop)?;
    let mut reporter = Reporter::new(json, out);
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
    reporter.begin(&trainer);
    let ending = train(plan, &data, &mut trainer, stop, &mut reporter)
        .map_err(|error| checkpoint_error(&plan.checkpoint, &error))?;
    let reported = reporter.end();
    if ending == Ending::Interrupted {
        let path = plan.checkpoint.display();
        return Err(CliError::Usage(format!("interrupted; --resume {path} goes on")));
    }
    // What took hours is kept, also if nobody has heard of it.
    let comparison = networks.write(&trainer.network(), &data)?;
    let progress = reported?;
    let summary = Summary::new(plan, &data, &trainer, progress, networks, comparison);
    if json {
        write_json(out, &summary)?;
    } else {
        write!(out, "{summary}")?;
    }
    Ok(Verdict::Yes)
}

/// Can there be a file with this name?
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

/// Nothing but a run that is over may be replaced by the checkpoints of a new one.
fn check_former_run(path: &Path) -> Result<(), CliError> {
    let name = path.display();
    let problem = match Checkpoint::read(path) {
        Err(CheckpointError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(former) if former.is_complete() => return Ok(()),
        Ok(_) => {
            format!(
                "{name}: holds a run that is not over; --resume {name} goes on with it, or remove the file"
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
    let data = examples::read(&plan.data, &plan.selection, &plan.target, plan.settings.threads, stop)?;
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
    match (error, &plan.start) {
        (TrainingError::Start { .. }, Some(path)) => input_error(path, error),
        _ => CliError::Usage(error.to_string()),
    }
}

fn checkpoint_error(path: &Path, error: &CheckpointError) -> CliError {
    CliError::Usage(format!("{}: the run cannot be saved: {error}", path.display()))
}
