//! What can go wrong with a run.

use crate::search::ResourceError;
use std::path::PathBuf;
use std::{fmt, io};

/// Why games cannot be played or kept.
#[derive(Debug)]
pub enum DatagenError {
    /// The machine lacks memory or threads.
    Resource(ResourceError),
    /// So many openings in a row were decided.
    Openings(usize),
    /// A file or folder cannot be read or written.
    File(PathBuf, io::Error),
    /// Another process works in the folder.
    Locked(PathBuf),
    /// The folder holds games of another run: what differs, there and here.
    OtherRun {
        /// The folder.
        folder: PathBuf,
        /// What differs, in words.
        differences: Vec<String>,
    },
    /// A file that is not as it should be, and why.
    Content(PathBuf, String),
}

impl fmt::Display for DatagenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource(error) => error.fmt(f),
            Self::Openings(count) => {
                write!(f, "{count} openings in a row were decided, expected some that are not")
            }
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Locked(path) => write!(f, "{}: another process writes to this folder", path.display()),
            Self::OtherRun { folder, differences } => write!(
                f,
                "{}: holds games of another run ({}); expected the same settings, or another folder",
                folder.display(),
                differences.join(", ")
            ),
            Self::Content(path, problem) => write!(f, "{}: {problem}", path.display()),
        }
    }
}

impl std::error::Error for DatagenError {}
