//! The moves at the root and what is known of them.

use super::correction_history::PositionKeys;
use super::history::{Histories, HistoryContext, Killers, PriorMoves};
use super::picker::Picker;
use super::shared::SharedContext;
use super::thread::PvLine;
use super::{Bound, MAX_PLY, Score};
use crate::chess::Move;

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Its score in this iteration; none if it was not searched yet or was not better than the
    /// best before it.
    pub score: Option<Score>,
    /// How its latest score relates to the truth.
    pub bound: Bound,
    /// Its score in the last iteration, in the same sense.
    pub previous_score: Option<Score>,
    /// The line that it begins.
    pub pv: PvLine,
    /// The longest line looked at when it got its score, in plies.
    pub seldepth: usize,
    /// Nodes spent on it.
    pub effort: u64,
    /// What the endgame tables make of it: only the best of those not taken are searched.
    pub tb_rank: i32,
    /// What the endgame tables say it is worth.
    pub tb_score: Option<Score>,
}

impl RootMove {
    /// The latest score there is, or what the endgame tables know if that is more certain. A mate is told only with the line that proves it, which a bound
    /// has not: it may come from the hash table, from lines that were never played out.
    pub(super) fn reported_score(&self) -> Option<Score> {
        let found = self.score.or(self.previous_score);
        let is_better = |known: &Score| {
            found.is_none_or(|found| !found.is_mate() || known.value().signum() != found.value().signum())
        };
        if let Some(known) = self.tb_score.filter(is_better) {
            return Some(known);
        }
        let score = found?;
        Some(if self.bound == Bound::Exact || !score.is_mate() {
            score
        } else {
            Score::centipawns(score.value())
        })
    }

    /// The move, its value, and how that relates to the truth.
    pub(super) fn reported(&self) -> Option<(Move, Score, Bound)> {
        Some((self.mv, self.reported_score()?, self.bound))
    }
}

/// What the search of a root move has found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    pub score: Score,
    pub bound: Bound,
    /// The line after the move.
    pub rest: &'a [Move],
    /// The longest line looked at, in plies.
    pub seldepth: usize,
}

/// The moves at the root, the best first.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// Which of the best lines is being searched, counted from 0: the moves before it are taken.
    multipv_index: usize,
    /// Where the moves end that are as good as the first of those not taken, to the endgame tables.
    end: usize,
}

