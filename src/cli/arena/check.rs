//! `hematite match check`: conformance of an engine to the UCI protocol.

use super::{CliError, ExitStatus, launcher};
use crate::arena::check::{Finding, TIMEOUTS, check};
use crate::arena::game::parse_seconds;
use crate::cli::values::{JsonArg, duration_in};
use crate::client::{EngineConfig, Log, Timeouts};
use crate::notation::TimeUnit;
use crate::uci::nearest;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  hematite match check ./engine
  hematite match check --timeouts start=30s think=2m stop=1 ./engine
  hematite match check --log talk.txt ./engine --some-argument

Exit code 1 if any step fails.";

/// The range of time limits.
const RANGE: RangeInclusive<Duration> = Duration::from_millis(1)..=Duration::from_secs(3600);

/// Check step by step whether an engine keeps to the UCI protocol.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The engine.
    command: String,

    /// Its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,

    /// The directory it works in.
    #[arg(long, value_name = "PATH")]
    dir: Option<PathBuf>,

    /// Time to wait for `uciok`, `readyok` and the end: seconds, or 2m30s [default: 5s].
    #[arg(long, value_name = "TIME", value_parser = duration_in(TimeUnit::Seconds, RANGE))]
    patience: Option<Duration>,

    /// Time from `stop` to `bestmove`, and beyond the limit of a search: milliseconds, or 2s [default: 500ms].
    #[arg(long, value_name = "TIME", value_parser = duration_in(TimeUnit::Milliseconds, RANGE))]
    stop: Option<Duration>,

    /// Time limits: start=5 to `uciok`, ping=5 to `readyok`, think=30 for a search, stop=0.5 from `stop` to `bestmove`,
    /// quit=5 to the end; in seconds, or 500ms, 2m.
    #[arg(long, value_name = "NAME=TIME", value_delimiter = ',', value_parser = timeout, action = clap::ArgAction::Append)]
    timeouts: Vec<(&'static str, Duration)>,

    /// Log all communication with the engine to this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    #[command(flatten)]
    json: JsonArg,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let log = match &self.log {
            None => Log::default(),
            Some(path) => Log::open(path).map_err(|error| CliError::Input {
                name: path.display().to_string(),
                problem: error.to_string(),
            })?,
        };
        let settings = EngineConfig {
            command: self.command,
            arguments: self.arguments,
            directory: self.dir,
            ..EngineConfig::default()
        };
        let timeouts = timeouts(self.patience, self.stop, &self.timeouts);
        let mut findings = Vec::new();
        let mut written = Ok(());
        check(&settings, timeouts, &launcher(), &log, |finding| {
            if !self.json.is_given() && written.is_ok() {
                written = write_finding(&finding, out).and_then(|()| out.flush());
            }
            findings.push(finding);
        })
        .map_err(|error| CliError::Failed(error.to_string()))?;
        written?;
        let failed = findings.iter().filter(|finding| finding.result.is_err()).count();
        if self.json.is_given() {
            writeln!(out, "{}", json(&findings, failed))?;
        } else {
            writeln!(out, "{} steps, {failed} failed", findings.len())?;
        }
        Ok(if failed == 0 { ExitStatus::Yes } else { ExitStatus::No })
    }
}

/// The name of a time limit, and its time.
fn timeout(text: &str) -> Result<(&'static str, Duration), String> {
    let (name, time) = text.split_once('=').ok_or("expected NAME=TIME such as think=30s")?;
    let Some(known) = Timeouts::NAMES.into_iter().find(|known| *known == name) else {
        let nearest = nearest(name, Timeouts::NAMES);
        let hint = nearest.map_or_else(String::new, |nearest| format!(", did you mean {nearest}"));
        return Err(format!("unknown name{hint}; expected one of {}", Timeouts::NAMES.join(", ")));
    };
    match parse_seconds(time).filter(|time| !time.is_zero()) {
        Some(time) => Ok((known, time)),
        None => Err("expected a time such as 5, 500ms, 30s or 2m, at most a day".to_owned()),
    }
}

fn timeouts(patience: Option<Duration>, stop: Option<Duration>, others: &[(&str, Duration)]) -> Timeouts {
    let patience = ["start", "ping", "quit"].map(|name| Some((name, patience?)));
    let stop = stop.map(|stop| ("stop", stop));
    let mut timeouts = TIMEOUTS;
    for (name, time) in patience.into_iter().flatten().chain(stop).chain(others.iter().copied()) {
        if let Some(limit) = timeouts.named(name) {
            *limit = time;
        }
    }
    timeouts
}

fn write_finding(finding: &Finding, out: &mut dyn Write) -> std::io::Result<()> {
    let (verdict, text) = match &finding.result {
        Ok(text) => ("pass", text),
        Err(text) => ("FAIL", text),
    };
    writeln!(out, "{verdict}  {:<36} {text}", finding.step)
}

fn json(findings: &[Finding], failed: usize) -> serde_json::Value {
    let steps: Vec<_> = findings
        .iter()
        .map(|finding| {
            let (Ok(text) | Err(text)) = &finding.result;
            serde_json::json!({
                "step": finding.step,
                "passed": finding.result.is_ok(),
                "text": text,
                "seconds": finding.elapsed.as_secs_f64(),
            })
        })
        .collect();
    serde_json::json!({ "steps": steps, "failed": failed })
}
