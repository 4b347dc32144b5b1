//! Openings of self-play, read from the files that matches read theirs from.

use super::CliError;
use crate::arena::opening::Book;
use crate::selfplay::Openings;
use std::path::Path;

/// The openings of a file, at least one, under this name.
///
/// # Errors
/// [`CliError::Input`] if the file cannot be read or has no openings.
pub(super) fn read(path: &Path, name: &Path) -> Result<Openings, CliError> {
    let wrong = |problem: String| CliError::Input { name: path.display().to_string(), problem };
    let book = Book::read(path, None, None).map_err(|error| wrong(error.to_string()))?;
    let positions = (0..book.len()).map(|index| book.opening(index).end()).collect();
    Openings::new(name, positions).ok_or_else(|| wrong("no openings".to_owned()))
}
