//! Where chunks lie.

use crate::files::LockFile;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// What the names of chunks end in.
pub const EXTENSION: &str = "games";
/// Locked while a process writes to a folder of chunks.
const LOCK: &str = "lock";

/// A path at which no chunks are found.
#[derive(Debug)]
pub enum FileError {
    /// It cannot be read.
    Read(PathBuf, io::Error),
    /// A folder without chunks.
    Empty(PathBuf),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Empty(path) => write!(f, "{}: no chunks, expected files *.{EXTENSION}", path.display()),
        }
    }
}

impl std::error::Error for FileError {}

/// The chunks that paths stand for: a file is itself, a folder all chunks that lie right in
/// it, in the order of their names.
///
/// # Errors
/// [`FileError`] for a path that cannot be read or has none.
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

/// The chunks right in a folder, in the order of their names.
///
/// # Errors
/// If the folder cannot be read.
pub fn chunks_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut files: Vec<PathBuf> = entries?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|found| found == EXTENSION))
        .collect();
    files.sort();
    Ok(files)
}

/// Keeps other processes from writing to a folder; `None` if one does so.
///
/// # Errors
/// If no file can be made in it.
pub fn lock_folder(folder: &Path) -> io::Result<Option<LockFile>> {
    LockFile::take(&folder.join(LOCK))
}
