//! What can be wrong with a move.

use super::SanText;
use crate::chess::{Color, File, Rank, Role, Square, Wing};
use crate::notation::Excerpt;

/// A text that is not one legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// It is not a move in any notation.
    #[error("{0} is not a move, expected SAN such as Nf3, exd5 or O-O")]
    NotAMove(Excerpt),
    /// Several legal moves may be meant.
    #[error("{found} is ambiguous, expected {}", .moves.join(" or "))]
    Ambiguous {
        /// What was found.
        found: Excerpt,
        /// The moves in canonical SAN, in ASCII order.
        moves: Vec<SanText>,
    },
    /// It is a move, but not a legal one.
    #[error("{found} is not legal: {reason}")]
    Illegal {
        /// What was found.
        found: Excerpt,
        /// Why it is not legal.
        #[source]
        reason: Illegality,
    },
    /// It is a legal move, but canonical SAN was asked for.
    #[error("{found}, expected {expected}")]
    NotCanonical {
        /// What was found.
        found: Excerpt,
        /// How the move is written.
        expected: SanText,
    },
}

/// Why a move is not legal, for the person who wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegality {
    /// There is no such piece.
    #[error("{} has no {}{}", .color.name(), .role.map_or("piece", Role::name), place(*.file, *.rank))]
    NoSuchPiece {
        /// The side to move.
        color: Color,
        /// The piece, if the text tells it.
        role: Option<Role>,
        /// The file on which it is said to stand.
        file: Option<File>,
        /// The rank on which it is said to stand.
        rank: Option<Rank>,
    },
    /// The piece on the origin is not of the side to move.
    #[error("the {} on {from} is not {}'s", .role.name(), .color.name())]
    NotTheirPiece {
        /// The side to move.
        color: Color,
        /// What stands there.
        role: Role,
        /// The origin.
        from: Square,
    },
    /// A piece of the side to move stands on the target.
    #[error("the own {} is on {on}", .role.name())]
    OwnPiece {
        /// What stands there.
        role: Role,
        /// The target.
        on: Square,
    },
    /// The piece does not move so.
    #[error("{} to {to}", without_reach(*.role, *.from))]
    OutOfReach {
        /// The piece.
        role: Role,
        /// Where it stands, if there is only one.
        from: Option<Square>,
        /// The target.
        to: Square,
    },
    /// Something stands in between, or in front of a pawn.
    #[error("the {} on {from} is blocked on {by}", .role.name())]
    Blocked {
        /// The piece.
        role: Role,
        /// Where it stands.
        from: Square,
        /// Where something is in its way.
        by: Square,
    },
    /// A pawn has nothing to capture.
    #[error("there is nothing to capture on {on}")]
    NothingToCapture {
        /// The target.
        on: Square,
    },
    /// The piece stands between its king and an enemy piece.
    #[error("the {} on {from} is pinned by {by}", .role.name())]
    Pinned {
        /// The piece.
        role: Role,
        /// Where it stands.
        from: Square,
        /// Where the pinning piece stands.
        by: Square,
    },
    /// The king stays in check.
    #[error("the king stays in check from {by}")]
    StaysInCheck {
        /// Where a piece stands that gives the check.
        by: Square,
    },
    /// The king would be in check after the move.
    #[error("the king on {king} would be in check from {by}")]
    IntoCheck {
        /// Where the king would be.
        king: Square,
        /// Where a piece stands that would give the check.
        by: Square,
    },
    /// A pawn reaches the last rank, and the text does not tell what it becomes.
    #[error("it does not tell what the pawn on {to} becomes, expected {to}=Q or another piece")]
    NoPromotion {
        /// The target.
        to: Square,
    },
    /// The text tells a promotion, but no pawn reaches the last rank.
    #[error("only a pawn on the last rank becomes another piece")]
    NotAPromotion,
    /// King and rook may not castle, since one of them has moved, or has never been there.
    #[error(
        "{} has no right to castle on the {} side",
        .color.name(),
        match .wing {
            Wing::King => "king's",
            Wing::Queen => "queen's",
        }
    )]
    NoCastlingRight {
        /// The side to move.
        color: Color,
        /// The side of the board.
        wing: Wing,
    },
    /// A side in check may neither castle nor pass.
    #[error("the king is in check from {by}")]
    InCheck {
        /// Where a piece stands that gives the check.
        by: Square,
    },
    /// Something stands between king, rook and their targets.
    #[error("{by} is in the way")]
    CastlingBlocked {
        /// Where it stands.
        by: Square,
    },
    /// The king would pass or reach an attacked square.
    #[error("{by} attacks {square}")]
    CastlingThroughCheck {
        /// The square.
        square: Square,
        /// Where a piece stands that attacks it.
        by: Square,
    },
}

/// The part of the board where a piece was looked for, as the end of a sentence.
fn place(file: Option<File>, rank: Option<Rank>) -> String {
    match (file, rank) {
        (Some(file), Some(rank)) => format!(" on {file}{rank}"),
        (Some(file), None) => format!(" on the {file}-file"),
        (None, Some(rank)) => format!(" on rank {rank}"),
        (None, None) => String::new(),
    }
}

/// The start of a sentence about a square that no piece of this role reaches.
fn without_reach(role: Role, from: Option<Square>) -> String {
    match from {
        Some(from) => format!("the {} on {from} does not go", role.name()),
        None => format!("no {} goes", role.name()),
    }
}
