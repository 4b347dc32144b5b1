//! `hematite net`: network files.

mod compare;
mod info;
mod loss;

use super::streams;
use super::streams::Input;
use super::values::{factors, path_factor};
use super::{CliError, ExitStatus};
use crate::nnue::file::{FileError, NetworkFile};
use crate::nnue::{self, FloatNetwork, MeanError, Network};
use clap::Subcommand;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Show, quantize, compare and average the files of networks.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
#[command(defer = true)]
enum Command {
    Info(info::Arguments),
    #[command(visible_alias = "quantise")]
    Quantize(QuantizeArguments),
    Compare(compare::Arguments),
    Loss(loss::Arguments),
    Mean(MeanArguments),
    Material(MaterialArguments),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self.command {
            Command::Info(arguments) => arguments.run(out),
            Command::Quantize(arguments) => arguments.run(out),
            Command::Compare(arguments) => arguments.run(out),
            Command::Loss(arguments) => arguments.run(out),
            Command::Mean(arguments) => arguments.run(out),
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

const MEAN_EXAMPLES: &str = "\
Examples:
  hematite net mean a.float b.float c.float -o mean.float
  hematite net mean a.float b.float -o mean.float --weight b.float=2
  hematite net quantize mean.float -o mean.nnue

The networks must be related for their mean to be of use: trained from the same network, for example with
other seeds, rates or games.";

/// Make the network whose weights are the means of those of trained networks.
///
/// Such a mean often predicts games better than each of the networks, and plays at the same speed. Networks of
/// integers count as the real numbers that they represent.
#[derive(clap::Args, Debug)]
#[command(after_help = MEAN_EXAMPLES)]
struct MeanArguments {
    /// Networks of one shape, quantized or float.
    #[arg(required = true, num_args = 2.., value_name = "NET")]
    nets: Vec<PathBuf>,

    /// The file of real numbers to be written; `-` is standard output.
    #[arg(short, long = "output", alias = "out", value_name = "FLOAT")]
    out: PathBuf,

    /// Weight of a network, such as b.float=2; the others weigh 1. May be repeated.
    #[arg(long, value_name = "NET=WEIGHT", value_parser = path_factor)]
    weight: Vec<(PathBuf, f32)>,
}

impl MeanArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let weights = factors(&self.nets, &self.weight)
            .map_err(|problem| CliError::Usage(format!("--weight {problem}")))?;
        let networks = self.nets.iter().map(|path| match read_any(path)? {
            NetworkFile::Float(network) => Ok(network),
            NetworkFile::Quantized(network) => Ok(FloatNetwork::dequantized(&network)),
        });
        let networks: Vec<FloatNetwork> = networks.collect::<Result<_, CliError>>()?;
        let networks: Vec<_> = networks.into_iter().zip(weights).collect();
        let mean = FloatNetwork::mean(&networks).map_err(|error| match error {
            MeanError::Shape { index, found, expected } => CliError::Input {
                name: self.nets[index].display().to_string(),
                problem: format!(
                    "the shape is {found}, expected that of {}, {expected}",
                    self.nets[0].display()
                ),
            },
            MeanError::Empty => CliError::Usage(error.to_string()),
        })?;
        let mut output = streams::open(&self.out, out)?;
        mean.write(&mut output)?;
        output.finish()?;
        Ok(ExitStatus::Yes)
    }
}

const MATERIAL_EXAMPLES: &str = "\
Examples:
  hematite net material -o material.nnue
  hematite datagen --output data/gen0 --soft-nodes 300 --games 100k --net material.nnue";

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
            .map_err(|error| CliError::Failed(format!("the network cannot be quantized: {error}")))?;
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
