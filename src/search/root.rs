//! The moves at the root and what is known of them.

use super::correction_history::Structure;
use super::history::{Context, Histories, Killers, Previous};
use super::picker::Picker;
use super::shared::Order;
use super::thread::Variation;
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
    pub before: Option<Score>,
    /// The line that it begins.
    pub line: Variation,
    /// The longest line looked at when it got its score, in plies.
    pub selective_depth: usize,
    /// Nodes spent on it.
    pub effort: u64,
    /// What the endgame tables make of it: only the best of those not taken are searched.
    pub rank: i32,
    /// What the endgame tables say it is worth.
    pub known: Option<Score>,
}

impl RootMove {
    /// The latest score there is, or what the endgame tables know if that is more certain. A mate is told only with the line that proves it, which a bound
    /// has not: it may come from the hash table, from lines that were never played out.
    pub(super) fn value(&self) -> Option<Score> {
        let found = self.score.or(self.before);
        let is_better = |known: &Score| {
            found.is_none_or(|found| !found.is_mate() || known.value().signum() != found.value().signum())
        };
        if let Some(known) = self.known.filter(is_better) {
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
    pub(super) fn told(&self) -> Option<(Move, Score, Bound)> {
        Some((self.mv, self.value()?, self.bound))
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
    pub selective_depth: usize,
}

/// The moves at the root, the best first.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// Which of the best lines is being searched, counted from 0: the moves before it are taken.
    line: usize,
    /// Where the moves end that are as good as the first of those not taken, to the endgame tables.
    end: usize,
}

impl RootMoves {
    /// The moves that the order wants, in the order in which any node would try them.
    pub(super) fn new(order: &Order, histories: &Histories) -> Self {
        let position = &order.job.position;
        let context = Context {
            turn: position.turn(),
            previous: Previous::default(),
            threats: position.attacked_by(!position.turn()),
            pawns: Structure::of(position).pawns,
        };
        let hash_move = order.table.probe(position.key()).and_then(|entry| entry.mv);
        let mut picker = Picker::all(hash_move, Killers::default());
        let endgames = order.endgames.as_ref();
        let mut moves: Vec<_> =
            std::iter::from_fn(|| picker.next(&order.params, position, histories, &context))
                .filter(|mv| order.candidates.contains(mv))
                .map(|mv| RootMove {
                    mv,
                    score: None,
                    bound: Bound::Exact,
                    before: None,
                    line: Variation::from_iter([mv]),
                    selective_depth: 0,
                    effort: 0,
                    rank: endgames.map_or(0, |endgames| endgames.rank(mv)),
                    known: endgames.and_then(|endgames| endgames.score_at_root(mv)),
                })
                .collect();
        moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.rank));
        let mut moves = Self { moves, line: 0, end: 0 };
        moves.begin_line(0);
        moves
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The move that begins the best line with this number, counted from 0.
    pub(super) fn best(&self, line: usize) -> Option<&RootMove> {
        self.moves.get(line)
    }

    /// A new iteration begins.
    pub(super) fn begin_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.before = root_move.score;
            root_move.score = None;
        }
    }

    /// The best line with this number, counted from 0, is to be searched.
    pub(super) fn begin_line(&mut self, line: usize) {
        self.line = line;
        let rank = self.moves.get(line).map(|root_move| root_move.rank);
        self.end = self.moves.partition_point(|root_move| Some(root_move.rank) >= rank);
    }

    /// Is the very best line being searched?
    pub(super) fn is_first_line(&self) -> bool {
        self.line == 0
    }

    /// The move to try first.
    pub(super) fn first(&self) -> Option<Move> {
        self.moves.get(self.line).map(|root_move| root_move.mv)
    }

    /// Is this move to be searched for the present line?
    pub(super) fn is_wanted(&self, mv: Move) -> bool {
        self.moves[self.line..self.end].iter().any(|root_move| root_move.mv == mv)
    }

    /// Notes what the search of a move took and, if it is the best so far, what was found.
    pub(super) fn note(&mut self, mv: Move, effort: u64, found: Option<Found<'_>>) {
        let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.effort += effort;
        root_move.score = found.map(|found| found.score);
        if let Some(found) = found {
            root_move.bound = found.bound;
            root_move.line.clear();
            root_move.line.push(mv);
            root_move.line.extend(found.rest.iter().copied().take(MAX_PLY - 1));
            root_move.selective_depth = found.selective_depth;
        }
    }

    /// Puts a move first whose value is proved; what the others are worth does not matter any more.
    pub(super) fn settle(&mut self, mv: Move, found: Found<'_>) {
        self.begin_iteration();
        self.note(mv, 0, Some(found));
        self.sort_line();
    }

    /// Puts the best of the present line first, and keeps the order of equals.
    pub(super) fn sort_line(&mut self) {
        self.moves[self.line..self.end]
            .sort_by_key(|root_move| std::cmp::Reverse((root_move.score, root_move.before)));
    }

    /// Puts the lines found so far in order.
    pub(super) fn sort_found(&mut self) {
        self.moves[..=self.line]
            .sort_by_key(|root_move| std::cmp::Reverse((root_move.rank, root_move.score)));
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
            let line = Variation::from_iter([mv]);
            let (selective_depth, effort, rank) = (0, 0, 0);
            RootMove { mv, score, bound, before: None, line, selective_depth, effort, rank, known }.value()
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
        let (win, draw) = (Some(Score::table_win(1)), Some(Score::DRAW));
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
