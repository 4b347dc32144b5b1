//! Examples: packed positions with their target.

use super::later_layers::Scalars;
use super::vector::{LANES, Vector};
use crate::chess::{Bitboard, Board, Color, Piece, Position, Problem, Role, Setup, Square};
use crate::nnue::features::{self, MAX_ACTIVE};
use crate::nnue::{SCALAR_ONE, SCALARS};
use crate::train::data::GameResult;

/// A position with its target, from the point of view of the side to move, in 32 bytes.
///
/// The side to move is always White: if Black is to move, the ranks are flipped and the colors exchanged, which makes
/// no difference to a network of two perspectives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Example {
    /// The occupied squares.
    occupied: u64,
    /// The pieces in the order of their squares, two per byte, the lower four bits first.
    pieces: [u8; PIECE_BYTES],
    /// The target points, in fractions of [`POINT`].
    points: u16,
    /// The result of the game from the point of view of the side to move, which is White here, if in some steps of the
    /// run it has more weight than in `points`.
    result: Option<GameResult>,
    /// The factor of the loss.
    weight: f32,
}

const _: () = assert!(size_of::<Example>() == 32);

/// The number of fractions of a point.
const POINT: f32 = u16::MAX as f32;

/// The number of bytes of the pieces, two per byte.
const PIECE_BYTES: usize = MAX_ACTIVE / 2;

/// The number of bits of a packed piece: its role, and in the highest bit whether it belongs to the side that is not to
/// move.
const PIECE_BITS: u32 = 4;
const PIECE_MASK: u8 = (1 << PIECE_BITS) - 1;
const ROLE_MASK: u8 = 7;
const OTHER_SIDE: u8 = 8;

impl Example {
    /// Packs a position and the points, 0 to 1, that are its target for the side to move.
    pub fn new(board: &Board, points: f32) -> Self {
        let turn = board.turn();
        let occupied = match turn {
            Color::White => board.occupied(),
            Color::Black => board.occupied().flip_ranks(),
        };
        let mut pieces = [0; PIECE_BYTES];
        for (index, square) in occupied.into_iter().take(MAX_ACTIVE).enumerate() {
            let square = match turn {
                Color::White => square,
                Color::Black => square.flip_rank(),
            };
            if let Some(piece) = board.piece_at(square) {
                let side = if piece.color() == turn { 0 } else { OTHER_SIDE };
                pieces[index / 2] |= (piece.role() as u8 | side) << (PIECE_BITS * (index as u32 % 2));
            }
        }
        Self {
            occupied: occupied.bits(),
            pieces,
            points: (points * POINT).round() as u16,
            result: None,
            weight: 1.0,
        }
    }

    /// The example with the result of its game, which changes its points during the run. `turn` is the side to move.
    pub(super) fn with_result(self, result: GameResult, turn: Color) -> Self {
        Self { result: GameResult::from_code(result.half_points(turn)), ..self }
    }

    /// The example with another factor of its loss, above zero.
    pub(super) fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// The factor of the loss, above zero.
    #[inline]
    pub(super) const fn weight(&self) -> f32 {
        self.weight
    }

    /// The target points for the side to move, 0 to 1.
    #[inline]
    pub fn points(&self) -> f32 {
        f32::from(self.points) / POINT
    }

    /// The target points, 0 to 1, in a step of the run in which they are moved toward the result by this share.
    #[inline]
    pub(super) fn points_toward_result(&self, share: f32) -> f32 {
        let points = self.points();
        match self.result {
            Some(result) => points + share * (points_of(result, Color::White) - points),
            None => points,
        }
    }

    /// The number of pieces, including kings and pawns.
    #[inline]
    pub const fn piece_count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The pieces and their squares; the side to move is White.
    #[inline(always)]
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        let mut left = self.occupied;
        let packed = u128::from_le_bytes(self.pieces);
        (0..MAX_ACTIVE as u32).map_while(move |index| {
            let square = Square::from_index(left.trailing_zeros() as usize)?;
            left &= left - 1;
            let piece = (packed >> (PIECE_BITS * index)) as u8 & PIECE_MASK;
            let color = if piece & OTHER_SIDE == 0 { Color::White } else { Color::Black };
            Some((Piece::new(color, Role::from_index(usize::from(piece & ROLE_MASK))?), square))
        })
    }

    /// The pieces by color and role; the side to move is White.
    #[inline(always)]
    fn sets(&self) -> [[Bitboard; Role::COUNT]; Color::COUNT] {
        let mut sets = [0; 1 << PIECE_BITS];
        let (mut left, mut packed) = (self.occupied, u128::from_le_bytes(self.pieces));
        while left != 0 {
            let square = left & left.wrapping_neg();
            sets[usize::from(packed as u8 & PIECE_MASK)] |= square;
            left ^= square;
            packed >>= PIECE_BITS;
        }
        [0, OTHER_SIDE]
            .map(|side| Role::ALL.map(|role| Bitboard::from_bits(sets[usize::from(side | role as u8)])))
    }

    /// The position, with White to move and without castling rights.
    ///
    /// # Errors
    /// The [`Problem`]s if it is not a legal position.
    pub fn position(&self) -> Result<Position, Vec<Problem>> {
        let mut setup = Setup::EMPTY;
        for (piece, square) in self.pieces() {
            setup.pieces[square] = Some(piece);
        }
        Position::try_from(setup)
    }

    /// A number that depends on every field, for the fingerprint of a set.
    pub(super) fn hash(&self) -> u64 {
        /// An odd number with well-distributed bits: 2⁶⁴ divided by the golden ratio.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let packed = u128::from_le_bytes(self.pieces);
        let result = self.result.map_or(0, |result| 1 + result as u64);
        // Zero for the usual weight.
        let weight = u64::from(self.weight.to_bits() ^ 1.0_f32.to_bits());
        let points = u64::from(self.points) | result << u16::BITS | weight << u32::BITS;
        [self.occupied, packed as u64, (packed >> u64::BITS) as u64, points].into_iter().fold(
            FACTOR,
            |sum, word| {
                let mixed = (sum ^ word).wrapping_mul(FACTOR);
                mixed ^ mixed >> 29
            },
        )
    }
}

