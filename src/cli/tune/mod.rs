//! `hematite tune`: tuning of search parameters.

use super::values::{JsonAtEndArg, above_zero, clock_of_nodes, count, integer_in, positive, thread_count};
use super::{CliError, ExitStatus, signals, training_data};
use crate::cli::progress::{LINE_INTERVAL, bar, eta};
use crate::cli::streams::Lasting;
use crate::notation::pluralize;
use crate::search::{MAX_HASH_MIB, MAX_THREADS, Parameter, Params};
use crate::selfplay::hash_for;
use crate::tuner::{
    Effect, Ending, Event, NodeTimeControl, Openings, Progress, Run, Settings, State, Tally, Tuned,
    TunerError, select,
};
use indicatif::{HumanDuration, ProgressBar};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  cargo build --release --features tune
  hematite tune --params 'lmr_*,rfp_margin' --openings 8moves_v3.pgn --output lmr.json
  hematite tune --params 'all,!*_depth' --openings UHO_4060_v2.epd.zip --output all.json \\
      --iterations 5000 --pairs-per-iteration 16 --nodes 20k --threads 8
  hematite tune --params 'tm_*' --clock 600k+6k --openings UHO_4060_v2.epd.zip --output clock.json
  hematite tune --params all --screen 2 --openings UHO_4060_v2.epd.zip --output effects.json \\
      --iterations 2000 --pairs-per-iteration 1 --nodes 20k
  hematite tune --resume lmr.json
  hematite tune --list --params 'lmr_*'

An iteration moves each parameter up or down, at random, plays pairs of games between these values
and those on the other side, and moves a little toward the better ones (SPSA). FILE is written
after each iteration; Ctrl-C stops cleanly, and --resume continues the run. The same seed
and settings give the same result, with every number of threads. With --screen nothing moves:
at the end the effect of each parameter's higher value against its lower one is printed, in Elo,
so that many are measured in the same games; choose the best for a match. --list prints the
parameters as OpenBench reads them: name, int, default, lowest, highest, C_end, R_end.";

/// The type of each parameter in the output of `--list`: all are integers.
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
    #[arg(short, long = "output", alias = "out", value_name = "FILE", required_unless_present_any = ["list", "resume"])]
    out: Option<PathBuf>,

    /// Resume the run of this file; --openings gives the place of its openings if they have moved.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "params", "out", "nodes", "clock", "iterations", "pairs_per_iteration", "hash", "rate", "screen", "seed"
        ]
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
    #[arg(long, value_name = "R", default_value_t = Settings::RATE, value_parser = above_zero)]
    rate: f64,

    /// Only measure the effect of each parameter: one side of a game has it this many steps higher than
    /// now, the other side this many lower.
    #[arg(long, value_name = "STEPS", value_parser = above_zero, conflicts_with = "rate")]
    screen: Option<f64>,

    /// Determines perturbations and the order of the openings.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u64>(0..))]
    seed: u64,

    /// Only list the parameters, in the format of OpenBench.
    #[arg(long, conflicts_with_all = ["resume", "out", "openings", "json"])]
    list: bool,

    #[command(flatten)]
    json: JsonAtEndArg,
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
            return Err(CliError::usage(problem));
        }
        let (state, openings, file) = match &self.resume {
            Some(file) => self.former_run(file)?,
            None => self.new_run()?,
        };
        let is_interrupted = signals::interrupted_flag()?;
        let mut reporter = Reporter::new(out, self.json.is_given());
        reporter.start(&state, &file)?;
        let threads = thread_count(self.threads);
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
                Err(CliError::Interrupted(problem))
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

    /// The run to be resumed.
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
            screen: self.screen.map(|steps| within("screen", steps, &Settings::SCREENS)).transpose()?,
            seed: self.seed,
            openings: openings.id().clone(),
        };
        Ok((State::new(settings, &parameters), openings, file))
    }

    /// The node limits of the searches of a new run.
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

/// The value of an option, if it is in its range.
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

