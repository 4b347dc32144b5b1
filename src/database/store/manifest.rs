//! The manifest of a collection, which lists its files, and the lists of deleted games.
//!
//! The manifest consists of a line with the version and a checksum, followed by JSON. It is replaced by a rename, so a
//! reader gets one state or another. Files are named by numbers, so no manifest can name a file outside its folder.

use super::code::{Bytes, MANIFEST, checksum, damage, pack, put, unpack};
use super::source_file::SourceFile;
use crate::files::AtomicFile;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The start of the first line.
const MARK: &str = "hematite-collection";
/// The latest supported version.
const VERSION: u32 = 3;
/// The version that is written if there are no saved queries, so that older programs can read it.
const WITHOUT_QUERIES: u32 = 2;
/// The version without a list of changes: only deletions could be undone.
const ONLY_DELETIONS: u32 = 1;
/// The first line of a list of deleted games.
const MARKS_HEADER: &[u8] = b"hematite-deleted 1\n";
/// The maximum size of a manifest: a few hundred bytes for each segment and each source.
const MAX_MANIFEST: u64 = 1 << 28;

/// The source of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The name of the file.
    pub name: String,
    /// The date and time in UTC at which it was added.
    pub added: String,
    /// The state of the file at that time, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<SourceFile>,
}

/// The entry of a segment in the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentEntry {
    pub number: u32,
    pub games: u64,
    pub bytes: u64,
    /// The checksum of the segment's list of parts.
    pub checksum: u64,
}

/// The entry of a list of deleted games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MarksEntry {
    pub number: u32,
    pub games: u64,
    pub deleted: String,
}

/// A change that can be undone: the number of entries that it appended to each list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeEntry {
    /// The time of the change.
    pub time: String,
    pub origins: usize,
    pub segments: usize,
    pub marks: usize,
}

/// The content of a collection.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// The number of changes so far.
    pub generation: u64,
    /// The number of the next file.
    pub next: u32,
    pub origins: Vec<Origin>,
    pub segments: Vec<SegmentEntry>,
    pub marks: Vec<MarksEntry>,
    /// The changes that can be undone, the latest last.
    #[serde(default)]
    pub changes: Vec<ChangeEntry>,
    /// The saved queries by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub queries: BTreeMap<String, String>,
}

/// The deleted games in order, by the numbers of their segments.
pub(super) type Deleted = BTreeMap<u32, Vec<u16>>;

/// The file name of a segment.
pub(super) fn segment_name(number: u32) -> String {
    format!("{number:06}.games")
}

/// The file name of a list of deleted games.
pub(super) fn marks_name(number: u32) -> String {
    format!("{number:06}.deleted")
}

