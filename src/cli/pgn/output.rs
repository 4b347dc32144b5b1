//! Where a command writes to.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How much is written at a time.
const BUFFER_BYTES: usize = 1 << 18;

/// Standard output, or a file that is there only when it is complete: until then it has another
/// name, and it takes the place of what was there before all at once.
pub(super) struct Output<'a> {
    writer: BufWriter<Box<dyn Write + 'a>>,
    file: Option<Unfinished>,
}

/// A file that is not complete yet. It is removed if it never will be.
struct Unfinished {
    temporary: PathBuf,
    path: PathBuf,
    is_finished: bool,
}

impl<'a> Output<'a> {
    /// To a file, or to `out`.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(super) fn create(path: Option<&Path>, out: &'a mut dyn Write) -> io::Result<Self> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self { writer: BufWriter::with_capacity(BUFFER_BYTES, Box::new(out)), file: None });
        };
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().ok_or(io::ErrorKind::IsADirectory)?);
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create(&temporary)?;
        let file_state = Unfinished { temporary, path: path.to_owned(), is_finished: false };
        Ok(Self { writer: BufWriter::with_capacity(BUFFER_BYTES, Box::new(file)), file: Some(file_state) })
    }

    /// All has been written.
    ///
    /// # Errors
    /// If the last of it cannot be written, or the file not be given its name.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        if let Some(file) = &mut self.file {
            fs::rename(&file.temporary, &file.path)?;
            file.is_finished = true;
        }
        Ok(())
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_finished {
            // There is nobody to tell.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
