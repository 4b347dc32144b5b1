//! Quiescence search: captures, promotions and check evasions, until the position is quiet
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use super::history::Killers;
use super::node::{Node, refined};
use super::params::Params;
use super::picker::Picker;
use super::shared::Event;
use super::table::Entry;
use super::thread::{SearchThread, Stopped};
use super::{Bound, MAX_PLY, Score, pruning, see};
use crate::chess::attacks::AttackMap;
use crate::chess::{Move, Position};

impl SearchThread<'_> {
    /// The value of a position at `ply` for the side to move if only noisy moves are searched.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let mut alpha = alpha;
        let params = self.params;
        let is_check = position.is_check();

        // Step 1: check the limits.
        self.enter_node(ply)?;

        // Step 2: draws, and the maximum ply.
        if self.is_draw(position, ply) {
            return Ok(Score::DRAW);
        }
        if ply >= MAX_PLY {
            return Ok(self.max_ply_score(position, ply));
        }

        // Step 3: hash table. The depth of every entry is sufficient.
        let entry = self.probe(position);
        let hash_score = entry.and_then(|entry| entry.score_at(ply));
        if let (false, Some(entry), Some(score)) = (N::PV, entry, hash_score)
            && entry.bound.proves(score, beta)
        {
            return Ok(score);
        }

        // Step 4: stand pat. No side has to capture, so the evaluation is a lower bound, except in check.
        let raw_eval = if is_check { None } else { Some(self.raw_eval(position, ply, entry.as_ref())) };
        let mut best = -Score::INFINITE;
        let mut base = None;
        if let Some(raw) = raw_eval {
            let eval = self.corrected(position, raw, self.correction(position, ply));
            best = refined(eval, entry.as_ref(), hash_score);
            base = Some(best);
            if best >= beta {
                if !best.is_decisive() && !beta.is_decisive() {
                    best = best - (best - beta) * params.stand_pat_blend() / 100;
                }
                if entry.is_none() {
                    let score = best.relative_to_node(ply);
                    let entry = Entry {
                        mv: None,
                        score,
                        bound: Bound::Lower,
                        eval: raw_eval,
                        depth: 0,
                        is_pv: false,
                    };
                    self.table.store(position.key(), entry, &params);
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
        }

        // Step 5: prepare the move loop. Only quiet moves, which are searched in check, depend on the
        // attacked squares.
        let threats = if is_check { position.attack_map(!position.turn()) } else { AttackMap::default() };
        let context = self.context(position, ply, threats);
        let hash_move = entry.and_then(|entry| entry.mv);
        let mut picker = if is_check {
            Picker::all(hash_move, Killers::default())
        } else {
            Picker::good_noisy(position, hash_move)
        };
        let recapture = context.prior_moves[0].map(|placed| placed.square);
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(&params, position, self.histories, &context) {
            move_count += 1;
            self.prefetch(position, mv);

            // Step 6: prune captures that cannot raise the score near alpha, captures after the first few
            // that are neither recaptures nor checks, and quiet evasions once there is one that does not
            // lose.
            if !best.is_loss() {
                if let Some(base) = base
                    && let Some(score) = futile_capture(&params, position, mv, base, alpha)
                {
                    best = best.max(score);
                    continue;
                }
                if !is_check
                    && move_count > params.qs_moves() as usize
                    && Some(mv.to()) != recapture
                    && !picker.gives_check(position, mv)
                {
                    continue;
                }
                if is_check && !position.is_noisy(mv) {
                    picker.skip_quiets();
                    continue;
                }
            }

            // Step 7: search the move.
            let child = self.make(position, mv, ply);
            self.statistics.count(Event::QuiescenceNode);
            let score = -self.quiescence::<N>(&child, ply + 1, -beta, -alpha)?;
            self.unmake();
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
        }

        // Step 8: a check without a legal move is mate.
        if is_check && move_count == 0 {
            return Ok(Score::mated(ply));
        }

        // Step 9: store the node. The amount by which the score exceeds beta is uncertain. A score within the
        // window is exact only for the moves searched here: as a bound it does not replace deeper entries.
        let best = pruning::soften_fail_high(best, beta, 1);
        let entry = Entry {
            mv: best_move,
            score: best.relative_to_node(ply),
            bound: if best >= beta { Bound::Lower } else { Bound::Upper },
            eval: raw_eval,
            depth: 0,
            is_pv: N::PV || entry.is_some_and(|entry| entry.is_pv),
        };
        self.table.store(position.key(), entry, &params);
        Ok(best)
    }
}

/// Delta pruning: the highest score that a capture can reach if it is not above alpha, which is the
/// evaluation, the value of the victim and a margin; without the victim if the exchange wins nothing
/// (<https://www.chessprogramming.org/Delta_Pruning>).
#[inline(always)]
fn futile_capture(
    params: &Params,
    position: &Position,
    mv: Move,
    base: Score,
    alpha: Score,
) -> Option<Score> {
    if mv.promotion().is_some() || alpha.is_decisive() {
        return None;
    }
    let captured = position.captured_role(mv).map_or(0, see::value);
    let hope = base + captured * params.delta_victim_percent() / 100 + params.delta_margin();
    if hope <= alpha {
        return Some(hope);
    }
    let hope = base + params.delta_even();
    (hope <= alpha && !see::see_ge(position, mv, 1)).then_some(hope)
}

#[cfg(test)]
mod tests {
    use super::super::node::Pv;
    use super::super::samples::{mv, position, with_thread_at};
    use super::*;

    #[test]
    fn no_score_is_exact() {
        with_thread_at("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", |thread, position| {
            let score = thread.quiescence::<Pv>(position, 0, -Score::INFINITE, Score::INFINITE);
            let entry = thread.table.probe(position.key()).expect("it is stored");
            assert_eq!(score, Ok(entry.score));
            assert_eq!((entry.mv, entry.bound), (Some(mv("e4d5")), Bound::Upper));
        });
    }

    #[test]
    fn captures_that_cannot_reach_alpha_are_futile() {
        let params = Params::default();
        let position = position("4k3/P7/8/3p1r2/4P3/8/8/4K3 w - - 0 1");
        let futile = |text, alpha| futile_capture(&params, &position, mv(text), Score::DRAW, alpha);
        // Between a pawn and a rook.
        let alpha = Score::from_units(params.delta_margin() + 250);
        assert!(futile("e4d5", alpha).is_some_and(|score| score <= alpha), "a pawn is not enough");
        assert_eq!(futile("e4f5", alpha), None, "a rook is");
        assert_eq!(futile("a7a8q", alpha), None, "a queen even more");
        assert_eq!(futile("e4d5", Score::mating(7)), None, "a mate may be found");
    }

    #[test]
    fn captures_that_win_nothing_must_come_nearer() {
        let params = Params::default();
        // One pawn is guarded, and its capture loses the exchange; the other is not guarded.
        let position = position("4k3/8/4p3/3p4/8/8/3R3p/4K3 w - - 0 1");
        let alpha = Score::from_units(params.delta_even());
        let futile = |text, alpha| futile_capture(&params, &position, mv(text), Score::DRAW, alpha);
        assert_eq!(futile("d2d5", alpha), Some(alpha), "it loses the exchange");
        assert_eq!(futile("d2h2", alpha), None, "it wins a pawn");
        assert_eq!(futile("d2d5", alpha - 1), None, "near enough");
    }
}
