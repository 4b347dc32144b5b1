//! Iterative deepening with aspiration windows
//! (<https://www.chessprogramming.org/Iterative_Deepening>,
//! <https://www.chessprogramming.org/Aspiration_Windows>).

use super::mate_search::{MateHunt, Quarry};
use super::node::Root;
use super::root::RootMove;
use super::thread::{Stopped, Tree};
use super::time::Trend;
use super::{Bound, MAX_PLY, Score};
use crate::chess::Move;

/// The deepest iteration, in plies.
const DEEPEST: i32 = MAX_PLY as i32 - 1;
/// A mate is hunted for after so many iterations, so that there is a move worth playing if there is none.
const ORIENTATION: i32 = 6;

/// Scores beyond this are searched with a full window, in centipawns.
const MATES_BEGIN: i32 = 5_000;

/// What one thread has found.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// Which thread it was; 0 is the main one.
    pub id: usize,
    /// The value of the best line.
    pub score: Score,
    /// How the score relates to the truth.
    pub bound: Bound,
    /// The last completed iteration, in plies.
    pub depth: i32,
    /// The best line; its first move is to be played.
    pub line: Vec<Move>,
    /// The longest line looked at, in plies.
    pub selective_depth: usize,
}

impl Tree<'_> {
    /// Searches deeper and deeper until a limit is reached.
    pub(super) fn think(&mut self) -> Finding {
        let lines = self.order.job.multi_pv.clamp(1, self.root.len().max(1));
        let limit =
            self.order.job.limits.depth.map_or(DEEPEST, |depth| depth.clamp(1, DEEPEST as u32) as i32);
        // Only the main thread keeps to limits; the others help until it is done.
        let (first, last) = if self.id == 0 { (1, limit) } else { (1 + self.id as i32 % 2, DEEPEST) };

        let mut completed = 0;
        let mut stable = 0;
        let mut hunt = self.order.job.limits.mate.filter(|_| self.id == 0).map(MateHunt::new);
        for iteration in first..=last {
            self.iteration = iteration;
            if let Some(hunt) = hunt.as_mut().filter(|_| completed >= ORIENTATION) {
                match self.hunt(hunt) {
                    Ok(Quarry::AtLarge) => {}
                    Ok(Quarry::Caught(plies)) => {
                        completed = plies as i32;
                        break;
                    }
                    Ok(Quarry::Absent) => break,
                    Err(Stopped) => {
                        self.return_to_root();
                        break;
                    }
                }
            }
            self.root.begin_iteration();
            let best_before = self.best_move();
            if (0..lines).try_for_each(|line| self.search_line(line)).is_err() {
                self.return_to_root();
                self.root.sort_line();
                // The result is what was told last, a mate found just now included.
                if self.root.best(0).and_then(RootMove::told) != self.told {
                    self.report(0);
                }
                break;
            }
            completed = iteration;
            for line in 0..lines {
                self.report(line);
            }
            self.report_refutations(lines);
            stable = if self.best_move() == best_before { stable + 1 } else { 0 };
            if self.is_done(stable) {
                break;
            }
        }
        self.finding(completed)
    }

    /// Searches the best line with this number, counted from 0, to its exact score.
    fn search_line(&mut self, line: usize) -> Result<(), Stopped> {
        let order = self.order;
        self.root.begin_line(line);
        self.selective_depth = 0;
        let mut width = self.params.aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let expected = self.root.best(line).and_then(|root_move| root_move.before);
        if let Some(expected) = expected.filter(|score| !score.is_decisive())
            && self.iteration >= self.params.aspiration_depth()
        {
            (alpha, beta) = (expected - width, expected + width);
        }
        loop {
            self.root_window = beta - alpha;
            let score = self.search::<Root>(&order.job.position, 0, self.iteration, alpha, beta, false)?;
            self.root.sort_line();
            if score <= alpha && alpha > -Score::INFINITE {
                self.report(line);
                beta = beta.min(alpha + width);
                alpha = score - width;
            } else if score >= beta && beta < Score::INFINITE {
                self.report(line);
                beta = score + width;
            } else {
                break;
            }
            width += width * self.params.aspiration_growth() / 100 + 1;
            // Mates are far from all other scores.
            if !(-MATES_BEGIN..=MATES_BEGIN).contains(&alpha.value()) {
                alpha = -Score::INFINITE;
            }
            if !(-MATES_BEGIN..=MATES_BEGIN).contains(&beta.value()) {
                beta = Score::INFINITE;
            }
        }
        self.root.sort_found();
        Ok(())
    }

    /// Has the main thread reached a limit at the end of an iteration?
    fn is_done(&mut self, stable: i32) -> bool {
        if self.order.is_over() {
            return true;
        }
        let Some(best) = self.root.best(0).filter(|_| self.id == 0) else { return false };
        let limits = &self.order.job.limits;
        if limits.soft_nodes.is_some_and(|enough| self.order.nodes() >= enough) {
            return true;
        }
        let mate = best.score.and_then(Score::mate_in);
        if let (Some(wanted), Some(found)) = (limits.mate, mate)
            && found > 0
            && found.unsigned_abs() <= wanted
        {
            return true;
        }
        let is_pondering = self.order.signals.is_pondering();
        let is_only_move = self.root.len() == 1 && self.iteration >= self.params.only_move_depth();
        if is_only_move && self.time.has_clock() && !is_pondering {
            return true;
        }
        let drop = match (best.before, best.score) {
            (Some(before), Some(now)) if !before.is_decisive() && !now.is_decisive() => before - now,
            _ => 0,
        };
        let effort = (best.effort * 100 / self.nodes.max(1)) as i32;
        let trend = Trend { stable, drop, effort };
        self.time.is_enough(&self.params, &trend, self.order.time_used(), is_pondering)
    }

    fn best_move(&self) -> Option<Move> {
        self.root.best(0).map(|root_move| root_move.mv)
    }

    fn finding(&self, completed: i32) -> Finding {
        let best = self.root.best(0);
        Finding {
            id: self.id,
            score: best.and_then(RootMove::value).unwrap_or(Score::DRAW),
            bound: best.map_or(Bound::Exact, |best| best.bound),
            depth: completed,
            line: best.map(|best| best.line.to_vec()).unwrap_or_default(),
            selective_depth: best.map_or(0, |best| best.selective_depth),
        }
    }
}
