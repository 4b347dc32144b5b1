//! A worker thread, which plays one pairing after the other.

use super::{TournamentError, Watch, WatchedGame};
use crate::arena::config::MatchConfig;
use crate::arena::game::{Game, Interrupted, MatchEngine, Record, View};
use crate::arena::opening::OpeningSuite;
use crate::arena::schedule::Pairing;
use crate::book::Book;
use crate::client::{Engine, EngineConfig, EngineError, Launcher, Log};
use crate::tablebase::Tablebase;
use crossbeam_channel::{Receiver, Sender};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A report of a worker.
pub(super) enum WorkerEvent {
    /// A game is over.
    Game { pairing: Pairing, game: usize, record: Box<Record> },
    /// An engine can no longer be started.
    Failed(TournamentError),
}

/// The data that all workers share.
pub(super) struct Shared<'a> {
    pub config: &'a MatchConfig,
    pub book: &'a OpeningSuite,
    /// The index in the book of each opening.
    pub places: &'a [usize],
    pub names: &'a [String],
    /// The book of each engine; `None` for engines without one.
    pub engine_books: &'a [Option<Book>],
    pub tables: Option<&'a Tablebase>,
    pub launcher: &'a Launcher,
    pub log: &'a Log,
    pub is_interrupted: &'a AtomicBool,
    /// Receives the state of the games.
    pub watch: Option<&'a Watch>,
}

/// A worker and the engines that it keeps running.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    /// The number of the worker, counted from 0.
    number: usize,
    /// The engines of the latest pairing that are still running, at most two, each with its number.
    engines: Vec<(usize, Engine)>,
}

/// The number of attempts to start an engine before the match fails.
const START_ATTEMPTS: usize = 3;

impl<'a> Worker<'a> {
    pub(super) const fn new(shared: &'a Shared<'a>, number: usize) -> Self {
        Self { shared, number, engines: Vec::new() }
    }

    /// Plays pairings until there are no more or the match ends.
    pub(super) fn run(mut self, pairings: &Receiver<Pairing>, events: &Sender<WorkerEvent>) {
        let mut is_first = true;
        for pairing in pairings {
            for game in 0..pairing.games {
                if !std::mem::take(&mut is_first) && !self.pause() {
                    return;
                }
                let event = match self.play(&pairing, game) {
                    Ok(Ok(record)) => WorkerEvent::Game { pairing, game, record: Box::new(record) },
                    Ok(Err(Interrupted)) => return,
                    Err(error) => {
                        let _ = events.send(WorkerEvent::Failed(error));
                        return;
                    }
                };
                if events.send(event).is_err() {
                    return;
                }
            }
        }
        for (_, engine) in self.engines.drain(..) {
            engine.quit();
        }
    }

    /// Waits between two games, and returns `false` if the match is interrupted.
    fn pause(&self) -> bool {
        /// The interval at which to check for an interruption.
        const INTERVAL: Duration = Duration::from_millis(20);
        let end = Instant::now() + self.shared.config.wait.unwrap_or_default();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            if self.shared.is_interrupted.load(Ordering::Relaxed) {
                return false;
            }
            sleep(left.min(INTERVAL));
        }
    }

    fn play(
        &mut self,
        pairing: &Pairing,
        game: usize,
    ) -> Result<Result<Record, Interrupted>, TournamentError> {
        let Shared { config, book, places, tables, is_interrupted, .. } = *self.shared;
        let (white, black) = pairing.colors(game);
        for (index, engine) in std::mem::take(&mut self.engines) {
            if (index == white || index == black) && !config.engines[index].restarts() {
                self.engines.push((index, engine));
            } else {
                engine.quit();
            }
        }
        let mut white_engine = self.engine(white)?;
        let mut black_engine = self.engine(black)?;
        let opening = book.opening(places.get(pairing.opening).copied().unwrap_or(0));
        let (place, round) = (self.number, pairing.round(game));
        let names = [white, black].map(|index| self.shared.names[index].as_str());
        let show = |view: &View<'_>| {
            if let Some(watch) = self.shared.watch {
                watch(&WatchedGame { place, round: &round, names, view: *view });
            }
        };
        let show: &(dyn Fn(&View<'_>) + Sync) = &show;
        let rules = Game {
            opening,
            is_chess960: config.variant.is_chess960(),
            adjudication: config.adjudication(),
            tables,
            seed: config.seed.wrapping_add((pairing.index * pairing.games + game) as u64),
            is_interrupted,
            watch: self.shared.watch.map(|_| show),
        };
        let record = rules.play(self.side(white, &mut white_engine), self.side(black, &mut black_engine));
        // An engine that has violated the protocol is restarted; dropping it kills its process.
        let at_fault = match &record {
            Ok(record) => record.termination.culprit(),
            Err(Interrupted) => return Ok(Err(Interrupted)),
        };
        for (color, index, engine) in [(0, white, white_engine), (1, black, black_engine)] {
            if at_fault.is_none_or(|loser| loser as usize != color) {
                self.engines.push((index, engine));
            }
        }
        Ok(record)
    }

    fn side<'p>(&'p self, index: usize, engine: &'p mut Engine) -> MatchEngine<'p> {
        let entrant = &self.shared.config.engines[index];
        MatchEngine {
            engine,
            limits: entrant.limits(),
            ponders: entrant.ponders(),
            scores_for_white: entrant.scores_for_white(),
            book: self.shared.engine_books[index].as_ref(),
            book_depth: entrant.book_depth(),
            timeout: self.shared.config.timeouts.think,
        }
    }

    /// The engine with this number: the running one, or a new one.
    fn engine(&mut self, index: usize) -> Result<Engine, TournamentError> {
        if let Some(at) = self.engines.iter().position(|&(running, _)| running == index) {
            return Ok(self.engines.swap_remove(at).1);
        }
        let Shared { config, names, launcher, log, .. } = *self.shared;
        let name = &names[index];
        let settings = EngineConfig { name: Some(name.clone()), ..config.settings(index) };
        let start = || Engine::start(&settings, config.variant.is_chess960(), config.timeouts, launcher, log);
        let mut attempt = start();
        for _ in 1..START_ATTEMPTS {
            if attempt.as_ref().err().is_none_or(EngineError::is_of_configuration) {
                break;
            }
            attempt = start();
        }
        attempt.map_err(|error| TournamentError::Engine { name: name.clone(), error })
    }
}
