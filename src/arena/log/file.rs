//! A file that grows by whole pairs.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// A text file that is only appended to, and knows how long it is.
#[derive(Debug)]
pub struct LogFile {
    file: File,
    len: u64,
}

impl LogFile {
    /// Opens a file to be continued at its end.
    ///
    /// # Errors
    /// If it cannot be opened for writing.
    pub fn append(path: &Path) -> io::Result<Self> {
        let mut file = File::options().create(true).write(true).truncate(false).open(path)?;
        let len = file.seek(SeekFrom::End(0))?;
        Ok(Self { file, len })
    }

    /// Opens a file to be continued where it was `len` bytes long; what follows is cut off.
    ///
    /// # Errors
    /// If it cannot be opened for writing, or is shorter than that.
    pub fn resume(path: &Path, len: u64) -> io::Result<Self> {
        let mut log = Self::append(path)?;
        if log.len < len {
            let problem = format!("the file has {} bytes, expected at least {len}", log.len);
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        log.file.set_len(len)?;
        log.file.seek(SeekFrom::Start(len))?;
        log.len = len;
        Ok(log)
    }

    /// Appends a text, which is on the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()?;
        self.len += text.len() as u64;
        Ok(())
    }

    /// Its length in bytes.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Is there nothing in it?
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}
