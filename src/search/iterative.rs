//! Iterative deepening with aspiration windows
//! (<https://www.chessprogramming.org/Iterative_Deepening>,
//! <https://www.chessprogramming.org/Aspiration_Windows>).

use super::mate_search::{MateOutcome, MateSearch};
use super::node::Root;
use super::root::RootMove;
use super::thread::{SearchThread, Stopped};
use super::time::SearchTrend;
use super::{Bound, MAX_PLY, Score};
use crate::chess::Move;

/// The deepest iteration, in plies.
const MAX_DEPTH: i32 = MAX_PLY as i32 - 1;
/// A mate is hunted for after so many iterations, so that there is a move worth playing if there is none.
const MATE_SEARCH_MIN_DEPTH: i32 = 6;

/// Scores beyond this are searched with a full window, in centipawns.
const FULL_WINDOW_SCORE: i32 = 5_000;

/// What one thread has found.
#[derive(Clone, Debug)]
pub(super) struct ThreadResult {
    /// Which thread it was; 0 is the main one.
    pub id: usize,
    /// The value of the best line.
    pub score: Score,
    /// How the score relates to the truth.
    pub bound: Bound,
    /// The last completed iteration, in plies.
    pub depth: i32,
    /// The best line; its first move is to be played.
    pub pv: Vec<Move>,
    /// The longest line looked at, in plies.
    pub seldepth: usize,
}

impl SearchThread<'_> {
    /// Searches deeper and deeper until a limit is reached.
    pub(super) fn iterative_deepening(&mut self) -> ThreadResult {
        let lines = self.shared.job.multi_pv.clamp(1, self.root.len().max(1));
        let limit =
            self.shared.job.limits.depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH as u32) as i32);
        // Only the main thread keeps to limits; the others help until it is done.
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
                // The result is what was told last, a mate found just now included.
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

    /// Searches the best line with this number, counted from 0, to its exact score.
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
            // Mates are far from all other scores.
            if !(-FULL_WINDOW_SCORE..=FULL_WINDOW_SCORE).contains(&alpha.value()) {
                alpha = -Score::INFINITE;
            }
            if !(-FULL_WINDOW_SCORE..=FULL_WINDOW_SCORE).contains(&beta.value()) {
                beta = Score::INFINITE;
            }
        }
        self.root.sort_finished_pvs();
        Ok(())
    }

    /// Has the main thread reached a limit at the end of an iteration?
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
            pv: best.map(|best| best.pv.to_vec()).unwrap_or_default(),
            seldepth: best.map_or(0, |best| best.seldepth),
        }
    }
}
