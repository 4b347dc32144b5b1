//! The output of a match.

use super::sprt::summary;
use crate::arena::config::MatchConfig;
use crate::arena::statistics::{Report, Sprt};
use crate::arena::tournament::{Ending, Event, FinishedGame, Progress};
use crate::cli::CliError;
use crate::cli::progress::{bar, eta};
use indicatif::{HumanDuration, ProgressBar};
use std::io::{self, Write};
use std::time::Duration;

/// Writes reports, and shows the progress of the match.
pub(super) struct Reporter<'a> {
    out: &'a mut dyn Write,
    written: io::Result<()>,
    json: bool,
    sprt: Option<Sprt>,
    /// The number of games between two reports.
    interval: Option<usize>,
    /// Time control and book, for the head of reports.
    conditions: String,
    /// The number of games at the time of the latest report.
    reported: usize,
    /// The number of games and their total playing time in seconds at the start of this run.
    before: (usize, f64),
    bar: ProgressBar,
}

const RULE: &str = "--------------------------------------------------";

impl<'a> Reporter<'a> {
    pub(super) fn new(config: &MatchConfig, json: bool, out: &'a mut dyn Write) -> Self {
        let mut conditions: Vec<String> =
            config.engines.iter().map(|engine| engine.limits().to_string()).collect();
        conditions.dedup();
        conditions.truncate(2);
        let mut conditions = conditions.join(" - ");
        if let Some(name) = config.openings.file.as_ref().and_then(|book| book.file_name()) {
            conditions = format!("{conditions}, {}", name.to_string_lossy());
        }
        Self {
            out,
            written: Ok(()),
            json,
            sprt: config.sprt,
            interval: config.rating_interval,
            conditions,
            reported: 0,
            before: (0, 0.0),
            bar: ProgressBar::hidden(),
        }
    }

    /// Time control and book.
    #[cfg(feature = "board")]
    pub(super) fn conditions(&self) -> &str {
        &self.conditions
    }

    /// Shows a progress bar on a terminal.
    pub(super) fn begin(&mut self, progress: &Progress) {
        const TEMPLATE: &str = "{wide_bar} {pos}/{len} {msg}";
        self.reported = progress.games;
        self.before = (progress.games, progress.seconds);
        self.bar = bar(progress.total_games as u64, TEMPLATE);
        self.bar.set_position(progress.games as u64);
    }

    /// Writes the last report.
    pub(super) fn end(
        mut self,
        progress: &Progress,
        ending: Ending,
        winner: Option<&str>,
    ) -> Result<(), CliError> {
        self.bar.finish_and_clear();
        self.written?;
        if self.json {
            let mut object = match progress.names[..] {
                [_, _] => summary(&progress.tally(), self.sprt.as_ref()),
                _ => serde_json::json!({ "standings": standings(progress) }),
            };
            if let Some(winner) = winner {
                object["winner"] = winner.into();
            }
            object["names"] = progress.names.clone().into();
            object["total_games"] = progress.total_games.into();
            object["played"] = progress.games.into();
            object["terminations"] = serde_json::json!(progress.terminations);
            object["faults"] = serde_json::json!(progress.faults);
            object["seconds"] = progress.seconds.into();
            writeln!(self.out, "{object}")?;
            return Ok(());
        }
        self.written = Ok(());
        self.report(progress);
        self.written?;
        let ended: Vec<_> =
            progress.terminations.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        writeln!(self.out, "Ended by: {}", ended.join(", "))?;
        for (name, faults) in progress.names.iter().zip(&progress.faults) {
            let counts: Vec<_> = faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            if !counts.is_empty() {
                writeln!(self.out, "Faults of {name}: {}", counts.join(", "))?;
            }
        }
        if let Some(winner) = winner {
            writeln!(self.out, "Winner: {winner}")?;
        }
        match ending {
            Ending::Complete => writeln!(self.out, "Match finished")?,
            Ending::Verdict(verdict) => writeln!(self.out, "SPRT finished: {verdict} was accepted")?,
            Ending::Interrupted => writeln!(self.out, "Match interrupted")?,
        }
        Ok(())
    }

    fn report(&mut self, progress: &Progress) {
        self.reported = progress.games;
        let body = match &progress.names[..] {
            [first, second] => {
                let tally = progress.tally();
                let report = Report::new(&tally, self.sprt.as_ref());
                format!("Results of {first} vs {second} ({}):\n{report}", self.conditions)
            }
            _ => format!("Results ({}):\n{}", self.conditions, progress.crosstable()),
        };
        self.write(&format!("{RULE}\n{body}{RULE}\n"));
    }

    /// Writes a text above the bar.
    fn write(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written =
                self.bar.suspend(|| self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()));
        }
    }
}

/// The results of all engines as JSON, the best first.
fn standings(progress: &Progress) -> Vec<serde_json::Value> {
    let table = progress.crosstable();
    let ranking = table.ranking();
    let standing = |&player: &usize| {
        let against = ranking.iter().filter(|&&opponent| opponent != player).map(|&opponent| {
            let results = table.tally(player, opponent).results;
            let counts = serde_json::json!({
                "games": results.games(),
                "wins": results.wins,
                "draws": results.draws,
                "losses": results.losses,
            });
            (progress.names[opponent].clone(), counts)
        });
        let against: serde_json::Map<_, _> = against.collect();
        let mut object = summary(&table.total(player), None);
        object["name"] = progress.names[player].clone().into();
        object["against"] = against.into();
        object
    };
    ranking.iter().map(standing).collect()
}

impl Reporter<'_> {
    /// Reports an event.
    pub(super) fn on_event(&mut self, event: Event<'_>) {
        match event {
            Event::Remark(text) => self.remark(text),
            Event::Game(report) => self.game(&report),
            Event::Pairing(progress) => self.pairing(progress),
        }
    }

    pub(super) fn remark(&mut self, text: &str) {
        let _ = self.bar.suspend(|| writeln!(io::stderr(), "note: {text}"));
    }

    fn game(&mut self, report: &FinishedGame<'_>) {
        let FinishedGame { round, names: [white, black], termination, .. } = report;
        if termination.is_fault() && !self.json {
            self.write(&format!("Game {round} ({white} vs {black}): {termination}\n"));
        }
    }

    fn pairing(&mut self, progress: &Progress) {
        let (games_before, seconds_before) = self.before;
        let played = progress.games.saturating_sub(games_before) as u64;
        let left = progress.total_games.saturating_sub(progress.games) as u64;
        let elapsed = Duration::try_from_secs_f64(progress.seconds - seconds_before).unwrap_or_default();
        let eta = eta(played, left, elapsed);
        self.bar.set_length(progress.total_games as u64);
        self.bar.set_position(progress.games as u64);
        let eta = eta.map_or_else(|| "?".to_owned(), |eta| HumanDuration(eta).to_string());
        let results = match progress.names[..] {
            [_, _] => {
                let results = progress.tally().results;
                format!("+{} ={} -{}, ", results.wins, results.draws, results.losses)
            }
            _ => String::new(),
        };
        self.bar.set_message(format!("{results}{eta} to go"));
        let is_last = progress.games == progress.total_games;
        let is_due = |interval| progress.games / interval > self.reported / interval;
        if !self.json && !is_last && self.interval.is_some_and(is_due) {
            self.report(progress);
        }
    }
}
