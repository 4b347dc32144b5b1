//! A cache of evaluations, so that nothing is searched twice. The key is the position with its halfmove clock, the
//! evaluator and the budget. The moves before a position do not matter, see [`super::evaluator`].
//!
//! The file starts with a line that identifies it. Records follow, each with its length and a checksum, and are only
//! ever appended: a partial record left by a killed process or a full disk is cut off by the next process that writes.
//! One process writes; any number of processes may read.

use super::evaluator::{Assessment, Line, MAX_LINES, MAX_MOVES, Question};
use crate::chess::Move;
use crate::files::{PathExcerpt, lock, make_folder_of};
use crate::notation::Fen;
use crate::notation::pgn::EvaluationScore;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The first line of a file.
const HEADER: &[u8] = b"hematite-evaluations 1\n";
/// The size of the fields around the content of a record: its length before it, and a checksum after it.
const LENGTH_BYTES: usize = size_of::<u32>();
const SUM_BYTES: usize = size_of::<u64>();
/// The maximum size of the content of a record, in bytes.
const MAX_BYTES: usize = 2048;
const _: () = assert!(33 + MAX_LINES * (16 + 2 * MAX_MOVES) <= MAX_BYTES);

/// The key of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EvaluationKey(u128);

/// Evaluations in a file.
pub struct Cache {
    file: File,
    /// The evaluator and the budget, which are part of the keys.
    settings: String,
    /// The offset of the content of each record.
    places: HashMap<EvaluationKey, u64>,
    end: u64,
    is_writable: bool,
}

/// The state of a file that was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheState {
    /// This process may write to the file.
    Writable,
    /// Another process writes to the file, or it is not writable; no evaluations are added.
    ReadOnly,
    /// This process may write to the file. This many bytes at its end were not complete records, and were cut off.
    Cut(u64),
}

impl Cache {
    /// Opens a file, or creates it. The settings are the evaluator, its options and the budget.
    ///
    /// # Errors
    /// If the file cannot be read or created, or is not a cache of evaluations.
    pub fn open(path: &Path, settings: &str) -> io::Result<(Self, CacheState)> {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", PathExcerpt::new(path)));
        make_folder_of(path).map_err(named)?;
        let opened = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let (file, is_writable) = match opened {
            Ok(file) => {
                let is_ours = lock(&file);
                (file, is_ours)
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) =>
            {
                (File::open(path).map_err(named)?, false)
            }
            Err(error) => return Err(named(error)),
        };
        Self::of(file, settings, is_writable).map_err(named)
    }

    /// A cache in a temporary file, which is deleted at the end of the process.
    ///
    /// # Errors
    /// If the temporary file cannot be created.
    pub fn temporary(settings: &str) -> io::Result<Self> {
        Ok(Self::of(tempfile::tempfile()?, settings, true)?.0)
    }

    fn of(file: File, settings: &str, is_writable: bool) -> io::Result<(Self, CacheState)> {
        let settings = settings.to_owned();
        let mut cache = Self { file, settings, places: HashMap::new(), end: 0, is_writable };
        let length = cache.file.metadata()?.len();
        cache.index()?;
        let is_new = cache.end == 0;
        if !is_writable {
            return Ok((cache, CacheState::ReadOnly));
        }
        let cut = length.saturating_sub(cache.end);
        if cut > 0 {
            cache.file.set_len(cache.end)?;
        }
        if is_new {
            cache.file.seek(SeekFrom::Start(0))?;
            cache.file.write_all(HEADER)?;
            cache.end = HEADER.len() as u64;
        }
        Ok((cache, if cut > 0 { CacheState::Cut(cut) } else { CacheState::Writable }))
    }

    /// Indexes all records up to the first incomplete one.
    fn index(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        let mut header = Vec::new();
        reader.by_ref().take(HEADER.len() as u64).read_to_end(&mut header)?;
        if header != HEADER {
            // The process that created the file was killed during the write.
            if HEADER.starts_with(&header) {
                return Ok(());
            }
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                "no evaluations of this version: expected a file that `hematite analyse` has made",
            ));
        }
        let mut end = HEADER.len() as u64;
        let mut content = Vec::new();
        while let Some(key) = read_record(&mut reader, &mut content)? {
            self.places.insert(key, end + LENGTH_BYTES as u64);
            end += (LENGTH_BYTES + content.len() + SUM_BYTES) as u64;
        }
        self.end = end;
        Ok(())
    }

    /// The number of evaluations.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The key of the evaluation of a question. The fullmove number is not part of it.
    pub fn key(&self, question: &Question) -> EvaluationKey {
        let fen = Fen::new(&question.position);
        let (clock, without) = (question.position.halfmove_clock(), question.without.map_or(0, Move::bits));
        let text = format!("{}\n{} {clock} {without}", self.settings, fen.shredder().without_counters());
        EvaluationKey(xxh3_128(text.as_bytes()))
    }

    /// The evaluation of a question; `None` if it is not in the cache.
    ///
    /// # Errors
    /// If the file cannot be read, or has changed since it was opened.
    pub fn find(&mut self, key: EvaluationKey, question: &Question) -> io::Result<Option<Assessment>> {
        let Some(&place) = self.places.get(&key) else { return Ok(None) };
        self.file.seek(SeekFrom::Start(place - LENGTH_BYTES as u64))?;
        let mut content = Vec::new();
        let mut reader = BufReader::with_capacity(MAX_BYTES, &self.file);
        let found = read_record(&mut reader, &mut content)?;
        let assessment = found.filter(|found| *found == key).and_then(|_| read_content(&content, question));
        assessment.map(Some).ok_or_else(|| {
            io::Error::new(ErrorKind::InvalidData, "the file of evaluations has changed while it was read")
        })
    }

    /// Adds an evaluation, which `Assessment::cut` must have shortened. Does nothing if the file is read-only.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, key: EvaluationKey, assessment: &Assessment) -> io::Result<()> {
        if !self.is_writable || self.places.contains_key(&key) {
            return Ok(());
        }
        let content = content_of(key, assessment);
        debug_assert!(content.len() <= MAX_BYTES, "it is not cut");
        let mut record = Vec::with_capacity(LENGTH_BYTES + content.len() + SUM_BYTES);
        record.extend((content.len() as u32).to_le_bytes());
        record.extend(&content);
        record.extend(xxh3_64(&record).to_le_bytes());
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&record)?;
        self.places.insert(key, self.end + LENGTH_BYTES as u64);
        self.end += record.len() as u64;
        Ok(())
    }
}

