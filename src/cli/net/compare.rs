//! `hematite net compare`: the error of quantization.

use super::read;
use crate::chess::Position;
use crate::cli::progress::bar;
use crate::cli::streams::{IgnoreBrokenPipe, Input, write_json};
use crate::cli::values::{JsonArg, integer_in};
use crate::cli::{CliError, ExitStatus};
use crate::files::Limited;
use crate::nnue::{EVAL_SCALE, FloatNetwork, Network};
use crate::notation::{EpdReader, Fen};
use crate::rng::Rng;
use indicatif::ProgressDrawTarget;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The default number of positions to compare.
const DEFAULT_POSITIONS: u32 = 100_000;
/// Redraws of the progress bar per second.
const DRAWS_A_SECOND: u8 = 10;
/// The number of positions between two updates of the progress bar.
const POSITIONS_PER_TICK: usize = 1024;

const EXAMPLES: &str = "\
Examples:
  hematite net compare trained.float trained.nnue
  hematite net compare trained.float trained.nnue --max-difference 40
  hematite net compare trained.float trained.nnue --positions suite.epd --json

Exit code 1 if the largest difference is above --max-difference.";

/// Compare a quantized network with the float network it was made from, over many positions.
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
    #[arg(long, value_name = "N", default_value_t = DEFAULT_POSITIONS, value_parser = integer_in::<u32>(1..))]
    random: u32,

    /// The seed of the random games.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = integer_in::<u64>(0..))]
    seed: u64,

    /// The largest difference that is allowed, in search units.
    #[arg(long, alias = "bound", value_name = "UNITS", value_parser = integer_in::<u32>(0..))]
    max_difference: Option<u32>,

    #[command(flatten)]
    json: JsonArg,
}

/// The JSON object of a comparison.
#[derive(Serialize)]
struct Report {
    positions: usize,
    mean_units: f64,
    largest_units: f64,
    worst: Worst,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_difference_units: Option<u32>,
}

/// The position where the networks differ most.
#[derive(Serialize)]
struct Worst {
    fen: String,
    float_units: f64,
    quantized_units: i32,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether the bound is met.
        let out = &mut IgnoreBrokenPipe::new(out);
        let float = read(&self.float, FloatNetwork::read)?;
        let net = read(&self.net, Network::read)?;
        let differences = match &self.positions {
            Some(path) => {
                let positions = positions_of_file(path)?;
                compare(&float, &net, positions.len(), positions)
            }
            None => {
                let count = self.random as usize;
                compare(&float, &net, count, random_positions(count, self.seed))
            }
        };
        let Some(largest) = differences.largest() else {
            return Err(CliError::usage("no positions to compare on"));
        };
        let report = Report {
            positions: differences.count(),
            mean_units: differences.mean(),
            largest_units: largest.size(),
            worst: Worst {
                fen: Fen::new(&largest.position).to_string(),
                float_units: largest.float,
                quantized_units: largest.quantized,
            },
            max_difference_units: self.max_difference,
        };
        if self.json.is_given() {
            write_json(out, &report)?;
        } else {
            report.write(out)?;
        }
        let is_within = self.max_difference.is_none_or(|bound| report.largest_units <= f64::from(bound));
        Ok(if is_within { ExitStatus::Yes } else { ExitStatus::No })
    }
}

impl Report {
    fn write(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let Self { positions, mean_units, largest_units, worst, max_difference_units } = self;
        writeln!(out, "{positions} positions, difference in search units:")?;
        writeln!(out, "mean     {mean_units:.3}")?;
        write!(out, "largest  {largest_units:.3}")?;
        match max_difference_units {
            Some(bound) if *largest_units > f64::from(*bound) => writeln!(out, ", above the bound {bound}")?,
            Some(bound) => writeln!(out, ", within the bound {bound}")?,
            None => writeln!(out)?,
        }
        writeln!(out, "         {:.3} became {} in {}", worst.float_units, worst.quantized_units, worst.fen)?;
        Ok(())
    }
}

/// Compares two networks on some positions, and shows the progress on standard error if it is a terminal.
fn compare(
    float: &FloatNetwork,
    net: &Network,
    count: usize,
    positions: impl IntoIterator<Item = crate::chess::Position>,
) -> Differences {
    let bar = bar(count as u64, "{wide_bar} {pos}/{len} positions (still {eta})");
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

/// The differences of two evaluations over some positions, in search units.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Differences {
    count: usize,
    sum: f64,
    largest: Option<Difference>,
}

/// The evaluations of a position by two networks, in search units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub position: Position,
    pub float: f64,
    pub quantized: i32,
}

impl Difference {
    pub(super) fn of(float: &FloatNetwork, quantized: &Network, position: &Position) -> Self {
        Self {
            position: *position,
            float: f64::from(float.evaluate(position)) * f64::from(EVAL_SCALE),
            quantized: quantized.evaluate(position),
        }
    }

    /// The absolute difference, in search units.
    pub(super) fn size(&self) -> f64 {
        (self.float - f64::from(self.quantized)).abs()
    }
}

impl Differences {
    pub(super) fn add(&mut self, difference: Difference) {
        self.count += 1;
        self.sum += difference.size();
        if self.largest.is_none_or(|largest| largest.size() < difference.size()) {
            self.largest = Some(difference);
        }
    }

    /// The number of positions.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The mean difference; 0 without positions.
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The largest difference.
    pub(super) const fn largest(&self) -> Option<&Difference> {
        self.largest.as_ref()
    }
}

/// The maximum length of a random game, in plies.
const LONGEST_GAME: usize = 200;

/// The positions of a file of FEN or EPD lines, which may be compressed; `-` is standard input.
///
/// # Errors
/// [`CliError::Input`] if the file cannot be read or a line has no legal position.
pub(super) fn positions_of_file(path: &Path) -> Result<Vec<Position>, CliError> {
    let Input { name, reader } = Input::open(path)?.limited(Limited::DEFAULT);
    let error = |problem: String| CliError::Input { name: name.clone(), problem };
    let records = EpdReader::new(reader);
    let positions: Vec<Position> = records
        .map(|record| record.map(|line| *line.epd.position()).map_err(|problem| error(problem.to_string())))
        .collect::<Result<_, _>>()?;
    if positions.is_empty() {
        return Err(error("no positions, expected a FEN in each line".to_owned()));
    }
    Ok(positions)
}

/// Positions of games of random moves from the initial position, `count` in all. They depend only on the seed.
pub(super) fn random_positions(count: usize, seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    let mut position = Position::start();
    let mut plies = 0;
    std::iter::repeat_with(move || {
        let moves = position.legal_moves();
        match rng.choose(&moves) {
            Some(&mv) if plies < LONGEST_GAME => {
                position = position.after(mv).0;
                plies += 1;
            }
            _ => {
                position = Position::start();
                plies = 0;
            }
        }
        position
    })
    .take(count)
}
