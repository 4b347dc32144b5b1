//! How moves have fared elsewhere in the tree
//! (<https://www.chessprogramming.org/History_Heuristic>).

use super::params::{PLY, Params};
use crate::chess::{Bitboard, Color, Key, Move, Piece, Placed, Role, Square};

/// A history value within `-LIMIT ..= LIMIT`
/// (<https://www.chessprogramming.org/History_Heuristic#History_Bonuses>).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Gravity<const LIMIT: i16>(i16);

impl<const LIMIT: i16> Gravity<LIMIT> {
    /// Nothing is known.
    pub(super) const ZERO: Self = Self(0);

    /// The value.
    #[inline(always)]
    pub(super) fn value(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the value toward the sign of `bonus`; the farther it is out, the less.
    #[inline]
    pub(super) fn update(&mut self, bonus: i32) {
        const { assert!(LIMIT > 0) };
        let limit = i32::from(LIMIT);
        let bonus = bonus.clamp(-limit, limit);
        self.0 += (bonus - self.value() * bonus.abs() / limit) as i16;
    }
}

/// How many are remembered per ply.
pub(super) const KILLERS: usize = 2;

/// The latest different killers of a ply, the latest first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Killers([Option<Move>; KILLERS]);

impl Killers {
    /// Remembers a move; the oldest gives way.
    pub(super) fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// Is this one of them?
    pub(super) fn contains(&self, mv: Move) -> bool {
        self.0.contains(&Some(mv))
    }

    /// The killer with this index.
    pub(super) fn nth(&self, index: usize) -> Option<Move> {
        self.0.get(index).copied().flatten()
    }
}

/// Bound of every history value.
const MAX_HISTORY: i16 = 16_000;
/// Pawn structures told apart.
const PAWN_TABLE_SIZE: usize = 1 << 9;

type Value = Gravity<MAX_HISTORY>;
type ByPieceAndSquare = [[Value; Square::COUNT]; Piece::COUNT];
type ByOriginAndTarget = [[Value; Square::COUNT]; Square::COUNT];
/// By whether the origin is attacked, and whether the target is.
type ByThreat = [[ByOriginAndTarget; 2]; 2];

/// How many plies back each continuation looks.
pub(super) const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The pieces moved so many plies ago as [`CONTINUATION_PLIES`] says, each where it arrived (a king that castles where its rook
/// was); none before the root and for a null move.
pub(super) type PriorMoves = [Option<Placed>; CONTINUATION_PLIES.len()];

/// What a history value depends on besides the move itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryContext {
    /// Whose move it is.
    pub turn: Color,
    /// What was moved before.
    pub prior_moves: PriorMoves,
    /// Squares that the opponent attacks.
    pub threats: Bitboard,
    /// The key of the pawns.
    pub pawns: Key,
}

/// The histories of one thread.
pub(super) struct Histories {
    /// Quiet moves by color, origin and target, and which of them are attacked.
    butterfly: Box<[ByThreat; Color::COUNT]>,
    /// Quiet moves by piece and target, for each piece and target of an earlier move.
    continuation: Box<[ByPieceAndSquare]>,
    /// Quiet moves by piece and target, for each pawn structure.
    pawns: Box<[ByPieceAndSquare]>,
    /// Captures by piece, target and what is captured.
    capture: Box<[[[Value; Role::COUNT]; Square::COUNT]; Piece::COUNT]>,
}

impl Histories {
    pub(super) fn new() -> Self {
        let unknown = [[Value::default(); Square::COUNT]; Piece::COUNT];
        Self {
            butterfly: Box::new([[[[[Value::default(); Square::COUNT]; Square::COUNT]; 2]; 2]; Color::COUNT]),
            continuation: vec![unknown; Placed::COUNT].into_boxed_slice(),
            pawns: vec![unknown; PAWN_TABLE_SIZE].into_boxed_slice(),
            capture: Box::new([[[Value::default(); Role::COUNT]; Square::COUNT]; Piece::COUNT]),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        // In place: searches of a few hundred nodes begin anew after each short game.
        for by_origin in self.butterfly.as_flattened_mut().as_flattened_mut() {
            by_origin.as_flattened_mut().fill(Value::default());
        }
        for by_piece in self.continuation.iter_mut().chain(&mut self.pawns) {
            by_piece.as_flattened_mut().fill(Value::default());
        }
        self.capture.as_flattened_mut().as_flattened_mut().fill(Value::default());
    }

    /// What is known of quiet moves in this context.
    #[inline]
    pub(super) fn quiets(&self, params: &Params, context: &HistoryContext) -> QuietHistory<'_> {
        static UNKNOWN: ByPieceAndSquare = [[Value::ZERO; Square::COUNT]; Piece::COUNT];
        let continued =
            |placed: Option<Placed>| placed.map_or(&UNKNOWN, |placed| &self.continuation[placed.index()]);
        QuietHistory {
            butterfly: &self.butterfly[context.turn],
            continuation: context.prior_moves.map(continued),
            pawns: &self.pawns[pawn_index(context.pawns)],
            threats: context.threats,
            weights: Weights::of(params),
        }
    }

