//! `hematite epd run`: the number of solved positions.

use super::report::{Report, RunSettings};
use super::reporter::{Reporter, Suite, Table, progress_bar};
use crate::cli::streams::{IgnoreBrokenPipe, Input, InputStatus, MaxUnpacked, STDOUT, new_file, write_json};
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus, signals};
use crate::files::OutputFile;
use crate::notation::EpdProblem;
use crate::search::{Limits, MAX_HASH_MIB, MAX_PLY, MAX_THREADS};
use crate::suite::epd::{
    OwnSearch, Settings, Solver, SolverError, Summary, UciEngine, cases, run as run_suite,
};
use crate::uci::LONGEST_TIME;
use clap::ArgGroup;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  hematite epd run --time 1000 wac.epd
  hematite epd run --nodes 100000 --min-solved 250 --json result.json wac.epd
  hematite epd run --time 10000 --stop-early 4 --threads 2 --hash 256 hard.epd
  hematite epd run --time 5000 --mate mates.epd
  hematite epd run --depth 12 --out analysed.epd --engine 'stockfish' sts.epd

A position is solved if the answer is a move of `bm`, none of `am`, and a mate in `dm` moves or
fewer, as far as these are stated. Points are read from `c0 \"Nf3=10, d4=5\"` or from `c7` to `c9`,
themes from `id`. The time, nodes and depth of a solution are those of the last moment from which
the right move stayed first. Exit code 1 if fewer are solved than --min-solved.
Ctrl-C shows the figures of the positions so far; files of --out and --json are written when all
are done.";

/// Run test suites: positions with best moves (bm), moves to avoid (am), mates (dm), points (c0).
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("limit").required(true).multiple(true))]
pub(super) struct Arguments {
    /// The suites, or `-` for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    max: MaxUnpacked,

    /// Time for each position, in milliseconds.
    #[arg(long, value_name = "MS", group = "limit", value_parser = integer_in::<u64>(1..=LONGEST_TIME.as_millis() as u64))]
    time: Option<u64>,

    /// Nodes for each position.
    #[arg(long, value_name = "N", group = "limit", value_parser = integer_in::<u64>(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// Depth for each position, in plies.
    #[arg(long, value_name = "N", group = "limit", value_parser = integer_in::<u32>(1..=MAX_PLY as u32 - 1))]
    depth: Option<u32>,

    /// Threads that search.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: u16,

    /// Size of the hash table.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = integer_in::<u32>(1..=MAX_HASH_MIB as u32))]
    hash: u32,

    /// Continue with the next position when the right move has stayed first for this many more iterations.
    #[arg(long, value_name = "PLIES", value_parser = integer_in::<u32>(0..))]
    stop_early: Option<u32>,

    /// Ask for the mate in `dm` moves where a record states one, in place of the best move: `go mate`.
    #[arg(long)]
    mate: bool,

