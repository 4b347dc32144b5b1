//! How far the evaluation was from what the search found, by parts of the position and by the last moves
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::history::{Gravity, Previous};
use super::params::{PLY, Params};
use super::{Bound, Score};
use crate::chess::{Color, Delta, Key, Piece, Placed, Position, Role};

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
type ByPieceAndSquare = [Gravity<LIMIT>; Placed::COUNT];

/// What a correction depends on.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// The parts of the position.
    pub structure: &'a Structure,
    /// Whose move it is.
    pub turn: Color,
    /// The moves that led to it.
    pub previous: &'a Previous,
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
    /// By the last move and the own one four plies back.
    farther: Box<[ByPieceAndSquare]>,
}

impl Corrections {
    pub(super) fn new() -> Self {
        let unknown = || vec![[Gravity::default(); Placed::COUNT]; Placed::COUNT].into_boxed_slice();
        Self { sides: Default::default(), continuation: unknown(), farther: unknown() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        // In place: searches of a few hundred nodes begin anew after each short game.
        for Side { pawns, minors, majors, armies } in self.sides.iter_mut().map(Box::as_mut) {
            [pawns, minors, majors].into_iter().chain(armies).for_each(|part| part.fill(Gravity::default()));
        }
        for moves in [&mut self.continuation, &mut self.farther] {
            moves.as_flattened_mut().fill(Gravity::default());
        }
    }

    /// What to add to the evaluation, in centipawns.
    #[inline]
    pub(super) fn of(&self, params: &Params, scene: Scene) -> i32 {
        let Scene { structure, turn, previous } = scene;
        let side = &self.sides[turn];
        let [us, them] = [turn, !turn];
        let mut sum = side.pawns[index(structure.pawns)].value() * params.correction_pawns()
            + side.minors[index(structure.minors)].value() * params.correction_minors()
            + side.majors[index(structure.majors)].value() * params.correction_majors()
            + (side.armies[us][index(structure.armies[us])].value()
                + side.armies[them][index(structure.armies[them])].value())
                * params.correction_armies();
        if let Some((last, before)) = moves(previous) {
            sum += self.continuation[before][last].value() * params.correction_moves();
        }
        if let Some((last, before)) = far_moves(previous) {
            sum += self.farther[before][last].value() * params.correction_far();
        }
        sum / (PLY * GRAIN)
    }

    /// Learns that the evaluation should have been higher by `error` centipawns.
    pub(super) fn learn(&mut self, params: &Params, scene: Scene, depth: i32, error: i32) {
        let Scene { structure, turn, previous } = scene;
        let error = error.clamp(-GREATEST_ERROR, GREATEST_ERROR);
        let lesson = error * depth * GRAIN * params.correction_rate() / PLY;
        let lesson = lesson.clamp(-LARGEST_LESSON, LARGEST_LESSON);
        let side = &mut self.sides[turn];
        side.pawns[index(structure.pawns)].update(lesson);
        side.minors[index(structure.minors)].update(lesson);
        side.majors[index(structure.majors)].update(lesson);
        for color in Color::ALL {
            side.armies[color][index(structure.armies[color])].update(lesson);
        }
        if let Some((last, before)) = moves(previous) {
            self.continuation[before][last].update(lesson);
        }
        if let Some((last, before)) = far_moves(previous) {
            self.farther[before][last].update(lesson);
        }
    }
}

fn index(key: Key) -> usize {
    key.bits() as usize % STRUCTURES
}

/// The last move and the one before it, as indices.
fn moves(&[last, before, ..]: &Previous) -> Option<(usize, usize)> {
    Some((last?.index(), before?.index()))
}

/// The last move and the own one four plies back, as indices.
fn far_moves(&[last, _, before, ..]: &Previous) -> Option<(usize, usize)> {
    Some((last?.index(), before?.index()))
}

/// Does a score teach anything of an evaluation? A bound does if it contradicts it.
pub(super) fn is_lesson(eval: Score, score: Score, bound: Bound) -> bool {
    !score.is_decisive()
        && match bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
}

/// The parts of a position that are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Structure {
    /// The pawns of both sides.
    pub pawns: Key,
    /// The kings, knights and bishops of both sides.
    pub minors: Key,
    /// The kings, rooks and queens of both sides.
    pub majors: Key,
    /// All but the pawns of White and of Black.
    pub armies: [Key; Color::COUNT],
}

