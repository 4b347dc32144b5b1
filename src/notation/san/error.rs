//! What can be wrong with a move.

use super::{Illegality, SanText};
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
