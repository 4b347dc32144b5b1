//! A PGN file that is edited: it is locked, and the new content is checked before it replaces the file as a whole.

use super::{Content, Options, Source, SourceWarn, is_collection, read};
use crate::files::{
    AtomicFile, LockFile, OutputFile, PathExcerpt, archive_members, check_regular, utf16_order,
    without_packed_extension,
};
use crate::notation::pgn::{BYTE_ORDER_MARK, Export, GameBuilder, Reader};
use crate::notation::pluralize;
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// A game that is added to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGame {
    /// The text of the game, without surrounding white space.
    pub text: Vec<u8>,
    /// The exported game, as which the game in the changed file must be read.
    pub export: String,
}

impl NewGame {
    /// The first game of a text, with its text unchanged; `None` if there is none.
    pub fn from_text(text: &[u8]) -> Option<Self> {
        let (mut reader, mut builder) = (Reader::new(text), GameBuilder::new());
        // Reading from memory cannot fail.
        let is_read = reader.read_game(&mut builder).unwrap_or(false);
        is_read.then(|| Self { text: own_text(text).to_vec(), export: Export::new().game(builder.game()) })
    }
}

/// The reason why a file cannot be changed. The file is left unchanged.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The file cannot be edited.
    #[error("{}: {problem}", PathExcerpt::new(path))]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        problem: String,
    },
    /// The new file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// An error about this file.
fn failed(path: &Path, problem: impl std::fmt::Display) -> EditError {
    EditError::File { path: path.to_owned(), problem: problem.to_string() }
}

/// The text of a game without surrounding white space and byte order mark.
pub fn own_text(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_ascii()
}

/// The number of a game, and its offset and text; `None` instead of these if the text is too long.
type Found = (u64, Option<(u64, Vec<u8>)>);

/// The size and the modification time of a file, by which changes are detected.
type Stamp = (u64, Option<SystemTime>);

fn stamp(path: &Path) -> io::Result<Stamp> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.len(), metadata.modified().ok()))
}

/// Reads a file, decompressed.
fn content(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(Source::File(path.to_owned()).open(Content::Binary, &Arc::default(), |_| ())?.reader)
}

/// The start of a file of games to which others can be added, decompressed.
///
/// # Errors
/// If it is in a format that is not written: an archive, packed unlike its name, or in UTF-16.
pub fn head_to_edit(path: &Path) -> Result<Vec<u8>, EditError> {
    /// The number of bytes from which the format and the line ends are determined.
    const HEAD: u64 = 1 << 16;
    let head = |reader: &mut dyn Read| {
        let mut head = Vec::new();
        reader.take(HEAD).read_to_end(&mut head).map(|_| head)
    };
    if archive_members(path).is_ok_and(|members| members.is_some()) {
        return Err(failed(path, "a zip archive is not written, expected a file of PGN"));
    }
    let content = content(path).and_then(|mut content| head(&mut content));
    let content = content.map_err(|problem| failed(path, problem))?;
    let stored = File::open(path).and_then(|mut file| head(&mut file));
    let is_packed = stored.map_err(|problem| failed(path, problem))? != content;
    if is_packed != (without_packed_extension(path) != path) {
        let problem = "its name does not say whether it is packed, expected .zst, .gz, .bz2 or .xz if it is";
        return Err(failed(path, problem));
    }
    if utf16_order(&content).is_some() {
        return Err(failed(
            path,
            "it is in UTF-16, expected UTF-8, in which `hematite pgn export` writes it",
        ));
    }
    Ok(content)
}

/// A file whose games are edited, locked against other processes that edit it.
#[derive(Debug)]
pub struct EditedFile {
    /// The path of the file.
    pub path: PathBuf,
    _lock: LockFile,
    /// `None` if the file does not exist yet.
    stamp: Option<Stamp>,
    /// The line end of the file.
    pub line_end: &'static str,
}

/// The extent of a game in a file: from its first character, which may be that of a comment before it, to its last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The range among the decompressed bytes.
    pub bytes: Range<u64>,
    /// The text of the game.
    pub text: Vec<u8>,
}

/// The games that must be found in a file.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    /// The games with these numbers.
    Numbers(&'a (dyn Fn(u64) -> bool + Sync)),
    /// The last game.
    Last,
}

