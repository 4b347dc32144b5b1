//! What can be wrong with a move.

use super::SanText;
use crate::chess::{Color, File, Rank, Role, Square, Wing};
use crate::notation::Excerpt;
use std::fmt;

/// A text that is not one legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SanError {
    /// It is not a move in any notation.
    NotAMove(Excerpt),
    /// Several legal moves may be meant.
    Ambiguous {
        /// What was found.
        found: Excerpt,
        /// The moves in canonical SAN, in ASCII order.
        moves: Vec<SanText>,
    },
    /// It is a move, but not a legal one.
    Illegal {
        /// What was found.
        found: Excerpt,
        /// Why it is not legal.
        reason: Illegality,
    },
    /// It is a legal move, but canonical SAN was asked for.
    NotCanonical {
        /// What was found.
        found: Excerpt,
        /// How the move is written.
        expected: SanText,
    },
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAMove(found) => {
                write!(f, "{found} is not a move, expected SAN such as Nf3, exd5 or O-O")
            }
            Self::Ambiguous { found, moves } => {
                write!(f, "{found} is ambiguous, expected ")?;
                for (index, mv) in moves.iter().enumerate() {
                    write!(f, "{}{mv}", if index == 0 { "" } else { " or " })?;
                }
                Ok(())
            }
            Self::Illegal { found, reason } => write!(f, "{found} is not legal: {reason}"),
            Self::NotCanonical { found, expected } => write!(f, "{found}, expected {expected}"),
        }
    }
}

impl std::error::Error for SanError {}

/// Why a move is not legal, for the person who wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegality {
    /// There is no such piece.
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
    NotTheirPiece {
        /// The side to move.
        color: Color,
        /// What stands there.
        role: Role,
        /// The origin.
        from: Square,
    },
    /// A piece of the side to move stands on the target.
    OwnPiece {
        /// What stands there.
        role: Role,
        /// The target.
        on: Square,
    },
    /// The piece does not move so.
    OutOfReach {
        /// The piece.
        role: Role,
        /// Where it stands, if there is only one.
        from: Option<Square>,
        /// The target.
        to: Square,
    },
    /// Something stands in between, or in front of a pawn.
    Blocked {
        /// The piece.
        role: Role,
        /// Where it stands.
        from: Square,
        /// Where something is in its way.
        by: Square,
    },
    /// A pawn has nothing to capture.
    NothingToCapture {
        /// The target.
        on: Square,
    },
    /// The piece stands between its king and an enemy piece.
    Pinned {
        /// The piece.
        role: Role,
        /// Where it stands.
        from: Square,
        /// Where the pinning piece stands.
        by: Square,
    },
    /// The king stays in check.
    StaysInCheck {
        /// Where a piece stands that gives the check.
        by: Square,
    },
    /// The king would be in check after the move.
    IntoCheck {
        /// Where the king would be.
        king: Square,
        /// Where a piece stands that would give the check.
        by: Square,
    },
    /// A pawn reaches the last rank, and the text does not tell what it becomes.
    NoPromotion {
        /// The target.
        to: Square,
    },
    /// The text tells a promotion, but no pawn reaches the last rank.
    NotAPromotion,
    /// King and rook may not castle, since one of them has moved, or has never been there.
    NoCastlingRight {
        /// The side to move.
        color: Color,
        /// The side of the board.
        wing: Wing,
    },
    /// A side in check may neither castle nor pass.
    InCheck {
        /// Where a piece stands that gives the check.
        by: Square,
    },
    /// Something stands between king, rook and their targets.
    CastlingBlocked {
        /// Where it stands.
        by: Square,
    },
    /// The king would pass or reach an attacked square.
    CastlingThroughCheck {
        /// The square.
        square: Square,
        /// Where a piece stands that attacks it.
        by: Square,
    },
}

impl fmt::Display for Illegality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoSuchPiece { color, role, file, rank } => {
                write!(f, "{} has no {}", color.name(), role.map_or("piece", Role::name))?;
                match (file, rank) {
                    (Some(file), Some(rank)) => write!(f, " on {file}{rank}"),
                    (Some(file), None) => write!(f, " on the {file}-file"),
                    (None, Some(rank)) => write!(f, " on rank {rank}"),
                    (None, None) => Ok(()),
                }
            }
            Self::NotTheirPiece { color, role, from } => {
                write!(f, "the {} on {from} is not {}'s", role.name(), color.name())
            }
            Self::OwnPiece { role, on } => write!(f, "the own {} is on {on}", role.name()),
            Self::OutOfReach { role, from: Some(from), to } => {
                write!(f, "the {} on {from} does not go to {to}", role.name())
            }
            Self::OutOfReach { role, from: None, to } => write!(f, "no {} goes to {to}", role.name()),
            Self::Blocked { role, from, by } => {
                write!(f, "the {} on {from} is blocked on {by}", role.name())
            }
            Self::NothingToCapture { on } => write!(f, "there is nothing to capture on {on}"),
            Self::Pinned { role, from, by } => write!(f, "the {} on {from} is pinned by {by}", role.name()),
            Self::StaysInCheck { by } => write!(f, "the king stays in check from {by}"),
            Self::IntoCheck { king, by } => write!(f, "the king on {king} would be in check from {by}"),
            Self::NoPromotion { to } => {
                write!(f, "it does not tell what the pawn on {to} becomes, expected {to}=Q or another piece")
            }
            Self::NotAPromotion => f.write_str("only a pawn on the last rank becomes another piece"),
            Self::NoCastlingRight { color, wing } => {
                let side = match wing {
                    Wing::King => "king's",
                    Wing::Queen => "queen's",
                };
                write!(f, "{} has no right to castle on the {side} side", color.name())
            }
            Self::InCheck { by } => write!(f, "the king is in check from {by}"),
            Self::CastlingBlocked { by } => write!(f, "{by} is in the way"),
            Self::CastlingThroughCheck { square, by } => write!(f, "{by} attacks {square}"),
        }
    }
}
