//! Errors of training data.

use super::{MAGIC, VERSION};
use crate::chess::Move;
use std::io;
use std::path::PathBuf;

/// Why bytes are not a chunk of games.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// It does not start as a chunk does.
    #[error("not a chunk of games: starts with \"{}\", expected \"{}\"", .0.escape_ascii(), MAGIC.escape_ascii())]
    Magic([u8; 8]),
    /// A version of the format that is not known.
    #[error("format version {0}, expected {VERSION}")]
    Version(u32),
    /// The note is not UTF-8.
    #[error("the note is not UTF-8")]
    Note,
    /// The data end before the chunk does: it was never closed, or was cut off.
    #[error("ends at byte {at}, before the chunk was closed")]
    Torn {
        /// The byte at which the data end.
        at: u64,
    },
    /// Neither a game nor the closing part.
    #[error("byte {at}: expected a game or the end of the chunk, found \"{}\"", found.escape_ascii())]
    Tag {
        /// The byte that is there.
        found: u8,
        /// The byte at which it is.
        at: u64,
    },
    /// An impossible game.
    #[error("byte {at}: game {number}: {problem}")]
    Game {
        /// Its number in the chunk, counted from 1.
        number: u64,
        /// The byte at which it starts.
        at: u64,
        /// The reason.
        #[source]
        problem: GameError,
    },
    /// The closing part does not match the games.
    #[error("the closing part does not count the games that are there")]
    Counts,
    /// The checksum is wrong.
    #[error("the checksum is {computed:016x}, expected {stated:016x}")]
    Checksum {
        /// The checksum of the bytes.
        computed: u64,
        /// The checksum stated by the closing part.
        stated: u64,
    },
    /// Data after the closing part.
    #[error("byte {at}: expected the end of the file")]
    Trailing {
        /// The byte at which it is.
        at: u64,
    },
}

/// Why bytes are not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// The start position, and the reason.
    #[error("start position: {0}")]
    Start(String),
    /// An unknown result.
    #[error("result {0}, expected 0 to 2")]
    Result(u8),
    /// An unknown termination.
    #[error("unknown termination {0}")]
    Termination(u8),
    /// Bits that are not a move.
    #[error("ply {ply}: {bits:#06x} is not a move")]
    MoveBits {
        /// The ply, counted from 0.
        ply: usize,
        /// The bits.
        bits: u16,
    },
    /// A move that is not legal.
    #[error("ply {ply}: {mv:?} is not legal")]
    Illegal {
        /// The ply, counted from 0.
        ply: usize,
        /// The move.
        mv: Move,
    },
    /// A number that is not a score.
    #[error("ply {ply}: {value} is not a score")]
    Score {
        /// The ply, counted from 0.
        ply: usize,
        /// The number.
        value: i16,
    },
    /// More plies than the format can count.
    #[error("{0} plies, expected at most {max}", max = u16::MAX)]
    TooLong(usize),
}

/// Why chunks cannot be combined.
#[derive(Debug, thiserror::Error)]
pub enum CombineError {
    /// A chunk that cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Input(PathBuf, #[source] DataError),
    /// Two chunks with the same content.
    #[error("{}: the same games as {}", .0.display(), .1.display())]
    Double(PathBuf, PathBuf),
    /// A file or folder that cannot be written.
    #[error("{}: {}", .0.display(), .1)]
    Output(PathBuf, #[source] io::Error),
    /// A file that already exists, or a folder with chunks in it.
    #[error("{}: is there already, expected a name that is free", .0.display())]
    Exists(PathBuf),
    /// A folder that another process writes to.
    #[error("{}: another process writes to this folder", .0.display())]
    Locked(PathBuf),
}
