//! The progress of commands: bars on a terminal, lines elsewhere.

use crate::database::Source;
use crate::notation::pluralize;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The interval between two lines of progress when there is no bar.
pub(super) const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// The bar with this template (<https://docs.rs/indicatif>). It is visible on a terminal only.
pub(super) fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    // The templates are constants and valid.
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A bar of this length with this template.
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    styled(ProgressBar::new(length), template)
}

/// The estimated time for the rest of the work, at the rate so far; `None` before there is a rate.
pub(super) fn eta(done: u64, left: u64, elapsed: Duration) -> Option<Duration> {
    Duration::try_from_secs_f64(left as f64 / done as f64 * elapsed.as_secs_f64()).ok()
}

/// Whether the content of these sources can be counted before it is read: all are files or collections, no pipes.
pub(super) fn are_countable(sources: &[Source]) -> bool {
    let is_kept = |source: &Source| source.path().is_some_and(|path| path.is_file() || path.is_dir());
    sources.iter().all(is_kept)
}

/// Lines of progress on standard error, at intervals, if it is not a terminal: for the logs of long jobs.
pub(super) struct ProgressLines {
    start: Instant,
    /// The time of the latest line since the start, in seconds; `None` if no lines are written.
    written: Option<AtomicU64>,
}

impl ProgressLines {
    /// Starts the clock. Lines are written if standard error is not a terminal, unless the user wants none.
    pub(super) fn new(is_quiet: bool) -> Self {
        let are_wanted = !is_quiet && !io::stderr().is_terminal();
        Self { start: Instant::now(), written: are_wanted.then(AtomicU64::default) }
    }

    /// Whether lines may be written.
    pub(super) const fn are_wanted(&self) -> bool {
        self.written.is_some()
    }

    /// Writes a line with the text of `state` for the time since the start, unless the interval has not passed yet.
    pub(super) fn update(&self, state: impl FnOnce(Duration) -> String) {
        let elapsed = self.start.elapsed();
        if self.is_due(elapsed) {
            // A failure to write does not matter.
            let _ = writeln!(io::stderr(), "{}", state(elapsed));
        }
    }

    /// Whether a line is due at this time since the start. If so, the next one is due an interval later.
    fn is_due(&self, elapsed: Duration) -> bool {
        let Some(written) = &self.written else { return false };
        let (before, now) = (written.load(Ordering::Relaxed), elapsed.as_secs());
        // Only one of several threads succeeds.
        now >= before + LINE_INTERVAL.as_secs()
            && written.compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// The state of countable work, such as "40 of 100 games, 3 minutes to go".
pub(super) fn state(bar: &ProgressBar, unit: &str, elapsed: Duration) -> String {
    let done = bar.position();
    let Some(total) = bar.length() else { return pluralize(done, unit) };
    let mut text = format!("{done} of {}", pluralize(total, unit));
    if let Some(left) = eta(done, total.saturating_sub(done), elapsed) {
        text += &format!(", {} to go", HumanDuration(left));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_as_the_rate_says() {
        let seconds = Duration::from_secs;
        assert_eq!(eta(2, 6, seconds(10)), Some(seconds(30)));
        assert_eq!(eta(2, 0, seconds(10)), Some(seconds(0)));
        assert_eq!(eta(0, 6, seconds(10)), None);
        assert_eq!(eta(0, 0, seconds(10)), None);
    }

    #[test]
    fn lines_are_due_at_intervals() {
        let lines = ProgressLines { start: Instant::now(), written: Some(AtomicU64::default()) };
        let seconds = LINE_INTERVAL.as_secs();
        let due = [0, seconds - 1, seconds, seconds + 1, 2 * seconds - 1, 2 * seconds, 9 * seconds]
            .map(|now| lines.is_due(Duration::from_secs(now)));
        assert_eq!(due, [false, false, true, false, false, true, true]);
        let none = ProgressLines { start: Instant::now(), written: None };
        assert!(!none.are_wanted() && !none.is_due(LINE_INTERVAL));
    }

    #[test]
    fn states_have_a_total_where_it_is_known() {
        let minute = Duration::from_secs(60);
        let bar = ProgressBar::hidden();
        bar.set_position(1);
        assert_eq!(state(&bar, "game", minute), "1 game");
        bar.set_length(4);
        assert_eq!(state(&bar, "game", minute), "1 of 4 games, 3 minutes to go");
        bar.set_position(0);
        assert_eq!(state(&bar, "game", minute), "0 of 4 games");
    }

    #[test]
    fn pipes_are_not_countable() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, "1. e4 *\n").expect("there is room");
        let mut sources = crate::database::find_sources(&[path], "pgn", &mut |_, _| ());
        assert!(sources.len() == 1 && are_countable(&sources));
        sources.push(Source::Stdin);
        assert!(!are_countable(&sources));
    }
}
