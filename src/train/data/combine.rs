//! Combining chunks: merging them into one, and shuffling games across them.

use super::{
    Chunk, ChunkReader, ClosedChunk, CombineError, EXTENSION, Game, Totals, chunks_in, lock_folder,
    remove_unfinished,
};
use crate::files::TempPath;
use crate::rng::Rng;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The maximum size, in bytes, of the notes of the sources in the note of a combined chunk: a note has at most 65,535.
const MAX_NOTES: usize = 60_000;

/// Writes the games of several chunks into a new one, in their order.
///
/// # Errors
/// [`CombineError`]; in that case no new chunk remains.
pub fn merge(files: &[PathBuf], out: &Path) -> Result<ClosedChunk, CombineError> {
    if out.exists() {
        return Err(CombineError::Exists(out.to_owned()));
    }
    let note = note_of(files, "merged", Map::new())?;
    let failed = |error| CombineError::Output(out.to_owned(), error);
    let mut chunk = Chunk::create(out, &note).map_err(failed)?;
    let mut seen = Seen::default();
    for file in files {
        let input = |error| CombineError::Input(file.clone(), error);
        let mut reader = ChunkReader::open(file).map_err(input)?;
        for game in reader.by_ref() {
            chunk.append(&game.map_err(input)?).map_err(failed)?;
        }
        if let Some(other) = seen.add(file, reader.checksum()) {
            return Err(CombineError::Double(file.clone(), other));
        }
    }
    chunk.close().map_err(failed)
}

/// The note of a combined chunk: the method, and the notes of its sources, each once.
///
/// # Errors
/// [`CombineError::Input`] for a chunk whose header cannot be read.
pub(in crate::train) fn note_of(
    files: &[PathBuf],
    how: &str,
    mut more: Map<String, Value>,
) -> Result<String, CombineError> {
    let mut sources: Vec<Value> = Vec::new();
    let mut length = 0;
    for file in files {
        let reader = ChunkReader::open(file).map_err(|error| CombineError::Input(file.clone(), error))?;
        let mut source = serde_json::from_str(reader.note()).unwrap_or_else(|_| reader.note().into());
        if let Value::Object(source) = &mut source {
            // The number of the first game differs between the chunks of a run.
            source.remove("first");
        }
        if !sources.contains(&source) && length + reader.note().len() <= MAX_NOTES {
            length += reader.note().len();
            sources.push(source);
        }
    }
    more.insert("how".to_owned(), how.into());
    more.insert("chunks".to_owned(), files.len().into());
    more.insert("sources".to_owned(), json!(sources));
    Ok(Value::Object(more).to_string())
}

/// Writes the games of many chunks in a random order, in which all orders are equally likely, with no more games in
/// memory than one chunk has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shuffle {
    /// The seed of the order.
    pub seed: u64,
    /// The average number of games in a new chunk.
    pub chunk_games: u64,
}

/// The extension of files that are incomplete.
const PART: &str = "part";
/// The start of the names of heaps, before their number.
const HEAP: &str = "heap-";
/// The start of the names of the new chunks, before their number.
const SHUFFLED: &str = "shuffled-";

/// The maximum number of files that are open at once; with more games, chunks are larger.
const MAX_CHUNKS: u64 = 500;

impl Shuffle {
    /// Writes the games of these chunks into new ones in a folder that has no chunks yet.
    ///
    /// # Errors
    /// [`CombineError`]; in that case no new chunks remain.
    pub fn run(&self, files: &[PathBuf], out: &Path) -> Result<Totals, CombineError> {
        let failed = |error| CombineError::Output(out.to_owned(), error);
        let has_chunks = |out: &Path| Ok(out.exists() && !chunks_in(out).map_err(failed)?.is_empty());
        if has_chunks(out)? {
            return Err(CombineError::Exists(out.to_owned()));
        }
        let games = count(files)?;
        fs::create_dir_all(out).map_err(failed)?;
        let lock = lock_folder(out).map_err(failed)?;
        let _lock = lock.ok_or_else(|| CombineError::Locked(out.to_owned()))?;
        // Another process may have written chunks before the folder was locked.
        if has_chunks(out)? {
            return Err(CombineError::Exists(out.to_owned()));
        }
        remove_parts(out).map_err(failed)?;
        let chunks = games.div_ceil(self.chunk_games.max(1)).clamp(1, MAX_CHUNKS);
        let mut rng = Rng::new(self.seed);
        let heaps = self.deal(files, out, chunks, &mut rng)?;
        let note =
            note_of(files, "shuffled", Map::from_iter([("shuffle_seed".to_owned(), self.seed.into())]))?;
        let mut totals = Totals::default();
        let mut written = Vec::new();
        for (number, heap) in heaps.iter().map(TempPath::path).enumerate() {
            let part = TempPath::new(part_path(out, number));
            totals += rearrange(heap, part.path(), &note, &mut rng)?;
            written.push(part);
        }
        // If the program ends before this, none of the chunks exists.
        let mut named = Vec::new();
        for part in written {
            let path = part.path().with_extension(EXTENSION);
            let chunk = TempPath::new(path);
            fs::rename(part.path(), chunk.path()).map_err(failed)?;
            named.push(chunk);
        }
        named.into_iter().for_each(TempPath::keep);
        Ok(totals)
    }

