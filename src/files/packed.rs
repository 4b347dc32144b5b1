//! Reading packed files: compressed data, archives, and text in UTF-16.

use super::open::Stored;
use flate2::Crc;
use std::fs::File;
use std::io::{self, BufRead, Error, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use zip::{CompressionMethod, ZipArchive};

/// A data format that is identified by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Zstandard,
    Gzip,
    Bzip2,
    Xz,
    Zip,
    /// A format that is not supported, with its name.
    Foreign(&'static str),
}

/// The first bytes of formats that are not supported, and their names.
const FOREIGN: &[(&[u8], &str)] = &[
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x04\x22\x4d\x18", "LZ4 data"),
    (b"\x02\x21\x4c\x18", "LZ4 data"),
    (b"LZIP", "lzip data"),
    (b"\x5d\x00\x00", "LZMA data"),
    (b"\x1f\x9d", "data of compress (.Z)"),
    (b"%PDF-", "a PDF document"),
    (b"Scid.s", "a Scid database"),
    (b"SQLite", "an SQLite database"),
    (b"\xff\xfe\x00\x00", "a text in UTF-32"),
    (b"\x00\x00\xfe\xff", "a text in UTF-32"),
];
/// The mark in the header of a tar archive, with its offset.
const TAR: (usize, &[u8]) = (257, b"ustar");
/// The supported formats, for error messages.
const EXPECTED: &str = "expected plain data, or data packed by zstd, gzip, bzip2, xz or zip";

impl Format {
    /// The number of first bytes that identify a format: the mark of a tar archive has the largest offset.
    const MARK: usize = TAR.0 + TAR.1.len();

    /// The format of data that start with these bytes; `None` for plain data.
    fn of(start: &[u8]) -> Option<Self> {
        let format = match start {
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstandard,
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => Self::Zip,
            _ => {
                let (place, mark) = TAR;
                let is_tar = start.get(place..).is_some_and(|rest| rest.starts_with(mark));
                let found = FOREIGN.iter().find(|(mark, _)| start.starts_with(mark));
                return found.map(|(_, name)| *name).or(is_tar.then_some("a tar archive")).map(Self::Foreign);
            }
        };
        Some(format)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Zstandard => "Zstandard data",
            Self::Gzip => "gzip data",
            Self::Bzip2 => "bzip2 data",
            Self::Xz => "xz data",
            Self::Zip => "a zip archive",
            Self::Foreign(name) => name,
        }
    }
}

fn invalid(problem: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidData, problem.into())
}

/// Receives warnings about data that are unusual but can be read.
pub type Warn = Box<dyn FnMut(&str) + Send>;

/// A file or a stream that may be packed. The first bytes of its data, not its name, determine the format.
pub struct Packed {
    stored: Stored,
    /// The file itself, if it is seekable.
    file: Option<File>,
    member: Option<ArchiveMember>,
    warn: Warn,
}

/// The unpacked content of a file.
pub struct Unpacked {
    /// The name of the file in an archive.
    pub name: Option<String>,
    /// The unpacked bytes.
    pub reader: Box<dyn Read + Send>,
}

