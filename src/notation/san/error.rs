//! Errors in moves.

use super::SanText;
use crate::chess::{CastlingSide, Color, File, Rank, Role, Square};
use crate::notation::Excerpt;

/// The reason why a text is not exactly one legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// The text is not a move in any notation.
    #[error("{0} is not a move, expected SAN such as Nf3, exd5 or O-O")]
    NotAMove(Excerpt),
    /// The text may mean several legal moves.
    #[error("{found} is ambiguous, expected {}", .moves.join(" or "))]
    Ambiguous {
        /// The text found.
        found: Excerpt,
        /// The moves in canonical SAN, in ASCII order.
        moves: Vec<SanText>,
    },
    /// The text is a move, but not a legal one.
    #[error("{found} is not legal: {reason}")]
    Illegal {
        /// The text found.
        found: Excerpt,
        /// The reason why it is not legal.
        #[source]
        reason: Illegality,
    },
    /// The text is a legal move, but not in canonical SAN, which was required.
    #[error("{found}, expected {expected}")]
    NotCanonical {
        /// The text found.
        found: Excerpt,
        /// The canonical notation of the move.
        expected: SanText,
    },
}

/// The reason why a move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegality {
    /// There is no such piece.
    #[error("{} has no {}{}", .color.name(), .role.map_or("piece", Role::name), place(*.file, *.rank))]
    NoSuchPiece {
        /// The side to move.
        color: Color,
        /// The piece, if the text states it.
        role: Option<Role>,
        /// The file in the text.
        file: Option<File>,
        /// The rank in the text.
        rank: Option<Rank>,
    },
    /// The piece on the origin does not belong to the side to move.
    #[error("the {} on {from} is not {}'s", .role.name(), .color.name())]
    NotTheirPiece {
        /// The side to move.
        color: Color,
        /// The piece on the origin.
        role: Role,
        /// The origin.
        from: Square,
    },
    /// A piece of the side to move is on the target.
    #[error("the own {} is on {on}", .role.name())]
    OwnPiece {
        /// The piece on the target.
        role: Role,
        /// The target.
        on: Square,
    },
    /// The piece does not move in this way.
    #[error("{} to {to}", without_reach(*.role, *.from))]
    OutOfReach {
        /// The piece.
        role: Role,
        /// The square of the piece, if there is only one.
        from: Option<Square>,
        /// The target.
        to: Square,
    },
    /// A piece is in between, or directly in front of a pawn.
    #[error("the {} on {from} is blocked on {by}", .role.name())]
    Blocked {
        /// The piece.
        role: Role,
        /// The square of the piece.
        from: Square,
        /// The square of the blocking piece.
        by: Square,
    },
    /// A pawn has nothing to capture.
    #[error("there is nothing to capture on {on}")]
    NothingToCapture {
        /// The target.
        on: Square,
    },
    /// The piece is between its king and an enemy piece.
    #[error("the {} on {from} is pinned by {by}", .role.name())]
    Pinned {
        /// The piece.
        role: Role,
        /// The square of the piece.
        from: Square,
        /// The square of the pinning piece.
        by: Square,
    },
    /// The king stays in check.
    #[error("the king stays in check from {by}")]
    StaysInCheck {
        /// The square of a checking piece.
        by: Square,
    },
    /// The king would be in check after the move.
    #[error("the king on {king} would be in check from {by}")]
    IntoCheck {
        /// The square of the king after the move.
        king: Square,
        /// The square of a piece that would give check.
        by: Square,
    },
    /// A pawn reaches the last rank, but the text does not state the promotion.
    #[error("the promotion on {to} is missing, expected {to}=Q or another piece")]
    NoPromotion {
        /// The target.
        to: Square,
    },
    /// The text states a promotion, but no pawn reaches the last rank.
    #[error("only a pawn on the last rank becomes another piece")]
    NotAPromotion,
    /// King and rook may not castle, since one of them has moved, or is not on its initial square.
    #[error(
        "{} has no right to castle on the {} side",
        .color.name(),
        match .wing {
            CastlingSide::King => "king's",
            CastlingSide::Queen => "queen's",
        }
    )]
    NoCastlingRight {
        /// The side to move.
        color: Color,
        /// The side of the board.
        wing: CastlingSide,
    },
    /// A side in check may neither castle nor pass.
    #[error("the king is in check from {by}")]
    InCheck {
        /// The square of a checking piece.
        by: Square,
    },
    /// A piece is between king, rook and their targets.
    #[error("{by} is in the way")]
    CastlingBlocked {
        /// The square of the piece.
        by: Square,
    },
    /// The king would pass or reach an attacked square.
    #[error("{by} attacks {square}")]
    CastlingThroughCheck {
        /// The square.
        square: Square,
        /// The square of a piece that attacks the square.
        by: Square,
    },
}

/// The file and rank of a missing piece, for the end of a message.
fn place(file: Option<File>, rank: Option<Rank>) -> String {
    match (file, rank) {
        (Some(file), Some(rank)) => format!(" on {file}{rank}"),
        (Some(file), None) => format!(" on the {file}-file"),
        (None, Some(rank)) => format!(" on rank {rank}"),
        (None, None) => String::new(),
    }
}

/// The start of a message about a square that is out of reach.
fn without_reach(role: Role, from: Option<Square>) -> String {
    match from {
        Some(from) => format!("the {} on {from} does not go", role.name()),
        None => format!("no {} goes", role.name()),
    }
}
