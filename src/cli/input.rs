//! Files to be read, or standard input in their place.

use super::CliError;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Something to read from, with the name that errors call it by.
pub(super) struct Input {
    /// The file's name as it was given.
    pub name: String,
    /// Its content.
    pub reader: Box<dyn BufRead>,
}

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`CliError::Input`] if the file cannot be opened.
    pub(super) fn open(path: &Path) -> Result<Self, CliError> {
        if path == Path::new("-") {
            return Ok(Self { name: "standard input".to_owned(), reader: Box::new(io::stdin().lock()) });
        }
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Self { name, reader: Box::new(BufReader::new(file)) }),
            Err(error) => Err(CliError::Input { name, problem: error.to_string() }),
        }
    }
}