impl Packed {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::from_file(File::open(path)?)
    }

    /// An open file, which is read from its start.
    ///
    /// # Errors
    /// If the file cannot be examined.
    pub fn from_file(file: File) -> io::Result<Self> {
        let is_regular = file.metadata()?.is_file();
        let again = if is_regular { Some(file.try_clone()?) } else { None };
        Ok(Self { file: again, ..Self::from_stream(file) })
    }

    /// A stream, such as standard input.
    pub fn from_stream(stream: impl Read + Send + 'static) -> Self {
        Self { stored: Stored::new(Box::new(stream)), file: None, member: None, warn: Box::new(|_| ()) }
    }

    /// Adds the number of stored bytes to `count` as they are read.
    pub fn counting(mut self, count: Arc<AtomicU64>) -> Self {
        self.stored.count = count;
        self
    }

    /// Calls `warn` for unusual data, such as bytes after the end of compressed data.
    pub fn warning(mut self, warn: impl FnMut(&str) + Send + 'static) -> Self {
        self.warn = Box::new(warn);
        self
    }

    /// Reads this file of an archive, instead of its only file.
    pub fn with_member(mut self, member: ArchiveMember) -> Self {
        self.member = Some(member);
        self
    }

    /// The content as bytes.
    ///
    /// # Errors
    /// If the start of the data cannot be read, the format is not supported, or an archive does not have exactly one
    /// file.
    pub fn bytes(self) -> io::Result<Unpacked> {
        let (name, reader) = self.unpack()?;
        Ok(Unpacked { name, reader: Box::new(reader) })
    }

    /// The content as text: UTF-16 is converted to UTF-8; other encodings are not changed.
    ///
    /// # Errors
    /// The errors of [`Packed::bytes`].
    pub fn text(self) -> io::Result<Unpacked> {
        let (name, mut content) = self.unpack()?;
        let reader: Box<dyn Read + Send> = match utf16_order(content.peek(UTF16_START)?) {
            Some(order) => Box::new(Utf16::new(content, order)),
            None => Box::new(content),
        };
        Ok(Unpacked { name, reader })
    }

    fn unpack(mut self) -> io::Result<(Option<String>, Stored)> {
        let format = Format::of(self.stored.peek(Format::MARK)?);
        let (name, content): (_, Box<dyn Read + Send>) = match format {
            None => return Ok((None, self.stored)),
            Some(Format::Foreign(name)) => return Err(invalid(format!("{name}, {EXPECTED}"))),
            Some(Format::Zip) => {
                let (name, member) = self.open_member()?;
                (Some(name), Box::new(member))
            }
            Some(format) => {
                let Self { stored, warn, .. } = self;
                (None, Box::new(Members { format, decoder: Some(Decoder::new(format, stored)?), warn }))
            }
        };
        let mut content = Stored::new(content);
        match Format::of(content.peek(Format::MARK)?) {
            Some(inner) => {
                let (outer, inner) = (format.map_or("", Format::name), inner.name());
                Err(invalid(format!("{inner} within {outer}, expected plain data in it")))
            }
            None => Ok((name, content)),
        }
    }

    fn open_member(self) -> io::Result<(String, Member)> {
        let count = Arc::clone(&self.stored.count);
        let mut file = match self.file {
            Some(file) => file,
            None => spool(self.stored)?,
        };
        let member = match self.member {
            Some(member) => member,
            None => only_member(members(&mut file)?)?,
        };
        let ArchiveMember { name, stored_size, start, size: left, checksum: expected, .. } = member;
        let is_deflated = match member.compression {
            _ if member.is_encrypted => {
                return Err(invalid(format!("{name} in the zip archive is encrypted")));
            }
            CompressionMethod::Stored => false,
            CompressionMethod::Deflated => true,
            other => {
                let problem =
                    format!("{name} in the zip archive is compressed by {other}, expected Deflated");
                return Err(invalid(problem));
            }
        };
        let start = start.ok_or_else(|| damaged_zip("a file without data"))?;
        file.seek(SeekFrom::Start(start))?;
        let mut stored = Stored::new(Box::new(file.take(stored_size)));
        stored.count = count;
        let content: Box<dyn Read + Send> = if is_deflated {
            Box::new(flate2::bufread::DeflateDecoder::new(stored))
        } else {
            Box::new(stored)
        };
        Ok((name, Member { content, left, expected, checksum: Crc::new() }))
    }
}

/// A file in an archive, as described by the directory of the archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveMember {
    /// The name of the file, with its folder.
    pub name: String,
    /// The size of the stored data, in bytes.
    pub stored_size: u64,
    /// The offset of the data in the archive; `None` if it is unknown.
    start: Option<u64>,
    /// The size of the unpacked file, in bytes.
    size: u64,
    checksum: u32,
    compression: CompressionMethod,
    is_encrypted: bool,
}

