//! What is wrong with tables.

use crate::files::PathExcerpt;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A folder or file that cannot be used. All others are.
#[derive(Debug)]
pub enum Fault {
    /// The folder cannot be listed.
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The folder holds no table.
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// The file cannot be read.
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The file is no table, or not a whole one.
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found, and what was expected.
        reason: String,
    },
    /// A table was found to be damaged when a position was looked up.
    Probe {
        /// What the decoder says, which names the table.
        reason: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder { path, error } => {
                write!(f, "cannot read the folder {}: {error}", PathExcerpt::new(path))
            }
            Self::NoTables { path } => {
                let path = PathExcerpt::new(path);
                write!(f, "no tables in {path}, expected files such as KQvK.rtbw and KQvK.rtbz")
            }
            Self::File { path, error } => write!(f, "cannot read {}: {error}", PathExcerpt::new(path)),
            Self::Corrupt { path, reason } => write!(f, "{} is left out: {reason}", PathExcerpt::new(path)),
            Self::Probe { reason } => write!(f, "{reason}; positions like this are not looked up any more"),
        }
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Folder { error, .. } | Self::File { error, .. } => Some(error),
            _ => None,
        }
    }
}
