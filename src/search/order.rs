//! What the threads of one search share.

use super::params::Params;
use super::table::Table;
use super::{Job, Preferences, Signals};
use crate::chess::Move;
use crate::nnue::Network;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const NANOSECONDS_PER_MILLISECOND: u64 = 1_000_000;

/// Nodes that one thread has visited, on a cache line of its own so that counting disturbs
/// nobody.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct Counter(pub AtomicU64);

/// One search, as the threads are told to do it.
pub(super) struct Order {
    pub job: Job,
    /// The moves to be searched at the root; at least one.
    pub candidates: Vec<Move>,
    pub table: Arc<Table>,
    pub signals: Arc<Signals>,
    pub params: Params,
    /// What positions are evaluated with, if not by material and squares.
    pub network: Option<Arc<Network>>,
    pub preferences: Preferences,
    pub counters: Vec<Counter>,
    started: Instant,
    /// Set when the main thread is done.
    finished: AtomicBool,
}

impl Order {
    /// The time of the search counts from here.
    pub(super) fn new(
        job: Job,
        candidates: Vec<Move>,
        table: Arc<Table>,
        signals: Arc<Signals>,
        params: Params,
        preferences: Preferences,
        threads: usize,
    ) -> Self {
        let counters = std::iter::repeat_with(Counter::default).take(threads).collect();
        let (started, finished) = (Instant::now(), AtomicBool::new(false));
        let network = None;
        Self { job, candidates, table, signals, params, network, preferences, counters, started, finished }
    }

    /// The same with a network.
    pub(super) fn with_network(self, network: Option<Arc<Network>>) -> Self {
        Self { network, ..self }
    }

    /// Should every thread end?
    pub(super) fn is_over(&self) -> bool {
        self.signals.is_stopped() || self.finished.load(Ordering::Relaxed)
    }

    /// The main thread has its result.
    pub(super) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The same as the limits count it, which may be in nodes.
    pub(super) fn time_used(&self) -> Duration {
        match self.preferences.nodes_per_millisecond {
            Some(rate) => {
                Duration::from_nanos(self.nodes().saturating_mul(NANOSECONDS_PER_MILLISECOND) / rate)
            }
            None => self.elapsed(),
        }
    }

    /// Nodes visited by all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }
}
