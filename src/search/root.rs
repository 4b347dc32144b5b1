//! The root moves and their results, and principal variations.

use super::correction_history::PositionKeys;
use super::history::{Histories, HistoryContext, Killers, PriorMoves};
use super::picker::Picker;
use super::shared::SharedContext;
use super::{Bound, MAX_PLY, Score};
use crate::chess::{Color, Move};
use arrayvec::ArrayVec;

/// A root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// The score in this iteration; `None` if the move has not been searched or did not exceed the best score before
    /// it.
    pub score: Option<Score>,
    /// The bound type of the latest score.
    pub bound: Bound,
    /// The score in the previous iteration.
    pub previous_score: Option<Score>,
    /// The principal variation after the move. Most root moves never have one, and an empty vector keeps them small and
    /// fast to find and sort.
    rest: Vec<Move>,
    /// The selective depth when the move got its score, in plies.
    pub seldepth: usize,
    /// Nodes searched after the move.
    pub effort: u64,
    /// The tablebase rank: among the moves not taken, only those with the best rank are searched.
    pub tb_rank: i32,
    /// The tablebase score; a draw if neither side can ever mate.
    pub tb_score: Option<Score>,
}

impl RootMove {
    /// The latest score, or the tablebase score if it is more certain. A mate is reported only if the score
    /// is exact, because the mate of a bound may come from the hash table without a complete line.
    pub(super) fn reported_score(&self) -> Option<Score> {
        let found = self.score.or(self.previous_score);
        let is_better = |known: &Score| {
            found.is_none_or(|found| !found.is_mate() || known.units().signum() != found.units().signum())
        };
        if let Some(known) = self.tb_score.filter(is_better) {
            return Some(known);
        }
        let score = found?;
        Some(if self.bound == Bound::Exact || !score.is_mate() {
            score
        } else {
            Score::from_units(score.units())
        })
    }

    /// The principal variation that starts with the move.
    pub(super) fn pv(&self) -> Vec<Move> {
        let mut pv = Vec::with_capacity(1 + self.rest.len());
        pv.push(self.mv);
        pv.extend_from_slice(&self.rest);
        pv
    }

    /// The move, its reported score and the bound type.
    pub(super) fn reported(&self) -> Option<(Move, Score, Bound)> {
        Some((self.mv, self.reported_score()?, self.bound))
    }
}

/// The result of the search of a root move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    pub score: Score,
    pub bound: Bound,
    /// The line after the move.
    pub rest: &'a [Move],
    /// The selective depth, in plies.
    pub seldepth: usize,
}

/// The root moves, the best first.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// The index of the principal variation being searched. The moves before it are taken.
    multipv_index: usize,
    /// The end of the moves with the same tablebase rank as the first move that is not taken.
    end: usize,
    /// The index after that of the move that was found last.
    next: usize,
}

impl RootMoves {
    /// The root moves of a search, in the order of the move picker.
    pub(super) fn new(shared: &SharedContext, histories: &Histories) -> Self {
        let position = &shared.job.position;
        let context = HistoryContext {
            turn: position.turn(),
            prior_moves: PriorMoves::default(),
            threats: position.attack_map(!position.turn()),
            pawns: PositionKeys::of(position).pawns,
        };
        let hash_move = shared.table.probe(position.key()).and_then(|entry| entry.mv);
        let mut picker = Picker::all(hash_move, Killers::default());
        let tablebase = shared.tablebase.as_ref();
        let can_be_won = Color::ALL.into_iter().any(|color| position.may_checkmate(color));
        let dead = (!can_be_won).then_some(Score::DRAW);
        let mut moves = Vec::with_capacity(shared.root_moves.len());
        while let Some(mv) = picker.next(&shared.params, position, histories, &context) {
            if shared.root_moves.contains(&mv) {
                moves.push(RootMove {
                    mv,
                    score: None,
                    bound: Bound::Exact,
                    previous_score: None,
                    rest: Vec::new(),
                    seldepth: 0,
                    effort: 0,
                    tb_rank: tablebase.map_or(0, |tablebase| tablebase.tb_rank(mv)),
                    tb_score: tablebase.and_then(|tablebase| tablebase.root_score(mv)).or(dead),
                });
            }
        }
        moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.tb_rank));
        let mut moves = Self { moves, multipv_index: 0, end: 0, next: 0 };
        moves.start_pv(0);
        moves
    }

    /// The number of moves.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The best move for this MultiPV index.
    pub(super) fn best(&self, multipv_index: usize) -> Option<&RootMove> {
        self.moves.get(multipv_index)
    }

    /// Starts a new iteration.
    pub(super) fn start_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous_score = root_move.score;
            root_move.score = None;
        }
    }

    /// Starts the search for this MultiPV index.
    pub(super) fn start_pv(&mut self, multipv_index: usize) {
        self.multipv_index = multipv_index;
        let tb_rank = self.moves.get(multipv_index).map(|root_move| root_move.tb_rank);
        self.end = self.moves.partition_point(|root_move| Some(root_move.tb_rank) >= tb_rank);
    }

    /// Whether the first principal variation is being searched.
    pub(super) fn is_first_pv(&self) -> bool {
        self.multipv_index == 0
    }

    /// The move to try first.
    pub(super) fn first(&self) -> Option<Move> {
        self.moves.get(self.multipv_index).map(|root_move| root_move.mv)
    }

    /// Whether this move is searched for the current principal variation.
    pub(super) fn contains(&self, mv: Move) -> bool {
        self.moves[self.multipv_index..self.end].iter().any(|root_move| root_move.mv == mv)
    }

    /// The index of this move, until the moves are sorted again; `None` if it is not searched for the current principal
    /// variation.
    pub(super) fn find(&mut self, mv: Move) -> Option<usize> {
        // The moves are searched in a similar order, so that the next one is often found at once.
        let likely = self.next.max(self.multipv_index).min(self.end);
        let mut places = (likely..self.end).chain(self.multipv_index..likely);
        let found = places.find(|&index| self.moves[index].mv == mv)?;
        self.next = found + 1;
        Some(found)
    }

    /// Records the nodes of a searched move, by its index, and, if it is the best so far, its result.
    pub(super) fn record(&mut self, index: usize, effort: u64, found: Option<Found<'_>>) {
        let root_move = &mut self.moves[index];
        root_move.effort += effort;
        root_move.score = found.map(|found| found.score);
        if let Some(found) = found {
            root_move.bound = found.bound;
            root_move.rest.clear();
            root_move.rest.extend_from_slice(found.rest);
            root_move.seldepth = found.seldepth;
        }
    }

    /// Puts a move with a proved score first. The scores of the other moves no longer matter.
    pub(super) fn set_proved(&mut self, mv: Move, found: Found<'_>) {
        self.start_iteration();
        if let Some(index) = self.moves.iter().position(|root_move| root_move.mv == mv) {
            self.record(index, 0, Some(found));
        }
        self.sort_current_pv();
    }

    /// Sorts the moves of the current principal variation; equal moves keep their order.
    pub(super) fn sort_current_pv(&mut self) {
        self.moves[self.multipv_index..self.end]
            .sort_by_key(|root_move| std::cmp::Reverse((root_move.score, root_move.previous_score)));
    }

    /// Sorts the principal variations found so far.
    pub(super) fn sort_finished_pvs(&mut self) {
        self.moves[..=self.multipv_index]
            .sort_by_key(|root_move| std::cmp::Reverse((root_move.tb_rank, root_move.score)));
    }
}

