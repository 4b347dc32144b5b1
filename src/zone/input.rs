//! Moves as entered by players: two squares, and the promotion of a pawn.

use crate::chess::{Color, Move, Piece, Position, Rank, Role, Square, attacks};
use crate::notation::UciMove;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A move as entered by a player, legal or not. Castling is a king's move by two squares or to the square of the rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EnteredMove {
    /// The origin of the move.
    pub from: Square,
    /// The target of the move.
    pub to: Square,
    /// The promotion of a pawn.
    pub promotion: Option<Role>,
}

/// The error of a text that is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("expected two squares and what a pawn becomes, such as e2e4 or e7e8q")]
pub struct EnteredMoveError;

impl FromStr for EnteredMove {
    type Err = EnteredMoveError;

    /// Parses a move in UCI notation, such as `e2e4` or `e7e8q`.
    fn from_str(text: &str) -> Result<Self, EnteredMoveError> {
        match text.parse() {
            Ok(UciMove::Squares { from, to, promotion }) if from != to => Ok(Self { from, to, promotion }),
            _ => Err(EnteredMoveError),
        }
    }
}

impl fmt::Display for EnteredMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, promotion } = *self;
        UciMove::Squares { from, to, promotion }.fmt(f)
    }
}

impl TryFrom<String> for EnteredMove {
    type Error = EnteredMoveError;

    fn try_from(text: String) -> Result<Self, EnteredMoveError> {
        text.parse()
    }
}

impl From<EnteredMove> for String {
    fn from(entered: EnteredMove) -> Self {
        entered.to_string()
    }
}

impl From<Move> for EnteredMove {
    /// Castling becomes the king's move to the square of the rook, which is never ambiguous.
    fn from(mv: Move) -> Self {
        Self { from: mv.from(), to: mv.to(), promotion: mv.promotion() }
    }
}

/// The reason why an entered move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalEntry {
    /// The origin is empty.
    #[error("{0} is empty")]
    Empty(Square),
    /// The piece on the origin is the opponent's.
    #[error("the piece on {0} is the opponent's")]
    OpponentsPiece(Square),
    /// The piece on the target is the player's own.
    #[error("{0} is occupied by a piece of the same color (Laws of Chess, 3.1)")]
    OwnPiece(Square),
    /// The move would capture a king.
    #[error("a king is never captured (Laws of Chess, 1.4.1)")]
    CapturesKing,
    /// The move leaves or exposes the own king to an attack.
    #[error("it leaves the own king under attack (Laws of Chess, 1.4.1, 3.9.2)")]
    KingAttacked,
    /// This castling is not possible in the position.
    #[error("castling is not possible here (Laws of Chess, 3.8.2)")]
    Castling,
    /// The piece cannot make this move in the position.
    #[error("the {} does not move there (Laws of Chess, 3.2 to 3.8)", .0.name())]
    NotItsMove(Role),
    /// The promotion of the pawn is missing.
    #[error("it is not said what the pawn becomes (Laws of Chess, 3.7.3.3)")]
    NoPromotion,
    /// A promotion is stated for a move that is not the move of a pawn to the last rank, or it is to a role that is not
    /// allowed.
    #[error("only a pawn on the last rank is promoted (Laws of Chess, 3.7.3.3)")]
    FalsePromotion,
}

impl EnteredMove {
    /// The legal move that this input means. Without a stated promotion, a pawn is promoted to a queen if
    /// `becomes_queen`.
    ///
    /// # Errors
    /// The reason why the move is illegal.
    pub fn resolve(self, position: &Position, becomes_queen: bool) -> Result<Move, IllegalEntry> {
        let Self { from, promotion, .. } = self;
        let role = match position.piece_at(from) {
            None => return Err(IllegalEntry::Empty(from)),
            Some(piece) if piece.color() != position.turn() => {
                return Err(IllegalEntry::OpponentsPiece(from));
            }
            Some(piece) => piece.role(),
        };
        let found = self.meant(position);
        let Some(&first) = found.first() else { return Err(self.problem(position, role)) };
        let wanted = match (first.promotion(), promotion) {
            (None, None) => return Ok(first),
            (None, Some(_)) => return Err(IllegalEntry::FalsePromotion),
            (Some(_), None) if !becomes_queen => return Err(IllegalEntry::NoPromotion),
            (Some(_), wanted) => wanted.unwrap_or(Role::Queen),
        };
        found.into_iter().find(|mv| mv.promotion() == Some(wanted)).ok_or(IllegalEntry::FalsePromotion)
    }

    /// The legal moves with these squares: several for a promotion. If the king can step to its target square of
    /// castling, as is possible in Chess960, the input means the step.
    fn meant(self, position: &Position) -> Vec<Move> {
        let moves = position.legal_moves();
        let like = |is_like: &dyn Fn(Move) -> bool| -> Vec<Move> {
            moves.iter().copied().filter(|mv| mv.from() == self.from && is_like(*mv)).collect()
        };
        let found = like(&|mv| mv.to() == self.to);
        if found.is_empty() { like(&|mv| mv.is_castle() && mv.landing() == self.to) } else { found }
    }

