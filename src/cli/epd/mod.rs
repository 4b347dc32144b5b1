//! `hematite epd`: checks and merges files of EPD records, joins them into games, and runs them as test suites.

mod reporter;
mod run;
mod solver;

pub(in crate::cli) use solver::name_and_value;

use super::streams::{IgnoreBrokenPipe, Input, InputStatus, OutputArg};
use super::{CliError, ExitStatus};
use crate::database::{MergedRecords, RecordGames};
use crate::notation::pgn::{Export, GameFull};
use crate::notation::{EpdError, EpdLine, EpdProblem, EpdReader, pluralize};
use crate::suite::epd::{CheckSummary, check};
use clap::Subcommand;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Check and merge EPD files, make games of them, or run them as test suites.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
#[command(defer = true)]
enum Command {
    Check(CheckArguments),
    Games(GamesArguments),
    Merge(MergeArguments),
    Run(Box<run::Arguments>),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self.command {
            Command::Check(arguments) => arguments.run(out),
            Command::Games(arguments) => arguments.run(out),
            Command::Merge(arguments) => arguments.run(out),
            Command::Run(arguments) => arguments.run(out),
        }
    }
}

const CHECK_EXAMPLES: &str = "\
Examples:
  hematite epd check suite.epd
  hematite epd check --json - < suite.epd

Problems are printed as FILE:LINE:COLUMN: problem and what was expected. These are positions,
operands and moves that are wrong, and what is understood but not as it should be: moves that are
not SAN, moves that are missing, or best and to be avoided, strings without quotes. Exit code 1 if
there is any, 2 if a file cannot be read; the others are checked.";

/// Check that every position is legal and every move of bm, am, pv, ... can be played.
#[derive(clap::Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
struct CheckArguments {
    /// The files, or `-` for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write one JSON object instead of text. It is written while the files are read.
    #[arg(long)]
    json: bool,
}

/// The counts at the end of the JSON object.
#[derive(Serialize)]
struct Counts {
    files: usize,
    records: usize,
    wrong_records: usize,
}

/// Writes the JSON object while the files are read: `{"problems":[...],"files":...}`.
struct JsonWriter {
    is_first: bool,
}

impl JsonWriter {
    fn begin(out: &mut dyn Write) -> io::Result<Self> {
        out.write_all(b"{\"problems\":[")?;
        Ok(Self { is_first: true })
    }

    fn write(&mut self, finding: &Finding, out: &mut dyn Write) -> Result<(), CliError> {
        out.write_all(if self.is_first { b"" } else { b"," })?;
        self.is_first = false;
        Ok(serde_json::to_writer(out, finding)?)
    }

    fn end(self, counts: &Counts, out: &mut dyn Write) -> Result<(), CliError> {
        let counts = serde_json::to_string(counts)?;
        // The members of `Counts` are written into the outer object, without their own opening brace.
        Ok(writeln!(out, "],{}", counts.trim_start_matches('{'))?)
    }
}

/// A problem of a record, in JSON.
#[derive(Serialize)]
struct Finding {
    file: String,
    line: usize,
    column: usize,
    problem: String,
}

impl CheckArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether there are problems.
        let out = &mut IgnoreBrokenPipe::new(out);
        let mut total = CheckSummary::default();
        let mut json = if self.json { Some(JsonWriter::begin(out)?) } else { None };
        let mut status = InputStatus::default();
        let mut files = 0;
        for path in &self.files {
            let Some(input) = status.take(Input::open(path))? else { continue };
            let mut failure: Result<(), CliError> = Ok(());
            total += check(input.reader, |error| {
                let written = if let EpdProblem::Io(problem) = &error.problem {
                    Err(CliError::Input { name: input.name.clone(), problem: problem.to_string() })
                } else if let Some(json) = &mut json {
                    json.write(&Finding::new(&input.name, error), out)
                } else {
                    write_problem(&input.name, error, out).map_err(CliError::from)
                };
                match written {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        failure = Err(error);
                        ControlFlow::Break(())
                    }
                }
            });
            files += usize::from(status.take(failure)?.is_some());
        }
        let CheckSummary { records, wrong_records, problems } = total;
        let status = status.status();
        if let Some(json) = json {
            // The JSON object is completed even if no file can be read.
            json.end(&Counts { files, records, wrong_records }, out)?;
        } else if status.is_ok() {
            writeln!(
                out,
                "{}, {}: {} in {}",
                pluralize(files as u64, "file"),
                pluralize(records as u64, "record"),
                pluralize(problems as u64, "problem"),
                pluralize(wrong_records as u64, "record")
            )?;
        }
        status.map(|status| if problems == 0 { status } else { status.max(ExitStatus::No) })
    }
}

impl Finding {
    fn new(file: &str, error: &EpdError) -> Self {
        let EpdError { line, column, problem } = error;
        Self { file: file.to_owned(), line: *line, column: *column, problem: problem.to_string() }
    }
}

/// Writes a problem in the format of compilers, which editors understand.
fn write_problem(file: &str, error: &EpdError, out: &mut dyn Write) -> io::Result<()> {
    let EpdError { line, column, problem } = error;
    writeln!(out, "{file}:{line}:{column}: {problem}")
}

const GAMES_EXAMPLES: &str = "\
Examples:
  hematite epd games records.epd -o games.pgn
  hematite pgn fen --epd --comments games.pgn | hematite epd games -
  hematite epd games records.epd | hematite analyse - -o analyzed.pgn
  hematite analyse --epd records.epd | hematite epd games - -o evaluated.pgn

