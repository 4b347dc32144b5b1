//! How far the evaluation was from what the search found, by pawn structure
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::Score;
use super::gravity::Gravity;
use super::params::{PLY, Params};
use crate::chess::{Color, Key};

/// Pawn structures told apart, per color.
const STRUCTURES: usize = 1 << 14;
/// Bound of a correction.
const LIMIT: i16 = 1024;
/// Units of a correction per centipawn.
const GRAIN: i32 = 8;
/// Errors beyond this, in centipawns, are tactics and teach no more.
const GREATEST_ERROR: i32 = 1000;
/// The greatest share of [`LIMIT`] that is learned at once.
const LARGEST_LESSON: i32 = LIMIT as i32 / 4;

/// The corrections of one thread.
pub(super) struct Corrections(Box<[[Gravity<LIMIT>; STRUCTURES]; Color::COUNT]>);

impl Corrections {
    pub(super) fn new() -> Self {
        Self(Box::new([[Gravity::default(); STRUCTURES]; Color::COUNT]))
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|structures| structures.fill(Gravity::default()));
    }

    /// What to add to the evaluation, in centipawns.
    pub(super) fn of(&self, params: &Params, turn: Color, pawns: Key) -> i32 {
        self.0[turn][index(pawns)].value() * params.correction_weight() / (PLY * GRAIN)
    }

    /// Learns that the evaluation should have been higher by `error` centipawns.
    pub(super) fn learn(&mut self, params: &Params, turn: Color, pawns: Key, depth: i32, error: i32) {
        let error = error.clamp(-GREATEST_ERROR, GREATEST_ERROR);
        let lesson = error * depth * GRAIN * params.correction_rate() / PLY;
        self.0[turn][index(pawns)].update(lesson.clamp(-LARGEST_LESSON, LARGEST_LESSON));
    }
}

fn index(pawns: Key) -> usize {
    pawns.bits() as usize % STRUCTURES
}

/// Does a score teach anything of an evaluation? A bound does if it contradicts it.
pub(super) fn is_lesson(eval: Score, score: Score, bound: super::Bound) -> bool {
    !score.is_mate()
        && match bound {
            super::Bound::Exact => true,
            super::Bound::Lower => score > eval,
            super::Bound::Upper => score < eval,
        }
}

#[cfg(test)]
mod tests {
    use super::super::Bound;
    use super::*;

    #[test]
    fn errors_are_corrected_in_their_direction_and_for_their_color() {
        let params = Params::default();
        let mut corrections = Corrections::new();
        let pawns = Key::from_bits(12_345);
        let mut last = 0;
        for _ in 0..200 {
            corrections.learn(&params, Color::White, pawns, 6, 40);
            let correction = corrections.of(&params, Color::White, pawns);
            assert!(correction >= last);
            last = correction;
        }
        assert!(last > 0);
        assert_eq!(corrections.of(&params, Color::Black, pawns), 0);
        corrections.learn(&params, Color::White, pawns, 127, -30_000);
        assert!(corrections.of(&params, Color::White, pawns) < last);
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
