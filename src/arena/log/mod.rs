//! The files of the games: PGN and final positions. The games of a pairing are written together.

mod pgn;

pub use pgn::{GameLabels, PgnOptions, final_position, pgn};

use crate::files::{line_ends_before, lock, make_folder_of, refuse_packed_extension};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A text file of known length to which text is appended. Only one match at a time may write to it.
#[derive(Debug)]
pub struct LogFile {
    file: File,
    len: u64,
    /// The number of line ends to write before the next text.
    gap: usize,
}

/// The separator that must precede an appended text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Separator {
    /// The end of a line.
    LineEnd,
    /// An empty line.
    EmptyLine,
}

/// The extension of the file to which text is moved that was cut off another file.
const REST: &str = "rest";

impl LogFile {
    /// Opens a file to append to it, with a separator if its content does not end with one; its folder is created if
    /// necessary.
    ///
    /// # Errors
    /// If the file cannot be opened for writing, another match writes to it, or its name is that of a packed file, to
    /// which text cannot be appended.
    pub fn append(path: &Path, separator: Separator) -> io::Result<Self> {
        let mut log = Self::open(path, true)?;
        log.set_gap(path, separator)?;
        Ok(log)
    }

    /// Opens a file to continue it at `len` bytes. The text after that is moved to the end of another file, whose name
    /// is returned.
    ///
    /// # Errors
    /// If the file cannot be opened for writing, is shorter than `len`, or another match writes to it.
    pub fn resume(path: &Path, len: u64, separator: Separator) -> io::Result<(Self, Option<PathBuf>)> {
        // A file that had content must exist.
        let mut log = Self::open(path, len == 0)?;
        if log.len < len {
            let problem = format!("the file has {} bytes, expected at least {len}", log.len);
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        if log.len == len {
            log.set_gap(path, separator)?;
            return Ok((log, None));
        }
        let rest = path.with_added_extension(REST);
        let mut content = File::open(path)?;
        content.seek(SeekFrom::Start(len))?;
        let mut kept = Self::append(&rest, separator)?;
        kept.write("")?;
        let mut kept = kept.file;
        io::copy(&mut content.take(log.len - len), &mut kept)?;
        kept.sync_data()?;
        log.file.set_len(len)?;
        log.len = len;
        log.set_gap(path, separator)?;
        Ok((log, Some(rest)))
    }

    fn open(path: &Path, may_be_new: bool) -> io::Result<Self> {
        refuse_packed_extension(path)?;
        make_folder_of(path)?;
        let mut file = File::options().append(true).create(may_be_new).open(path)?;
        // On other systems a lock would also exclude readers.
        if cfg!(unix) && !lock(&file) {
            return Err(other_match());
        }
        let len = file.seek(SeekFrom::End(0))?;
        Ok(Self { file, len, gap: 0 })
    }

    fn set_gap(&mut self, path: &Path, separator: Separator) -> io::Result<()> {
        let wanted = match separator {
            Separator::LineEnd => 1,
            Separator::EmptyLine => 2,
        };
        self.gap = wanted - line_ends_before(path, self.len)?.min(wanted);
        Ok(())
    }

    /// Appends a text, and returns after it is on the disk.
    ///
    /// # Errors
    /// If the text cannot be written.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        let text = "\n".repeat(std::mem::take(&mut self.gap)) + text;
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()?;
        self.len += text.len() as u64;
        Ok(())
    }

    /// The length of the file, in bytes.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether the file is empty.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The error for a file that is locked by another match.
pub(in crate::arena) fn other_match() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "another match writes this file")
}

#[cfg(test)]
mod tests {
    use super::Separator::{EmptyLine, LineEnd};
    use super::*;
    use std::fs;

    #[test]
    fn nothing_is_lost_that_somebody_else_has_written() {
        let folder = std::env::temp_dir().join(format!("hematite-log-file-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("games.pgn");
        let missing = LogFile::resume(&path, 3, LineEnd).expect_err("it was never there");
        assert_eq!((missing.kind(), path.exists()), (io::ErrorKind::NotFound, false));
        let mut log = LogFile::append(&path, LineEnd).expect("it can be written");
        log.write("one\n").expect("it can be written");
        let counted = log.len();
        if cfg!(unix) {
            let second = LogFile::append(&path, LineEnd).expect_err("there is a writer");
            assert_eq!(second.to_string(), "another match writes this file");
        }
        drop(log);
        for text in ["two\n", "three\n"] {
            LogFile::append(&path, LineEnd).and_then(|mut log| log.write(text)).expect("it can be written");
            let (mut log, rest) = LogFile::resume(&path, counted, LineEnd).expect("it can go on");
            assert_eq!((log.len(), rest), (counted, Some(folder.join("games.pgn.rest"))), "{text}");
            log.write("1\n").expect("it can be written");
            assert_eq!(fs::read_to_string(&path).expect("a file"), "one\n1\n");
        }
        assert_eq!(fs::read_to_string(folder.join("games.pgn.rest")).expect("a file"), "two\n1\nthree\n");
        let (log, rest) = LogFile::resume(&path, counted + 2, LineEnd).expect("nothing is behind it");
        assert_eq!((log.len(), rest), (counted + 2, None));
        drop(log);
        assert!(
            LogFile::resume(&path, 100, LineEnd)
                .is_err_and(|error| error.kind() == io::ErrorKind::InvalidData)
        );
        fs::remove_dir_all(&folder).expect("it can be removed");
    }

    #[test]
    fn a_separator_is_written_where_there_is_none() {
        let path = std::env::temp_dir().join(format!("hematite-separator-{}", std::process::id()));
        let cases = [
            ("", EmptyLine, "2\n"),
            ("1", EmptyLine, "1\n\n2\n"),
            ("1\n", EmptyLine, "1\n\n2\n"),
            ("1\n\n", EmptyLine, "1\n\n2\n"),
            ("1", LineEnd, "1\n2\n"),
            ("1\n", LineEnd, "1\n2\n"),
        ];
        for (old, separator, expected) in cases {
            fs::write(&path, old).expect("it can be written");
            let begin = || LogFile::append(&path, separator).expect("it can be opened");
            let resume = || LogFile::resume(&path, old.len() as u64, separator).expect("it can be opened").0;
            drop(begin());
            assert_eq!(
                fs::read_to_string(&path).expect("a file"),
                old,
                "nothing is written before the first text"
            );
            let opens: [&dyn Fn() -> LogFile; 2] = [&begin, &resume];
            for open in opens {
                fs::write(&path, old).expect("it can be written");
                let mut log = open();
                log.write("2\n").expect("it can be written");
                assert_eq!(fs::read_to_string(&path).expect("a file"), expected, "{old:?}");
                assert_eq!(log.len(), expected.len() as u64, "{old:?}");
            }
        }
        fs::remove_file(&path).expect("it can be removed");
    }
}
