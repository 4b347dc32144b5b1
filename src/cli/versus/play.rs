//! Playing a match.

use super::reporter::Reporter;
use super::{CliError, Verdict, launcher};
use crate::arena::plan::Plan;
use crate::arena::statistics::Hypothesis;
use crate::arena::tournament::{Ending, Listener, Tournament, TournamentError};
use crate::cli::interruption;
use std::io::Write;
use std::path::Path;

pub(super) fn begin(plan: Plan, json: bool, out: &mut dyn Write) -> Result<Verdict, CliError> {
    let mut reporter = Reporter::new(&plan, json, out);
    let tournament = Tournament::begin(plan, launcher(), &mut reporter).map_err(cli_error)?;
    run(tournament, reporter)
}

pub(super) fn resume(
    path: &Path,
    print_config: bool,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, CliError> {
    if print_config {
        write!(out, "{}", Tournament::saved_plan(path).map_err(cli_error)?.write())?;
        return Ok(Verdict::Yes);
    }
    let tournament = Tournament::resume(path, launcher()).map_err(cli_error)?;
    let mut reporter = Reporter::new(tournament.plan(), json, out);
    for rest in tournament.set_aside() {
        let rest = rest.display();
        reporter.remark(&format!("what stood behind the games of this match was moved to {rest}"));
    }
    run(tournament, reporter)
}

fn run(mut tournament: Tournament, mut reporter: Reporter<'_>) -> Result<Verdict, CliError> {
    // The first Ctrl-C ends the match in order, the second at once.
    let is_interrupted = interruption::watch()?;
    reporter.begin(tournament.progress());
    let ending = tournament.run(is_interrupted, &mut reporter).map_err(cli_error)?;
    reporter.end(tournament.progress(), ending)?;
    match ending {
        Ending::Verdict(Hypothesis::H0) => Ok(Verdict::No),
        Ending::Complete | Ending::Verdict(Hypothesis::H1) => Ok(Verdict::Yes),
        Ending::Interrupted => {
            let how = match &tournament.plan().state {
                Some(path) => format!("--resume {} goes on", path.display()),
                None => "nothing was saved".to_owned(),
            };
            Err(CliError::Usage(format!("interrupted; {how}")))
        }
    }
}

fn cli_error(error: TournamentError) -> CliError {
    CliError::Usage(error.to_string())
}
