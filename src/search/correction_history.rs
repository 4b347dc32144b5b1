//! Correction history: the difference between the static evaluation and the search result, by features of the
//! position and by the last moves (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::history::{Gravity, PriorMoves};
use super::memory;
use super::params::{PLY, Params};
use super::{Bound, Score};
use crate::chess::{Color, Delta, Key, Piece, PlacedPiece, Position, Role};

/// Entries of each table indexed by a position key.
const TABLE_SIZE: usize = 1 << 14;
/// Bound of a correction value.
const MAX_CORRECTION: i16 = 1024;
/// Correction values per search unit.
const CORRECTION_GRAIN: i32 = 8;
/// Larger errors, in search units, are tactical and are clamped.
const MAX_ERROR: i32 = 1000;
/// The largest change of a correction value in one update.
const MAX_UPDATE: i32 = MAX_CORRECTION as i32 / 4;

type ByStructure = [Gravity<MAX_CORRECTION>; TABLE_SIZE];
type ByPieceAndSquare = [Gravity<MAX_CORRECTION>; PlacedPiece::COUNT];

/// The keys by which the correction history is indexed.
#[derive(Clone, Copy)]
pub(super) struct CorrectionKeys<'a> {
    /// The keys of parts of the position.
    pub position_keys: &'a PositionKeys,
    /// The side to move.
    pub turn: Color,
    /// The moves that led to the position.
    pub prior_moves: &'a PriorMoves,
}

/// The corrections for positions with one side to move.
struct SideCorrections {
    pawns: ByStructure,
    minors: ByStructure,
    majors: ByStructure,
    non_pawn: [ByStructure; Color::COUNT],
}

impl Default for SideCorrections {
    fn default() -> Self {
        let unknown = [Gravity::default(); TABLE_SIZE];
        Self { pawns: unknown, minors: unknown, majors: unknown, non_pawn: [unknown; Color::COUNT] }
    }
}

/// The correction history of one thread.
pub(super) struct CorrectionHistory {
    sides: [Box<SideCorrections>; Color::COUNT],
    /// By the last move and the move one ply before it.
    continuation_2: Box<[ByPieceAndSquare]>,
    /// By the last move and the move four plies back.
    continuation_4: Box<[ByPieceAndSquare]>,
}

impl CorrectionHistory {
    pub(super) fn new() -> Self {
        let unknown =
            || vec![[Gravity::default(); PlacedPiece::COUNT]; PlacedPiece::COUNT].into_boxed_slice();
        Self { sides: Default::default(), continuation_2: unknown(), continuation_4: unknown() }
    }

    /// Clears all corrections.
    pub(super) fn clear(&mut self) {
        // In place, because games of short searches clear the history often.
        for SideCorrections { pawns, minors, majors, non_pawn } in self.sides.iter_mut().map(Box::as_mut) {
            [pawns, minors, majors]
                .into_iter()
                .chain(non_pawn)
                .for_each(|part| part.fill(Gravity::default()));
        }
        for moves in [&mut self.continuation_2, &mut self.continuation_4] {
            moves.as_flattened_mut().fill(Gravity::default());
        }
    }

    /// The correction of the evaluation, in search units.
    #[inline]
    pub(super) fn correction(&self, params: &Params, keys: CorrectionKeys) -> i32 {
        let CorrectionKeys { position_keys, turn, prior_moves } = keys;
        let side = &self.sides[turn];
        let [us, them] = [turn, !turn];
        let mut sum = side.pawns[index(position_keys.pawns)].value() * params.correction_pawns()
            + side.minors[index(position_keys.minors)].value() * params.correction_minors()
            + side.majors[index(position_keys.majors)].value() * params.correction_majors()
            + (side.non_pawn[us][index(position_keys.non_pawn[us])].value()
                + side.non_pawn[them][index(position_keys.non_pawn[them])].value())
                * params.correction_non_pawn();
        if let Some((last, before)) = continuation_2_index(prior_moves) {
            sum += self.continuation_2[before][last].value() * params.correction_continuation_2();
        }
        if let Some((last, before)) = continuation_4_index(prior_moves) {
            sum += self.continuation_4[before][last].value() * params.correction_continuation_4();
        }
        sum / (PLY * CORRECTION_GRAIN)
    }

    /// Prefetches the corrections of a position.
    #[inline]
    pub(super) fn prefetch(&self, keys: CorrectionKeys) {
        let CorrectionKeys { position_keys, turn, prior_moves } = keys;
        let side = &self.sides[turn];
        memory::prefetch(&side.pawns[index(position_keys.pawns)]);
        memory::prefetch(&side.minors[index(position_keys.minors)]);
        memory::prefetch(&side.majors[index(position_keys.majors)]);
        for color in Color::ALL {
            memory::prefetch(&side.non_pawn[color][index(position_keys.non_pawn[color])]);
        }
        if let Some((last, before)) = continuation_2_index(prior_moves) {
            memory::prefetch(&self.continuation_2[before][last]);
        }
        if let Some((last, before)) = continuation_4_index(prior_moves) {
            memory::prefetch(&self.continuation_4[before][last]);
        }
    }

