//! The files of the tables, and faults of files.

use super::material::Material;
use crate::files::PathExcerpt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder or file that cannot be used. All others are.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The folder cannot be listed.
    #[error("cannot read the folder {}: {error}", PathExcerpt::new(path))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The folder has no table.
    #[error("no tables in {}, expected files such as KQvK.rtbw and KQvK.rtbz", PathExcerpt::new(path))]
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("cannot read {}: {error}", PathExcerpt::new(path))]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The file is not a table, or not a whole one.
    #[error("{} is left out: {reason}", PathExcerpt::new(path))]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found, and what was expected.
        reason: String,
    },
    /// A probe has found a damaged table.
    #[error("{reason}; such positions are no longer probed")]
    Probe {
        /// The message of the decoder, which names the table.
        reason: String,
    },
}

/// The kind of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum TableKind {
    /// Win, draw or loss.
    Wdl,
    /// The distance to the next capture or pawn move.
    Dtz,
}

impl TableKind {
    fn of_extension(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "rtbw" => Some(Self::Wdl),
            "rtbz" => Some(Self::Dtz),
            _ => None,
        }
    }
}

/// A file with the name of a table.
#[derive(Debug)]
pub(super) struct TableFile {
    pub path: PathBuf,
    pub material: Material,
    pub men: u32,
    pub kind: TableKind,
}

/// The tables in the folders of a path, which are separated as in the system's search path: by `;` on
/// Windows, by `:` elsewhere. There may be several files of the same table: those of the first folder
/// come first.
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
    let kind = TableKind::of_extension(&path)?;
    let (material, men) = Material::named(path.file_stem()?.to_str()?)?;
    Some(TableFile { path, material, men, kind })
}