A record whose position one legal move reaches from that of the record before belongs to its game; any other starts a
game. c0 to c9 become comments on the position, v0 to v9 the tags Opening, Variation and SubVariation, which has v2 and
all below, eco and nic the tags ECO and NIC, the id of the first record the tag Event, and sm of the last one the last move.
cN and vN clear the registers from N on. What is set stays from one record to the next; a comment is written where it is set.
ce and acd become %eval, and pv a variation where the game goes on with another move. Exit code 1 if a record cannot be read.";

/// Make games of EPD records that follow one another, with their comments.
#[derive(clap::Args, Debug)]
#[command(after_help = GAMES_EXAMPLES)]
struct GamesArguments {
    /// The files, or `-` for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    target: OutputArg,
}

/// A file of EPD records, and whether all of them could be read.
struct Records<'a> {
    path: &'a Path,
    input: Input,
    status: &'a mut InputStatus,
    /// Whether every record could be read.
    is_clean: &'a mut bool,
}

impl Records<'_> {
    /// Passes on each record that can be read, with the name of the file. Reports the problems of the others on
    /// standard error.
    fn read(self, mut take: impl FnMut(&str, EpdLine) -> Result<(), CliError>) -> Result<(), CliError> {
        let Self { path, input, status, is_clean } = self;
        for line in EpdReader::new(input.reader) {
            let mut tell = |error: &EpdError| {
                *is_clean &= matches!(error.problem, EpdProblem::Repaired(_));
                // A closed standard error does not matter.
                let _ = write_problem(&input.name, error, &mut io::stderr());
            };
            match line {
                Ok(line) => {
                    line.problems.iter().for_each(&mut tell);
                    take(&input.name, line)?;
                }
                Err(EpdError { problem: EpdProblem::Io(problem), .. }) => {
                    let (name, problem) = (input.name.clone(), problem.to_string());
                    status.take_file::<()>(Some(path), Err(CliError::Input { name, problem }))?;
                }
                Err(error) => tell(&error),
            }
        }
        Ok(())
    }
}

impl GamesArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let mut output = self.target.open_as("pgn", out)?;
        let mut status = InputStatus::default();
        let mut is_clean = true;
        let too_large = |error: GameFull| CliError::Failed(error.to_string());
        for path in &self.files {
            let Some(input) = status.take(Input::open(path))? else { continue };
            let mut games = RecordGames::default();
            Records { path, input, status: &mut status, is_clean: &mut is_clean }.read(|_, line| {
                if let Some(game) = games.add(&line.epd).map_err(too_large)? {
                    output.write_all(Export::new().game(&game).as_bytes())?;
                }
                Ok(())
            })?;
            if let Some(game) = games.finish().map_err(too_large)? {
                output.write_all(Export::new().game(&game).as_bytes())?;
            }
        }
        status.check_target(self.target.path())?;
        output.finish()?;
        let status = status.status()?;
        Ok(if is_clean { ExitStatus::Yes } else { ExitStatus::No }.max(status))
    }
}

const MERGE_EXAMPLES: &str = "\
Examples:
  hematite epd merge one.epd other.epd -o all.epd
  hematite pgn export --epd games.pgn | hematite epd merge - -o library.epd

Every position has one record, whatever its clocks, in the order in which the positions come first:
  bm, am           the moves of all records
  c0 to c9         the comments of all, each once
  ce, acd, pv ...  those of the deepest analysis; of two that are as deep the first
  fmvn, hmvc, sm, rc and others of the course of a game: only if they are in all, and the same
  id, eco, v0 and all others: the first

What cannot be united is reported on standard error with its file and line: other values of an operation, moves that are best and
to be avoided, more than ten comments. What came first stays. Then the exit code is 1, as it is if a record cannot be read.
All positions are held in memory.";

/// Merge the records of equal positions: one for each, with the operations of all.
#[derive(clap::Args, Debug)]
#[command(after_help = MERGE_EXAMPLES)]
struct MergeArguments {
    /// The files, or `-` for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    target: OutputArg,

    /// Do not report what cannot be united. The exit code is the same.
    #[arg(long, short)]
    quiet: bool,
}

impl MergeArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let mut output = self.target.open_as("epd", out)?;
        let mut status = InputStatus::default();
        let mut is_clean = true;
        let mut merged = MergedRecords::default();
        let (mut records, mut conflicts) = (0, 0);
        for path in &self.files {
            let Some(input) = status.take(Input::open(path))? else { continue };
            Records { path, input, status: &mut status, is_clean: &mut is_clean }.read(|name, line| {
                records += 1;
                for conflict in merged.add(line.epd) {
                    conflicts += 1;
                    if !self.quiet {
                        // A closed standard error does not matter, here and below.
                        let _ = writeln!(io::stderr(), "{name}:{}: {conflict}", line.line);
                    }
                }
                Ok(())
            })?;
        }
        let end = status.status()?;
        status.check_target(self.target.path())?;
        for record in merged.records() {
            writeln!(output, "{record}")?;
        }
        output.finish()?;
        if !self.quiet {
            let _ = writeln!(
                io::stderr(),
                "{} of {}, {}",
                pluralize(merged.len() as u64, "position"),
                pluralize(records, "record"),
                pluralize(conflicts, "conflict"),
            );
        }
        Ok(if is_clean && conflicts == 0 { ExitStatus::Yes } else { ExitStatus::No }.max(end))
    }
}
