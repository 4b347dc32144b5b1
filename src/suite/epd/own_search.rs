//! Our own search as a solver.

use super::{Answer, SearchStats, Solver, SolverError, SolverInfo};
use crate::chess::{KeyHistory, Position};
use crate::nnue::Network;
use crate::notation::CastlingStyle;
use crate::search::{
    Bound, Iteration, Job, Limits, Listener, Params, ResourceError, STACK, Score, SearchOptions, Searcher,
    Signals,
};
use crate::tablebase::Tablebase;
use crate::uci::InfoValue;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The options of the search.
#[derive(Clone, Debug)]
pub struct OwnOptions {
    /// The number of search threads.
    pub threads: usize,
    /// The size of the hash table, in MiB.
    pub hash_mib: usize,
    /// The number of best lines to search; only the first one is the answer.
    pub multi_pv: usize,
    /// The notation of castling in results.
    pub castling: CastlingStyle,
    /// The network; `None` for the embedded one.
    pub network: Option<Arc<Network>>,
    /// The endgame tablebases.
    pub tables: Option<Arc<Tablebase>>,
    /// Contempt and the use of endgame tablebases.
    pub search: SearchOptions,
    /// The search parameters.
    pub params: Params,
}

impl OwnOptions {
    /// The default size of the hash table, in MiB.
    pub const DEFAULT_HASH_MIB: usize = 64;
}

impl Default for OwnOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            hash_mib: Self::DEFAULT_HASH_MIB,
            multi_pv: 1,
            castling: CastlingStyle::default(),
            network: None,
            tables: None,
            search: SearchOptions::default(),
            params: Params::default(),
        }
    }
}

/// The search of this program.
pub struct OwnSearch {
    searcher: Searcher,
    multi_pv: usize,
    castling: CastlingStyle,
}

impl OwnSearch {
    /// A solver with these options.
    ///
    /// # Errors
    /// [`ResourceError`] if the machine lacks the threads or the memory.
    pub fn new(options: OwnOptions) -> Result<Self, ResourceError> {
        let mut searcher = Searcher::new(options.threads, options.hash_mib)?;
        searcher.set_params(options.params);
        searcher.set_options(options.search);
        searcher.set_tablebase(options.tables);
        if let Some(network) = options.network {
            searcher.set_network(network);
        }
        Ok(Self { searcher, multi_pv: options.multi_pv, castling: options.castling })
    }
}

impl Solver for OwnSearch {
    fn name(&self) -> &str {
        concat!("Hematite ", env!("CARGO_PKG_VERSION"))
    }

    fn castling(&self) -> CastlingStyle {
        self.castling
    }

    fn solve(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_info: &mut dyn FnMut(Option<&SolverInfo>) -> ControlFlow<()>,
    ) -> Result<Answer, SolverError> {
        self.searcher.clear();
        let signals = Arc::new(Signals::default());
        let job = Job {
            position: *position,
            key_history: KeyHistory::new(position),
            limits: limits.clone(),
            multi_pv: self.multi_pv,
        };
        let started = Instant::now();
        // `on_info` is called at intervals to ask whether to continue, even if there is nothing to report.
        let (sender, receiver) = bounded(0);
        let (reply, go_on) = bounded(0);
        let searcher = &mut self.searcher;
        let (report, last) = thread::scope(|scope| {
            let signals = &signals;
            let search = move || {
                let mut relay = Relay { sender, go_on, last: None };
                (searcher.search(job, signals, &mut relay), relay.last)
            };
            let search = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search);
            let search = search.map_err(|_| SolverError::Resource(ResourceError::Threads(1)))?;
            loop {
                let info = match receiver.recv_timeout(LOOK) {
                    Ok(info) => Some(info),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if on_info(info.as_ref()).is_break() {
                    signals.stop();
                }
                if info.is_some() {
                    let _ = reply.send(());
                }
            }
            Ok::<_, SolverError>(search.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })?;
        let pv = match (report.best_move, last) {
            (None, _) => Vec::new(),
            (Some(best), Some(last)) if last.pv.first() == Some(&best) => last.pv,
            (Some(best), _) => vec![best],
        };
        Ok(Answer {
            end: SearchStats { elapsed: started.elapsed(), nodes: report.nodes, depth: report.depth },
            best: report.best_move,
            fault: None,
            score: Some(value(report.score)),
            pv,
        })
    }
}

/// The interval at which to ask whether to continue.
const LOOK: Duration = Duration::from_millis(100);

/// Passes iterations to another thread, and waits until they have been received.
struct Relay {
    sender: Sender<SolverInfo>,
    go_on: Receiver<()>,
    last: Option<Iteration>,
}

impl Listener for Relay {
    fn iteration(&mut self, iteration: &Iteration) {
        // Lines other than the first one are not answers.
        let Some(&best) = iteration.pv.first().filter(|_| iteration.multipv == 1) else { return };
        let info = SolverInfo {
            stats: SearchStats { elapsed: iteration.elapsed, nodes: iteration.nodes, depth: iteration.depth },
            best,
            score: Some(value(iteration.score)),
            is_complete: iteration.bound == Bound::Exact,
        };
        if self.sender.send(info).is_ok() {
            let _ = self.go_on.recv();
        }
        self.last = Some(iteration.clone());
    }
}

/// A score in UCI units.
const fn value(score: Score) -> InfoValue {
    match score.mate_in() {
        Some(moves) => InfoValue::Mate(moves),
        None => InfoValue::Centipawns(score.to_cp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_can_be_stopped_while_nothing_new_is_found() {
        let mut solver =
            OwnSearch::new(OwnOptions { hash_mib: 1, ..OwnOptions::default() }).expect("a thread and a MiB");
        let limits = Limits { move_time: Some(Duration::from_secs(100_000)), ..Limits::default() };
        let mut infos = 0;
        let mut on_info = |info: Option<&SolverInfo>| match info {
            Some(_) => {
                infos += 1;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let answer = solver.solve(&Position::start(), &limits, &mut on_info).expect("it can search");
        assert!(answer.best.is_some() && infos > 1, "{infos}");
    }
}
