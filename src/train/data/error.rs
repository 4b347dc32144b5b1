//! What is wrong with training data.

use super::{MAGIC, VERSION};
use crate::chess::Move;
use std::path::PathBuf;
use std::{fmt, io};

/// Why bytes are not a chunk of games.
#[derive(Debug)]
pub enum DataError {
    /// The file cannot be read.
    Read(io::Error),
    /// It does not begin as a chunk does.
    Magic([u8; 8]),
    /// A version of the format that is not known.
    Version(u32),
    /// The note is not UTF-8.
    Note,
    /// The data end before the chunk does: it was never closed, or was cut off.
    Torn {
        /// Where the data end, in bytes.
        at: u64,
    },
    /// Neither a game nor the closing part.
    Tag {
        /// The byte that is there.
        found: u8,
        /// Where, in bytes.
        at: u64,
    },
    /// A game that cannot be.
    Game {
        /// Its number in the chunk, counted from 1.
        number: u64,
        /// Where it begins, in bytes.
        at: u64,
        /// What is wrong with it.
        problem: GameError,
    },
    /// The closing part does not count what is there.
    Counts,
    /// The checksum is wrong.
    Checksum {
        /// The checksum of the bytes.
        computed: u64,
        /// What the closing part says.
        stated: u64,
    },
    /// Something follows the closing part.
    Trailing {
        /// Where, in bytes.
        at: u64,
    },
}

/// Why a game is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameError {
    /// The start position, and what is wrong with it.
    Start(String),
    /// An unknown result.
    Result(u8),
    /// An unknown termination.
    Termination(u8),
    /// Bits that are no move.
    MoveBits {
        /// The ply, counted from 0.
        ply: usize,
        /// The bits.
        bits: u16,
    },
    /// A move that is not legal.
    Illegal {
        /// The ply, counted from 0.
        ply: usize,
        /// The move.
        mv: Move,
    },
    /// A number that is no score.
    Score {
        /// The ply, counted from 0.
        ply: usize,
        /// The number.
        value: i16,
    },
    /// More plies than can be told.
    TooLong(usize),
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Magic(found) => write!(
                f,
                "not a chunk of games: begins with \"{}\", expected \"{}\"",
                found.escape_ascii(),
                MAGIC.escape_ascii()
            ),
            Self::Version(found) => write!(f, "format version {found}, expected {VERSION}"),
            Self::Note => f.write_str("the note is not UTF-8"),
            Self::Torn { at } => write!(f, "ends at byte {at}, before the chunk was closed"),
            Self::Tag { found, at } => write!(
                f,
                "byte {at}: expected a game or the end of the chunk, found \"{}\"",
                found.escape_ascii()
            ),
            Self::Game { number, at, problem } => write!(f, "byte {at}: game {number}: {problem}"),
            Self::Counts => f.write_str("the closing part does not count the games that are there"),
            Self::Checksum { computed, stated } => {
                write!(f, "the checksum is {computed:016x}, expected {stated:016x}")
            }
            Self::Trailing { at } => write!(f, "byte {at}: expected the end of the file"),
        }
    }
}

impl std::error::Error for DataError {}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(problem) => write!(f, "start position: {problem}"),
            Self::Result(code) => write!(f, "result {code}, expected 0 to 2"),
            Self::Termination(code) => write!(f, "unknown termination {code}"),
            Self::MoveBits { ply, bits } => write!(f, "ply {ply}: {bits:#06x} is no move"),
            Self::Illegal { ply, mv } => write!(f, "ply {ply}: {mv:?} is not legal"),
            Self::Score { ply, value } => write!(f, "ply {ply}: {value} is no score"),
            Self::TooLong(plies) => write!(f, "{plies} plies, expected at most {}", u16::MAX),
        }
    }
}

impl std::error::Error for GameError {}

/// Why chunks cannot be made into others.
#[derive(Debug)]
pub enum CombineError {
    /// A chunk that cannot be read.
    Input(PathBuf, DataError),
    /// Two chunks with the same content.
    Double(PathBuf, PathBuf),
    /// A file or folder that cannot be written.
    Output(PathBuf, io::Error),
    /// A file that is there already, or a folder with chunks in it.
    Exists(PathBuf),
    /// A folder that another process writes to.
    Locked(PathBuf),
}

impl fmt::Display for CombineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Double(path, other) => {
                write!(f, "{}: the same games as {}", path.display(), other.display())
            }
            Self::Output(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Exists(path) => {
                write!(f, "{}: is there already, expected a name that is free", path.display())
            }
            Self::Locked(path) => write!(f, "{}: another process writes to this folder", path.display()),
        }
    }
}

impl std::error::Error for CombineError {}
