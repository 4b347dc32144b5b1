//! The files and collections of games on the command line of the board.

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
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::SystemTime;

/// The maximum number of games of a list that are kept in memory; later ones are read again when they are requested.
const MAX_KEPT: usize = 50_000;
/// The maximum number of lists per file that are kept.
const MAX_LISTS: usize = 4;
/// The number of games after which intermediate results are passed on.
const BATCH: u64 = 4096;

/// A file, a folder or a collection.
pub(super) struct GameFile {
    /// Its name for people.
    pub(super) name: String,
    path: PathBuf,
    lists: Mutex<Vec<Arc<List>>>,
    /// The undo step of the last change that was made here.
    pub(super) undo: Mutex<Option<Undo>>,
    /// The names in the file, with the state of the file when they were read.
    names: Mutex<Option<(String, Arc<KnownNames>)>>,
}

/// The games that a query finds.
struct List {
    query: String,
    order: Order,
    /// The state of the file when the list was read; `None` if it could not be determined.
    state: Option<String>,
    count: u64,
    results: Results,
    /// The first games of the list in this order.
    rows: Vec<Row>,
}

impl List {
    /// Whether all games of the list are in `rows`.
    fn is_whole(&self) -> bool {
        self.count == self.rows.len() as u64
    }
}

/// A part of a list of games.
#[derive(Serialize)]
pub(super) struct Window {
    count: u64,
    results: Results,
    /// The number of games that are available in this order.
    shown: u64,
    games: Vec<Row>,
    /// [`GameFile::stamp`], which a change of the file must name.
    stamp: String,
    /// The text of the last change, if it can be undone.
    undo: Option<String>,
}

/// The place of a game in the list of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Neighbors {
    /// The number of games in the list; `None` if the query is empty and the games have not been counted.
    count: Option<u64>,
    /// The number of games before the game; `None` if the query does not find the game.
    index: Option<u64>,
    /// The number of the previous game in the list.
    previous: Option<u64>,
    /// The number of the next game in the list.
    next: Option<u64>,
}

/// The reason why games cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(String),
    /// The request has been canceled.
    #[error("the request has been canceled")]
    Unwanted,
    /// There is no game with this number.
    #[error("there is no game {0}")]
    NoGame(u64),
    /// A query is invalid.
    #[error("{text}")]
    Query {
        /// The error.
        text: String,
        /// The column of the error, counted from 1.
        column: Option<usize>,
    },
    /// A tree is too large.
    #[error(transparent)]
    Tree(#[from] TooManyMoves),
}

/// Becomes true when a request is canceled.
pub(super) type Unwanted = Arc<AtomicBool>;

impl GameFile {
    /// Changes a PGN file, and stores how to undo the change.
    ///
    /// # Errors
    /// If the file cannot be changed; it then remains unchanged.
    pub(super) fn change(&self, step: Step) -> Result<Done, EditError> {
        let edited = EditedFile::open(self.path(), matches!(step, Step::Add { .. }))?;
        let done = apply(&edited, step)?;
        let undo = Undo { stamp: self.stamp(), text: done.text.clone(), step: Some(done.undo.clone()) };
        *self.undo.lock() = Some(undo);
        Ok(done)
    }

    /// Opens the file or folder at this path.
    ///
    /// # Errors
    /// If it does not exist or cannot be read, or if it is standard input.
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

    /// The path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether one of the files that are read for games matches.
    pub(super) fn reads(&self, is_meant: impl Fn(&Path) -> bool) -> bool {
        self.sources().is_ok_and(|sources| sources.iter().filter_map(Source::path).any(is_meant))
    }