    /// Adds every game to a random heap. The heap of a game does not depend on its place, and each heap is shuffled, so
    /// all orders are equally likely.
    fn deal(
        &self,
        files: &[PathBuf],
        out: &Path,
        chunks: u64,
        rng: &mut Rng,
    ) -> Result<Vec<TempPath>, CombineError> {
        let failed = |error| CombineError::Output(out.to_owned(), error);
        let heap = |number| TempPath::new(heap_path(out, number));
        let heaps: Vec<TempPath> = (0..chunks).map(heap).collect();
        let open = |path: &Path| Chunk::create(path, "");
        let open: io::Result<Vec<Chunk>> = heaps.iter().map(TempPath::path).map(open).collect();
        let mut open = open.map_err(failed)?;
        let mut seen = Seen::default();
        for file in files {
            let input = |error| CombineError::Input(file.clone(), error);
            let mut reader = ChunkReader::open(file).map_err(input)?;
            for game in reader.by_ref() {
                let game = game.map_err(input)?;
                open[rng.below(chunks) as usize].append(&game).map_err(failed)?;
            }
            if let Some(other) = seen.add(file, reader.checksum()) {
                return Err(CombineError::Double(file.clone(), other));
            }
        }
        for chunk in open {
            chunk.close().map_err(failed)?;
        }
        Ok(heaps)
    }
}

/// The path of a heap: games in the order in which they are read.
fn heap_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{HEAP}{number}.{PART}"))
}

/// The path of a new chunk that is not complete.
fn part_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{SHUFFLED}{number:05}.{PART}"))
}

/// Whether this is the name of a heap or of a chunk that is not complete.
fn is_part(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(PART).and_then(|stem| stem.strip_suffix('.')) else { return false };
    let number = stem.strip_prefix(HEAP).or_else(|| stem.strip_prefix(SHUFFLED));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Removes the temporary files of a process that was killed.
fn remove_parts(folder: &Path) -> io::Result<()> {
    for left in fs::read_dir(folder)?.flatten() {
        if left.file_name().to_str().is_some_and(is_part) {
            fs::remove_file(left.path())?;
        }
    }
    remove_unfinished(folder, is_part)
}

/// Writes the games of one chunk into another in a random order.
fn rearrange(from: &Path, to: &Path, note: &str, rng: &mut Rng) -> Result<Totals, CombineError> {
    let input = |error| CombineError::Input(from.to_owned(), error);
    let failed = |error| CombineError::Output(to.to_owned(), error);
    let games: Result<Vec<Game>, _> = ChunkReader::open(from).map_err(input)?.collect();
    let mut games = games.map_err(input)?;
    rng.shuffle(&mut games);
    let mut chunk = Chunk::create(to, note).map_err(failed)?;
    for game in &games {
        chunk.append(game).map_err(failed)?;
    }
    Ok(chunk.close().map_err(failed)?.totals)
}

/// The number of games.
fn count(files: &[PathBuf]) -> Result<u64, CombineError> {
    let games = |file: &PathBuf| {
        let reader = ChunkReader::open(file).map_err(|error| CombineError::Input(file.clone(), error))?;
        let (totals, _) = reader.verify().map_err(|error| CombineError::Input(file.clone(), error))?;
        Ok(totals.games)
    };
    files.iter().map(games).sum()
}

/// The checksums of the chunks that were read, to detect chunks with the same content.
#[derive(Default)]
pub(in crate::train) struct Seen(BTreeMap<u64, PathBuf>);

impl Seen {
    /// Adds a chunk that was read to its end, if it has a checksum. Returns another chunk with the same content that
    /// was read before.
    pub(in crate::train) fn add(&mut self, file: &Path, checksum: Option<u64>) -> Option<PathBuf> {
        self.0.insert(checksum?, file.to_owned())
    }
}