/// Whether a file with this name is one that a change creates.
pub(super) fn is_own_name(name: &str) -> bool {
    let stem = name.strip_suffix(".games").or_else(|| name.strip_suffix(".deleted"));
    stem.is_some_and(|stem| stem.len() >= 6 && stem.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a folder contains a manifest; its content is not checked.
pub(super) fn is_in(folder: &Path) -> bool {
    let mut start = [0; MARK.len()];
    let read = File::open(folder.join(MANIFEST)).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == MARK.as_bytes()
}

impl Manifest {
    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// If it is missing, damaged, or of a later version.
    pub(super) fn load(folder: &Path) -> io::Result<Self> {
        let file = File::open(folder.join(MANIFEST)).map_err(|error| match error.kind() {
            ErrorKind::NotFound => io::Error::new(
                ErrorKind::NotFound,
                format!("no collection: there is no file `{MANIFEST}` in it"),
            ),
            ErrorKind::NotADirectory => {
                io::Error::new(ErrorKind::NotADirectory, "a file, expected the folder of a collection")
            }
            _ => error,
        })?;
        let mut bytes = Vec::new();
        file.take(MAX_MANIFEST).read_to_end(&mut bytes)?;
        Self::read(&bytes).map_err(|error| damage(format!("the manifest cannot be read: {error}")))
    }

    pub(super) fn read(bytes: &[u8]) -> io::Result<Self> {
        let mark = || damage(format!("found no line `{MARK} {VERSION} CHECKSUM` at its start"));
        let end = memchr::memchr(b'\n', bytes).ok_or_else(mark)?;
        let line = std::str::from_utf8(&bytes[..end]).map_err(|_| mark())?;
        let mut words = line.split(' ');
        let (Some(MARK), Some(version)) = (words.next(), words.next()) else { return Err(mark()) };
        let version: u32 = version.parse().map_err(|_| mark())?;
        if version > VERSION {
            return Err(damage(format!(
                "it is of version {version}, expected at most {VERSION}: a newer hematite has written it"
            )));
        }
        let sum = words.next().and_then(|word| u64::from_str_radix(word, 16).ok()).ok_or_else(mark)?;
        let json = &bytes[end + 1..];
        if checksum(json) != sum {
            return Err(damage("its checksum is wrong"));
        }
        let mut manifest: Self = serde_json::from_slice(json).map_err(|error| damage(error.to_string()))?;
        if version == ONLY_DELETIONS {
            // The version in the first line is not covered by the checksum, and may be damaged.
            if !manifest.changes.is_empty() {
                return Err(damage(format!("it has a list of changes, which version {version} has not")));
            }
            let deletion = |marks: &MarksEntry| ChangeEntry {
                time: marks.deleted.clone(),
                origins: 0,
                segments: 0,
                marks: 1,
            };
            manifest.changes = manifest.marks.iter().map(deletion).collect();
        }
        let added = |count: fn(&ChangeEntry) -> usize| {
            manifest.changes.iter().map(count).fold(0, usize::saturating_add)
        };
        if added(|change| change.origins) > manifest.origins.len()
            || added(|change| change.segments) > manifest.segments.len()
            || added(|change| change.marks) > manifest.marks.len()
        {
            return Err(damage("its changes have added more than there is"));
        }
        let numbers = manifest.numbers();
        let distinct: BTreeSet<u32> = numbers.iter().copied().collect();
        if distinct.len() < numbers.len() || numbers.iter().any(|&number| number >= manifest.next) {
            return Err(damage("it names a file twice, or one that is still to be made"));
        }
        Ok(manifest)
    }

    fn numbers(&self) -> Vec<u32> {
        let marks = self.marks.iter().map(|marks| marks.number);
        self.segments.iter().map(|segment| segment.number).chain(marks).collect()
    }

    /// The names of all files of the collection.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let marks = self.marks.iter().map(|marks| marks_name(marks.number));
        self.segments.iter().map(|segment| segment_name(segment.number)).chain(marks).collect()
    }

    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let json = serde_json::to_vec_pretty(self)?;
        let version = if self.queries.is_empty() { WITHOUT_QUERIES } else { VERSION };
        let mut bytes = format!("{MARK} {version} {:016x}\n", checksum(&json)).into_bytes();
        bytes.extend(json);
        Ok(bytes)
    }

    /// Replaces the manifest of the folder, whose other files must be complete.
    ///
    /// # Errors
    /// If it cannot be written. The old manifest then remains.
    pub(super) fn save(&self, folder: &Path) -> io::Result<()> {
        sync_folder(folder)?;
        write_file(&folder.join(MANIFEST), &self.to_bytes()?)?;
        sync_folder(folder)
    }

    /// The deleted games.
    ///
    /// # Errors
    /// If a list of them cannot be read.
    pub(super) fn deleted(&self, folder: &Path) -> io::Result<Deleted> {
        let mut all = Deleted::new();
        for marks in &self.marks {
            let name = marks_name(marks.number);
            let read = || read_marks(&fs::read(folder.join(&name))?);
            let deleted = read().map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
            for (number, games) in deleted {
                all.entry(number).or_default().extend(games);
            }
        }
        for games in all.values_mut() {
            games.sort_unstable();
            games.dedup();
        }
        Ok(all)
    }

    /// Writes a list of deleted games and adds its entry.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add_marks(
        &mut self,
        folder: &Path,
        deleted: &Deleted,
        time: String,
    ) -> io::Result<PathBuf> {
        let number = self.next;
        self.next += 1;
        let path = folder.join(marks_name(number));
        write_file(&path, &marks_bytes(deleted))?;
        let games = deleted.values().map(|games| games.len() as u64).sum();
        self.marks.push(MarksEntry { number, games, deleted: time });
        Ok(path)
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create_alone(path)?;
    file.write_all(bytes)?;
    file.sync()?;
    file.commit()
}

/// Waits until the names in a folder are on the disk.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Does nothing, since other systems do not open folders.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn marks_bytes(deleted: &Deleted) -> Vec<u8> {
    let mut list = Vec::new();
    put(&mut list, deleted.len() as u64);
    for (&number, games) in deleted {
        put(&mut list, number.into());
        put(&mut list, games.len() as u64);
        let mut next = 0;
        for &game in games {
            put(&mut list, u64::from(game) - next);
            next = u64::from(game) + 1;
        }
    }
    let packed = pack(&list);
    let mut bytes = MARKS_HEADER.to_vec();
    bytes.extend(checksum(&packed).to_le_bytes());
    put(&mut bytes, list.len() as u64);
    bytes.extend(packed);
    bytes
}

