//! Shared parts of the puzzle commands: work on several threads in the order of the input, reading games and
//! tablebases, and writing puzzles.

use crate::analysis::puzzles::{Columns, Prover, Puzzle, json, to_csv, to_epd, to_game};
use crate::cli::CliError;
use crate::cli::progress::{self, ProgressLines};
use crate::cli::streams::{Output, OutputArg};
use crate::cli::values::{integer_in, syzygy_tables, thread_count};
use crate::database::{Options, Query, Source, read};
use crate::files::without_packed_extension;
use crate::notation::pgn::{Export, Game, GameBuilder, PgnError, Place};
use crate::search::MAX_THREADS;
use crate::selfplay::{Inbox, Message, pool};
use crossbeam_channel::{Sender, unbounded};
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The maximum number of jobs per thread that are in work or wait for earlier ones.
const JOBS_PER_THREAD: u64 = 64;
/// Updates of a bar per second.
const DRAWS_A_SECOND: u8 = 5;

/// The work for each position, and the threads that do it.
#[derive(clap::Args, Debug)]
pub(super) struct Effort {
    /// Threads, each with a search of its own [default: one for each processor]. The result is the same with any
    /// number.
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    pub threads: Option<u16>,

    /// Folders of endgame tables (Syzygy), which know the results of endings.
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,
}

impl Effort {
    /// A prover for each thread, with this number of nodes for each search.
    ///
    /// # Errors
    /// [`CliError`] if memory or tablebases are missing.
    pub(super) fn provers(&self, nodes: u64) -> Result<Vec<Prover>, CliError> {
        let tables = self.syzygy.as_deref().map(syzygy_tables).transpose()?;
        let threads = thread_count(self.threads);
        (0..threads).map(|_| Ok(Prover::new(nodes, tables.clone())?)).collect()
    }
}

/// Jobs that are done on several threads, with results in the order of the jobs.
pub(super) struct Queue<'a, J, R> {
    jobs: Sender<(u64, J)>,
    inbox: &'a Inbox<(u64, R)>,
    /// Results that wait for earlier ones.
    early: BTreeMap<u64, R>,
    put: u64,
    taken: u64,
    limit: u64,
    progress: &'a JobProgress,
}

/// The progress of jobs: a bar on a terminal, lines elsewhere.
pub(super) struct JobProgress {
    pub bar: ProgressBar,
    lines: ProgressLines,
    /// The name of a job in the lines.
    unit: &'static str,
}

impl JobProgress {
    /// Shows a bar or writes lines. `count` determines the number of jobs in advance, if possible.
    pub(super) fn new(
        unit: &'static str,
        shares_terminal: bool,
        count: impl FnOnce() -> Option<u64>,
    ) -> Self {
        let lines = ProgressLines::new(false);
        let is_shown = lines.are_wanted() || !bar(None, shares_terminal).is_hidden();
        let length = if is_shown { count() } else { None };
        Self { bar: bar(length, shares_terminal), lines, unit }
    }

    /// Writes a line if one is due.
    fn update(&self) {
        self.lines.update(|elapsed| progress::state(&self.bar, self.unit, elapsed));
    }
}

/// Runs each worker on its own thread. Meanwhile `lead` puts jobs into the queue, and finishes the queue.
///
/// # Errors
/// The errors of `lead`, and one if the threads cannot be started.
pub(super) fn in_order<J: Send, R: Send, T: Send, W: FnMut(J) -> R + Send>(
    workers: Vec<W>,
    progress: &JobProgress,
    lead: impl FnOnce(&mut Queue<'_, J, R>) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let (jobs, inbox) = unbounded::<(u64, J)>();
    let limit = JOBS_PER_THREAD * workers.len() as u64;
    let serve = |mut work: W| {
        let inbox = inbox.clone();
        move |results: &Sender<(u64, R)>| {
            for (number, job) in inbox {
                if results.send((number, work(job))).is_err() {
                    break;
                }
            }
            Ok(())
        }
    };
    let workers = workers.into_iter().map(serve).collect();
    pool("puzzles", workers, &AtomicBool::new(false), |results| {
        let early = BTreeMap::new();
        lead(&mut Queue { jobs, inbox: &results, early, put: 0, taken: 0, limit, progress })
    })
}

/// Takes a result.
type Take<'a, R> = dyn FnMut(R) -> Result<(), CliError> + 'a;

impl<J, R> Queue<'_, J, R> {
    /// Adds a job; while the queue is full, results are passed to `take`.
    ///
    /// # Errors
    /// The errors of `take`.
    pub(super) fn put(&mut self, job: J, take: &mut Take<'_, R>) -> Result<(), CliError> {
        // The workers outlive this call.
        let _ = self.jobs.send((self.put, job));
        self.put += 1;
        while self.put - self.taken >= self.limit {
            self.wait(take)?;
        }
        Ok(())
    }

    /// Waits for all outstanding results, and passes them to `take`.
    ///
    /// # Errors
    /// The errors of `take`.
    pub(super) fn finish(&mut self, take: &mut Take<'_, R>) -> Result<(), CliError> {
        while self.taken < self.put {
            self.wait(take)?;
        }
        Ok(())
    }

    /// Waits for one result, and passes on the results that are next in order.
    fn wait(&mut self, take: &mut Take<'_, R>) -> Result<(), CliError> {
        match self.inbox.next() {
            Some(Message::Sent((number, result))) => {
                self.progress.bar.inc(1);
                self.early.insert(number, result);
            }
            Some(Message::Tick) => self.progress.bar.tick(),
            None => return Err(CliError::failed("all threads have ended before their work")),
        }
        self.progress.update();
        while let Some(result) = self.early.remove(&self.taken) {
            self.taken += 1;
            take(result)?;
        }
        Ok(())
    }
}