/// Shows a progress bar on a terminal, and writes lines elsewhere.
pub(super) struct Reporter<'a> {
    out: Lasting<'a>,
    json: bool,
    bar: ProgressBar,
    /// The time of the latest line, since the start of the run.
    reported: Duration,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(out: &'a mut dyn Write, json: bool) -> Self {
        Self { out: Lasting::new(out), json, bar: ProgressBar::hidden(), reported: Duration::ZERO }
    }

    /// Prints a summary of the run, and shows the bar.
    pub(super) fn start(&mut self, state: &State, file: &Path) -> Result<(), CliError> {
        if !self.json {
            let verb = if state.iteration == 0 { "starts" } else { "resumes" };
            writeln!(
                self.out,
                "{}: {verb} with iteration {} of {}, {}, {} an iteration, {}",
                file.display(),
                (state.iteration + 1).min(state.settings.iterations),
                state.settings.iterations,
                pluralize(state.parameters.len() as u64, "parameter"),
                pluralize(state.settings.pairs, "pair"),
                state.settings.time_control,
            )?;
            self.out.flush()?;
        }
        self.bar = bar(state.settings.iterations.saturating_mul(state.settings.pairs), "{wide_bar} {msg}");
        Ok(())
    }

    /// Writes the results.
    pub(super) fn end(mut self, state: &State, progress: &Progress, ending: Ending) -> Result<(), CliError> {
        self.bar.finish_and_clear();
        if self.json {
            writeln!(self.out, "{}", json(state, progress, ending))?;
            return self.out.finish();
        }
        let Tally { wins, draws, losses } = state.tally;
        let seconds = progress.elapsed.as_secs_f64();
        writeln!(
            self.out,
            "{}, {} (+{wins} ={draws} -{losses}); {} in {seconds:.1} s, {:.0} nodes/s",
            pluralize(state.iteration, "iteration"),
            pluralize(state.tally.games(), "game"),
            pluralize(2 * progress.pairs, "game"),
            progress.nodes as f64 / seconds.max(f64::MIN_POSITIVE),
        )?;
        let width = state.parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or_default();
        if state.screening.is_some() {
            writeln!(self.out, "{:width$} {:>9} {:>9} {:>9}", "name", "lower", "higher", "Elo")?;
            for (index, effect) in effects(state) {
                let Tuned { name, .. } = &state.parameters[index];
                let [lower, higher] = screened_values(state, index);
                write!(self.out, "{name:width$} {lower:>9} {higher:>9}")?;
                match effect {
                    Some(Effect { elo, error }) => writeln!(self.out, " {elo:>+9.1} ± {error:.1}")?,
                    None => writeln!(self.out, " {:>9}", "?")?,
                }
            }
            return self.out.finish();
        }
        writeln!(self.out, "{:width$} {:>9} {:>9} {:>9}", "name", "default", "now", "change")?;
        for parameter in &state.parameters {
            let Tuned { name, default, value, .. } = parameter;
            writeln!(self.out, "{name:width$} {default:>9} {value:>9.2} {:>+9.2}", parameter.change())?;
        }
        self.out.finish()
    }

    /// Reports an event.
    pub(super) fn report(&mut self, event: Event<'_>) {
        let Event::Progress { state, tally, progress } = event;
        let pairs = state.pairs() + tally.games() / 2;
        let text = text(state, tally, progress);
        self.bar.set_position(pairs);
        if !self.bar.is_hidden() {
            self.bar.set_message(text);
        } else if !self.json && progress.elapsed >= self.reported + LINE_INTERVAL {
            self.reported = progress.elapsed;
            self.out.line(&text);
        }
    }
}

/// The parameters of a screening with their effects, the largest first; those without one last.
fn effects(state: &State) -> Vec<(usize, Option<Effect>)> {
    let mut effects: Vec<_> = (0..state.parameters.len()).map(|index| (index, state.effect(index))).collect();
    let size = |effect: &Option<Effect>| effect.map_or(f64::INFINITY, |effect| -effect.elo.abs());
    effects.sort_by(|(_, first), (_, second)| size(first).total_cmp(&size(second)));
    effects
}

/// The lower and the higher value of a parameter in a screening.
fn screened_values(state: &State, index: usize) -> [i32; 2] {
    let Tuned { low, high, step, value, .. } = state.parameters[index];
    let distance = state.settings.gains().perturbation(step, state.iteration);
    [value - distance, value + distance].map(|value| (value.round() as i32).clamp(low, high))
}

/// Iterations, games, speed, and the remaining time.
fn text(state: &State, tally: &Tally, progress: &Progress) -> String {
    let mut total = state.tally;
    total += *tally;
    let seconds = progress.elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
    let mut text = format!(
        "iteration {}/{}, {}, +{} ={} -{}, {:.0} nodes/s",
        state.iteration + 1,
        state.settings.iterations,
        pluralize(total.games(), "game"),
        total.wins,
        total.draws,
        total.losses,
        progress.nodes as f64 / seconds,
    );
    if let Some(left) = time_left(state, tally, progress) {
        text += &format!(", {} to go", HumanDuration(left));
    }
    text
}

/// The estimated remaining time; `None` if it is not known.
fn time_left(state: &State, tally: &Tally, progress: &Progress) -> Option<Duration> {
    let all = state.settings.iterations.saturating_mul(state.settings.pairs);
    let left = all.saturating_sub(state.pairs() + tally.games() / 2);
    eta(progress.pairs, left, progress.elapsed)
}

fn json(state: &State, progress: &Progress, ending: Ending) -> serde_json::Value {
    let parameters: Vec<_> = state
        .parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| {
            let mut object = serde_json::json!({
                "name": parameter.name,
                "default": parameter.default,
                "value": parameter.value,
                "rounded": parameter.rounded(),
                "change": parameter.change(),
            });
            if state.screening.is_some() {
                let effect = state.effect(index);
                object["values"] = screened_values(state, index).into();
                object["elo"] = effect.map(|effect| effect.elo).into();
                object["error"] = effect.map(|effect| effect.error).into();
            }
            object
        })
        .collect();
    serde_json::json!({
        "ending": match ending {
            Ending::Done => "done",
            Ending::Interrupted => "interrupted",
        },
        "iterations": state.iteration,
        "games": state.tally.games(),
        "wins": state.tally.wins,
        "draws": state.tally.draws,
        "losses": state.tally.losses,
        "played_games": 2 * progress.pairs,
        "nodes": progress.nodes,
        "seconds": progress.elapsed.as_secs_f64(),
        "parameters": parameters,
    })
}
