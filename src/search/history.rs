//! History heuristics: the success of moves elsewhere in the tree
//! (<https://www.chessprogramming.org/History_Heuristic>).

use super::params::{PLY, Params};
use crate::chess::attacks::AttackMap;
use crate::chess::{Bitboard, Color, Key, Move, Piece, PlacedPiece, Role, Square};

/// A history value within `-LIMIT ..= LIMIT`
/// (<https://www.chessprogramming.org/History_Heuristic#History_Bonuses>).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Gravity<const LIMIT: i16>(i16);

impl<const LIMIT: i16> Gravity<LIMIT> {
    /// The initial value.
    pub(super) const ZERO: Self = Self(0);

    /// The value.
    #[inline(always)]
    pub(super) fn value(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the value toward the sign of `bonus`, by less the closer it is to the limit.
    #[inline]
    pub(super) fn update(&mut self, bonus: i32) {
        const { assert!(LIMIT > 0) };
        let limit = i32::from(LIMIT);
        let bonus = bonus.clamp(-limit, limit);
        self.0 += (bonus - self.value() * bonus.abs() / limit) as i16;
    }
}

/// The number of killers per ply.
pub(super) const KILLERS: usize = 2;

/// The latest distinct killers of a ply, the latest first: quiet moves that refuted a sibling
/// (<https://www.chessprogramming.org/Killer_Heuristic>).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Killers([Option<Move>; KILLERS]);

impl Killers {
    /// Adds a move and drops the oldest.
    pub(super) fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// Whether the move is a killer.
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
/// Entries of the pawn history, indexed by the pawn key.
const PAWN_TABLE_SIZE: usize = 1 << 9;

type Value = Gravity<MAX_HISTORY>;
type ByPieceAndSquare = [[Value; Square::COUNT]; Piece::COUNT];
type ByOriginAndTarget = [[Value; Square::COUNT]; Square::COUNT];
/// By whether the origin square is attacked and whether the target square is.
type ByThreat = [[ByOriginAndTarget; 2]; 2];

/// The plies back to the earlier move of each continuation history.
pub(super) const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The moved piece and its target square for each of [`CONTINUATION_PLIES`] (castling: the king on its rook's
/// square). `None` before the root and for a null move.
pub(super) type PriorMoves = [Option<PlacedPiece>; CONTINUATION_PLIES.len()];

/// The context of a move on which its history values depend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HistoryContext {
    /// The side to move.
    pub turn: Color,
    /// The moves that led to the position.
    pub prior_moves: PriorMoves,
    /// Squares attacked by the opponent.
    pub threats: AttackMap,
    /// The pawn key.
    pub pawns: Key,
}

/// The histories of one thread.
pub(super) struct Histories {
    /// Quiet moves by color, origin and target, and whether these squares are attacked.
    butterfly: Box<[ByThreat; Color::COUNT]>,
    /// Quiet moves by piece and target, for each piece and target of an earlier move.
    continuation: Box<[ByPieceAndSquare]>,
    /// Quiet moves by piece and target, for each pawn key.
    pawns: Box<[ByPieceAndSquare]>,
    /// Captures by piece, target and captured role.
    capture: Box<[[[Value; Role::COUNT]; Square::COUNT]; Piece::COUNT]>,
}

impl Histories {
    pub(super) fn new() -> Self {
        let unknown = [[Value::default(); Square::COUNT]; Piece::COUNT];
        Self {
            butterfly: Box::new([[[[[Value::default(); Square::COUNT]; Square::COUNT]; 2]; 2]; Color::COUNT]),
            continuation: vec![unknown; PlacedPiece::COUNT].into_boxed_slice(),
            pawns: vec![unknown; PAWN_TABLE_SIZE].into_boxed_slice(),
            capture: Box::new([[[Value::default(); Role::COUNT]; Square::COUNT]; Piece::COUNT]),
        }
    }

