//! `hematite epd run`: the number of solved positions of test suites.

use super::reporter::{Report, Reporter, RunSettings, Suite, progress_bar, tables};
use super::solver::SolverFlags;
use crate::cli::pgn::table::{TextStyle, texts};
use crate::cli::streams::{
    Input, InputStatus, Lasting, MaxUnpacked, OutputArg, STDOUT, new_file, write_json,
};
use crate::cli::values::{duration_in, integer_in};
use crate::cli::{CliError, ExitStatus, signals};
use crate::files::{OutputFile, PathExcerpt, without_packed_extension};
use crate::notation::{EpdProblem, TimeUnit};
use crate::search::{Limits, MAX_PLY};
use crate::suite::epd::{Settings, SolverError, Summary, Unread, cases, run as run_suite};
use crate::uci::LONGEST_TIME;
use clap::ArgGroup;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  hematite epd run --time 1s wac.epd
  hematite epd run --nodes 100k --min-solved 250 --json result.json wac.epd
  hematite epd run --time 10s --stop-early 4 --threads 2 --hash 256 hard.epd
  hematite epd run --time 5s --mate mates.epd
  hematite epd run --time 1s --option EvalFile=other.nnue --option SyzygyPath=syzygy sts.epd
  hematite epd run --depth 12 --output analysed.epd --engine 'stockfish' sts.epd
  hematite epd run --time 1s --engine ./new --timeouts start=60,stop=2 --option Hash=512 sts.epd

A position is solved if the answer is a move of `bm`, none of `am`, and a mate in `dm` moves or
fewer, as far as these are stated. Points are read from `c0 \"Nf3=10, d4=5\"` or from `c7` to `c9`,
themes from `id`. The time, nodes and depth of a solution are those of the last moment from which
the right move stayed first.

An engine that ends or does not answer loses the position and is started again; an illegal move
loses the position. The run is given up if the engine does not answer at 6 positions in a row. Exit
code 1 if an engine failed, or if fewer are solved than --min-solved; 2 if the run was not finished
or a file could not be written. After Ctrl-C, or when an engine is given up, the table and the files
have the positions so far; the file of --output has the other records as they were.";

/// Run test suites: positions with best moves (bm), moves to avoid (am), mates (dm), points (c0).
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("limit").required(true).multiple(true))]
pub(super) struct Arguments {
    /// The suites, or `-` for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    max: MaxUnpacked,

    /// Time for each position: milliseconds, or 500ms, 1s, 2m30s.
    #[arg(long, value_name = "TIME", group = "limit", value_parser = duration_in(TimeUnit::Milliseconds, LEAST_TIME..=LONGEST_TIME))]
    time: Option<Duration>,

    /// Nodes for each position, also 10k or 1M.
    #[arg(long, value_name = "N", group = "limit", value_parser = integer_in::<u64>(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// Depth for each position, in plies.
    #[arg(long, value_name = "N", group = "limit", value_parser = integer_in::<u32>(1..=MAX_PLY as u32 - 1))]
    depth: Option<u32>,

    #[command(flatten)]
    solver: SolverFlags,

    /// Continue with the next position when the right move has stayed first for this many more iterations.
    #[arg(long, value_name = "PLIES", value_parser = integer_in::<u32>(0..))]
    stop_early: Option<u32>,

    /// Ask for the mate in `dm` moves where a record states one, in place of the best move: `go mate`.
    #[arg(long)]
    mate: bool,

    /// Exit with 1 if fewer are solved.
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(0..))]
    min_solved: Option<usize>,

    /// Write all results as one JSON object to this file; without a file, or for `-`, to standard output in place of
    /// the text.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = STDOUT)]
    json: Option<PathBuf>,

    /// Write the records with the results acd, acn, acs, ce, pm and pv; `-` is standard output, in place of the text.
    #[arg(short, long = "output", alias = "out", value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The minimum time for a position: UCI counts milliseconds.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// Refuses to replace a file that is not JSON: it is probably a suite that follows `--json` because the name of the