impl Structure {
    pub(super) fn of(position: &Position) -> Self {
        let mut structure = Self::default();
        for color in Color::ALL {
            for role in Role::ALL {
                for square in position.pieces(color, role) {
                    structure.toggle(Placed { piece: Piece::new(color, role), square });
                }
            }
        }
        structure
    }

    /// Follows a move.
    #[inline]
    pub(super) fn apply(&mut self, delta: &Delta) {
        delta.removed().for_each(|placed| self.toggle(placed));
        delta.added().for_each(|placed| self.toggle(placed));
    }

    #[inline]
    fn toggle(&mut self, Placed { piece, square }: Placed) {
        let key = Key::piece(piece, square);
        match piece.role() {
            Role::Pawn => {
                self.pawns ^= key;
                return;
            }
            Role::Knight | Role::Bishop => self.minors ^= key,
            Role::Rook | Role::Queen => self.majors ^= key,
            Role::King => {
                self.minors ^= key;
                self.majors ^= key;
            }
        }
        self.armies[piece.color()] ^= key;
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::CONTINUATIONS;
    use super::super::samples::{position, walk};
    use super::*;
    use crate::chess::{Piece, Square};

    // Correction history

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
        let nothing = [None; CONTINUATIONS.len()];
        let of = |corrections: &Corrections, structure, turn| {
            corrections.of(&params, Scene { structure, turn, previous: &nothing })
        };
        let scene = Scene { structure: &pawns, turn: Color::White, previous: &nothing };
        let mut last = 0;
        for _ in 0..200 {
            corrections.learn(&params, scene, 6, 40);
            let correction = of(&corrections, &pawns, Color::White);
            assert!(correction >= last);
            last = correction;
        }
        assert!(last > 0);
        assert_eq!(of(&corrections, &pawns, Color::Black), 0);
        assert_eq!(of(&corrections, &other, Color::White), 0);
        corrections.learn(&params, scene, 127, -30_000);
        assert!(of(&corrections, &pawns, Color::White) < last);
    }

    #[test]
    fn moves_that_lead_astray_are_remembered() {
        let params = Params::default();
        let mut corrections = Corrections::new();
        let knight = Some(Placed { piece: Piece::BlackKnight, square: Square::F6 });
        let bishop = Some(Placed { piece: Piece::WhiteBishop, square: Square::B5 });
        let mut astray = [None; CONTINUATIONS.len()];
        (astray[0], astray[1]) = (knight, bishop);
        let here = Structure::default();
        let elsewhere = Structure {
            pawns: Key::from_bits(1),
            minors: Key::from_bits(2),
            majors: Key::from_bits(3),
            armies: [Key::from_bits(4), Key::from_bits(5)],
        };
        let scene = Scene { structure: &here, turn: Color::White, previous: &astray };
        corrections.learn(&params, scene, 20, 300);
        assert!(corrections.of(&params, Scene { structure: &elsewhere, ..scene }) > 0);
        let unknown = [knight, None, None, None];
        let other = Scene { structure: &elsewhere, previous: &unknown, ..scene };
        assert_eq!(corrections.of(&params, other), 0);
        let far = [knight, None, bishop, None];
        let scene = Scene { structure: &elsewhere, previous: &far, ..scene };
        corrections.learn(&params, Scene { structure: &here, ..scene }, 20, 300);
        assert!(corrections.of(&params, scene) > 0, "four plies back");
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

    // Position keys

    #[test]
    fn structures_of_a_walk_are_those_of_its_end() {
        for seed in 100..140 {
            let mut structure = Structure::of(&Position::start());
            walk(seed, 120, |_, position, delta| {
                structure.apply(delta);
                assert_eq!(structure, Structure::of(position), "seed {seed}: {position:?}");
            });
        }
    }

    #[test]
    fn a_part_is_blind_to_the_rest() {
        let before = Structure::of(&position("r3k2r/pp3ppp/2n2n2/3p4/3P4/2N2N2/PP3PPP/R3K2R w - - 0 1"));
        let knight = Structure::of(&position("r3k2r/pp3ppp/2n2n2/3pN3/3P4/2N5/PP3PPP/R3K2R b - - 0 1"));
        assert_eq!(before.pawns, knight.pawns);
        assert_eq!(before.majors, knight.majors);
        assert_ne!(before.minors, knight.minors);
        assert_ne!(before.armies[Color::White], knight.armies[Color::White]);
        assert_eq!(before.armies[Color::Black], knight.armies[Color::Black]);
    }
}
