//! The searching thread, and the current search or other work.

use super::best_move::PendingBestMove;
use super::limits::NodeClock;
use crate::search::{ResourceError, STACK, Searcher, Signals, Table, recv_parked};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io;
use std::sync::Arc;
use std::thread;

/// The end of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Done {
    /// A search of this many nodes has ended; its result has been reported.
    Search { nodes: u64 },
    /// Other work, such as a perft or a bench, has ended.
    Batch,
}

/// Work for the searcher, with the channel that announces its end.
type Task = Box<dyn FnOnce(&mut Searcher, &Sender<Done>) + Send>;

/// The thread that owns the [`Searcher`]. It runs one task after the other, and ends when this handle is dropped.
pub(super) struct SearchHandle {
    tasks: Sender<Task>,
    done: Receiver<Done>,
}

/// The reason why the engine cannot start.
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
    /// Starts the thread, with a searcher of one thread. The network is unpacked there, so that a GUI does not wait for
    /// it during the handshake.
    ///
    /// # Errors
    /// [`StartError`] if the machine lacks memory or threads.
    pub(super) fn new(hash_mib: usize) -> Result<Self, StartError> {
        let table = Table::new(hash_mib).map_err(StartError::Search)?;
        let (tasks, orders) = unbounded::<Task>();
        let (announce, done) = unbounded();
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let mut searcher = Searcher::with_table(table);
                while let Some(task) = recv_parked(&orders) {
                    task(&mut searcher, &announce);
                }
            })
            .map_err(StartError::Thread)?;
        Ok(Self { tasks, done })
    }

    /// Starts a task, whose end is announced by [`SearchHandle::done`].
    pub(super) fn start(&self, task: impl FnOnce(&mut Searcher) -> Done + Send + 'static) {
        self.submit(move |searcher, done| {
            let _ = done.send(task(searcher)); // there is no receiver after the session has ended
        });
    }

    /// Runs a task and waits for its result. No other task may be running.
    pub(super) fn run<R: Send + 'static>(&self, task: impl FnOnce(&mut Searcher) -> R + Send + 'static) -> R {
        let (answer, is_answered) = bounded(1);
        self.submit(move |searcher, _| {
            let _ = answer.send(task(searcher));
        });
        recv_parked(&is_answered).expect("the thread lives as long as its handle")
    }

    /// Waits until the searcher is built, and for the current task.
    pub(super) fn wait_until_ready(&self) {
        self.run(|_| ());
    }

    /// The channel that announces the end of each started task; closed if the thread has died.
    pub(super) const fn done(&self) -> &Receiver<Done> {
        &self.done
    }

    fn submit(&self, task: impl FnOnce(&mut Searcher, &Sender<Done>) + Send + 'static) {
        self.tasks.send(Box::new(task)).expect("the thread lives as long as its handle");
    }
}

/// The current work.
pub(super) enum Activity {
    /// No work.
    Idle,
    /// A search, until its best move has been printed and its thread is ready for another one.
    Searching(Search),
    /// Other work, such as a perft or a bench.
    Batch(Arc<Signals>),
}

/// The session's data of a search.
pub(super) struct Search {
    pub best_move: Arc<PendingBestMove>,
    /// Whether the nodes of the search are subtracted from the node clock.
    pub is_on_node_clock: bool,
    /// The node clock that is used after a ponder hit.
    pub expected_node_clock: Option<NodeClock>,
    /// Whether the searching thread has finished the search.
    pub is_over: bool,
}

impl Search {
    /// Whether the search has ended and its best move has been printed.
    pub(super) fn is_settled(&self) -> bool {
        self.is_over && self.best_move.is_printed()
    }
}