/// Reads the content of the next record, and its key; `None` at the end, and if the record is incomplete.
fn read_record(reader: &mut impl Read, content: &mut Vec<u8>) -> io::Result<Option<EvaluationKey>> {
    content.clear();
    let mut record = Vec::new();
    reader.by_ref().take(LENGTH_BYTES as u64).read_to_end(&mut record)?;
    let Ok(length) = <[u8; LENGTH_BYTES]>::try_from(&*record) else { return Ok(None) };
    let length = u32::from_le_bytes(length) as usize;
    if !(size_of::<u128>()..=MAX_BYTES).contains(&length) {
        return Ok(None);
    }
    reader.by_ref().take((length + SUM_BYTES) as u64).read_to_end(&mut record)?;
    let (summed, sum) = record.split_at(record.len().min(LENGTH_BYTES + length));
    if sum != xxh3_64(summed).to_le_bytes() {
        return Ok(None);
    }
    content.extend(&summed[LENGTH_BYTES..]);
    let key = content.first_chunk().map(|key| EvaluationKey(u128::from_le_bytes(*key)));
    Ok(key)
}

/// The content of a record: the key, nodes, the depth since which the best move is best, and the lines, each with type
/// and value of its score, depth and moves.
fn content_of(key: EvaluationKey, assessment: &Assessment) -> Vec<u8> {
    let mut content = key.0.to_le_bytes().to_vec();
    content.extend(assessment.nodes.to_le_bytes());
    content.extend(assessment.settled.to_le_bytes());
    content.push(assessment.lines.len() as u8);
    for line in &assessment.lines {
        let (kind, value) = match line.score {
            EvaluationScore::Centipawns(value) => (0, value),
            EvaluationScore::Mate(value) => (1, value),
        };
        content.push(kind);
        content.extend(value.to_le_bytes());
        content.extend(line.depth.to_le_bytes());
        content.push(line.moves.len() as u8);
        content.extend(line.moves.iter().flat_map(|mv| mv.bits().to_le_bytes()));
    }
    content.extend(u32::try_from(assessment.time.as_millis()).unwrap_or(u32::MAX).to_le_bytes());
    content
}

/// Takes bytes from the start of the content.
struct Content<'a>(&'a [u8]);

impl Content<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }
}

