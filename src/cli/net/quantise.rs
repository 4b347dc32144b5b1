//! `hematite net quantise`: from real numbers to integers.

use super::read;
use crate::cli::output;
use crate::cli::{CliError, Verdict};
use crate::nnue::FloatNetwork;
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Example:
  hematite net quantise trained.float -o trained.nnue

A network whose integers could overflow is refused.";

/// Make the network of integers that plays from the one of real numbers that was trained.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The trained network; `-` is standard input.
    float: PathBuf,

    /// The file to be written; `-` is standard output.
    #[arg(short, long, value_name = "NET")]
    output: PathBuf,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        let float = read(&self.float, FloatNetwork::read)?;
        let network = float.quantize().map_err(|error| CliError::Input {
            name: self.float.display().to_string(),
            problem: format!("cannot be quantized: {error}"),
        })?;
        let mut output = output::open(&self.output, out)?;
        network.write(&mut output)?;
        output.finish()?;
        Ok(Verdict::Yes)
    }
}
