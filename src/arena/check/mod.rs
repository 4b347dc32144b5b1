//! Does an engine keep to the protocol? Step by step, with a verdict on each.

mod session;
mod steps;

use crate::client::{EngineError, EngineSettings, Launcher, Log};
use session::Session;
use std::time::{Duration, Instant};

/// What a step has shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What was tried.
    pub step: &'static str,
    /// What was seen, or what was wrong and what was expected.
    pub result: Result<String, String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// How patient the checks are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For `uciok` and `readyok`, and for the end of the process.
    pub answer: Duration,
    /// For `bestmove` after `stop`, and beyond the limit of a search.
    pub stop: Duration,
    /// For any other `bestmove`.
    pub search: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(5),
            stop: Duration::from_millis(500),
            search: Duration::from_secs(30),
        }
    }
}

/// Tries every step and tells each finding as it comes. A step that an engine does not
/// survive is a failure; the next one begins with a new process, unless the engine does not even
/// introduce itself.
///
/// # Errors
/// [`EngineError`] if the engine cannot be started at all.
pub fn check(
    settings: &EngineSettings,
    patience: Patience,
    launcher: &Launcher,
    log: &Log,
    mut report: impl FnMut(Finding),
) -> Result<(), EngineError> {
    let start = || Session::start(settings, patience, launcher, log);
    let mut session = Some(start()?);
    let mut is_hopeless = false;
    for &(step, run) in steps::STEPS {
        let begin = Instant::now();
        if is_hopeless {
            let result = Err("not tried: the engine does not answer to `uci`".to_owned());
            report(Finding { step, elapsed: begin.elapsed(), result });
            continue;
        }
        let mut current = match session.take() {
            Some(session) => session,
            None => {
                let mut fresh = start()?;
                if let Err(problem) = fresh.introduce() {
                    is_hopeless = true;
                    report(Finding { step, elapsed: begin.elapsed(), result: Err(problem) });
                    continue;
                }
                fresh
            }
        };
        let result = run(&mut current);
        report(Finding { step, elapsed: begin.elapsed(), result });
        if current.is_alive() {
            session = Some(current);
        }
    }
    Ok(())
}
