//! `hematite net compare`: what does quantization cost?

use super::difference::{Difference, Differences};
use super::{positions, read};
use crate::cli::output::{Heedless, write_json};
use crate::cli::progress::styled;
use crate::cli::quantity::whole;
use crate::cli::{CliError, Verdict};
use crate::nnue::{FloatNetwork, Network};
use crate::notation::Fen;
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Positions that are compared if nothing is said.
const DEFAULT_POSITIONS: u32 = 100_000;
/// How often the progress bar is drawn, a second.
const DRAWS_A_SECOND: u8 = 10;
/// Positions from one look at the progress bar to the next.
const POSITIONS_PER_TICK: usize = 1024;

const EXAMPLES: &str = "\
Examples:
  hematite net compare trained.float trained.nnue
  hematite net compare trained.float trained.nnue --bound 40
  hematite net compare trained.float trained.nnue --positions suite.epd --json

Exit code 1 if the largest difference is above --bound.";

/// Compare a quantized network with the one that it was made from, over many positions.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The trained network.
    float: PathBuf,

    /// The quantized network.
    net: PathBuf,

    /// Compare on the positions of this file, FEN or EPD; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "seed"])]
    positions: Option<PathBuf>,

    /// Compare on this many positions of random games.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_POSITIONS, value_parser = whole::<u32>(1..))]
    random: u32,

    /// The seed of the random games.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,

    /// The largest difference that is allowed, in centipawns.
    #[arg(long, value_name = "CP", value_parser = whole::<u32>(0..))]
    bound: Option<u32>,

    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What a program reads.
#[derive(Serialize)]
struct Report {
    positions: usize,
    mean_cp: f64,
    largest_cp: f64,
    worst: Worst,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound_cp: Option<u32>,
}

/// The position where the networks differ most.
#[derive(Serialize)]
struct Worst {
    fen: String,
    float_cp: f64,
    quantized_cp: i32,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        // Whether the bound is kept is told by the exit code as well.
        let out = &mut Heedless::new(out);
        let float = read(&self.float, FloatNetwork::read)?;
        let net = read(&self.net, Network::read)?;
        let differences = match &self.positions {
            Some(path) => {
                let positions = positions::from_file(path)?;
                compare(&float, &net, positions.len(), positions)
            }
            None => {
                let count = self.random as usize;
                compare(&float, &net, count, positions::random(count, self.seed))
            }
        };
        let Some(largest) = differences.largest() else {
            return Err(CliError::Usage("no positions to compare on".to_owned()));
        };
        let report = Report {
            positions: differences.count(),
            mean_cp: differences.mean(),
            largest_cp: largest.size(),
            worst: Worst {
                fen: Fen::new(&largest.position).to_string(),
                float_cp: largest.float,
                quantized_cp: largest.quantized,
            },
            bound_cp: self.bound,
        };
        if self.json {
            write_json(out, &report)?;
        } else {
            report.write(out)?;
        }
        let is_within = self.bound.is_none_or(|bound| report.largest_cp <= f64::from(bound));
        Ok(if is_within { Verdict::Yes } else { Verdict::No })
    }
}

impl Report {
    fn write(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let Self { positions, mean_cp, largest_cp, worst, bound_cp } = self;
        writeln!(out, "{positions} positions, difference in centipawns:")?;
        writeln!(out, "mean     {mean_cp:.3}")?;
        write!(out, "largest  {largest_cp:.3}")?;
        match bound_cp {
            Some(bound) if *largest_cp > f64::from(*bound) => writeln!(out, ", above the bound {bound}")?,
            Some(bound) => writeln!(out, ", within the bound {bound}")?,
            None => writeln!(out)?,
        }
        writeln!(out, "         {:.3} became {} in {}", worst.float_cp, worst.quantized_cp, worst.fen)?;
        Ok(())
    }
}

/// Compares, and shows the progress on a terminal's standard error.
fn compare(
    float: &FloatNetwork,
    net: &Network,
    count: usize,
    positions: impl IntoIterator<Item = crate::chess::Position>,
) -> Differences {
    let bar = styled(ProgressBar::new(count as u64), "{wide_bar} {pos}/{len} positions (still {eta})");
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(DRAWS_A_SECOND));
    let mut differences = Differences::default();
    for position in positions {
        differences.add(Difference::of(float, net, &position));
        if differences.count().is_multiple_of(POSITIONS_PER_TICK) {
            bar.inc(POSITIONS_PER_TICK as u64);
        }
    }
    bar.finish_and_clear();
    differences
}