    /// Clears all histories.
    pub(super) fn clear(&mut self) {
        // In place, because games of short searches clear the histories often.
        for by_origin in self.butterfly.as_flattened_mut().as_flattened_mut() {
            by_origin.as_flattened_mut().fill(Value::default());
        }
        for by_piece in self.continuation.iter_mut().chain(&mut self.pawns) {
            by_piece.as_flattened_mut().fill(Value::default());
        }
        self.capture.as_flattened_mut().as_flattened_mut().fill(Value::default());
    }

    /// The histories of quiet moves in this context.
    #[inline(always)]
    pub(super) fn quiets(&self, params: &Params, context: &HistoryContext) -> QuietHistory<'_> {
        static UNKNOWN: ByPieceAndSquare = [[Value::ZERO; Square::COUNT]; Piece::COUNT];
        let continued = |placed: Option<PlacedPiece>| {
            placed.map_or(&UNKNOWN, |placed| &self.continuation[placed.index()])
        };
        QuietHistory {
            butterfly: &self.butterfly[context.turn],
            continuation: context.prior_moves.map(continued),
            pawns: &self.pawns[pawn_index(context.pawns)],
            threats: context.threats.by_any,
            weights: Weights::of(params),
        }
    }

    /// Updates all histories of a quiet move of `piece`.
    pub(super) fn update_quiet(&mut self, context: &HistoryContext, piece: Piece, mv: Move, bonus: i32) {
        let [origin, target] = threatened(context.threats.by_any, mv);
        self.butterfly[context.turn][origin][target][mv.from()][mv.to()].update(bonus);
        self.update_continuation(context, piece, mv, bonus);
        self.pawns[pawn_index(context.pawns)][piece][mv.to()].update(bonus);
    }

    /// Updates the continuation histories of a quiet move of `piece`.
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

    /// Updates only the butterfly history of a quiet move.
    pub(super) fn update_butterfly(&mut self, context: &HistoryContext, mv: Move, bonus: i32) {
        let [origin, target] = threatened(context.threats.by_any, mv);
        self.butterfly[context.turn][origin][target][mv.from()][mv.to()].update(bonus);
    }

    /// Updates only the pawn history of a quiet move of `piece`.
    pub(super) fn update_pawns(&mut self, context: &HistoryContext, piece: Piece, mv: Move, bonus: i32) {
        self.pawns[pawn_index(context.pawns)][piece][mv.to()].update(bonus);
    }

    /// The history of a capture by `piece`.
    #[inline]
    pub(super) fn capture(&self, piece: Piece, to: Square, captured: Role) -> i32 {
        self.capture[piece][to][captured].value()
    }

    /// Updates the history of a capture by `piece`.
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

/// Weights of the parts of a quiet move's history, in 1024ths.
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
    /// The combined history of a quiet move of `piece`.
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

/// Whether origin and target of a move are attacked, as indices.
#[inline]
fn threatened(threats: Bitboard, mv: Move) -> [usize; 2] {
    [mv.from(), mv.to()].map(|square| usize::from(threats.contains(square)))
}

#[inline]
fn pawn_index(pawns: Key) -> usize {
    pawns.bits() as usize % PAWN_TABLE_SIZE
}

/// The history bonus of the move that causes a cutoff at this depth.
pub(super) fn bonus(params: &Params, depth: i32) -> i32 {
    (params.history_slope() * depth + params.history_offset()).clamp(0, params.history_limit())
}

/// The history penalty of the moves tried before the move that causes a cutoff at this depth.
pub(super) fn malus(params: &Params, depth: i32) -> i32 {
    (params.malus_slope() * depth + params.malus_offset()).clamp(0, params.malus_limit())
}

/// The history bonus of a quiet move that changed the evaluation, for the side that moved, by `change`.
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
        let knight = PlacedPiece { piece: Piece::BlackKnight, square: Square::F6 };
        let nowhere = HistoryContext {
            turn: Color::White,
            prior_moves: [None; CONTINUATION_PLIES.len()],
            threats: AttackMap::default(),
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
        let attacked = HistoryContext {
            threats: AttackMap { by_any: Square::E2.bitboard(), ..AttackMap::default() },
            ..nowhere
        };
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