    /// Learns that a quiet move of `piece` was good or bad.
    pub(super) fn update_quiet(&mut self, context: &HistoryContext, piece: Piece, mv: Move, bonus: i32) {
        let [origin, target] = threatened(context.threats, mv);
        self.butterfly[context.turn][origin][target][mv.from()][mv.to()].update(bonus);
        self.update_continuation(context, piece, mv, bonus);
        self.pawns[pawn_index(context.pawns)][piece][mv.to()].update(bonus);
    }

    /// Learns that a quiet move of `piece` was good or bad after those that led to it.
    pub(super) fn update_continuation(
        &mut self,
        context: &HistoryContext,
        piece: Piece,
        mv: Move,
        bonus: i32,
    ) {
        for &placed in context.prior_moves.iter().flatten() {
            self.continuation[placed.index()][piece][mv.to()].update(bonus);
        }
    }

    /// Learns from the evaluation alone that a quiet move was good or bad.
    pub(super) fn update_butterfly(&mut self, context: &HistoryContext, mv: Move, bonus: i32) {
        let [origin, target] = threatened(context.threats, mv);
        self.butterfly[context.turn][origin][target][mv.from()][mv.to()].update(bonus);
    }

    /// What is known of a capture by `piece`.
    #[inline]
    pub(super) fn capture(&self, piece: Piece, to: Square, captured: Role) -> i32 {
        self.capture[piece][to][captured].value()
    }

    /// Learns that a capture by `piece` was good or bad.
    pub(super) fn update_capture(&mut self, piece: Piece, to: Square, captured: Role, bonus: i32) {
        self.capture[piece][to][captured].update(bonus);
    }
}

/// The histories of the quiet moves of one position, looked up once for all of its moves.
#[derive(Clone, Copy)]
pub(super) struct QuietHistory<'a> {
    butterfly: &'a ByThreat,
    continuation: [&'a ByPieceAndSquare; CONTINUATION_PLIES.len()],
    pawns: &'a ByPieceAndSquare,
    threats: Bitboard,
    weights: Weights,
}

/// The shares of the parts of a move's history, in 1024ths.
#[derive(Clone, Copy)]
struct Weights {
    butterfly: i32,
    counter_move: i32,
    followup: i32,
    continuation: i32,
    pawn: i32,
}

impl Weights {
    #[inline(always)]
    fn of(params: &Params) -> Self {
        Self {
            butterfly: params.butterfly_history_weight(),
            counter_move: params.counter_move_history_weight(),
            followup: params.followup_history_weight(),
            continuation: params.continuation_history_weight(),
            pawn: params.pawn_history_weight(),
        }
    }
}

impl QuietHistory<'_> {
    /// What is known of a quiet move of `piece`.
    #[inline]
    pub(super) fn of(&self, piece: Piece, mv: Move) -> i32 {
        let [first, second, third, fourth] = self.continuation.map(|row| row[piece][mv.to()].value());
        let [origin, target] = threatened(self.threats, mv);
        let Weights { butterfly, counter_move, followup, continuation, pawn } = self.weights;
        (self.butterfly[origin][target][mv.from()][mv.to()].value() * butterfly
            + first * counter_move
            + second * followup
            + (third + fourth) * continuation
            + self.pawns[piece][mv.to()].value() * pawn)
            / PLY
    }
}

/// Are origin and target of a move attacked? As indices.
#[inline]
fn threatened(threats: Bitboard, mv: Move) -> [usize; 2] {
    [mv.from(), mv.to()].map(|square| usize::from(threats.contains(square)))
}

#[inline]
fn pawn_index(pawns: Key) -> usize {
    pawns.bits() as usize % PAWN_TABLE_SIZE
}

/// What a cutoff at this depth teaches about the move that made it.
pub(super) fn bonus(params: &Params, depth: i32) -> i32 {
    (params.history_slope() * depth + params.history_offset()).clamp(0, params.history_limit())
}