/// The files in an archive, except hidden ones and those that macOS adds; `None` if the file is not a zip archive or
/// not a regular file.
///
/// # Errors
/// If the archive cannot be read.
pub fn archive_members(path: &Path) -> io::Result<Option<Vec<ArchiveMember>>> {
    if !std::fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    (&mut file).take(Format::MARK as u64).read_to_end(&mut start)?;
    if Format::of(&start) != Some(Format::Zip) {
        return Ok(None);
    }
    members(&mut file).map(Some)
}

fn damaged_zip(error: impl std::fmt::Display) -> Error {
    invalid(format!("damaged zip archive: {error}"))
}

/// The files in the directory of an archive, except hidden ones and those that macOS adds.
fn members(file: &mut File) -> io::Result<Vec<ArchiveMember>> {
    file.rewind()?;
    let mut archive = ZipArchive::new(io::BufReader::new(file)).map_err(damaged_zip)?;
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(damaged_zip)?;
        let name = entry.name().map_err(damaged_zip)?.into_owned();
        let is_hidden = name.split(['/', '\\']).any(|part| part.starts_with('.') || part == "__MACOSX");
        if entry.is_file() && !is_hidden {
            members.push(ArchiveMember {
                name,
                stored_size: entry.compressed_size(),
                start: entry.data_start(),
                size: entry.size(),
                checksum: entry.crc32(),
                compression: entry.compression(),
                is_encrypted: entry.encrypted(),
            });
        }
    }
    Ok(members)
}

/// The only file of an archive.
///
/// # Errors
/// If there is not exactly one file.
fn only_member(mut members: Vec<ArchiveMember>) -> io::Result<ArchiveMember> {
    match (members.pop(), members.len()) {
        (Some(only), 0) => Ok(only),
        (None, _) => Err(invalid("a zip archive without files, expected one")),
        (_, others) => Err(invalid(format!("a zip archive of {} files, expected one", others + 1))),
    }
}

/// Writes a stream to a temporary file without a name: the directory of an archive is at its end, so reading it
/// requires a seekable file.
fn spool(mut stream: Stored) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut stream, &mut file).map(|_| file)
}

/// The content of a file in an archive.
struct Member {
    content: Box<dyn Read + Send>,
    /// The number of unpacked bytes that have not been read yet.
    left: u64,
    /// The checksum of the unpacked content.
    expected: u32,
    checksum: Crc,
}

impl Read for Member {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer).map_err(|error| damaged(Format::Zip, error))?;
        self.checksum.update(&buffer[..read]);
        let left = self.left.checked_sub(read as u64);
        self.left = left.ok_or_else(|| damaged_zip("a file is longer than stated"))?;
        if read == 0 && !buffer.is_empty() {
            if self.left > 0 {
                return Err(damaged_zip("a file ends too early"));
            }
            if self.checksum.sum() != self.expected {
                return Err(damaged_zip("a wrong checksum"));
            }
        }
        Ok(read)
    }
}

/// Adds the name of the format to an error of its decoder, but not to errors of the system.
fn damaged(format: Format, error: Error) -> Error {
    let name = format.name();
    match error.kind() {
        kind if error.raw_os_error().is_some() || kind == ErrorKind::Interrupted => error,
        ErrorKind::UnexpectedEof => Error::new(error.kind(), format!("the {name} end too early")),
        _ => invalid(format!("damaged {name}: {error}")),
    }
}

/// Compressed data in one or more parts, such as files that were appended to one another.
struct Members {
    format: Format,
    /// `None` at the end.
    decoder: Option<Decoder>,
    warn: Warn,
}

