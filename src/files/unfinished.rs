//! The files of this process that are not to outlive it unless it ends in order.

use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Their names.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes all files of this process that are not complete, for a process that is about to end
/// without an end in order.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut *UNFINISHED.lock()) {
        let _ = fs::remove_file(path);
    }
}

/// A file that is removed in the end, or when the process is told to end, unless it is kept.
#[derive(Debug)]
pub struct Provisional {
    path: PathBuf,
    is_kept: bool,
}

impl Provisional {
    /// From now on this file is provisional, if it is there already or not.
    pub fn new(path: PathBuf) -> Self {
        UNFINISHED.lock().insert(path.clone());
        Self { path, is_kept: false }
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// It stays.
    pub fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for Provisional {
    fn drop(&mut self) {
        if !self.is_kept {
            // There is nobody to tell.
            let _ = fs::remove_file(&self.path);
        }
        UNFINISHED.lock().remove(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, process};

    #[test]
    fn a_provisional_file_stays_only_if_it_is_kept() {
        let path = env::temp_dir().join(format!("hematite-provisional-{}", process::id()));
        for is_kept in [false, true] {
            fs::write(&path, "text").expect("it can be written");
            let provisional = Provisional::new(path.clone());
            assert_eq!(provisional.path(), path);
            if is_kept {
                provisional.keep();
            } else {
                drop(provisional);
            }
            assert_eq!(path.exists(), is_kept);
        }
        let _ = fs::remove_file(&path);
    }
}
