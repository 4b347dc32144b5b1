//! The files of a folder of chunks, and totals of their content.

use super::{Game, GameResult};
use crate::files::{LockFile, final_name, without_packed_extension};
use std::iter::Sum;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The extension of chunks.
pub const EXTENSION: &str = "games";
/// The name of the file that is locked while a process writes to a folder of chunks.
const LOCK: &str = "lock";

/// An error for a path at which no chunks are found.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The path cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] io::Error),
    /// The folder has no chunks.
    #[error("{}: no chunks, expected files *.{EXTENSION}", .0.display())]
    Empty(PathBuf),
}

/// The chunks at these paths: a file itself, and for a folder all chunks directly in it, in the order of their names.
///
/// # Errors
/// [`FileError`] for a path that cannot be read, or a folder without chunks.
pub fn chunk_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FileError> {
    let mut files = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| FileError::Read(path.clone(), error))?;
        if !metadata.is_dir() {
            files.push(path.clone());
            continue;
        }
        let found = chunks_in(path).map_err(|error| FileError::Read(path.clone(), error))?;
        if found.is_empty() {
            return Err(FileError::Empty(path.clone()));
        }
        files.extend(found);
    }
    Ok(files)
}

/// The chunks directly in a folder, in the order of their names.
///
/// # Errors
/// If the folder cannot be read, or has a compressed chunk, whose games would be missing without notice.
pub fn chunks_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut files = entries?;
    files.retain(|path| is_chunk(without_packed_extension(path)));
    files.sort();
    match files.iter().find(|path| !is_chunk(path)) {
        None => Ok(files),
        Some(packed) => {
            let name = packed.file_name().unwrap_or_default().display();
            let plain = without_packed_extension(packed).display();
            let problem = format!("the chunk {name} is compressed, expected the unpacked file {plain}");
            Err(io::Error::new(io::ErrorKind::InvalidData, problem))
        }
    }
}

/// Whether the name of a file is that of a chunk.
fn is_chunk(path: &Path) -> bool {
    path.extension().is_some_and(|found| found == EXTENSION)
}

/// Removes the temporary files that a killed process has left in a locked folder: those whose final name is one of its
/// own.
///
/// # Errors
/// If the folder cannot be read, or a file cannot be removed.
pub(in crate::train) fn remove_unfinished(folder: &Path, is_own: impl Fn(&str) -> bool) -> io::Result<()> {
    for left in fs::read_dir(folder)?.flatten() {
        if final_name(&left.path()).is_some_and(&is_own) {
            fs::remove_file(left.path())?;
        }
    }
    Ok(())
}

/// Locks a folder against other processes that write to it; `None` if another one has the lock.
///
/// # Errors
/// If no file can be created in the folder.
pub fn lock_folder(folder: &Path) -> io::Result<Option<LockFile>> {
    LockFile::take(&folder.join(LOCK))
}

/// Counts of games and positions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// The number of complete games.
    pub games: u64,
    /// The number of positions with a move and a score: the plies of all games.
    pub positions: u64,
    /// The number of games by result, in the order of [`GameResult::ALL`].
    pub results: [u64; GameResult::ALL.len()],
}

impl Totals {
    /// The number of games with this result.
    pub const fn with_result(&self, result: GameResult) -> u64 {
        self.results[result as usize]
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies().len() as u64;
        self.results[game.result() as usize] += 1;
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.positions += other.positions;
        for (result, more) in self.results.iter_mut().zip(other.results) {
            *result += more;
        }
    }
}

impl Sum for Totals {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, totals| {
            sum += totals;
            sum
        })
    }
}
