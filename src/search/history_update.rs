//! What a node teaches the histories about its moves, and about the move that led to it
//! (<https://www.chessprogramming.org/History_Heuristic>).

use super::history::{self, Context};
use super::params::Params;
use super::picker::mover;
use super::thread::Tree;
use crate::chess::{Move, Piece, Placed, Position, Role, Square};
use arrayvec::ArrayVec;

/// Quiet moves that are remembered to be told that another was better.
const TRIED_QUIETS: usize = 64;
/// Captures that are remembered so.
const TRIED_CAPTURES: usize = 32;
/// Moves that are among the first of their position.
const EARLY: usize = 2;
/// A whole, in percent.
const WHOLE: i32 = 100;

/// The moves that a node has tried.
#[derive(Default)]
pub(super) struct Tried {
    quiets: ArrayVec<(Piece, Move), TRIED_QUIETS>,
    captures: ArrayVec<(Piece, Square, Role), TRIED_CAPTURES>,
}

impl Tried {
    /// Remembers a move of `piece`, if there is room.
    pub(super) fn add(&mut self, piece: Piece, mv: Move, captured: Option<Role>, is_quiet: bool) {
        match captured {
            Some(role) if !self.captures.is_full() => self.captures.push((piece, mv.to(), role)),
            None if is_quiet && !self.quiets.is_full() => self.quiets.push((piece, mv)),
            _ => {}
        }
    }
}

/// How much a node teaches.
#[derive(Clone, Copy)]
pub(super) struct Lesson {
    /// About its best move.
    bonus: i32,
    /// About the others.
    malus: i32,
}

impl Lesson {
    /// The lesson of a cutoff at this depth.
    pub(super) fn of_cutoff(params: &Params, depth: i32) -> Self {
        Self { bonus: history::bonus(params, depth), malus: history::malus(params, depth) }
    }

    /// The lesson of an exact score, found at this depth.
    pub(super) fn of_exact_score(params: &Params, depth: i32) -> Self {
        Self::of_cutoff(params, depth).part(params.history_exact())
    }

    /// So many percent of it.
    fn part(self, percent: i32) -> Self {
        Self { bonus: self.bonus * percent / WHOLE, malus: self.malus * percent / WHOLE }
    }
}

