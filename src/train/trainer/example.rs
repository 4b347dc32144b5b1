//! Examples: packed positions with their target.

use super::later_layers::Scalars;
use super::vector::{LANES, Vector};
use crate::chess::{Bitboard, Board, Color, Piece, Position, Problem, Role, Setup, Square};
use crate::nnue::features::{self, MAX_ACTIVE};
use crate::nnue::{SCALAR_ONE, SCALARS};
use crate::train::data::GameResult;

/// A position with its target, from the point of view of the side to move, in 40 bytes.
///
/// The side to move is always White: if Black is to move, the ranks are flipped and the colors exchanged, which makes
/// no difference to a network of two perspectives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Example {
    /// For each bit of [`number`] the squares of the pieces whose number has it.
    roles: [Bitboard; ROLE_BITS],
    /// The pieces of the side that is not to move.
    other_side: Bitboard,
    /// The target points, in fractions of [`POINT`].
    points: u16,
    /// The result of the game from the point of view of the side to move, which is White here, if in some steps of the
    /// run it has more weight than in `points`.
    result: Option<GameResult>,
    /// The factor of the loss.
    weight: f32,
}

const _: () = assert!(size_of::<Example>() == 40);

/// The number of fractions of a point.
const POINT: f32 = u16::MAX as f32;

/// The number of bits of the number of a role.
const ROLE_BITS: usize = 3;

/// The number of a role, which is not zero.
const fn number(role: Role) -> usize {
    role as usize + 1
}

const _: () = assert!(number(Role::King) < 1 << ROLE_BITS);

impl Example {
    /// Packs a position and the points, 0 to 1, that are its target for the side to move.
    pub fn new(board: &Board, points: f32) -> Self {
        let turn = board.turn();
        let seen = |squares: Bitboard| match turn {
            Color::White => squares,
            Color::Black => squares.flip_ranks(),
        };
        let mut roles = [Bitboard::EMPTY; ROLE_BITS];
        let mut other_side = Bitboard::EMPTY;
        for role in Role::ALL {
            let [own, other] = [turn, !turn].map(|color| seen(board.pieces(color, role)));
            other_side |= other;
            for (bit, squares) in roles.iter_mut().enumerate() {
                if number(role) >> bit & 1 != 0 {
                    *squares |= own | other;
                }
            }
        }
        Self { roles, other_side, points: (points * POINT).round() as u16, result: None, weight: 1.0 }
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

    /// The occupied squares.
    #[inline]
    fn occupied(&self) -> Bitboard {
        let [low, middle, high] = self.roles;
        low | middle | high
    }

    /// The number of pieces, including kings and pawns.
    #[inline]
    pub fn piece_count(&self) -> u32 {
        self.occupied().count()
    }

    /// The pieces and their squares, in the order of the squares; the side to move is White.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        let Self { roles, other_side, .. } = *self;
        self.occupied().into_iter().filter_map(move |square| {
            let bits = roles.iter().enumerate();
            let number: usize = bits.map(|(bit, squares)| usize::from(squares.contains(square)) << bit).sum();
            let color = if other_side.contains(square) { Color::Black } else { Color::White };
            Some((Piece::new(color, Role::from_index(number - 1)?), square))
        })
    }

    /// The pieces by color and role; the side to move is White.
    #[inline(always)]
    fn sets(&self) -> [[Bitboard; Role::COUNT]; Color::COUNT] {
        let [low, middle, high] = self.roles;
        // The squares of pawns, knights, bishops, rooks, queens and kings.
        let roles = [
            low - middle - high,
            middle - low - high,
            low & middle,
            high - low - middle,
            low & high,
            middle & high,
        ];
        [!self.other_side, self.other_side].map(|side| roles.map(|squares| squares & side))
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

    /// The pieces in the order of their squares, four bits each, the lowest first.
    fn packed_pieces(&self) -> u128 {
        /// The number of bits of a piece: its role, and in the highest bit whether it belongs to the side that is not
        /// to move.
        const BITS: usize = ROLE_BITS + 1;
        let pieces =
            self.pieces().map(|(piece, _)| piece.role() as u128 | (piece.color() as u128) << ROLE_BITS);
        pieces.enumerate().fold(0, |all, (place, piece)| all | piece << (BITS * place))
    }

    /// A number that depends on every field, for the fingerprint of a set.
    pub(super) fn hash(&self) -> u64 {
        /// An odd number with well-distributed bits: 2⁶⁴ divided by the golden ratio.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let packed = self.packed_pieces();
        let result = self.result.map_or(0, |result| 1 + result as u64);
        // Zero for the usual weight.
        let weight = u64::from(self.weight.to_bits() ^ 1.0_f32.to_bits());
        let points = u64::from(self.points) | result << u16::BITS | weight << u32::BITS;
        [self.occupied().bits(), packed as u64, (packed >> u64::BITS) as u64, points].into_iter().fold(
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
