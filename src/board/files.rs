//! The files and collections of games that the board was started with.

use super::file_steps::{Done, Step, Undo, apply};
use super::known_names::KnownNames;
use crate::chess::Position;
use crate::database::{
    EditError, EditedFile, GameFacts, Header, HeadersOnly, Options, Part, Query, Root, Sieve, Source,
    TooManyMoves, Tree, find_sources, read,
};
use crate::notation::PieceLetters;
use crate::notation::pgn::{Game, GameBuilder, GameResult};
use parking_lot::Mutex;
use serde::Serialize;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// The games of a list that are kept; those behind are read again when they are asked for.
const MAX_KEPT: usize = 50_000;
/// The lists that are kept for a file.
const MAX_LISTS: usize = 4;
/// The games after which what has been found is passed on.
const BATCH: u64 = 4096;

/// A file, a folder or a collection.
pub(super) struct GameFile {
    /// Its name for people.
    pub(super) name: String,
    path: PathBuf,
    sources: Vec<Source>,
    lists: Mutex<Vec<Arc<List>>>,
    /// How the last change that was made here is undone.
    pub(super) undo: Mutex<Option<Undo>>,
    /// The names in it, as of the time when they were read.
    names: Mutex<Option<(SystemTime, Arc<KnownNames>)>>,
}

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Row {
    number: u64,
    white: String,
    black: String,
    result: &'static str,
    date: String,
    event: String,
    eco: String,
    round: String,
    /// As they are written.
    white_elo: String,
    black_elo: String,
    /// Who has annotated the game.
    annotator: String,
    plies: Option<u32>,
}

/// The games that a query finds.
struct List {
    query: String,
    /// When the file was changed.
    changed: Option<SystemTime>,
    count: u64,
    /// The first of them.
    rows: Vec<Row>,
}

impl List {
    /// Whether all of its games are kept.
    fn is_whole(&self) -> bool {
        self.count == self.rows.len() as u64
    }
}

/// Some games of a list, and how many there are.
#[derive(Serialize)]
pub(super) struct Window {
    count: u64,
    games: Vec<Row>,
    /// [`GameFile::stamp`], which a change of the file must name.
    stamp: String,
    /// What the last change was, if it can be undone.
    undo: Option<String>,
}

/// Where a game stands among those that a query finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Neighbors {
    /// How many there are; `None` if all games are meant and they have not been counted.
    count: Option<u64>,
    /// How many of them are before the game; `None` if it is not found itself.
    index: Option<u64>,
    /// The number of the last one before it.
    previous: Option<u64>,
    /// The number of the first one behind it.
    next: Option<u64>,
}

/// Games cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(String),
    /// Nobody waits for it any more.
    #[error("it is not wanted any more")]
    Unwanted,
    /// There is no such game.
    #[error("there is no game {0}")]
    NoGame(u64),
    /// A tree is too large.
    #[error(transparent)]
    Tree(#[from] TooManyMoves),
}

/// Becomes true when nobody waits for an answer any more.
pub(super) type Unwanted = Arc<AtomicBool>;

impl GameFile {
    /// Changes a file of PGN, and remembers how that is undone.
    ///
    /// # Errors
    /// If the file cannot be changed; it is as it was then.
    pub(super) fn change(&self, step: Step) -> Result<Done, EditError> {
        let edited = EditedFile::open(self.path(), matches!(step, Step::Add { .. }))?;
        let done = apply(&edited, step)?;
        let undo = Undo { stamp: self.stamp(), text: done.text.clone(), step: Some(done.undo.clone()) };
        *self.undo.lock() = Some(undo);
        Ok(done)
    }

