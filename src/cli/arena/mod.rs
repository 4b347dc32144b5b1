//! `hematite match`: matches between engines.

mod check;
mod flags;
mod reporter;
mod sprt;

use super::signals::launcher;
use super::streams::IgnoreBrokenPipe;
use super::streams::Input;
use super::{CliError, ExitStatus};
use crate::arena::config::MatchConfig;
use crate::arena::statistics::Hypothesis;
use crate::arena::tournament::{Ending, Event, Tournament, TournamentError};
#[cfg(feature = "board")]
use crate::board::{LiveMatch, LiveServer};
use crate::cli::signals;
use crate::cli::values::JsonAtEndArg;
use flags::Flags;
pub(super) use flags::with_two_dashes;
use reporter::Reporter;
use std::io::Write;
#[cfg(feature = "board")]
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
#[cfg(feature = "board")]
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  hematite match --engine cmd=./new --engine cmd=./old --each tc=8+0.08 option.Hash=16 \\
      --openings file=UHO_4060_v2.epd.zip order=random --rounds 5000 --repeat --concurrency 2 \\
      --sprt elo0=0 elo1=5 --pgn games.pgn
  hematite match --config match.toml --rounds 10 --print-config
  hematite match --resume games.pgn.state --live
  hematite match sprt --ptnml 91 1282 2328 1419 104 --elo0 0 --elo1 10
  hematite match check ./engine

Keys of --engine and --each (of --each, all but name and cmd):
  cmd=PROGRAM dir=PATH args='A B' arg=A name=NAME option.NAME=VALUE restart ponder stderr=FILE
  tc=MOVES/SECONDS+INCREMENT st=SECONDS nodes=N depth=N timemargin=MILLISECONDS
  book=FILE bookdepth=MOVES whitepov
Keys of the other groups:
  --openings file=PATH format=epd|pgn order=sequential|random start=N plies=N policy=default|encounter|round
  --sprt elo0=X elo1=Y alpha=0.05 beta=0.05 model=normalized|logistic|bayesian
  --draw movenumber=N movecount=N score=CENTIPAWNS
  --resign movecount=N score=CENTIPAWNS twosided
  --pgn FILE nodes seldepth nps hashfull tbhits timeleft latency pv whitepov min
  --timeouts start=S ping=S stop=S quit=S think=S
Numbers may end in k or M, and times in ms, s, m or h: nodes=20k st=500ms think=2m30s.

Flags may have one dash, as in other match runners: -engine, -each, -rounds. All flags of cutechess-cli and
fastchess are understood, or refused with the reason.
A TOML file has the same names (but `report` for --rating-interval): `rounds = 10`, `[openings]`,
`[each]`, `[[engine]]`.
Exit code 1 if a test accepts H0.";

/// Play engines against each other over UCI, and report which is stronger.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    flags: Flags,

    /// Print the whole configuration as TOML without playing.
    #[arg(long)]
    print_config: bool,

    #[command(flatten)]
    json: JsonAtEndArg,

    /// Show the games as they are played on a page, which only this machine reaches unless an address says otherwise.
    #[cfg(feature = "board")]
    #[arg(long, value_name = "ADDRESS[:PORT]", num_args = 0..=1, default_missing_value = "127.0.0.1",
        value_parser = live_address)]
    live: Option<(IpAddr, Option<u16>)>,
}

