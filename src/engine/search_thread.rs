//! The thread that searches, and the search or other work that is under way.

use super::best_move::Answer;
use super::limits::NodeClock;
use crate::search::{ResourceError, STACK, Searcher, Signals, waiting};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread;

/// The end of something that was started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Done {
    /// A search of so many nodes; its answer has been given.
    Search { nodes: u64 },
    /// A perft or a bench has come to its end.
    Batch,
}

/// What the thread is to do with its searcher, and where it may announce that it is done.
type Task = Box<dyn FnOnce(&mut Searcher, &Sender<Done>) + Send>;

/// Owns the thread that owns the [`Searcher`], and that searches. It takes one task after the other, and
/// ends when the driver is dropped.
pub(super) struct Driver {
    tasks: Sender<Task>,
    done: Receiver<Done>,
}

/// The engine cannot start.
#[derive(Debug)]
pub(super) enum StartError {
    /// There is no memory or no thread for the search.
    Search(ResourceError),
    /// There is no thread to drive it.
    Thread(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(error) => error.fmt(f),
            Self::Thread(error) => write!(f, "cannot start the thread that drives the search: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

impl Driver {
    /// Starts the thread.
    ///
    /// # Errors
    /// [`StartError`] if the machine lacks memory or threads.
    pub(super) fn new(threads: usize, hash_mib: usize) -> Result<Self, StartError> {
        let mut searcher = Searcher::new(threads, hash_mib).map_err(StartError::Search)?;
        let (tasks, orders) = unbounded::<Task>();
        let (announce, done) = unbounded();
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                while let Some(task) = waiting::next(&orders) {
                    task(&mut searcher, &announce);
                }
            })
            .map_err(StartError::Thread)?;
        Ok(Self { tasks, done })
    }

    /// Starts a task whose end is to be heard of on [`Driver::done`].
    pub(super) fn start(&self, task: impl FnOnce(&mut Searcher) -> Done + Send + 'static) {
        self.submit(move |searcher, done| {
            let _ = done.send(task(searcher)); // nobody listens any more when the session is over
        });
    }

    /// Asks the searcher for something and waits for it. Nothing may be under way.
    pub(super) fn ask<R: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Searcher) -> R + Send + 'static,
    ) -> R {
        let (answer, is_answered) = bounded(1);
        self.submit(move |searcher, _| {
            let _ = answer.send(question(searcher));
        });
        waiting::next(&is_answered).expect("the driver's thread lives as long as the driver")
    }

    /// Where the end of each task that was started is announced; closed if the thread has died.
    pub(super) const fn done(&self) -> &Receiver<Done> {
        &self.done
    }

    fn submit(&self, task: impl FnOnce(&mut Searcher, &Sender<Done>) + Send + 'static) {
        self.tasks.send(Box::new(task)).expect("the driver's thread lives as long as the driver");
    }
}

/// What is under way.
pub(super) enum Activity {
    /// Nothing.
    Idle,
    /// A search, whose best move has not been announced yet, or whose thread is not ready for another.
    Searching(Search),
    /// A perft or a bench.
    Batch(Arc<Signals>),
}

/// A search from `go` to `bestmove`.
pub(super) struct Search {
    /// How it is told to stop.
    pub signals: Arc<Signals>,
    /// What comes of it.
    pub answer: Arc<Answer>,
    /// Its nodes are time on a clock that counts them.
    pub is_on_node_clock: bool,
    /// What that clock shows if the opponent plays the expected move.
    pub expected_node_clock: Option<NodeClock>,
    /// Nothing would end it after `ponderhit`.
    pub is_unlimited: bool,
    /// The thread that searched is done with it.
    pub is_over: bool,
}

impl Search {
    /// Must the best move be held back, even if the search is over?
    pub(super) fn is_held(&self) -> bool {
        self.answer.hold().is_on()
    }

    /// Is it a search on the opponent's time?
    pub(super) fn is_pondering(&self) -> bool {
        self.answer.hold().is_pondering
    }

    /// Is nothing left to be done or told?
    pub(super) fn is_settled(&self) -> bool {
        self.is_over && self.answer.is_told()
    }

    /// Ends the search; the best move may be announced.
    pub(super) fn stop(&self) {
        self.signals.stop();
        self.answer.release();
    }

    /// The opponent has played the expected move. A search that was given no limit at all
    /// answers now, since nobody may ever tell it to.
    pub(super) fn ponder_hit(&self) {
        self.signals.ponder_hit();
        self.answer.ponder_hit();
        if self.is_unlimited && !self.is_held() {
            self.signals.stop();
        }
    }
}
