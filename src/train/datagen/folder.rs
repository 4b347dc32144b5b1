//! The folder of a run: its chunks, and the manifest with a line for each of them.

use super::{DatagenError, Origin};
use crate::files::{AtomicFile, LockFile};
use crate::train::data::{
    ChunkReader, ClosedChunk, EXTENSION, GameResult, chunks_in, lock_folder, remove_unfinished,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The name of the manifest: a line of JSON for each chunk.
pub const MANIFEST: &str = "manifest.jsonl";

/// The folder of a run, locked against other processes.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    entries: Vec<Entry>,
    /// The chunks that are in the manifest but not in the folder.
    missing: Vec<String>,
    manifest: File,
    _lock: LockFile,
}

impl Folder {
    /// Opens the folder of a run, or creates it. The files of a process that was killed are repaired: chunks that are
    /// not in the manifest are added to it, and incomplete ones are removed. Entries of missing chunks are removed, so
    /// that their games are played again.
    ///
    /// # Errors
    /// [`DatagenError::OtherRun`] if the folder contains games of another run, [`DatagenError::Locked`] if another
    /// process has the lock, [`DatagenError::File`] if something cannot be read or written.
    pub fn open(path: &Path, origin: &Origin) -> Result<Self, DatagenError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| DatagenError::File(path, error)
        };
        fs::create_dir_all(path).map_err(at(path))?;
        let lock = lock_folder(path).map_err(at(path))?;
        let lock = lock.ok_or_else(|| DatagenError::Locked(path.to_owned()))?;
        let manifest_path = path.join(MANIFEST);
        let (mut entries, is_torn) = match fs::read_to_string(&manifest_path) {
            Ok(text) => parse(&manifest_path, &text)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (Vec::new(), false),
            Err(error) => return Err(DatagenError::File(manifest_path, error)),
        };
        let entered = entries.len();
        let chunks = chunks_in(path).map_err(at(path))?;
        let names: BTreeSet<_> = chunks.iter().map(|file| file_name(file)).collect();
        let missing = entries.iter().map(|entry| &entry.file).filter(|file| !names.contains(*file));
        let missing: Vec<_> = missing.cloned().collect();
        let mut known = BTreeSet::new();
        entries.retain(|entry| names.contains(&entry.file) && known.insert(entry.file.clone()));
        let struck = entered - entries.len();
        for file in chunks {
            let name = file_name(&file);
            if !known.contains(&name) {
                entries.push(entry_of(&file, name)?);
            }
        }
        for entry in &entries {
            let differences = entry.origin.differences(origin);
            if !differences.is_empty() {
                return Err(DatagenError::OtherRun { folder: path.to_owned(), differences });
            }
        }
        remove_unfinished(path, is_ours).map_err(at(path))?;
        if is_torn || struck > 0 || entries.len() > known.len() {
            let lines: String = entries.iter().map(line).collect();
            AtomicFile::create(&manifest_path)
                .and_then(|mut file| file.write_all(lines.as_bytes()).and_then(|()| file.commit()))
                .map_err(at(&manifest_path))?;
        }
        let manifest =
            OpenOptions::new().append(true).create(true).open(&manifest_path).map_err(at(&manifest_path))?;
        Ok(Self { path: path.to_owned(), entries, missing, manifest, _lock: lock })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The entries of the chunks.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The names of chunks that were in the manifest but not in the folder.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Adds a chunk to the manifest.
    ///
    /// # Errors
    /// If the manifest cannot be written.
    pub fn enter(&mut self, entry: Entry) -> Result<(), DatagenError> {
        self.manifest
            .write_all(line(&entry).as_bytes())
            .map_err(|error| DatagenError::File(self.path.join(MANIFEST), error))?;
        self.entries.push(entry);
        Ok(())
    }
}

/// Whether a run writes files with such a name.
fn is_ours(name: &str) -> bool {
    name == MANIFEST || Path::new(name).extension().is_some_and(|found| found == EXTENSION)
}

/// The path of the chunk with the games of these numbers.
pub(super) fn chunk_path(folder: &Path, seed: u64, numbers: &Range<u64>) -> PathBuf {
    let last = numbers.end.saturating_sub(1);
    folder.join(format!("seed{seed}-{:010}-{last:010}.{EXTENSION}", numbers.start))
}

/// The manifest of a folder; `None` if it has none.
///
/// # Errors
/// If the manifest cannot be read, or a line is not an entry.
pub fn read_manifest(folder: &Path) -> Result<Option<Vec<Entry>>, DatagenError> {
    let path = folder.join(MANIFEST);
    match fs::read_to_string(&path) {
        Ok(text) => parse(&path, &text).map(|(entries, _)| Some(entries)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(DatagenError::File(path, error)),
    }
}

/// The lines of a manifest, and whether the last one was incomplete.
fn parse(path: &Path, text: &str) -> Result<(Vec<Entry>, bool), DatagenError> {
    let (whole, torn) = text.rsplit_once('\n').map_or(("", text), |(whole, torn)| (whole, torn));
    let entry = |(index, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            DatagenError::Content(path.to_owned(), format!("line {}: not an entry: {error}", index + 1))
        })
    };
    let entries: Result<Vec<Entry>, _> = whole.lines().enumerate().map(entry).collect();
    Ok((entries?, !torn.is_empty()))
}

fn line(entry: &Entry) -> String {
    let text = serde_json::to_string(entry).expect("an entry is plain data");
    text + "\n"
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The entry of a chunk that is missing from the manifest.
fn entry_of(path: &Path, name: String) -> Result<Entry, DatagenError> {
    let wrong = |problem: String| DatagenError::Content(path.to_owned(), problem);
    let reader = ChunkReader::open(path).map_err(|error| wrong(error.to_string()))?;
    let origin: Origin = serde_json::from_str(reader.note())
        .map_err(|error| wrong(format!("the note does not state the run: {error}")))?;
    let (totals, checksum) = reader.verify().map_err(|error| wrong(error.to_string()))?;
    Ok(Entry::new(name, &ClosedChunk { totals, checksum }, origin))
}

/// The entry of a chunk in the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The name of the file.
    pub file: String,
    /// The number of games.
    pub games: u64,
    /// The number of positions: plies of all games.
    pub positions: u64,
    /// The number of games that White won.
    pub white_wins: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games that Black won.
    pub black_wins: u64,
    /// The checksum of the file, as sixteen hexadecimal digits.
    pub checksum: String,
    /// The origin of the games.
    #[serde(flatten)]
    pub origin: Origin,
}

impl Entry {
    /// The entry of a chunk that was closed.
    pub fn new(file: String, chunk: &ClosedChunk, origin: Origin) -> Self {
        let ClosedChunk { totals, checksum } = chunk;
        Self {
            file,
            games: totals.games,
            positions: totals.positions,
            white_wins: totals.with_result(GameResult::WhiteWins),
            draws: totals.with_result(GameResult::Draw),
            black_wins: totals.with_result(GameResult::BlackWins),
            checksum: format!("{checksum:016x}"),
            origin,
        }
    }

    /// The numbers of the games.
    pub fn numbers(&self) -> Range<u64> {
        self.origin.first..self.origin.first.saturating_add(self.games)
    }
}
