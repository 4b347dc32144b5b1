//! Chunks as files.

use super::{Game, GameWriter, Totals};
use std::fs::{self, File};
use std::io::{self, BufWriter, Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;

/// What the names of files that are not closed yet end in.
pub(super) const UNFINISHED: &str = "tmp";

/// A chunk that is being written, under a temporary name in the same folder. If it is never
/// closed, nothing remains of it.
#[derive(Debug)]
pub struct Chunk {
    path: PathBuf,
    temporary: PathBuf,
    /// None once it is closed.
    writer: Option<GameWriter<BufWriter<File>>>,
}

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
        let name = path.file_name().ok_or_else(|| Error::new(ErrorKind::InvalidInput, "not a file name"))?;
        let mut temporary = name.to_owned();
        temporary.push(format!(".{}.{UNFINISHED}", process::id()));
        let temporary = path.with_file_name(temporary);
        let file = BufWriter::new(File::create(&temporary)?);
        // From here on the temporary file is removed if anything fails.
        let mut chunk = Self { path: path.to_owned(), temporary, writer: None };
        chunk.writer = Some(GameWriter::new(file, note)?);
        Ok(chunk)
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If it cannot be written; then the chunk is of no use any more.
    pub fn append(&mut self, game: &Game) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), |writer| writer.append(game))
    }

    /// How much it holds so far.
    pub fn totals(&self) -> Totals {
        self.writer.as_ref().map(GameWriter::totals).unwrap_or_default()
    }

    /// Closes the chunk, and gives the file its name.
    ///
    /// # Errors
    /// If that cannot be done; then nothing remains of it.
    pub fn close(self) -> io::Result<ClosedChunk> {
        let path = self.path.clone();
        self.close_as(&path)
    }

    /// Closes the chunk, and gives the file this name in place of the one it was begun with.
    ///
    /// # Errors
    /// If that cannot be done; then nothing remains of it.
    pub fn close_as(mut self, path: &Path) -> io::Result<ClosedChunk> {
        let Some(writer) = self.writer.take() else {
            return Err(Error::other("the chunk was closed before"));
        };
        let totals = writer.totals();
        let closed = writer.close().and_then(|(file, checksum)| {
            // The name must not be there before the data are.
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            fs::rename(&self.temporary, path)?;
            Ok(ClosedChunk { totals, checksum })
        });
        if closed.is_err() {
            let _ = fs::remove_file(&self.temporary);
        }
        closed
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
