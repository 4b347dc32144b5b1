//! Errors of training data.

use super::{MAGIC, VERSION};
use crate::chess::Move;
use std::io;
use std::path::PathBuf;

/// The reason why bytes are not a chunk of games.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// The file does not start like a chunk.
    #[error("not a chunk of games: starts with \"{}\", expected \"{}\"", .0.escape_ascii(), MAGIC.escape_ascii())]
    Magic([u8; 8]),
    /// The version of the format is unknown.
    #[error("format version {0}, expected {VERSION}")]
    Version(u32),
    /// The note is not UTF-8.
    #[error("the note is not UTF-8")]
    Note,
    /// The data end before the chunk does, because it was never closed or was cut off.
    #[error("ends at byte {at}, before the chunk was closed")]
    Torn {
        /// The offset at which the data end.
        at: u64,
    },
    /// A byte that starts neither a game nor the closing part.
    #[error("byte {at}: expected a game or the end of the chunk, found \"{}\"", found.escape_ascii())]
    Tag {
        /// The byte found.
        found: u8,
        /// The offset of the byte.
        at: u64,
    },
    /// A game is not valid.
    #[error("byte {at}: game {number}: {problem}")]
    Game {
        /// The number of the game in the chunk, counted from 1.
        number: u64,
        /// The offset at which the game starts.
        at: u64,
        /// The reason.
        #[source]
        problem: GameError,
    },
    /// The closing part does not match the games.
    #[error("the closing part does not count the games that are there")]
    Counts,
    /// The checksum is incorrect.
    #[error("the checksum is {computed:016x}, expected {stated:016x}")]
    Checksum {
        /// The checksum computed from the bytes.
        computed: u64,
        /// The checksum stated in the closing part.
        stated: u64,
    },
    /// There are data after the closing part.
    #[error("byte {at}: expected the end of the file")]
    Trailing {
        /// The offset of these data.
        at: u64,
    },
}

/// The reason why bytes are not a valid game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// The start position is not valid, for this reason.
    #[error("start position: {0}")]
    Start(String),
    /// The result is unknown.
    #[error("result {0}, expected 0 to 2")]
    Result(u8),
    /// The termination is unknown.
    #[error("unknown termination {0}")]
    Termination(u8),
    /// The bits are not a move.
    #[error("ply {ply}: {bits:#06x} is not a move")]
    MoveBits {
        /// The ply, counted from 0.
        ply: usize,
        /// The bits.
        bits: u16,
    },
    /// A move is not legal.
    #[error("ply {ply}: {mv:?} is not legal")]
    Illegal {
        /// The ply, counted from 0.
        ply: usize,
        /// The move.
        mv: Move,
    },
    /// A number is not a score.
    #[error("ply {ply}: {value} is not a score")]
    Score {
        /// The ply, counted from 0.
        ply: usize,
        /// The number.
        value: i16,
    },
    /// The game has more plies than the format can store.
    #[error("{0} plies, expected at most {max}", max = u16::MAX)]
    TooLong(usize),
}

/// The reason why chunks cannot be combined.
#[derive(Debug, thiserror::Error)]
pub enum CombineError {
    /// A chunk cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Input(PathBuf, #[source] DataError),
    /// Two chunks have the same content.
    #[error("{}: the same games as {}", .0.display(), .1.display())]
    Double(PathBuf, PathBuf),
    /// A file or folder cannot be written.
    #[error("{}: {}", .0.display(), .1)]
    Output(PathBuf, #[source] io::Error),
    /// A file already exists, or a folder contains chunks.
    #[error("{}: is there already, expected a name that is free", .0.display())]
    Exists(PathBuf),
    /// Another process writes to the folder.
    #[error("{}: another process writes to this folder", .0.display())]
    Locked(PathBuf),
}
