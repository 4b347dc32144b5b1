//! Progress and results of a tuning run.

use crate::cli::CliError;
use crate::cli::progress::{LINE_INTERVAL, bar, eta};
use crate::cli::streams::Lasting;
use crate::notation::pluralize;
use crate::tuner::{Ending, Event, Progress, State, Tally, Tuned};
use indicatif::{HumanDuration, ProgressBar};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Shows a bar on a terminal, and writes lines elsewhere.
pub(super) struct Reporter<'a> {
    out: Lasting<'a>,
    json: bool,
    bar: ProgressBar,
    /// The time of the latest line, since the start.
    reported: Duration,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(out: &'a mut dyn Write, json: bool) -> Self {
        Self { out: Lasting::new(out), json, bar: ProgressBar::hidden(), reported: Duration::ZERO }
    }

    /// Prints the work to be done, and shows the bar.
    pub(super) fn start(&mut self, state: &State, file: &Path) -> Result<(), CliError> {
        if !self.json {
            let verb = if state.iteration == 0 { "starts" } else { "resumes" };
            writeln!(
                self.out,
                "{}: {verb} with iteration {} of {}, {}, {} an iteration, {}",
                file.display(),
                (state.iteration + 1).min(state.settings.iterations),
                state.settings.iterations,
                pluralize(state.parameters.len() as u64, "parameter"),
                pluralize(state.settings.pairs, "pair"),
                state.settings.time_control,
            )?;
            self.out.flush()?;
        }
        self.bar = bar(state.settings.iterations.saturating_mul(state.settings.pairs), "{wide_bar} {msg}");
        Ok(())
    }

    /// Writes the results.
    pub(super) fn end(mut self, state: &State, progress: &Progress, ending: Ending) -> Result<(), CliError> {
        self.bar.finish_and_clear();
        if self.json {
            writeln!(self.out, "{}", json(state, progress, ending))?;
            return self.out.finish();
        }
        let Tally { wins, draws, losses } = state.tally;
        let seconds = progress.elapsed.as_secs_f64();
        writeln!(
            self.out,
            "{}, {} (+{wins} ={draws} -{losses}); {} in {seconds:.1} s, {:.0} nodes/s",
            pluralize(state.iteration, "iteration"),
            pluralize(state.tally.games(), "game"),
            pluralize(2 * progress.pairs, "game"),
            progress.nodes as f64 / seconds.max(f64::MIN_POSITIVE),
        )?;
        let width = state.parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or_default();
        writeln!(self.out, "{:width$} {:>9} {:>9} {:>9}", "name", "default", "now", "change")?;
        for parameter in &state.parameters {
            let Tuned { name, default, value, .. } = parameter;
            writeln!(self.out, "{name:width$} {default:>9} {value:>9.2} {:>+9.2}", parameter.change())?;
        }
        self.out.finish()
    }

    /// Shows an event.
    pub(super) fn report(&mut self, event: Event<'_>) {
        let Event::Progress { state, tally, progress } = event;
        let pairs = state.pairs() + tally.games() / 2;
        let text = text(state, tally, progress);
        self.bar.set_position(pairs);
        if !self.bar.is_hidden() {
            self.bar.set_message(text);
        } else if !self.json && progress.elapsed >= self.reported + LINE_INTERVAL {
            self.reported = progress.elapsed;
            self.out.line(&text);
        }
    }
}

/// Iterations, games, speed, and the time that is left.
fn text(state: &State, tally: &Tally, progress: &Progress) -> String {
    let mut total = state.tally;
    total += *tally;
    let seconds = progress.elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
    let mut text = format!(
        "iteration {}/{}, {}, +{} ={} -{}, {:.0} nodes/s",
        state.iteration + 1,
        state.settings.iterations,
        pluralize(total.games(), "game"),
        total.wins,
        total.draws,
        total.losses,
        progress.nodes as f64 / seconds,
    );
    if let Some(left) = time_left(state, tally, progress) {
        text += &format!(", {} to go", HumanDuration(left));
    }
    text
}

/// The time that the rest takes, if it is known.
fn time_left(state: &State, tally: &Tally, progress: &Progress) -> Option<Duration> {
    let all = state.settings.iterations.saturating_mul(state.settings.pairs);
    let left = all.saturating_sub(state.pairs() + tally.games() / 2);
    eta(progress.pairs, left, progress.elapsed)
}

fn json(state: &State, progress: &Progress, ending: Ending) -> serde_json::Value {
    let parameters: Vec<_> = state
        .parameters
        .iter()
        .map(|parameter| {
            serde_json::json!({
                "name": parameter.name,
                "default": parameter.default,
                "value": parameter.value,
                "rounded": parameter.rounded(),
                "change": parameter.change(),
            })
        })
        .collect();
    serde_json::json!({
        "ending": match ending {
            Ending::Done => "done",
            Ending::Interrupted => "interrupted",
        },
        "iterations": state.iteration,
        "games": state.tally.games(),
        "wins": state.tally.wins,
        "draws": state.tally.draws,
        "losses": state.tally.losses,
        "played_games": 2 * progress.pairs,
        "nodes": progress.nodes,
        "seconds": progress.elapsed.as_secs_f64(),
        "parameters": parameters,
    })
}
