//! History updates after a node has been searched: its own moves and the move that led to it
//! (<https://www.chessprogramming.org/History_Heuristic>).

use super::correction_history::{self, CorrectionKeys};
use super::history::{self, HistoryContext};
use super::params::Params;
use super::picker::mover;
use super::shared::Event;
use super::thread::SearchThread;
use super::{Bound, Score, pruning};
use crate::chess::{Move, Piece, PlacedPiece, Position, Role, Square};
use arrayvec::ArrayVec;

/// The most quiet moves remembered for a penalty.
const MAX_TRIED_QUIETS: usize = 64;
/// The most captures remembered for a penalty.
const MAX_TRIED_CAPTURES: usize = 32;
/// The number of moves of a position that count as early.
const EARLY_MOVES: usize = 2;

/// The moves tried at a node.
#[derive(Default)]
pub(super) struct Tried {
    quiets: ArrayVec<(Piece, Move), MAX_TRIED_QUIETS>,
    captures: ArrayVec<(Piece, Square, Role), MAX_TRIED_CAPTURES>,
}

impl Tried {
    /// Adds a move of `piece`, if there is room.
    pub(super) fn add(&mut self, piece: Piece, mv: Move, captured: Option<Role>, is_quiet: bool) {
        match captured {
            Some(role) if !self.captures.is_full() => self.captures.push((piece, mv.to(), role)),
            None if is_quiet && !self.quiets.is_full() => self.quiets.push((piece, mv)),
            _ => {}
        }
    }
}

/// Bonus and penalty of one update.
#[derive(Clone, Copy)]
pub(super) struct HistoryBonus {
    /// For the best move.
    bonus: i32,
    /// For the other moves tried.
    malus: i32,
}

impl HistoryBonus {
    /// For a cutoff at this depth.
    pub(super) fn of_cutoff(params: &Params, depth: i32) -> Self {
        Self { bonus: history::bonus(params, depth), malus: history::malus(params, depth) }
    }

    /// For an exact score at this depth.
    pub(super) fn of_exact_score(params: &Params, depth: i32) -> Self {
        Self::of_cutoff(params, depth).scaled(params.history_exact())
    }

    /// This percentage of both.
    fn scaled(self, percent: i32) -> Self {
        Self { bonus: self.bonus * percent / 100, malus: self.malus * percent / 100 }
    }
}

/// The result of the moves of a node, with the values from which the histories learn.
pub(super) struct NodeResult<'a> {
    /// The depth of the node, in plies.
    pub depth: i32,
    /// The lower bound of the window before the first move.
    pub alpha: Score,
    /// The upper bound of the window.
    pub beta: Score,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// The corrected static evaluation; `None` in check.
    pub static_eval: Option<Score>,
    /// The highest score that the tablebases allow.
    pub max_score: Score,
    /// The highest score of a move.
    pub best: Score,
    /// The move with that score, if it exceeds alpha.
    pub best_move: Option<Move>,
    /// The context of the moves of the node.
    pub context: &'a HistoryContext,
    /// The moves that are not the best one.
    pub tried: &'a Tried,
    /// The number of moves searched.
    pub searched: u32,
    /// Whether the node was expected to exceed alpha: a PV node or an expected cut node.
    pub expects_more: bool,
}