    /// Exit with 1 if fewer are solved.
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(0..))]
    min_solved: Option<usize>,

    /// Write all results to this file; `-` is standard output, in place of the text.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the records with the results acd, acn, acs, ce, pm and pv; `-` is standard output, in place of the text.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Run this UCI engine, a program with its arguments, instead of our own search.
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let is_file = |path: &Option<PathBuf>| path.as_ref().is_some_and(|path| path.as_os_str() != STDOUT);
        if self.min_solved.is_some() || is_file(&self.json) || is_file(&self.out) {
            // More than text is wanted.
            self.solve(&mut IgnoreBrokenPipe::new(out))
        } else {
            self.solve(out)
        }
    }

    fn solve(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // Everything that can fail before the first search fails now.
        let mut status = InputStatus::default();
        let mut suites = Vec::new();
        for path in &self.files {
            suites.extend(status.take(Suite::read(path, self.max))?);
        }
        let status = status.status()?;
        if suites.iter().flat_map(|suite| &suite.cases).all(|case| case.goal.is_none()) {
            let problem = "no position with bm, am or dm".to_owned();
            let names: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
            return Err(CliError::Input { name: names.join(", "), problem });
        }
        let [json, records] = [&self.json, &self.out].map(|path| path.as_deref().map(Destination::new));
        let (json, records) = (json.transpose()?, records.transpose()?);
        let is_text_wanted = match [&json, &records].map(|place| matches!(place, Some(Destination::Standard)))
        {
            [true, true] => {
                let problem = "--json - and --out -: expected one of them to be a file";
                return Err(CliError::Usage(problem.to_owned()));
            }
            [json, records] => !json && !records,
        };
        let mut solver = self.solver()?;
        let settings = self.settings();

        // The first Ctrl-C ends the run with the results so far, the second at once.
        let is_interrupted = signals::interrupted_flag()?;
        let bar = progress_bar(&suites);
        let mut total = Summary::default();
        let mut results = Vec::new();
        let mut found_records = Vec::new();
        let mut by_suite = Vec::new();
        for suite in &suites {
            let mut reporter = Reporter {
                suite,
                bar: &bar,
                out,
                is_shown: is_text_wanted,
                records: records.is_some().then_some(&mut found_records),
                results,
                is_interrupted,
                written: Ok(()),
            };
            let summary =
                run_suite(&suite.cases, &mut *solver, &settings, &mut |event| reporter.on_event(event))
                    .map_err(|error| CliError::Usage(error.to_string()))?;
            reporter.written?;
            results = reporter.results;
            by_suite.push((suite.name.clone(), summary.total));
            total += summary;
            if is_interrupted.load(Ordering::Relaxed) {
                break;
            }
        }
        bar.finish_and_clear();

        if is_text_wanted {
            writeln!(out, "\n{}", Table { solver: solver.name(), suites: &by_suite, summary: &total })?;
        }
        if is_interrupted.load(Ordering::Relaxed) {
            let problem = "interrupted; the figures are of the positions so far, and no file is written";
            return Err(CliError::Usage(problem.to_owned()));
        }
        let report = Report::new(solver.name(), self.run_settings(), &by_suite, &total, &results);
        if let Some(json) = json {
            json.fill(out, |out| write_json(out, &report))?;
        }
        if let Some(records) = records {
            records.fill(out, |out| Ok(out.write_all(&found_records)?))?;
        }
        let is_enough = self.min_solved.is_none_or(|least| total.total.solved >= least);
        Ok(if is_enough { status } else { status.max(ExitStatus::No) })
    }

    fn settings(&self) -> Settings {
        let move_time = self.time.map(Duration::from_millis);
        Settings {
            limits: Limits { move_time, nodes: self.nodes, depth: self.depth, ..Limits::default() },
            stop_early: self.stop_early,
            asks_for_mates: self.mate,
        }
    }

    fn run_settings(&self) -> RunSettings {
        RunSettings {
            time_ms: self.time,
            nodes: self.nodes,
            depth: self.depth,
            threads: self.threads,
            hash_mib: self.hash,
            stop_early: self.stop_early,
        }
    }

    fn solver(&self) -> Result<Box<dyn Solver>, CliError> {
        let (threads, hash_mib) = (usize::from(self.threads), self.hash as usize);
        let solver: Result<Box<dyn Solver>, SolverError> = match &self.engine {
            None => OwnSearch::new(threads, hash_mib).map(|own| Box::new(own) as _).map_err(Into::into),
            Some(command) => UciEngine::start(command, threads, hash_mib).map(|engine| Box::new(engine) as _),
        };
        solver.map_err(|error| CliError::Usage(error.to_string()))
    }
}

/// The destination of the results.
enum Destination {
    Standard,
    File(OutputFile),
}

impl Destination {
    /// Opens the file now, so that a failure is noticed before the run.
    fn new(path: &Path) -> Result<Self, CliError> {
        if path.as_os_str() == STDOUT { Ok(Self::Standard) } else { Ok(Self::File(new_file(path)?)) }
    }

    fn fill(
        self,
        out: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        match self {
            Self::Standard => write(out),
            Self::File(mut file) => {
                write(&mut file)?;
                Ok(file.commit()?)
            }
        }
    }
}

/// The most positions of a suite, which are held in memory.
const MAX_CASES: usize = 1 << 20;

impl Suite {
    /// Reads a file; invalid lines are left out and reported on standard error.
    fn read(path: &Path, max: MaxUnpacked) -> Result<Self, CliError> {
        let Input { name, reader } = Input::open(path)?.limited(max.max_unpacked);
        let mut found = Vec::new();
        let warn = |text: String| {
            // A warning that cannot be written changes nothing.
            let _ = writeln!(io::stderr(), "warning: {name}: {text}");
        };
        for case in cases(reader) {
            if found.len() == MAX_CASES {
                let problem = format!("more than {MAX_CASES} positions, expected a smaller suite");
                return Err(CliError::Input { name, problem });
            }
            match case {
                Ok(case) => {
                    case.problems.iter().for_each(|problem| warn(problem.to_string()));
                    if case.goal.is_none() {
                        warn(format!("line {}: left out, expected a legal bm, am or dm", case.line));
                    }
                    found.push(case);
                }
                Err(error) if matches!(error.problem, EpdProblem::Io(_)) => {
                    return Err(CliError::Input { name, problem: error.problem.to_string() });
                }
                Err(error) => warn(format!("{error}; left out")),
            }
        }
        Ok(Self { name, cases: found })
    }
}
