//! `hematite tune`: tuning of search parameters.

mod reporter;

use super::values::{clock_of_nodes, count, integer_in, positive};
use super::{CliError, ExitStatus, signals, training_data};
use crate::search::{MAX_HASH_MIB, MAX_THREADS, Parameter, Params};
use crate::selfplay::hash_for;
use crate::tuner::{Ending, NodeTimeControl, Openings, Run, Settings, State, TunerError, select};
use reporter::Reporter;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

const EXAMPLES: &str = "\
Examples:
  cargo build --release --features tune
  hematite tune --params 'lmr_*,rfp_margin' --openings 8moves_v3.pgn --out lmr.json
  hematite tune --params 'all,!*_depth' --openings UHO_4060_v2.epd.zip --out all.json \\
      --iterations 5000 --pairs-per-iteration 16 --nodes 20k --threads 8
  hematite tune --params 'tm_*' --clock 600k+6k --openings UHO_4060_v2.epd.zip --out clock.json
  hematite tune --resume lmr.json
  hematite tune --list --params 'lmr_*'

An iteration moves each parameter up or down, at random, plays pairs of games between these values
and those on the other side, and moves a little toward the better ones (SPSA). FILE is written
after each iteration; Ctrl-C stops cleanly, and --resume continues the run. The same seed
and settings give the same result, with every number of threads. --list prints the parameters as
OpenBench reads them: name, int, default, lowest, highest, C_end, R_end.";

/// The type of each parameter in the output of `--list`: all of them are integers.
const KIND: &str = "int";

/// Tune the parameters of the search by games of the engine against itself.
///
/// This needs a build in which they can be set: `cargo build --release --features tune`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The parameters: names, patterns such as `lmr_*`, or `all`; `!` before one leaves it out. Those
    /// that only matter to a clock are left out without one.
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "all")]
    params: Vec<String>,

    /// Openings: lines of FEN or EPD, or games in PGN, optionally compressed.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["list", "resume"])]
    openings: Option<PathBuf>,

    /// The file of the run's state: settings, values and their history, in JSON.
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["list", "resume"])]
    out: Option<PathBuf>,

    /// Resume the run of this file; --openings gives the place of its openings if they have moved.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["params", "out", "nodes", "clock", "iterations", "pairs_per_iteration", "hash", "rate", "seed"]
    )]
    resume: Option<PathBuf>,

    /// Nodes of each search, such as 20k.
    #[arg(long, value_name = "N", default_value = "10k", value_parser = count)]
    nodes: u64,

    /// A clock in place of equal searches: nodes of a player for the game, and more after each move.
    #[arg(long, value_name = "NODES+INCREMENT", value_parser = clock_of_nodes, conflicts_with = "nodes")]
    clock: Option<(u64, u64)>,

    /// Times that the parameters are moved.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = positive)]
    iterations: u64,

    /// Pairs of games in an iteration, each an opening with colors swapped.
    #[arg(long, value_name = "N", default_value = "8", value_parser = positive)]
    pairs_per_iteration: u64,

    /// Threads that play [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: Option<u16>,

    /// Hash table of each player, two per thread, cleared before each game [default: 1 for each 500
    /// nodes, at most 16].
    #[arg(long, value_name = "MIB", value_parser = integer_in::<u32>(1..=MAX_HASH_MIB as u32))]
    hash: Option<u32>,

    /// The learning rate at the end, R_end of Fishtest and OpenBench.
    #[arg(long, value_name = "R", default_value_t = Settings::RATE)]
    rate: f64,

    /// Determines perturbations and the order of the openings.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u64>(0..))]
    seed: u64,

    /// Only list the parameters, in the format of OpenBench.
    #[arg(long, conflicts_with_all = ["resume", "out", "openings", "json"])]
    list: bool,

    /// At the end, write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

