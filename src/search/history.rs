//! How moves have fared elsewhere in the tree
//! (<https://www.chessprogramming.org/History_Heuristic>).

use super::gravity::Gravity;
use super::params::Params;
use crate::chess::{Color, Move, Piece, Placed, Role, Square};

/// Bound of every history value.
const LIMIT: i16 = 16_000;

type Value = Gravity<LIMIT>;
type ByPieceAndSquare = [[Value; Square::COUNT]; Piece::COUNT];
type ByOriginAndTarget = [[Value; Square::COUNT]; Square::COUNT];

/// How many moves back a continuation looks.
pub(super) const CONTINUATIONS: usize = 2;

/// What a history value depends on besides the move itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// Whose move it is.
    pub turn: Color,
    /// The pieces moved last, each where it arrived, the latest first; none before the root
    /// and for a null move.
    pub previous: [Option<Placed>; CONTINUATIONS],
}

/// The histories of one thread.
pub(super) struct Histories {
    /// Quiet moves by color, origin and target.
    quiet: Box<[ByOriginAndTarget; Color::COUNT]>,
    /// Quiet moves by piece and target, for each piece and target of an earlier move.
    continuation: Box<[ByPieceAndSquare]>,
    /// Captures by piece, target and what is captured.
    capture: Box<[[[Value; Role::COUNT]; Square::COUNT]; Piece::COUNT]>,
}

impl Histories {
    pub(super) fn new() -> Self {
        Self {
            quiet: Box::new([[[Value::default(); Square::COUNT]; Square::COUNT]; Color::COUNT]),
            continuation: vec![
                [[Value::default(); Square::COUNT]; Piece::COUNT];
                Piece::COUNT * Square::COUNT
            ]
            .into_boxed_slice(),
            capture: Box::new([[[Value::default(); Role::COUNT]; Square::COUNT]; Piece::COUNT]),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self.quiet = [[[Value::default(); Square::COUNT]; Square::COUNT]; Color::COUNT];
        self.continuation.fill([[Value::default(); Square::COUNT]; Piece::COUNT]);
        *self.capture = [[[Value::default(); Role::COUNT]; Square::COUNT]; Piece::COUNT];
    }

    /// What is known of a quiet move of `piece`.
    #[inline]
    pub(super) fn quiet(&self, context: &Context, piece: Piece, mv: Move) -> i32 {
        let continued =
            context.previous.iter().flatten().map(|&placed| self.after(placed)[piece][mv.to()].value());
        self.quiet[context.turn][mv.from()][mv.to()].value() + continued.sum::<i32>()
    }

    /// Learns that a quiet move of `piece` was good or bad.
    pub(super) fn learn_quiet(&mut self, context: &Context, piece: Piece, mv: Move, bonus: i32) {
        self.quiet[context.turn][mv.from()][mv.to()].update(bonus);
        for &placed in context.previous.iter().flatten() {
            self.continuation[row(placed)][piece][mv.to()].update(bonus);
        }
    }

    /// What is known of a capture by `piece`.
    #[inline]
    pub(super) fn capture(&self, piece: Piece, to: Square, captured: Role) -> i32 {
        self.capture[piece][to][captured].value()
    }

    /// Learns that a capture by `piece` was good or bad.
    pub(super) fn learn_capture(&mut self, piece: Piece, to: Square, captured: Role, bonus: i32) {
        self.capture[piece][to][captured].update(bonus);
    }

    #[inline]
    fn after(&self, placed: Placed) -> &ByPieceAndSquare {
        &self.continuation[row(placed)]
    }
}

#[inline]
fn row(placed: Placed) -> usize {
    placed.piece.index() * Square::COUNT + placed.square.index()
}

/// What a cutoff at this depth teaches about the move that made it.
pub(super) fn bonus(params: &Params, depth: i32) -> i32 {
    (params.history_slope() * depth + params.history_offset()).clamp(0, params.history_limit())
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    #[test]
    fn what_is_learned_depends_on_what_came_before() {
        let mut histories = Histories::new();
        let knight = Placed { piece: Piece::BlackKnight, square: Square::F6 };
        let here = Context { turn: Color::White, previous: [Some(knight), None] };
        let elsewhere = Context { turn: Color::White, previous: [None, None] };
        histories.learn_quiet(&here, Piece::WhitePawn, mv("e2e4"), 1000);
        let value = |histories: &Histories, context| histories.quiet(context, Piece::WhitePawn, mv("e2e4"));
        assert_eq!(value(&histories, &here), 2000);
        assert_eq!(value(&histories, &elsewhere), 1000);
        assert_eq!(histories.quiet(&here, Piece::WhitePawn, mv("d2d4")), 0);
        histories.clear();
        assert_eq!(value(&histories, &here), 0);
    }

    #[test]
    fn deeper_cutoffs_teach_more_up_to_a_limit() {
        let params = Params::default();
        for depth in 0..60 {
            assert!(bonus(&params, depth) <= bonus(&params, depth + 1));
            assert!((0..=params.history_limit()).contains(&bonus(&params, depth)));
        }
    }
}
