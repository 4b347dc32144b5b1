//! Evidence about positions from searches, tablebases and the mate solver. Each answer is independent of previous
//! searches, and therefore depends only on the position and the budget.

use crate::analysis::{lichess_score, winning_chances};
use crate::chess::{KeyHistory, Move, Position};
use crate::search::{
    Iteration, Job, Limits, MateProof, ReportedLines, ResourceError, Score, SearchOptions, Searcher,
};
use crate::tablebase::{Tablebase, Wdl};
use std::sync::Arc;

/// The size of the hash table of a search, in MiB. It is part of the budget: with another size, answers may differ.
pub const HASH_MIB: usize = 16;

/// The number of moves that the mate solver may make for each node of a search, which takes more time.
pub const MATE_NODES_RATIO: u64 = 8;

/// A move with its score for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scored {
    /// The move.
    pub mv: Move,
    /// The score.
    pub score: Score,
}

impl Scored {
    /// The winning chances, from -1 to 1, by lichess's formula.
    pub fn chances(self) -> f64 {
        chances(self.score)
    }
}

/// The winning chances of the side to move, from -1 to 1.
pub(super) fn chances(score: Score) -> f64 {
    winning_chances(lichess_score(score))
}

/// The best of the moves that should solve a position, and the best of all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The best of the solving moves; `None` if they are not among the best moves.
    pub solution: Option<Scored>,
    /// The best of the other moves; `None` if there is none.
    pub other: Option<Scored>,
    /// Whether the results come from tablebases.
    pub is_exact: bool,
}

/// A searcher with a budget and tablebases.
pub struct Prover {
    searcher: Searcher,
    tables: Option<Arc<Tablebase>>,
    nodes: u64,
}

impl Prover {
    /// A prover whose searches use one thread and this number of nodes.
    ///
    /// # Errors
    /// [`ResourceError`] if there is not enough memory.
    pub fn new(nodes: u64, tables: Option<Arc<Tablebase>>) -> Result<Self, ResourceError> {
        let mut searcher = Searcher::new(1, HASH_MIB)?;
        searcher.set_options(SearchOptions::default());
        searcher.set_tablebase(tables.clone());
        Ok(Self { searcher, tables, nodes })
    }

    /// The number of nodes of each search.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Removes the results of previous searches.
    pub(super) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// The static evaluation of a position for the side to move.
    pub(super) fn evaluate(&self, position: &Position) -> Score {
        self.searcher.evaluate(position)
    }

    /// The best lines of a position after this number of nodes. The search uses the results of searches since
    /// [`Self::clear`].
    pub(super) fn lines(&mut self, position: &Position, count: usize, nodes: u64) -> Vec<Iteration> {
        let searched = count.min(position.count_legal_moves());
        let mut lines = ReportedLines::new(searched);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let job = Job { limits, multi_pv: searched, ..job(position) };
        self.searcher.search(job, &Arc::default(), &mut lines);
        lines.complete
    }

    /// The best move of a position; `None` without legal moves.
    pub fn best(&mut self, position: &Position) -> Option<Scored> {
        self.compare(position, &[])?.solution
    }

    /// Compares these moves with all others; without any, returns the best move. `None` without legal moves, or if the
    /// budget is too small for a search.
    pub fn compare(&mut self, position: &Position, solutions: &[Move]) -> Option<Comparison> {
        self.compare_with(position, solutions, self.nodes)
    }

    /// The same as [`Self::compare`], with this number of nodes.
    pub(super) fn compare_with(
        &mut self,
        position: &Position,
        solutions: &[Move],
        nodes: u64,
    ) -> Option<Comparison> {
        let ranked = self.ranked(position);
        let is_exact = ranked.is_some();
        let ranked = match ranked {
            Some(ranked) => ranked,
            None => {
                self.clear();
                let count = solutions.len().max(1) + 1;
                let lines = self.lines(position, count, nodes);
                let scored = |line: Iteration| Some(Scored { mv: *line.pv.first()?, score: line.score });
                lines.into_iter().filter_map(scored).collect()
            }
        };
        let best = ranked.first()?.mv;
        let solves = |mv: Move| solutions.contains(&mv) || solutions.is_empty() && mv == best;
        Some(Comparison {
            solution: ranked.iter().copied().find(|scored| solves(scored.mv)),
            other: ranked.iter().copied().find(|scored| !solves(scored.mv)),
            is_exact,
        })
    }

    /// All moves with their tablebase results, the best first; `None` if there are none.
    fn ranked(&self, position: &Position) -> Option<Vec<Scored>> {
        let tables = self.tables.as_ref()?;
        let moves: Vec<Move> = position.legal_moves().into_iter().collect();
        let ranking = tables.rank_root_moves(position, &KeyHistory::new(position), &moves, true)?;
        let scored = |ranked: &crate::tablebase::RankedMove| {
            let score = match ranked.outcome {
                Wdl::Win => Score::tb_win(1),
                Wdl::Loss => Score::tb_loss(1),
                Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Score::DRAW,
            };
            Scored { mv: ranked.mv, score }
        };
        // Without DTZ, moves with the same result have no order.
        ranking.has_dtz.then(|| ranking.moves.iter().map(scored).collect())
    }

    /// The score of a position for the side to move, by a search with `nodes` nodes that uses the results of searches
    /// since [`Self::clear`]. A finished game has the score of its result.
    pub(super) fn score(&mut self, position: &Position, nodes: u64) -> Score {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        self.searcher.search_silently(Job { limits, ..job(position) }).score
    }

    /// Whether one of the moves `first` (or any move if there are none) mates in at most `max_moves` moves. Tries all
    /// moves.
    pub fn prove_mate(&mut self, position: &Position, first: &[Move], max_moves: usize) -> MateProof {
        if max_moves == 1 {
            let legal = position.legal_moves();
            let mate = legal
                .into_iter()
                .find(|&mv| (first.is_empty() || first.contains(&mv)) && position.after(mv).0.is_checkmate());
            return mate.map_or(MateProof::NoMate, |mv| MateProof::Mate(vec![mv]));
        }
        let nodes = Some(self.nodes.saturating_mul(MATE_NODES_RATIO));
        let limits = Limits { nodes, search_moves: first.to_vec(), ..Limits::default() };
        self.searcher
            .prove_mate(Job { limits, ..job(position) }, u32::try_from(max_moves).unwrap_or(u32::MAX))
    }

    /// Whether any move except these mates in at most `max_moves` moves.
    pub fn prove_other_mate(&mut self, position: &Position, but: &[Move], max_moves: usize) -> MateProof {
        let others: Vec<Move> = position.legal_moves().into_iter().filter(|mv| !but.contains(mv)).collect();
        if others.is_empty() { MateProof::NoMate } else { self.prove_mate(position, &others, max_moves) }
    }
}

/// A search job for a game that starts in this position.
fn job(position: &Position) -> Job {
    Job {
        position: *position,
        key_history: KeyHistory::new(position),
        limits: Limits::default(),
        multi_pv: 1,
    }
}