/// A progress bar of this length, or of unknown length. It is visible on a terminal only.
fn bar(length: Option<u64>, shares_terminal: bool) -> ProgressBar {
    if shares_terminal && io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match length {
        Some(length) => (ProgressBar::new(length), "{elapsed:>4} [{wide_bar}] {pos}/{len}, ETA {eta}"),
        None => (ProgressBar::no_length(), "{elapsed:>4} {spinner} {pos} done"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(DRAWS_A_SECOND));
    progress::styled(bar, template)
}

/// A game that the query has found.
pub(in crate::cli) struct FoundGame {
    /// The start of the game.
    pub place: Place,
    /// The number of the game in its source, counted from 1.
    pub number: u64,
    pub game: Game,
    pub errors: Vec<PgnError>,
}

/// Reads the games of a source that the query finds, until `take` returns a break.
///
/// # Errors
/// An error of the source, and those of `take`.
pub(in crate::cli) fn read_games(
    source: &Source,
    query: Option<&Query>,
    take: &mut dyn FnMut(FoundGame) -> Result<ControlFlow<()>, CliError>,
) -> Result<(), CliError> {
    let warn = |source: &Source, text: &str| {
        let _ = writeln!(io::stderr(), "warning: {}: {text}", source.name());
    };
    let options = Options { threads: 1, warn: Arc::new(warn), ..Options::default() };
    let mut number = 0;
    let flow = read(
        std::slice::from_ref(source),
        &options,
        |part, emit| {
            let mut builder = GameBuilder::new();
            part.reader.require_found(query)?;
            loop {
                let mut passed = if query.is_some() { part.reader.skip(query)? } else { 0 };
                let Some(place) = part.reader.next_place()? else { return emit((passed, None)) };
                if !part.reader.read_game(&mut builder)? {
                    return emit((passed, None));
                }
                passed += 1;
                let last = builder.last_position().copied();
                let (game, errors) = builder.take();
                let is_found = query.is_none_or(|query| query.is_true(&game, last.as_ref()));
                emit((passed, is_found.then_some((place, game, errors))))?;
            }
        },
        |source, result| {
            let (passed, found) = match result {
                Ok(read) => read,
                Err(error) => return ControlFlow::Break(Err(input_error(source, &error))),
            };
            number += passed;
            let Some((place, game, errors)) = found else { return ControlFlow::Continue(()) };
            match take(FoundGame { place, number, game, errors }) {
                Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                Ok(ControlFlow::Break(())) => ControlFlow::Break(Ok(())),
                Err(error) => ControlFlow::Break(Err(error)),
            }
        },
    );
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(end) => end,
    }
}

/// The number of games of these sources; `None` if a source can be read only once.
pub(super) fn count_games(sources: &[Source]) -> Option<u64> {
    if !progress::are_countable(sources) {
        return None;
    }
    let mut games = 0;
    for source in sources {
        let flow: ControlFlow<()> = read(
            std::slice::from_ref(source),
            &Options::default(),
            |part, emit| {
                let mut count = 0;
                while part.reader.read_game(&mut ())? {
                    count += 1;
                }
                emit(count)
            },
            |_, count| {
                // Errors are reported when the source is read for its games.
                games += count.unwrap_or(0);
                ControlFlow::Continue(())
            },
        );
        let _ = flow;
    }
    Some(games)
}

pub(super) fn input_error(source: &Source, error: &io::Error) -> CliError {
    CliError::Input { name: source.name(), problem: error.to_string() }
}

/// The format of puzzles.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// Games from the position to be solved.
    Pgn,
    /// One record on a line.
    Epd,
    /// The columns of lichess's puzzle file.
    Csv,
    /// One JSON object.
    Json,
}