impl SearchThread<'_> {
    /// Updates the histories and the correction history after the moves of a node. Returns the score of the node.
    #[inline(always)]
    pub(super) fn update_after_node(
        &mut self,
        position: &Position,
        ply: usize,
        result: &NodeResult<'_>,
    ) -> Score {
        let &NodeResult { depth, alpha, beta, excluded, best_move, context, tried, .. } = result;
        let params = self.params;
        let mut best = result.best;
        if let Some(mv) = best_move.filter(|_| best >= beta) {
            self.stack[ply].cutoffs += 1;
            // A singular search lacks the move that would have been the first.
            self.statistics.count_if(excluded.is_none(), Event::Cutoff { moves: result.searched });
            let extra_depth = i32::from(best > beta + params.fail_high_bonus_margin());
            let bonus = HistoryBonus::of_cutoff(&params, depth + extra_depth);
            self.update_histories(position, ply, bonus, context, mv, tried);
            if excluded.is_none() {
                self.penalize_prior_quiet(ply, depth);
            }
            best = pruning::soften_fail_high(best, beta, depth);
        } else if let Some(mv) = best_move {
            let bonus = HistoryBonus::of_exact_score(&params, depth);
            self.update_histories(position, ply, bonus, context, mv, tried);
        }
        best = best.min(result.max_score);
        if excluded.is_some() {
            return best;
        }

        // After a fail low that was not expected, reward the move that led to this node.
        if best_move.is_none() && result.expects_more {
            self.reward_prior_move(ply, depth);
        }
        if let Some(eval) = result.static_eval
            && best_move.is_none_or(|mv| !position.is_noisy(mv))
            && correction_history::should_update(eval, best, Bound::of(best, alpha, beta))
        {
            let keys = CorrectionKeys {
                position_keys: &self.stack[ply].position_keys,
                turn: position.turn(),
                prior_moves: &context.prior_moves,
            };
            self.correction_history.update(&params, keys, depth, best - eval);
        }
        best
    }

    /// Rewards the best move of a node and penalizes the other moves tried.
    pub(super) fn update_histories(
        &mut self,
        position: &Position,
        ply: usize,
        HistoryBonus { bonus, malus }: HistoryBonus,
        context: &HistoryContext,
        mv: Move,
        tried: &Tried,
    ) {
        let params = self.params;
        let piece = mover(position, mv);
        if let Some(role) = position.captured_role(mv) {
            self.histories.update_capture(piece, mv.to(), role, bonus * params.capture_bonus() / 100);
        } else if !position.is_noisy(mv) {
            self.stack[ply].killers.add(mv);
            self.histories.update_quiet(context, piece, mv, bonus);
            for (index, &(piece, mv)) in tried.quiets.iter().enumerate() {
                let malus = malus * 100 / (100 + params.malus_late() * index as i32);
                self.histories.update_quiet(context, piece, mv, -malus);
            }
        }
        for &(piece, to, role) in &tried.captures {
            self.histories.update_capture(piece, to, role, -malus * params.capture_malus() / 100);
        }
    }

    /// Rewards the quiet move or capture that led to `ply` after the node failed low.
    pub(super) fn reward_prior_move(&mut self, ply: usize, depth: i32) {
        let Some(last) = ply.checked_sub(1).map(|last| &self.stack[last]) else { return };
        let bonus = HistoryBonus::of_cutoff(&self.params, depth);
        if let (Some((piece, mv)), Some(context)) = (last.quiet, &last.context) {
            let HistoryBonus { bonus, .. } = bonus.scaled(self.params.prior_quiet_bonus());
            self.histories.update_quiet(context, piece, mv, bonus);
        } else if let (Some(PlacedPiece { piece, square }), Some(role)) = (last.moved, last.captured) {
            let HistoryBonus { bonus, .. } = bonus.scaled(self.params.prior_capture_bonus());
            self.histories.update_capture(piece, square, role, bonus);
        }
    }

    /// Rewards a quiet hash move that causes a cutoff without a search.
    pub(super) fn reward_tt_cutoff_move(
        &mut self,
        context: &HistoryContext,
        piece: Piece,
        mv: Move,
        depth: i32,
    ) {
        let HistoryBonus { bonus, .. } =
            HistoryBonus::of_cutoff(&self.params, depth).scaled(self.params.tt_cutoff_bonus());
        self.histories.update_quiet(context, piece, mv, bonus);
    }

    /// Penalizes the quiet move that led to `ply` after the node failed high, if it was one of the early
    /// moves of its position.
    pub(super) fn penalize_prior_quiet(&mut self, ply: usize, depth: i32) {
        let Some(last) = ply.checked_sub(1).map(|last| &self.stack[last]) else { return };
        if let (Some((piece, mv)), Some(context), true) =
            (last.quiet, &last.context, last.move_count <= EARLY_MOVES)
        {
            let HistoryBonus { malus, .. } =
                HistoryBonus::of_cutoff(&self.params, depth).scaled(self.params.prior_quiet_malus());
            self.histories.update_continuation(context, piece, mv, -malus);
        }
    }

    /// Updates the continuation histories of a quiet move after a full-depth search that followed a promising
    /// reduced search; `is_kept` states whether the full search confirmed it.
    pub(super) fn update_after_lmr(
        &mut self,
        context: &HistoryContext,
        piece: Piece,
        mv: Move,
        depth: i32,
        is_kept: bool,
    ) {
        let HistoryBonus { bonus, malus } =
            HistoryBonus::of_cutoff(&self.params, depth).scaled(self.params.post_lmr_bonus());
        self.histories.update_continuation(context, piece, mv, if is_kept { bonus } else { -malus });
    }

    /// Updates the butterfly and pawn histories of the quiet move that led to `ply` by the resulting drop of
    /// the evaluation, in search units.
    pub(super) fn update_from_eval_change(&mut self, ply: usize, eval_drop: i32) {
        let Some(last) = ply.checked_sub(1) else { return };
        let last = &self.stack[last];
        if let (Some((piece, mv)), Some(context)) = (last.quiet, &last.context) {
            let bonus = history::eval_change_bonus(&self.params, -eval_drop);
            self.histories.update_butterfly(context, mv, bonus);
            let bonus = bonus * self.params.history_eval_pawns() / 100;
            self.histories.update_pawns(context, piece, mv, bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{mv, with_thread_at};
    use super::*;
    use crate::chess::attacks::AttackMap;

    /// The position of the tests. White has captures, quiet moves and a promotion.
    const FEN: &str = "r3k2r/1P1pqpb1/bn2pnp1/2pPN3/1p2P3/2N2Q1p/P1PBBPPP/R3K2R w KQkq - 0 1";
    const DEPTH: i32 = 6;

    fn with_thread(test: impl FnOnce(&mut SearchThread, &Position)) {
        with_thread_at(FEN, test);
    }

    /// The history of a move.
    fn history_of(thread: &SearchThread, position: &Position, text: &str) -> i32 {
        let (mv, context) = (mv(text), thread.context(position, 1, AttackMap::default()));
        match position.captured_role(mv) {
            Some(role) => thread.histories.capture(mover(position, mv), mv.to(), role),
            None => thread.histories.quiets(&thread.params, &context).of(mover(position, mv), mv),
        }
    }

    /// Makes a move from ply 1 as the move with this number.
    fn make(thread: &mut SearchThread, position: &Position, text: &str, move_count: usize) {
        let context = thread.context(position, 1, AttackMap::default());
        thread.make(position, mv(text), 1);
        let is_quiet = !position.is_noisy(mv(text));
        thread.stack[1].quiet = is_quiet.then(|| (mover(position, mv(text)), mv(text)));
        thread.stack[1].context = Some(context);
        thread.stack[1].move_count = move_count;
    }

    #[test]
    fn the_best_move_is_praised_and_the_others_are_blamed() {
        for best in ["a2a3", "e5g6"] {
            with_thread(|thread, position| {
                let mut tried = Tried::default();
                for text in ["a2a4", "e5d7", "b7b8q"] {
                    let mv = mv(text);
                    let is_quiet = !position.is_noisy(mv);
                    tried.add(mover(position, mv), mv, position.captured_role(mv), is_quiet);
                }
                let context = thread.context(position, 1, AttackMap::default());
                let bonus = HistoryBonus::of_cutoff(&thread.params, DEPTH);
                thread.update_histories(position, 1, bonus, &context, mv(best), &tried);
                assert!(history_of(thread, position, best) > 0, "{best}");
                assert!(history_of(thread, position, "e5d7") < 0, "a capture, {best}");
                // A capture that is best does not penalize quiet moves.
                assert_eq!(history_of(thread, position, "a2a4") < 0, best == "a2a3", "{best}");
                assert_eq!(history_of(thread, position, "a1b1"), 0, "not tried, {best}");
            });
        }
    }

    #[test]
    fn the_first_moves_are_blamed_most() {
        with_thread(|thread, position| {
            let quiets = ["a2a4", "a2a3", "a1b1", "a1c1", "a1d1", "e1d1", "h1g1", "h1f1", "e2d1"];
            let mut tried = Tried::default();
            for text in quiets {
                tried.add(mover(position, mv(text)), mv(text), None, true);
            }
            let context = thread.context(position, 1, AttackMap::default());
            let bonus = HistoryBonus::of_cutoff(&thread.params, DEPTH);
            thread.update_histories(position, 1, bonus, &context, mv("e2f1"), &tried);
            let history_of = quiets.map(|text| history_of(thread, position, text));
            assert!(
                history_of.is_sorted() && history_of[0] < history_of[8] && history_of[8] < 0,
                "{history_of:?}"
            );
        });
    }

    #[test]
    fn an_exact_score_teaches_less_than_a_cutoff() {
        let params = Params::default();
        let [cutoff, exact] =
            [HistoryBonus::of_cutoff, HistoryBonus::of_exact_score].map(|bonus| bonus(&params, DEPTH));
        assert!(0 < exact.bonus && exact.bonus < cutoff.bonus);
        assert!(0 < exact.malus && exact.malus < cutoff.malus);
    }

    #[test]
    fn the_answer_to_a_move_says_what_it_was_worth() {
        // Continuation histories need an earlier move.
        let before = "a1b1";
        let taught_about = |text, move_count, teach: fn(&mut SearchThread)| {
            let mut knowledge = 0;
            with_thread(|thread, position| {
                thread.make(position, mv(before), 0);
                make(thread, position, text, move_count);
                teach(thread);
                knowledge = history_of(thread, position, text);
            });
            knowledge
        };
        let taught = |move_count, teach| taught_about("a2a3", move_count, teach);
        assert!(
            taught_about("e5g6", EARLY_MOVES, |thread| thread.reward_prior_move(2, DEPTH)) > 0,
            "a capture"
        );
        assert_eq!(
            taught_about("b7b8q", EARLY_MOVES, |thread| thread.reward_prior_move(2, DEPTH)),
            0,
            "a promotion"
        );
        assert!(taught(EARLY_MOVES, |thread| thread.reward_prior_move(2, DEPTH)) > 0);
        assert!(taught(EARLY_MOVES, |thread| thread.penalize_prior_quiet(2, DEPTH)) < 0);
        assert_eq!(
            taught(EARLY_MOVES + 1, |thread| thread.penalize_prior_quiet(2, DEPTH)),
            0,
            "a late move is not penalized"
        );
        let at_root: [fn(&mut SearchThread); 2] =
            [|thread| thread.reward_prior_move(0, DEPTH), |thread| thread.penalize_prior_quiet(0, DEPTH)];
        for teach in at_root {
            assert_eq!(taught(EARLY_MOVES, teach), 0, "no move leads to the root");
        }
    }

    #[test]
    fn a_hash_move_is_praised_without_a_search() {
        with_thread(|thread, position| {
            let (mv, context) = (mv("a2a3"), thread.context(position, 1, AttackMap::default()));
            thread.reward_tt_cutoff_move(&context, mover(position, mv), mv, DEPTH);
            assert!(history_of(thread, position, "a2a3") > 0);
        });
    }

    #[test]
    fn a_promise_is_kept_or_broken() {
        for is_kept in [true, false] {
            with_thread(|thread, position| {
                thread.make(position, mv("a1b1"), 0);
                let (mv, context) = (mv("a2a3"), thread.context(position, 1, AttackMap::default()));
                thread.update_after_lmr(&context, mover(position, mv), mv, DEPTH, is_kept);
                let history_of = history_of(thread, position, "a2a3");
                assert_eq!((history_of > 0, history_of < 0), (is_kept, !is_kept));
            });
        }
    }
}
