//! Examples: packed positions with their target.

use crate::chess::{Board, Color, Piece, Position, Problem, Role, Setup, Square};
use crate::nnue::features::{self, MAX_ACTIVE};
use crate::train::data::Game;
use serde::{Deserialize, Serialize};

/// A position with its target, from the viewpoint of the side to move, in 32 bytes.
///
/// The side to move is always White here: for Black the board is turned upside down and the
/// colors are exchanged, which a network of two perspectives cannot tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The occupied squares.
    occupied: u64,
    /// The pieces on them in the order of the squares, two to a byte, the lower digit first.
    pieces: [u8; PIECE_BYTES],
    /// The points that it should bring, in fractions of [`POINT`].
    points: u16,
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
            Color::Black => board.occupied().flipped(),
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
        Self { occupied: occupied.bits(), pieces, points: (points * POINT).round() as u16 }
    }

    /// The points that the position should bring the side to move, 0 to 1.
    #[inline]
    pub fn points(&self) -> f32 {
        f32::from(self.points) / POINT
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
        let king =
            |piece| self.pieces().find(|(found, _)| *found == piece).map_or(Square::E1, |(_, king)| king);
        let kings = [king(Piece::WhiteKing), king(Piece::BlackKing)];
        inputs.count = 0;
        for (piece, square) in self.pieces() {
            inputs.pairs[inputs.count] =
                Color::ALL.map(|color| features::index(color, kings[color], piece, square) as u16);
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
        let points = u64::from(self.points);
        [self.occupied, packed as u64, (packed >> u64::BITS) as u64, points].into_iter().fold(
            FACTOR,
            |sum, word| {
                let mixed = (sum ^ word).wrapping_mul(FACTOR);
                mixed ^ mixed >> 29
            },
        )
    }
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

/// The target: a mix of the scores and the result of a game, as the points that each position should bring.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Target {
    /// The weight of the game's result; the rest of 1 is the weight of the scores.
    pub wdl: f32,
    /// The score, in search units, that brings 1 / (1 + 1/e) = 73 % of the points.
    pub scale: f32,
    /// Lambda of TD(lambda): the weight of the later scores of the game beside the position's own score, 0 to 1. A
    /// score from few nodes misses what later searches see (λ-returns,
    /// <https://www.chessprogramming.org/Temporal_Difference_Learning>).
    #[serde(alias = "foresight")]
    pub td_lambda: f32,
}

impl Target {
    /// The points, 0 to 1, that each position of a game should bring its side to move.
    pub(super) fn points(&self, game: &Game) -> Vec<f32> {
        let mut points: Vec<f32> =
            game.plies().iter().map(|ply| sigmoid(ply.score.units() as f32 / self.scale)).collect();
        for ply in (1..points.len()).rev() {
            let seen_later = 1.0 - points[ply];
            points[ply - 1] += self.td_lambda * (seen_later - points[ply - 1]);
        }
        let mut turn = game.start().turn();
        for points in &mut points {
            let by_result = f32::from(game.result().half_points(turn)) / 2.0;
            *points += self.wdl * (by_result - *points);
            turn = !turn;
        }
        points
    }
}

/// The logistic function.
#[inline]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;
    use crate::train::data::{GameResult, Ply, Termination};

    // Example

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
        assert_ne!(black.hash(), Example { points: black.points + 1, ..black }.hash());
    }

    // Target

    /// Black loses a game in which the first move was thought to be even and the second one to be bad.
    fn game() -> Game {
        let start = Position::start();
        let first = *start.legal_moves().first().expect("there are moves");
        let second = *start.after(first).0.legal_moves().first().expect("there are moves");
        let plies =
            [(first, 0), (second, -400)].map(|(mv, value)| Ply { mv, score: Score::from_units(value) });
        let game = Game::new(start, plies.to_vec(), GameResult::WhiteWins, Termination::ALL[0]);
        game.expect("a legal game")
    }

    #[test]
    fn points_mix_scores_and_result() {
        const LOW: f32 = 0.268_941_4;
        let cases = [
            ("the result alone", 1.0, 0.0, [1.0, 0.0]),
            ("the scores alone", 0.0, 0.0, [0.5, LOW]),
            ("both", 0.25, 0.0, [0.625, 0.75 * LOW]),
            ("the next score", 0.0, 1.0, [1.0 - LOW, LOW]),
            ("some of the next score", 0.0, 0.5, [0.5 * (0.5 + 1.0 - LOW), LOW]),
            ("all", 0.25, 0.5, [0.25 + 0.375 * (0.5 + 1.0 - LOW), 0.75 * LOW]),
        ];
        for (name, wdl, td_lambda, expected) in cases {
            let points = Target { wdl, scale: 400.0, td_lambda }.points(&game());
            let is_near = points.len() == 2 && points.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
            assert!(is_near, "{name}: {points:?}");
        }
    }
}