impl EditedFile {
    /// Opens a file, which may be missing if `may_be_missing`.
    ///
    /// # Errors
    /// If the file cannot be changed, or another process is editing it.
    pub fn open(path: &Path, may_be_missing: bool) -> Result<Self, EditError> {
        let error = |problem: &str| failed(path, problem);
        if path.as_os_str() == "-" {
            return Err(failed(path, "standard input cannot be changed, expected a file"));
        }
        if is_collection(path) {
            return Err(error(
                "it is a collection, expected a file of PGN; `hematite db add`, `edit` and `delete` change it",
            ));
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".lock");
        let lock = LockFile::take(&path.with_file_name(name)).map_err(|problem| failed(path, problem))?;
        let lock = lock.ok_or_else(|| error("another process changes this file"))?;
        let mut target = Self { path: path.to_owned(), _lock: lock, stamp: None, line_end: "\n" };
        match check_regular(path) {
            Err(problem) if problem.kind() == io::ErrorKind::NotFound && may_be_missing => return Ok(target),
            checked => checked.map_err(|problem| failed(path, problem))?,
        }
        target.stamp = Some(stamp(path).map_err(|problem| failed(path, problem))?);
        let content = head_to_edit(path)?;
        if content.windows(2).any(|pair| pair == b"\r\n") {
            target.line_end = "\r\n";
        }
        Ok(target)
    }

    /// Reads the file, decompressed.
    fn content(&self) -> io::Result<Box<dyn Read + Send>> {
        content(&self.path)
    }

