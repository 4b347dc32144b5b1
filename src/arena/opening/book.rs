//! A book of openings, read from a file that may be compressed.

use super::parse::{read_games, read_positions};
use super::{BookError, Opening};
use crate::files::{EXTENSIONS, decompressed};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Error, ErrorKind, Read, Seek};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// The format of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookFormat {
    /// A position on each line: FEN or EPD.
    Epd,
    /// Games in PGN, whose first moves are the openings.
    Pgn,
}

/// Openings, each of them legal, in the order of their file; there is at least one.
#[derive(Clone, Debug)]
pub struct Book {
    openings: Vec<Opening>,
}

impl Book {
    /// A book of these; `None` if there are none.
    pub fn new(openings: Vec<Opening>) -> Option<Self> {
        (!openings.is_empty()).then_some(Self { openings })
    }

    /// Reads a book, plain or compressed (zip, gzip, bzip2, Zstandard). Its name determines the format
    /// if none is stated. Of games, at most `plies` half-moves are kept.
    ///
    /// # Errors
    /// [`BookError`] if it cannot be read, or for the first line that is not an opening.
    pub fn read(path: &Path, format: Option<BookFormat>, plies: Option<usize>) -> Result<Self, BookError> {
        let file = read_text(path).map_err(BookError::Read)?;
        let is_pgn = file.name.to_ascii_lowercase().ends_with(".pgn");
        let format = format.unwrap_or(if is_pgn { BookFormat::Pgn } else { BookFormat::Epd });
        let openings = match format {
            BookFormat::Epd => read_positions(&file.text)?,
            BookFormat::Pgn => read_games(file.text.as_bytes(), plies.unwrap_or(usize::MAX))?,
        };
        Self::new(openings).ok_or(BookError::Empty)
    }

    /// The number of openings.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Always `false`.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// A checksum of the openings in their order, which distinguishes them from others.
    pub fn checksum(&self) -> String {
        let mut checksum = Xxh3::new();
        for opening in &self.openings {
            let (start, moves) = (opening.start(), opening.moves());
            checksum.update(&start.key().bits().to_le_bytes());
            // The key does not contain the counters.
            for counter in [start.halfmove_clock(), start.fullmove_number()] {
                checksum.update(&counter.to_le_bytes());
            }
            checksum.update(&(moves.len() as u64).to_le_bytes());
            moves.iter().for_each(|mv| checksum.update(&mv.bits().to_le_bytes()));
        }
        format!("{:016x}", checksum.digest())
    }

    /// The opening at this place; places beyond the end wrap around to the start.
    pub fn opening(&self, index: usize) -> &Opening {
        &self.openings[index % self.openings.len()]
    }
}

/// A text and the name that determines its format.
pub(super) struct NamedText {
    /// The name of the file that was compressed, as far as it is known.
    pub name: String,
    pub text: String,
}

/// The first bytes of an archive.
const ZIP: &[u8] = b"PK\x03\x04";

/// Reads a text file, compressed or not; of a zip archive, the first file in it. The first bytes
/// determine the format. Bytes that are not UTF-8 become U+FFFD.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_uci_move, position_from_fen};

    #[test]
    fn different_books_have_different_checksums() {
        let opening = |fen: &str, moves: &[&str]| {
            let start = position_from_fen(fen).expect("a legal position");
            let moves = moves.iter().map(|text| parse_uci_move(text, &start).expect("a legal move"));
            Opening::with_moves(start, moves.collect())
        };
        let checksum = |openings: &[&Opening]| {
            Book::new(openings.iter().copied().cloned().collect()).expect("there are some").checksum()
        };
        let pawn = opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &[]);
        let others = [
            ("a side", opening("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", &[])),
            ("a counter", opening("4k3/8/8/8/8/8/4P3/4K3 w - - 1 1", &[])),
            ("the other counter", opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 2", &[])),
            ("a move", opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &["e2e4"])),
        ];
        for (name, other) in &others {
            assert_ne!(checksum(&[&pawn]), checksum(&[other]), "{name}");
            assert_ne!(checksum(&[&pawn, other]), checksum(&[other, &pawn]), "{name}: the order");
        }
        assert_eq!(checksum(&[&pawn]), checksum(&[&pawn.clone()]));
    }
}
