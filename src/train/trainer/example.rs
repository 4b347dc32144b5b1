//! Examples: packed positions with their target.

use crate::chess::{Bitboard, Board, Color, Piece, Position, Problem, Role, Setup, Square};
use crate::nnue::features::{self, MAX_ACTIVE};
use crate::train::data::GameResult;

/// A position with its target, from the viewpoint of the side to move, in 32 bytes.
///
/// The side to move is always White here: for Black the board is turned upside down and the
/// colors are exchanged, which a network of two perspectives cannot tell apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Example {
    /// The occupied squares.
    occupied: u64,
    /// The pieces on them in the order of the squares, two to a byte, the lower digit first.
    pieces: [u8; PIECE_BYTES],
    /// The points that it should bring, in fractions of [`POINT`].
    points: u16,
    /// The result of its game as the side to move sees it, White here, if it weighs more in some steps of the run
    /// than the points have it.
    result: Option<GameResult>,
    /// The factor of its loss.
    weight: f32,
}

const _: () = assert!(size_of::<Example>() == 32);

/// Fractions of a point.
const POINT: f32 = u16::MAX as f32;

/// Two pieces are packed to a byte.
const PIECE_BYTES: usize = MAX_ACTIVE / 2;

/// Bits of a packed piece: its role, and the highest bit for the side that is not to move.
const PIECE_BITS: u32 = 4;
const PIECE_MASK: u8 = (1 << PIECE_BITS) - 1;
const ROLE_MASK: u8 = 7;
const OTHER_SIDE: u8 = 8;

impl Example {
    /// Packs a position, and the points, 0 to 1, that it should bring the side to move.
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

    /// The same position of a game with this result, which moves its points. The side to move is given.
    pub(super) fn with_result(self, result: GameResult, turn: Color) -> Self {
        Self { result: GameResult::from_code(result.half_points(turn)), ..self }
    }

    /// The same position with another factor of its loss, above zero.
    pub(super) fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// The factor of its loss, above zero.
    #[inline]
    pub(super) const fn weight(&self) -> f32 {
        self.weight
    }

    /// The points that the position should bring the side to move, 0 to 1.
    #[inline]
    pub fn points(&self) -> f32 {
        f32::from(self.points) / POINT
    }

    /// The points in a step of the run in which this share of the way to the result is gone, 0 to 1.
    #[inline]
    pub(super) fn points_toward_result(&self, share: f32) -> f32 {
        let points = self.points();
        match self.result {
            Some(result) => points + share * (points_of(result, Color::White) - points),
            None => points,
        }
    }

    /// The number of pieces, kings and pawns included.
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

    /// Finds the inputs that are active for the side to move and for the other side.
    #[inline]
    pub(super) fn inputs(&self, inputs: &mut Inputs) {
        let mut sets = [[Bitboard::EMPTY; Role::COUNT]; Color::COUNT];
        for (piece, square) in self.pieces() {
            sets[piece.color()][piece.role()] |= square;
        }
        let [own, other] = features::active_of(&sets);
        inputs.count = 0;
        for pair in own.zip(other) {
            inputs.pairs[inputs.count] = <[usize; Color::COUNT]>::from(pair).map(|input| input as u16);
            inputs.count += 1;
        }
    }

    /// The position again, with White to move and without castling rights.
    ///
    /// # Errors
    /// [`Problem`]s if it is not a legal position.
    pub fn position(&self) -> Result<Position, Vec<Problem>> {
        let mut setup = Setup::EMPTY;
        for (piece, square) in self.pieces() {
            setup.pieces[square] = Some(piece);
        }
        Position::try_from(setup)
    }

    /// A number that changes with every field, for the fingerprint of a set.
    pub(super) fn hash(&self) -> u64 {
        /// Odd, with bits well spread: 2⁶⁴ divided by the golden ratio.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let packed = u128::from_le_bytes(self.pieces);
        let result = self.result.map_or(0, |result| 1 + result as u64);
        // Nothing for the usual weight.
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

/// The points that a result brings a side.
pub(super) fn points_of(result: GameResult, side: Color) -> f32 {
    f32::from(result.half_points(side)) / 2.0
}

/// The active inputs of a position, for both perspectives.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    /// For each piece the input of the side to move, then that of the other side.
    pairs: [[u16; Color::COUNT]; MAX_ACTIVE],
    /// The number of active inputs, the same for both.
    count: usize,
}

impl Inputs {
    /// None active.
    pub(super) const NONE: Self = Self { pairs: [[0; Color::COUNT]; MAX_ACTIVE], count: 0 };

    /// The inputs of the side to move and of the other side, piece for piece.
    #[inline]
    pub(super) fn pairs(&self) -> &[[u16; Color::COUNT]] {
        &self.pairs[..self.count]
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
        // The same position for Black is the same example.
        setup.turn = Color::Black;
        let black = Example::new(position(setup).board(), 0.75);
        assert_eq!(black, white);
        // As before examples had results and weights, so that the checkpoints of that time can be resumed.
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
