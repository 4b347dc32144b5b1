//! How far the evaluation was from what the search found, by pawn structure
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::gravity::Gravity;
use super::history::Context;
use super::params::{PLY, Params};
use super::structure::Structure;
use super::{Bound, Score};
use crate::chess::{Color, Key, Piece, Placed, Square};

/// Structures of each kind told apart, per color.
const STRUCTURES: usize = 1 << 14;
/// Bound of a correction.
const LIMIT: i16 = 1024;
/// Units of a correction per centipawn.
const GRAIN: i32 = 8;
/// Errors beyond this, in centipawns, are tactics and teach no more.
const GREATEST_ERROR: i32 = 1000;
/// The greatest share of [`LIMIT`] that is learned at once.
const LARGEST_LESSON: i32 = LIMIT as i32 / 4;

type ByStructure = [Gravity<LIMIT>; STRUCTURES];
type ByPieceAndSquare = [Gravity<LIMIT>; Piece::COUNT * Square::COUNT];

/// What a correction depends on.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// The parts of the position.
    pub structure: &'a Structure,
    /// The moves that led to it.
    pub context: &'a Context,
}

/// What one side has learned.
struct Side {
    pawns: ByStructure,
    minors: ByStructure,
    majors: ByStructure,
    armies: [ByStructure; Color::COUNT],
}

impl Default for Side {
    fn default() -> Self {
        let unknown = [Gravity::default(); STRUCTURES];
        Self { pawns: unknown, minors: unknown, majors: unknown, armies: [unknown; Color::COUNT] }
    }
}

/// The corrections of one thread.
pub(super) struct Corrections {
    sides: [Box<Side>; Color::COUNT],
    /// By the last move and the one before it.
    continuation: Box<[ByPieceAndSquare]>,
}

impl Corrections {
    pub(super) fn new() -> Self {
        Self {
            sides: Default::default(),
            continuation: vec![
                [Gravity::default(); Piece::COUNT * Square::COUNT];
                Piece::COUNT * Square::COUNT
            ]
            .into_boxed_slice(),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    /// What to add to the evaluation, in centipawns.
    #[inline]
    pub(super) fn of(&self, params: &Params, scene: Scene) -> i32 {
        let Scene { structure, context } = scene;
        let side = &self.sides[context.turn];
        let [us, them] = [context.turn, !context.turn];
        let mut sum = side.pawns[index(structure.pawns)].value() * params.correction_pawns()
            + side.minors[index(structure.minors)].value() * params.correction_minors()
            + side.majors[index(structure.majors)].value() * params.correction_majors()
            + (side.armies[us][index(structure.armies[us])].value()
                + side.armies[them][index(structure.armies[them])].value())
                * params.correction_armies();
        if let Some((last, before)) = moves(context) {
            sum += self.continuation[before][last].value() * params.correction_moves();
        }
        sum / (PLY * GRAIN)
    }

    /// Learns that the evaluation should have been higher by `error` centipawns.
    pub(super) fn learn(&mut self, params: &Params, scene: Scene, depth: i32, error: i32) {
        let Scene { structure, context } = scene;
        let error = error.clamp(-GREATEST_ERROR, GREATEST_ERROR);
        let lesson = error * depth * GRAIN * params.correction_rate() / PLY;
        let lesson = lesson.clamp(-LARGEST_LESSON, LARGEST_LESSON);
        let side = &mut self.sides[context.turn];
        side.pawns[index(structure.pawns)].update(lesson);
        side.minors[index(structure.minors)].update(lesson);
        side.majors[index(structure.majors)].update(lesson);
        for color in Color::ALL {
            side.armies[color][index(structure.armies[color])].update(lesson);
        }
        if let Some((last, before)) = moves(context) {
            self.continuation[before][last].update(lesson);
        }
    }
}

fn index(key: Key) -> usize {
    key.bits() as usize % STRUCTURES
}

/// The last move and the one before it, as indices.
fn moves(context: &Context) -> Option<(usize, usize)> {
    let index = |Placed { piece, square }: Placed| piece.index() * Square::COUNT + square.index();
    Some((index(context.previous[0]?), index(context.previous[1]?)))
}

/// Does a score teach anything of an evaluation? A bound does if it contradicts it.
pub(super) fn is_lesson(eval: Score, score: Score, bound: Bound) -> bool {
    !score.is_mate()
        && match bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
}

#[cfg(test)]
mod tests {
    use super::super::history::CONTINUATIONS;
    use super::*;

    #[test]
    fn errors_are_corrected_in_their_direction_and_for_their_color() {
        let params = Params::default();
        let mut corrections = Corrections::new();
        let pawns = Structure { pawns: Key::from_bits(12_345), ..Structure::default() };
        let other = Structure {
            pawns: Key::from_bits(1),
            minors: Key::from_bits(2),
            majors: Key::from_bits(3),
            armies: [Key::from_bits(4), Key::from_bits(5)],
        };
        let context = |turn| Context { turn, previous: [None; CONTINUATIONS] };
        let (white, black) = (context(Color::White), context(Color::Black));
        let of = |corrections: &Corrections, structure, context| {
            corrections.of(&params, Scene { structure, context })
        };
        let scene = Scene { structure: &pawns, context: &white };
        let mut last = 0;
        for _ in 0..200 {
            corrections.learn(&params, scene, 6, 40);
            let correction = of(&corrections, &pawns, &white);
            assert!(correction >= last);
            last = correction;
        }
        assert!(last > 0);
        assert_eq!(of(&corrections, &pawns, &black), 0);
        assert_eq!(of(&corrections, &other, &white), 0);
        corrections.learn(&params, scene, 127, -30_000);
        assert!(of(&corrections, &pawns, &white) < last);
    }

    #[test]
    fn moves_that_lead_astray_are_remembered() {
        let params = Params::default();
        let mut corrections = Corrections::new();
        let knight = Some(Placed { piece: Piece::BlackKnight, square: Square::F6 });
        let bishop = Some(Placed { piece: Piece::WhiteBishop, square: Square::B5 });
        let mut previous = [None; CONTINUATIONS];
        (previous[0], previous[1]) = (knight, bishop);
        let after = Context { turn: Color::White, previous };
        let (here, elsewhere) = (
            Structure::default(),
            Structure {
                pawns: Key::from_bits(1),
                minors: Key::from_bits(2),
                majors: Key::from_bits(3),
                armies: [Key::from_bits(4), Key::from_bits(5)],
            },
        );
        corrections.learn(&params, Scene { structure: &here, context: &after }, 20, 300);
        assert!(corrections.of(&params, Scene { structure: &elsewhere, context: &after }) > 0);
        let unknown = Context { previous: [knight, None], ..after };
        assert_eq!(corrections.of(&params, Scene { structure: &elsewhere, context: &unknown }), 0);
    }

    #[test]
    fn only_contradictions_teach() {
        let (low, high) = (Score::centipawns(-20), Score::centipawns(20));
        let cases = [
            ("exact", low, high, Bound::Exact, true),
            ("at least what is more", low, high, Bound::Lower, true),
            ("at least what is less", high, low, Bound::Lower, false),
            ("at most what is less", high, low, Bound::Upper, true),
            ("at most what is more", low, high, Bound::Upper, false),
            ("mate", low, Score::mating(3), Bound::Exact, false),
        ];
        for (name, eval, score, bound, expected) in cases {
            assert_eq!(is_lesson(eval, score, bound), expected, "{name}");
        }
    }
}
