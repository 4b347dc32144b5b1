//! `hematite match check`: conformance of an engine to the protocol.

use super::{CliError, ExitStatus, launcher};
use crate::arena::check::{Finding, TIMEOUTS, check};
use crate::arena::game::parse_seconds;
use crate::cli::values::integer_in;
use crate::client::{EngineConfig, Log, Timeouts};
use crate::uci::nearest;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  hematite match check ./engine
  hematite match check --timeouts start=30s think=2m stop=1 ./engine
  hematite match check --log talk.txt ./engine --some-argument

Exit code 1 if any step fails.";

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

    /// Seconds to wait for `uciok`, `readyok` and the end [default: 5].
    #[arg(long, value_name = "SECONDS", value_parser = integer_in::<u64>(1..=3600))]
    patience: Option<u64>,

    /// Milliseconds from `stop` to `bestmove`, and beyond the limit of a search [default: 500].
    #[arg(long, value_name = "MILLISECONDS", value_parser = integer_in::<u64>(1..=3_600_000))]
    stop: Option<u64>,

    /// Time limits of the engine to start, to answer, to search, to stop and to end: start, ping, think, stop, quit, in
    /// seconds or with a unit.
    #[arg(long, value_name = "KEY=TIME", value_parser = timeout, action = clap::ArgAction::Append)]
    timeouts: Vec<(&'static str, Duration)>,

    /// Log all communication with the engine to this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
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
            if !self.json && written.is_ok() {
                written = write_finding(&finding, out).and_then(|()| out.flush());
            }
            findings.push(finding);
        })
        .map_err(|error| CliError::Usage(error.to_string()))?;
        written?;
        let failed = findings.iter().filter(|finding| finding.result.is_err()).count();
        if self.json {
            writeln!(out, "{}", json(&findings, failed))?;
        } else {
            writeln!(out, "{} steps, {failed} failed", findings.len())?;
        }
        Ok(if failed == 0 { ExitStatus::Yes } else { ExitStatus::No })
    }
}

/// The keys of `--timeouts`.
const KEYS: [&str; 5] = ["start", "ping", "think", "stop", "quit"];

/// A key of `--timeouts` and its time.
fn timeout(text: &str) -> Result<(&'static str, Duration), String> {
    let (key, time) = text.split_once('=').ok_or("expected KEY=TIME such as think=30s")?;
    let Some(known) = KEYS.into_iter().find(|known| *known == key) else {
        let nearest =
            nearest(key, KEYS).map_or_else(String::new, |nearest| format!(", did you mean {nearest}"));
        return Err(format!("unknown key{nearest}; expected one of {}", KEYS.join(", ")));
    };
    match parse_seconds(time).filter(|time| !time.is_zero()) {
        Some(time) => Ok((known, time)),
        None => Err("expected a time such as 5, 500ms, 30s or 2m, at most a day".to_owned()),
    }
}

fn timeouts(patience: Option<u64>, stop: Option<u64>, others: &[(&str, Duration)]) -> Timeouts {
    let mut timeouts = TIMEOUTS;
    if let Some(patience) = patience.map(Duration::from_secs) {
        (timeouts.start, timeouts.ping, timeouts.quit) = (patience, patience, patience);
    }
    if let Some(stop) = stop {
        timeouts.stop = Duration::from_millis(stop);
    }
    for &(key, time) in others {
        match key {
            "start" => timeouts.start = time,
            "ping" => timeouts.ping = time,
            "think" => timeouts.think = time,
            "stop" => timeouts.stop = time,
            _ => timeouts.quit = time,
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
