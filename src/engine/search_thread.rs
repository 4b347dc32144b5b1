//! The thread that searches, and the search or other work that is under way.

use super::best_move::PendingBestMove;
use super::limits::NodeClock;
use crate::search::{ResourceError, STACK, Searcher, Signals, recv_parked};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io;
use std::sync::Arc;
use std::thread;

/// The end of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Done {
    /// A search of this many nodes; its result has been reported.
    Search { nodes: u64 },
    /// A perft, a bench or the like.
    Batch,
}

/// Work for the searcher, with the channel that announces its end.
type Task = Box<dyn FnOnce(&mut Searcher, &Sender<Done>) + Send>;

/// The thread that owns the [`Searcher`]. It runs one task after the other, and ends when the handle is dropped.
pub(super) struct SearchHandle {
    tasks: Sender<Task>,
    done: Receiver<Done>,
}

/// Why the engine cannot start.
#[derive(Debug, thiserror::Error)]
pub(super) enum StartError {
    /// The search lacks memory or threads.
    #[error("{0}")]
    Search(#[source] ResourceError),
    /// The searching thread cannot be started.
    #[error("cannot start the thread that drives the search: {0}")]
    Thread(#[source] io::Error),
}

impl SearchHandle {
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
                while let Some(task) = recv_parked(&orders) {
                    task(&mut searcher, &announce);
                }
            })
            .map_err(StartError::Thread)?;
        Ok(Self { tasks, done })
    }

    /// Starts a task whose end [`SearchHandle::done`] announces.
    pub(super) fn start(&self, task: impl FnOnce(&mut Searcher) -> Done + Send + 'static) {
        self.submit(move |searcher, done| {
            let _ = done.send(task(searcher)); // the receiver is gone when the session is over
        });
    }

    /// Runs a task and waits for its result. No other may be under way.
    pub(super) fn run<R: Send + 'static>(&self, task: impl FnOnce(&mut Searcher) -> R + Send + 'static) -> R {
        let (answer, is_answered) = bounded(1);
        self.submit(move |searcher, _| {
            let _ = answer.send(task(searcher));
        });
        recv_parked(&is_answered).expect("the thread lives as long as its handle")
    }

    /// Announces the end of each started task; closed if the thread has died.
    pub(super) const fn done(&self) -> &Receiver<Done> {
        &self.done
    }

    fn submit(&self, task: impl FnOnce(&mut Searcher, &Sender<Done>) + Send + 'static) {
        self.tasks.send(Box::new(task)).expect("the thread lives as long as its handle");
    }
}

/// The work that is under way.
pub(super) enum Activity {
    /// None.
    Idle,
    /// A search, until its best move is printed and its thread is ready for another.
    Searching(Search),
    /// A perft, a bench or the like.
    Batch(Arc<Signals>),
}

/// A search, as the session knows it.
pub(super) struct Search {
    pub best_move: Arc<PendingBestMove>,
    /// Whether its nodes count on the node clock.
    pub is_on_node_clock: bool,
    /// The node clock after a ponder hit.
    pub expected_node_clock: Option<NodeClock>,
    /// Whether the searching thread is done with it.
    pub is_over: bool,
}

impl Search {
    /// Whether nothing is left to do or to print.
    pub(super) fn is_settled(&self) -> bool {
        self.is_over && self.best_move.is_printed()
    }
}
