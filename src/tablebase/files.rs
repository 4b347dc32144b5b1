//! The files of the tables, and faults of files.

use super::material::Material;
use crate::files::PathExcerpt;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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

/// What a table tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// The distance to the next capture or pawn move.
    Dtz,
}

impl Metric {
    fn of_extension(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "rtbw" => Some(Self::Wdl),
            "rtbz" => Some(Self::Dtz),
            _ => None,
        }
    }
}

/// A file that its name says is a table.
#[derive(Debug)]
pub(super) struct TableFile {
    pub path: PathBuf,
    pub material: Material,
    pub men: u32,
    pub metric: Metric,
}

/// The tables in the folders of a path, which are separated as those of the system's search path
/// are: by `;` on Windows, by `:` elsewhere. There may be several files for the same table: those of
/// the first folder come first.
pub(super) fn list(path: &str, faults: &mut Vec<Fault>) -> Vec<TableFile> {
    let mut files = Vec::new();
    for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
        let entries = match fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(entries) => entries,
            Err(error) => {
                faults.push(Fault::Folder { path: folder, error });
                continue;
            }
        };
        let mut found: Vec<_> = entries.into_iter().filter_map(|entry| table_file(entry.path())).collect();
        if found.is_empty() {
            faults.push(Fault::NoTables { path: folder });
        }
        found.sort_by(|one, other| one.path.cmp(&other.path));
        files.append(&mut found);
    }
    files
}

fn table_file(path: PathBuf) -> Option<TableFile> {
    let metric = Metric::of_extension(&path)?;
    let (material, men) = Material::named(path.file_stem()?.to_str()?)?;
    Some(TableFile { path, material, men, metric })
}
