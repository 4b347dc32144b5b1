//! Files to be read, or standard input in their place.

use super::CliError;
use crate::files::decompressed;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Something to read from, with the name that errors call it by.
pub(super) struct Input {
    /// The file's name as it was given.
    pub name: String,
    /// Its content.
    pub reader: Box<dyn BufRead>,
}

/// The argument that stands for standard input.
pub(super) const STDIN: &str = "-";

impl Input {
    /// Opens a file, or standard input for `-`. What is compressed is decompressed.
    ///
    /// # Errors
    /// [`CliError::Input`] if the file cannot be opened, or its beginning not be read.
    pub(super) fn open(path: &Path) -> Result<Self, CliError> {
        let (name, content) = if path.as_os_str() == STDIN {
            ("standard input".to_owned(), decompressed(io::stdin()))
        } else {
            (path.display().to_string(), File::open(path).and_then(decompressed))
        };
        match content {
            Ok(content) => Ok(Self { name, reader: Box::new(BufReader::new(content)) }),
            Err(error) => Err(CliError::Input { name, problem: error.to_string() }),
        }
    }

    /// Reads all of a text that is small.
    ///
    /// # Errors
    /// [`CliError::Input`] if it cannot be read, or is no UTF-8.
    pub(super) fn read_text(mut self) -> Result<(String, String), CliError> {
        let mut text = String::new();
        match self.reader.read_to_string(&mut text) {
            Ok(_) => Ok((self.name, text)),
            Err(error) => Err(CliError::Input { name: self.name, problem: error.to_string() }),
        }
    }
}
