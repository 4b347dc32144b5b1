//! Why a network cannot be read.

use super::header::{Kind, VERSION};
use crate::nnue::{Architecture, BoundsError, WidthError};
use std::{fmt, io};

/// What is wrong with a network's file.
#[derive(Debug)]
pub enum FileError {
    /// It cannot be read.
    Io(io::Error),
    /// It does not begin as a network does.
    NotANetwork,
    /// It ends too early or goes on after its end.
    Length {
        /// How many bytes there are; the count stops soon after the expected end.
        found: usize,
        /// How many there have to be.
        expected: usize,
    },
    /// It is written in another version of the format.
    Version(u32),
    /// Its numbers are of a kind that is not known.
    UnknownKind(u32),
    /// Its numbers are of another kind than is wanted here.
    Kind {
        /// The kind they are of.
        found: Kind,
        /// The kind that is wanted.
        expected: Kind,
    },
    /// It has another architecture, with this id.
    Architecture(String),
    /// There is no such number of hidden neurons.
    Width(WidthError),
    /// A number that is part of the architecture is another one.
    Field {
        /// What the number is.
        name: &'static str,
        /// The number in the file.
        found: u32,
        /// The number of the architecture.
        expected: u32,
    },
    /// It is damaged: the checksum of its bytes is not the one that it holds.
    Checksum {
        /// The checksum of the bytes.
        found: u64,
        /// The checksum that the file holds.
        expected: u64,
    },
    /// A number of the network is infinite or none at all: the one with this index.
    NotFinite(usize),
    /// The network could overflow.
    Bounds(BoundsError),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotANetwork => f.write_str("not a network of Hematite"),
            Self::Length { found, expected } if found < expected => {
                write!(f, "truncated: {found} bytes, expected {expected}")
            }
            Self::Length { expected, .. } => write!(f, "goes on after its end, expected {expected} bytes"),
            Self::Version(found) => write!(f, "format version {found}, expected {VERSION}"),
            Self::UnknownKind(code) => write!(f, "kind of numbers {code}, expected 1 or 2"),
            Self::Kind { found, expected } => {
                write!(f, "a {} network, expected a {} one", found.name(), expected.name())
            }
            Self::Architecture(id) => {
                write!(f, "architecture `{}`, expected `{}`", id.escape_debug(), Architecture::ID)
            }
            Self::Width(error) => error.fmt(f),
            Self::Field { name, found, expected } => write!(f, "{name} {found}, expected {expected}"),
            Self::Checksum { found, expected } => {
                write!(f, "damaged: checksum {found:016x}, expected {expected:016x}")
            }
            Self::NotFinite(index) => write!(f, "number {index} is not finite"),
            Self::Bounds(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Width(error) => Some(error),
            Self::Bounds(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<BoundsError> for FileError {
    fn from(error: BoundsError) -> Self {
        Self::Bounds(error)
    }
}