    /// Updates the history after a search of `depth` plies that exceeded the evaluation by `error` search
    /// units.
    pub(super) fn update(&mut self, params: &Params, keys: CorrectionKeys, depth: i32, error: i32) {
        let CorrectionKeys { position_keys, turn, prior_moves } = keys;
        let error = error.clamp(-MAX_ERROR, MAX_ERROR);
        let bonus = error * depth * CORRECTION_GRAIN * params.correction_rate() / PLY;
        let bonus = bonus.clamp(-MAX_UPDATE, MAX_UPDATE);
        let side = &mut self.sides[turn];
        side.pawns[index(position_keys.pawns)].update(bonus);
        side.minors[index(position_keys.minors)].update(bonus);
        side.majors[index(position_keys.majors)].update(bonus);
        for color in Color::ALL {
            side.non_pawn[color][index(position_keys.non_pawn[color])].update(bonus);
        }
        if let Some((last, before)) = continuation_2_index(prior_moves) {
            self.continuation_2[before][last].update(bonus);
        }
        if let Some((last, before)) = continuation_4_index(prior_moves) {
            self.continuation_4[before][last].update(bonus);
        }
    }
}

fn index(key: Key) -> usize {
    key.bits() as usize % TABLE_SIZE
}

/// Indices of the last move and the move one ply before it.
fn continuation_2_index(&[last, before, ..]: &PriorMoves) -> Option<(usize, usize)> {
    Some((last?.index(), before?.index()))
}

/// Indices of the last move and the move four plies back.
fn continuation_4_index(&[last, _, before, ..]: &PriorMoves) -> Option<(usize, usize)> {
    Some((last?.index(), before?.index()))
}

/// Whether a score should update the correction of an evaluation. A bound does if it contradicts the
/// evaluation.
pub(super) fn should_update(eval: Score, score: Score, bound: Bound) -> bool {
    !score.is_decisive()
        && match bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
}

/// Zobrist keys of parts of a position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct PositionKeys {
    /// The pawns of both sides.
    pub pawns: Key,
    /// The kings, knights and bishops of both sides.
    pub minors: Key,
    /// The kings, rooks and queens of both sides.
    pub majors: Key,
    /// All pieces of White and of Black except pawns.
    pub non_pawn: [Key; Color::COUNT],
}

impl PositionKeys {
    pub(super) fn of(position: &Position) -> Self {
        let mut position_keys = Self::default();
        for color in Color::ALL {
            for role in Role::ALL {
                for square in position.pieces(color, role) {
                    position_keys.toggle(PlacedPiece { piece: Piece::new(color, role), square });
                }
            }
        }
        position_keys
    }

    /// Updates the keys after a move.
    #[inline]
    pub(super) fn apply(&mut self, delta: &Delta) {
        delta.for_each(|placed| self.toggle(placed));
    }

    #[inline(always)]
    fn toggle(&mut self, PlacedPiece { piece, square }: PlacedPiece) {
        let key = Key::piece(piece, square).bits();
        let parts = &PARTS[piece];
        let common = |part: Key| Key::from_bits(key & part.bits());
        self.pawns ^= common(parts.pawns);
        self.minors ^= common(parts.minors);
        self.majors ^= common(parts.majors);
        for (part, all) in self.non_pawn.iter_mut().zip(parts.non_pawn) {
            *part ^= common(all);
        }
    }
}

/// For each piece all bits in the keys of the parts that it belongs to, and none in the others: so keys are updated
/// without a branch, which would be mispredicted often.
static PARTS: [PositionKeys; Piece::COUNT] = {
    const NONE: Key = Key::from_bits(0);
    const ALL: Key = Key::from_bits(u64::MAX);
    let nothing = PositionKeys { pawns: NONE, minors: NONE, majors: NONE, non_pawn: [NONE; Color::COUNT] };
    let mut parts = [nothing; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let (piece, part) = (Piece::ALL[index], &mut parts[index]);
        let role = piece.role();
        if matches!(role, Role::Pawn) {
            part.pawns = ALL;
        } else {
            part.non_pawn[piece.color() as usize] = ALL;
        }
        if matches!(role, Role::Knight | Role::Bishop | Role::King) {
            part.minors = ALL;
        }
        if matches!(role, Role::Rook | Role::Queen | Role::King) {
            part.majors = ALL;
        }
        index += 1;
    }
    parts
};

#[cfg(test)]
mod tests {
    use super::super::history::CONTINUATION_PLIES;
    use super::super::samples::{position, walk};
    use super::*;
    use crate::chess::{Piece, Square};