    /// The file with this name.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn open(path: &Path) -> Result<Self, FileError> {
        let mut problem = None;
        let sources = find_sources(&[path.to_owned()], "pgn", &mut |path, error| {
            problem.get_or_insert(format!("{}: {error}", path.display()));
        });
        if let Some(problem) = problem {
            return Err(FileError::Read(problem));
        }
        if sources.contains(&Source::Stdin) {
            return Err(FileError::Read(
                "standard input has no games to look at again, expected a file".to_owned(),
            ));
        }
        for source in &sources {
            if let Some(path) = source.path()
                && let Err(error) = std::fs::metadata(path)
            {
                return Err(FileError::Read(format!("{}: {error}", path.display())));
            }
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Self {
            name,
            path: path.to_owned(),
            sources,
            lists: Mutex::default(),
            undo: Mutex::default(),
            names: Mutex::default(),
        })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The files that are read for its games.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().filter_map(Source::path)
    }

    /// What is read for its games.
    pub(super) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The state of the file, which every change replaces: its length and the time of its last change in nanoseconds since
    /// 1970, in hexadecimal digits.
    pub(super) fn stamp(&self) -> String {
        let known = std::fs::metadata(&self.path);
        let modified = known.as_ref().ok().and_then(|file| file.modified().ok());
        let nanoseconds = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let length = known.map_or(0, |file| file.len());
        format!("{length:x}-{:x}", nanoseconds.unwrap_or_default().as_nanos())
    }

    /// When it was changed, if that is known.
    fn changed(&self) -> Option<SystemTime> {
        std::fs::metadata(&self.path).and_then(|file| file.modified()).ok()
    }

    /// The names in it, as they were read last or as `read` reads them now.
    ///
    /// # Errors
    /// Those of `read`.
    pub(super) fn names_or(
        &self,
        read: impl FnOnce() -> Result<KnownNames, FileError>,
    ) -> Result<Arc<KnownNames>, FileError> {
        let changed = self.changed();
        if let Some((time, names)) = &*self.names.lock()
            && Some(*time) == changed
        {
            return Ok(Arc::clone(names));
        }
        let names = Arc::new(read()?);
        *self.names.lock() = changed.map(|time| (time, Arc::clone(&names)));
        Ok(names)
    }

    /// Whether it is a collection.
    pub(super) fn is_collection(&self) -> bool {
        matches!(self.sources[..], [Source::Collection(_)])
    }

    /// Whether games can be saved into it: into a file of PGN, or a collection.
    pub(super) fn can_save(&self) -> bool {
        match &self.sources[..] {
            [Source::Collection(path) | Source::File(path)] => *path == self.path,
            _ => false,
        }
    }

    /// Some games of those that a query finds.
    pub(super) fn window(
        &self,
        text: &str,
        query: &Query,
        skip: u64,
        limit: u64,
        unwanted: &Unwanted,
    ) -> Result<Window, FileError> {
        // A file that changes while it is read has another stamp afterwards.
        let stamp = self.stamp();
        let undo = self.undo.lock().as_ref().filter(|undo| undo.stamp == stamp).map(|undo| undo.text.clone());
        let list = self.list(text, query, unwanted)?;
        let end = skip.saturating_add(limit);
        let is_kept = end <= list.rows.len() as u64 || list.is_whole();
        let games = if is_kept {
            let rows = list.rows.iter().skip(usize::try_from(skip).unwrap_or(usize::MAX));
            rows.take(usize::try_from(limit).unwrap_or(usize::MAX)).cloned().collect()
        } else {
            self.find(query, skip, limit, false, unwanted)?.1
        };
        Ok(Window { count: list.count, games, stamp, undo })
    }

    /// The list of a query, if it is known for the file as it is now.
    fn known_list(&self, text: &str) -> Option<Arc<List>> {
        let changed = self.changed();
        // A list of a file whose time cannot be read may be out of date.
        let is_known = |list: &&Arc<List>| list.query == text && changed.is_some() && list.changed == changed;
        self.lists.lock().iter().find(is_known).cloned()
    }

    fn list(&self, text: &str, query: &Query, unwanted: &Unwanted) -> Result<Arc<List>, FileError> {
        if let Some(list) = self.known_list(text) {
            return Ok(list);
        }
        let changed = self.changed();
        let (count, rows) = self.find(query, 0, MAX_KEPT as u64, true, unwanted)?;
        let list = Arc::new(List { query: text.to_owned(), changed, count, rows });
        let mut lists = self.lists.lock();
        lists.retain(|list| list.changed == changed);
        if lists.len() == MAX_LISTS {
            lists.remove(0);
        }
        lists.push(Arc::clone(&list));
        Ok(list)
    }

    /// Where a game stands among those that a query finds.
    pub(super) fn neighbors(
        &self,
        text: &str,
        query: &Query,
        number: u64,
        unwanted: &Unwanted,
    ) -> Result<Neighbors, FileError> {
        if text.trim().is_empty() {
            return self.neighbors_of_all(text, number, unwanted);
        }
        let list = self.list(text, query, unwanted)?;
        let place = list.rows.partition_point(|row| row.number < number);
        let (mut rows, mut before) = (list.rows.as_slice(), place);
        let behind;
        if place + 1 >= rows.len() && !list.is_whole() {
            // Those behind the rows that are kept are read again, up to the game and the next one.
            behind = self.find_around(query, number, unwanted)?;
            (before, rows) = (behind.0, behind.1.as_slice());
        }
        let place = rows.partition_point(|row| row.number < number);
        let is_found = rows.get(place).is_some_and(|row| row.number == number);
        Ok(Neighbors {
            count: Some(list.count),
            index: is_found.then_some(before as u64),
            previous: place.checked_sub(1).map(|index| rows[index].number),
            next: rows.get(place + usize::from(is_found)).map(|row| row.number),
        })
    }

    /// The games beside one of all games, which need not be counted.
    fn neighbors_of_all(&self, text: &str, number: u64, unwanted: &Unwanted) -> Result<Neighbors, FileError> {
        let count = self.known_list(text).map(|list| list.count);
        let next = number.saturating_add(1);
        let has_next = match count {
            Some(count) => next <= count,
            None => match self.game(next, unwanted) {
                Ok(_) => true,
                Err(FileError::NoGame(_)) => false,
                Err(error) => return Err(error),
            },
        };
        Ok(Neighbors {
            count,
            index: number.checked_sub(1),
            previous: number.checked_sub(1).filter(|&previous| previous > 0),
            next: has_next.then_some(next),
        })
    }

    /// The numbers of the first games that a query finds, counted from 1.
    pub(super) fn numbers(
        &self,
        text: &str,
        query: &Query,
        limit: u64,
        unwanted: &Unwanted,
    ) -> Result<Vec<u64>, FileError> {
        let window = self.window(text, query, 0, limit, unwanted)?;
        Ok(window.games.into_iter().map(|row| row.number).collect())
    }

    /// The number of games that a query finds, and some of them. If not all are counted, the reading ends with the last one
    /// that is wanted.
    fn find(
        &self,
        query: &Query,
        skip: u64,
        limit: u64,
        counts_all: bool,
        unwanted: &Unwanted,
    ) -> Result<(u64, Vec<Row>), FileError> {
        let (mut count, mut rows) = (0, Vec::new());
        self.each(query, unwanted, &mut |row| {
            if count >= skip && (rows.len() as u64) < limit {
                rows.push(row);
            }
            count += 1;
            let is_enough = !counts_all && rows.len() as u64 >= limit;
            if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok((count, rows))
    }

    /// The number of games that a query finds before this one, and those around it: at most one before, itself if it is
    /// found, and at most one behind.
    fn find_around(
        &self,
        query: &Query,
        number: u64,
        unwanted: &Unwanted,
    ) -> Result<(usize, Vec<Row>), FileError> {
        let (mut before, mut rows) = (0, Vec::new());
        self.each(query, unwanted, &mut |row| {
            if row.number < number {
                before += 1;
                rows.clear();
            }
            let is_behind = row.number > number;
            rows.push(row);
            if is_behind { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok((before, rows))
    }

    /// Passes on the games that a query finds, in their order, until it is enough.
    fn each(
        &self,
        query: &Query,
        unwanted: &Unwanted,
        take: &mut dyn FnMut(Row) -> ControlFlow<()>,
    ) -> Result<(), FileError> {
        /// Games that have been read, and those of them that were found.
        #[derive(Default)]
        struct Batch {
            games: u64,
            rows: Vec<Row>,
        }
        let work = |part: &mut Part<'_>, emit: &mut dyn FnMut(Batch) -> io::Result<()>| {
            let mut sieve = Sieve::new(Some(query), PieceLetters::default(), false, HeadersOnly(()));
            let mut batch = Batch::default();
            part.reader.require_found(Some(query))?;
            loop {
                batch.games += part.reader.skip(Some(query))?;
                if !part.reader.read_game(&mut sieve)? {
                    break;
                }
                if !sieve.is_ruled_out() && sieve.is_found() {
                    let (_, header, result) = sieve.game();
                    batch.rows.push(Row::new(batch.games, header, result));
                }
                batch.games += 1;
                if batch.games >= BATCH {
                    emit(std::mem::take(&mut batch))?;
                }
            }
            emit(batch)
        };
        let mut before = 0;
        // The break without an error: it is enough.
        let end = read(&self.sources, &Options::default(), work, |source, batch: io::Result<Batch>| {
            let batch = match batch {
                _ if unwanted.load(Ordering::Relaxed) => {
                    return ControlFlow::Break(Some(FileError::Unwanted));
                }
                Ok(batch) => batch,
                Err(error) => {
                    return ControlFlow::Break(Some(FileError::Read(format!("{}: {error}", source.name()))));
                }
            };
            for row in batch.rows {
                if take(Row { number: before + row.number + 1, ..row }).is_break() {
                    return ControlFlow::Break(None);
                }
            }
            before += batch.games;
            ControlFlow::Continue(())
        });
        match end {
            ControlFlow::Break(Some(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// A game by its number, counted from 1.
    pub(super) fn game(&self, number: u64, unwanted: &Unwanted) -> Result<Game, FileError> {
        let wanted = number.checked_sub(1).ok_or(FileError::NoGame(number))?;
        let passed = std::sync::atomic::AtomicU64::new(0);
        let options = Options { threads: 1, ..Options::default() };
        let work = |part: &mut Part<'_>, emit: &mut dyn FnMut(Option<Game>) -> io::Result<()>| {
            // One thread reads.
            let before = wanted - passed.load(Ordering::Relaxed);
            let count = part.reader.pass(before)?;
            passed.fetch_add(count, Ordering::Relaxed);
            let mut builder = GameBuilder::new();
            if count == before && part.reader.read_game(&mut builder)? {
                return emit(Some(builder.take().0));
            }
            emit(None)
        };
        let end = read(&self.sources, &options, work, |source, game: io::Result<Option<Game>>| match game {
            _ if unwanted.load(Ordering::Relaxed) => ControlFlow::Break(Err(FileError::Unwanted)),
            Ok(None) => ControlFlow::Continue(()),
            Ok(Some(game)) => ControlFlow::Break(Ok(game)),
            Err(error) => ControlFlow::Break(Err(FileError::Read(format!("{}: {error}", source.name())))),
        });
        match end {
            ControlFlow::Break(game) => game,
            ControlFlow::Continue(()) => Err(FileError::NoGame(number)),
        }
    }

    /// The moves that the games which a query finds play in a position.
    pub(super) fn tree(
        &self,
        root: &Arc<Root>,
        query: &Query,
        unwanted: &Unwanted,
    ) -> Result<Tree, FileError> {
        let new = || Tree::new(Arc::clone(root), false);
        let work = |part: &mut Part<'_>, emit: &mut dyn FnMut(Tree) -> io::Result<()>| {
            let mut sieve = Sieve::new(Some(query), PieceLetters::default(), false, new());
            part.reader.require(root.key())?;
            loop {
                part.reader.skip(Some(query))?;
                if !part.reader.read_game(&mut sieve)? {
                    break;
                }
                if !sieve.is_ruled_out() && sieve.is_found() {
                    let (tree, header, result) = sieve.game();
                    tree.add(&GameFacts::new(header, result));
                }
            }
            emit(sieve.follower)
        };
        let mut tree = new();
        let end = read(&self.sources, &Options::default(), work, |source, part: io::Result<Tree>| {
            let merged = match part {
                _ if unwanted.load(Ordering::Relaxed) => Err(FileError::Unwanted),
                Ok(part) => tree.merge(part).map_err(FileError::from),
                Err(error) => Err(FileError::Read(format!("{}: {error}", source.name()))),
            };
            merged.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        match end {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(tree),
        }
    }
}

impl Row {
    /// The row of a game with this index in its batch.
    fn new(number: u64, header: &dyn Header, result: GameResult) -> Self {
        let tag = |name: &str| header.tag(name).unwrap_or_default().to_owned();
        Self {
            number,
            white: tag("White"),
            black: tag("Black"),
            result: result.as_str(),
            date: tag("Date"),
            event: tag("Event"),
            eco: tag("ECO"),
            round: tag("Round"),
            white_elo: tag("WhiteElo"),
            black_elo: tag("BlackElo"),
            annotator: tag("Annotator"),
            plies: header.tag("PlyCount").and_then(|count| count.parse().ok()),
        }
    }
}

/// The root of a tree of one ply.
pub(super) fn root(start: Position, moves: Vec<crate::chess::Move>) -> Arc<Root> {
    Arc::new(Root::new(start, moves, 1, false))
}
