//! Our own search as a solver.

use super::{Answer, Budget, Moment, Solver, SolverError, Thought};
use crate::chess::{Line, Position};
use crate::search::{Bound, Iteration, Job, Limits, Listener, ResourceError, Score, Searcher, Signals};
use crate::uci::InfoValue;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// The search of this program.
pub struct OwnSearch {
    searcher: Searcher,
}

impl OwnSearch {
    /// With so many threads and a hash table of so many MiB.
    ///
    /// # Errors
    /// [`ResourceError`] if the machine lacks them.
    pub fn new(threads: usize, hash_mib: usize) -> Result<Self, ResourceError> {
        Ok(Self { searcher: Searcher::new(threads, hash_mib)? })
    }
}

impl Solver for OwnSearch {
    fn name(&self) -> &str {
        concat!("Hematite ", env!("CARGO_PKG_VERSION"))
    }

    fn solve(
        &mut self,
        position: &Position,
        budget: Budget,
        hear: &mut dyn FnMut(Option<&Thought>) -> ControlFlow<()>,
    ) -> Result<Answer, SolverError> {
        self.searcher.clear();
        let signals = Arc::new(Signals::default());
        let Budget { time, nodes, depth, mate } = budget;
        let limits = Limits { depth, nodes, mate, move_time: time, ..Limits::default() };
        let job = Job { position: *position, line: Line::new(position), limits, multi_pv: 1 };
        let mut ear = Ear { signals: Arc::clone(&signals), hear, last: None };
        let started = Instant::now();
        let report = self.searcher.search(job, &signals, &mut ear);
        let pv = match (report.best, ear.last) {
            (None, _) => Vec::new(),
            (Some(best), Some(last)) if last.pv.first() == Some(&best) => last.pv,
            (Some(best), _) => vec![best],
        };
        Ok(Answer {
            end: Moment { elapsed: started.elapsed(), nodes: report.nodes, depth: report.depth },
            best: report.best,
            illegal: None,
            score: Some(value(report.score)),
            pv,
        })
    }
}

/// Hands thoughts on.
struct Ear<'a> {
    signals: Arc<Signals>,
    hear: &'a mut dyn FnMut(Option<&Thought>) -> ControlFlow<()>,
    last: Option<Iteration>,
}

impl Listener for Ear<'_> {
    fn iteration(&mut self, iteration: &Iteration) {
        let Some(&best) = iteration.pv.first() else { return };
        let thought = Thought {
            moment: Moment { elapsed: iteration.elapsed, nodes: iteration.nodes, depth: iteration.depth },
            best,
            score: Some(value(iteration.score)),
            is_complete: iteration.bound == Bound::Exact,
        };
        if (self.hear)(Some(&thought)).is_break() {
            self.signals.stop();
        }
        self.last = Some(iteration.clone());
    }
}

/// A score as UCI states it.
const fn value(score: Score) -> InfoValue {
    match score.mate_in() {
        Some(moves) => InfoValue::Mate(moves),
        None => InfoValue::Centipawns(score.told()),
    }
}
