//! A line for each position as it comes.

use super::Suite;
use super::report::CaseResult;
use crate::cli::progress::styled;
use crate::notation::San;
use crate::suite::epd::{Case, Listener, Trial, annotated};
use crate::uci::InfoValue;
use indicatif::ProgressBar;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Shows and keeps what has become of each position.
pub(super) struct Reporter<'a> {
    pub suite: &'a Suite,
    pub bar: &'a ProgressBar,
    /// Where the lines go.
    pub out: &'a mut dyn Write,
    /// Are lines wanted?
    pub is_shown: bool,
    /// The records with what was found, if they are wanted.
    pub records: Option<&'a mut Vec<u8>>,
    pub results: Vec<CaseResult>,
    /// Does somebody want to end it?
    pub is_interrupted: &'a AtomicBool,
    /// Whether everything could be written.
    pub written: io::Result<()>,
}

/// How often the bar moves by itself.
const TICK: Duration = Duration::from_millis(500);

/// A bar on a terminal's standard error, which counts positions; none if that is not a terminal.
pub(super) fn progress_bar(suites: &[Suite]) -> ProgressBar {
    const TEMPLATE: &str = "{wide_bar} {pos}/{len}, {msg} {elapsed} ETA {eta}";
    let cases = suites.iter().flat_map(|suite| &suite.cases).filter(|case| case.goal.is_some());
    let bar = ProgressBar::new(cases.count() as u64);
    if bar.is_hidden() {
        return bar;
    }
    bar.enable_steady_tick(TICK);
    styled(bar, TEMPLATE)
}

impl Listener for Reporter<'_> {
    fn tried(&mut self, trial: &Trial<'_>) -> ControlFlow<()> {
        self.results.push(CaseResult::new(&self.suite.name, trial));
        self.bar.inc(1);
        let solved = self.results.iter().filter(|result| result.is_solved()).count();
        self.bar.set_message(format!("{solved} solved,"));
        let number = self.results.len();
        let total = self.bar.length().unwrap_or_default();
        let line = Line { number, total, trial }.to_string();
        self.note(|this| {
            if this.is_shown {
                this.bar.suspend(|| writeln!(this.out, "{line}"))?;
            }
            match &mut this.records {
                Some(records) => writeln!(records, "{}", annotated(trial)),
                None => Ok(()),
            }
        })
    }

    fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::Relaxed)
    }

    fn left_out(&mut self, case: &Case) -> ControlFlow<()> {
        self.note(|this| match &mut this.records {
            Some(records) => writeln!(records, "{}", case.epd),
            None => Ok(()),
        })
    }
}

impl Reporter<'_> {
    /// Writes, and ends the run if that is not possible.
    fn note(&mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> ControlFlow<()> {
        self.written = write(self);
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// What has become of a position, on one line.
struct Line<'a> {
    number: usize,
    total: u64,
    trial: &'a Trial<'a>,
}

/// The longest name that is shown whole, in characters.
const NAME: usize = 28;

impl std::fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { number, total, trial } = self;
        let answer = &trial.answer;
        let position = trial.case.epd.position();
        let played = match (answer.best, &answer.illegal) {
            (Some(mv), _) => San::new(position, mv).to_string(),
            (None, Some(illegal)) => format!("{illegal} is not legal"),
            (None, None) => "no move".to_owned(),
        };
        let width = total.to_string().len();
        let name: String =
            trial.case.name().chars().filter(|letter| !letter.is_control()).take(NAME).collect();
        let sign = if trial.solution.is_some() { '+' } else { '-' };
        write!(f, "{number:width$}/{total} {sign} {name:NAME$} {played:7}")?;
        write!(f, " {:>9}", answer.score.map(score_text).unwrap_or_default())?;
        if let (Some(points), Some(list)) = (trial.points, &trial.case.points) {
            write!(f, " {points:2}/{} points", list.max())?;
        }
        match trial.solution {
            Some(moment) => write!(
                f,
                "  {:8.3} s  {:>11} nodes  depth {:2}",
                moment.elapsed.as_secs_f64(),
                moment.nodes,
                moment.depth
            ),
            None => match &trial.case.goal {
                Some(goal) => write!(f, "  expected {goal}"),
                None => Ok(()),
            },
        }
    }
}

/// A score as people read it: `+1.25`, `mate 3`.
fn score_text(score: InfoValue) -> String {
    /// Centipawns in a pawn.
    const CENTIPAWNS: f64 = 100.0;
    match score {
        InfoValue::Centipawns(value) => format!("{:+.2}", f64::from(value) / CENTIPAWNS),
        InfoValue::Mate(moves) => format!("mate {moves}"),
    }
}
