//! What searches, tables and the mate solver say about a position. Every answer is that of a search which knows nothing
//! of those before it, so that it depends on the position and the budget alone.

use crate::analysis::{lichess_score, winning_chances};
use crate::chess::{KeyHistory, Move, Position};
use crate::search::{
    Iteration, Job, Limits, MateProof, ReportedLines, ResourceError, Score, SearchOptions, Searcher,
};
use crate::tablebase::{Tablebase, Wdl};
use std::sync::Arc;

/// The hash table of a search, in MiB. It is part of the budget: with another size, answers may differ.
pub const HASH_MIB: usize = 16;

/// The moves that the mate solver may make for each node of a search, which takes longer.
pub const MATE_NODES_RATIO: u64 = 8;

/// A move with its score for the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scored {
    /// The move.
    pub mv: Move,
    /// Its score.
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

/// The best of the moves that are to solve a position, and the best of all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The best of those that are to solve it; `None` if they are not among the best.
    pub solution: Option<Scored>,
    /// The best of the others; `None` if there is none.
    pub other: Option<Scored>,
    /// Whether tables state the results.
    pub is_exact: bool,
}

/// A searcher with a budget and tables.
pub struct Prover {
    searcher: Searcher,
    tables: Option<Arc<Tablebase>>,
    nodes: u64,
}

impl Prover {
    /// Searches of one thread with so many nodes.
    ///
    /// # Errors
    /// [`ResourceError`] if the memory is not available.
    pub fn new(nodes: u64, tables: Option<Arc<Tablebase>>) -> Result<Self, ResourceError> {
        let mut searcher = Searcher::new(1, HASH_MIB)?;
        searcher.set_options(SearchOptions::default());
        searcher.set_tablebase(tables.clone());
        Ok(Self { searcher, tables, nodes })
    }

    /// The nodes of each search.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets the searches before.
    pub(super) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// The evaluation of a position for the side to move, without a search.
    pub(super) fn evaluate(&self, position: &Position) -> Score {
        self.searcher.evaluate(position)
    }

    /// The best lines of a position at a number of nodes, by a search that remembers those since [`Self::clear`].
    pub(super) fn lines(&mut self, position: &Position, count: usize, nodes: u64) -> Vec<Iteration> {
        let searched = count.min(position.legal_moves().len());
        let mut lines = ReportedLines::new(searched);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let job = Job { limits, multi_pv: searched, ..job(position) };
        self.searcher.search(job, &Arc::default(), &mut lines);
        lines.complete
    }

    /// The best move of a position; `None` if there is none.
    pub fn best(&mut self, position: &Position) -> Option<Scored> {
        self.compare(position, &[])?.solution
    }

    /// Compares these moves with all others; without any, the best one. `None` if there is no move, or the budget is
    /// too small for a search.
    pub fn compare(&mut self, position: &Position, solutions: &[Move]) -> Option<Comparison> {
        let ranked = self.ranked(position);
        let is_exact = ranked.is_some();
        let ranked = match ranked {
            Some(ranked) => ranked,
            None => {
                self.clear();
                let count = solutions.len().max(1) + 1;
                let lines = self.lines(position, count, self.nodes);
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

    /// All moves with their results, the best first, if the tables know them.
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
        // Without distances, the order within a result states nothing.
        ranking.has_dtz.then(|| ranking.moves.iter().map(scored).collect())
    }

    /// The score of a position for the side to move, by a search of fewer nodes that remembers those since
    /// [`Self::clear`]. A game that is over has one, too.
    pub(super) fn score(&mut self, position: &Position, nodes: u64) -> Score {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        self.searcher.search_silently(Job { limits, ..job(position) }).score
    }

    /// Whether one of these first moves mates in so many moves or fewer, by trying everything; with none, whether any
    /// does.
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

    /// The same of all moves but these.
    pub fn prove_other_mate(&mut self, position: &Position, but: &[Move], max_moves: usize) -> MateProof {
        let others: Vec<Move> = position.legal_moves().into_iter().filter(|mv| !but.contains(mv)).collect();
        if others.is_empty() { MateProof::NoMate } else { self.prove_mate(position, &others, max_moves) }
    }
}

/// A game that starts here.
fn job(position: &Position) -> Job {
    Job {
        position: *position,
        key_history: KeyHistory::new(position),
        limits: Limits::default(),
        multi_pv: 1,
    }
}
