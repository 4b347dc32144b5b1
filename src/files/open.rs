//! Opening files: decompression, and the check for regular files.

use std::fs::{self, File, FileType};
use std::io::{self, Cursor, Error, ErrorKind, Read};
use std::path::Path;

/// What compressed data begin with.
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const GZIP: &[u8] = &[0x1f, 0x8b];
const BZIP2: &[u8] = b"BZh";
/// The length of the longest of these.
const LONGEST: u64 = 4;

/// What the names of compressed files end in, behind a point.
pub const EXTENSIONS: [&str; 4] = ["zst", "gz", "bz2", "bzip2"];

/// What is in these data: decompressed if they are Zstandard, gzip or bzip2, in one part or in
/// several, and as they are if not.
///
/// # Errors
/// If their beginning cannot be read.
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

/// Opens a regular file, or a link to one, to be read.
///
/// Where somebody waits for an answer, nothing else may be opened: a pipe keeps its reader waiting
/// until somebody writes, and a device may never end.
///
/// # Errors
/// If there is no such file, or it is something else, or it cannot be opened.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Is there a regular file, or a link to one? It is not opened.
///
/// # Errors
/// If there is nothing, or something else, or it cannot be looked at.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if found.is_file() {
        return Ok(());
    }
    let reason = format!("{}, expected a regular file", name(found.file_type()));
    Err(Error::new(ErrorKind::InvalidInput, reason))
}

/// What something is that is no regular file.
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

#[cfg(test)]
mod tests {
    use super::*;

    // Decompression

    fn all_of(mut compressor: impl Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        compressor.read_to_end(&mut bytes).expect("memory can be read");
        bytes
    }

    #[test]
    fn what_is_compressed_comes_out() {
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
}
