//! The output of a run: a line for each position, and a table or a JSON object at the end.

use crate::cli::pgn::table::{Cell, Column, Kind, Table, column};
use crate::cli::progress::bar;
use crate::notation::San;
use crate::notation::pluralize;
use crate::suite::epd::{Case, CaseResult, Event, Means, Summary, Tally, TimeStep, annotated};
use crate::uci::InfoValue;
use indicatif::ProgressBar;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A file of positions that has been read.
pub(super) struct Suite {
    pub name: String,
    pub cases: Vec<Case>,
    /// The lines without a position, each with the index of the case after it.
    pub unread: Vec<(usize, String)>,
}

/// Shows and keeps the result of each position.
pub(super) struct Reporter<'a, 'o> {
    pub suite: &'a Suite,
    pub bar: &'o ProgressBar,
    /// The destination of the lines.
    pub out: &'o mut dyn Write,
    /// Whether the lines are written.
    pub is_shown: bool,
    /// The EPD records with the results, if they are requested.
    pub records: Option<&'o mut String>,
    pub results: Vec<PositionResult<'a>>,
    /// The number of cases of the suite that are done or skipped.
    pub done: usize,
    /// Whether the user has interrupted the run.
    pub is_interrupted: &'o AtomicBool,
    /// The result of the writes so far.
    pub written: io::Result<()>,
}

/// The interval at which the progress bar is redrawn.
const TICK: Duration = Duration::from_millis(500);

/// A progress bar that counts positions on standard error; hidden without a terminal.
pub(super) fn progress_bar(suites: &[Suite]) -> ProgressBar {
    const TEMPLATE: &str = "{wide_bar} {pos}/{len}, {msg} {elapsed} ETA {eta}";
    let cases = suites.iter().flat_map(|suite| &suite.cases).filter(|case| case.goal.is_ok());
    let bar = bar(cases.count() as u64, TEMPLATE);
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
    }
    bar
}

impl<'a> Reporter<'a, '_> {
    /// Shows and keeps an event; returns a break if the run must end.
    pub(super) fn on_event(&mut self, event: Event<'a>) -> ControlFlow<()> {
        match event {
            Event::Tried(result) => {
                self.keep_unread();
                self.tried(result)
            }
            Event::LeftOut(case) => {
                self.keep_unread();
                self.done += 1;
                self.keep(case);
                ControlFlow::Continue(())
            }
            Event::Searching if self.is_interrupted.load(Ordering::Relaxed) => ControlFlow::Break(()),
            Event::Searching => ControlFlow::Continue(()),
        }
    }

    /// Keeps the record of a case unchanged.
    fn keep(&mut self, case: &Case) {
        if let Some(records) = &mut self.records {
            records.push_str(&format!("{}\n", case.text));
        }
    }

    /// Keeps the lines without a position before the next case.
    fn keep_unread(&mut self) {
        let Some(records) = &mut self.records else { return };
        let unread = &self.suite.unread;
        let start = unread.partition_point(|(next, _)| *next < self.done);
        for (_, text) in unread[start..].iter().take_while(|(next, _)| *next == self.done) {
            records.push_str(&format!("{text}\n"));
        }
    }

    /// Keeps the records of the cases that were not tried.
    pub(super) fn keep_rest(&mut self) {
        for case in &self.suite.cases[self.done..] {
            self.keep_unread();
            self.keep(case);
            self.done += 1;
        }
        self.keep_unread();
    }

    fn tried(&mut self, result: CaseResult<'a>) -> ControlFlow<()> {
        self.done += 1;
        if let Some(fault) = &result.answer.fault {
            let (file, line) = (&self.suite.name, result.case.line);
            let text =
                shown(&format!("warning: {file}: line {line}: not solved, since the engine failed: {fault}"));
            // A failure to write the warning does not matter.
            let _ = self.bar.suspend(|| writeln!(io::stderr(), "{text}"));
        }
        if let Some(records) = &mut self.records {
            records.push_str(&format!("{}\n", annotated(&result)));
        }
        self.results.push(PositionResult { file: &self.suite.name, result: result.clone() });
        self.bar.inc(1);
        let solved = self.results.iter().filter(|position| position.result.solution.is_some()).count();
        self.bar.set_message(format!("{solved} solved,"));
        let number = self.results.len();
        let total = self.bar.length().unwrap_or_default();
        let line = Line { number, total, result: &result }.to_string();
        if self.is_shown {
            self.written = self.bar.suspend(|| writeln!(self.out, "{line}"));
        }
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// The result of a position, on one line.
struct Line<'a> {
    number: usize,
    total: u64,
    result: &'a CaseResult<'a>,
}

/// The maximum length of a name that is shown in full, in characters.
const LONGEST_NAME: usize = 28;

impl std::fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { number, total, result } = self;
        let answer = &result.answer;
        let position = result.case.epd.position();
        let played = match (answer.best, &answer.fault) {
            (Some(mv), _) => San::new(position, mv).to_string(),
            (None, Some(fault)) => shown(&fault.to_string()),
            (None, None) => "no move".to_owned(),
        };
        let width = total.to_string().len();
        let name: String =
            result.case.name().chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect();
        let sign = if result.solution.is_some() { '+' } else { '-' };
        write!(f, "{number:width$}/{total} {sign} {name:LONGEST_NAME$} {played:7}")?;
        write!(f, " {:>9}", answer.score.map(score_text).unwrap_or_default())?;
        if let (Some(points), Some(list)) = (result.points, &result.case.points) {
            write!(f, " {points:2}/{} points", list.max())?;
        }
        match result.solution {
            Some(moment) => write!(
                f,
                "  {:8.3} s  {:>11} nodes  depth {:2}",
                moment.elapsed.as_secs_f64(),
                moment.nodes,
                moment.depth
            ),
            None => match &result.case.goal {
                Ok(goal) => write!(f, "  expected {goal}"),
                Err(_) => Ok(()),
            },
        }
    }
}

