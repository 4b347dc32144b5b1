//! The search of one node in numbered steps: fail-soft principal variation search
//! (<https://www.chessprogramming.org/Principal_Variation_Search>).

use super::correction_history;
use super::history_update::{NodeResult, Tried};
use super::params::PLY;
use super::picker::{Picker, mover};
use super::pruning::{self, MoveContext, MovePruning, NodeContext};
use super::reduction::{self, LmrContext};
use super::root::Found;
use super::shared::Event;
use super::singular::{self, Singular, SingularContext};
use super::table::Entry;
use super::tablebase::TbResult;
use super::thread::{SearchThread, Stopped};
use super::{Bound, MAX_PLY, Score, see};
use crate::chess::attacks::AttackMap;
use crate::chess::{FIFTY_MOVES, Move, Position, Role};

/// The kind of a node, known at compile time.
pub(super) trait Node {
    /// Whether the exact score is searched, not only a bound.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool;
}

/// The root.
pub(super) enum Root {}
/// A node of the principal variation.
pub(super) enum Pv {}
/// A node searched with a null window.
pub(super) enum NonPv {}

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// Depth added to tablebase results in the hash table, in plies.
const TB_STORE_DEPTH_BONUS: i32 = 6;
/// The first part of a verification search, in percent of its depth, in which there are no null moves.
const NULL_FREE_PERCENT: i32 = 75;

