//! Tablebase probing: positions after captures and pawn moves in the tree, and the ranking of the root moves
//! (<https://www.chessprogramming.org/Syzygy_Bases>).

use super::{Bound, Job, Score, SearchOptions, SyzygyOptions};
use crate::chess::{Color, Move, Position};
use crate::tablebase::{Ranking, Tablebase, Wdl};
use std::sync::Arc;

/// The endgame tablebases in one search.
pub(super) struct TablebaseProbe {
    tables: Arc<Tablebase>,
    options: SyzygyOptions,
    /// The maximum number of pieces of positions probed in the tree; 0 for none.
    max_pieces: u32,
    ranking: Option<Ranking>,
}

/// The tablebase result of a position in the tree.
pub(super) struct TbHit {
    pub score: Score,
    pub bound: Bound,
}

/// The effect of a tablebase hit on a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TbResult {
    /// The node returns this score.
    Cutoff(Score),
    /// A node of the principal variation is worth at least this score.
    AtLeast(Score),
    /// A node of the principal variation is worth at most this score.
    AtMost(Score),
}

impl TbHit {
    /// The effect on a node with the window from `alpha` to `beta`; `None` if the node is searched as usual.
    #[inline(always)]
    pub(super) fn in_window(&self, alpha: Score, beta: Score, is_pv: bool) -> Option<TbResult> {
        let &Self { score, bound } = self;
        if bound.proves(score, beta) && (bound != Bound::Upper || score <= alpha) {
            return Some(TbResult::Cutoff(score));
        }
        match bound {
            Bound::Lower if is_pv => Some(TbResult::AtLeast(score)),
            Bound::Upper if is_pv => Some(TbResult::AtMost(score)),
            _ => None,
        }
    }
}

impl TablebaseProbe {
    /// `None` if the tables are not useful for this search.
    pub(super) fn new(
        tables: Arc<Tablebase>,
        job: &Job,
        root_moves: &[Move],
        options: &SearchOptions,
    ) -> Option<Self> {
        let options = options.syzygy;
        let max_pieces = tables.max_pieces().min(options.probe_limit);
        // A mate search does not benefit from a win that may be far from mate.
        if max_pieces == 0 || job.limits.mate.is_some() {
            return None;
        }
        let is_in_reach = job.position.occupied().count() <= max_pieces;
        let ranking = is_in_reach
            .then(|| {
                tables.rank_root_moves(&job.position, &job.key_history, root_moves, options.fifty_move_rule)
            })
            .flatten();
        // With distances at the root the result is safe, and a search that evaluates positions makes better
        // progress than one in which all moves win.
        let max_pieces = if ranking.as_ref().is_some_and(|ranking| ranking.has_dtz) { 0 } else { max_pieces };
        Some(Self { tables, options, max_pieces, ranking })
    }

    /// The maximum number of pieces of positions probed in the tree; 0 for none.
    pub(super) const fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// The number of positions found for the ranking of the root moves.
    pub(super) fn root_hits(&self) -> u64 {
        self.ranking.as_ref().map_or(0, |ranking| ranking.moves.len() as u64)
    }

    /// Keeps only the best root moves, unless several principal variations are searched.
    pub(super) fn restrict(&self, root_moves: &mut Vec<Move>, lines: usize) {
        let best = self.ranking.as_ref().and_then(|ranking| ranking.moves.first());
        if let Some(best) = best.filter(|_| lines == 1) {
            root_moves.retain(|&mv| self.tb_rank(mv) == best.rank);
        }
    }

    /// The rank of a root move.
    pub(super) fn tb_rank(&self, mv: Move) -> i32 {
        self.ranked(mv).map_or(0, |(rank, _)| rank)
    }

    /// The score of a root move.
    pub(super) fn root_score(&self, mv: Move) -> Option<Score> {
        self.ranked(mv).map(|(_, outcome)| match self.bound_of(outcome) {
            Bound::Lower => Score::tb_win(1),
            Bound::Upper => Score::tb_loss(1),
            Bound::Exact => Score::DRAW,
        })
    }

    fn ranked(&self, mv: Move) -> Option<(i32, Wdl)> {
        let ranking = self.ranking.as_ref()?;
        ranking.moves.iter().find(|ranked| ranked.mv == mv).map(|ranked| (ranked.rank, ranked.outcome))
    }

    /// The bound type of a result, which is at least a win, at most a loss, or exactly a draw.
    fn bound_of(&self, outcome: Wdl) -> Bound {
        let outcome = if self.options.fifty_move_rule { outcome } else { outcome.without_fifty_moves() };
        match outcome {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Bound::Exact,
        }
    }

    /// The result of a position at `ply` with `depth` plies left to search, if it should be probed and the
    /// tables contain it.
    #[cold]
    pub(super) fn probe_wdl(&self, position: &Position, ply: usize, depth: i32) -> Option<TbHit> {
        let pieces = position.occupied().count();
        let is_worth_it =
            pieces < self.max_pieces || pieces == self.max_pieces && depth >= self.options.probe_depth;
        // With another halfmove clock the tables do not state whether the 50-move rule ends the game first.
        if !is_worth_it || position.halfmove_clock() != 0 || may_castle(position) {
            return None;
        }
        let bound = self.bound_of(self.tables.probe_wdl(position)?);
        let score = match bound {
            Bound::Lower => Score::tb_win(ply),
            Bound::Upper => Score::tb_loss(ply),
            Bound::Exact => Score::DRAW,
        };
        Some(TbHit { score, bound })
    }
}

fn may_castle(position: &Position) -> bool {
    [Color::White, Color::Black].iter().any(|&side| !position.castling_rooks(side).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_cuts_off_or_narrows_the_principal_variation() {
        let (low, alpha, beta, high) =
            (Score::from_units(-20), Score::from_units(0), Score::from_units(10), Score::from_units(20));
        let middle = alpha + 5;
        let cases = [
            (high, Bound::Lower, Some(TbResult::Cutoff(high)), Some(TbResult::Cutoff(high))),
            (low, Bound::Upper, Some(TbResult::Cutoff(low)), Some(TbResult::Cutoff(low))),
            (middle, Bound::Exact, Some(TbResult::Cutoff(middle)), Some(TbResult::Cutoff(middle))),
            (middle, Bound::Lower, None, Some(TbResult::AtLeast(middle))),
            (middle, Bound::Upper, None, Some(TbResult::AtMost(middle))),
            (high, Bound::Upper, None, Some(TbResult::AtMost(high))),
        ];
        for (score, bound, expected, in_pv) in cases {
            let hit = TbHit { score, bound };
            assert_eq!(hit.in_window(alpha, beta, false), expected, "{bound:?} {score}");
            assert_eq!(hit.in_window(alpha, beta, true), in_pv, "{bound:?} {score} in a principal variation");
        }
    }
}