enum Decoder {
    Zstandard(zstd::Decoder<'static, Stored>),
    Gzip(flate2::bufread::GzDecoder<Stored>),
    Bzip2(bzip2::bufread::BzDecoder<Stored>),
    Xz(liblzma::bufread::XzDecoder<Stored>),
}

/// The limit of the memory for decoding xz data, in bytes; `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 80 << 20;

impl Decoder {
    /// Starts to decode one part.
    fn new(format: Format, stored: Stored) -> io::Result<Self> {
        Ok(match format {
            Format::Zstandard => Self::Zstandard(zstd::Decoder::with_buffer(stored)?.single_frame()),
            Format::Bzip2 => Self::Bzip2(bzip2::bufread::BzDecoder::new(stored)),
            Format::Xz => {
                let stream = liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, 0)?;
                Self::Xz(liblzma::bufread::XzDecoder::new_stream(stored, stream))
            }
            // Archives and unsupported formats are handled before this; treated as gzip they result in an error.
            Format::Gzip | Format::Zip | Format::Foreign(_) => {
                Self::Gzip(flate2::bufread::GzDecoder::new(stored))
            }
        })
    }

    fn into_inner(self) -> Stored {
        match self {
            Self::Zstandard(decoder) => decoder.finish(),
            Self::Gzip(decoder) => decoder.into_inner(),
            Self::Bzip2(decoder) => decoder.into_inner(),
            Self::Xz(decoder) => decoder.into_inner(),
        }
    }
}

impl Read for Decoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Zstandard(decoder) => decoder.read(buffer),
            Self::Gzip(decoder) => decoder.read(buffer),
            Self::Bzip2(decoder) => decoder.read(buffer),
            Self::Xz(decoder) => decoder.read(buffer),
        }
    }
}

impl Members {
    /// The decoder of the next part; `None` if there is none. Zero bytes are padding, as on tapes.
    fn next(&mut self, mut stored: Stored) -> io::Result<Option<Decoder>> {
        stored.skip_zeros()?;
        let start = stored.peek(Format::MARK)?;
        if start.is_empty() {
            return Ok(None);
        }
        if Format::of(start) == Some(self.format) {
            return Decoder::new(self.format, stored).map(Some);
        }
        (self.warn)("trailing garbage ignored");
        Ok(None)
    }
}

impl Read for Members {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let read = decoder.read(buffer).map_err(|error| damaged(self.format, error))?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let rest = self.decoder.take().map(Decoder::into_inner);
            self.decoder = rest.map_or(Ok(None), |rest| self.next(rest))?;
        }
        Ok(0)
    }
}

/// The bytes that show whether a text is in UTF-16.
const UTF16_START: usize = 4;