/// A score as text: `+1.25`, `mate 3`.
fn score_text(score: InfoValue) -> String {
    /// The number of centipawns in a pawn.
    const CENTIPAWNS: f64 = 100.0;
    match score {
        InfoValue::Centipawns(value) => format!("{:+.2}", f64::from(value) / CENTIPAWNS),
        InfoValue::Mate(moves) => format!("mate {moves}"),
    }
}

/// The name without control characters, which would break the table.
fn shown(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).collect()
}

/// The maximum number of steps of the grid in a table.
const STEPS_IN_A_TABLE: usize = 9;

/// The tables at the end: the results by file and theme, and the numbers of positions solved by time.
pub(super) fn tables(solver: &str, suites: &[(String, Tally)], summary: &Summary) -> Vec<Table> {
    let suites: &[_] = if suites.len() > 1 { suites } else { &[] };
    let has_points = summary.total.max_points > 0;
    let points: &[_] = if has_points { &["points", "%"] } else { &[] };
    let numbers = [&["solved", "%"], points, &["mean s", "mean nodes", "depth"]].concat();
    let mut table = Table { title: solver.to_owned(), columns: columns("", &numbers), ..Table::default() };
    for (name, tally) in suites.iter().chain(summary.themes()) {
        table.push(row(name, tally, has_points));
    }
    table.push(row("all", &summary.total, has_points));
    if summary.left_out > 0 {
        table.notes.push(format!("{} left out", summary.left_out));
    }
    if summary.faults > 0 {
        table.notes.push(format!("{} of the engine", pluralize(summary.faults as u64, "fault")));
    }
    let grid = summary.grid();
    [table].into_iter().chain(grid.chunks(STEPS_IN_A_TABLE).map(grid_table)).collect()
}

/// A column of names, which are cut if the line is too long, and columns of numbers.
fn columns(names: &str, numbers: &[impl ToString]) -> Vec<Column> {
    let numbers = numbers.iter().map(|name| column(name.to_string(), Kind::Right));
    [column(names, Kind::Cut)].into_iter().chain(numbers).collect()
}

fn row(name: &str, tally: &Tally, has_points: bool) -> Vec<Cell> {
    let percent = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.1}"));
    let mut cells: Vec<Cell> = vec![
        name.into(),
        format!("{}/{}", tally.solved, tally.cases).into(),
        percent(tally.percent()).into(),
    ];
    if has_points {
        let points = match tally.max_points {
            0 => "-".to_owned(),
            max => format!("{}/{max}", tally.points),
        };
        cells.extend([points.into(), percent(tally.points_percent()).into()]);
    }
    cells.extend(match tally.means() {
        Some(Means { elapsed, nodes, depth }) => [
            format!("{:.3}", elapsed.as_secs_f64()).into(),
            format!("{nodes:.0}").into(),
            format!("{depth:.1}").into(),
        ],
        None => [(); 3].map(|()| Cell::from("-")),
    });
    cells
}

fn grid_table(steps: &[TimeStep]) -> Table {
    let times: Vec<f64> = steps.iter().map(|step| step.within.as_secs_f64()).collect();
    let mut table = Table { columns: columns("within s", &times), ..Table::default() };
    let solved = steps.iter().map(|step| Cell::from(step.solved as u64));
    table.push([Cell::from("solved")].into_iter().chain(solved).collect());
    table
}

/// The JSON object of a run.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    engine: &'a str,
    settings: RunSettings<'a>,
    ending: &'static str,
    total: Tally,
    left_out: usize,
    faults: usize,
    suites: Vec<NamedTally<'a>>,
    themes: Vec<NamedTally<'a>>,
    grid: Vec<TimeStep>,
    positions: &'a [PositionResult<'a>],
}

/// The options of a run.
#[derive(Serialize)]
pub(super) struct RunSettings<'a> {
    pub time_ms: Option<u64>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub threads: usize,
    pub hash_mib: usize,
    pub stop_early: Option<u32>,
    /// The UCI options that were set.
    pub options: BTreeMap<&'a str, &'a str>,
}

#[derive(Serialize)]
struct NamedTally<'a> {
    name: &'a str,
    #[serde(flatten)]
    tally: Tally,
}

/// The result of a position of a file.
#[derive(Serialize)]
pub(super) struct PositionResult<'a> {
    pub file: &'a str,
    #[serde(flatten)]
    pub result: CaseResult<'a>,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        engine: &'a str,
        settings: RunSettings<'a>,
        ending: &'static str,
        suites: &'a [(String, Tally)],
        summary: &'a Summary,
        positions: &'a [PositionResult<'a>],
    ) -> Self {
        let named = |tallies: &'a [(String, Tally)]| {
            tallies.iter().map(|&(ref name, tally)| NamedTally { name, tally }).collect()
        };
        Self {
            engine,
            settings,
            ending,
            total: summary.total,
            left_out: summary.left_out,
            faults: summary.faults,
            suites: named(suites),
            themes: named(summary.themes()),
            grid: summary.grid(),
            positions,
        }
    }
}
