//! Files, compressed or not.

use crate::files::{EXTENSIONS, decompressed};
use std::fs::File;
use std::io::{self, BufReader, Error, ErrorKind, Read, Seek};
use std::path::Path;

/// A text and the name that tells its format.
pub(super) struct NamedText {
    /// The name of the file that was compressed, as far as it is known.
    pub name: String,
    pub text: String,
}

/// How archives begin.
const ZIP: &[u8] = b"PK\x03\x04";

/// Reads a text file, compressed or not; of a zip archive, the first file in it. Its first bytes
/// tell what it is. Bytes that are not UTF-8 become U+FFFD.
pub(super) fn read_text(path: &Path) -> io::Result<NamedText> {
    let mut file = File::open(path)?;
    let mut magic = Vec::new();
    file.by_ref().take(ZIP.len() as u64).read_to_end(&mut magic)?;
    file.rewind()?;
    if magic == ZIP {
        return read_zip(file);
    }
    let mut bytes = Vec::new();
    decompressed(file)?.read_to_end(&mut bytes)?;
    let mut name = Path::new(path.file_name().unwrap_or_default());
    if name.extension().is_some_and(|found| EXTENSIONS.iter().any(|known| found.eq_ignore_ascii_case(known)))
    {
        name = Path::new(name.file_stem().unwrap_or_default());
    }
    Ok(NamedText { name: name.to_string_lossy().into_owned(), text: text(bytes) })
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
