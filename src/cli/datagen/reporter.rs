//! Progress and results of a run.

use crate::cli::CliError;
use crate::cli::progress::{LINE_INTERVAL, eta, styled};
use crate::cli::streams::Lasting;
use crate::notation::pluralize;
use crate::train::data::{GameResult, Termination};
use crate::train::datagen::{Ending, Entry, Event, Folder, Origin, Progress, Targets};
use indicatif::{HumanDuration, ProgressBar};
use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

/// Shows a progress bar on a terminal, and writes lines elsewhere.
pub(super) struct Reporter<'a> {
    out: Lasting<'a>,
    targets: Targets,
    json: bool,
    bar: ProgressBar,
    /// The time of the latest line, since the start of the run.
    reported: Duration,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(out: &'a mut dyn Write, targets: Targets, json: bool) -> Self {
        let (out, reported) = (Lasting::new(out), Duration::ZERO);
        Self { out, targets, json, bar: ProgressBar::hidden(), reported }
    }

    /// Prints the number of existing games, and shows the bar.
    pub(super) fn start(&mut self, folder: &Folder, origin: &Origin) -> Result<(), CliError> {
        let other = |entry: &&Entry| entry.origin.engine != origin.engine;
        let others = folder.entries().iter().filter(other).count();
        if others > 0 {
            let path = folder.path().display();
            note(format_args!(
                "{path}: {} of another version of the engine",
                pluralize(others as u64, "chunk")
            ));
        }
        if let [first, rest @ ..] = folder.missing() {
            let others = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            let path = folder.path().display();
            note(format_args!("{path}: {first}{others} missing; those games are played again"));
        }
        if !self.json && !folder.entries().is_empty() {
            let games: u64 = folder.entries().iter().map(|entry| entry.games).sum();
            writeln!(
                self.out,
                "{}: resumes after {} in {}",
                folder.path().display(),
                pluralize(games, "game"),
                chunks(folder)
            )?;
            self.out.flush()?;
        }
        let bar = match (self.targets.games, self.targets.positions) {
            (Some(games), _) => ProgressBar::new(games),
            (None, Some(positions)) => ProgressBar::new(positions),
            (None, None) => ProgressBar::new_spinner(),
        };
        let template =
            if bar.length().is_some() { "{wide_bar} {pos}/{len} {msg}" } else { "{spinner} {msg}" };
        self.bar = styled(bar, template);
        Ok(())
    }

    /// Writes the summary.
    pub(super) fn end(
        mut self,
        folder: &Folder,
        progress: &Progress,
        ending: Ending,
    ) -> Result<(), CliError> {
        self.bar.finish_and_clear();
        if self.json {
            let object = json(folder, progress, ending);
            writeln!(self.out, "{object}")?;
            return self.out.finish();
        }
        let Progress { played, .. } = progress;
        writeln!(
            self.out,
            "{}, {} in {:.1} s: {:.0} positions/s, {:.0} nodes/search, {:.0} nodes/s",
            pluralize(played.games, "game"),
            pluralize(played.positions, "position"),
            progress.elapsed.as_secs_f64(),
            progress.positions_per_second(),
            progress.nodes_per_search(),
            progress.nodes as f64 / progress.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)
        )?;
        writeln!(
            self.out,
            "White won {}, Black {}, drawn {}; {} dropped",
            played.with_result(GameResult::WhiteWins),
            played.with_result(GameResult::BlackWins),
            played.with_result(GameResult::Draw),
            pluralize(progress.dropped, "opening")
        )?;
        let ended: Vec<String> = Termination::ALL
            .into_iter()
            .zip(progress.terminations)
            .filter(|&(_, games)| games > 0)
            .map(|(termination, games)| format!("{termination} {games}"))
            .collect();
        if !ended.is_empty() {
            writeln!(self.out, "Ended by: {}", ended.join(", "))?;
        }
        let total = progress.total();
        writeln!(
            self.out,
            "{}: {}, {} in {}",
            folder.path().display(),
            pluralize(total.games, "game"),
            pluralize(total.positions, "position"),
            chunks(folder)
        )?;
        self.out.finish()
    }

    /// Games, positions, speed, and the remaining time.
    fn state(&self, progress: &Progress) -> String {
        let total = progress.total();
        let mut text = format!(
            "{}, {}, {:.0} positions/s, {:.0} nodes/search",
            pluralize(total.games, "game"),
            pluralize(total.positions, "position"),
            progress.positions_per_second(),
            progress.nodes_per_search()
        );
        if let Some(left) = time_left(&self.targets, progress) {
            text += &format!(", {} to go", HumanDuration(left));
        }
        text
    }

    /// Reports an event.
    pub(super) fn report(&mut self, event: Event<'_>) {
        match event {
            Event::Progress(progress) => self.progress(progress),
            Event::Chunk(entry) => self.chunk(entry),
        }
    }

    fn progress(&mut self, progress: &Progress) {
        let state = self.state(progress);
        let total = progress.total();
        self.bar.set_position(if self.targets.games.is_some() { total.games } else { total.positions });
        if self.bar.is_hidden() {
            if !self.json && progress.elapsed >= self.reported + LINE_INTERVAL {
                self.reported = progress.elapsed;
                self.out.line(&state);
            }
        } else {
            self.bar.set_message(state);
        }
    }

    fn chunk(&mut self, entry: &Entry) {
        if self.bar.is_hidden() && !self.json {
            self.out.line(&format!(
                "{}: {}, {}",
                entry.file,
                pluralize(entry.games, "game"),
                pluralize(entry.positions, "position")
            ));
        }
    }
}

