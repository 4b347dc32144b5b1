//! Writing games, to any writer and to chunk files.

use super::game::pack_start;
use super::{CLOSING, GAME, Game, GameResult, MAGIC, Ply, Totals, VERSION};
use crate::files::AtomicFile;
use crc64fast::Digest;
use std::fmt;
use std::io::{self, Error, ErrorKind, Write};
use std::path::Path;

/// Writes a chunk to any writer; [`super::Chunk`] writes files.
pub struct GameWriter<W> {
    writer: W,
    checksum: Digest,
    totals: Totals,
    /// The bytes of the current game, kept to avoid allocations.
    buffer: Vec<u8>,
}

impl<W> fmt::Debug for GameWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameWriter").field("totals", &self.totals).finish_non_exhaustive()
    }
}

impl<W: Write> GameWriter<W> {
    /// Starts a chunk; the note states the origin of its games.
    ///
    /// # Errors
    /// If the header cannot be written, or the note is longer than 65,535 bytes.
    pub fn new(writer: W, note: &str) -> io::Result<Self> {
        let length = u16::try_from(note.len())
            .map_err(|_| Error::new(ErrorKind::InvalidInput, "the note is too long"))?;
        let mut this =
            Self { writer, checksum: Digest::new(), totals: Totals::default(), buffer: Vec::new() };
        this.buffer.extend(MAGIC);
        this.buffer.extend(VERSION.to_le_bytes());
        this.buffer.extend(length.to_le_bytes());
        this.buffer.extend(note.bytes());
        this.write_buffer()?;
        Ok(this)
    }

    /// The totals written so far.
    pub const fn totals(&self) -> Totals {
        self.totals
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If the game cannot be written; in that case the chunk is unusable.
    pub fn append(&mut self, game: &Game) -> io::Result<()> {
        self.buffer.push(GAME);
        self.buffer.extend(pack_start(game.start()));
        self.buffer.push(game.result() as u8);
        self.buffer.push(game.termination() as u8);
        // A game never has more plies than fit.
        self.buffer.extend((game.plies().len() as u16).to_le_bytes());
        for &Ply { mv, score } in game.plies() {
            self.buffer.extend(mv.bits().to_le_bytes());
            self.buffer.extend((score.units() as i16).to_le_bytes());
        }
        self.totals.add(game);
        self.write_buffer()
    }

    /// Ends the chunk, and returns its checksum.
    ///
    /// # Errors
    /// If the closing part cannot be written, or the number of games does not fit into four bytes.
    pub fn close(mut self) -> io::Result<(W, u64)> {
        let count = |number: u64| {
            u32::try_from(number)
                .map_err(|_| Error::new(ErrorKind::InvalidInput, "too many games for a chunk"))
        };
        self.buffer.push(CLOSING);
        self.buffer.extend(count(self.totals.games)?.to_le_bytes());
        self.buffer.extend(self.totals.positions.to_le_bytes());
        for result in GameResult::ALL {
            self.buffer.extend(count(self.totals.with_result(result))?.to_le_bytes());
        }
        self.write_buffer()?;
        let checksum = self.checksum.sum64();
        self.writer.write_all(&checksum.to_le_bytes())?;
        self.writer.flush()?;
        Ok((self.writer, checksum))
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        self.checksum.write(&self.buffer);
        let written = self.writer.write_all(&self.buffer);
        self.buffer.clear();
        written
    }
}

/// A chunk that is being written under a temporary name in the same folder. If it is not closed, no part of it remains.
#[derive(Debug)]
pub struct Chunk(GameWriter<AtomicFile>);

/// The totals and the checksum of a chunk that was closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClosedChunk {
    /// The number of its games and positions.
    pub totals: Totals,
    /// The checksum, which is stored in the last eight bytes of the file.
    pub checksum: u64,
}

impl Chunk {
    /// Starts a chunk; the note, a JSON object, states the origin of its games.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn create(path: &Path, note: &str) -> io::Result<Self> {
        Ok(Self(GameWriter::new(AtomicFile::create(path)?, note)?))
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If the game cannot be written; in that case the chunk is unusable.
    pub fn append(&mut self, game: &Game) -> io::Result<()> {
        self.0.append(game)
    }

    /// The totals written so far.
    pub const fn totals(&self) -> Totals {
        self.0.totals()
    }

    /// Closes the chunk, and renames the file to its final name.
    ///
    /// # Errors
    /// If that fails; in that case no part of the chunk remains.
    pub fn close(self) -> io::Result<ClosedChunk> {
        self.close_with(AtomicFile::commit)
    }

    /// Closes the chunk, and renames the file to this name instead of the one with which it was created.
    ///
    /// # Errors
    /// If that fails; in that case no part of the chunk remains.
    pub fn close_as(self, path: &Path) -> io::Result<ClosedChunk> {
        self.close_with(|file| file.commit_as(path))
    }

    fn close_with(self, complete: impl FnOnce(AtomicFile) -> io::Result<()>) -> io::Result<ClosedChunk> {
        let totals = self.0.totals();
        let (mut file, checksum) = self.0.close()?;
        // The file must get its name only after the data are on the disk.
        file.sync()?;
        complete(file)?;
        Ok(ClosedChunk { totals, checksum })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_format() {
        let cases: [(&str, &[u8], u64); 2] =
            [("nothing", b"", 0), ("the catalogue's check value", b"123456789", 0x995d_c9bb_df19_39fa)];
        for (name, bytes, expected) in cases {
            let mut checksum = Digest::new();
            checksum.write(bytes);
            assert_eq!(checksum.sum64(), expected, "{name}");
        }
    }
}