/// The byte order of a UTF-16 text that starts with these bytes; `None` for any other text. Without a byte order mark
/// the order follows from the first two characters: if they are ASCII, each has a zero byte, which no other text has.
pub fn utf16_order(start: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    match start {
        [0xff, 0xfe, ..] | [1..=u8::MAX, 0, 1..=u8::MAX, 0, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] | [0, 1..=u8::MAX, 0, 1..=u8::MAX, ..] => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// Converts a text from UTF-16 to UTF-8. Invalid code units become U+FFFD.
struct Utf16 {
    source: Stored,
    unit: fn([u8; 2]) -> u16,
    /// The high surrogate of a pair whose low surrogate has not been read.
    high: Option<u16>,
    text: Vec<u8>,
    start: usize,
}

impl Utf16 {
    fn new(source: Stored, unit: fn([u8; 2]) -> u16) -> Self {
        Self { source, unit, high: None, text: Vec::new(), start: 0 }
    }

    /// Decodes part of the source; decodes nothing at its end.
    fn decode(&mut self) -> io::Result<()> {
        let bytes = self.source.peek(2)?;
        let (pairs, rest) = bytes.as_chunks::<2>();
        let (used, is_over) = (pairs.len() * 2, pairs.is_empty());
        let is_torn = is_over && !rest.is_empty();
        let mut units: Vec<u16> = self.high.take().into_iter().collect();
        units.extend(pairs.iter().map(|&pair| (self.unit)(pair)));
        self.source.consume(used + usize::from(is_torn));
        if !is_over {
            self.high = units.pop_if(|unit| (0xd800..0xdc00).contains(unit));
        }
        let characters = char::decode_utf16(units).map(|found| found.unwrap_or(char::REPLACEMENT_CHARACTER));
        let mut text: String = characters.collect();
        if is_torn {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        (self.text, self.start) = (text.into_bytes(), 0);
        Ok(())
    }
}

impl Read for Utf16 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.start == self.text.len() {
            self.decode()?;
            // A high surrogate alone is not a character yet.
            if self.text.is_empty() && self.high.is_some() {
                self.decode()?;
            }
        }
        let read = (&self.text[self.start..]).read(buffer)?;
        self.start += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parking_lot::Mutex;

    const TEXT: &[u8] = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";

    fn all_of(mut compressor: impl Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        compressor.read_to_end(&mut bytes).expect("memory can be read");
        bytes
    }

    fn zip(names: &[&str]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for name in names {
            archive
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .expect("memory can be written");
            io::Write::write_all(&mut archive, TEXT).expect("memory can be written");
        }
        archive.finish().expect("memory can be written").into_inner()
    }

    /// One text in each format.
    fn packed() -> [(&'static str, Vec<u8>); 4] {
        [
            ("gzip", all_of(flate2::read::GzEncoder::new(TEXT, flate2::Compression::default()))),
            ("bzip2", all_of(bzip2::read::BzEncoder::new(TEXT, bzip2::Compression::default()))),
            ("Zstandard", zstd::encode_all(TEXT, 1).expect("memory can be compressed")),
            ("xz", all_of(liblzma::read::XzEncoder::new(TEXT, 6))),
        ]
    }

    fn unpacked(stored: &[u8]) -> (Result<Vec<u8>, String>, Vec<String>) {
        let warnings = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&warnings);
        let stream = io::Cursor::new(stored.to_vec());
        let packed = Packed::from_stream(stream).warning(move |text| heard.lock().push(text.to_owned()));
        let mut bytes = Vec::new();
        let read = packed.text().and_then(|mut content| content.reader.read_to_end(&mut bytes));
        let warnings = warnings.lock().clone();
        (read.map(|_| bytes).map_err(|error| error.to_string()), warnings)
    }

    #[test]
    fn packed_data_are_unpacked() {
        let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let twice = [TEXT, TEXT].concat();
        for (name, once) in packed() {
            let zeros = vec![0; 100_000];
            let cases: [(&str, Vec<u8>, &[u8], usize); 5] = [
                ("once", once.clone(), TEXT, 0),
                ("twice", [&once[..], &once].concat(), &twice, 0),
                ("padded", [&once[..], &zeros].concat(), TEXT, 0),
                ("padded between", [&once[..], &zeros, &once].concat(), &twice, 0),
                ("garbage", [&once[..], b"garbage"].concat(), TEXT, 1),
            ];
            for (what, stored, expected, warnings) in cases {
                let (found, heard) = unpacked(&stored);
                assert_eq!(found.as_deref(), Ok(expected), "{name} {what}");
                assert_eq!(heard, vec!["trailing garbage ignored"; warnings], "{name} {what}");
            }
            for length in 6..once.len() {
                let error = unpacked(&once[..length]).0.expect_err("the end is missing");
                assert!(error.contains(name), "{name} cut to {length}: {error}");
            }
        }
        let (_, zstandard) = &packed()[2];
        let [first, between] =
            [[&skippable[..], zstandard].concat(), [&zstandard[..], &skippable, zstandard].concat()];
        assert_eq!(unpacked(&first), (Ok(TEXT.to_vec()), vec![]));
        assert_eq!(unpacked(&between), (Ok(twice), vec![]));
        assert_eq!(unpacked(&skippable), (Ok(vec![]), vec![]));
    }

    #[test]
    fn archives_have_one_file() {
        assert_eq!(unpacked(&zip(&["a.epd"])).0.as_deref(), Ok(TEXT));
        assert_eq!(unpacked(&zip(&["__MACOSX/a", ".hidden", "b/a.epd"])).0.as_deref(), Ok(TEXT));
        assert_eq!(unpacked(&zip(&[])).0, Err("a zip archive without files, expected one".to_owned()));
        assert_eq!(unpacked(&zip(&["a", "b"])).0, Err("a zip archive of 2 files, expected one".to_owned()));
        let mut wrong = zip(&["a.epd"]);
        wrong[40] ^= 1; // in the compressed data
        assert!(unpacked(&wrong).0.is_err(), "the checksum is wrong");
    }

    #[test]
    fn what_is_no_text_is_named() {
        let mut tar = vec![b'a'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        let twice = all_of(flate2::read::GzEncoder::new(&packed()[1].1[..], flate2::Compression::fast()));
        let tar_gzip = all_of(flate2::read::GzEncoder::new(&tar[..], flate2::Compression::fast()));
        let cases: [(&[u8], &str); 6] = [
            (b"7z\xbc\xaf\x27\x1c\x00\x04", "a 7z archive, expected"),
            (b"Rar!\x1a\x07\x01\x00", "a RAR archive, expected"),
            (b"\x04\x22\x4d\x18\x64\x40", "LZ4 data, expected"),
            (&tar, "a tar archive, expected"),
            (&tar_gzip, "a tar archive within gzip data"),
            (&twice, "bzip2 data within gzip data"),
        ];
        for (stored, expected) in cases {
            let error = unpacked(stored).0.expect_err(expected);
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn texts_in_utf_16_become_utf_8() {
        let text = "\u{feff}é♔ \u{1f600}x\n".repeat(30_000);
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for bytes in [&little, &big] {
            assert!(unpacked(bytes).0.as_deref() == Ok(text.as_bytes()));
        }
        // Without a byte order mark, the order follows from the first characters.
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = "4k3/é♔\n".encode_utf16().flat_map(order).collect();
            assert_eq!(unpacked(&bytes).0.as_deref(), Ok("4k3/é♔\n".as_bytes()));
        }
        for other in [&b"a\0"[..], b"a\0\0\0", b"\0\0\0a", b"a\0bc", b"ab\0c"] {
            assert_eq!(unpacked(other).0.as_deref(), Ok(other), "{other:?}");
        }
        let compressed = zstd::encode_all(&little[..], 1).expect("memory can be compressed");
        assert!(unpacked(&compressed).0.as_deref() == Ok(text.as_bytes()));
        let cases: [(&[u8], &str); 4] = [
            (&[0xff, 0xfe], "\u{feff}"),
            (&[0xff, 0xfe, b'a'], "\u{feff}\u{fffd}"),
            (&[0xff, 0xfe, 0x3d, 0xd8], "\u{feff}\u{fffd}"),
            (&[0xff, 0xfe, 0x3d, 0xd8, b'a', 0], "\u{feff}\u{fffd}a"),
        ];
        for (stored, expected) in cases {
            assert_eq!(unpacked(stored).0.as_deref(), Ok(expected.as_bytes()), "{stored:?}");
        }
    }

    #[test]
    fn damaged_data_never_panic() {
        let mut state = 1_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let all = packed().map(|(_, bytes)| bytes).into_iter().chain([zip(&["a.epd"])]);
        for bytes in all {
            for _ in 0..500 {
                let mut damaged = bytes.clone();
                for _ in 0..=next(4) {
                    let place = next(damaged.len());
                    damaged[place] = next(256) as u8;
                }
                damaged.truncate(bytes.len() - next(2) * next(bytes.len()));
                // Damaged data may have any result except a panic or a large content.
                let found = unpacked(&damaged).0.unwrap_or_default();
                assert!(found.len() < 1 << 20);
            }
        }
    }
}
