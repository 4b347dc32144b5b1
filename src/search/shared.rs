//! The data shared by the threads of one search, and the counts of each thread.

use super::params::Params;
use super::table::Table;
use super::tablebase::TablebaseProbe;
use super::{Job, SearchOptions, Signals};
use crate::chess::Move;
use crate::nnue::Network;
use crate::tablebase::Tablebase;
use std::ops::AddAssign;
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

/// Something that happens in a search and is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// The hash table was probed.
    Probe { is_hit: bool },
    /// The quiescence search has made a move.
    QuiescenceNode,
    /// A late move was searched with reduced depth.
    Reduction,
    /// A late move was searched again, since the reduced search exceeded alpha.
    ReSearch,
    /// The last of some moves that were searched at a node of the main search caused a cutoff.
    Cutoff { moves: u32 },
}

/// Counts of what searches do. All are zero unless [`Statistics::ARE_COUNTED`]: counting takes time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Probes of the hash table.
    pub probes: u64,
    /// Probes that found the position.
    pub hits: u64,
    /// Moves made by the quiescence search.
    pub quiescence_nodes: u64,
    /// Searches of late moves with reduced depth.
    pub reductions: u64,
    /// Searches of late moves that were repeated, since the reduced search exceeded alpha.
    pub re_searches: u64,
    /// Nodes of the main search at which a move caused a cutoff.
    pub cutoffs: u64,
    /// Cutoffs by the first move.
    pub first_move_cutoffs: u64,
    /// Moves that were searched at the nodes with a cutoff.
    pub cutoff_moves: u64,
}

impl Statistics {
    /// Whether this build counts: in builds with the feature `tune`.
    pub const ARE_COUNTED: bool = cfg!(feature = "tune");

    /// Counts an event if a condition holds, if this build does so.
    #[inline(always)]
    pub(super) fn count_if(&mut self, condition: bool, event: Event) {
        if condition {
            self.count(event);
        }
    }

    /// Counts an event, if this build does so.
    #[inline(always)]
    pub(super) fn count(&mut self, event: Event) {
        if !Self::ARE_COUNTED {
            return;
        }
        match event {
            Event::Probe { is_hit } => {
                self.probes += 1;
                self.hits += u64::from(is_hit);
            }
            Event::QuiescenceNode => self.quiescence_nodes += 1,
            Event::Reduction => self.reductions += 1,
            Event::ReSearch => self.re_searches += 1,
            Event::Cutoff { moves } => {
                self.cutoffs += 1;
                self.first_move_cutoffs += u64::from(moves == 1);
                self.cutoff_moves += u64::from(moves);
            }
        }
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.quiescence_nodes += other.quiescence_nodes;
        self.reductions += other.reductions;
        self.re_searches += other.re_searches;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.cutoff_moves += other.cutoff_moves;
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
