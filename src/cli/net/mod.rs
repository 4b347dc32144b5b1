//! `hematite net`: the files of networks.

mod compare;
mod difference;
mod info;
mod loss;
mod material;
mod positions;
mod quantise;

use super::input::Input;
use super::{CliError, Verdict};
use crate::nnue::file::{FileError, NetworkFile};
use clap::Subcommand;
use std::io::{Read, Write};
use std::path::Path;

/// Show, quantize and compare the files of networks.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Info(info::Arguments),
    #[command(visible_alias = "quantize")]
    Quantise(quantise::Arguments),
    Compare(compare::Arguments),
    Loss(loss::Arguments),
    Material(material::Arguments),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        match self.command {
            Command::Info(arguments) => arguments.run(out),
            Command::Quantise(arguments) => arguments.run(out),
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
    let Input { name, reader } = Input::open(path)?;
    read(Box::new(reader)).map_err(|error| CliError::Input { name, problem: error.to_string() })
}

/// Reads a network of either kind.
pub(super) fn read_any(path: &Path) -> Result<NetworkFile, CliError> {
    read(path, NetworkFile::read)
}
