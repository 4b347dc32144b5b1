//! `hematite match check`: conformance of an engine to the protocol.

use super::{CliError, ExitStatus, launcher};
use crate::arena::check::{CheckTimeouts, Finding, check};
use crate::cli::values::duration_in;
use crate::client::{EngineConfig, Log};
use crate::notation::TimeUnit;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  hematite match check ./engine
  hematite match check --patience 20 --log talk.txt ./engine --some-argument

Exit code 1 if any step fails.";

/// The time limits that can be set.
const TIMEOUTS: RangeInclusive<Duration> = Duration::from_millis(1)..=Duration::from_secs(3600);

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

    /// Time to wait for `uciok`, `readyok` and the end: seconds, or 2m30s.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration_in(TimeUnit::Seconds, TIMEOUTS))]
    patience: Duration,

    /// Time from `stop` to `bestmove`, and beyond the limit of a search: milliseconds, or 2s.
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = duration_in(TimeUnit::Milliseconds, TIMEOUTS))]
    stop: Duration,

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
        let patience = CheckTimeouts { answer: self.patience, stop: self.stop, ..CheckTimeouts::default() };
        let mut findings = Vec::new();
        let mut written = Ok(());
        check(&settings, patience, &launcher(), &log, |finding| {
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