/// The evaluation in a record; `None` if it does not belong to this question.
fn read_content(content: &[u8], question: &Question) -> Option<Assessment> {
    let mut content = Content(content);
    content.take::<{ size_of::<u128>() }>()?;
    let nodes = u64::from_le_bytes(content.take()?);
    let settled = u32::from_le_bytes(content.take()?);
    let mut lines = Vec::new();
    for _ in 0..content.byte()? {
        let (kind, value) = (content.byte()?, i32::from_le_bytes(content.take()?));
        let score = if kind == 0 { EvaluationScore::Centipawns(value) } else { EvaluationScore::Mate(value) };
        let depth = u32::from_le_bytes(content.take()?);
        let mut position = question.position;
        let mut moves = Vec::new();
        for _ in 0..content.byte()? {
            let mv = Move::from_bits(u16::from_le_bytes(content.take()?))?;
            position = position.play(mv).ok()?;
            moves.push(mv);
        }
        if moves.is_empty() {
            return None;
        }
        lines.push(Line { score, depth, moves });
    }
    // Older files contain no times.
    let milliseconds = if content.0.is_empty() { 0 } else { u32::from_le_bytes(content.take()?) };
    let time = Duration::from_millis(milliseconds.into());
    (!lines.is_empty() && content.0.is_empty()).then_some(Assessment { lines, settled, nodes, time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::notation::{parse_uci_move, position_from_fen};
    use std::fs;
    use std::path::PathBuf;

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("hematite-cache-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9";

    fn position(fen: &str) -> Position {
        position_from_fen(fen).expect("it is legal")
    }

    /// A legal move in the position [`FEN`].
    fn mv(text: &str) -> Move {
        parse_uci_move(text, &position(FEN)).expect("it is legal")
    }

    fn question() -> Question {
        Question { position: position(FEN), without: None }
    }

    fn assessment(value: i32) -> Assessment {
        let lines = vec![
            Line { score: EvaluationScore::Centipawns(value), depth: 9, moves: vec![mv("e2e4")] },
            Line { score: EvaluationScore::Mate(-7), depth: 8, moves: vec![mv("e1d2")] },
        ];
        Assessment { lines, settled: 4, nodes: 1234, time: Duration::from_millis(1500) }
    }

    #[test]
    fn what_is_kept_is_found_again() {
        let path = path("kept");
        let (mut cache, state) = Cache::open(&path, "engine").expect("it can be made");
        assert_eq!((state, cache.len()), (CacheState::Writable, 0));
        let key = cache.key(&question());
        assert_eq!(cache.find(key, &question()).expect("it can be read"), None);
        cache.add(key, &assessment(-120)).expect("it can be written");
        let other = Question { without: Some(mv("e2e4")), ..question() };
        let other_key = cache.key(&other);
        cache.add(other_key, &assessment(7)).expect("it can be written");
        assert_eq!(cache.find(key, &question()).expect("it can be read"), Some(assessment(-120)));
        drop(cache);
        let (mut cache, state) = Cache::open(&path, "engine").expect("it can be read");
        assert_eq!((state, cache.len()), (CacheState::Writable, 2));
        assert_eq!(cache.find(other_key, &other).expect("it can be read"), Some(assessment(7)));
        assert_eq!(cache.find(key, &question()).expect("it can be read"), Some(assessment(-120)));
        let _ = fs::remove_file(path);
    }

    #[test]
    fn keys_are_of_what_matters() {
        let cache = |settings| Cache::temporary(settings).expect("a temporary file");
        let key =
            |fen: &str, settings| cache(settings).key(&Question { position: position(fen), without: None });
        let usual = key(FEN, "a");
        assert_eq!(key("4k3/8/8/8/8/8/4P3/4K3 w - - 3 77", "a"), usual, "the number of the move");
        assert_ne!(key("4k3/8/8/8/8/8/4P3/4K3 w - - 4 9", "a"), usual, "the clock");
        assert_ne!(key("4k3/8/8/8/8/8/4P3/4K3 b - - 3 9", "a"), usual, "the side to move");
        assert_ne!(key(FEN, "b"), usual, "the evaluator");
    }

    /// After any damage, the records before it are found, and others can be added.
    #[test]
    fn a_torn_file_loses_only_its_end() {
        let path = path("torn");
        let (mut cache, _) = Cache::open(&path, "engine").expect("it can be made");
        let key = cache.key(&question());
        cache.add(key, &assessment(1)).expect("it can be written");
        let first = cache.end as usize;
        cache.add(EvaluationKey(7), &assessment(2)).expect("it can be written");
        drop(cache);
        let whole = fs::read(&path).expect("it is there");
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).expect("it can be written");
            let (mut cache, state) = Cache::open(&path, "engine").expect("it can be read");
            assert_eq!(cache.len(), usize::from(length >= first), "{length}");
            let is_whole = [0, HEADER.len(), first].contains(&length);
            assert_eq!(state == CacheState::Writable, is_whole, "{length}: {state:?}");
            cache.add(EvaluationKey(7), &assessment(2)).expect("it can be written");
            drop(cache);
            let (cache, state) = Cache::open(&path, "engine").expect("it can be read");
            assert_eq!((cache.len(), state), (1 + usize::from(length >= first), CacheState::Writable));
        }
        for place in [HEADER.len() + 1, first + 9, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[place] ^= 4;
            fs::write(&path, &damaged).expect("it can be written");
            let (cache, state) = Cache::open(&path, "engine").expect("it can be read");
            assert!(cache.len() < 2 && matches!(state, CacheState::Cut(_)), "{place}");
        }
        fs::write(&path, "[Event \"?\"]\n").expect("it can be written");
        assert!(Cache::open(&path, "engine").is_err(), "it is a file of games");
        assert_eq!(fs::read(&path).expect("it is there"), b"[Event \"?\"]\n");
        let _ = fs::remove_file(path);
    }

    #[test]
    fn one_writes_and_others_read() {
        let path = path("shared");
        let (mut writer, _) = Cache::open(&path, "engine").expect("it can be made");
        let key = writer.key(&question());
        writer.add(key, &assessment(1)).expect("it can be written");
        let (mut reader, state) = Cache::open(&path, "engine").expect("it can be read");
        assert_eq!((state, reader.len()), (CacheState::ReadOnly, 1));
        assert_eq!(reader.find(key, &question()).expect("it can be read"), Some(assessment(1)));
        reader.add(EvaluationKey(3), &assessment(2)).expect("it is forgotten");
        assert_eq!(reader.len(), 1);
        let _ = fs::remove_file(path);
    }
}
