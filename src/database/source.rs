//! Sources of games: files, folders and standard input.

use crate::files::{self, decompressed};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use walkdir::WalkDir;

/// The name by which standard input is given.
const STDIN: &str = "-";

/// A file or a stream of games.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// A file, optionally compressed.
    File(PathBuf),
    /// Standard input, optionally compressed.
    Stdin,
}

/// The sources given by paths: `-` is standard input, a folder is all files in it and in the
/// folders below it whose names have this extension, compressed or not, in the order of their
/// names.
///
/// # Errors
/// The path that cannot be read, and the reason; also a folder without any such file.
pub fn find_sources(paths: &[PathBuf], extension: &str) -> Result<Vec<Source>, (PathBuf, io::Error)> {
    let mut sources = Vec::new();
    for path in paths {
        if path.as_os_str() == STDIN {
            sources.push(Source::Stdin);
        } else if path.is_dir() {
            add_folder(path, extension, &mut sources)?;
        } else {
            sources.push(Source::File(path.clone()));
        }
    }
    Ok(sources)
}

fn add_folder(folder: &Path, extension: &str, sources: &mut Vec<Source>) -> Result<(), (PathBuf, io::Error)> {
    let count = sources.len();
    // Links to folders are not followed: they may lead in circles.
    for entry in WalkDir::new(folder).min_depth(1).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            // Only a circle of links has no error of the system.
            (path, error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into()))
        })?;
        if !entry.file_type().is_dir() && has_extension(entry.path(), extension) {
            sources.push(Source::File(entry.into_path()));
        }
    }
    if sources.len() == count {
        let problem = format!("no .{extension} file in this folder or below");
        return Err((folder.to_owned(), io::Error::new(io::ErrorKind::NotFound, problem)));
    }
    Ok(())
}

/// Whether the file's name has this extension, optionally followed by that of a compressed file.
fn has_extension(path: &Path, extension: &str) -> bool {
    let ends_in = |path: &Path, extensions: &[&str]| {
        path.extension().is_some_and(|found| extensions.iter().any(|known| found.eq_ignore_ascii_case(known)))
    };
    if ends_in(path, &files::EXTENSIONS) {
        return path.file_stem().is_some_and(|stem| ends_in(Path::new(stem), &[extension]));
    }
    ends_in(path, &[extension])
}

impl Source {
    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "standard input".to_owned(),
        }
    }

    /// Its size in bytes as it is stored; `None` if that is not known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len()),
            Self::Stdin => None,
        }
    }

    /// Opens it and decompresses it if the start of its data, not its name, is that of a compressed
    /// file. The stored bytes that are read are added to `count`.
    ///
    /// # Errors
    /// If it cannot be opened or its start cannot be read.
    pub fn open(&self, count: &Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
        let stored: Box<dyn Read + Send> = match self {
            Self::File(path) => Box::new(File::open(path)?),
            Self::Stdin => Box::new(io::stdin()),
        };
        decompressed(Counted { stored, count: Arc::clone(count) })
    }
}

/// Counts what is read.
struct Counted {
    stored: Box<dyn Read + Send>,
    count: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stored.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