/// Writes a note to standard error. A failure to write does not matter.
fn note(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "note: {text}");
}

/// The number of chunks of a folder, as text.
fn chunks(folder: &Folder) -> String {
    pluralize(folder.entries().len() as u64, "chunk")
}

/// The time until the first target is reached; `None` if there is no target or the time is not known.
fn time_left(targets: &Targets, progress: &Progress) -> Option<Duration> {
    let at_this_rate =
        |wanted: u64, total: u64, played: u64| eta(played, wanted.saturating_sub(total), progress.elapsed);
    let total = progress.total();
    let games = targets.games.and_then(|wanted| at_this_rate(wanted, total.games, progress.played.games));
    let positions =
        targets.positions.and_then(|wanted| at_this_rate(wanted, total.positions, progress.played.positions));
    let time = targets.time.map(|time| time.saturating_sub(progress.elapsed));
    [games, positions, time].into_iter().flatten().min()
}

fn json(folder: &Folder, progress: &Progress, ending: Ending) -> serde_json::Value {
    let Progress { played, .. } = progress;
    let total = progress.total();
    let terminations: serde_json::Map<_, _> = Termination::ALL
        .into_iter()
        .zip(progress.terminations)
        .map(|(termination, games)| (termination.name().to_owned(), games.into()))
        .collect();
    serde_json::json!({
        "ending": match ending {
            Ending::Games => "games",
            Ending::Positions => "positions",
            Ending::Time => "time",
            Ending::Interrupted => "interrupted",
        },
        "games": played.games,
        "positions": played.positions,
        "white_wins": played.with_result(GameResult::WhiteWins),
        "draws": played.with_result(GameResult::Draw),
        "black_wins": played.with_result(GameResult::BlackWins),
        "terminations": terminations,
        "dropped_openings": progress.dropped,
        "nodes": progress.nodes,
        "nodes_per_search": progress.nodes_per_search(),
        "seconds": progress.elapsed.as_secs_f64(),
        "positions_per_second": progress.positions_per_second(),
        "total_games": total.games,
        "total_positions": total.positions,
        "chunks": folder.entries().len(),
    })
}