impl Tree<'_> {
    /// Rewards the best move of a node, and blames the others that were tried.
    pub(super) fn learn(
        &mut self,
        position: &Position,
        ply: usize,
        Lesson { bonus, malus }: Lesson,
        context: &Context,
        mv: Move,
        tried: &Tried,
    ) {
        let params = self.params;
        let piece = mover(position, mv);
        if let Some(role) = position.captured_role(mv) {
            self.histories.learn_capture(piece, mv.to(), role, bonus * params.capture_bonus() / WHOLE);
        } else if !position.is_noisy(mv) {
            self.frames[ply].killers.add(mv);
            self.histories.learn_quiet(context, piece, mv, bonus);
            for (index, &(piece, mv)) in tried.quiets.iter().enumerate() {
                let malus = malus * WHOLE / (WHOLE + params.malus_late() * index as i32);
                self.histories.learn_quiet(context, piece, mv, -malus);
            }
        }
        for &(piece, to, role) in &tried.captures {
            self.histories.learn_capture(piece, to, role, -malus * params.capture_malus() / WHOLE);
        }
    }

    /// Praises the quiet move or capture that led to `ply`, as nothing was found against it.
    pub(super) fn learn_unanswered(&mut self, ply: usize, depth: i32) {
        let Some(last) = ply.checked_sub(1).map(|last| &self.frames[last]) else { return };
        let lesson = Lesson::of_cutoff(&self.params, depth);
        if let Some((piece, mv, context)) = last.quiet {
            let Lesson { bonus, .. } = lesson.part(self.params.history_unanswered());
            self.histories.learn_quiet(&context, piece, mv, bonus);
        } else if let (Some(Placed { piece, square }), Some(role)) = (last.moved, last.captured) {
            let Lesson { bonus, .. } = lesson.part(self.params.capture_unanswered());
            self.histories.learn_capture(piece, square, role, bonus);
        }
    }

    /// Praises a quiet hash move that makes a cutoff without a search of this depth.
    pub(super) fn learn_known(&mut self, context: &Context, piece: Piece, mv: Move, depth: i32) {
        let Lesson { bonus, .. } = Lesson::of_cutoff(&self.params, depth).part(self.params.history_known());
        self.histories.learn_quiet(context, piece, mv, bonus);
    }

    /// Blames the quiet move that led to `ply`, as it was refuted, if it was one of the first of its position, which are
    /// expected to be good.
    pub(super) fn learn_refuted(&mut self, ply: usize, depth: i32) {
        let Some(last) = ply.checked_sub(1).map(|last| &self.frames[last]) else { return };
        if let (Some((piece, mv, context)), true) = (last.quiet, last.number <= EARLY) {
            let Lesson { malus, .. } =
                Lesson::of_cutoff(&self.params, depth).part(self.params.history_refuted());
            self.histories.learn_continuation(&context, piece, mv, -malus);
        }
    }

    /// Tells the histories whether a quiet move kept in a full search what the reduced one had promised.
    pub(super) fn learn_promise(
        &mut self,
        context: &Context,
        piece: Piece,
        mv: Move,
        depth: i32,
        is_kept: bool,
    ) {
        let Lesson { bonus, malus } =
            Lesson::of_cutoff(&self.params, depth).part(self.params.history_promise());
        self.histories.learn_continuation(context, piece, mv, if is_kept { bonus } else { -malus });
    }

    /// Tells the histories what the quiet move that led to `ply` has cost by the evaluations, in centipawns.
    pub(super) fn learn_loss(&mut self, ply: usize, loss: i32) {
        let Some(last) = ply.checked_sub(1) else { return };
        if let Some((_, mv, context)) = self.frames[last].quiet {
            self.histories.learn_change(&context, mv, history::change_bonus(&self.params, -loss));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{mv, position};
    use super::super::searcher::candidates;
    use super::super::shared::Order;
    use super::super::table::Table;
    use super::super::thread::Experience;
    use super::super::{Job, Limits};
    use super::*;
    use crate::chess::{Bitboard, Line};
    use crate::nnue;
    use std::sync::Arc;

    /// The position before the moves of the tests: White has captures, quiet moves and a promotion.
    const FEN: &str = "r3k2r/1P1pqpb1/bn2pnp1/2pPN3/1p2P3/2N2Q1p/P1PBBPPP/R3K2R w KQkq - 0 1";
    const DEPTH: i32 = 6;

    fn with_tree(test: impl FnOnce(&mut Tree, &Position)) {
        let position = position(FEN);
        let job = Job { position, line: Line::new(&position), limits: Limits::default(), multi_pv: 1 };
        let (table, network) = (Arc::new(Table::new(1).expect("a MiB is there")), nnue::embedded());
        let mut experience = Experience::new(&network);
        let candidates = candidates(&job);
        let order = Order::new(job, candidates, table, Arc::default(), Params::default(), network, 1);
        test(&mut Tree::new(&order, &mut experience, 0), &position);
    }

    /// What is known of a move.
    fn known(tree: &Tree, position: &Position, text: &str) -> i32 {
        let (mv, context) = (mv(text), tree.context(position, 1, Bitboard::EMPTY));
        match position.captured_role(mv) {
            Some(role) => tree.histories.capture(mover(position, mv), mv.to(), role),
            None => tree.histories.quiets(&tree.params, &context).of(mover(position, mv), mv),
        }
    }

    /// Makes a move from ply 1, as one that came so late.
    fn make(tree: &mut Tree, position: &Position, text: &str, number: usize) {
        let context = tree.context(position, 1, Bitboard::EMPTY);
        tree.make(position, mv(text), 1);
        let is_quiet = !position.is_noisy(mv(text));
        tree.frames[1].quiet = is_quiet.then(|| (mover(position, mv(text)), mv(text), context));
        tree.frames[1].number = number;
    }

    #[test]
    fn the_best_move_is_praised_and_the_others_are_blamed() {
        for best in ["a2a3", "e5g6"] {
            with_tree(|tree, position| {
                let mut tried = Tried::default();
                for text in ["a2a4", "e5d7", "b7b8q"] {
                    let mv = mv(text);
                    let is_quiet = !position.is_noisy(mv);
                    tried.add(mover(position, mv), mv, position.captured_role(mv), is_quiet);
                }
                let context = tree.context(position, 1, Bitboard::EMPTY);
                let lesson = Lesson::of_cutoff(&tree.params, DEPTH);
                tree.learn(position, 1, lesson, &context, mv(best), &tried);
                assert!(known(tree, position, best) > 0, "{best}");
                assert!(known(tree, position, "e5d7") < 0, "a capture, {best}");
                // A capture that is best says nothing of quiet moves.
                assert_eq!(known(tree, position, "a2a4") < 0, best == "a2a3", "{best}");
                assert_eq!(known(tree, position, "a1b1"), 0, "not tried, {best}");
            });
        }
    }

    #[test]
    fn the_first_moves_are_blamed_most() {
        with_tree(|tree, position| {
            let quiets = ["a2a4", "a2a3", "a1b1", "a1c1", "a1d1", "e1d1", "h1g1", "h1f1", "e2d1"];
            let mut tried = Tried::default();
            for text in quiets {
                tried.add(mover(position, mv(text)), mv(text), None, true);
            }
            let context = tree.context(position, 1, Bitboard::EMPTY);
            let lesson = Lesson::of_cutoff(&tree.params, DEPTH);
            tree.learn(position, 1, lesson, &context, mv("e2f1"), &tried);
            let known = quiets.map(|text| known(tree, position, text));
            assert!(known.is_sorted() && known[0] < known[8] && known[8] < 0, "{known:?}");
        });
    }

    #[test]
    fn an_exact_score_teaches_less_than_a_cutoff() {
        let params = Params::default();
        let [cutoff, exact] =
            [Lesson::of_cutoff, Lesson::of_exact_score].map(|lesson| lesson(&params, DEPTH));
        assert!(0 < exact.bonus && exact.bonus < cutoff.bonus);
        assert!(0 < exact.malus && exact.malus < cutoff.malus);
    }

    #[test]
    fn the_answer_to_a_move_says_what_it_was_worth() {
        // The histories by earlier moves know something only if there are any.
        let before = "a1b1";
        let taught_about = |text, number, teach: fn(&mut Tree)| {
            let mut knowledge = 0;
            with_tree(|tree, position| {
                tree.make(position, mv(before), 0);
                make(tree, position, text, number);
                teach(tree);
                knowledge = known(tree, position, text);
            });
            knowledge
        };
        let taught = |number, teach| taught_about("a2a3", number, teach);
        assert!(taught_about("e5g6", EARLY, |tree| tree.learn_unanswered(2, DEPTH)) > 0, "a capture");
        assert_eq!(taught_about("b7b8q", EARLY, |tree| tree.learn_unanswered(2, DEPTH)), 0, "a promotion");
        assert!(taught(EARLY, |tree| tree.learn_unanswered(2, DEPTH)) > 0);
        assert!(taught(EARLY, |tree| tree.learn_refuted(2, DEPTH)) < 0);
        assert_eq!(taught(EARLY + 1, |tree| tree.learn_refuted(2, DEPTH)), 0, "nobody expected much of it");
        let at_root: [fn(&mut Tree); 2] =
            [|tree| tree.learn_unanswered(0, DEPTH), |tree| tree.learn_refuted(0, DEPTH)];
        for teach in at_root {
            assert_eq!(taught(EARLY, teach), 0, "no move leads to the root");
        }
    }

    #[test]
    fn a_hash_move_is_praised_without_a_search() {
        with_tree(|tree, position| {
            let (mv, context) = (mv("a2a3"), tree.context(position, 1, Bitboard::EMPTY));
            tree.learn_known(&context, mover(position, mv), mv, DEPTH);
            assert!(known(tree, position, "a2a3") > 0);
        });
    }

    #[test]
    fn a_promise_is_kept_or_broken() {
        for is_kept in [true, false] {
            with_tree(|tree, position| {
                tree.make(position, mv("a1b1"), 0);
                let (mv, context) = (mv("a2a3"), tree.context(position, 1, Bitboard::EMPTY));
                tree.learn_promise(&context, mover(position, mv), mv, DEPTH, is_kept);
                let known = known(tree, position, "a2a3");
                assert_eq!((known > 0, known < 0), (is_kept, !is_kept));
            });
        }
    }
}
