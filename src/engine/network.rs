//! Networks that the user names.

use crate::files::{PathExcerpt, open_regular};
use crate::nnue::file::FileError;
use crate::nnue::{self, Network};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A network that cannot be loaded.
#[derive(Debug)]
pub(super) struct LoadError {
    path: String,
    error: FileError,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", PathExcerpt::new(&self.path), self.error)
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The network in a file; without a path the one that is part of the program.
///
/// # Errors
/// [`LoadError`] if it is no regular file, cannot be read or holds no network that can be used.
pub(super) fn load(path: &str) -> Result<Arc<Network>, LoadError> {
    if path.is_empty() {
        return Ok(nnue::embedded());
    }
    let network = open_regular(Path::new(path)).map_err(FileError::from).and_then(Network::read);
    network.map(Arc::new).map_err(|error| LoadError { path: path.to_owned(), error })
}
