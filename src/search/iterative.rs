//! Iterative deepening with aspiration windows
//! (<https://www.chessprogramming.org/Iterative_Deepening>,
//! <https://www.chessprogramming.org/Aspiration_Windows>).

use super::evaluation::Optimism;
use super::mate_search::{MateOutcome, MateSearch};
use super::node::Root;
use super::root::RootMove;
use super::shared::Statistics;
use super::thread::{SearchThread, Stopped};
use super::time::SearchTrend;
use super::{Bound, MAX_PLY, Score};
use crate::chess::Move;

/// The maximum depth, in plies.
const MAX_DEPTH: i32 = MAX_PLY as i32 - 1;
/// The mate search starts after this many iterations, so that there is a good move if it finds no mate.
const MATE_SEARCH_MIN_DEPTH: i32 = 6;

/// Aspiration windows that reach beyond this score, in search units, are opened fully.
const FULL_WINDOW_SCORE: i32 = 5_000;

/// The result of one thread.
#[derive(Clone, Debug)]
pub(super) struct ThreadResult {
    /// The thread's number; 0 is the main thread.
    pub id: usize,
    /// The score of the principal variation.
    pub score: Score,
    /// The bound type of the score.
    pub bound: Bound,
    /// The last completed iteration, in plies.
    pub depth: i32,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// The selective depth, in plies.
    pub seldepth: usize,
    /// The counts of the thread.
    pub statistics: Statistics,
}

impl SearchThread<'_> {
    /// Searches with increasing depth until a limit is reached.
    pub(super) fn iterative_deepening(&mut self) -> ThreadResult {
        let lines = self.shared.job.multi_pv.clamp(1, self.root.len().max(1));
        let limit =
            self.shared.job.limits.depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH as u32) as i32);
        // Only the main thread checks the limits; the other threads search until it has finished.
        let (first, last) = if self.id == 0 { (1, limit) } else { (1 + self.id as i32 % 2, MAX_DEPTH) };

        let mut completed = 0;
        let mut stable = 0;
        let mut mate_search = self.shared.job.limits.mate.filter(|_| self.id == 0).map(MateSearch::new);
        for iteration in first..=last {
            self.iteration = iteration;
            if let Some(search) = mate_search.as_mut().filter(|_| completed >= MATE_SEARCH_MIN_DEPTH) {
                match self.mate_search(search) {
                    Ok(MateOutcome::Unfinished) => {}
                    Ok(MateOutcome::Mate(plies)) => {
                        completed = plies as i32;
                        break;
                    }
                    Ok(MateOutcome::NoMate) => break,
                    Err(Stopped) => {
                        self.return_to_root();
                        break;
                    }
                }
            }
            self.root.start_iteration();
            let best_before = self.best_move();
            if (0..lines).try_for_each(|index| self.aspiration_search(index)).is_err() {
                self.return_to_root();
                self.root.sort_current_pv();
                // The result is the last one reported, including a mate found just now.
                if self.root.best(0).and_then(RootMove::reported) != self.last_reported {
                    self.report(0);
                }
                break;
            }
            completed = iteration;
            for multipv_index in 0..lines {
                self.report(multipv_index);
            }
            self.report_refutations(lines);
            stable = if self.best_move() == best_before { stable + 1 } else { 0 };
            if self.is_done(stable) {
                break;
            }
        }
        self.thread_result(completed)
    }

    /// Searches the principal variation with this index, counted from 0, with aspiration windows until the
    /// score is exact.
    fn aspiration_search(&mut self, multipv_index: usize) -> Result<(), Stopped> {
        let shared = self.shared;
        self.root.start_pv(multipv_index);
        self.seldepth = 0;
        let mut width = self.params.aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let expected = self.root.best(multipv_index).and_then(|root_move| root_move.previous_score);
        if let Some(expected) = expected.filter(|score| !score.is_decisive())
            && self.iteration >= self.params.aspiration_depth()
        {
            (alpha, beta) = (expected - width, expected + width);
        }
        if let Some(expected) = expected.filter(|score| !score.is_decisive())
            && !shared.options.is_plain
        {
            self.optimism = Optimism::new(&self.params, expected, shared.job.position.turn());
        }
        loop {
            self.root_delta = beta - alpha;
            let score = self.search::<Root>(&shared.job.position, 0, self.iteration, alpha, beta, false)?;
            self.root.sort_current_pv();
            if score <= alpha && alpha > -Score::INFINITE {
                self.report(multipv_index);
                beta = beta.min(alpha + width);
                alpha = score - width;
            } else if score >= beta && beta < Score::INFINITE {
                self.report(multipv_index);
                beta = score + width;
            } else {
                break;
            }
            width += width * self.params.aspiration_growth() / 100 + 1;
            // Mate scores are far from all other scores.
            if !(-FULL_WINDOW_SCORE..=FULL_WINDOW_SCORE).contains(&alpha.units()) {
                alpha = -Score::INFINITE;
            }
            if !(-FULL_WINDOW_SCORE..=FULL_WINDOW_SCORE).contains(&beta.units()) {
                beta = Score::INFINITE;
            }
        }
        self.root.sort_finished_pvs();
        Ok(())
    }

    /// Whether the main thread has reached a limit at the end of an iteration.
    fn is_done(&mut self, stable: i32) -> bool {
        if self.shared.is_over() {
            return true;
        }
        let Some(best) = self.root.best(0).filter(|_| self.id == 0) else { return false };
        let limits = &self.shared.job.limits;
        if limits.soft_nodes.is_some_and(|enough| self.shared.nodes() >= enough) {
            return true;
        }
        let mate = best.score.and_then(Score::mate_in);
        if let (Some(wanted), Some(found)) = (limits.mate, mate)
            && found > 0
            && found.unsigned_abs() <= wanted
        {
            return true;
        }
        let is_pondering = self.shared.signals.is_pondering();
        let is_only_move = self.root.len() == 1 && self.iteration >= self.params.only_move_depth();
        if is_only_move && self.time.has_clock() && !is_pondering {
            return true;
        }
        let drop = match (best.previous_score, best.score) {
            (Some(before), Some(now)) if !before.is_decisive() && !now.is_decisive() => before - now,
            _ => 0,
        };
        let effort = (best.effort * 100 / self.nodes.max(1)) as i32;
        let trend = SearchTrend { stable, drop, effort };
        self.time.soft_limit_reached(&self.params, &trend, self.shared.time_used(), is_pondering)
    }

    fn best_move(&self) -> Option<Move> {
        self.root.best(0).map(|root_move| root_move.mv)
    }

    fn thread_result(&self, completed: i32) -> ThreadResult {
        let best = self.root.best(0);
        ThreadResult {
            id: self.id,
            score: best.and_then(RootMove::reported_score).unwrap_or(Score::DRAW),
            bound: best.map_or(Bound::Exact, |best| best.bound),
            depth: completed,
            // A move without a score was never searched.
            pv: best.filter(|best| best.reported_score().is_some()).map(|best| best.pv()).unwrap_or_default(),
            seldepth: best.map_or(0, |best| best.seldepth),
            statistics: self.statistics,
        }
    }
}
