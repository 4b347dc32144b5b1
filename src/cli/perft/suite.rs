//! The check of perft suites.

use super::{Branch, Options, Pace};
use crate::cli::progress::bar;
use crate::cli::streams::{IgnoreBrokenPipe, Input, InputStatus, MaxUnpacked, write_json};
use crate::cli::{CliError, ExitStatus};
use crate::notation::{Fen, pluralize};
use crate::suite::perft::{Case, Check, Count, SuiteError, SuiteProblem, Summary, cases, run as run_suite};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

/// A suite that has been read.
struct Suite {
    name: String,
    cases: Vec<Case>,
    /// The lines that cannot be read and are skipped.
    refused: Vec<RefusedLine>,
}

/// A line that cannot be read.
#[derive(Serialize)]
struct RefusedLine {
    file: String,
    line: usize,
    problem: String,
}

pub(super) fn run(
    files: &[PathBuf],
    max_nodes: u64,
    max: MaxUnpacked,
    options: &Options,
    out: &mut dyn Write,
) -> Result<ExitStatus, CliError> {
    // The exit code also reports whether all counts are right.
    let out = &mut IgnoreBrokenPipe::new(out);
    // All suites are read first: an error in the last one must not appear only after hours. It skips only that suite.
    let mut status = InputStatus::default();
    let mut suites = Vec::new();
    for path in files {
        suites.extend(status.take(Input::open(path).and_then(|input| Suite::read(input, max)))?);
    }
    let status = status.status()?;
    let refused: Vec<&RefusedLine> = suites.iter().flat_map(|suite| &suite.refused).collect();
    if !options.json {
        for RefusedLine { file, line, problem } in &refused {
            writeln!(out, "{file}: line {line}: left out: {problem}")?;
        }
    }
    let bar = progress_bar(&suites, max_nodes);
    let start = Instant::now();
    let mut total = Summary::default();
    let mut failures = Vec::new();
    for suite in &suites {
        let mut reporter = Reporter { suite, options, bar: &bar, out, failures, written: Ok(()) };
        let summary =
            run_suite(&suite.cases, max_nodes, |root, depth| options.perft(root, depth), &mut |check| {
                reporter.on_check(check)
            });
        reporter.written?;
        failures = reporter.failures;
        total += summary;
    }
    bar.finish_and_clear();
    let pace = Pace::new(total.nodes, start.elapsed());
    let Summary { checked, failed, skipped, .. } = total;
    if options.json {
        write_json(out, &Report { checked, failed, skipped, refused: &refused, pace, failures })?;
    } else {
        let lines = match refused.len() {
            0 => String::new(),
            count => format!(", {} not read", pluralize(count as u64, "line")),
        };
        writeln!(out, "{checked} counts checked, {failed} wrong, {skipped} left out{lines}; {pace}")?;
    }
    Ok(if failed == 0 && refused.is_empty() { status } else { status.max(ExitStatus::No) })
}

/// The maximum number of positions of a suite, which are kept in memory.
const MAX_CASES: usize = 1 << 20;

impl Suite {
    fn read(input: Input, max: MaxUnpacked) -> Result<Self, CliError> {
        let Input { name, reader } = input.limited(max.max_unpacked);
        let error = |problem| CliError::Input { name: name.clone(), problem };
        let (mut found, mut refused) = (Vec::new(), Vec::new());
        for case in cases(reader) {
            if found.len() + refused.len() == MAX_CASES {
                return Err(error(format!("more than {MAX_CASES} positions, expected a smaller suite")));
            }
            match case {
                Ok(case) => found.push(case),
                Err(problem @ SuiteError { problem: SuiteProblem::Io(_), .. }) => {
                    return Err(error(problem.to_string()));
                }
                Err(SuiteError { line, problem }) => {
                    refused.push(RefusedLine { file: name.clone(), line, problem: problem.to_string() });
                }
            }
        }
        if found.is_empty() {
            return Err(error(match refused.first() {
                Some(RefusedLine { line, problem, .. }) => format!("line {line}: {problem}"),
                None => "no positions, expected lines such as `FEN ;D1 20`".to_owned(),
            }));
        }
        for case in &found {
            if let Some(note) = &case.repairs {
                // A closed standard error does not matter.
                let _ = writeln!(io::stderr(), "{name}: line {}: {note}", case.line);
            }
        }
        Ok(Self { name, cases: found, refused })
    }
}

/// A progress bar on standard error that counts the expected nodes; hidden without a terminal.
fn progress_bar(suites: &[Suite], max_nodes: u64) -> ProgressBar {
    const TEMPLATE: &str = "{wide_bar} {percent}% {msg} {elapsed} ETA {eta}";
    let counts = suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.counts);
    let expected = counts.map(|count| count.nodes).filter(|&nodes| nodes <= max_nodes);
    bar(expected.fold(0, u64::saturating_add), TEMPLATE)
}

/// The JSON object of a check.
#[derive(Serialize)]
struct Report<'a> {
    checked: usize,
    failed: usize,
    skipped: usize,
    refused: &'a [&'a RefusedLine],
    #[serde(flatten)]
    pace: Pace,
    failures: Vec<Failure>,
}

/// A wrong count.
#[derive(Serialize)]
struct Failure {
    file: String,
    line: usize,
    name: Option<String>,
    fen: String,
    depth: u32,
    expected: u64,
    found: u64,
    divide: Vec<Branch>,
}

/// Shows the progress and reports each failure at once.
struct Reporter<'a> {
    suite: &'a Suite,
    options: &'a Options,
    bar: &'a ProgressBar,
    out: &'a mut dyn Write,
    failures: Vec<Failure>,
    /// The result of the writes so far.
    written: io::Result<()>,
}

impl Reporter<'_> {
    /// Reports a comparison; a break ends the run.
    fn on_check(&mut self, check: &Check<'_>) -> ControlFlow<()> {
        self.bar.inc(check.expected.nodes);
        if check.is_right() {
            return ControlFlow::Continue(());
        }
        let failure = self.failure(check);
        if self.options.json {
            self.failures.push(failure);
            return ControlFlow::Continue(());
        }
        self.written = self.bar.suspend(|| failure.write(self.out));
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Reporter<'_> {
    fn failure(&self, check: &Check<'_>) -> Failure {
        let Check { case, expected: Count { depth, nodes }, found } = *check;
        Failure {
            file: self.suite.name.clone(),
            line: case.line,
            name: case.name.clone(),
            fen: Fen::new(&case.position).to_string(),
            depth,
            expected: nodes,
            found,
            divide: self.options.divide(&case.position, depth),
        }
    }
}

impl Failure {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { file, line, name, fen, depth, expected, found, divide } = self;
        let name = name.as_ref().map_or_else(String::new, |name| format!(" {name}:"));
        writeln!(out, "{file}: line {line}:{name} depth {depth}: expected {expected}, found {found}")?;
        writeln!(out, "  {fen}")?;
        for branch in divide {
            writeln!(out, "  {branch}")?;
        }
        Ok(())
    }
}
