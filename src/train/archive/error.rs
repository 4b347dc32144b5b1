//! Errors of archives.

use super::{MAGIC, Mode, SectionError, VERSION};
use crate::search::ResourceError;
use crate::train::data::DataError;
use std::io;
use std::path::PathBuf;

/// Why bytes are not an archive.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// It does not start as an archive does.
    #[error("not an archive of games: starts with \"{}\", expected \"{}\"", .0.escape_ascii(), MAGIC.escape_ascii())]
    Magic([u8; 8]),
    /// A version of the format that is not known.
    #[error("format version {0}, expected {VERSION}")]
    Version(u32),
    /// An unknown mode.
    #[error("mode {0}, expected at most {max}", max = Mode::ALL.len() - 1)]
    Mode(u8),
    /// The note is not UTF-8.
    #[error("the note is not UTF-8")]
    Note,
    /// The data end before the archive does: it was cut off.
    #[error("ends at byte {at}, before the archive was closed")]
    Torn {
        /// The byte at which the data end.
        at: u64,
    },
    /// Neither a section nor the closing part.
    #[error("byte {at}: expected a section or the end of the archive, found \"{}\"", found.escape_ascii())]
    Tag {
        /// The byte that is there.
        found: u8,
        /// The byte at which it is.
        at: u64,
    },
    /// The checksum of the archive is wrong.
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
    /// The closing part does not match the sections.
    #[error("the closing part does not count the chunks and games that are there")]
    Counts,
    /// A section that is none.
    #[error("section {number}: {problem}")]
    Section {
        /// Its number, counted from 1.
        number: usize,
        /// The reason.
        #[source]
        problem: SectionError,
    },
    /// A chunk whose name is not that of a chunk.
    #[error("a chunk is named \"{}\", expected the name of a file *.games", .0.escape_debug())]
    Name(String),
    /// A chunk that is not what was packed.
    #[error("chunk {name}: the checksum is {computed:016x}, expected {stated:016x}")]
    Chunk {
        /// The name of the chunk.
        name: String,
        /// The checksum of the games that were unpacked.
        computed: u64,
        /// The checksum stated by the archive.
        stated: u64,
    },
}

/// Why chunks cannot be packed or unpacked.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The machine lacks memory or threads.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// A chunk that cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Chunk(PathBuf, #[source] DataError),
    /// A chunk that changed while it was read, or would not come back byte for byte.
    #[error("{}: the games do not give the same chunk again, expected one that does not change", .0.display())]
    Changed(PathBuf),
    /// A chunk with a name that cannot be kept.
    #[error("{}: expected a name of at most {max} bytes of UTF-8 that ends in .games", .0.display(), max = super::section::MAX_NAME)]
    ChunkName(PathBuf),
    /// Two chunks of one name.
    #[error("{}: has the name of {}, expected different names", .0.display(), .1.display())]
    SameName(PathBuf, PathBuf),
    /// An archive that cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Archive(PathBuf, #[source] FormatError),
    /// A file or folder that cannot be written.
    #[error("{}: {}", .0.display(), .1)]
    Output(PathBuf, #[source] io::Error),
    /// A file that already exists.
    #[error("{}: is there already, expected a name that is free", .0.display())]
    Exists(PathBuf),
    /// A folder that another process writes to.
    #[error("{}: another process writes to this folder", .0.display())]
    Locked(PathBuf),
    /// The note of the chunks, and the reason.
    #[error(transparent)]
    Note(#[from] crate::train::data::CombineError),
}
