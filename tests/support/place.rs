//! A temporary folder for a test.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A temporary folder, which is removed at the end of the test.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::Builder::new().prefix("hematite-test-").tempdir().expect("a folder can be made"))
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The path of the file with this name in the folder.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// The path of the file with this name in the folder, as text.
    pub(crate) fn path(&self, name: &str) -> String {
        self.join(name).to_str().expect("a plain path").to_owned()
    }

    /// Writes a file, and creates its folder.
    pub(crate) fn write(&self, name: &str, data: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(&path, data).expect("a file can be written");
        path
    }

    /// Writes a file, and returns its path as text.
    pub(crate) fn file(&self, name: &str, data: impl AsRef<[u8]>) -> String {
        self.write(name, data);
        self.path(name)
    }
}
