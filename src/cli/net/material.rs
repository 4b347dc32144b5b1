//! `hematite net material`: a network to begin with.

use crate::cli::output;
use crate::cli::{CliError, Verdict};
use crate::nnue::FloatNetwork;
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite net material -o material.nnue
  hematite datagen --out data/gen0 --net material.nnue";

/// Make a network that knows nothing but material and squares, for the first games.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The file to be written; `-` is standard output.
    #[arg(short, long, value_name = "NET")]
    output: PathBuf,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        let network = FloatNetwork::material()
            .quantize()
            .map_err(|error| CliError::Usage(format!("the network cannot be quantized: {error}")))?;
        let mut output = output::open(&self.output, out)?;
        network.write(&mut output)?;
        output.finish()?;
        Ok(Verdict::Yes)
    }
}