fn read_marks(bytes: &[u8]) -> io::Result<Deleted> {
    let rest = bytes.strip_prefix(MARKS_HEADER).ok_or_else(|| damage("it is no list of deleted games"))?;
    let mut bytes = Bytes(rest);
    let (sum, length) = (bytes.fixed()?, bytes.length()?);
    if checksum(bytes.0) != sum {
        return Err(damage("its checksum is wrong"));
    }
    let list = unpack(bytes.0, length)?;
    let mut list = Bytes(&list);
    let mut deleted = Deleted::new();
    for _ in 0..list.count()? {
        let number = u32::try_from(list.number()?).map_err(|_| damage("a number is too large"))?;
        let mut games = Vec::new();
        let mut next = 0_u64;
        for _ in 0..list.count()? {
            let game = next.checked_add(list.number()?).and_then(|game| u16::try_from(game).ok());
            let game = game.ok_or_else(|| damage("a number is too large"))?;
            games.push(game);
            next = u64::from(game) + 1;
        }
        deleted.insert(number, games);
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn manifest() -> Manifest {
        Manifest {
            generation: 3,
            next: 9,
            origins: vec![Origin {
                name: "é \"1\".pgn".to_owned(),
                added: "2026-01-02T03:04:05Z".to_owned(),
                file: None,
            }],
            segments: vec![SegmentEntry { number: 4, games: 7, bytes: 900, checksum: u64::MAX }],
            marks: vec![MarksEntry { number: 8, games: 2, deleted: String::new() }],
            changes: vec![ChangeEntry { time: String::new(), origins: 0, segments: 1, marks: 1 }],
            queries: BTreeMap::new(),
        }
    }

    #[test]
    fn it_comes_back_and_other_versions_and_damage_are_refused() {
        let bytes = manifest().to_bytes().expect("it can be written");
        assert_eq!(Manifest::read(&bytes).expect("it was written"), manifest());
        let text = String::from_utf8(bytes).expect("JSON");
        let cases = [
            (text.replacen(" 2 ", " 4 ", 1), "version 4"),
            (text.replace("900", "901"), "checksum"),
            (text.replacen(MARK, "hematite", 1), "no line"),
            (String::new(), "no line"),
        ];
        for (text, expected) in cases {
            let error = Manifest::read(text.as_bytes()).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
        let mut more = manifest();
        more.changes[0].segments = 2;
        let more = Manifest::read(&more.to_bytes().expect("it can be written"));
        assert!(more.expect_err("two segments").to_string().contains("more than there is"));
        let mut twice = manifest();
        twice.segments.push(twice.segments[0].clone());
        let twice = Manifest::read(&twice.to_bytes().expect("it can be written"));
        assert!(twice.expect_err("a file twice").to_string().contains("twice"));
    }

    /// Deletions can be undone in the first version.
    #[test]
    fn the_first_version_is_read() {
        let mut old = manifest();
        old.changes.clear();
        let json = serde_json::to_string(&old).expect("JSON").replace(",\"changes\":[]", "");
        let text = format!("{MARK} 1 {:016x}\n{json}", checksum(json.as_bytes()));
        let read = Manifest::read(text.as_bytes()).expect("it is read");
        let change = ChangeEntry { time: String::new(), origins: 0, segments: 0, marks: 1 };
        assert_eq!(read, Manifest { changes: vec![change], ..old });
    }

    /// With queries, older programs reject the manifest with a message; without them it is unchanged.
    #[test]
    fn queries_are_kept() {
        let mut with = manifest();
        with.queries.insert("\u{e9} 1".to_owned(), "eco:C00..C19".to_owned());
        let bytes = with.to_bytes().expect("it can be written");
        assert!(bytes.starts_with(format!("{MARK} {VERSION} ").as_bytes()));
        assert_eq!(Manifest::read(&bytes).expect("it was written"), with);
        let without = manifest().to_bytes().expect("it can be written");
        assert!(without.starts_with(format!("{MARK} {WITHOUT_QUERIES} ").as_bytes()));
        assert!(!String::from_utf8_lossy(&without).contains("queries"));
    }

    /// A name that leads out of the folder cannot even be represented.
    #[test]
    fn files_are_numbers() {
        let json =
            serde_json::to_string(&manifest()).expect("JSON").replace("\"number\":4", "\"number\":\"../4\"");
        let text = format!("{MARK} {WITHOUT_QUERIES} {:016x}\n{json}", checksum(json.as_bytes()));
        let error = Manifest::read(text.as_bytes()).expect_err("a name").to_string();
        assert!(error.contains("../4"), "{error}");
    }

    proptest! {
        #[test]
        fn deleted_games_come_back(
            deleted in prop::collection::btree_map(0_u32..9, prop::collection::btree_set(any::<u16>(), 0..50), 0..5)
        ) {
            let deleted: Deleted =
                deleted.into_iter().map(|(number, games)| (number, games.into_iter().collect())).collect();
            prop_assert_eq!(read_marks(&marks_bytes(&deleted)).expect("it was written"), deleted);
        }

        /// Any change is detected or has no effect.
        #[test]
        fn changed_bytes_never_panic(at in 0_usize..1000, to in any::<u8>(), cut in 0_usize..1000) {
            for bytes in [manifest().to_bytes().expect("it can be written"), marks_bytes(&Deleted::from([(3, vec![1, 7])]))] {
                let mut bytes = bytes;
                let at = at % bytes.len();
                let is_same = std::mem::replace(&mut bytes[at], to) == to;
                if let Ok(found) = Manifest::read(&bytes) {
                    // Several characters are allowed between the words of the first line, but the content is
                    // unambiguous.
                    prop_assert!(is_same || found == manifest());
                }
                let _ = read_marks(&bytes);
                bytes.truncate(cut % bytes.len());
                prop_assert!(Manifest::read(&bytes).is_err());
                prop_assert!(read_marks(&bytes).is_err());
            }
        }
    }
}
