//! PGC, the binary form of PGN (PGN standard, section 20).
//!
//! A move is one byte: its number among the legal moves of the position, in ASCII order of their SAN. Text is Latin-1.
//! The standard has no records for comments and null moves; they are stored in escape-string records (0x0a), which the
//! standard reserves for private use: `{text}` for a comment, `--` for a null move. An escape line of PGN that looks
//! like one of these is read back as such.

mod ordinal;
mod read;
mod write;

pub use read::PgcReader;
pub use write::{PgcLimit, PgcWriter, write_pgc};

use crate::notation::SanMove;
use crate::notation::pgn::MAX_DEPTH;

/// The start of an escape string that contains a comment.
const COMMENT_OPEN: u8 = b'{';
/// The end of an escape string that contains a comment.
const COMMENT_CLOSE: u8 = b'}';
/// The escape string of a null move.
const NULL_MOVE: &[u8] = SanMove::NULL.as_bytes();

/// The marker codes of section 20.4.
mod marker {
    pub(super) const NOOP: u8 = 0x00;
    pub(super) const REDUCED_GAME: u8 = 0x01;
    pub(super) const TAG_PAIR: u8 = 0x02;
    pub(super) const SHORT_MOVES: u8 = 0x03;
    pub(super) const LONG_MOVES: u8 = 0x04;
    pub(super) const GAME_BEGIN: u8 = 0x05;
    pub(super) const GAME_END: u8 = 0x06;
    pub(super) const NAG: u8 = 0x07;
    pub(super) const VARIATION_BEGIN: u8 = 0x08;
    pub(super) const VARIATION_END: u8 = 0x09;
    pub(super) const ESCAPE: u8 = 0x0a;
}

/// An error in a PGC file, after which it cannot be read any further.
#[derive(Debug, thiserror::Error)]
#[error("byte {offset}: {problem}")]
pub struct PgcError {
    /// The number of bytes before the error.
    pub offset: u64,
    /// The problem.
    #[source]
    pub problem: PgcProblem,
}

/// A problem in a PGC file.
#[derive(Debug, thiserror::Error)]
pub enum PgcProblem {
    /// The data end within a record or a game.
    #[error("the data end here, expected the rest of a game")]
    UnexpectedEnd,
    /// No record starts with this byte.
    #[error("found the byte 0x{0:02x}, expected a record marker 0x00 to 0x0a")]
    UnknownMarker(u8),
    /// A record of this type is not allowed here.
    #[error("a record 0x{0:02x} does not belong here")]
    Misplaced(u8),
    /// A move number is not below the number of legal moves.
    #[error("found the move number {found}, but there are {moves} legal moves")]
    Ordinal {
        /// The number of the move, counted from 0.
        found: u8,
        /// The number of legal moves.
        moves: usize,
    },
    /// A null move in check.
    #[error("a null move in check")]
    NullMove,
    /// Variations are nested deeper than the limit.
    #[error("more than {MAX_DEPTH} variations within one another")]
    TooDeep,
}
