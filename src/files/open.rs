//! Opening and reading files: decompression, the check for regular files, and lines of bounded length.

use std::fs::{self, File, FileType};
use std::io::{self, BufRead, Cursor, Error, ErrorKind, Read};
use std::path::Path;

/// The first bytes of compressed data.
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const GZIP: &[u8] = &[0x1f, 0x8b];
const BZIP2: &[u8] = b"BZh";
/// The length of the longest of them.
const LONGEST: u64 = 4;

/// The extensions of compressed files.
pub const EXTENSIONS: [&str; 4] = ["zst", "gz", "bz2", "bzip2"];

/// The content of data: decompressed if they are Zstandard, gzip or bzip2, in one part or in several, and
/// unchanged otherwise. Their first bytes decide, not the name of the file.
///
/// # Errors
/// If their first bytes cannot be read.
pub fn decompressed(mut stored: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut beginning = Vec::new();
    stored.by_ref().take(LONGEST).read_to_end(&mut beginning)?;
    let is = |magic: &[u8]| beginning.starts_with(magic);
    let (is_zstandard, is_gzip, is_bzip2) = (is(ZSTANDARD), is(GZIP), is(BZIP2));
    let whole = Cursor::new(beginning).chain(stored);
    Ok(if is_zstandard {
        Box::new(zstd::stream::read::Decoder::new(whole)?)
    } else if is_gzip {
        Box::new(flate2::read::MultiGzDecoder::new(whole))
    } else if is_bzip2 {
        Box::new(bzip2::read::MultiBzDecoder::new(whole))
    } else {
        Box::new(whole)
    })
}

/// Opens a regular file, or a link to one, for reading.
///
/// An interactive program opens nothing else: a pipe may make its reader wait forever, and a device may
/// never end.
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

/// A line, as [`read_line`] reads it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LineRead {
    /// Its bytes without the line end, up to the limit.
    pub bytes: Vec<u8>,
    /// Whether the line was longer, and its other bytes were skipped.
    pub is_cut: bool,
}

/// Reads a line, of which at most `max` bytes are kept, so that an input without line ends does not fill the memory.
/// `None` at the end of the input; bytes after the last line end are a line.
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
        let end = buffer.iter().position(|&byte| byte == b'\n');
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    // Decompression

    fn all_of(mut compressor: impl Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        compressor.read_to_end(&mut bytes).expect("memory can be read");
        bytes
    }

    #[test]
    fn compressed_data_are_decompressed() {
        const TEXT: &[u8] = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
        let gzip = all_of(flate2::read::GzEncoder::new(TEXT, flate2::Compression::default()));
        let bzip2 = all_of(bzip2::read::BzEncoder::new(TEXT, bzip2::Compression::default()));
        let zstandard = zstd::encode_all(TEXT, 1).expect("memory can be compressed");
        let twice = [TEXT, TEXT].concat();
        let cases: [(&str, Vec<u8>, &[u8]); 9] = [
            ("nothing", Vec::new(), b""),
            ("short", b"BZ".to_vec(), b"BZ"),
            ("plain", TEXT.to_vec(), TEXT),
            ("gzip", gzip.clone(), TEXT),
            ("bzip2", bzip2.clone(), TEXT),
            ("Zstandard", zstandard.clone(), TEXT),
            ("gzip in two parts", [&gzip[..], &gzip].concat(), &twice),
            ("bzip2 in two parts", [&bzip2[..], &bzip2].concat(), &twice),
            ("Zstandard in two parts", [&zstandard[..], &zstandard].concat(), &twice),
        ];
        for (name, stored, expected) in cases {
            let mut found = Vec::new();
            let mut reader = decompressed(Cursor::new(stored)).expect("memory can be read");
            reader.read_to_end(&mut found).expect(name);
            assert_eq!(found, expected, "{name}");
        }
        for (name, stored) in [("gzip", gzip), ("bzip2", bzip2), ("Zstandard", zstandard)] {
            let torn = stored[..stored.len() - 5].to_vec();
            let mut found = Vec::new();
            let end = decompressed(Cursor::new(torn)).and_then(|mut reader| reader.read_to_end(&mut found));
            assert!(end.is_err(), "{name}: the end is missing");
        }
    }

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
}
