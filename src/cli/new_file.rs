//! Files that appear only when they are complete.

use crate::cli::CliError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

/// A file that is written under another name, in the same folder, until it is complete. If it
/// never is, nothing remains of it, and a file that was there before stays as it was.
pub(super) struct NewFile {
    path: PathBuf,
    temporary: PathBuf,
    writer: BufWriter<File>,
    is_complete: bool,
}

impl NewFile {
    /// Begins to write.
    ///
    /// # Errors
    /// [`CliError::Usage`] if the folder cannot be written to.
    pub(super) fn create(path: &Path) -> Result<Self, CliError> {
        let fail = |problem: &str| CliError::Usage(format!("{}: {problem}", path.display()));
        if path.is_dir() {
            return Err(fail("is a folder, expected the name of a file"));
        }
        let name = path.file_name().ok_or_else(|| fail("not the name of a file"))?;
        let mut temporary = name.to_owned();
        temporary.push(format!(".{}.tmp", process::id()));
        let temporary = path.with_file_name(temporary);
        let file = File::create_new(&temporary).map_err(|error| fail(&error.to_string()))?;
        Ok(Self { path: path.to_owned(), temporary, writer: BufWriter::new(file), is_complete: false })
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// [`CliError::Output`] if that cannot be done.
    pub(super) fn complete(mut self) -> Result<(), CliError> {
        self.writer.flush()?;
        fs::rename(&self.temporary, &self.path)?;
        self.is_complete = true;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_complete {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