    /// The reason why no legal move has these squares.
    fn problem(self, position: &Position, role: Role) -> IllegalEntry {
        let Self { from, to, .. } = self;
        let target = position.piece_at(to);
        let is_own = |piece: Piece| piece.color() == position.turn();
        let is_far = from.rank() == to.rank() && from.index().abs_diff(to.index()) > 1;
        if role == Role::King && (is_far || target == Some(Piece::new(position.turn(), Role::Rook))) {
            return IllegalEntry::Castling;
        }
        match target {
            Some(piece) if is_own(piece) => IllegalEntry::OwnPiece(to),
            _ if !reaches(position, from, to, role) => IllegalEntry::NotItsMove(role),
            Some(piece) if piece.role() == Role::King => IllegalEntry::CapturesKing,
            _ => IllegalEntry::KingAttacked,
        }
    }
}

/// Whether a piece can make this move, regardless of attacks on its own king.
fn reaches(position: &Position, from: Square, to: Square, role: Role) -> bool {
    let (color, occupied) = (position.turn(), position.occupied());
    if role != Role::Pawn || from.file() != to.file() {
        let can_capture = role != Role::Pawn || occupied.contains(to) || position.en_passant() == Some(to);
        return can_capture && attacks::attacks(role, color, from, occupied).contains(to);
    }
    let step = if color == Color::White { 1 } else { -1 };
    let once = from.offset(0, step).filter(|&square| !occupied.contains(square));
    let starts = from.rank() == color.relative(Rank::Second);
    let twice = once.filter(|_| starts).and_then(|square| square.offset(0, step));
    [once, twice.filter(|&square| !occupied.contains(square))].contains(&Some(to))
}

/// The only legal move that involves a square as its origin or target, the smart move of the Online Chess Regulations
/// (3.6.a). Castling involves the king's origin and target squares. Each promotion of a pawn counts as a separate move,
/// unless `becomes_queen`.
pub fn smart_move(position: &Position, square: Square, becomes_queen: bool) -> Option<Move> {
    let involves = |mv: Move| {
        let is_wanted = !becomes_queen || mv.promotion().is_none_or(|role| role == Role::Queen);
        is_wanted && (mv.from() == square || mv.landing() == square)
    };
    let mut found = position.legal_moves().into_iter().filter(|&mv| involves(mv));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{CastlingRight, CastlingSide, Setup};

    fn entered(text: &str) -> EnteredMove {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn texts_are_read_and_written() {
        for text in ["e2e4", "e7e8q", "a2a1n"] {
            assert_eq!(entered(text).to_string(), text);
        }
        for text in ["", "e2", "e2e2", "e2e9", "e7e8k", "e7e8qq", "éé", "e2e4 ", "0000"] {
            assert_eq!(text.parse::<EnteredMove>(), Err(EnteredMoveError), "{text}");
        }
    }

    #[test]
    fn a_king_castles_by_two_squares_or_onto_his_rook() {
        let mut setup = Setup::EMPTY;
        for (square, piece) in [
            (Square::E1, Piece::WhiteKing),
            (Square::H1, Piece::WhiteRook),
            (Square::A1, Piece::WhiteRook),
            (Square::E8, Piece::BlackKing),
        ] {
            setup.pieces[square] = Some(piece);
        }
        setup.castling = CastlingSide::ALL.map(|wing| CastlingRight::Outermost(Color::White, wing)).to_vec();
        let position = Position::try_from(setup.clone()).expect("a legal position");
        let castling = |to| Ok(Move::new(Square::E1, to, crate::chess::MoveKind::Castle));
        for (text, expected) in [
            ("e1g1", castling(Square::H1)),
            ("e1h1", castling(Square::H1)),
            ("e1c1", castling(Square::A1)),
            ("e1a1", castling(Square::A1)),
            ("e1b1", Err(IllegalEntry::Castling)),
        ] {
            assert_eq!(entered(text).resolve(&position, false), expected, "{text}");
        }
        // In Chess960, the king's move to its target square of castling is a step if it is legal.
        setup.pieces[Square::E1] = None;
        setup.pieces[Square::F1] = Some(Piece::WhiteKing);
        let position = Position::try_from(setup).expect("a legal position");
        assert_eq!(entered("f1g1").resolve(&position, false).map(Move::is_castle), Ok(false));
        assert_eq!(entered("f1h1").resolve(&position, false).map(Move::is_castle), Ok(true));
        assert_eq!(entered("f1c1").resolve(&position, false).map(Move::is_castle), Ok(true));
    }
}
