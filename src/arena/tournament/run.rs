//! The run of a match.

use super::state::lock_state;
use super::worker::{Shared, Worker, WorkerEvent};
use super::{Event, FinishedGame, Progress, State, TournamentError, Watch};
use crate::arena::config::MatchConfig;
use crate::arena::game::Record;
use crate::arena::log::{GameLabels, LogFile, Separator, final_position, pgn};
use crate::arena::opening::OpeningSuite;
use crate::arena::schedule::{Pairing, Results, Schedule};
use crate::arena::statistics::Hypothesis;
use crate::book::Book;
use crate::client::{Engine, Launcher, Log};
use crate::files::{Limited, LockFile, Packed, open_regular};
use crate::tablebase::Tablebase;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A match that can be played.
pub struct Tournament {
    config: MatchConfig,
    book: OpeningSuite,
    launcher: Launcher,
    log: Log,
    state: State,
    pgn: Option<LogFile>,
    epd: Option<LogFile>,
    /// The book of each engine; `None` for engines without one.
    engine_books: Arc<[Option<Book>]>,
    tables: Option<Arc<Tablebase>>,
    /// Remarks for the user about a match that was resumed.
    remarks: Vec<String>,
    /// Receives the state of the games.
    watch: Option<Arc<Watch>>,
    /// The lock of the state; `None` if no state is saved.
    _lock: Option<LockFile>,
}

/// The reason why a match has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All games have been played.
    Complete,
    /// The test has reached a verdict.
    Verdict(Hypothesis),
    /// The match was interrupted.
    Interrupted,
}