impl SearchThread<'_> {
    /// The value of a position at `ply` for the side to move, by a search of `depth` plies with the window
    /// from `alpha` to `beta`. `cut_node` states that a cutoff is expected.
    pub(super) fn search<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        cut_node: bool,
    ) -> Result<Score, Stopped> {
        // Step 1: at depth 0, continue with the quiescence search.
        if depth <= 0 && !N::ROOT {
            return self.quiescence::<N>(position, ply, alpha, beta);
        }
        let (mut depth, mut alpha, mut beta) = (depth.clamp(1, MAX_PLY as i32), alpha, beta);
        let params = self.params;
        let excluded = self.stack[ply].excluded;
        let is_check = position.is_check();

        // Step 2: check the limits.
        self.enter_node(ply)?;

        if !N::ROOT {
            // Step 3: draws, and the maximum ply.
            if self.is_draw(position, ply) {
                return Ok(Score::DRAW);
            }
            if ply >= MAX_PLY {
                return Ok(self.max_ply_score(position, ply));
            }

            // Step 4: mate distance pruning. The worst result is being mated now, and the best is mating with
            // the next move; if a better or worse result is certain already, this node does not matter
            // (<https://www.chessprogramming.org/Mate_Distance_Pruning>).
            alpha = alpha.max(Score::mated(ply));
            beta = beta.min(Score::mating(ply + 1));
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        // Step 5: upcoming repetition. If a move can repeat an earlier position, the side to move has at
        // least a draw (<https://www.chessprogramming.org/Repetitions#UpcomingRepetition>).
        let mut best = -Score::INFINITE;
        if !N::ROOT
            && alpha < Score::DRAW
            && excluded.is_none()
            && self.key_history.has_upcoming_repetition(position, ply)
        {
            if beta <= Score::DRAW {
                return Ok(Score::DRAW);
            }
            (best, alpha) = (Score::DRAW, Score::DRAW);
        }

        // Step 6: hash table. There is no cutoff in PV nodes, so that the principal variation is complete,
        // and none near the 50-move draw, because entries do not include the halfmove clock.
        let entry = if excluded.is_none() { self.probe(position) } else { None };
        let hash_score = entry.and_then(|entry| entry.score_at(ply));
        if let (false, Some(entry), Some(score)) = (N::PV, entry, hash_score)
            && entry.depth >= depth
            && entry.bound.proves(score, beta)
            && (depth > params.tt_cutoff_expected_depth() || cut_node == (score >= beta))
            && i32::from(position.halfmove_clock()) + params.fifty_guard() < i32::from(FIFTY_MOVES)
        {
            if score >= beta
                && let Some(mv) = entry.mv.filter(|&mv| !position.is_noisy(mv) && position.is_legal(mv))
            {
                let context = self.context(position, ply, position.attack_map(!position.turn()));
                self.reward_tt_cutoff_move(&context, mover(position, mv), mv, depth);
            }
            if score >= beta {
                self.penalize_prior_quiet(ply, depth);
            }
            return Ok(score);
        }
        let hash_move = if N::ROOT { self.root.first() } else { entry.and_then(|entry| entry.mv) };
        // The singular search, which does not probe, takes this from its own node.
        let tt_pv = N::PV
            || match excluded {
                Some(_) => self.stack[ply].tt_pv,
                None => entry.is_some_and(|entry| entry.is_pv),
            };
        self.stack[ply].tt_pv = tt_pv;

        // Step 7: tablebases. In PV nodes a win may be found faster, and a loss may be delayed, so the result
        // is only a bound.
        let mut max_score = Score::INFINITE;
        if !N::ROOT && excluded.is_none() {
            match self.probe_tablebase::<N>(position, ply, depth, (alpha, beta), tt_pv) {
                Some(TbResult::Cutoff(score)) => return Ok(score),
                Some(TbResult::AtLeast(score)) => {
                    best = best.max(score);
                    alpha = alpha.max(best);
                }
                Some(TbResult::AtMost(score)) => max_score = score,
                None => {}
            }
        }

        // Step 8: the static evaluation with its correction. There is none in check.
        let raw_eval = if is_check { None } else { Some(self.raw_eval(position, ply, entry.as_ref())) };
        let correction = if is_check { 0 } else { self.correction(position, ply) };
        let static_eval = raw_eval.map(|raw| self.corrected(position, raw, correction));
        self.stack[ply].eval = static_eval;
        let improving = self.is_improving(ply);
        let eval_drop = self.eval_drop(ply);
        let eval = static_eval.map(|eval| refined(eval, entry.as_ref(), hash_score));
        let is_hash_move_quiet = hash_move.is_some_and(|mv| !position.is_noisy(mv));

        if let (Some(eval_drop), None, false) = (eval_drop, excluded, N::ROOT) {
            // Only once: the node is visited again for searches of higher depth or with a wider window.
            if entry.is_none_or(|entry| entry.depth < 1) {
                self.update_from_eval_change(ply, eval_drop);
            }
            // Only once: the verification search of the null move also visits this node.
            let reduction = std::mem::take(&mut self.stack[ply - 1].reduction);
            depth += reduction::hindsight(&params, reduction, depth, eval_drop);
        }

        let node = eval.map(|eval| NodeContext {
            depth,
            alpha,
            beta,
            eval,
            tt_pv,
            uncertainty: correction.abs() * params.correction_margin() / 100,
            improving,
            is_hash_move_quiet,
            cut_node,
        });

        if let (Some(node), false, None) = (node, N::PV, excluded) {
            // Step 9: razoring and reverse futility pruning. The evaluation is so low that only captures
            // could help, or so high that even a worse move is good enough.
            if pruning::is_razored(&params, &node) {
                let score = self.quiescence::<NonPv>(position, ply, alpha, alpha + 1)?;
                if score <= alpha {
                    return Ok(score);
                }
            }
            if let Some(score) = pruning::reverse_futility(&params, &node) {
                return Ok(score);
            }

            // Step 10: null move pruning. Even passing is good enough, unless the side to move may be in
            // zugzwang, which is common with pawns only.
            if let Some(score) = self.null_move_cutoff(position, ply, &node)? {
                return Ok(score);
            }
        }

        // Step 11: internal iterative reduction. Without a hash move the move ordering is poor; a cheaper
        // search finds a hash move for the next time
        // (<https://www.chessprogramming.org/Internal_Iterative_Reductions>).
        let is_unknown =
            entry.is_none_or(|entry| entry.mv.is_none() || entry.depth + params.iir_stale() <= depth);
        if is_unknown && !N::ROOT && excluded.is_none() && depth >= params.iir_depth() && (N::PV || cut_node)
        {
            depth -= 1;
        }

        // Step 12: ProbCut. If a capture exceeds beta by far in a reduced search, the full search would
        // hardly fall below beta. The hash entry may state the same, or that the attempt is futile.
        let node = node.map(|node| NodeContext { depth, ..node });
        if let (Some(node), false, None) = (node, N::PV, excluded) {
            if let (Some(entry), Some(score)) = (entry, hash_score)
                && entry.bound != Bound::Upper
                && pruning::small_probcut(&params, &node, entry.depth, score)
            {
                return Ok(score);
            }
            if let Some(bound) = pruning::prob_cut(&params, &node)
                && hash_score.is_none_or(|score| score >= bound)
            {
                let reduced = depth - params.probcut_reduction() + 1;
                let lower = Entry {
                    mv: None,
                    score: bound,
                    bound: Bound::Lower,
                    eval: raw_eval,
                    depth: reduced,
                    is_pv: tt_pv,
                };
                if let Some(score) = self.prob_cut(position, ply, node.eval, lower, hash_move)? {
                    return Ok(score);
                }
            }
        }

        // Step 13: prepare the move loop.
        let threats = position.attack_map(!position.turn());
        let context = self.context(position, ply, threats);
        self.stack[ply].context = Some(context);
        let killers = self.stack[ply].killers;
        self.stack[ply + 2].killers = Default::default();
        self.stack[ply + 2].cutoffs = 0;
        let is_forced = is_check && ply < self.extension_limit() && position.count_legal_moves() == 1;
        let is_hash_move_noisy = hash_move.is_some_and(|mv| position.is_noisy(mv));
        let mut picker = Picker::all(hash_move, killers);
        let mut tried = Tried::default();
        let mut move_count = 0;
        let mut searched = 0;
        let mut best_move = None;
        let first_alpha = alpha;

        while let Some(mv) = picker.next(&params, position, self.histories, &context) {
            let root_index = if N::ROOT { self.root.find(mv) } else { None };
            if Some(mv) == excluded || N::ROOT && root_index.is_none() {
                continue;
            }
            move_count += 1;
            self.prefetch(position, mv);
            if N::ROOT {
                self.report_root_move(mv, move_count);
            }
            let piece = mover(position, mv);
            let is_quiet = !position.is_noisy(mv);
            let captured = position.captured_role(mv);
            let history = match captured {
                Some(role) => self.histories.capture(piece, mv.to(), role),
                None => self.histories.quiets(&params, &context).of(piece, mv),
            };

            // Step 14: prune moves that will hardly be good, once there is a move that does not lose.
            if !N::ROOT && !best.is_loss() && has_pieces(position) {
                let move_context = MoveContext {
                    move_count,
                    is_quiet,
                    captured,
                    is_promotion: mv.promotion().is_some(),
                    gives_check: picker.gives_check(position, mv),
                    is_sorted: picker.is_sorted(),
                    history,
                };
                let node = node.map(|node| NodeContext { alpha, ..node });
                match pruning::prune_move(&params, depth, improving, node.as_ref(), &move_context) {
                    MovePruning::Skip { hope, ends_quiets } => {
                        // The move counts with the score that it may reach, as if it had been searched.
                        best = hope.map_or(best, |hope| best.max(hope));
                        if ends_quiets {
                            picker.skip_quiets_without_check(position);
                        }
                        continue;
                    }
                    MovePruning::Search(Some(max_loss)) if !see::see_ge(position, mv, -max_loss) => continue,
                    MovePruning::Search(_) => {}
                }
            }

            // Step 15: extensions. The only reply to a check is extended
            // (<https://www.chessprogramming.org/One_Reply_Extensions>). If all other moves are much worse than
            // the hash move, it is extended; if another move also exceeds beta, the node is cut off.
            let mut extension = i32::from(is_forced);
            if let (Some(entry), Some(score)) = (entry, hash_score)
                && !N::ROOT
                && !is_forced
                && excluded.is_none()
                && Some(mv) == hash_move
            {
                let singular_beta = singular::singular_beta(&params, score, depth, tt_pv && !N::PV);
                let hash_context =
                    SingularContext { score, singular_beta, beta, is_pv: N::PV, cut_node, is_quiet };
                match self.singular(position, ply, depth, mv, &entry, &hash_context)? {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Ok(score),
                }
            }

            // Step 16: make the move.
            let nodes_before = self.nodes;
            let child = self.make(position, mv, ply);
            searched += 1;
            self.stack[ply].quiet = is_quiet.then_some((piece, mv));
            self.stack[ply].move_count = move_count;
            let gives_check = child.is_check();
            let mut full = depth - 1 + extension;

            // Step 17: late moves are searched with a null window and a reduced depth; if the score exceeds
            // alpha, again with full depth.
            let mut score = -Score::INFINITE;
            let is_scout = !N::PV || move_count > 1;
            if is_scout {
                let late_move = LmrContext {
                    depth,
                    move_count,
                    is_quiet,
                    tt_pv,
                    is_hash_score_above_alpha: hash_score.is_some_and(|score| score > alpha),
                    is_hash_deep: entry.is_some_and(|entry| entry.depth >= depth),
                    delta: if N::PV { (beta - alpha) * PLY / self.root_delta } else { 0 },
                    cut_node,
                    improving,
                    is_killer: killers.contains(mv),
                    gives_check,
                    is_hash_move_noisy,
                    cutoffs: self.stack[ply + 1].cutoffs,
                    history,
                    has_raised_alpha: best_move.is_some(),
                    has_hash_move: hash_move.is_some(),
                };
                let may_reduce = depth >= params.lmr_depth() && move_count > 1 + usize::from(N::ROOT);
                let reduction = if may_reduce { reduction::lmr(&params, &late_move) } else { 0 };
                let reduced = (full - reduction).clamp(1, full.max(1)).min(full);
                self.stack[ply].reduction = full - reduced;
                self.statistics.count_if(reduced < full, Event::Reduction);
                let expects_cut = reduced < full || !cut_node;
                score = -self.search::<NonPv>(&child, ply + 1, reduced, -alpha - 1, -alpha, expects_cut)?;
                self.stack[ply].reduction = 0;
                if score > alpha && reduced < full {
                    full += reduction::research_adjustment(&params, score, best, reduced);
                    if reduced < full {
                        self.statistics.count(Event::ReSearch);
                        score =
                            -self.search::<NonPv>(&child, ply + 1, full, -alpha - 1, -alpha, !cut_node)?;
                        if is_quiet {
                            self.update_after_lmr(&context, piece, mv, depth, score > alpha);
                        }
                    }
                }
            }
            // Step 18: in PV nodes, the first move and every move that exceeds alpha is searched with the
            // full window.
            if N::PV && (move_count == 1 || score > alpha) {
                score = -self.search::<Pv>(&child, ply + 1, full, -beta, -alpha, false)?;
            }
            self.unmake();

            // Step 19: update the best move, alpha and the principal variation.
            if let Some(root_index) = root_index {
                let effort = self.nodes - nodes_before;
                let found = Found {
                    score,
                    bound: Bound::of(score, alpha, beta),
                    rest: self.pv_table.at(1),
                    seldepth: self.seldepth,
                };
                self.root.record(root_index, effort, (move_count == 1 || score > alpha).then_some(found));
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv_table.update(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if best_move != Some(mv) {
                tried.add(piece, mv, captured, is_quiet);
            }
        }

        // Step 20: without a legal move it is mate or stalemate.
        if move_count == 0 {
            return Ok(match excluded {
                Some(_) => alpha,
                None if is_check => Score::mated(ply),
                None => Score::DRAW,
            });
        }

        // Step 21: update the histories.
        let result = NodeResult {
            depth,
            alpha: first_alpha,
            beta,
            excluded,
            static_eval,
            max_score,
            best,
            best_move,
            context: &context,
            tried: &tried,
            searched,
            expects_more: N::PV || cut_node,
        };
        let best = self.update_after_node(position, ply, &result);

        // Step 22: store the node in the hash table.
        if excluded.is_none() && (!N::ROOT || self.root.is_first_pv()) {
            let entry = Entry {
                mv: best_move,
                score: best.relative_to_node(ply),
                bound: Bound::of(best, first_alpha, beta),
                eval: raw_eval,
                depth,
                is_pv: tt_pv,
            };
            self.table.store(position.key(), entry, &params);
        }
        Ok(best)
    }

    /// Step 7: the result of the tablebases for the window, if there is one. A cutoff is stored in the hash table.
    #[inline(always)]
    fn probe_tablebase<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        (alpha, beta): (Score, Score),
        tt_pv: bool,
    ) -> Option<TbResult> {
        if self.tb_max_pieces == 0 || position.occupied().count() > self.tb_max_pieces {
            return None;
        }
        let hit = self.shared.tablebase.as_ref()?.probe_wdl(position, ply, depth)?;
        self.shared.counters[self.id].count_tb_hit();
        let result = hit.in_window(alpha, beta, N::PV);
        if let Some(TbResult::Cutoff(score)) = result {
            let entry = Entry {
                mv: None,
                score: score.relative_to_node(ply),
                bound: hit.bound,
                eval: None,
                depth: (depth + TB_STORE_DEPTH_BONUS).min(MAX_PLY as i32 - 1),
                is_pv: tt_pv,
            };
            self.table.store(position.key(), entry, &self.params);
        }
        result
    }

    /// Step 10: the score of the node if the side to move may pass and still exceeds beta.
    #[inline(always)]
    fn null_move_cutoff(
        &mut self,
        position: &Position,
        ply: usize,
        node: &NodeContext,
    ) -> Result<Option<Score>, Stopped> {
        let &NodeContext { depth, beta, cut_node, .. } = node;
        let Some(reduction) = pruning::null_move(&self.params, node) else { return Ok(None) };
        if ply < self.nmp_min_ply || !self.has_moved(ply) || !has_pieces(position) {
            return Ok(None);
        }
        let reduced = depth - reduction;
        let score = self.null_move(position, ply, reduced, beta, cut_node)?;
        if score < beta {
            return Ok(None);
        }
        // A mate after a null move is not proved.
        let score = if score.is_decisive() { beta } else { score };
        if depth < self.params.null_verify_depth() || self.nmp_min_ply > 0 {
            return Ok(Some(score));
        }
        // At high depths verify the result with a search in which the next plies are without null moves, because of
        // zugzwang.
        self.nmp_min_ply = ply + (NULL_FREE_PERCENT * reduced.max(0) / 100) as usize + 1;
        let verified = self.search::<NonPv>(position, ply, reduced, beta - 1, beta, false);
        self.nmp_min_ply = 0;
        Ok((verified? >= beta).then_some(score))
    }

    /// Step 15: the decision on the hash move, after a search of all other moves if its entry is good enough.
    #[inline(always)]
    fn singular(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        hash_move: Move,
        entry: &Entry,
        context: &SingularContext,
    ) -> Result<Singular, Stopped> {
        let params = self.params;
        if depth < params.singular_depth()
            || entry.depth < depth - params.singular_hash_depth()
            || entry.bound == Bound::Upper
            || context.score.is_decisive()
            || ply >= self.extension_limit()
        {
            return Ok(Singular::Extend(0));
        }
        let (alpha, beta) = (context.singular_beta - 1, context.singular_beta);
        self.stack[ply].excluded = Some(hash_move);
        let others =
            self.search::<NonPv>(position, ply, singular::search_depth(depth), alpha, beta, context.cut_node);
        self.stack[ply].excluded = None;
        Ok(singular::singular_extension(&params, context, others?))
    }

    /// The score after a null move.
    fn null_move(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        beta: Score,
        cut_node: bool,
    ) -> Result<Score, Stopped> {
        let child = self.make_null(position, ply);
        let score = -self.search::<NonPv>(&child, ply + 1, depth, -beta, -beta + 1, !cut_node)?;
        self.unmake();
        Ok(score)
    }

    /// Searches for a capture that reaches `bound`, which is far above beta: first in the quiescence search,
    /// then in a reduced search.
    fn prob_cut(
        &mut self,
        position: &Position,
        ply: usize,
        eval: Score,
        entry: Entry,
        hash_move: Option<Move>,
    ) -> Result<Option<Score>, Stopped> {
        let bound = entry.score;
        let context = self.context(position, ply, AttackMap::default());
        let mut picker = Picker::good_noisy(position, hash_move);
        while let Some(mv) = picker.next(&self.params, position, self.histories, &context) {
            self.prefetch(position, mv);
            if !see::see_ge(position, mv, bound - eval) {
                continue;
            }
            let child = self.make(position, mv, ply);
            let mut score = -self.quiescence::<NonPv>(&child, ply + 1, -bound, -bound + 1)?;
            if score >= bound && entry.depth > 1 {
                score = -self.search::<NonPv>(&child, ply + 1, entry.depth - 1, -bound, -bound + 1, false)?;
            }
            self.unmake();
            if score >= bound {
                let found = Entry { mv: Some(mv), score: score.relative_to_node(ply), ..entry };
                self.table.store(position.key(), found, &self.params);
                return Ok((!score.is_decisive()).then_some(score));
            }
        }
        Ok(None)
    }
}

/// The evaluation, or the hash score if it is more precise.
pub(super) fn refined(eval: Score, entry: Option<&Entry>, hash_score: Option<Score>) -> Score {
    match (entry, hash_score) {
        (Some(entry), Some(score)) if correction_history::should_update(eval, score, entry.bound) => score,
        _ => eval,
    }
}

/// Whether the side to move has pieces other than king and pawns.
fn has_pieces(position: &Position) -> bool {
    let few = position.role(Role::Pawn) | position.role(Role::King);
    !(position.color(position.turn()) - few).is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{mv, with_thread_at};
    use super::*;

    /// A position without captures and checks.
    const QUIET: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";
    /// Above the evaluation, but not so far that the node is razored.
    const OUT_OF_REACH: i32 = 400;

    /// A search that fails low after all moves were tried.
    fn fail_low(thread: &mut SearchThread, position: &Position, ply: usize, depth: i32, cut_node: bool) {
        let alpha = thread.raw_eval(position, ply, None) + OUT_OF_REACH;
        let score = thread.search::<NonPv>(position, ply, depth, alpha, alpha + 1, cut_node);
        assert!(score.expect("it is not stopped") <= alpha);
    }

    #[test]
    fn killers_stay_for_the_cousins() {
        with_thread_at(QUIET, |thread, position| {
            for ply in [1, 2] {
                thread.stack[ply].killers.add(mv("a7a6"));
            }
            fail_low(thread, position, 0, 1, false);
            assert!(
                thread.stack[1].killers.contains(mv("a7a6")),
                "the children of this node and of its siblings"
            );
            assert!(!thread.stack[2].killers.contains(mv("a7a6")), "the grandchildren of this node alone");
        });
    }

    #[test]
    fn a_fail_low_rewards_the_move_before_only_if_it_was_not_expected() {
        with_thread_at(QUIET, |thread, position| {
            let (piece, text) = (mover(position, mv("a2a3")), mv("a2a3"));
            let context = thread.context(position, 0, AttackMap::default());
            let child = thread.make(position, text, 0);
            (thread.stack[0].quiet, thread.stack[0].context) = (Some((piece, text)), Some(context));
            // Without an evaluation before it there is no change of the evaluation to learn from.
            let mut learned = |depth, cut_node| {
                fail_low(thread, &child, 1, depth, cut_node);
                thread.histories.quiets(&thread.params, &context).of(piece, text)
            };
            assert_eq!(learned(1, false), 0);
            assert!(learned(2, true) > 0);
        });
    }

    #[test]
    fn a_change_of_the_evaluation_teaches_once() {
        with_thread_at(QUIET, |thread, position| {
            let (piece, text) = (mover(position, mv("a2a3")), mv("a2a3"));
            let context = thread.context(position, 0, AttackMap::default());
            let child = thread.make(position, text, 0);
            (thread.stack[0].quiet, thread.stack[0].context) = (Some((piece, text)), Some(context));
            let eval = thread.raw_eval(&child, 1, None);
            // The move has lost something.
            thread.stack[0].eval = Some(-eval + 50);
            let mut learned = |depth| {
                fail_low(thread, &child, 1, depth, false);
                thread.histories.quiets(&thread.params, &context).of(piece, text)
            };
            let once = learned(1);
            assert!(once < 0, "{once}");
            assert_eq!(learned(2), once);
        });
    }

    #[test]
    fn the_only_reply_to_a_check_costs_no_depth() {
        with_thread_at("8/5N1k/5K2/8/7R/8/8/8 b - - 0 1", |thread, position| {
            thread.iteration = 1;
            let mate = Score::mated(2);
            assert_eq!(thread.search::<NonPv>(position, 0, 1, mate, mate + 1, false), Ok(mate));
        });
    }

    #[test]
    fn a_singular_search_takes_the_principal_variation_from_its_node() {
        with_thread_at(QUIET, |thread, position| {
            for tt_pv in [true, false] {
                thread.stack[0].tt_pv = tt_pv;
                thread.stack[0].excluded = Some(mv("d2d4"));
                fail_low(thread, position, 0, 2, false);
                assert_eq!(thread.stack[0].tt_pv, tt_pv);
            }
        });
    }
}