/// The points of a result for a side.
pub(super) fn points_of(result: GameResult, side: Color) -> f32 {
    f32::from(result.half_points(side)) / 2.0
}

/// The active inputs of some examples, for both perspectives.
#[derive(Clone, Default, Debug)]
pub(super) struct Inputs {
    /// For each example and piece, the input of the side to move and that of the other side.
    pairs: Vec<[u16; Color::COUNT]>,
    /// For each example the number of its pieces.
    counts: Vec<u8>,
    /// For each example the scalars for the side to move.
    scalars: Vec<[i16; SCALARS]>,
}

impl Inputs {
    /// Replaces the content by the inputs of these examples.
    pub(super) fn set(&mut self, examples: &[Example]) {
        self.counts.clear();
        self.scalars.clear();
        self.pairs.resize(examples.len() * MAX_ACTIVE, [0; Color::COUNT]);
        let mut end = 0;
        for example in examples {
            let (pairs, scalars) = features::active_of(&example.sets());
            let start = end;
            for (place, pair) in self.pairs[start..][..MAX_ACTIVE].iter_mut().zip(pairs) {
                *place = pair;
                end += 1;
            }
            self.counts.push((end - start) as u8);
            self.scalars.push(scalars);
        }
        self.pairs.truncate(end);
    }

    /// The scalars of an example, 0 to 1.
    #[inline]
    pub(super) fn scalars(&self, example: usize) -> Scalars {
        let vectors = self.scalars[example].as_chunks::<LANES>().0;
        std::array::from_fn(|index| {
            Vector::new(vectors[index].map(|scalar| f32::from(scalar) / f32::from(SCALAR_ONE)))
        })
    }

    /// The active inputs.
    #[inline(always)]
    pub(super) fn pairs(&self) -> Pairs<'_> {
        Pairs { all: &self.pairs, counts: &self.counts }
    }
}

/// The inputs of the side to move and of the other side, piece by piece, for some examples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairs<'a> {
    all: &'a [[u16; Color::COUNT]],
    /// The number of pieces of each example.
    counts: &'a [u8],
}

impl<'a> Pairs<'a> {
    /// Those of all examples.
    #[inline(always)]
    pub(super) const fn all(self) -> &'a [[u16; Color::COUNT]] {
        self.all
    }

    /// The number of examples.
    #[inline(always)]
    pub(super) const fn examples(self) -> usize {
        self.counts.len()
    }

    /// Those of each example.
    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = &'a [[u16; Color::COUNT]]> {
        let mut rest = self.all;
        self.counts.iter().map(move |count| {
            let (pairs, later) = rest.split_at(usize::from(*count));
            rest = later;
            pairs
        })
    }

    /// Takes those of the first examples, of `count` if there are as many.
    pub(super) fn split_off(&mut self, count: usize) -> Self {
        let (counts, later_counts) = self.counts.split_at(count.min(self.counts.len()));
        let pieces = counts.iter().map(|count| usize::from(*count)).sum();
        let (all, later) = self.all.split_at(pieces);
        *self = Self { all: later, counts: later_counts };
        Self { all, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(setup: Setup) -> Position {
        Position::try_from(setup).expect("a legal position")
    }

    #[test]
    fn every_piece_comes_back() {
        let mut setup = Setup::start();
        let white = Example::new(position(setup.clone()).board(), 0.75);
        let found: Vec<_> = white.pieces().collect();
        assert_eq!(found.len(), MAX_ACTIVE);
        for (piece, square) in found {
            assert_eq!(setup.pieces[square.index()], Some(piece), "{square}");
        }
        assert!((white.points() - 0.75).abs() < 1e-4 && white.piece_count() == 32);
        // The mirrored position with Black to move is the same example.
        setup.turn = Color::Black;
        let black = Example::new(position(setup).board(), 0.75);
        assert_eq!(black, white);
        // The hash from before examples had results and weights, so that checkpoints of that time can be resumed.
        assert_eq!(black.hash(), 0xb032_da5f_d11a_22b1);
        let others = [
            Example { points: black.points + 1, ..black },
            black.with_result(GameResult::BlackWins, Color::White),
            black.with_weight(0.5),
        ];
        for other in others {
            assert_ne!(black.hash(), other.hash(), "{other:?}");
        }
    }
}
