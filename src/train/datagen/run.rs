//! A run of self-play and its progress.

use super::worker::{Numbers, OpenChunks, Shared, WorkerEvent};
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

/// The targets at which a run ends; a target of `None` does not end it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Targets {
    /// The number of games in the folder, including those of earlier runs.
    pub games: Option<u64>,
    /// The number of positions in the folder, including those of earlier runs.
    pub positions: Option<u64>,
    /// The time of this run.
    pub time: Option<Duration>,
}

/// The reason why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The target number of games has been reached.
    Games,
    /// The target number of positions has been reached.
    Positions,
    /// The time is over.
    Time,
    /// The run was interrupted.
    Interrupted,
}

/// An event of a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Some time has passed.
    Progress(&'a Progress),
    /// A chunk was closed.
    Chunk(&'a Entry),
}

/// A run of self-play in a folder.
pub struct Run {
    /// The origin of the games; its number of the first game is not used.
    pub origin: Origin,
    /// The openings, if the settings contain a book.
    pub book: Option<Openings>,
    /// The network for evaluations.
    pub network: Arc<Network>,
    /// The targets.
    pub targets: Targets,
    /// The number of playing threads; at least one.
    pub threads: usize,
    /// The number of games in a chunk.
    pub chunk_games: u64,
}

impl Run {
    /// Plays and writes games until a target is reached or `on_event`, which is called several times per second,
    /// returns a break. The games in progress are then discarded, and the chunks closed.
    ///
    /// # Errors
    /// [`DatagenError`]; all chunks that can be closed are closed.
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
            chunks: Mutex::new(OpenChunks::new(Numbers::new(played, end, self.chunk_games))),
            stop: &stop,
        };
        let shared = &shared;
        let worker = || move |events: &Sender<WorkerEvent>| shared.work(events);
        let workers = std::iter::repeat_with(worker).take(self.threads.max(1)).collect();
        let leader = Leader { targets: self.targets, started, stop: &stop };
        pool("self-play", workers, &stop, |inbox| leader.follow(&inbox, folder, on_event))
    }
}

/// The leader, which updates the manifest and ends the run.
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
        // Without another reason, all games have been played.
        Ok((ending.unwrap_or(Ending::Games), progress))
    }

    /// The target that has been reached, if any.
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
    /// The games in the folder before the run.
    pub before: Totals,
    /// The games played in this run.
    pub played: Totals,
    /// The number of searches for moves.
    pub searches: u64,
    /// The number of nodes of these searches.
    pub nodes: u64,
    /// The number of openings that were rejected because they were decided.
    pub dropped: u64,
    /// The number of games played in this run by termination, in the order of [`Termination::ALL`].
    pub terminations: [u64; Termination::ALL.len()],
    /// The time since the start of the run.
    pub elapsed: Duration,
}

impl Progress {
    /// The totals of the games before and in this run.
    pub fn total(&self) -> Totals {
        let mut total = self.before;
        total += self.played;
        total
    }

    /// The number of positions played per second.
    pub fn positions_per_second(&self) -> f64 {
        self.played.positions as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// The mean number of nodes of a search.
    pub fn nodes_per_search(&self) -> f64 {
        self.nodes as f64 / self.searches.max(1) as f64
    }
}