impl RootMoves {
    /// The moves that the order wants, in the order in which any node would try them.
    pub(super) fn new(shared: &SharedContext, histories: &Histories) -> Self {
        let position = &shared.job.position;
        let context = HistoryContext {
            turn: position.turn(),
            prior_moves: PriorMoves::default(),
            threats: position.attacked_by(!position.turn()),
            pawns: PositionKeys::of(position).pawns,
        };
        let hash_move = shared.table.probe(position.key()).and_then(|entry| entry.mv);
        let mut picker = Picker::all(hash_move, Killers::default());
        let tablebase = shared.tablebase.as_ref();
        let mut moves: Vec<_> =
            std::iter::from_fn(|| picker.next(&shared.params, position, histories, &context))
                .filter(|mv| shared.root_moves.contains(mv))
                .map(|mv| RootMove {
                    mv,
                    score: None,
                    bound: Bound::Exact,
                    previous_score: None,
                    pv: PvLine::from_iter([mv]),
                    seldepth: 0,
                    effort: 0,
                    tb_rank: tablebase.map_or(0, |tablebase| tablebase.tb_rank(mv)),
                    tb_score: tablebase.and_then(|tablebase| tablebase.root_score(mv)),
                })
                .collect();
        moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.tb_rank));
        let mut moves = Self { moves, multipv_index: 0, end: 0 };
        moves.start_pv(0);
        moves
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The move that begins the best line with this number, counted from 0.
    pub(super) fn best(&self, multipv_index: usize) -> Option<&RootMove> {
        self.moves.get(multipv_index)
    }

    /// A new iteration begins.
    pub(super) fn start_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous_score = root_move.score;
            root_move.score = None;
        }
    }

    /// The best line with this number, counted from 0, is to be searched.
    pub(super) fn start_pv(&mut self, multipv_index: usize) {
        self.multipv_index = multipv_index;
        let tb_rank = self.moves.get(multipv_index).map(|root_move| root_move.tb_rank);
        self.end = self.moves.partition_point(|root_move| Some(root_move.tb_rank) >= tb_rank);
    }

    /// Is the very best line being searched?
    pub(super) fn is_first_pv(&self) -> bool {
        self.multipv_index == 0
    }

    /// The move to try first.
    pub(super) fn first(&self) -> Option<Move> {
        self.moves.get(self.multipv_index).map(|root_move| root_move.mv)
    }

    /// Is this move to be searched for the present line?
    pub(super) fn is_wanted(&self, mv: Move) -> bool {
        self.moves[self.multipv_index..self.end].iter().any(|root_move| root_move.mv == mv)
    }

    /// Notes what the search of a move took and, if it is the best so far, what was found.
    pub(super) fn record(&mut self, mv: Move, effort: u64, found: Option<Found<'_>>) {
        let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.effort += effort;
        root_move.score = found.map(|found| found.score);
        if let Some(found) = found {
            root_move.bound = found.bound;
            root_move.pv.clear();
            root_move.pv.push(mv);
            root_move.pv.extend(found.rest.iter().copied().take(MAX_PLY - 1));
            root_move.seldepth = found.seldepth;
        }
    }

    /// Puts a move first whose value is proved; what the others are worth does not matter any more.
    pub(super) fn set_proved(&mut self, mv: Move, found: Found<'_>) {
        self.start_iteration();
        self.record(mv, 0, Some(found));
        self.sort_current_pv();
    }

    /// Puts the best of the present line first, and keeps the order of equals.
    pub(super) fn sort_current_pv(&mut self) {
        self.moves[self.multipv_index..self.end]
            .sort_by_key(|root_move| std::cmp::Reverse((root_move.score, root_move.previous_score)));
    }

    /// Puts the lines found so far in order.
    pub(super) fn sort_finished_pvs(&mut self) {
        self.moves[..=self.multipv_index]
            .sort_by_key(|root_move| std::cmp::Reverse((root_move.tb_rank, root_move.score)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    #[test]
    fn a_mate_is_told_only_when_it_is_proved() {
        let with = |score, bound, known| {
            let mv = mv("e2e4");
            let pv = PvLine::from_iter([mv]);
            let (seldepth, effort, tb_rank, tb_score) = (0, 0, 0, known);
            RootMove { mv, score, bound, previous_score: None, pv, seldepth, effort, tb_rank, tb_score }
                .reported_score()
        };
        let of = |score, bound| with(score, bound, None);
        let (mate, far) = (Score::mating(9), Score::centipawns(i32::MAX));
        let cases = [
            ("proved", Some(mate), Bound::Exact, Some(mate)),
            ("at least", Some(mate), Bound::Lower, Some(far)),
            ("at most", Some(Score::mated(9)), Bound::Upper, Some(-far)),
            ("no mate", Some(Score::centipawns(7)), Bound::Lower, Some(Score::centipawns(7))),
            ("nothing", None, Bound::Exact, None),
        ];
        for (name, score, bound, expected) in cases {
            assert_eq!(of(score, bound), expected, "{name}");
        }
        let (win, draw) = (Some(Score::tb_win(1)), Some(Score::DRAW));
        let cases = [
            ("a win", Some(Score::centipawns(300)), win, win),
            ("a win and its mate", Some(mate), win, Some(mate)),
            ("no win", Some(Score::centipawns(300)), draw, draw),
            ("no mate", Some(mate), draw, draw),
        ];
        for (name, score, known, expected) in cases {
            assert_eq!(with(score, Bound::Exact, known), expected, "{name}");
        }
    }
}
