//! Moves as players enter them: squares, and what a pawn becomes.

use crate::chess::{Color, Move, Piece, Position, Rank, Role, Square, attacks};
use crate::notation::UciMove;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A move as a player enters it, legal or not. Castling is the king two squares or onto the rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EnteredMove {
    /// The square it starts from.
    pub from: Square,
    /// The square it goes to.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
}

/// A text that is not two squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("expected two squares and what a pawn becomes, such as e2e4 or e7e8q")]
pub struct EnteredMoveError;

impl FromStr for EnteredMove {
    type Err = EnteredMoveError;

    /// Reads `e2e4` and `e7e8q`, the notation of UCI.
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
    /// Castling is the king onto the rook, which is never ambiguous.
    fn from(mv: Move) -> Self {
        Self { from: mv.from(), to: mv.to(), promotion: mv.promotion() }
    }
}

/// Why a move is not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalEntry {
    /// Nothing stands where it starts.
    #[error("{0} is empty")]
    Empty(Square),
    /// What stands where it starts is the opponent's.
    #[error("the piece on {0} is the opponent's")]
    OpponentsPiece(Square),
    /// What stands where it ends is the player's own.
    #[error("{0} is occupied by a piece of the same color (Laws of Chess, 3.1)")]
    OwnPiece(Square),
    /// It would capture a king.
    #[error("a king is never captured (Laws of Chess, 1.4.1)")]
    CapturesKing,
    /// It leaves or exposes the own king.
    #[error("it leaves the own king under attack (Laws of Chess, 1.4.1, 3.9.2)")]
    KingAttacked,
    /// There is no castling like that, here.
    #[error("castling is not possible here (Laws of Chess, 3.8.2)")]
    Castling,
    /// The piece does not move like that, here.
    #[error("the {} does not move there (Laws of Chess, 3.2 to 3.8)", .0.name())]
    NotItsMove(Role),
    /// It has not been said what the pawn becomes.
    #[error("it is not said what the pawn becomes (Laws of Chess, 3.7.3.3)")]
    NoPromotion,
    /// Only a pawn that arrives on the last rank becomes something else.
    #[error("only a pawn on the last rank is promoted (Laws of Chess, 3.7.3.3)")]
    FalsePromotion,
}

impl EnteredMove {
    /// The legal move that is meant.
    ///
    /// # Errors
    /// What keeps it from being one. Without a promotion, a pawn that needs one becomes a queen if `becomes_queen`.
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

    /// The legal moves with these squares: several if a pawn is promoted. Where a king can step to the square on which
    /// he would stand after castling, as in Chess960, the step is meant.
    fn meant(self, position: &Position) -> Vec<Move> {
        let moves = position.legal_moves();
        let like = |is_like: &dyn Fn(Move) -> bool| -> Vec<Move> {
            moves.iter().copied().filter(|mv| mv.from() == self.from && is_like(*mv)).collect()
        };
        let found = like(&|mv| mv.to() == self.to);
        if found.is_empty() { like(&|mv| mv.is_castle() && mv.landing() == self.to) } else { found }
    }

    /// Why no legal move has these squares.
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

/// Whether a piece moves like that, its king left out of account.
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

/// The only legal move that involves a square, as its origin or its target: the smart move of the Online Chess
/// Regulations (3.6.a). A castling king involves his square and the one he goes to. Each promotion of a pawn is a move
/// of its own, unless it `becomes_queen`.
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
        // Chess960: a step to the square of the castled king is a step.
        setup.pieces[Square::E1] = None;
        setup.pieces[Square::F1] = Some(Piece::WhiteKing);
        let position = Position::try_from(setup).expect("a legal position");
        assert_eq!(entered("f1g1").resolve(&position, false).map(Move::is_castle), Ok(false));
        assert_eq!(entered("f1h1").resolve(&position, false).map(Move::is_castle), Ok(true));
        assert_eq!(entered("f1c1").resolve(&position, false).map(Move::is_castle), Ok(true));
    }
}