    /// The wanted games by their numbers, and the number of all games. `on_progress` is called with the number of bytes
    /// read, and `warn` with warnings about the games.
    ///
    /// # Errors
    /// If the file cannot be read to its end.
    pub fn find(
        &self,
        wanted: Wanted<'_>,
        warn: Arc<SourceWarn>,
        on_progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(BTreeMap<u64, Span>, u64), EditError> {
        let mut found = BTreeMap::new();
        if self.stamp.is_none() {
            return Ok((found, 0));
        }
        let games = AtomicU64::new(0);
        let mut too_long = None;
        // A single reading thread counts the games.
        let options = Options { threads: 1, keeps_text: true, warn, ..Options::default() };
        let flow = read(
            &[Source::File(self.path.clone())],
            &options,
            |part, emit| {
                let mut builder = GameBuilder::new();
                let mut latest = None;
                while part.reader.read_game(&mut builder)? {
                    let number = games.fetch_add(1, Ordering::Relaxed) + 1;
                    match wanted {
                        Wanted::Numbers(is_wanted) if is_wanted(number) => {
                            emit((number, part.reader.source_text()?))?;
                        }
                        Wanted::Numbers(_) => {}
                        // This may be the last game. After the last game, the reader has the text that follows it.
                        Wanted::Last => latest = Some((number, part.reader.source_text()?)),
                    }
                }
                on_progress(options.bytes.load(Ordering::Relaxed));
                latest.map_or(Ok(()), emit)
            },
            |_, read: io::Result<Found>| {
                let (number, text) = match read {
                    Ok(read) => read,
                    Err(error) => return ControlFlow::Break(error),
                };
                if matches!(wanted, Wanted::Last) {
                    found.clear();
                }
                let Some((offset, text)) = text else {
                    too_long = Some(number);
                    return ControlFlow::Continue(());
                };
                too_long = too_long.filter(|_| !matches!(wanted, Wanted::Last));
                let own = own_text(&text);
                let whole = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
                let before = text.len() - whole.trim_ascii_start().len();
                let start = offset + before as u64;
                found.insert(number, Span { bytes: start..start + own.len() as u64, text: own.to_vec() });
                ControlFlow::Continue(())
            },
        );
        if let ControlFlow::Break(error) = flow {
            let problem = format!("{error}; not changed, since it cannot be read to its end");
            return Err(failed(&self.path, problem));
        }
        match too_long {
            Some(number) => Err(failed(&self.path, format!("game {number} is too long to be changed"))),
            None => Ok((found, games.into_inner())),
        }
    }

    /// An error if there is no game with this number.
    ///
    /// # Errors
    /// States the number of games.
    pub fn check_number(&self, number: u64, games: u64) -> Result<(), EditError> {
        if number <= games {
            return Ok(());
        }
        Err(failed(&self.path, format!("it has {}, expected a game {number}", pluralize(games, "game"))))
    }

    /// Converts the line ends of a text to those of the file.
    fn with_line_ends(&self, text: &[u8]) -> Vec<u8> {
        let mut lines = Vec::with_capacity(text.len());
        for (index, &byte) in text.iter().enumerate() {
            match byte {
                b'\n' => lines.extend_from_slice(self.line_end.as_bytes()),
                b'\r' if text.get(index + 1) == Some(&b'\n') => {}
                _ => lines.push(byte),
            }
        }
        lines
    }

    /// Two line ends, which separate games.
    pub fn gap(&self) -> Vec<u8> {
        self.line_end.repeat(2).into_bytes()
    }

    /// The texts of new games, with gaps between them.
    pub fn joined(&self, new: &[NewGame]) -> Vec<u8> {
        let texts: Vec<Vec<u8>> = new.iter().map(|game| self.with_line_ends(&game.text)).collect();
        texts.join(&self.gap()[..])
    }

    /// The pieces of the file with this text after its last game.
    pub fn appended(&self, last: Option<&Span>, text: Vec<u8>) -> Vec<Splice> {
        let (before, gap) = match last {
            Some(last) => (Splice::Old(0..last.bytes.end), self.gap()),
            None if self.stamp.is_none() => (Splice::New(Vec::new()), Vec::new()),
            None => (Splice::Old(0..u64::MAX), Vec::new()),
        };
        vec![before, Splice::New([gap, text, self.gap()].concat())]
    }

    /// The pieces of the file with new games before the game with the extent `before`.
    pub fn inserted(&self, before: &Span, new: &[NewGame]) -> Vec<Splice> {
        let at = before.bytes.start;
        let text = [self.joined(new), self.gap()].concat();
        vec![Splice::Old(0..at), Splice::New(text), Splice::Old(at..u64::MAX)]
    }

    /// Whether the game `number` must be found to move a game: the game itself, the one after it, and the one next to
    /// its new place.
    pub const fn is_for_move(from: u64, to: u64, number: u64) -> bool {
        number == from || number == from.saturating_add(1) || number == to || number == to.saturating_add(1)
    }

    /// The pieces of the file with the game `from` moved to the number `to`, and the exported game; `None` if a
    /// required game was not found.
    pub fn moved(
        &self,
        from: u64,
        to: u64,
        mut found: BTreeMap<u64, Span>,
    ) -> Option<(Vec<Splice>, Vec<String>)> {
        let after = found.get(&(from + 1)).map_or(u64::MAX, |span| span.bytes.start);
        let Span { bytes: Range { start, .. }, text: own } = found.remove(&from)?;
        let export = NewGame::from_text(&own).map(|game| game.export).into_iter().collect();
        let before = |text: Vec<u8>| Splice::New([text, self.gap()].concat());
        let pieces = match (to < from, found.get(&to), found.get(&(to + 1))) {
            (true, Some(next), _) => {
                let at = next.bytes.start;
                vec![Splice::Old(0..at), before(own), Splice::Old(at..start), Splice::Old(after..u64::MAX)]
            }
            (false, _, Some(next)) => {
                let at = next.bytes.start;
                vec![Splice::Old(0..start), Splice::Old(after..at), before(own), Splice::Old(at..u64::MAX)]
            }
            (false, Some(last), None) => {
                let behind = Splice::New([self.gap(), own, self.gap()].concat());
                vec![Splice::Old(0..start), Splice::Old(after..last.bytes.end), behind]
            }
            _ => return None,
        };
        Some((pieces, export))
    }

    /// The pieces of the file without the deleted games, and the number of these. The games after them must have been
    /// found as well, since they show where the deleted games end.
    pub fn without(
        found: &BTreeMap<u64, Span>,
        is_deleted: &(dyn Fn(u64) -> bool + Sync),
    ) -> (Vec<Splice>, u64) {
        let (mut pieces, mut at) = (Vec::new(), Some(0));
        let mut deleted = 0;
        for (&number, span) in found {
            match (is_deleted(number), at) {
                (true, Some(start)) => {
                    pieces.push(Splice::Old(start..span.bytes.start));
                    at = None;
                }
                (false, None) => at = Some(span.bytes.start),
                _ => {}
            }
            deleted += u64::from(is_deleted(number));
        }
        pieces.extend(at.map(|start| Splice::Old(start..u64::MAX)));
        (pieces, deleted)
    }

    fn reader(&self, pieces: &[Splice]) -> io::Result<Pieces> {
        let has_old = pieces.iter().any(|piece| matches!(piece, Splice::Old(_)));
        let source: Box<dyn Read + Send> = if has_old { self.content()? } else { Box::new(io::empty()) };
        Ok(Pieces { source, at: 0, waiting: pieces.iter().cloned().collect() })
    }

    /// Checks that the pieces are read as this number of games, with the games `new` from number `first` on.
    ///
    /// # Errors
    /// If the pieces are read as something else.
    pub fn check(&self, pieces: &[Splice], games: u64, first: u64, new: &[String]) -> Result<(), EditError> {
        let source: Box<dyn Read + Send> =
            Box::new(self.reader(pieces).map_err(|problem| failed(&self.path, problem))?);
        let (mut reader, mut builder) = (Reader::new(source), GameBuilder::new());
        let mut number = 0_u64;
        while reader.read_game(&mut builder).map_err(|problem| failed(&self.path, problem))? {
            number += 1;
            let expected = number.checked_sub(first).and_then(|index| new.get(usize::try_from(index).ok()?));
            if expected.is_some_and(|export| !is_the_same(&Export::new().game(builder.game()), export)) {
                let problem = format!("not changed, since game {number} would not be read as it is written");
                return Err(failed(&self.path, problem));
            }
        }
        if number != games {
            let problem =
                format!("not changed, since it would have {}, expected {games}", pluralize(number, "game"));
            return Err(failed(&self.path, problem));
        }
        Ok(())
    }

    /// Replaces the file by its pieces, which must have been checked.
    ///
    /// # Errors
    /// If the file cannot be written, or another program has changed it.
    pub fn replace(&self, pieces: &[Splice], is_kept: bool) -> Result<(), EditError> {
        let mut file = OutputFile::create(&self.path)?;
        let mut reader = self.reader(pieces).map_err(|problem| failed(&self.path, problem))?;
        io::copy(&mut reader, &mut file)?;
        if self.stamp != stamp(&self.path).ok() {
            return Err(failed(&self.path, "another program has changed it meanwhile; nothing is changed"));
        }
        if is_kept && self.stamp.is_some() {
            let mut name = self.path.clone().into_os_string();
            name.push(".bak");
            let keep = || {
                let mut backup = AtomicFile::create(Path::new(&name))?;
                io::copy(&mut File::open(&self.path)?, &mut backup)?;
                backup.commit()
            };
            keep().map_err(|problem| failed(Path::new(&name), problem))?;
        }
        Ok(file.commit()?)
    }

    /// The error for a missing game, which only a change of the file by another program explains.
    pub fn lost(&self) -> EditError {
        failed(&self.path, "another program has changed it meanwhile; nothing is changed")
    }

    /// Replaces a game by another one.
    ///
    /// # Errors
    /// The same as for [`Self::check`] and [`Self::replace`].
    pub fn put_back(
        &self,
        number: u64,
        span: &Span,
        game: &NewGame,
        games: u64,
        is_kept: bool,
    ) -> Result<(), EditError> {
        let Range { start, end } = span.bytes;
        let text = self.with_line_ends(&game.text);
        let pieces = [Splice::Old(0..start), Splice::New(text), Splice::Old(end..u64::MAX)];
        self.check(&pieces, games, number, std::slice::from_ref(&game.export))?;
        self.replace(&pieces, is_kept)
    }
}

/// Whether a game was read as it was exported. Escape lines after the previous game count as its own.
fn is_the_same(read: &str, export: &str) -> bool {
    fn parts(export: &str) -> Option<(&str, &str)> {
        let (tags, mut moves) = export.split_once("\n\n")?;
        while moves.starts_with('%') {
            moves = moves.split_once('\n')?.1;
        }
        Some((tags, moves))
    }
    read == export || parts(read).is_some() && parts(read) == parts(export)
}

/// A piece of the new file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Splice {
    /// This range of the old file, as far as it exists. It starts after the ranges of all earlier pieces.
    Old(Range<u64>),
    /// New bytes.
    New(Vec<u8>),
}

/// A reader of the new file.
struct Pieces {
    source: Box<dyn Read + Send>,
    /// The number of bytes of the source that have been read.
    at: u64,
    waiting: VecDeque<Splice>,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(piece) = self.waiting.front_mut() {
            let count = match piece {
                Splice::New(text) => {
                    let count = text.len().min(buffer.len());
                    buffer[..count].copy_from_slice(&text[..count]);
                    text.drain(..count);
                    count
                }
                Splice::Old(range) => {
                    let before = range.start.saturating_sub(self.at);
                    self.at += io::copy(&mut (&mut self.source).take(before), &mut io::sink())?;
                    let count =
                        (&mut self.source).take(range.end - range.start.min(range.end)).read(buffer)?;
                    range.start = range.start.saturating_add(count as u64);
                    self.at += count as u64;
                    count
                }
            };
            if count > 0 {
                return Ok(count);
            }
            self.waiting.pop_front();
        }
        Ok(0)
    }
}
