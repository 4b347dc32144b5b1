//! Files, compressed or not.

use std::fs::File;
use std::io::{self, BufReader, Error, ErrorKind, Read, Seek};
use std::path::Path;

/// A text and the name that tells its format.
pub(super) struct NamedText {
    /// The name of the file that was compressed, as far as it is known.
    pub name: String,
    pub text: String,
}

/// How compressed files begin.
const ZIP: &[u8] = b"PK\x03\x04";
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Reads a text file. What it is compressed with is told by its first bytes; of a zip archive
/// the first file is read. Bytes that are not UTF-8 become U+FFFD.
pub(super) fn read_text(path: &Path) -> io::Result<NamedText> {
    let mut file = File::open(path)?;
    let mut magic = Vec::new();
    file.by_ref().take(ZIP.len() as u64).read_to_end(&mut magic)?;
    file.rewind()?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut bytes = Vec::new();
    if magic.starts_with(ZIP) {
        return read_zip(file);
    } else if magic.starts_with(GZIP) {
        flate2::read::MultiGzDecoder::new(BufReader::new(file)).read_to_end(&mut bytes)?;
    } else if magic.starts_with(ZSTANDARD) {
        zstd::Decoder::new(file)?.read_to_end(&mut bytes)?;
    } else {
        file.read_to_end(&mut bytes)?;
    }
    let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name).to_owned();
    Ok(NamedText { name, text: text(bytes) })
}

fn read_zip(file: File) -> io::Result<NamedText> {
    let mut archive = zip::ZipArchive::new(BufReader::new(file))?;
    for index in 0..archive.len() {
        let mut member = archive.by_index(index)?;
        if member.is_file() {
            let mut bytes = Vec::new();
            let name = member.name()?.into_owned();
            member.read_to_end(&mut bytes)?;
            return Ok(NamedText { name, text: text(bytes) });
        }
    }
    Err(Error::new(ErrorKind::InvalidData, "the archive is empty, expected a file in it"))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
