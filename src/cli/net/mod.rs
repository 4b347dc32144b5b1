//! `hematite net`: network files.

mod compare;
mod info;
mod loss;

use super::streams;
use super::streams::Input;
use super::{CliError, ExitStatus};
use crate::nnue::file::{FileError, NetworkFile};
use crate::nnue::{self, FloatNetwork, Network};
use clap::Subcommand;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Show, quantize and compare the files of networks.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Info(info::Arguments),
    #[command(visible_alias = "quantise")]
    Quantize(QuantizeArguments),
    Compare(compare::Arguments),
    Loss(loss::Arguments),
    Material(MaterialArguments),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self.command {
            Command::Info(arguments) => arguments.run(out),
            Command::Quantize(arguments) => arguments.run(out),
            Command::Compare(arguments) => arguments.run(out),
            Command::Loss(arguments) => arguments.run(out),
            Command::Material(arguments) => arguments.run(out),
        }
    }
}

/// Reads a network from a file, or from standard input for `-`.
pub(super) fn read<T>(
    path: &Path,
    read: impl FnOnce(Box<dyn Read>) -> Result<T, FileError>,
) -> Result<T, CliError> {
    let Input { name, reader } = Input::open_binary(path)?;
    read(Box::new(reader)).map_err(|error| CliError::Input { name, problem: error.to_string() })
}

/// Reads a network of integers or of real numbers.
pub(super) fn read_any(path: &Path) -> Result<NetworkFile, CliError> {
    read(path, NetworkFile::read)
}

const QUANTIZE_EXAMPLES: &str = "\
Example:
  hematite net quantize trained.float -o trained.nnue

A network whose integers could overflow is refused.";

/// Make the network of integers, which plays, from the trained one of real numbers.
#[derive(clap::Args, Debug)]
#[command(after_help = QUANTIZE_EXAMPLES)]
struct QuantizeArguments {
    /// The trained network; `-` is standard input.
    float: PathBuf,

    /// The file to be written; `-` is standard output.
    #[arg(short, long = "output", alias = "out", value_name = "NET")]
    out: PathBuf,
}

impl QuantizeArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let float = read(&self.float, FloatNetwork::read)?;
        let network = float.quantize().map_err(|error| CliError::Input {
            name: self.float.display().to_string(),
            problem: format!("cannot be quantized: {error}"),
        })?;
        let mut output = streams::open(&self.out, out)?;
        network.write(&mut output)?;
        output.finish()?;
        Ok(ExitStatus::Yes)
    }
}

const MATERIAL_EXAMPLES: &str = "\
Examples:
  hematite net material -o material.nnue
  hematite datagen --output data/gen0 --net material.nnue";

/// Make a network that knows only material and squares, for the first games.
#[derive(clap::Args, Debug)]
#[command(after_help = MATERIAL_EXAMPLES)]
struct MaterialArguments {
    /// The file to be written; `-` is standard output.
    #[arg(short, long = "output", alias = "out", value_name = "NET")]
    out: PathBuf,
}

impl MaterialArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let network = FloatNetwork::material()
            .quantize()
            .map_err(|error| CliError::Usage(format!("the network cannot be quantized: {error}")))?;
        let mut output = streams::open(&self.out, out)?;
        network.write(&mut output)?;
        output.finish()?;
        Ok(ExitStatus::Yes)
    }
}

/// The network of a file, or the embedded one if no file is stated.
///
/// # Errors
/// [`CliError::Input`] if the file is not a network of integers.
pub(super) fn read_or_embedded(path: Option<&Path>) -> Result<Arc<Network>, CliError> {
    match path {
        None => Ok(nnue::embedded()),
        Some(path) => read(path, Network::read).map(Arc::new),
    }
}
