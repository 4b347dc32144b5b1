//! How the search uses endgame tables: in the tree it looks positions up that a capture or pawn
//! move has just brought about, and at the root it ranks the moves
//! (<https://www.chessprogramming.org/Syzygy_Bases>).

use super::{Bound, EndgameUse, Job, Preferences, Score};
use crate::chess::{Color, Move, Position};
use crate::tablebase::{Ranking, Tablebase, Wdl};
use std::sync::Arc;

/// Endgame tables in one search.
pub(super) struct TablebaseProbe {
    tables: Arc<Tablebase>,
    options: EndgameUse,
    /// Positions with so many men or fewer are looked up in the tree; 0 for none.
    max_pieces: u32,
    ranking: Option<Ranking>,
}

/// What the tables say of a position in the tree.
pub(super) struct TbHit {
    pub score: Score,
    pub bound: Bound,
}

impl TablebaseProbe {
    /// `None` if the tables are of no use for this search.
    pub(super) fn new(
        tables: Arc<Tablebase>,
        job: &Job,
        root_moves: &[Move],
        preferences: &Preferences,
    ) -> Option<Self> {
        let options = preferences.endgames;
        let max_pieces = tables.men().min(options.max_men);
        // Who asks for a mate has no use for a win that may be far from it.
        if max_pieces == 0 || job.limits.mate.is_some() {
            return None;
        }
        let is_in_reach = job.position.occupied().count() <= max_pieces;
        let ranking = is_in_reach
            .then(|| tables.rank(&job.position, &job.line, root_moves, options.keeps_fifty_moves))
            .flatten();
        // With the distances at the root, nothing can be lost any more, and a search that sees how to go on
        // finds better moves than one for which all is won.
        let max_pieces =
            if ranking.as_ref().is_some_and(|ranking| ranking.knows_distances) { 0 } else { max_pieces };
        Some(Self { tables, options, max_pieces, ranking })
    }

    /// Positions with so many men or fewer are looked up in the tree; 0 for none.
    pub(super) const fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// How many positions were found for the ranking of the root moves.
    pub(super) fn root_hits(&self) -> u64 {
        self.ranking.as_ref().map_or(0, |ranking| ranking.moves.len() as u64)
    }

    /// Leaves the best of the root moves, if no more of them are wanted.
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

    /// What a root move is worth.
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

    /// Does a result mean that the score is at least that of a win, at most that of a loss, or
    /// that of a draw?
    fn bound_of(&self, outcome: Wdl) -> Bound {
        let outcome = if self.options.keeps_fifty_moves { outcome } else { outcome.without_fifty_moves() };
        match outcome {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Bound::Exact,
        }
    }

    /// The result and score of a position at `ply` with `depth` plies left to search, if it is one to be probed and the
    /// tables have it.
    #[cold]
    pub(super) fn probe_wdl(&self, position: &Position, ply: usize, depth: i32) -> Option<TbHit> {
        let pieces = position.occupied().count();
        let is_worth_it =
            pieces < self.max_pieces || pieces == self.max_pieces && depth >= self.options.min_depth;
        // At another clock the tables do not know whether the 50-move rule ends the game before.
        if !is_worth_it || position.halfmove_clock() != 0 || may_castle(position) {
            return None;
        }
        let bound = self.bound_of(self.tables.wdl(position)?);
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
