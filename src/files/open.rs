//! Opening regular files, reading lines, limiting the size of data, and peeking at the next bytes of data.

use std::fs::{self, File, FileType};
use std::io::{self, BufRead, Error, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The extensions of packed files, including formats that are not supported: these are rejected by their content.
const PACKED: [&str; 16] = [
    "zst", "zstd", "gz", "gzip", "bz2", "bzip2", "xz", "zip", "7z", "rar", "lz4", "lz", "lzma", "z", "tar",
    "tgz",
];

/// Whether the name of a file ends in the extension of a packed file.
pub(super) fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|found| PACKED.iter().any(|known| found.eq_ignore_ascii_case(known)))
}

/// The name of a file without the extension of a packed file.
pub fn without_packed_extension(path: &Path) -> &Path {
    path.file_stem().filter(|_| is_packed(path)).map_or(path, Path::new)
}

/// Rejects the name of a packed file for a file that is written without compression.
///
/// # Errors
/// If the name ends in an extension such as `.zst` or `.zip`.
pub fn refuse_packed_extension(path: &Path) -> io::Result<()> {
    if !is_packed(path) {
        return Ok(());
    }
    let extension = path.extension().unwrap_or_default().display();
    let problem = format!("this file is not compressed, expected a name that does not end in .{extension}");
    Err(Error::new(ErrorKind::InvalidInput, problem))
}

/// Creates the folder of a file if necessary.
///
/// # Errors
/// If the folder cannot be created.
pub fn make_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.exists() => fs::create_dir_all(folder),
        _ => Ok(()),
    }
}

/// Opens a regular file, or a link to one, for reading.
///
/// An interactive program opens nothing else: the reader of a pipe may have to wait forever, and a device may have no
/// end.
///
/// # Errors
/// If the file does not exist, is not a regular file, or cannot be opened.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Checks that a path is a regular file, or a link to one, without opening it.
///
/// # Errors
/// If the file does not exist, is not a regular file, or cannot be examined.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if found.is_file() {
        return Ok(());
    }
    let reason = format!("{}, expected a regular file", name(found.file_type()));
    Err(Error::new(ErrorKind::InvalidInput, reason))
}

/// The kind of something that is not a regular file.
fn name(found: FileType) -> &'static str {
    if found.is_dir() { "a folder" } else { name_of_special(found) }
}

#[cfg(unix)]
fn name_of_special(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if found.is_fifo() {
        "a named pipe"
    } else if found.is_char_device() || found.is_block_device() {
        "a device"
    } else if found.is_socket() {
        "a socket"
    } else {
        "something else"
    }
}

#[cfg(not(unix))]
fn name_of_special(_: FileType) -> &'static str {
    "something else"
}

/// A line read by [`read_line`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LineRead {
    /// The bytes of the line without the line end, up to the limit.
    pub bytes: Vec<u8>,
    /// Whether the line was longer than the limit, and the rest was skipped.
    pub is_cut: bool,
}

/// Reads a line, of which at most `max` bytes are kept, so that an input without line ends does not fill the memory.
/// `None` at the end of the input; bytes after the last line end count as a line.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(reader: &mut impl BufRead, max: usize) -> io::Result<Option<LineRead>> {
    let mut line = LineRead::default();
    let mut is_started = false;
    loop {
        let buffer = match reader.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            result => result?,
        };
        if buffer.is_empty() {
            return Ok(is_started.then_some(line));
        }
        is_started = true;
        let end = memchr::memchr(b'\n', buffer);
        let (part, used) = end.map_or((buffer, buffer.len()), |end| (&buffer[..end], end + 1));
        let kept = part.len().min(max - line.bytes.len());
        line.bytes.extend_from_slice(&part[..kept]);
        line.is_cut |= kept < part.len();
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

/// A reader that fails if there are more bytes than a limit.
pub struct Limited<R> {
    reader: R,
    left: u64,
    limit: u64,
}

impl Limited<()> {
    /// The default limit of unpacked data in memory, in bytes.
    pub const DEFAULT: u64 = 1 << 30;
}

impl<R: Read> Limited<R> {
    /// A reader with a limit in bytes.
    pub const fn new(reader: R, limit: u64) -> Self {
        Self { reader, left: limit, limit }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => {
                let problem = format!("more than {} bytes when unpacked, the limit", self.limit);
                return Err(Error::new(ErrorKind::FileTooLarge, problem));
            }
        }
        Ok(read)
    }
}

/// Data whose next bytes can be peeked at.
pub(super) struct Stored {
    source: Box<dyn Read + Send>,
    buffer: Box<[u8]>,
    /// The range of the buffer that has been filled but not read.
    start: usize,
    end: usize,
    /// The number of bytes that have been read from the source.
    pub(super) count: Arc<AtomicU64>,
    /// An error of the source, which is returned after the bytes in the buffer.
    failure: Option<io::Error>,
}

impl Stored {
    /// The size of the buffer, in bytes.
    const BUFFER: usize = 1 << 16;

