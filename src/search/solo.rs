//! Many short searches, one after the other, in the thread that asks for them.

use super::params::Params;
use super::searcher::{root_moves, static_score};
use super::shared::SharedContext;
use super::table::Table;
use super::thread::{SearchThread, ThreadData};
use super::{Job, Preferences, Report, ResourceError, Signals};
use crate::nnue::{self, Network};
use std::sync::Arc;

/// A searcher without threads of its own, for searches so short that handing them to a thread
/// would take longer. It reports nothing but the result. The thread that asks needs a stack of
/// [`super::STACK`] bytes.
///
/// What it answers depends only on what it was asked since it was made or cleared, as long as
/// no limit is one of time.
pub struct Solo {
    table: Arc<Table>,
    data: ThreadData,
    /// Nobody gives any.
    signals: Arc<Signals>,
    params: Params,
    preferences: Preferences,
    network: Arc<Network>,
}

impl Solo {
    /// The fewest nodes that make a search: with less it may not even have looked at all moves.
    pub const LEAST_NODES: u64 = 50;

    /// A hash table that does for the searches of a game with so many nodes each, in MiB. More would
    /// only take longer to empty, and leave the processor's cache.
    pub fn hash_for(nodes: u64) -> usize {
        /// For so many nodes a search, a MiB holds what the searches of a game leave behind.
        const NODES_PER_MIB: u64 = 500;
        /// The largest table that is used unasked, in MiB.
        const USUAL_MIB: u64 = 16;
        nodes.div_ceil(NODES_PER_MIB).clamp(1, USUAL_MIB) as usize
    }

    /// A searcher with a hash table of `hash_mib` MiB, at least 1; evaluates with the network that
    /// is part of the program.
    ///
    /// # Errors
    /// [`ResourceError::Hash`] if the machine lacks the memory.
    pub fn new(hash_mib: usize) -> Result<Self, ResourceError> {
        let network = nnue::embedded();
        Ok(Self {
            table: Arc::new(Table::new(hash_mib)?),
            data: ThreadData::new(&network),
            signals: Arc::default(),
            params: Params::default(),
            preferences: Preferences::default(),
            network,
        })
    }

    /// Changes the network that positions are evaluated with. What was learned with another one is
    /// forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.clear();
    }

    /// Changes the numbers that steer the search.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// Changes how every search is done from now on.
    pub fn set_preferences(&mut self, preferences: Preferences) {
        self.preferences = preferences;
    }

    /// Forgets everything learned: hash table and histories.
    pub fn clear(&mut self) {
        self.table.clear(1);
        self.data.clear();
    }

    /// Searches until a limit is reached. Without limits that takes a very long time.
    pub fn search(&mut self, job: Job) -> Report {
        let root_moves = root_moves(&job);
        if root_moves.is_empty() {
            let score = static_score(&job.position, &self.network);
            return Report { best: None, ponder: None, score, depth: 0, nodes: 0 };
        }
        self.table.start_search();
        let table = Arc::clone(&self.table);
        let signals = Arc::clone(&self.signals);
        let network = Arc::clone(&self.network);
        let shared = SharedContext::new(job, root_moves, table, signals, self.params, network, 1)
            .with_preferences(self.preferences);
        let result = SearchThread::new(&shared, &mut self.data, 0).iterative_deepening();
        Report {
            best: result.pv.first().copied(),
            ponder: result.pv.get(1).copied(),
            score: result.score,
            depth: result.depth as u32,
            nodes: shared.nodes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::position;
    use super::super::{Limits, Searcher};
    use super::*;
    use crate::chess::Line;

    const POSITIONS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];

    fn job(fen: &str, limits: Limits) -> Job {
        let position = position(fen);
        Job { position, line: Line::new(&position), limits, multi_pv: 1 }
    }

    fn nodes(soft: u64, hard: u64) -> Limits {
        Limits { soft_nodes: Some(soft), nodes: Some(hard), ..Limits::default() }
    }

    #[test]
    fn finds_what_a_searcher_with_one_thread_finds() {
        let mut solo = Solo::new(1).expect("a MiB is there");
        let mut searcher = Searcher::new(1, 1).expect("a thread and a MiB are there");
        // Twice, since what was learned counts.
        for fen in POSITIONS.into_iter().chain(POSITIONS) {
            let expected = searcher.search(job(fen, nodes(2000, 3000)), &Arc::default(), &mut ());
            let found = solo.search(job(fen, nodes(2000, 3000)));
            assert_eq!(
                (found.best, found.score, found.depth, found.nodes),
                (expected.best, expected.score, expected.depth, expected.nodes),
                "{fen}"
            );
        }
    }

    #[test]
    fn cleared_it_is_as_new() {
        let mut solo = Solo::new(1).expect("a MiB is there");
        let mut answers = || POSITIONS.map(|fen| solo.search(job(fen, nodes(1000, 2000))));
        let first = answers();
        assert_ne!(answers(), first, "it has learned");
        solo.clear();
        assert_eq!(POSITIONS.map(|fen| solo.search(job(fen, nodes(1000, 2000)))), first);
    }

    #[test]
    fn no_iteration_begins_after_the_soft_limit() {
        let mut solo = Solo::new(1).expect("a MiB is there");
        for fen in POSITIONS {
            for soft in [1, 100, 1000, 5000] {
                solo.clear();
                let report = solo.search(job(fen, nodes(soft, u64::MAX)));
                assert!(report.nodes >= soft, "{fen}: {soft}");
                // One iteration less takes fewer nodes than the limit.
                solo.clear();
                let depth = Some(report.depth.saturating_sub(1));
                let less = solo.search(job(fen, Limits { depth, ..Limits::default() }));
                assert!(report.depth == 1 || less.nodes < soft, "{fen}: {soft}");
                solo.clear();
                let hard = solo.search(job(fen, nodes(soft, soft + 7)));
                assert!(hard.nodes <= soft + 7, "{fen}: {soft}");
            }
        }
    }

    #[test]
    fn without_a_move_there_is_only_a_score() {
        let mut solo = Solo::new(1).expect("a MiB is there");
        let report = solo.search(job("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", nodes(10, 20)));
        assert_eq!((report.best, report.score.mate_in()), (None, Some(0)));
    }
}
