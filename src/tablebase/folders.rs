//! Which files there are.

use super::Fault;
use super::material::Material;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

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
/// are: by `;` on Windows, by `:` elsewhere. Of two files for the same table the first counts.
pub(super) fn list(path: &str, faults: &mut Vec<Fault>) -> Vec<TableFile> {
    let mut found = HashMap::new();
    for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
        let entries = match fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(entries) => entries,
            Err(error) => {
                faults.push(Fault::Folder { path: folder, error });
                continue;
            }
        };
        let mut is_empty = true;
        for file in entries.into_iter().filter_map(|entry| table_file(entry.path())) {
            is_empty = false;
            found.entry((file.material, file.metric)).or_insert(file);
        }
        if is_empty {
            faults.push(Fault::NoTables { path: folder });
        }
    }
    let mut files: Vec<_> = found.into_values().collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn table_file(path: PathBuf) -> Option<TableFile> {
    let metric = Metric::of_extension(&path)?;
    let (material, men) = Material::named(path.file_stem()?.to_str()?)?;
    Some(TableFile { path, material, men, metric })
}
