//! The files of the tables: the material in their names, their folders, their faults, and the check of a file by the
//! headers of its table (<https://github.com/syzygy1/tb>).

use crate::chess::{Color, Position, Role};
use crate::files::{PathExcerpt, open_regular};
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A folder or file that cannot be used. All others are used.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The folder cannot be listed.
    #[error("cannot read the folder {}: {error}", PathExcerpt::new(path))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The folder has no table.
    #[error("no tables in {}, expected files such as KQvK.rtbw and KQvK.rtbz", PathExcerpt::new(path))]
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("cannot read {}: {error}", PathExcerpt::new(path))]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The file is not a table, or is incomplete.
    #[error("{} is left out: {reason}", PathExcerpt::new(path))]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The fault: the text found and the text expected.
        reason: String,
    },
    /// A probe found a damaged table.
    #[error("{reason}; such positions are no longer probed")]
    Probe {
        /// The message of the decoder, which names the table.
        reason: String,
    },
}

/// The kind of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum TableKind {
    /// Win, draw or loss.
    Wdl,
    /// The distance to the next capture or pawn move.
    Dtz,
}

impl TableKind {
    fn of_extension(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "rtbw" => Some(Self::Wdl),
            "rtbz" => Some(Self::Dtz),
            _ => None,
        }
    }
}

/// A file with the name of a table.
#[derive(Debug)]
pub(super) struct TableFile {
    pub path: PathBuf,
    pub material: Material,
    pub men: u32,
    pub kind: TableKind,
}

/// The tables in the folders of a path, which are separated as in the system's search path: by `;` on Windows, by `:`
/// elsewhere. There may be several files of the same table: those of the first folder come first.
pub(super) fn list(path: &str, faults: &mut Vec<Fault>) -> Vec<TableFile> {
    let mut files = Vec::new();
    for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
        let entries = match fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(entries) => entries,
            Err(error) => {
                faults.push(Fault::Folder { path: folder, error });
                continue;
            }
        };
        let mut found: Vec<_> = entries.into_iter().filter_map(|entry| table_file(entry.path())).collect();
        if found.is_empty() {
            faults.push(Fault::NoTables { path: folder });
        }
        found.sort_by(|one, other| one.path.cmp(&other.path));
        files.append(&mut found);
    }
    files
}

fn table_file(path: PathBuf) -> Option<TableFile> {
    let kind = TableKind::of_extension(&path)?;
    let (material, men) = Material::named(path.file_stem()?.to_str()?)?;
    Some(TableFile { path, material, men, kind })
}

/// The first bytes of the files of tables.
const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];

/// A flag: each side to move has its own part, since the material differs.
const IS_SPLIT: u8 = 1;
/// A flag: each file of the leading pawn, a to d, has its own part.
const HAS_PAWNS: u8 = 2;

/// The flag for the side to move of a part of a DTZ table.
const SIDE: u8 = 1;
/// A flag: the values of a part are in a list.
const IS_MAPPED: u8 = 2;
/// A flag: the values in the list have two bytes.
const IS_WIDE: u8 = 16;
/// A flag: all values of a part are equal.
const IS_SINGLE: u8 = 128;

/// Data start at multiples of this, in bytes.
const ALIGNMENT: u64 = 64;
/// The length of the checksum at the end of the file, in bytes.
const CHECKSUM: u64 = 16;
/// The lengths of an index entry, of a block length, and of a symbol of the code, in bytes.
const INDEX_ENTRY: u64 = 6;
const BLOCK_LENGTH: u64 = 2;
const SYMBOL: u64 = 3;
/// The number of lists of values in a part: wins, losses, cursed wins and blessed losses.
const LISTS: usize = 4;

/// The number of arrangements, without symmetric ones, of three different pieces, and of two kings.
const THREE_PIECES: u64 = 31_332;
const TWO_KINGS: u64 = 462;
const SQUARES: u64 = 64;
/// The number of squares on which pawns can be.
const PAWN_SQUARES: u64 = 48;

/// The fields of a part that determine the length of the file.
struct Part {
    flags: u8,
    index_entries: u64,
    block_lengths: u64,
    data: u64,
}

/// Checks the headers and the length of a file.
///
/// # Errors
/// [`Fault`] if the file is not a regular file, cannot be read, does not have the table of its name, or is incomplete.
pub(super) fn check(file: &TableFile) -> Result<(), Fault> {
    let failed = |error| Fault::File { path: file.path.clone(), error };
    let corrupt = |reason| Fault::Corrupt { path: file.path.clone(), reason };
    let opened = open_regular(&file.path).map_err(failed)?;
    let length = opened.metadata().map_err(failed)?.len();
    match (Headers { file: BufReader::new(opened), table: file }).length() {
        Ok(Ok(expected)) if expected == length => Ok(()),
        Ok(Ok(expected)) => Err(corrupt(format!("it has {length} bytes, expected {expected}"))),
        Ok(Err(reason)) => Err(corrupt(reason)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Err(corrupt(format!("it ends after {length} bytes, within its headers")))
        }
        Err(error) => Err(failed(error)),
    }
}