    pub(super) fn new(source: Box<dyn Read + Send>) -> Self {
        let buffer = vec![0; Self::BUFFER].into_boxed_slice();
        Self { source, buffer, start: 0, end: 0, count: Arc::default(), failure: None }
    }

    /// Reads more bytes into the buffer, and returns true at the end of the source.
    fn refill(&mut self) -> io::Result<bool> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let read = read_uninterrupted(&mut *self.source, &mut self.buffer[self.end..])?;
        self.end += read;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read == 0)
    }

    /// Reads without the buffer, which must be empty.
    fn read_directly(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let read = read_uninterrupted(&mut *self.source, into)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }

    /// The next bytes: at least this many, unless there are fewer.
    pub(super) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        if self.start + wanted > self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        while self.end - self.start < wanted {
            match self.refill() {
                Ok(false) => {}
                Ok(true) => break,
                Err(error) if self.start == self.end => return Err(error),
                Err(error) => {
                    self.failure = Some(error);
                    break;
                }
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    pub(super) fn skip_zeros(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.fill_buf()?;
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                return Ok(());
            }
            self.consume(zeros);
        }
    }
}

impl BufRead for Stored {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            self.refill()?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, amount: usize) {
        self.start += amount;
    }
}

impl Read for Stored {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end && buffer.len() >= Self::BUFFER {
            return self.read_directly(buffer);
        }
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Reads once, and retries if a signal interrupts the call.
fn read_uninterrupted(source: &mut dyn Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(into) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    // Regular files

    #[test]
    fn a_file_is_opened_and_a_folder_is_not() {
        let folder = std::env::temp_dir().join(format!("hematite-regular-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let file = folder.join("file");
        fs::write(&file, "text").expect("it can be written");
        assert!(open_regular(&file).is_ok());
        let refusal = |path: &Path| open_regular(path).map(drop).map_err(|error| error.to_string());
        assert_eq!(refusal(&folder), Err("a folder, expected a regular file".to_owned()));
        let missing = open_regular(&folder.join("missing")).map_err(|error| error.kind());
        assert_eq!(missing.err(), Some(ErrorKind::NotFound));
        fs::remove_dir_all(&folder).expect("it is there");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_special_files_refused() {
        use std::os::unix::{fs::symlink, net::UnixListener};
        let folder = std::env::temp_dir().join(format!("hematite-special-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("file"), "text").expect("it can be written");
        let _listener = UnixListener::bind(folder.join("socket")).expect("a socket can be made");
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo");
        assert!(made.success());
        let cases = [
            ("file", None),
            ("/dev/zero", Some("a device")),
            ("pipe", Some("a named pipe")),
            ("socket", Some("a socket")),
            ("/", Some("a folder")),
        ];
        for (name, expected) in cases {
            let link = folder.join("link");
            symlink(folder.join(name), &link).expect("a link can be made");
            for path in [&folder.join(name), &link] {
                let found = open_regular(path).map(drop).map_err(|error| error.to_string());
                let expected =
                    expected.map_or(Ok(()), |name| Err(format!("{name}, expected a regular file")));
                assert_eq!(found, expected, "{}", path.display());
            }
            fs::remove_file(&link).expect("it is there");
        }
        fs::remove_dir_all(&folder).expect("it is there");
    }

    // Lines

    #[test]
    fn lines_are_cut_and_bounded() {
        let line = |text: &str| LineRead { bytes: text.as_bytes().to_vec(), is_cut: false };
        let cut = |text: &str| LineRead { is_cut: true, ..line(text) };
        let cases = [
            ("nothing", "", vec![]),
            ("one", "uci\n", vec![line("uci")]),
            ("the last without an end", "uci\nquit", vec![line("uci"), line("quit")]),
            ("empty lines", "\n\nd\n", vec![line(""), line(""), line("d")]),
            ("just short enough", "123456789\nd\n", vec![line("123456789"), line("d")]),
            ("too long", "1234567890\nd\n", vec![cut("123456789"), line("d")]),
            ("much too long", "12345678901234567890123456789\nd\n", vec![cut("123456789"), line("d")]),
            ("too long at the end", "d\n1234567890", vec![line("d"), cut("123456789")]),
        ];
        for (name, text, expected) in cases {
            for capacity in [1, 4, 64] {
                let mut input = BufReader::with_capacity(capacity, text.as_bytes());
                let read = || read_line(&mut input, 9).expect("memory can be read");
                assert_eq!(
                    std::iter::from_fn(read).collect::<Vec<_>>(),
                    expected,
                    "{name}, buffer of {capacity}"
                );
            }
        }
    }

    // Limits

    const TEXT: &[u8] = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";

    #[test]
    fn limits_are_exact() {
        let read =
            |limit| Limited::new(TEXT, limit).read_to_end(&mut Vec::new()).map_err(|error| error.kind());
        assert_eq!(read(TEXT.len() as u64), Ok(TEXT.len()));
        assert_eq!(read(TEXT.len() as u64 - 1), Err(ErrorKind::FileTooLarge));
    }
}