/// output was omitted.
fn require_json(path: &Path) -> Result<(), CliError> {
    /// The number of bytes in which the start of a JSON object is expected.
    const HEAD: u64 = 64;
    let is_named = without_packed_extension(path).extension().is_some_and(|extension| extension == "json");
    if is_named || !path.is_file() {
        return Ok(());
    }
    let Input { name, reader } = Input::open_binary(path)?;
    let mut head = Vec::new();
    let read = reader.take(HEAD).read_to_end(&mut head);
    read.map_err(|error| CliError::Input { name, problem: error.to_string() })?;
    match head.trim_ascii_start().first() {
        None | Some(b'{') => Ok(()),
        Some(_) => Err(CliError::Usage(format!(
            "--json: {} exists and is not JSON, expected a file to replace or a new one; `--json -` writes to standard output",
            PathExcerpt::new(path)
        ))),
    }
}

/// Whether an output is a file, not standard output.
fn is_file(path: &Path) -> bool {
    path.as_os_str() != STDOUT
}

/// The outcome of a run.
enum Ending {
    Done,
    Interrupted,
    /// The solver failed.
    Failed(SolverError),
}

impl Ending {
    const fn name(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Interrupted => "interrupted",
            Self::Failed(_) => "failed",
        }
    }

    /// The error of a run that is not complete.
    fn error(self) -> Option<CliError> {
        match self {
            Self::Done => None,
            Self::Interrupted => {
                Some(CliError::interrupted("interrupted; the results are of the positions so far"))
            }
            Self::Failed(error) => {
                Some(CliError::Failed(format!("{error}; the results are of the positions so far")))
            }
        }
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let is_wanted = |path: &Option<PathBuf>| path.as_deref().is_some_and(is_file);
        if self.min_solved.is_some() || is_wanted(&self.json) || is_wanted(&self.out) {
            // The exit code or a file matters as well as the text.
            let mut lasting = Lasting::new(out);
            let status = self.solve(&mut lasting)?;
            lasting.finish()?;
            Ok(status)
        } else {
            self.solve(out)
        }
    }

    fn solve(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // Everything that can fail before the first search is done now.
        if let Some(json) = &self.json {
            require_json(json)?;
        }
        let mut status = InputStatus::default();
        let mut suites = Vec::new();
        for path in &self.files {
            suites.extend(status.take(Suite::read(path, self.max))?);
        }
        let status = status.status()?;
        if suites.iter().flat_map(|suite| &suite.cases).all(|case| case.goal.is_err()) {
            let problem = "no position with bm, am or dm".to_owned();
            let names: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
            return Err(CliError::Input { name: names.join(", "), problem });
        }
        if let (Some(json), Some(records)) = (&self.json, &self.out)
            && is_file(json)
            && is_file(records)
            && OutputArg::of(json.clone()).names(records)
        {
            let problem =
                format!("--json and --output: both {}, expected a file for each", PathExcerpt::new(json));
            return Err(CliError::Usage(problem));
        }
        let [json, records] = [&self.json, &self.out].map(|path| path.as_deref().map(Destination::new));
        let (json, records) = (json.transpose()?, records.transpose()?);
        let is_text_wanted = match [&json, &records].map(|place| matches!(place, Some(Destination::Standard)))
        {
            [true, true] => {
                let problem = "--json - and --output -: expected one of them to be a file";
                return Err(CliError::usage(problem));
            }
            [json, records] => !json && !records,
        };
        let mut solver = self.solver.solver()?;
        let settings = self.settings();

        // The first Ctrl-C ends the run with the results so far, the second ends the program at once.
        let is_interrupted = signals::interrupted_flag()?;
        let bar = progress_bar(&suites);
        let mut total = Summary::default();
        let mut results = Vec::new();
        let mut found_records = String::new();
        let mut by_suite = Vec::new();
        let mut ending = Ending::Done;
        for suite in &suites {
            let mut reporter = Reporter {
                suite,
                bar: &bar,
                out,
                is_shown: is_text_wanted,
                records: records.is_some().then_some(&mut found_records),
                results,
                done: 0,
                is_interrupted,
                written: Ok(()),
            };
            if matches!(ending, Ending::Done) {
                let (summary, ended) =
                    run_suite(&suite.cases, &mut *solver, &settings, &mut |event| reporter.on_event(event));
                by_suite.push((suite.name.clone(), summary.total));
                total += summary;
                if is_interrupted.load(Ordering::Relaxed) {
                    ending = Ending::Interrupted;
                } else if let Err(error) = ended {
                    ending = Ending::Failed(error);
                }
            }
            reporter.keep_rest();
            reporter.written?;
            results = reporter.results;
        }
        bar.finish_and_clear();

        let mut errors = Vec::new();
        if is_text_wanted {
            let tables = texts(&tables(solver.name(), &by_suite, &total), TextStyle::of_output(true));
            errors.extend(write!(out, "\n{tables}").err().map(CliError::from));
        }
        let settings = self.run_settings();
        let report = Report::new(solver.name(), settings, ending.name(), &by_suite, &total, &results);
        let json = json.map(|json| json.fill(out, |out| write_json(out, &report)));
        errors.extend(json.and_then(Result::err));
        let records =
            records.map(|records| records.fill(out, |out| Ok(out.write_all(found_records.as_bytes())?)));
        errors.extend(records.and_then(Result::err));
        errors.extend(ending.error());
        CliError::last_of(errors)?;
        let is_enough = self.min_solved.is_none_or(|least| total.total.solved >= least);
        Ok(if is_enough && total.faults == 0 { status } else { status.max(ExitStatus::No) })
    }

    fn settings(&self) -> Settings {
        Settings {
            limits: Limits {
                move_time: self.time,
                nodes: self.nodes,
                depth: self.depth,
                ..Limits::default()
            },
            stop_early: self.stop_early,
            asks_for_mates: self.mate,
        }
    }

    fn run_settings(&self) -> RunSettings<'_> {
        let options = self.solver.options().iter();
        RunSettings {
            time_ms: self.time.map(|time| time.as_millis() as u64),
            nodes: self.nodes,
            depth: self.depth,
            threads: self.solver.threads(),
            hash_mib: self.solver.hash_mib(),
            stop_early: self.stop_early,
            options: options.map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        }
    }
}