impl Tournament {
    /// A new match. Every engine is started once, to check that this is possible and to learn its name.
    ///
    /// # Errors
    /// [`TournamentError`] if an engine, the book or a file cannot be used, or if the state file exists and is not the
    /// state of a match that is over.
    pub fn begin(
        config: MatchConfig,
        launcher: Launcher,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<Self, TournamentError> {
        let lock = config.state.as_deref().map(locked).transpose()?;
        if let Some(path) = &config.state {
            State::check_place(path).map_err(|error| TournamentError::State { path: path.clone(), error })?;
        }
        let book = open_book(&config)?;
        book.warnings().iter().for_each(|warning| on_event(Event::Remark(warning)));
        let engine_books = open_engine_books(&config)?;
        let (tables, faults) = open_tables(&config)?;
        faults.iter().for_each(|fault| on_event(Event::Remark(fault)));
        let log = open_log(&config)?;
        let names = learn_names(&config, &launcher, &log, on_event)?;
        let mut progress = Progress::new(names, 0);
        progress.total_games = config.schedule().games(&progress);
        let mut state = State::new(&config, &book, progress);
        let append = |path: &Path, separator| {
            LogFile::append(path, separator).map_err(|error| file_error(path, error))
        };
        let pgn = config.pgn_file().map(|path| append(path, Separator::EmptyLine)).transpose()?;
        let epd = config.epd_out.as_deref().map(|path| append(path, Separator::LineEnd)).transpose()?;
        state.pgn_len = pgn.as_ref().map_or(0, LogFile::len);
        state.epd_len = epd.as_ref().map_or(0, LogFile::len);
        let remarks = Vec::new();
        let tournament = Self {
            config,
            book,
            launcher,
            log,
            state,
            pgn,
            epd,
            engine_books,
            tables,
            remarks,
            watch: None,
            _lock: lock,
        };
        tournament.save()?;
        Ok(tournament)
    }

    /// A match that continues from a saved state. Text after the games that were counted is moved to another file.
    ///
    /// # Errors
    /// [`TournamentError`] if the state, the book or a file has changed.
    pub fn resume(path: &Path, launcher: Launcher) -> Result<Self, TournamentError> {
        let lock = locked(path)?;
        let (state, config) = load(path)?;
        let book = open_book(&config)?;
        state.check_book(&book).map_err(|error| TournamentError::State { path: path.to_owned(), error })?;
        let engine_books = open_engine_books(&config)?;
        let (tables, mut remarks) = open_tables(&config)?;
        let log = open_log(&config)?;
        let mut resume =
            |path: Option<&Path>, len, separator| {
                // Nothing will be added to the files of a match that is over.
                let Some(path) = path.filter(|_| !state.is_finished) else { return Ok(None) };
                let (file, rest) =
                    LogFile::resume(path, len, separator).map_err(|error| file_error(path, error))?;
                remarks.extend(rest.map(|rest| {
                    format!("text after the games of this match was moved to {}", rest.display())
                }));
                Ok(Some(file))
            };
        let pgn = resume(config.pgn_file(), state.pgn_len, Separator::EmptyLine)?;
        let epd = resume(config.epd_out.as_deref(), state.epd_len, Separator::LineEnd)?;
        Ok(Self {
            config,
            book,
            launcher,
            log,
            state,
            pgn,
            epd,
            engine_books,
            tables,
            remarks,
            watch: None,
            _lock: Some(lock),
        })
    }

    /// The configuration of the match saved in this state file.
    ///
    /// # Errors
    /// [`TournamentError::State`] if the state cannot be read.
    pub fn saved_config(path: &Path) -> Result<MatchConfig, TournamentError> {
        load(path).map(|(_, config)| config)
    }

    /// Remarks for the user: faults of endgame tablebases, and the names of files that received text after the counted
    /// games, either games of this match that were not counted or games of another match.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Sets the receiver of the state of the games.
    pub fn set_watch(&mut self, watch: Arc<Watch>) {
        self.watch = Some(watch);
    }

    /// The name of the winner of a knockout, if it is over.
    pub fn winner(&self) -> Option<&str> {
        let progress = &self.state.progress;
        self.config.schedule().winner(progress).map(|winner| progress.names[winner].as_str())
    }

    /// The progress so far.
    pub const fn progress(&self) -> &Progress {
        &self.state.progress
    }

    /// The configuration.
    pub const fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// Plays the remaining games.
    ///
    /// # Errors
    /// [`TournamentError`] if an engine can no longer be started or a file cannot be written.
    pub fn run(
        &mut self,
        is_interrupted: &AtomicBool,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<Ending, TournamentError> {
        if let Some(verdict) = self.verdict() {
            return self.finish(Ending::Verdict(verdict));
        }
        let schedule = self.config.schedule();
        let places = self.config.sequence().places(self.book.len(), schedule.openings());
        let (config, book) = (self.config.clone(), self.book.clone());
        let (launcher, log) = (self.launcher.clone(), self.log.clone());
        let names = self.state.progress.names.clone();
        let (engine_books, tables) = (Arc::clone(&self.engine_books), self.tables.clone());
        let watch = self.watch.clone();
        let stop = AtomicBool::new(false);
        let shared = Shared {
            config: &config,
            book: &book,
            places: &places,
            names: &names,
            engine_books: &engine_books,
            tables: tables.as_deref(),
            launcher: &launcher,
            log: &log,
            is_interrupted: &stop,
            watch: watch.as_deref(),
        };
        let (give, take) = unbounded();
        let mut queue = PairingQueue { schedule, give: Some(give), given: BTreeSet::new() };
        let open = queue.update(&mut self.state.progress);
        // Later rounds of a knockout never have more pairings than the first, but a resumed one may be in the last
        // round.
        let most = if schedule.is_staged() { schedule.count().unwrap_or(open) } else { open };
        let workers = if open == 0 { 0 } else { config.concurrency.min(most) };
        thread::scope(|scope| {
            let (events, reports) = unbounded();
            let mut started = Ok(());
            for number in 0..workers {
                let (take, events, shared) = (take.clone(), events.clone(), &shared);
                let builder = thread::Builder::new().name(format!("game {number}"));
                let worker = move || Worker::new(shared, number).run(&take, &events);
                if let Err(error) = builder.spawn_scoped(scope, worker) {
                    started = Err(TournamentError::Thread(error));
                    break;
                }
            }
            drop(events); // ends the reports when the last worker ends
            let tables = tables.as_deref();
            let result =
                started.and_then(|()| self.collect(&reports, queue, tables, is_interrupted, on_event));
            stop.store(true, Ordering::Relaxed);
            while take.try_recv().is_ok() {} // no new pairing is started
            result
        })
        .and_then(|ending| self.finish(ending))
    }

    /// Counts the reports of the workers until all workers have ended.
    fn collect(
        &mut self,
        reports: &Receiver<WorkerEvent>,
        mut queue: PairingQueue,
        tables: Option<&Tablebase>,
        is_interrupted: &AtomicBool,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<Ending, TournamentError> {
        /// The interval at which to check for an interruption.
        const INTERVAL: Duration = Duration::from_millis(50);
        let (begin, seconds_before) = (Instant::now(), self.state.progress.seconds);
        let mut waiting: BTreeMap<usize, Vec<Record>> = BTreeMap::new();
        let mut is_damage_known = false;
        loop {
            if is_interrupted.load(Ordering::Relaxed) {
                return Ok(Ending::Interrupted);
            }
            let (pairing, game, record) = match reports.recv_timeout(INTERVAL) {
                Ok(WorkerEvent::Game { pairing, game, record }) => (pairing, game, *record),
                Ok(WorkerEvent::Failed(error)) => return Err(error),
                Err(error) if error.is_timeout() => continue,
                Err(_) => return Ok(Ending::Complete),
            };
            let (white, black) = pairing.colors(game);
            let names = &self.state.progress.names;
            on_event(Event::Game(FinishedGame {
                round: pairing.round(game),
                names: [&names[white], &names[black]],
                termination: &record.termination,
                plies: record.moves.len(),
            }));
            let records = waiting.entry(pairing.index).or_default();
            records.push(record);
            if records.len() < pairing.games {
                continue;
            }
            let records = waiting.remove(&pairing.index).unwrap_or_default();
            self.write(&pairing, &records)?;
            let terminations: Vec<_> = records.iter().map(|record| &record.termination).collect();
            self.state.progress.add(&pairing, &terminations);
            self.state.progress.seconds = seconds_before + begin.elapsed().as_secs_f64();
            queue.update(&mut self.state.progress);
            self.save()?;
            on_event(Event::Pairing(&self.state.progress));
            if let Some(fault) = tables.and_then(Tablebase::damage).filter(|_| !is_damage_known) {
                is_damage_known = true;
                on_event(Event::Remark(&fault.to_string()));
            }
            if let Some(verdict) = self.verdict() {
                return Ok(Ending::Verdict(verdict));
            }
        }
    }

    fn verdict(&self) -> Option<Hypothesis> {
        let sprt = self.config.sprt?;
        sprt.verdict(sprt.llr(&self.state.progress.tally()))
    }

    /// Writes the games of a pairing.
    fn write(&mut self, pairing: &Pairing, records: &[Record]) -> Result<(), TournamentError> {
        let (mut games, mut positions) = (String::new(), String::new());
        for (game, record) in records.iter().enumerate() {
            let (white, black) = pairing.colors(game);
            let names = &self.state.progress.names;
            let labels = GameLabels {
                event: &self.config.event,
                site: &self.config.site,
                round: pairing.round(game),
                names: [&names[white], &names[black]],
                limits: [white, black].map(|index| self.config.engines[index].limits()),
                is_chess960: self.config.variant.is_chess960(),
            };
            if let Some(options) = &self.config.pgn {
                games.push_str(&pgn(record, &labels, options));
            }
            if self.epd.is_some() {
                positions.push_str(&final_position(record, &labels));
            }
        }
        let files = [
            (&mut self.pgn, self.config.pgn_file(), games),
            (&mut self.epd, self.config.epd_out.as_deref(), positions),
        ];
        for (file, path, text) in files {
            if let (Some(file), Some(path)) = (file, path) {
                file.write(&text).map_err(|error| file_error(path, error))?;
            }
        }
        self.state.pgn_len = self.pgn.as_ref().map_or(0, LogFile::len);
        self.state.epd_len = self.epd.as_ref().map_or(0, LogFile::len);
        Ok(())
    }

    fn save(&self) -> Result<(), TournamentError> {
        let Some(path) = &self.config.state else { return Ok(()) };
        self.state.save(path).map_err(|error| file_error(path, error))
    }

    fn finish(&mut self, ending: Ending) -> Result<Ending, TournamentError> {
        self.state.is_finished = ending != Ending::Interrupted;
        self.save()?;
        Ok(ending)
    }
}

/// Assigns the pairings to the workers.
struct PairingQueue {
    schedule: Schedule,
    /// The channel to the workers; `None` when all pairings have been assigned, so that workers end.
    give: Option<Sender<Pairing>>,
    /// The pairings that have been assigned, if the schedule has several stages.
    given: BTreeSet<usize>,
}

impl PairingQueue {
    /// Assigns the pairings that have become known, updates the number of games, and returns the number of pairings
    /// that are not over.
    fn update(&mut self, progress: &mut Progress) -> usize {
        let Some(give) = &self.give else { return 0 };
        let mut open = 0;
        for pairing in self.schedule.pairings(progress) {
            if progress.is_over(pairing.index) {
                continue;
            }
            open += 1;
            if !self.schedule.is_staged() || self.given.insert(pairing.index) {
                let _ = give.send(pairing);
            }
        }
        if self.schedule.is_staged() {
            progress.total_games = self.schedule.games(progress);
        }
        if open == 0 || !self.schedule.is_staged() {
            self.give = None;
        }
        open
    }
}

fn locked(path: &Path) -> Result<LockFile, TournamentError> {
    lock_state(path).map_err(|error| file_error(path, error))
}

/// The saved state and its configuration.
fn load(path: &Path) -> Result<(State, MatchConfig), TournamentError> {
    let state_error = |error| TournamentError::State { path: path.to_owned(), error };
    let state = State::load(path).map_err(state_error)?;
    let mut config = state.config().map_err(state_error)?;
    config.state = Some(path.to_owned());
    Ok((state, config))
}

fn file_error(path: &Path, error: std::io::Error) -> TournamentError {
    TournamentError::File { path: path.to_owned(), error }
}

fn open_book(config: &MatchConfig) -> Result<OpeningSuite, TournamentError> {
    let path = config.openings.file.clone().unwrap_or_default();
    config.open_book().map_err(|error| TournamentError::Book { path, error })
}

fn open_engine_books(config: &MatchConfig) -> Result<Arc<[Option<Book>]>, TournamentError> {
    let open = |path: &Path| {
        let read = || {
            let content = Packed::from_file(open_regular(path)?)?.bytes()?;
            Book::read(Limited::new(content.reader, Limited::DEFAULT))
        };
        read().map_err(|error| TournamentError::EngineBook { path: path.to_owned(), error })
    };
    config.engines.iter().map(|engine| engine.book().map(open).transpose()).collect()
}

/// The endgame tablebases, and the faults of files that cannot be used.
fn open_tables(config: &MatchConfig) -> Result<(Option<Arc<Tablebase>>, Vec<String>), TournamentError> {
    let Some(path) = &config.tables else { return Ok((None, Vec::new())) };
    // Other match runners separate folders by semicolons on all systems.
    let separator = if cfg!(windows) { ";" } else { ":" };
    let (tables, faults) = Tablebase::load(&path.replace(';', separator));
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    if tables.count() == 0 {
        let problem = match faults.first() {
            Some(fault) => fault.clone(),
            None => "no endgame tables, expected files such as KQvK.rtbw".to_owned(),
        };
        return Err(TournamentError::Tables { path: path.clone(), problem });
    }
    Ok((Some(Arc::new(tables)), faults))
}

fn open_log(config: &MatchConfig) -> Result<Log, TournamentError> {
    match &config.log {
        Some(path) => Log::open(path).map_err(|error| file_error(path, error)),
        None => Ok(Log::default()),
    }
}

/// Starts every engine once to learn its name. Names used by several engines are numbered.
fn learn_names(
    config: &MatchConfig,
    launcher: &Launcher,
    log: &Log,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Vec<String>, TournamentError> {
    let mut names: Vec<String> = Vec::new();
    for index in 0..config.engines.len() {
        let settings = &config.settings(index);
        let called = || settings.name.clone().unwrap_or_else(|| settings.command.clone());
        let engine = Engine::start(settings, config.variant.is_chess960(), config.timeouts, launcher, log)
            .map_err(|error| TournamentError::Engine { name: called(), error })?;
        engine.warnings().iter().for_each(|remark| on_event(Event::Remark(remark)));
        let name = engine.name().to_owned();
        engine.quit();
        let mut numbered = name.clone();
        let mut number = 1;
        while names.contains(&numbered) {
            number += 1;
            numbered = format!("{name} ({number})");
        }
        names.push(numbered);
    }
    Ok(names)
}
