//! `hematite epd`: checks files of EPD records, and runs them as test suites.

mod reporter;
mod run;
mod solver;

use super::streams::{IgnoreBrokenPipe, Input, write_json};
use super::{CliError, ExitStatus};
use crate::notation::{EpdError, EpdProblem, pluralize};
use crate::suite::epd::{CheckSummary, check};
use clap::Subcommand;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Check EPD files, or run them as test suites.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Check(CheckArguments),
    Run(run::Arguments),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self.command {
            Command::Check(arguments) => arguments.run(out),
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
there is any.";

/// Check that every position is legal and every move of bm, am, pv, ... can be played.
#[derive(clap::Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
struct CheckArguments {
    /// The files, or `-` for standard input; .zst, .gz and .bz2 are decompressed.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The JSON object.
#[derive(Serialize)]
struct CheckReport {
    files: usize,
    records: usize,
    wrong_records: usize,
    problems: Vec<Finding>,
}

/// A problem.
#[derive(Serialize)]
struct Finding {
    file: String,
    line: usize,
    column: usize,
    problem: String,
}

impl CheckArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also states whether all is well.
        let out = &mut IgnoreBrokenPipe::new(out);
        let mut total = CheckSummary::default();
        let mut findings = Vec::new();
        let mut unreadable = Vec::new();
        for path in &self.files {
            let input = match Input::open(path) {
                Ok(input) => input,
                Err(error) => {
                    unreadable.push(error);
                    continue;
                }
            };
            let mut failure: Result<(), CliError> = Ok(());
            total += check(input.reader, |error| {
                let written = if let EpdProblem::Io(problem) = &error.problem {
                    Err(CliError::Input { name: input.name.clone(), problem: problem.to_string() })
                } else if self.json {
                    findings.push(Finding::new(&input.name, error));
                    Ok(())
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
            match failure {
                Err(error @ CliError::Input { .. }) => unreadable.push(error),
                other => other?,
            }
        }
        let files = self.files.len() - unreadable.len();
        if files == 0 {
            // There is nothing to sum up.
            return CliError::last_of(unreadable).map(|()| ExitStatus::No);
        }
        let CheckSummary { records, wrong_records, problems } = total;
        if self.json {
            let report = CheckReport { files, records, wrong_records, problems: findings };
            write_json(out, &report)?;
        } else {
            writeln!(
                out,
                "{}, {}: {} in {}",
                pluralize(files as u64, "file"),
                pluralize(records as u64, "record"),
                pluralize(problems as u64, "problem"),
                pluralize(wrong_records as u64, "record")
            )?;
        }
        CliError::last_of(unreadable)?;
        Ok(if problems == 0 { ExitStatus::Yes } else { ExitStatus::No })
    }
}

impl Finding {
    fn new(file: &str, error: &EpdError) -> Self {
        let EpdError { line, column, problem } = error;
        Self { file: file.to_owned(), line: *line, column: *column, problem: problem.to_string() }
    }
}

/// Writes a problem as compilers do, for editors to jump there.
fn write_problem(file: &str, error: &EpdError, out: &mut dyn Write) -> io::Result<()> {
    let EpdError { line, column, problem } = error;
    writeln!(out, "{file}:{line}:{column}: {problem}")
}
