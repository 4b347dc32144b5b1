//! Errors of archives.

use super::{MAGIC, Mode, SectionError, VERSION};
use crate::search::ResourceError;
use crate::train::data::DataError;
use std::io;
use std::path::PathBuf;

/// The reason why bytes are not an archive.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// The file does not start like an archive.
    #[error("not an archive of games: starts with \"{}\", expected \"{}\"", .0.escape_ascii(), MAGIC.escape_ascii())]
    Magic([u8; 8]),
    /// The version of the format is unknown.
    #[error("format version {0}, expected {VERSION}")]
    Version(u32),
    /// The mode is unknown.
    #[error("mode {0}, expected at most {max}", max = Mode::ALL.len() - 1)]
    Mode(u8),
    /// The note is not UTF-8.
    #[error("the note is not UTF-8")]
    Note,
    /// The data end before the archive does, because it was cut off.
    #[error("ends at byte {at}, before the archive was closed")]
    Torn {
        /// The offset at which the data end.
        at: u64,
    },
    /// A byte that starts neither a section nor the closing part.
    #[error("byte {at}: expected a section or the end of the archive, found \"{}\"", found.escape_ascii())]
    Tag {
        /// The byte found.
        found: u8,
        /// The offset of the byte.
        at: u64,
    },
    /// The checksum of the archive is wrong.
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
    /// The counts of the closing part do not match the sections.
    #[error("the closing part does not count the chunks and games that are there")]
    Counts,
    /// A section is not valid.
    #[error("section {number}: {problem}")]
    Section {
        /// The number of the section, counted from 1.
        number: usize,
        /// The reason.
        #[source]
        problem: SectionError,
    },
    /// The name of a chunk is not valid.
    #[error("a chunk is named \"{}\", expected the name of a file *.games", .0.escape_debug())]
    Name(String),
    /// An unpacked chunk differs from the packed one.
    #[error("chunk {name}: the checksum is {computed:016x}, expected {stated:016x}")]
    Chunk {
        /// The name of the chunk.
        name: String,
        /// The checksum of the unpacked games.
        computed: u64,
        /// The checksum stated in the archive.
        stated: u64,
    },
}

/// The reason why chunks cannot be packed or unpacked.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The machine lacks memory or threads.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// A chunk cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Chunk(PathBuf, #[source] DataError),
    /// A chunk changed while it was read, or would differ after unpacking.
    #[error("{}: the games do not give the same chunk again, expected one that does not change", .0.display())]
    Changed(PathBuf),
    /// The name of a chunk cannot be stored.
    #[error("{}: expected a name of at most {max} bytes of UTF-8 that ends in .games", .0.display(), max = super::section::MAX_NAME)]
    ChunkName(PathBuf),
    /// Two chunks have the same name.
    #[error("{}: has the name of {}, expected different names", .0.display(), .1.display())]
    SameName(PathBuf, PathBuf),
    /// An archive cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Archive(PathBuf, #[source] FormatError),
    /// A file or folder cannot be written.
    #[error("{}: {}", .0.display(), .1)]
    Output(PathBuf, #[source] io::Error),
    /// A file already exists.
    #[error("{}: is there already, expected a name that is free", .0.display())]
    Exists(PathBuf),
    /// Another process writes to the folder.
    #[error("{}: another process writes to this folder", .0.display())]
    Locked(PathBuf),
    /// The notes of the chunks cannot be combined, for this reason.
    #[error(transparent)]
    Note(#[from] crate::train::data::CombineError),
}