/// A principal variation from some ply on.
pub(super) type PvLine = ArrayVec<Move, MAX_PLY>;

/// The principal variation from each ply on (<https://www.chessprogramming.org/Triangular_PV-Table>).
pub(super) struct PvTable(Vec<PvLine>);

impl PvTable {
    pub(super) fn new() -> Self {
        Self(vec![PvLine::new(); MAX_PLY + 1])
    }

    /// The principal variation from `ply` on.
    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }

    /// Clears the principal variation from `ply` on.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the principal variation from `ply` on to `mv` and the one of the next ply.
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.0.split_at_mut(ply + 1);
        if let (Some(line), Some(rest)) = (here.last_mut(), below.first()) {
            line.clear();
            line.push(mv);
            line.extend(rest.iter().copied().take(MAX_PLY - 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    #[test]
    fn a_mate_is_reported_only_when_it_is_proved() {
        let with = |score, bound, known| {
            let mv = mv("e2e4");
            let (rest, seldepth, effort, tb_rank, tb_score) = (Vec::new(), 0, 0, 0, known);
            RootMove { mv, score, bound, previous_score: None, rest, seldepth, effort, tb_rank, tb_score }
                .reported_score()
        };
        let of = |score, bound| with(score, bound, None);
        let (mate, far) = (Score::mating(9), Score::from_units(i32::MAX));
        let cases = [
            ("proved", Some(mate), Bound::Exact, Some(mate)),
            ("at least", Some(mate), Bound::Lower, Some(far)),
            ("at most", Some(Score::mated(9)), Bound::Upper, Some(-far)),
            ("no mate", Some(Score::from_units(7)), Bound::Lower, Some(Score::from_units(7))),
            ("nothing", None, Bound::Exact, None),
        ];
        for (name, score, bound, expected) in cases {
            assert_eq!(of(score, bound), expected, "{name}");
        }
        let (win, draw) = (Some(Score::tb_win(1)), Some(Score::DRAW));
        let cases = [
            ("a win", Some(Score::from_units(300)), win, win),
            ("a win and its mate", Some(mate), win, Some(mate)),
            ("no win", Some(Score::from_units(300)), draw, draw),
            ("no mate", Some(mate), draw, draw),
        ];
        for (name, score, known, expected) in cases {
            assert_eq!(with(score, Bound::Exact, known), expected, "{name}");
        }
    }

    #[test]
    fn lines_grow_from_the_leaves() {
        let mut lines = PvTable::new();
        lines.update(2, mv("e2e4"));
        lines.update(1, mv("e7e5"));
        lines.clear(2);
        lines.update(0, mv("d2d4"));
        assert_eq!(lines.at(0), [mv("d2d4"), mv("e7e5"), mv("e2e4")]);
        assert!(lines.at(2).is_empty());
        lines.update(0, mv("c2c4"));
        assert_eq!(lines.at(0), [mv("c2c4"), mv("e7e5"), mv("e2e4")]);
    }
}
