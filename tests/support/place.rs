//! A folder for a test.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of its own for a test, which goes with it.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::Builder::new().prefix("hematite-test-").tempdir().expect("a folder can be made"))
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// What has this name in it.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// The same as a word of a command.
    pub(crate) fn path(&self, name: &str) -> String {
        self.join(name).to_str().expect("a plain path").to_owned()
    }

    /// Writes a file, and the folder it lies in.
    pub(crate) fn write(&self, name: &str, data: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(&path, data).expect("a file can be written");
        path
    }
}