#[derive(clap::Subcommand, Debug)]
#[command(defer = true)]
enum Command {
    Sprt(sprt::Arguments),
    Check(check::Arguments),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports the outcome.
        let out = &mut IgnoreBrokenPipe::new(out);
        match self.command {
            Some(Command::Sprt(arguments)) => return arguments.run(out),
            Some(Command::Check(arguments)) => return arguments.run(out),
            None => {}
        }
        if let Some(path) = self.flags.resume() {
            if !self.flags.is_empty() {
                let problem = "--resume: the match is as it was saved, expected no other settings";
                return Err(CliError::usage(problem));
            }
            if self.print_config {
                write!(out, "{}", Tournament::saved_config(path).map_err(cli_error)?.write())?;
                return Ok(ExitStatus::Yes);
            }
            return self.resume(path, out);
        }
        let config = self.config()?;
        if self.print_config {
            write!(out, "{}", config.write())?;
            return Ok(ExitStatus::Yes);
        }
        self.begin(config, out)
    }

    fn begin(&self, config: MatchConfig, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let mut reporter = Reporter::new(&config, self.json.is_given(), out);
        let tournament = Tournament::begin(config, launcher(), &mut |event| reporter.on_event(event))
            .map_err(cli_error)?;
        self.play(tournament, reporter)
    }

    fn resume(&self, path: &Path, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let tournament = Tournament::resume(path, launcher()).map_err(cli_error)?;
        let mut reporter = Reporter::new(tournament.config(), self.json.is_given(), out);
        tournament.remarks().iter().for_each(|remark| reporter.remark(remark));
        self.play(tournament, reporter)
    }

    #[cfg(feature = "board")]
    fn play(&self, mut tournament: Tournament, mut reporter: Reporter<'_>) -> Result<ExitStatus, CliError> {
        let Some((address, port)) = self.live else { return run(tournament, reporter, &mut |_| ()) };
        let live = LiveMatch::new(reporter.conditions().to_owned(), tournament.config().sprt);
        live.begin(tournament.progress());
        let shown = live.clone();
        tournament.set_watch(Arc::new(move |game| shown.see(game)));
        let server = LiveServer::start(address, port, live.clone());
        let server = server.map_err(|error| CliError::Failed(error.to_string()))?;
        reporter.remark(&format!("the match is shown at {}", server.page()));
        let done = run(tournament, reporter, &mut |event| live.on_event(event));
        live.end(match &done {
            Ok(_) => "The match is over.".to_owned(),
            Err(error) => format!("The match has ended: {error}"),
        });
        server.stop();
        done
    }

    #[cfg(not(feature = "board"))]
    fn play(&self, tournament: Tournament, reporter: Reporter<'_>) -> Result<ExitStatus, CliError> {
        run(tournament, reporter, &mut |_| ())
    }

    fn config(&self) -> Result<MatchConfig, CliError> {
        let base = match self.flags.config() {
            None => toml::Table::new(),
            Some(path) => {
                let (name, text) = Input::open(path)?.read_text()?;
                let error = |problem: String| CliError::Input { name, problem };
                let table = match text.parse::<toml::Table>() {
                    Ok(table) => table,
                    Err(problem) => return Err(error(problem.to_string())),
                };
                if self.flags.is_empty() {
                    let config = MatchConfig::read(self.flags.over(table));
                    return config.map_err(|problem| error(problem.to_string()));
                }
                table
            }
        };
        MatchConfig::read(self.flags.over(base)).map_err(|error| CliError::Usage(error.to_string()))
    }
}

/// Reads `127.0.0.1`, `0.0.0.0:8090`, `[::]:8090`.
#[cfg(feature = "board")]
fn live_address(text: &str) -> Result<(IpAddr, Option<u16>), String> {
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| (address.ip(), Some(address.port())));
    let address = text.parse::<IpAddr>().ok().map(|address| (address, None)).or_else(with_port);
    address.ok_or_else(|| "expected an address such as 127.0.0.1 or 0.0.0.0:8090".to_owned())
}

fn run(
    mut tournament: Tournament,
    mut reporter: Reporter<'_>,
    see: &mut dyn FnMut(&Event<'_>),
) -> Result<ExitStatus, CliError> {
    // The first Ctrl-C ends the match cleanly, the second at once.
    let is_interrupted = signals::interrupted_flag()?;
    reporter.begin(tournament.progress());
    let mut on_event = |event: Event<'_>| {
        see(&event);
        reporter.on_event(event);
    };
    let ending = tournament.run(is_interrupted, &mut on_event).map_err(cli_error)?;
    reporter.end(tournament.progress(), ending, tournament.winner())?;
    match ending {
        Ending::Verdict(Hypothesis::H0) => Ok(ExitStatus::No),
        Ending::Complete | Ending::Verdict(Hypothesis::H1) => Ok(ExitStatus::Yes),
        Ending::Interrupted => {
            let how = match &tournament.config().state {
                Some(path) => format!("--resume {} continues", path.display()),
                None => "nothing was saved".to_owned(),
            };
            Err(CliError::Interrupted(format!("interrupted; {how}")))
        }
    }
}

fn cli_error(error: TournamentError) -> CliError {
    CliError::Failed(error.to_string())
}
