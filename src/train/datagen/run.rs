//! A run of self-play and its progress.

use super::worker::{Numbers, Shared, WorkerEvent};
use super::{DatagenError, Entry, Folder, Openings, Origin, Played};
use crate::nnue::Network;
use crate::selfplay::{Inbox, Message, pool};
use crate::train::data::{Termination, Totals};
use crossbeam_channel::Sender;
use parking_lot::Mutex;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// When a run ends; a target that is `None` does not end it.
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
    /// The wanted number of games is there.
    Games,
    /// The wanted number of positions is there.
    Positions,
    /// The time is up.
    Time,
    /// It was interrupted.
    Interrupted,
}

/// A report of a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Some time has passed.
    Progress(&'a Progress),
    /// A chunk was closed.
    Chunk(&'a Entry),
}

/// A run of self-play in a folder.
pub struct Run {
    /// The origin of the games; its number of the first game has no meaning.
    pub origin: Origin,
    /// The openings, if the settings name a book.
    pub book: Option<Openings>,
    /// The network that evaluates.
    pub network: Arc<Network>,
    /// When to end.
    pub targets: Targets,
    /// The number of threads that play; at least one.
    pub threads: usize,
    /// Games in a chunk.
    pub chunk_games: u64,
}

impl Run {
    /// Plays and writes games until a target is reached or `on_event` breaks, which is called several times a second.
    /// Then the games being played are discarded, and the chunks closed.
    ///
    /// # Errors
    /// [`DatagenError`]; every chunk that can be closed is closed.
    pub fn play(
        self,
        folder: &mut Folder,
        on_event: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<(Ending, Progress), DatagenError> {
        let started = Instant::now();
        let played = folder.entries().iter().map(Entry::numbers).collect();
        let end = self.targets.games.unwrap_or(u64::MAX);
        let stop = AtomicBool::new(false);
        let shared = Shared {
            origin: self.origin,
            book: self.book.map(Arc::new),
            network: self.network,
            folder: folder.path().to_owned(),
            numbers: Mutex::new(Numbers::new(played, end, self.chunk_games)),
            stop: &stop,
        };
        let shared = &shared;
        let worker = || move |events: &Sender<WorkerEvent>| shared.work(events);
        let workers = std::iter::repeat_with(worker).take(self.threads.max(1)).collect();
        let leader = Leader { targets: self.targets, started, stop: &stop };
        pool("self-play", workers, &stop, |inbox| leader.follow(&inbox, folder, on_event))
    }
}

/// The thread that keeps the manifest and ends the run.
struct Leader<'a> {
    targets: Targets,
    started: Instant,
    stop: &'a AtomicBool,
}

impl Leader<'_> {
    fn follow(
        &self,
        inbox: &Inbox<WorkerEvent>,
        folder: &mut Folder,
        on_event: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<(Ending, Progress), DatagenError> {
        let mut progress = Progress { before: before(folder), ..Progress::default() };
        let mut ending = None;
        let mut reported = self.started;
        while let Some(message) = inbox.next() {
            progress.elapsed = self.started.elapsed();
            let mut flow = ControlFlow::Continue(());
            match message {
                Message::Sent(WorkerEvent::Game(game)) => note(&mut progress, &game),
                Message::Sent(WorkerEvent::Chunk(entry)) => {
                    flow = on_event(Event::Chunk(&entry));
                    folder.enter(*entry)?;
                }
                Message::Tick => {}
            }
            if reported.elapsed() >= REPORT_INTERVAL {
                reported = Instant::now();
                if on_event(Event::Progress(&progress)).is_break() {
                    flow = ControlFlow::Break(());
                }
            }
            let interrupted = flow.is_break().then_some(Ending::Interrupted);
            ending = ending.or(interrupted).or_else(|| self.ending(&progress));
            if ending.is_some() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        // Without another reason, there was nothing left to play.
        Ok((ending.unwrap_or(Ending::Games), progress))
    }

    /// The target that is reached, if any.
    fn ending(&self, progress: &Progress) -> Option<Ending> {
        if self.targets.positions.is_some_and(|wanted| progress.total().positions >= wanted) {
            Some(Ending::Positions)
        } else if self.targets.time.is_some_and(|time| progress.elapsed >= time) {
            Some(Ending::Time)
        } else {
            None
        }
    }
}

/// The totals of the folder before the run.
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

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Progress {
    /// Games that were there before the run.
    pub before: Totals,
    /// Games played now.
    pub played: Totals,
    /// Searches of moves.
    pub searches: u64,
    /// Nodes of these searches.
    pub nodes: u64,
    /// Openings that were dropped as decided.
    pub dropped: u64,
    /// Games played now, by how they ended, in the order of [`Termination::ALL`].
    pub terminations: [u64; Termination::ALL.len()],
    /// Time since the run began.
    pub elapsed: Duration,
}

impl Progress {
    /// The games before and now together.
    pub fn total(&self) -> Totals {
        let mut total = self.before;
        total += self.played;
        total
    }

    /// Positions played per second.
    pub fn positions_per_second(&self) -> f64 {
        self.played.positions as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// The mean number of nodes of a search.
    pub fn nodes_per_search(&self) -> f64 {
        self.nodes as f64 / self.searches.max(1) as f64
    }
}
