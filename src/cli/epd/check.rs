//! `hematite epd check`: the problems of EPD files.

use crate::cli::streams::{IgnoreBrokenPipe, Input, InputStatus, write_json};
use crate::cli::values::pluralize;
use crate::cli::{CliError, ExitStatus};
use crate::notation::{EpdError, EpdProblem};
use crate::suite::epd::{CheckSummary, check};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite epd check suite.epd
  hematite epd check --json - < suite.epd

Problems are printed as FILE:LINE:COLUMN: problem and what was expected. Exit code 1 if there is any,
2 if a file cannot be read; the others are checked.";

/// Check that every position is legal and every move of bm, am, pv, ... can be played.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The files, or `-` for standard input; .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The JSON object.
#[derive(Serialize)]
struct Report {
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

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also states whether all is well.
        let out = &mut IgnoreBrokenPipe::new(out);
        let mut total = CheckSummary::default();
        let mut findings = Vec::new();
        let mut status = InputStatus::default();
        for path in &self.files {
            let Some(input) = status.take(Input::open(path))? else { continue };
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
            status.take(failure)?;
        }
        let status = status.status()?;
        let CheckSummary { records, wrong_records, problems } = total;
        let files = self.files.len();
        if self.json {
            let report = Report { files, records, wrong_records, problems: findings };
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
        Ok(if problems == 0 { status } else { status.max(ExitStatus::No) })
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
