//! When a game is over.

use super::{Bitboard, Color, Line, Position, Role};
use std::fmt;

/// Half-moves without capture or pawn move after which either side may claim a draw.
pub const FIFTY_MOVES: u16 = 100;
/// Half-moves without capture or pawn move after which the game is drawn.
pub const SEVENTY_FIVE_MOVES: u16 = 150;

/// How a game has ended by the rules of chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// No series of legal moves leads to mate.
    InsufficientMaterial,
    /// Seventy-five moves by each side without a capture or a pawn move.
    SeventyFiveMoves,
    /// The same position for the fifth time.
    FivefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn move: drawn if claimed.
    FiftyMoves,
    /// The same position for the third time: drawn if claimed.
    ThreefoldRepetition,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// Must a player claim it? All others end the game at once.
    pub const fn must_be_claimed(self) -> bool {
        matches!(self, Self::FiftyMoves | Self::ThreefoldRepetition)
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate { winner } => write!(f, "{} mates", winner.name()),
            Self::Stalemate => f.write_str("Draw by stalemate"),
            Self::InsufficientMaterial => f.write_str("Draw by insufficient material"),
            Self::SeventyFiveMoves => f.write_str("Draw by the 75-move rule"),
            Self::FivefoldRepetition => f.write_str("Draw by fivefold repetition"),
            Self::FiftyMoves => f.write_str("Draw by the 50-move rule"),
            Self::ThreefoldRepetition => f.write_str("Draw by threefold repetition"),
        }
    }
}

impl Position {
    /// How the game that led here along `line` has ended, or may be ended by a claim;
    /// `None` if it goes on.
    pub fn outcome(&self, line: &Line) -> Option<Outcome> {
        if self.legal_moves().is_empty() {
            return Some(if self.is_check() {
                Outcome::Checkmate { winner: !self.turn() }
            } else {
                Outcome::Stalemate
            });
        }
        if self.has_insufficient_material() {
            return Some(Outcome::InsufficientMaterial);
        }
        let repetitions = line.repetitions(self);
        if self.halfmove_clock() >= SEVENTY_FIVE_MOVES {
            Some(Outcome::SeventyFiveMoves)
        } else if repetitions >= 4 {
            Some(Outcome::FivefoldRepetition)
        } else if self.halfmove_clock() >= FIFTY_MOVES {
            Some(Outcome::FiftyMoves)
        } else if repetitions >= 2 {
            Some(Outcome::ThreefoldRepetition)
        } else {
            None
        }
    }

    /// Is the game drawn by the 50-move rule? Mate on the last move comes first.
    pub fn is_drawn_by_fifty_moves(&self) -> bool {
        self.halfmove_clock() >= FIFTY_MOVES && !(self.is_check() && self.legal_moves().is_empty())
    }

    /// Can neither side ever give mate? So it is with bare kings, with a single knight or
    /// bishop, and when all bishops are on squares of one shade.
    #[inline]
    pub fn has_insufficient_material(&self) -> bool {
        /// The squares of a1's shade.
        const DARK: Bitboard = Bitboard::from_bits(0xaa55_aa55_aa55_aa55);
        let heavy = self.role(Role::Pawn) | self.role(Role::Rook) | self.role(Role::Queen);
        if !heavy.is_empty() {
            return false;
        }
        let knights = self.role(Role::Knight);
        let bishops = self.role(Role::Bishop);
        if knights.is_empty() {
            bishops.is_subset(DARK) || !bishops.intersects(DARK)
        } else {
            bishops.is_empty() && !knights.has_several()
        }
    }
}