impl Format {
    /// The format for the extension of a file.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let extension = without_packed_extension(path).extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "pgn" => Some(Self::Pgn),
            "epd" => Some(Self::Epd),
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The stated format, or else that of the name of the output, or else PGN.
    pub(super) fn of_output(stated: Option<Self>, target: &OutputArg) -> Self {
        stated.or_else(|| target.path().and_then(Self::of)).unwrap_or(Self::Pgn)
    }
}

/// A puzzle in the form of its file.
pub(super) enum Original {
    /// A game from the position to be solved.
    Game(Box<Game>),
    /// The text of an EPD record.
    Record(String),
    /// A row of a table with these columns.
    Row { columns: Arc<Columns>, text: String },
}

/// Writes puzzles in one of the formats.
pub(super) struct PuzzleWriter<'a> {
    output: Output<'a>,
    format: Format,
    written: u64,
    /// The columns of a table, whose names are written before the first row.
    columns: Option<Arc<Columns>>,
    /// The columns of rows that the table lacks.
    missing: BTreeSet<String>,
}

impl<'a> PuzzleWriter<'a> {
    /// Writes the start of the output: that of an object. A table starts with its first row.
    ///
    /// # Errors
    /// [`CliError::Output`] if the start cannot be written.
    pub(super) fn new(mut output: Output<'a>, format: Format) -> Result<Self, CliError> {
        if format == Format::Json {
            write!(output, "{{\"puzzles\":[")?;
        }
        Ok(Self { output, format, written: 0, columns: None, missing: BTreeSet::new() })
    }

    /// Writes a puzzle as it is in its file. Returns whether the output has the format of the file; otherwise nothing
    /// is written.
    ///
    /// # Errors
    /// [`CliError::Output`] if the puzzle cannot be written.
    pub(super) fn write_original(&mut self, original: &Original) -> Result<bool, CliError> {
        match (self.format, original) {
            (Format::Pgn, Original::Game(game)) => write!(self.output, "{}", Export::new().game(game))?,
            (Format::Epd, Original::Record(text)) => writeln!(self.output, "{text}")?,
            (Format::Csv, Original::Row { columns, text }) => self.write_row(columns, text)?,
            _ => return Ok(false),
        }
        self.written += 1;
        Ok(true)
    }

    /// Writes a row with these columns. The columns of a table are those of its first row.
    fn write_row(&mut self, columns: &Arc<Columns>, row: &str) -> Result<(), CliError> {
        let own = self.start_table(columns)?;
        if own == *columns {
            writeln!(self.output, "{row}")?;
        } else {
            self.missing.extend(own.missing(columns).map(str::to_owned));
            writeln!(self.output, "{}", own.fit(row, columns))?;
        }
        Ok(())
    }

    /// Writes the names of these columns, unless the table has been started; returns the columns of the table.
    fn start_table(&mut self, columns: &Arc<Columns>) -> Result<Arc<Columns>, CliError> {
        if let Some(own) = &self.columns {
            return Ok(Arc::clone(own));
        }
        writeln!(self.output, "{}", columns.header())?;
        self.columns = Some(Arc::clone(columns));
        Ok(Arc::clone(columns))
    }

    /// Writes a puzzle. Returns whether the format allows it: a table needs the move before the puzzle.
    ///
    /// # Errors
    /// [`CliError::Output`] if the puzzle cannot be written.
    pub(super) fn write(&mut self, puzzle: &Puzzle) -> Result<bool, CliError> {
        match self.format {
            Format::Pgn => write!(self.output, "{}", Export::new().game(&to_game(puzzle)))?,
            Format::Epd => writeln!(self.output, "{}", to_epd(puzzle))?,
            Format::Csv => match to_csv(puzzle) {
                Some(row) => self.write_row(&Arc::default(), &row)?,
                None => return Ok(false),
            },
            Format::Json => {
                write!(self.output, "{}", if self.written == 0 { "" } else { "," })?;
                serde_json::to_writer(&mut self.output, &json(puzzle))?;
            }
        }
        self.written += 1;
        Ok(true)
    }

    /// The number of puzzles written so far.
    pub(super) const fn written(&self) -> u64 {
        self.written
    }

    /// Completes the output; an object gets these members.
    ///
    /// # Errors
    /// [`CliError::Output`] if the end cannot be written.
    pub(super) fn finish(mut self, members: Map<String, Value>) -> Result<(), CliError> {
        if self.format == Format::Csv {
            self.start_table(&Arc::default())?;
        }
        if !self.missing.is_empty() {
            let names = self.missing.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            // A failure to write the warning is ignored.
            let _ = writeln!(io::stderr(), "warning: the table lacks columns of later files: {names}");
        }
        if self.format == Format::Json {
            write!(self.output, "]")?;
            for (name, value) in members {
                write!(self.output, ",{}:{value}", Value::from(name))?;
            }
            writeln!(self.output, "}}")?;
        }
        Ok(self.output.finish()?)
    }
}