    // Correction history

    #[test]
    fn errors_are_corrected_in_their_direction_and_for_their_color() {
        let params = Params::default();
        let mut correction_history = CorrectionHistory::new();
        let pawns = PositionKeys { pawns: Key::from_bits(12_345), ..PositionKeys::default() };
        let other = PositionKeys {
            pawns: Key::from_bits(1),
            minors: Key::from_bits(2),
            majors: Key::from_bits(3),
            non_pawn: [Key::from_bits(4), Key::from_bits(5)],
        };
        let nothing = [None; CONTINUATION_PLIES.len()];
        let of = |correction_history: &CorrectionHistory, position_keys, turn| {
            correction_history
                .correction(&params, CorrectionKeys { position_keys, turn, prior_moves: &nothing })
        };
        let keys = CorrectionKeys { position_keys: &pawns, turn: Color::White, prior_moves: &nothing };
        let mut last = 0;
        for _ in 0..200 {
            correction_history.update(&params, keys, 6, 40);
            let correction = of(&correction_history, &pawns, Color::White);
            assert!(correction >= last);
            last = correction;
        }
        assert!(last > 0);
        assert_eq!(of(&correction_history, &pawns, Color::Black), 0);
        assert_eq!(of(&correction_history, &other, Color::White), 0);
        correction_history.update(&params, keys, 127, -30_000);
        assert!(of(&correction_history, &pawns, Color::White) < last);
    }

    #[test]
    fn moves_that_lead_astray_are_remembered() {
        let params = Params::default();
        let mut correction_history = CorrectionHistory::new();
        let knight = Some(PlacedPiece { piece: Piece::BlackKnight, square: Square::F6 });
        let bishop = Some(PlacedPiece { piece: Piece::WhiteBishop, square: Square::B5 });
        let mut astray = [None; CONTINUATION_PLIES.len()];
        (astray[0], astray[1]) = (knight, bishop);
        let here = PositionKeys::default();
        let elsewhere = PositionKeys {
            pawns: Key::from_bits(1),
            minors: Key::from_bits(2),
            majors: Key::from_bits(3),
            non_pawn: [Key::from_bits(4), Key::from_bits(5)],
        };
        let keys = CorrectionKeys { position_keys: &here, turn: Color::White, prior_moves: &astray };
        correction_history.update(&params, keys, 20, 300);
        assert!(
            correction_history.correction(&params, CorrectionKeys { position_keys: &elsewhere, ..keys }) > 0
        );
        let unknown = [knight, None, None, None];
        let other = CorrectionKeys { position_keys: &elsewhere, prior_moves: &unknown, ..keys };
        assert_eq!(correction_history.correction(&params, other), 0);
        let far = [knight, None, bishop, None];
        let keys = CorrectionKeys { position_keys: &elsewhere, prior_moves: &far, ..keys };
        correction_history.update(&params, CorrectionKeys { position_keys: &here, ..keys }, 20, 300);
        assert!(correction_history.correction(&params, keys) > 0, "four plies back");
    }

    #[test]
    fn only_contradictions_teach() {
        let (low, high) = (Score::from_units(-20), Score::from_units(20));
        let cases = [
            ("exact", low, high, Bound::Exact, true),
            ("at least what is more", low, high, Bound::Lower, true),
            ("at least what is less", high, low, Bound::Lower, false),
            ("at most what is less", high, low, Bound::Upper, true),
            ("at most what is more", low, high, Bound::Upper, false),
            ("mate", low, Score::mating(3), Bound::Exact, false),
        ];
        for (name, eval, score, bound, expected) in cases {
            assert_eq!(should_update(eval, score, bound), expected, "{name}");
        }
    }

    // Position keys

    #[test]
    fn structures_of_a_walk_are_those_of_its_end() {
        for seed in 100..140 {
            let mut position_keys = PositionKeys::of(&Position::start());
            walk(seed, 120, |_, position, delta| {
                position_keys.apply(delta);
                assert_eq!(position_keys, PositionKeys::of(position), "seed {seed}: {position:?}");
            });
        }
    }

    #[test]
    fn a_part_is_blind_to_the_rest() {
        let before = PositionKeys::of(&position("r3k2r/pp3ppp/2n2n2/3p4/3P4/2N2N2/PP3PPP/R3K2R w - - 0 1"));
        let knight = PositionKeys::of(&position("r3k2r/pp3ppp/2n2n2/3pN3/3P4/2N5/PP3PPP/R3K2R b - - 0 1"));
        assert_eq!(before.pawns, knight.pawns);
        assert_eq!(before.majors, knight.majors);
        assert_ne!(before.minors, knight.minors);
        assert_ne!(before.non_pawn[Color::White], knight.non_pawn[Color::White]);
        assert_eq!(before.non_pawn[Color::Black], knight.non_pawn[Color::Black]);
    }
}
