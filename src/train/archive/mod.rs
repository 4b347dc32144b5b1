//! Archives of games: version 1. The chunks of [`super::data`] at about a third of their size.
//!
//! An *archive* is a file of whole chunks, named `*.pack`. All numbers are little-endian.
//!
//! | part    | bytes  | content                                                               |
//! |---------|--------|-----------------------------------------------------------------------|
//! | header  | 8      | `HEMAPACK`                                                            |
//! |         | 4      | version: 1                                                            |
//! |         | 1      | [`Mode`]: 0 lossless, 1 coarse                                        |
//! |         | 2      | length of the note                                                    |
//! |         |        | the note, UTF-8: the origin of the chunks, a JSON object               |
//! | section | 1      | `S`                                                                   |
//! |         | 4      | number of chunks                                                      |
//! |         | 3 × 8  | lengths of its codes                                                  |
//! |         |        | code of names, notes, numbers of games, start positions, results,     |
//! |         |        | terminations, numbers of plies and checksums of the chunks            |
//! |         |        | code of moves                                                         |
//! |         |        | code of scores                                                        |
//! | closing | 1      | `E`                                                                   |
//! |         | 4      | number of sections                                                    |
//! |         | 8      | number of chunks                                                      |
//! |         | 8      | number of games                                                       |
//! |         | 8      | number of positions: plies of all games                               |
//! |         | 8      | CRC-64/XZ of all bytes before it                                      |
//!
//! Sections are independent of each other, so that they can be packed and unpacked on all cores. The chunks of a
//! section have a million positions together; a larger chunk is a section of its own.
//!
//! A code is that of a binary range coder (`range_coder.rs`). The probabilities are reset in each section, and adapt to
//! the decisions coded so far (`mixing.rs`). All computations use integers.
//!
//! * A start position is 64 codes of four bits, those of chunks or 7 for an empty square, in the context of the square
//!   and its neighbors, and three numbers (`starts.rs`).
//! * A move is its rank in the list of legal moves, sorted by the learned weights of their features (`moves.rs`). The
//!   features (`features.rs`) depend only on the rules of chess: the piece, its origin and target, captures, attacks on
//!   both squares, checks, the last moves, and the earlier moves of the game. They do not depend on a search or a
//!   network, and neither does the format.
//! * A score is coded as its distance from the negated previous score (`scores.rs`), in the context of the last
//!   changes, the result and the kind of move.
//!
//! The checksum of each chunk as a file is stored after its games. Unpacking reproduces the chunks byte for byte,
//! unless they were packed in coarse mode. That mode keeps moves and results, but only the scores that training uses:
//! those of positions from ply 16 on that are not in check and whose move neither captures nor promotes. They are
//! rounded to multiples of 4 below 400 search units and of 16 above; mates are unchanged. Other scores are unpacked as
//! the last score that was kept, from the point of view of the side to move, or before it as the first one.
//!
//! Files are written under a temporary name and renamed when they are closed.

mod error;
mod features;
mod mixing;
mod moves;
mod range_coder;
mod reader;
mod scores;
mod section;
mod starts;
#[cfg(test)]
mod tests;
mod writer;

pub use error::{ArchiveError, FormatError};
pub use reader::{Archive, Unpacking};
pub use section::SectionError;
pub use writer::Packing;

use crate::files::AtomicFile;
use std::io;

/// The extension of archives.
pub const EXTENSION: &str = "pack";

/// The first bytes of an archive.
const MAGIC: [u8; 8] = *b"HEMAPACK";
/// The version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;
/// The first byte of a section.
const SECTION: u8 = b'S';
/// The first byte of the closing part.
const CLOSING: u8 = b'E';

/// The scores that an archive keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Mode {
    /// All scores.
    Lossless,
    /// The scores that training uses, rounded.
    Coarse,
}

impl Mode {
    /// Both modes, in the order of their codes.
    pub const ALL: [Self; 2] = [Self::Lossless, Self::Coarse];

    /// The name of the mode.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lossless => "lossless",
            Self::Coarse => "coarse",
        }
    }
}

/// The number of bytes of an archive by their content.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Parts {
    /// Names, notes, start positions, results and lengths.
    pub starts: u64,
    /// Moves.
    pub moves: u64,
    /// Scores.
    pub scores: u64,
}

impl std::ops::AddAssign for Parts {
    fn add_assign(&mut self, other: Self) {
        self.starts += other.starts;
        self.moves += other.moves;
        self.scores += other.scores;
    }
}

/// Counts of the data packed or unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// The number of complete chunks.
    pub chunks: u64,
    /// The number of games.
    pub games: u64,
    /// The number of positions: plies of games.
    pub positions: u64,
    /// The size of the chunks as files, in bytes.
    pub chunk_bytes: u64,
    /// The size of the archive, in bytes.
    pub archive_bytes: u64,
    /// The size of its codes, in bytes.
    pub parts: Parts,
    /// Whether the run was interrupted before the end.
    pub is_interrupted: bool,
}

/// Counts the bytes of a chunk, and writes them if there is a file.
#[derive(Default, Debug)]
struct Counted {
    file: Option<AtomicFile>,
    bytes: u64,
}

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), AtomicFile::flush)
    }
}
