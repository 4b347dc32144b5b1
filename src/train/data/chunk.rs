//! Chunks as files.

use super::{Game, GameWriter, Totals};
use crate::files::NewFile;
use std::io;
use std::path::Path;

/// A chunk that is being written, under a temporary name in the same folder. If it is never
/// closed, nothing remains of it.
#[derive(Debug)]
pub struct Chunk(GameWriter<NewFile>);

/// What is to be known of a chunk that was closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClosedChunk {
    /// How much it holds.
    pub totals: Totals,
    /// Its checksum, the last eight bytes of the file.
    pub checksum: u64,
}

impl Chunk {
    /// Begins a chunk; the note, a JSON object, tells where its games come from.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn create(path: &Path, note: &str) -> io::Result<Self> {
        Ok(Self(GameWriter::new(NewFile::create(path)?, note)?))
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If it cannot be written; then the chunk is of no use any more.
    pub fn append(&mut self, game: &Game) -> io::Result<()> {
        self.0.append(game)
    }

    /// How much it holds so far.
    pub const fn totals(&self) -> Totals {
        self.0.totals()
    }

    /// Closes the chunk, and gives the file its name.
    ///
    /// # Errors
    /// If that cannot be done; then nothing remains of it.
    pub fn close(self) -> io::Result<ClosedChunk> {
        self.close_with(NewFile::complete)
    }

    /// Closes the chunk, and gives the file this name in place of the one it was begun with.
    ///
    /// # Errors
    /// If that cannot be done; then nothing remains of it.
    pub fn close_as(self, path: &Path) -> io::Result<ClosedChunk> {
        self.close_with(|file| file.complete_as(path))
    }

    fn close_with(self, complete: impl FnOnce(NewFile) -> io::Result<()>) -> io::Result<ClosedChunk> {
        let totals = self.0.totals();
        let (mut file, checksum) = self.0.close()?;
        // The name must not be there before the data are.
        file.sync()?;
        complete(file)?;
        Ok(ClosedChunk { totals, checksum })
    }
}
