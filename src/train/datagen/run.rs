//! A run of self-play.

use super::numbers::Numbers;
use super::worker::{News, Shared};
use super::{Book, DatagenError, Folder, Listener, Origin, Played, Progress};
use crate::nnue::Network;
use crate::search::{ResourceError, STACK};
use crate::train::data::Totals;
use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often clock and signals are looked at.
const TICK: Duration = Duration::from_millis(100);

/// When a run is to end; whatever is `None` does not end it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Targets {
    /// Games in the folder, those of earlier runs included.
    pub games: Option<u64>,
    /// Positions in the folder, those of earlier runs included.
    pub positions: Option<u64>,
    /// Time of this run.
    pub time: Option<Duration>,
}

/// Why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// There are as many games as were wanted.
    Games,
    /// There are as many positions as were wanted.
    Positions,
    /// The time is up.
    Time,
    /// Somebody has interrupted it.
    Interrupted,
}

/// A run of self-play in a folder.
pub struct Run {
    /// Whose games they are; what it says of the first game does not matter.
    pub origin: Origin,
    /// Where games begin, if the settings say so.
    pub book: Option<Book>,
    /// The network that evaluates.
    pub network: Arc<Network>,
    /// When to end.
    pub targets: Targets,
    /// Threads that play; at least one.
    pub threads: usize,
    /// Games in a chunk.
    pub chunk_games: u64,
}

impl Run {
    /// Plays and writes games until a target is reached or `interrupted` is set. Then the games
    /// being played are given up, and the chunks closed.
    ///
    /// # Errors
    /// [`DatagenError`]; what could be closed is closed.
    pub fn play(
        self,
        folder: &mut Folder,
        interrupted: &AtomicBool,
        listener: &mut dyn Listener,
    ) -> Result<(Ending, Progress), DatagenError> {
        let started = Instant::now();
        let played = folder.entries().iter().map(super::Entry::numbers).collect();
        let end = self.targets.games.unwrap_or(u64::MAX);
        let shared = Shared {
            origin: self.origin,
            book: self.book.map(Arc::new),
            network: self.network,
            folder: folder.path().to_owned(),
            numbers: Mutex::new(Numbers::new(played, end, self.chunk_games)),
            stop: AtomicBool::new(false),
        };
        let (sender, news) = unbounded();
        thread::scope(|scope| {
            let mut workers = Vec::new();
            for id in 0..self.threads.max(1) {
                let (sender, shared) = (sender.clone(), &shared);
                let worker = thread::Builder::new()
                    .name(format!("self-play {id}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || shared.work(&sender));
                match worker {
                    Ok(worker) => workers.push(worker),
                    Err(_) => {
                        shared.stop.store(true, Ordering::Relaxed);
                        return Err(DatagenError::Resource(ResourceError::Threads(self.threads)));
                    }
                }
            }
            drop(sender); // so that the news end when the last thread does
            let watch = Watch { targets: self.targets, started, interrupted, stop: &shared.stop };
            let watched = watch.follow(&news, folder, listener);
            for worker in workers {
                // A panic ends the program, and has been told of.
                worker.join().unwrap_or(Ok(()))?;
            }
            watched
        })
    }
}

/// Watches over a run.
struct Watch<'a> {
    targets: Targets,
    started: Instant,
    interrupted: &'a AtomicBool,
    stop: &'a AtomicBool,
}

impl Watch<'_> {
    fn follow(
        &self,
        news: &Receiver<News>,
        folder: &mut Folder,
        listener: &mut dyn Listener,
    ) -> Result<(Ending, Progress), DatagenError> {
        let mut progress = Progress { before: before(folder), ..Progress::default() };
        let mut ending = None;
        let mut ticked = self.started;
        loop {
            let received = news.recv_timeout(TICK);
            progress.elapsed = self.started.elapsed();
            match received {
                Ok(News::Game(game)) => note(&mut progress, &game),
                Ok(News::Chunk(entry)) => {
                    listener.chunk(&entry, &progress);
                    if let Err(error) = folder.enter(*entry) {
                        self.stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            ending = ending.or_else(|| self.is_over(&progress));
            if ending.is_some() {
                self.stop.store(true, Ordering::Relaxed);
            }
            if ticked.elapsed() >= TICK {
                ticked = Instant::now();
                listener.progress(&progress);
            }
        }
        // Without another reason, there was nothing left to play.
        Ok((ending.unwrap_or(Ending::Games), progress))
    }

    fn is_over(&self, progress: &Progress) -> Option<Ending> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(Ending::Interrupted)
        } else if self.targets.positions.is_some_and(|wanted| progress.total().positions >= wanted) {
            Some(Ending::Positions)
        } else if self.targets.time.is_some_and(|time| progress.elapsed >= time) {
            Some(Ending::Time)
        } else {
            None
        }
    }
}

/// What is in the folder already.
fn before(folder: &Folder) -> Totals {
    let totals = |entry: &super::Entry| Totals {
        games: entry.games,
        positions: entry.positions,
        results: [entry.black_wins, entry.draws, entry.white_wins],
    };
    folder.entries().iter().map(totals).sum()
}

fn note(progress: &mut Progress, played: &Played) {
    progress.played.add(&played.game);
    progress.searches += played.game.plies().len() as u64;
    progress.nodes += played.nodes;
    progress.dropped += played.dropped;
    progress.terminations[played.game.termination() as usize] += 1;
}
