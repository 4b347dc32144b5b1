//! The files and collections of games that the board was started with.

use super::file_steps::{Done, Step, Undo, apply};
use super::game_rows::{Order, Results, Row};
use super::known_names::KnownNames;
use crate::chess::{Color, Position};
use crate::database::{
    Collection, EditError, EditedFile, GameFacts, HeadersOnly, Options, Part, Query, Root, Sieve, Source,
    TooManyMoves, Tree, find_sources, is_collection, read,
};
use crate::notation::PieceLetters;
use crate::notation::pgn::{Game, GameBuilder};
use parking_lot::Mutex;
use serde::Serialize;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    lists: Mutex<Vec<Arc<List>>>,
    /// How the last change that was made here is undone.
    pub(super) undo: Mutex<Option<Undo>>,
    /// The names in it, with the state of the file when they were read.
    names: Mutex<Option<(String, Arc<KnownNames>)>>,
}

/// The games that a query finds.
struct List {
    query: String,
    order: Order,
    /// The state of the file.
    state: Option<String>,
    count: u64,
    results: Results,
    /// The first of them in this order.
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
    results: Results,
    /// How many of them can be had in this order.
    shown: u64,
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
    /// A query cannot be read.
    #[error("{text}")]
    Query {
        /// What is wrong with it.
        text: String,
        /// Where, counted from 1.
        column: Option<usize>,
    },
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
        let sources = sources_at(path)?;
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
            lists: Mutex::default(),
            undo: Mutex::default(),
            names: Mutex::default(),
        })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this file is read for its games.
    pub(super) fn reads(&self, is_meant: impl Fn(&Path) -> bool) -> bool {
        self.sources().is_ok_and(|sources| sources.iter().filter_map(Source::path).any(is_meant))
    }

    /// What is read for its games: of a folder, what is in it now.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn sources(&self) -> Result<Vec<Source>, FileError> {
        sources_at(&self.path)
    }

    /// The state of the file, which every change replaces: its length and the time of its last change in nanoseconds
    /// since 1970, in hexadecimal digits. Of a folder it is the length of its files and a number that stands for their
    /// names and times. It is empty if that is not known.
    pub(super) fn stamp(&self) -> String {
        self.state().unwrap_or_default()
    }

    /// The same; `None` if it is not known.
    fn state(&self) -> Option<String> {
        let sources = self.sources().ok()?;
        let (mut length, mut last) = (0_u64, 0);
        let mut all = DefaultHasher::new();
        for path in sources.iter().filter_map(Source::path) {
            let file = std::fs::metadata(path).ok()?;
            last =
                file.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
            length = length.saturating_add(file.len());
            (path, file.len(), last).hash(&mut all);
        }
        let is_one = matches!(&sources[..], [source] if source.path() == Some(&self.path));
        Some(if is_one { format!("{length:x}-{last:x}") } else { format!("{length:x}-{:x}", all.finish()) })
    }

    /// A query on it, which may name those that its collections keep.
    ///
    /// # Errors
    /// [`FileError::Query`] with the place at which it is wrong.
    pub(super) fn query(&self, text: &str) -> Result<Query, FileError> {
        /// The longest query.
        const MAX_QUERY: usize = 10_000;
        /// What a query that names another must have.
        const NAMING: &str = "query";
        if text.len() > MAX_QUERY {
            let text = format!("expected a query of at most {MAX_QUERY} bytes");
            return Err(FileError::Query { text, column: None });
        }
        let mut saved = BTreeMap::new();
        if text.to_ascii_lowercase().contains(NAMING) {
            for source in self.sources()?.iter().rev() {
                let Source::Collection(path) = source else { continue };
                let collection = Collection::open(path)
                    .map_err(|error| FileError::Read(format!("{}: {error}", path.display())))?;
                saved.extend(collection.queries().clone());
            }
        }
        Query::with_saved(text, &saved)
            .map_err(|error| FileError::Query { text: error.to_string(), column: Some(error.column) })
    }

    /// The names in it, as they were read last or as `read` reads them now.
    ///
    /// # Errors
    /// Those of `read`.
    pub(super) fn names_or(
        &self,
        read: impl FnOnce() -> Result<KnownNames, FileError>,
    ) -> Result<Arc<KnownNames>, FileError> {
        let state = self.state();
        if let Some((known, names)) = &*self.names.lock()
            && Some(known) == state.as_ref()
        {
            return Ok(Arc::clone(names));
        }
        let names = Arc::new(read()?);
        *self.names.lock() = state.map(|state| (state, Arc::clone(&names)));
        Ok(names)
    }

    /// Whether it is a collection.
    pub(super) fn is_collection(&self) -> bool {
        is_collection(&self.path)
    }

    /// Whether games can be saved into it: into a file of PGN, or a collection.
    pub(super) fn can_save(&self) -> bool {
        let is_itself = |sources: Vec<Source>| match &sources[..] {
            [Source::Collection(path) | Source::File(path)] => *path == self.path,
            _ => false,
        };
        self.sources().is_ok_and(is_itself)
    }

    /// Some games of those that a query finds.
    pub(super) fn window(
        &self,
        text: &str,
        order: Order,
        skip: u64,
        limit: u64,
        unwanted: &Unwanted,
    ) -> Result<Window, FileError> {
        let query = self.query(text)?;
        // A file that changes while it is read has another stamp afterwards.
        let stamp = self.stamp();
        let undo = self.undo.lock().as_ref().filter(|undo| undo.stamp == stamp).map(|undo| undo.text.clone());
        let list = self.list(text, &query, order, unwanted)?;
        let end = skip.saturating_add(limit);
        let kept = list.rows.len() as u64;
        let mut games = if end <= kept || list.is_whole() || order != Order::Number {
            let rows = list.rows.iter().skip(usize::try_from(skip).unwrap_or(usize::MAX));
            rows.take(usize::try_from(limit).unwrap_or(usize::MAX)).cloned().collect()
        } else {
            self.find(&query, skip, limit, unwanted)?
        };
        self.complete(&mut games, &query, unwanted)?;
        let shown = if order == Order::Number { list.count } else { kept };
        Ok(Window { count: list.count, results: list.results, shown, games, stamp, undo })
    }

    /// The list of a query, if it is known for the file as it is now.
    fn known_list(&self, text: &str, order: Order) -> Option<Arc<List>> {
        let state = self.state();
        // A list of a file whose state cannot be read may be out of date.
        let is_known = |list: &&Arc<List>| {
            list.query == text && list.order == order && state.is_some() && list.state == state
        };
        self.lists.lock().iter().find(is_known).cloned()
    }

    fn list(
        &self,
        text: &str,
        query: &Query,
        order: Order,
        unwanted: &Unwanted,
    ) -> Result<Arc<List>, FileError> {
        if let Some(list) = self.known_list(text, order) {
            return Ok(list);
        }
        let state = self.state();
        let (results, [rows]) = self.first_by(query, [order], MAX_KEPT, unwanted)?;
        let count = results.games();
        let list = Arc::new(List { query: text.to_owned(), order, state, count, results, rows });
        let mut lists = self.lists.lock();
        lists.retain(|old| old.state == list.state);
        if lists.len() == MAX_LISTS {
            lists.remove(0);
        }
        lists.push(Arc::clone(&list));
        Ok(list)
    }

    /// The results of the games that a query finds, and the first of them in each of these orders.
    pub(super) fn first_by<const N: usize>(
        &self,
        query: &Query,
        orders: [Order; N],
        most: usize,
        unwanted: &Unwanted,
    ) -> Result<(Results, [Vec<Row>; N]), FileError> {
        /// The rows that are put in order at once, at the least.
        const LEAST: usize = 4096;
        let (mut results, mut found) = (Results::default(), [const { Vec::new() }; N]);
        self.each(query, unwanted, &mut |row, player| {
            results.add(&row, player);
            for (order, rows) in orders.iter().zip(&mut found) {
                if *order == Order::Number && rows.len() >= most {
                    continue;
                }
                rows.push(row.clone());
                if rows.len() >= LEAST.max(2 * most) {
                    order.sort(rows, most);
                }
            }
            ControlFlow::Continue(())
        })?;
        for (order, rows) in orders.iter().zip(&mut found) {
            order.sort(rows, most);
        }
        Ok((results, found))
    }

    /// Where a game stands among those that a query finds.
    pub(super) fn neighbors(
        &self,
        text: &str,
        order: Order,
        number: u64,
        unwanted: &Unwanted,
    ) -> Result<Neighbors, FileError> {
        if text.trim().is_empty() && order == Order::Number {
            return self.neighbors_of_all(text, number, unwanted);
        }
        let query = self.query(text)?;
        let list = self.list(text, &query, order, unwanted)?;
        if order != Order::Number {
            let index = list.rows.iter().position(|row| row.number == number);
            let beside =
                |index: Option<usize>| index.and_then(|index| list.rows.get(index)).map(|row| row.number);
            return Ok(Neighbors {
                count: Some(list.count),
                index: index.map(|index| index as u64),
                previous: beside(index.and_then(|index| index.checked_sub(1))),
                next: beside(index.map(|index| index + 1)),
            });
        }
        let place = list.rows.partition_point(|row| row.number < number);
        let (mut rows, mut before) = (list.rows.as_slice(), place);
        let behind;
        if place + 1 >= rows.len() && !list.is_whole() {
            // Those behind the rows that are kept are read again, up to the game and the next one.
            behind = self.find_around(&query, number, unwanted)?;
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
        let count = self.known_list(text, Order::Number).map(|list| list.count);
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
        limit: usize,
        unwanted: &Unwanted,
    ) -> Result<Vec<u64>, FileError> {
        let list = self.list(text, &self.query(text)?, Order::Number, unwanted)?;
        Ok(list.rows.iter().take(limit).map(|row| row.number).collect())
    }

    /// Some of the games that a query finds. The reading ends with the last one that is wanted.
    fn find(&self, query: &Query, skip: u64, limit: u64, unwanted: &Unwanted) -> Result<Vec<Row>, FileError> {
        let (mut count, mut rows) = (0, Vec::new());
        self.each(query, unwanted, &mut |row, _| {
            if count >= skip && (rows.len() as u64) < limit {
                rows.push(row);
            }
            count += 1;
            if rows.len() as u64 >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(rows)
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
        self.each(query, unwanted, &mut |row, _| {
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

    /// Passes on the games that a query finds, each with the side of a player whom the query names, in their order,
    /// until it is enough.
    fn each(
        &self,
        query: &Query,
        unwanted: &Unwanted,
        take: &mut dyn FnMut(Row, Option<Color>) -> ControlFlow<()>,
    ) -> Result<(), FileError> {
        /// Games that have been read, and those of them that were found.
        #[derive(Default)]
        struct Batch {
            games: u64,
            rows: Vec<(Row, Option<Color>)>,
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
                    batch.rows.push((Row::new(batch.games, header, result), query.named_player(header)));
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
        let sources = self.sources()?;
        let end = read(&sources, &Options::default(), work, |source, batch: io::Result<Batch>| {
            let batch = match batch {
                _ if unwanted.load(Ordering::Relaxed) => {
                    return ControlFlow::Break(Some(FileError::Unwanted));
                }
                Ok(batch) => batch,
                Err(error) => {
                    return ControlFlow::Break(Some(FileError::Read(format!("{}: {error}", source.name()))));
                }
            };
            for (row, player) in batch.rows {
                if take(row.behind(before), player).is_break() {
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
        let passed = AtomicU64::new(0);
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
        let sources = self.sources()?;
        let end = read(&sources, &options, work, |source, game: io::Result<Option<Game>>| match game {
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
        let sources = self.sources()?;
        let end = read(&sources, &Options::default(), work, |source, part: io::Result<Tree>| {
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

/// What is read for the games at this path.
///
/// # Errors
/// What is wrong with it.
fn sources_at(path: &Path) -> Result<Vec<Source>, FileError> {
    let mut problem = None;
    let sources = find_sources(&[path.to_owned()], "pgn", &mut |path, error| {
        problem.get_or_insert(format!("{}: {error}", path.display()));
    });
    problem.map_or(Ok(sources), |problem| Err(FileError::Read(problem)))
}

/// The root of a tree of one ply.
pub(super) fn root(start: Position, moves: Vec<crate::chess::Move>) -> Arc<Root> {
    Arc::new(Root::new(start, moves, 1, false))
}
