//! A book of openings, read from a file that may be packed.

use super::parse::{Wanted, read_games, read_positions};
use super::{Opening, OpeningSuiteError};
use crate::files::{Limited, Packed, Unpacked, check_regular, without_packed_extension};
use crossbeam_channel::unbounded;
use serde::{Deserialize, Serialize};
use std::io::BufReader;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// The format of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookFormat {
    /// A position on each line, as FEN or EPD.
    Epd,
    /// Games in PGN, whose first moves are the openings.
    Pgn,
}

/// The openings of a file, at least one, all legal. Openings that were not selected are not in memory, and may be
/// invalid.
#[derive(Clone, Debug)]
pub struct OpeningSuite {
    /// The number of openings in the file.
    len: usize,
    /// The selected openings with their indices in the file, in ascending order.
    openings: Vec<(usize, Opening)>,
    warnings: Vec<String>,
}

/// The prefix of checksums of selected openings; the checksums of earlier versions, without the prefix, are of all
/// openings of a file.
const SELECTED: &str = "selected-";

impl OpeningSuite {
    /// A book with these openings; `None` if there are none.
    pub fn new(openings: Vec<Opening>) -> Option<Self> {
        let len = openings.len();
        let openings = openings.into_iter().enumerate().collect();
        (len > 0).then_some(Self { len, openings, warnings: Vec::new() })
    }

    /// Reads all openings of a book. At most 1 GiB is unpacked into memory.
    ///
    /// # Errors
    /// The errors of [`OpeningSuite::select`].
    pub fn read(
        path: &Path,
        format: Option<BookFormat>,
        plies: Option<usize>,
    ) -> Result<Self, OpeningSuiteError> {
        let mut file = BookFile::new(path, format, plies)?;
        let (_, openings) = file.read(Wanted::All)?;
        file.book(openings.len(), openings)
    }

    /// Reads some openings of a book, plain or packed (zip, gzip, bzip2, xz, Zstandard): those with the indices that
    /// `select` returns for the number of openings. The book is not kept in memory as a whole. Its name determines the
    /// format if none is stated. At most `plies` plies are taken from games.
    ///
    /// # Errors
    /// [`OpeningSuiteError`] if the file is not a regular file or cannot be read, or for the first selected line that
    /// is not an opening.
    pub fn select(
        path: &Path,
        format: Option<BookFormat>,
        plies: Option<usize>,
        select: impl FnOnce(usize) -> Vec<usize>,
    ) -> Result<Self, OpeningSuiteError> {
        let mut file = BookFile::new(path, format, plies)?;
        let (len, _) = file.read(Wanted::Places(&[]))?;
        if len == 0 {
            return Err(OpeningSuiteError::Empty);
        }
        let mut places: Vec<usize> = select(len).into_iter().map(|place| place % len).collect();
        places.sort_unstable();
        places.dedup();
        let (_, openings) = file.read(Wanted::Places(&places))?;
        file.book(len, openings)
    }

    /// The number of openings in the file.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Always `false`.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Warnings about the file, which could be read nevertheless.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// A checksum of the selected openings in their order, which identifies them.
    pub fn checksum(&self) -> String {
        let mut checksum = Xxh3::new();
        for (_, opening) in &self.openings {
            let (start, moves) = (opening.start(), opening.moves());
            checksum.update(&start.key().bits().to_le_bytes());
            // The key does not include the counters.
            for counter in [start.halfmove_clock(), start.fullmove_number()] {
                checksum.update(&counter.to_le_bytes());
            }
            checksum.update(&(moves.len() as u64).to_le_bytes());
            moves.iter().for_each(|mv| checksum.update(&mv.bits().to_le_bytes()));
        }
        format!("{SELECTED}{:016x}", checksum.digest())
    }

    /// Whether a stored checksum is that of these openings. Checksums of earlier versions cannot be compared, and count
    /// as equal.
    pub fn has_checksum(&self, noted: &str) -> bool {
        !noted.starts_with(SELECTED) || noted == self.checksum()
    }

    /// The opening with this index, which must be a selected one; indices beyond the end wrap around to the start.
    pub fn opening(&self, index: usize) -> &Opening {
        let place = index % self.len;
        let found = self.openings.binary_search_by_key(&place, |(place, _)| *place);
        &self.openings[found.unwrap_or_else(|next| next % self.openings.len())].1
    }
}

/// A book file that is read once or twice.
struct BookFile<'a> {
    path: &'a Path,
    format: Option<BookFormat>,
    plies: usize,
    warnings: Vec<String>,
}

impl<'a> BookFile<'a> {
    fn new(
        path: &'a Path,
        format: Option<BookFormat>,
        plies: Option<usize>,
    ) -> Result<Self, OpeningSuiteError> {
        check_regular(path).map_err(OpeningSuiteError::Read)?;
        Ok(Self { path, format, plies: plies.unwrap_or(usize::MAX), warnings: Vec::new() })
    }

    /// Counts the openings, and reads the selected ones.
    fn read(&mut self, wanted: Wanted<'_>) -> Result<(usize, Vec<(usize, Opening)>), OpeningSuiteError> {
        let (warn, warnings) = unbounded();
        let packed = Packed::open(self.path).map_err(OpeningSuiteError::Read)?;
        let packed = packed.warning(move |text| drop(warn.send(text.to_owned())));
        let Unpacked { name, reader } = packed.text().map_err(OpeningSuiteError::Read)?;
        let name = name.map(Into::into).unwrap_or_else(|| without_packed_extension(self.path).to_owned());
        let is_pgn = name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        let format = self.format.unwrap_or(if is_pgn { BookFormat::Pgn } else { BookFormat::Epd });
        let limit = if matches!(wanted, Wanted::All) { Limited::DEFAULT } else { u64::MAX };
        let mut reader = BufReader::new(Limited::new(reader, limit));
        let read = match format {
            BookFormat::Epd => read_positions(&mut reader, wanted)?,
            BookFormat::Pgn => read_games(&mut reader, self.plies, wanted)?,
        };
        drop(reader); // ends the warnings
        self.warnings = warnings.iter().map(|text| format!("{}: {text}", self.path.display())).collect();
        Ok(read)
    }

    fn book(self, len: usize, openings: Vec<(usize, Opening)>) -> Result<OpeningSuite, OpeningSuiteError> {
        if openings.is_empty() {
            return Err(OpeningSuiteError::Empty);
        }
        Ok(OpeningSuite { len, openings, warnings: self.warnings })
    }
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
            OpeningSuite::new(openings.iter().copied().cloned().collect()).expect("there are some").checksum()
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