/// The headers of a file, read one after the other.
struct Headers<'a> {
    file: BufReader<File>,
    table: &'a TableFile,
}

impl Headers<'_> {
    /// The expected length of the file in bytes, or the error in its headers.
    fn length(&mut self) -> io::Result<Result<u64, String>> {
        let is_symmetric = self.table.material.is_symmetric();
        let has_pawns = self.table.material.has_pawns();
        let is_wdl = self.table.kind == TableKind::Wdl;

        let magic = self.bytes::<4>()?;
        let expected = if is_wdl { WDL_MAGIC } else { DTZ_MAGIC };
        if magic != expected {
            return Ok(Err(format!("it starts with {magic:02x?}, expected {expected:02x?}")));
        }
        let [layout] = self.bytes()?;
        if (layout & IS_SPLIT == 0) != is_symmetric || (layout & HAS_PAWNS != 0) != has_pawns {
            return Ok(Err(format!("its layout {layout:#04x} is that of other pieces")));
        }
        let files = if has_pawns { 4 } else { 1 };
        let sides = if is_wdl && !is_symmetric { 2 } else { 1 };
        let sizes = match self.sizes(files, sides)? {
            Ok(sizes) => sizes,
            Err(reason) => return Ok(Err(reason)),
        };
        self.align(2)?;
        let mut parts = Vec::with_capacity(sizes.len());
        for size in sizes {
            match self.part(size)? {
                Ok(part) => parts.push(part),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        if !is_wdl {
            if parts.iter().any(|part| part.flags & SIDE != parts[0].flags & SIDE) {
                return Ok(Err("its parts are for different sides to move".to_owned()));
            }
            self.skip_lists(&parts)?;
        }
        let mut end = self.file.stream_position()?;
        end += parts.iter().map(|part| part.index_entries * INDEX_ENTRY).sum::<u64>();
        end += parts.iter().map(|part| part.block_lengths * BLOCK_LENGTH).sum::<u64>();
        for part in &parts {
            end = end.next_multiple_of(ALIGNMENT) + part.data;
        }
        Ok(Ok(end.next_multiple_of(ALIGNMENT) + CHECKSUM))
    }

    /// The number of positions in each part, from the order of its pieces.
    fn sizes(&mut self, files: usize, sides: usize) -> io::Result<Result<Vec<u64>, String>> {
        let material = self.table.material;
        let both_have_pawns = material.both_have_pawns();
        let mut sizes = Vec::with_capacity(files * sides);
        for file in 0..files {
            self.skip(1 + u64::from(both_have_pawns))?; // the order of the groups
            let mut codes = vec![0; self.table.men as usize];
            self.file.read_exact(&mut codes)?;
            for side in 0..sides {
                let pieces: Vec<u8> =
                    codes.iter().map(|code| if side == 0 { code & 15 } else { code >> 4 }).collect();
                if Material::of_codes(&pieces) != Some(material) {
                    return Ok(Err(format!("its pieces {pieces:?} are not those of its name")));
                }
                let Some(size) = size(material, &pieces, file) else {
                    return Ok(Err(format!("its pieces {pieces:?} are in disorder")));
                };
                sizes.push(size);
            }
        }
        Ok(Ok(sizes))
    }

    fn part(&mut self, size: u64) -> io::Result<Result<Part, String>> {
        /// The longest code word, in bits, and the largest block and span, as binary logarithms.
        const LONGEST_WORD: u8 = 32;
        const LARGEST_BLOCK: u8 = 10;
        const LARGEST_SPAN: u8 = 31;
        let [flags, block] = self.bytes()?;
        if flags & IS_SINGLE != 0 {
            return Ok(Ok(Part { flags, index_entries: 0, block_lengths: 0, data: 0 }));
        }
        let [span, padding] = self.bytes()?;
        let blocks = u64::from(u32::from_le_bytes(self.bytes()?));
        let [longest, shortest] = self.bytes()?;
        if block > LARGEST_BLOCK || span > LARGEST_SPAN || longest > LONGEST_WORD || shortest > longest {
            return Ok(Err("its headers are not those of compressed data".to_owned()));
        }
        self.skip(2 * u64::from(longest - shortest + 1))?;
        let symbols = u64::from(u16::from_le_bytes(self.bytes()?));
        self.skip(symbols * SYMBOL + symbols % 2)?;
        Ok(Ok(Part {
            flags,
            index_entries: size.div_ceil(1 << span),
            block_lengths: blocks + u64::from(padding),
            data: blocks << block,
        }))
    }

    fn skip_lists(&mut self, parts: &[Part]) -> io::Result<()> {
        for part in parts.iter().filter(|part| part.flags & IS_MAPPED != 0) {
            for _ in 0..LISTS {
                let bytes = if part.flags & IS_WIDE != 0 {
                    2 * u64::from(u16::from_le_bytes(self.bytes()?))
                } else {
                    u64::from(self.bytes::<1>()?[0])
                };
                self.skip(bytes)?;
            }
        }
        self.align(2)
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        self.file.seek_relative(bytes as i64)
    }

    fn align(&mut self, to: u64) -> io::Result<()> {
        let position = self.file.stream_position()?;
        self.file.seek(SeekFrom::Start(position.next_multiple_of(to))).map(drop)
    }
}

/// The number of positions in a part; `None` unless pieces of the same kind are adjacent, and the pawns come first.
fn size(material: Material, pieces: &[u8], file: usize) -> Option<u64> {
    let has_pawns = material.has_pawns();
    let first = match (has_pawns, material.has_unique_piece()) {
        (true, _) => 0,
        (false, true) => 3,
        (false, false) => 2,
    };
    let groups = pieces.get(first..)?.chunk_by(|one, other| one == other).map(|group| group.len() as u64);
    let mut groups = (first > 0).then_some(first as u64).into_iter().chain(groups);
    let leading = groups.next()?;
    let mut size = match first {
        0 => leading_pawns(leading, file)?,
        2 => TWO_KINGS,
        _ => THREE_PIECES,
    };
    let mut free = SQUARES.checked_sub(leading)?;
    if material.both_have_pawns() {
        let pawns = groups.next()?;
        size = size.checked_mul(combinations(PAWN_SQUARES - leading, pawns))?;
        free = free.checked_sub(pawns)?;
    }
    for group in groups {
        size = size.checked_mul(combinations(free, group))?;
        free = free.checked_sub(group)?;
    }
    Some(size)
}

/// The number of arrangements of this many pawns with the leading one on this file or its mirror image.
fn leading_pawns(pawns: u64, file: usize) -> Option<u64> {
    // Squares are numbered from the edge to the middle and from the second rank up, each after its mirror image.
    // Squares with lower numbers than that of the leading pawn are available to the others.
    const RANKS: usize = 6;
    let below = |rank: usize| PAWN_SQUARES.checked_sub(2 * (file * RANKS + rank) as u64 + 1);
    (0..RANKS).map(|rank| Some(combinations(below(rank)?, pawns.checked_sub(1)?))).sum()
}

/// The number of ways to choose `chosen` of `all`.
fn combinations(all: u64, chosen: u64) -> u64 {
    if chosen > all {
        return 0;
    }
    (0..chosen).fold(1, |product, index| product * (all - index) / (index + 1))
}

/// The maximum number of pieces of any table, including kings.
pub const MAX_PIECES: u32 = 7;

/// The bits of a count of pieces: at most 5 besides the two kings.
const COUNT_BITS: u32 = 3;
const COUNT_MASK: u16 = (1 << COUNT_BITS) - 1;
/// The roles that are counted, in the order of table names, with their letters.
const ROLES: [(Role, u8); 5] =
    [(Role::Queen, b'Q'), (Role::Rook, b'R'), (Role::Bishop, b'B'), (Role::Knight, b'N'), (Role::Pawn, b'P')];
/// The code of a piece in a table file is its role, from 1 for a pawn to 6 for a king, plus this number for Black.
const BLACK_CODE: u8 = 8;
const PAWN_CODE: u8 = 1;
const KING_CODE: u8 = 6;

/// The pieces of both sides besides the kings; the colors are interchangeable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material([u16; 2]);

impl Material {
    fn new(one: u16, other: u16) -> Self {
        Self(if one >= other { [one, other] } else { [other, one] })
    }

    /// The material of a position with at most [`MAX_PIECES`] pieces.
    pub(super) fn of(position: &Position) -> Self {
        let side = |color| {
            ROLES
                .iter()
                .fold(0, |sum, &(role, _)| sum << COUNT_BITS | position.pieces(color, role).count() as u16)
        };
        Self::new(side(Color::White), side(Color::Black))
    }

    /// The material of a table with this name, such as `KQvKR`, and its number of pieces.
    pub(super) fn named(name: &str) -> Option<(Self, u32)> {
        let (one, other) = name.split_once('v')?;
        let men = (one.len() + other.len()) as u32;
        let side = |letters: &str| {
            let pieces = letters.as_bytes().strip_prefix(b"K")?;
            let position = |letter: &u8| ROLES.iter().position(|(_, role)| role == letter);
            let places = pieces.iter().map(position).collect::<Option<Vec<_>>>()?;
            if !places.is_sorted() {
                return None;
            }
            Some(places.into_iter().map(|place| one_piece(ROLES.len() - 1 - place)).sum::<u16>())
        };
        if men > MAX_PIECES {
            return None;
        }
        Some((Self::new(side(one)?, side(other)?), men))
    }

    /// The material of pieces with these codes in a table file.
    pub(super) fn of_codes(codes: &[u8]) -> Option<Self> {
        let side = |color: u8| {
            let mut kings = 0;
            let mut pieces = 0;
            for code in codes.iter().filter(|&code| code & BLACK_CODE == color) {
                match code & !BLACK_CODE {
                    KING_CODE => kings += 1,
                    role @ PAWN_CODE..KING_CODE => pieces += one_piece(usize::from(role - PAWN_CODE)),
                    _ => return None,
                }
            }
            (kings == 1 && codes.len() as u32 <= MAX_PIECES).then_some(pieces)
        };
        Some(Self::new(side(0)?, side(BLACK_CODE)?))
    }

    /// Whether both sides have the same pieces.
    pub(super) fn is_symmetric(self) -> bool {
        self.0[0] == self.0[1]
    }

    /// Whether there are pawns.
    pub(super) fn has_pawns(self) -> bool {
        self.0.iter().any(|side| side & COUNT_MASK != 0)
    }

    /// Whether both sides have pawns.
    pub(super) fn both_have_pawns(self) -> bool {
        self.0.iter().all(|side| side & COUNT_MASK != 0)
    }

    /// Whether a side has exactly one piece of some role, besides the king.
    pub(super) fn has_unique_piece(self) -> bool {
        let counts =
            |side: u16| (0..ROLES.len() as u32).map(move |place| side >> (place * COUNT_BITS) & COUNT_MASK);
        self.0.into_iter().flat_map(counts).any(|count| count == 1)
    }
}

/// The count of one piece whose role comes this many places after the pawn.
const fn one_piece(above_pawn: usize) -> u16 {
    1 << (COUNT_BITS * above_pawn as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_are_counted() {
        let cases = [(64, 0, 1), (64, 1, 64), (64, 2, 2016), (5, 5, 1), (3, 4, 0), (48, 3, 17_296)];
        for (all, chosen, expected) in cases {
            assert_eq!(combinations(all, chosen), expected, "{chosen} of {all}");
        }
        // A single pawn is on any of six squares of the file.
        assert_eq!((0..4).map(|file| leading_pawns(1, file)).collect::<Vec<_>>(), [Some(6); 4]);
        // Two pawns: every pair of squares once, except mirror images; the mirror images of pairs on one rank may
        // coincide.
        let pairs: u64 = (0..4).filter_map(|file| leading_pawns(2, file)).sum();
        assert_eq!(pairs, (combinations(48, 2) - 24) / 2 + 24);
    }

    use crate::chess::samples::position;

    #[test]
    fn names_and_positions_agree() {
        let cases = [
            ("KvK", "8/8/4k3/8/8/4K3/8/8 w - - 0 1", 2),
            ("KQvK", "8/8/4k3/8/8/4K3/8/7Q w - - 0 1", 3),
            ("KQvK", "8/8/4k3/8/8/4K3/8/7q w - - 0 1", 3),
            ("KNNvKP", "8/4p3/4k3/8/8/4K3/8/6NN b - - 0 1", 5),
            ("KPvKNN", "8/4p3/4k3/8/8/4K3/8/6NN b - - 0 1", 5),
            ("KPPPPPvK", "8/8/4k3/8/8/4K3/PPPPP3/8 w - - 0 1", 7),
            ("KRBvKRN", "8/4rn2/4k3/8/8/4K3/4RB2/8 w - - 0 1", 6),
        ];
        for (name, fen, men) in cases {
            assert_eq!(Material::named(name), Some((Material::of(&position(fen)), men)), "{name}");
        }
    }

    #[test]
    fn other_names_are_none_of_tables() {
        for name in
            ["", "v", "KQ", "KQvKv", "QKvK", "KXvK", "KPQvK", "KQQQQQQvK", "kqvk", "KQvK ", "KKvK", "KQvKQ1"]
        {
            assert_eq!(Material::named(name), None, "{name}");
        }
    }
}