    /// The files and collections that are read for games. The content of a folder is listed anew.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub(super) fn sources(&self) -> Result<Vec<Source>, FileError> {
        sources_at(&self.path)
    }

    /// The state of the file as a text that every change alters. For a single file: its length and the time of its last
    /// change in nanoseconds since 1970, in hexadecimal digits. For a folder: the total length of its files, and a hash
    /// of their paths, lengths and times. Empty if the state cannot be determined.
    pub(super) fn stamp(&self) -> String {
        self.state().unwrap_or_default()
    }

    /// Like [`GameFile::stamp`], but `None` if the state cannot be determined.
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

    /// Parses a query, which may name the saved queries of the collections.
    ///
    /// # Errors
    /// [`FileError::Query`] with the column of the error; [`FileError::Read`] if a collection cannot be read.
    pub(super) fn query(&self, text: &str) -> Result<Query, FileError> {
        /// The maximum length of a query, in bytes.
        const MAX_QUERY: usize = 10_000;
        /// A word that every query with a saved query contains.
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

    /// The names in the file: the known ones if the file has not changed since, or else those that `read` returns.
    ///
    /// # Errors
    /// The errors of `read`.
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

    /// Whether the file is a collection.
    pub(super) fn is_collection(&self) -> bool {
        is_collection(&self.path)
    }

    /// Whether games can be saved to the file, which is true for PGN files and collections.
    pub(super) fn can_save(&self) -> bool {
        let is_itself = |sources: Vec<Source>| match &sources[..] {
            [Source::Collection(path) | Source::File(path)] => *path == self.path,
            _ => false,
        };
        self.sources().is_ok_and(is_itself)
    }

    /// A part of the list of games that a query finds.
    pub(super) fn window(
        &self,
        text: &str,
        order: Order,
        skip: u64,
        limit: u64,
        unwanted: &Unwanted,
    ) -> Result<Window, FileError> {
        let query = self.query(text)?;
        // The stamp is read first, so that it does not match if the file changes while it is read.
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

    /// The list of a query, if it is known for the current state of the file.
    fn known_list(&self, text: &str, order: Order) -> Option<Arc<List>> {
        let state = self.state();
        // If the state cannot be determined, a list may be out of date.
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

    /// The results of all games that a query finds, and the first `most` of them in each of these orders.
    pub(super) fn first_by<const N: usize>(
        &self,
        query: &Query,
        orders: [Order; N],
        most: usize,
        unwanted: &Unwanted,
    ) -> Result<(Results, [Vec<Row>; N]), FileError> {
        /// The minimum number of rows to sort at a time.
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

    /// The place of a game in the list of a query.
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
            // Games beyond the kept rows are read again, up to the game and its successor.
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

    /// The neighbors of a game in the whole file, without counting its games.
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

    /// The numbers of the first `limit` games that a query finds, counted from 1.
    pub(super) fn numbers(
        &self,
        text: &str,
        limit: usize,
        unwanted: &Unwanted,
    ) -> Result<Vec<u64>, FileError> {
        let list = self.list(text, &self.query(text)?, Order::Number, unwanted)?;
        Ok(list.rows.iter().take(limit).map(|row| row.number).collect())
    }

    /// A part of the games that a query finds. The reading ends after the last of them.
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

    /// The number of games that a query finds before this one, and the rows around it: at most one before, the game
    /// itself if it is found, and at most one after.
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

    /// Passes the games that a query finds to `take` in their order, each with the color of the player named by the
    /// query, until it breaks.
    fn each(
        &self,
        query: &Query,
        unwanted: &Unwanted,
        take: &mut dyn FnMut(Row, Option<Color>) -> ControlFlow<()>,
    ) -> Result<(), FileError> {
        /// Some games that have been read: their number, and the rows of those that were found.
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
        // A break without an error means that `take` needs no more games.
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

    /// Reads a game by its number, counted from 1.
    pub(super) fn game(&self, number: u64, unwanted: &Unwanted) -> Result<Game, FileError> {
        let game = self.games(&BTreeSet::from([number]), unwanted)?.remove(&number);
        game.ok_or(FileError::NoGame(number))
    }

    /// Reads games by their numbers, counted from 1. Numbers without a game are left out.
    pub(super) fn games(
        &self,
        numbers: &BTreeSet<u64>,
        unwanted: &Unwanted,
    ) -> Result<BTreeMap<u64, Game>, FileError> {
        let passed = AtomicU64::new(0);
        let options = Options { threads: 1, ..Options::default() };
        let work = |part: &mut Part<'_>, emit: &mut dyn FnMut(Vec<(u64, Game)>) -> io::Result<()>| {
            let mut found = Vec::new();
            let mut builder = GameBuilder::new();
            // There is only one reading thread, so no other changes the count.
            let mut before = passed.load(Ordering::Relaxed);
            while let Some(&number) = numbers.range(before + 1..).next() {
                before += part.reader.pass(number - 1 - before)?;
                if before + 1 < number || !part.reader.read_game(&mut builder)? {
                    break; // the part has no more games
                }
                before = number;
                found.push((number, builder.take().0));
            }
            passed.store(before, Ordering::Relaxed);
            emit(found)
        };
        let mut games = BTreeMap::new();
        let last = numbers.last();
        let sources = self.sources()?;
        let end = read(&sources, &options, work, |source, found: io::Result<Vec<_>>| match found {
            _ if unwanted.load(Ordering::Relaxed) => ControlFlow::Break(Some(FileError::Unwanted)),
            Ok(found) => {
                games.extend(found);
                // A break without an error means that no more games are needed.
                let is_done = last.is_none_or(|last| games.contains_key(last));
                if is_done { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
            }
            Err(error) => ControlFlow::Break(Some(FileError::Read(format!("{}: {error}", source.name())))),
        });
        match end {
            ControlFlow::Break(Some(error)) => Err(error),
            _ => Ok(games),
        }
    }

    /// The moves that the games found by a query played in the position of the root.
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

/// The files and collections that are read for games at this path.
///
/// # Errors
/// If the path cannot be read.
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