/// What a cutoff at this depth teaches about the moves tried before, which were no good.
pub(super) fn malus(params: &Params, depth: i32) -> i32 {
    (params.malus_slope() * depth + params.malus_offset()).clamp(0, params.malus_limit())
}

/// What a change of the evaluation, for the side that moved, teaches about the quiet move that
/// made it.
pub(super) fn eval_change_bonus(params: &Params, change: i32) -> i32 {
    let limit = params.history_eval_limit();
    (params.history_eval() * change / 100).clamp(-limit, limit)
}

#[cfg(test)]
mod tests {
    use super::super::samples::mv;
    use super::*;

    // Bounded history values

    #[test]
    fn never_leaves_its_bounds() {
        for bonus in [i32::MIN + 1, -500, -1, 1, 500, i32::MAX] {
            let mut gravity = Gravity::<1000>::default();
            for _ in 0..5000 {
                let before = gravity.value();
                gravity.update(bonus);
                assert!(gravity.value().abs() <= 1000, "{bonus}");
                assert!((gravity.value() - before) * bonus.signum() >= 0, "{bonus}: the wrong way");
            }
        }
    }

    #[test]
    fn surprises_count_more_than_confirmations() {
        let mut gravity = Gravity::<1000>::default();
        gravity.update(400);
        let first = gravity.value();
        gravity.update(400);
        assert!(gravity.value() - first < first);
        gravity.update(-400);
        assert!(gravity.value() < first);
    }

    // Killers

    #[test]
    fn the_latest_two_are_kept() {
        let mut killers = Killers::default();
        for text in ["a2a3", "b2b3", "b2b3", "c2c3"] {
            killers.add(mv(text));
        }
        assert_eq!(killers.nth(0), Some(mv("c2c3")));
        assert_eq!(killers.nth(1), Some(mv("b2b3")));
        assert_eq!(killers.nth(2), None);
        assert!(!killers.contains(mv("a2a3")));
    }

    // Histories

    #[test]
    fn what_is_learned_depends_on_what_came_before() {
        let params = Params::default();
        let mut histories = Histories::new();
        let knight = Placed { piece: Piece::BlackKnight, square: Square::F6 };
        let nowhere = HistoryContext {
            turn: Color::White,
            prior_moves: [None; CONTINUATION_PLIES.len()],
            threats: Bitboard::EMPTY,
            pawns: Key::from_bits(1),
        };
        let mut here = HistoryContext { pawns: Key::from_bits(2), ..nowhere };
        here.prior_moves[0] = Some(knight);
        histories.update_quiet(&here, Piece::WhitePawn, mv("e2e4"), 1000);
        let value = |histories: &Histories, context: &HistoryContext| {
            histories.quiets(&params, context).of(Piece::WhitePawn, mv("e2e4"))
        };
        let [target, reply, pawns] = [
            params.butterfly_history_weight(),
            params.counter_move_history_weight(),
            params.pawn_history_weight(),
        ]
        .map(|share| 1000 * share);
        assert_eq!(value(&histories, &here), (target + reply + pawns) / PLY);
        assert_eq!(
            value(&histories, &HistoryContext { pawns: here.pawns, ..nowhere }),
            (target + pawns) / PLY
        );
        assert_eq!(value(&histories, &nowhere), target / PLY);
        let attacked = HistoryContext { threats: Square::E2.bitboard(), ..nowhere };
        assert_eq!(value(&histories, &attacked), 0, "a move out of danger is another one");
        assert_eq!(histories.quiets(&params, &here).of(Piece::WhitePawn, mv("d2d4")), 0);
        histories.clear();
        assert_eq!(value(&histories, &here), 0);
    }

    #[test]
    fn deeper_cutoffs_teach_more_up_to_a_limit() {
        let params = Params::default();
        for depth in 0..60 {
            assert!(bonus(&params, depth) <= bonus(&params, depth + 1));
            assert!((0..=params.history_limit()).contains(&bonus(&params, depth)));
            assert!(malus(&params, depth) <= malus(&params, depth + 1));
            assert!((0..=params.malus_limit()).contains(&malus(&params, depth)));
        }
    }

    #[test]
    fn a_rising_evaluation_praises_the_move_up_to_a_limit() {
        let params = Params::default();
        let limit = params.history_eval_limit();
        for (change, expected) in [(0, 0), (100_000, limit), (-100_000, -limit)] {
            assert_eq!(eval_change_bonus(&params, change), expected, "{change}");
        }
        assert!(eval_change_bonus(&params, 10) > 0 && eval_change_bonus(&params, -10) < 0);
    }
}
