//! The data shared by the threads of one search.

use super::params::Params;
use super::table::Table;
use super::tablebase::TablebaseProbe;
use super::{Job, SearchOptions, Signals};
use crate::chess::Move;
use crate::nnue::Network;
use crate::tablebase::Tablebase;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const NANOSECONDS_PER_MILLISECOND: u64 = 1_000_000;

/// The counters of one thread, on a cache line of their own to avoid false sharing.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct Counter {
    /// Nodes: moves made.
    pub nodes: AtomicU64,
    /// Tablebase hits.
    pub tb_hits: AtomicU64,
}

impl Counter {
    /// Counts a tablebase hit. Only the thread that owns the counter calls this.
    pub(super) fn count_tb_hit(&self) {
        self.tb_hits.store(self.tb_hits.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

/// One search: its job, and the resources that its threads share.
pub(super) struct SharedContext {
    pub job: Job,
    /// The moves to be searched at the root; at least one.
    pub root_moves: Vec<Move>,
    pub table: Arc<Table>,
    pub signals: Arc<Signals>,
    pub params: Params,
    /// The network for evaluations.
    pub network: Arc<Network>,
    pub options: SearchOptions,
    /// The endgame tablebases, if there are any.
    pub tablebase: Option<TablebaseProbe>,
    pub counters: Vec<Counter>,
    started: Instant,
    /// Nodes of the node limit that no thread has claimed yet.
    unclaimed_nodes: AtomicU64,
    /// Set when the main thread has finished.
    finished: AtomicBool,
}

impl SharedContext {
    /// A search that starts now.
    pub(super) fn new(
        job: Job,
        root_moves: Vec<Move>,
        table: Arc<Table>,
        signals: Arc<Signals>,
        params: Params,
        network: Arc<Network>,
        threads: usize,
    ) -> Self {
        let counters = std::iter::repeat_with(Counter::default).take(threads).collect();
        let unclaimed_nodes = AtomicU64::new(job.limits.nodes.unwrap_or(u64::MAX));
        let (started, finished) = (Instant::now(), AtomicBool::new(false));
        Self {
            job,
            root_moves,
            table,
            signals,
            params,
            network,
            options: SearchOptions::default(),
            tablebase: None,
            counters,
            started,
            unclaimed_nodes,
            finished,
        }
    }

    /// This search with other options.
    pub(super) fn with_options(self, options: SearchOptions) -> Self {
        Self { options, ..self }
    }

    /// This search with endgame tablebases, which may restrict the root moves.
    pub(super) fn with_tablebase(mut self, tables: Option<Arc<Tablebase>>) -> Self {
        self.tablebase =
            tables.and_then(|tables| TablebaseProbe::new(tables, &self.job, &self.root_moves, &self.options));
        if let Some(tablebase) = &self.tablebase {
            tablebase.restrict(&mut self.root_moves, self.job.multi_pv);
            if let Some(counter) = self.counters.first() {
                counter.tb_hits.store(tablebase.root_hits(), Ordering::Relaxed);
            }
        }
        self
    }

    /// Whether all threads must stop.
    pub(super) fn is_over(&self) -> bool {
        self.signals.is_stopped() || self.finished.load(Ordering::Relaxed)
    }

    /// Signals that the main thread has its result.
    pub(super) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// Time since the start of the search.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time used, as the time limits count it: in time or in nodes.
    pub(super) fn time_used(&self) -> Duration {
        match self.options.nodes_per_millisecond {
            Some(rate) => {
                Duration::from_nanos(self.nodes().saturating_mul(NANOSECONDS_PER_MILLISECOND) / rate)
            }
            None => self.elapsed(),
        }
    }

    /// Claims up to `most` nodes of the node limit. The share of a thread shrinks with the number of nodes
    /// left, so that all threads together come close to the limit and never exceed it.
    pub(super) fn claim_nodes(&self, most: u64) -> u64 {
        if self.job.limits.nodes.is_none() {
            return most;
        }
        let share = |left: u64| (left / self.counters.len().max(1) as u64).clamp(1, most.max(1)).min(left);
        let claimed = self
            .unclaimed_nodes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left - share(left)));
        claimed.map_or(0, share)
    }

    /// Nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.nodes.load(Ordering::Relaxed)).sum()
    }

    /// Tablebase hits of all threads; `None` without tablebases.
    pub(super) fn tb_hits(&self) -> Option<u64> {
        self.tablebase.as_ref()?;
        Some(self.counters.iter().map(|counter| counter.tb_hits.load(Ordering::Relaxed)).sum())
    }
}