impl From<TunerError> for CliError {
    fn from(error: TunerError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.list {
            return self.list(out);
        }
        if !Params::CAN_BE_SET {
            let problem = "the search parameters are constants in this build; \
                           `cargo build --release --features tune` makes one that can tune them";
            return Err(CliError::Usage(problem.to_owned()));
        }
        let (state, openings, file) = match &self.resume {
            Some(file) => self.former_run(file)?,
            None => self.new_run()?,
        };
        let is_interrupted = signals::interrupted_flag()?;
        let mut reporter = Reporter::new(out, self.json);
        reporter.start(&state, &file)?;
        let threads =
            self.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
        let run = Run { state, openings, threads, file: file.clone() };
        let (state, ending, progress) = run.play(&mut |event| {
            reporter.report(event);
            signals::flow(is_interrupted)
        })?;
        let reported = reporter.end(&state, &progress, ending);
        match ending {
            Ending::Done => reported.map(|()| ExitStatus::Yes),
            Ending::Interrupted => {
                let problem = format!("interrupted; `hematite tune --resume {}` continues", file.display());
                Err(CliError::Usage(problem))
            }
        }
    }

    fn list(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        for Parameter { name, default, low, high, step } in
            select(&self.params, self.clock.is_some()).map_err(TunerError::from)?
        {
            writeln!(out, "{name}, {KIND}, {default}, {low}, {high}, {step}, {}", self.rate)?;
        }
        Ok(ExitStatus::Yes)
    }

    /// The run to resume.
    fn former_run(&self, file: &Path) -> Result<(State, Openings, PathBuf), CliError> {
        let state = State::read(file)?;
        let path = self.openings.as_ref().unwrap_or(&state.settings.openings.name);
        let openings = training_data::openings(path, path)?;
        Ok((state, openings, file.to_owned()))
    }

    /// The new run.
    fn new_run(&self) -> Result<(State, Openings, PathBuf), CliError> {
        let expected = |what: &str| CliError::Usage(format!("expected --{what}, or --resume"));
        let file = self.out.clone().ok_or_else(|| expected("out"))?;
        let path = self.openings.as_ref().ok_or_else(|| expected("openings"))?;
        let openings = training_data::openings(path, path)?;
        let parameters = select(&self.params, self.clock.is_some()).map_err(TunerError::from)?;
        if file.is_file() {
            let name = file.display();
            let problem =
                format!("{name}: is there already; `hematite tune --resume {name}` continues a run");
            return Err(CliError::Usage(problem));
        }
        let time_control = self.time_control()?;
        let settings = Settings {
            time_control,
            hash_mib: self.hash.map_or_else(|| hash_for(time_control.usual_search()), |mib| mib as usize),
            iterations: within("iterations", self.iterations, &Settings::ITERATIONS)?,
            pairs: within("pairs-per-iteration", self.pairs_per_iteration, &Settings::PAIRS)?,
            rate: within("rate", self.rate, &Settings::RATES)?,
            seed: self.seed,
            openings: openings.id().clone(),
        };
        Ok((State::new(settings, &parameters), openings, file))
    }

    /// The nodes that the searches of a new run may take.
    fn time_control(&self) -> Result<NodeTimeControl, CliError> {
        match self.clock {
            None => {
                Ok(NodeTimeControl::Search { nodes: within("nodes", self.nodes, &NodeTimeControl::NODES)? })
            }
            Some((clock, increment)) => Ok(NodeTimeControl::Clock {
                clock: within("clock", clock, &NodeTimeControl::CLOCKS)?,
                increment: within("clock: increment", increment, &NodeTimeControl::INCREMENTS)?,
            }),
        }
    }
}

/// The value of a flag, if it is in its range.
fn within<T: PartialOrd + std::fmt::Display>(
    flag: &str,
    value: T,
    range: &std::ops::RangeInclusive<T>,
) -> Result<T, CliError> {
    if range.contains(&value) {
        return Ok(value);
    }
    let problem = format!("--{flag} {value}: expected {} to {}", range.start(), range.end());
    Err(CliError::Usage(problem))
}