/// The destination of the results.
enum Destination {
    Standard,
    File(Box<OutputFile>),
}

impl Destination {
    /// Opens the file before the run, so that a failure is reported early.
    fn new(path: &Path) -> Result<Self, CliError> {
        if path.as_os_str() == STDOUT {
            Ok(Self::Standard)
        } else {
            Ok(Self::File(Box::new(new_file(path)?)))
        }
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

/// The maximum number of positions of a suite, which are kept in memory.
const MAX_CASES: usize = 1 << 20;

impl Suite {
    /// Reads a file; invalid lines are skipped and reported on standard error.
    fn read(path: &Path, max: MaxUnpacked) -> Result<Self, CliError> {
        let Input { name, reader } = Input::open(path)?.limited(max.max_unpacked);
        let (mut found, mut unread) = (Vec::new(), Vec::new());
        let warn = |text: String| {
            // A failure to write the warning does not matter.
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
                    if let Err(reason) = &case.goal {
                        warn(format!(
                            "line {}: left out: {reason}, expected a legal bm, am or dm",
                            case.line
                        ));
                    }
                    found.push(case);
                }
                Err(Unread { error, .. }) if matches!(error.problem, EpdProblem::Io(_)) => {
                    return Err(CliError::Input { name, problem: error.problem.to_string() });
                }
                Err(Unread { error, text }) => {
                    warn(format!("{error}; left out"));
                    // Of a line that is too long there is no text.
                    if !text.is_empty() {
                        unread.push((found.len(), text));
                    }
                }
            }
        }
        Ok(Self { name, cases: found, unread })
    }
}
