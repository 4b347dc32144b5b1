//! The end of a game.

use super::{Color, KeyHistory, Position, Role};
use std::fmt;

/// Plies without a capture or a pawn move after which either side may claim a draw.
pub const FIFTY_MOVES: u16 = 100;
/// Plies without a capture or a pawn move after which the game is drawn.
pub const SEVENTY_FIVE_MOVES: u16 = 150;
/// The number of occurrences of a position after which either side may claim a draw.
pub const THREEFOLD: usize = 3;
/// The number of occurrences of a position after which the game is drawn.
pub const FIVEFOLD: usize = 5;

/// The end of a game by the rules of chess.
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
    /// The position has occurred for the fifth time.
    FivefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn move: drawn if claimed.
    FiftyMoves,
    /// The position has occurred for the third time: drawn if claimed.
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

    /// Whether a player must claim the draw. All other outcomes end the game at once.
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
    /// Whether the side to move is mated.
    #[inline]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_moves()
    }

    /// The end of the game whose positions are in `key_history`, or the draw that may be claimed; `None` if the game
    /// continues.
    pub fn outcome(&self, key_history: &KeyHistory) -> Option<Outcome> {
        if !self.has_legal_moves() {
            return Some(if self.is_check() {
                Outcome::Checkmate { winner: !self.turn() }
            } else {
                Outcome::Stalemate
            });
        }
        if self.has_insufficient_material() {
            return Some(Outcome::InsufficientMaterial);
        }
        let occurrences = key_history.repetitions(self) + 1;
        if self.halfmove_clock() >= SEVENTY_FIVE_MOVES {
            Some(Outcome::SeventyFiveMoves)
        } else if occurrences >= FIVEFOLD {
            Some(Outcome::FivefoldRepetition)
        } else if self.halfmove_clock() >= FIFTY_MOVES {
            Some(Outcome::FiftyMoves)
        } else if occurrences >= THREEFOLD {
            Some(Outcome::ThreefoldRepetition)
        } else {
            None
        }
    }

    /// Whether the game is drawn by the 50-move rule. Mate on the last move takes precedence.
    #[inline(always)]
    pub fn is_drawn_by_fifty_moves(&self) -> bool {
        self.halfmove_clock() >= FIFTY_MOVES && !self.is_checkmate()
    }

    /// Whether neither side can ever mate: with bare kings, with a single knight or bishop, and if all bishops are on
    /// squares of one color.
    #[inline]
    pub fn has_insufficient_material(&self) -> bool {
        let heavy = self.role(Role::Pawn) | self.role(Role::Rook) | self.role(Role::Queen);
        if !heavy.is_empty() {
            return false;
        }
        let knights = self.role(Role::Knight);
        let bishops = self.role(Role::Bishop);
        if knights.is_empty() {
            bishops.is_within_one_shade()
        } else {
            bishops.is_empty() && !knights.is_many()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, MoveKind, Piece, Setup, Square};

    /// A position with these pieces and White to move.
    fn position(pieces: &[(Square, Piece)], halfmove_clock: u16) -> Position {
        let mut setup = Setup { halfmove_clock, ..Setup::EMPTY };
        for &(square, piece) in pieces {
            setup.pieces[square] = Some(piece);
        }
        Position::try_from(setup).expect("a legal position")
    }

    #[test]
    fn material_that_cannot_mate() {
        struct Case {
            name: &'static str,
            pieces: Vec<(Square, Piece)>,
            expected: bool,
        }
        let cases = [
            Case { name: "bare kings", pieces: vec![], expected: true },
            Case { name: "a knight", pieces: vec![(Square::C3, Piece::WhiteKnight)], expected: true },
            Case { name: "a bishop", pieces: vec![(Square::C4, Piece::BlackBishop)], expected: true },
            Case {
                name: "bishops on one shade",
                pieces: vec![(Square::C3, Piece::WhiteBishop), (Square::D6, Piece::BlackBishop)],
                expected: true,
            },
            Case {
                name: "bishops on both shades",
                pieces: vec![(Square::C3, Piece::WhiteBishop), (Square::D5, Piece::BlackBishop)],
                expected: false,
            },
            Case {
                name: "two knights",
                pieces: vec![(Square::C3, Piece::WhiteKnight), (Square::D3, Piece::WhiteKnight)],
                expected: false,
            },
            Case {
                name: "a knight against a bishop",
                pieces: vec![(Square::C3, Piece::WhiteKnight), (Square::D6, Piece::BlackBishop)],
                expected: false,
            },
            Case { name: "a pawn", pieces: vec![(Square::C3, Piece::WhitePawn)], expected: false },
            Case { name: "a rook", pieces: vec![(Square::C3, Piece::BlackRook)], expected: false },
        ];
        let kings = [(Square::A1, Piece::WhiteKing), (Square::H7, Piece::BlackKing)];
        for Case { name, pieces, expected } in cases {
            let position = position(&[&kings, pieces.as_slice()].concat(), 0);
            assert_eq!(position.has_insufficient_material(), expected, "{name}");
        }
    }

    #[test]
    fn mate_and_stalemate() {
        let king = (Square::H1, Piece::WhiteKing);
        let other = (Square::G3, Piece::BlackKing);
        let mate = position(&[king, other, (Square::A1, Piece::BlackRook)], 100);
        assert_eq!(mate.outcome(&KeyHistory::new(&mate)), Some(Outcome::Checkmate { winner: Color::Black }));
        assert!(!mate.is_drawn_by_fifty_moves(), "mate comes first");
        let stalemate = position(&[king, (Square::G4, Piece::BlackKing), (Square::F2, Piece::BlackQueen)], 0);
        assert_eq!(stalemate.outcome(&KeyHistory::new(&stalemate)), Some(Outcome::Stalemate));
    }

    #[test]
    fn long_games_end() {
        let rook = (Square::A2, Piece::WhiteRook);
        let kings = [(Square::A1, Piece::WhiteKing), (Square::H7, Piece::BlackKing)];
        let cases = [(99, None), (100, Some(Outcome::FiftyMoves)), (150, Some(Outcome::SeventyFiveMoves))];
        for (clock, expected) in cases {
            let position = position(&[kings[0], kings[1], rook], clock);
            assert_eq!(position.outcome(&KeyHistory::new(&position)), expected, "{clock}");
        }
    }

    #[test]
    fn repetitions_are_counted_and_end_the_game() {
        let mut position = Position::start();
        let mut key_history = KeyHistory::new(&position);
        let mut play = |from, to| {
            position = position.play(Move::new(from, to, MoveKind::Normal)).expect("a legal move");
            key_history.push(&position);
            (key_history.repetitions(&position), position.outcome(&key_history))
        };
        let shuffle = [
            (Square::G1, Square::F3),
            (Square::G8, Square::F6),
            (Square::F3, Square::G1),
            (Square::F6, Square::G8),
        ];
        for times in 1..=4 {
            let mut seen = (0, None);
            for (from, to) in shuffle {
                seen = play(from, to);
            }
            let expected = match times {
                1 => None,
                2 | 3 => Some(Outcome::ThreefoldRepetition),
                _ => Some(Outcome::FivefoldRepetition),
            };
            assert_eq!(seen, (times, expected));
        }
        assert_eq!(play(Square::E2, Square::E4), (0, None));
    }
}
