//! A collection: a folder of immutable segments with checksums, and a manifest that is replaced by a rename.
//!
//! Readers lock nothing: what they open is one state, whatever is changed meanwhile. There is one change at a time.
//! A crash at any moment leaves the state before or behind a change. Every file has a version in its first line.

mod check;
mod code;
mod column_writer;
mod encode;
mod header;
mod index;
mod line;
mod manifest;
mod move_number;
mod nodes;
mod partition;
mod positions;
mod reader;
mod record;
mod seen;
mod segment;
mod shared;
mod source_file;
mod writer;

pub use line::StoredLine;
pub use manifest::Origin;
pub use reader::Passed;
pub use source_file::{FileState, SourceComparison, SourceFile};
pub use writer::{Change, Encoded, Undone};

pub(in crate::database) use encode::{Encoder, Recordable};
pub(in crate::database) use line::line_number;
pub(in crate::database) use reader::{Chunk, Chunks, StoredReader};
pub(in crate::database) use record::{GameText, Recorder};
pub(in crate::database) use seen::Seen;

use crate::files::allow_many_files;
use check::check_segment;
use manifest::{Deleted, Manifest, segment_name};
use shared::Opened;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

/// The extension of the folder of a collection.
const EXTENSION: &str = "hdb";
/// How often a state is opened anew if it is replaced while its files are opened.
const ATTEMPTS: usize = 20;

/// Whether this is the folder of a collection, by its name or by its content.
pub fn is_collection(path: &Path) -> bool {
    let has_extension = path.extension().is_some_and(|found| found.eq_ignore_ascii_case(EXTENSION));
    path.is_dir() && (has_extension || manifest::is_in(path))
}

/// One state of a collection.
pub struct Collection {
    manifest: Manifest,
    segments: Vec<Opened>,
}

/// The parts of a collection, as `db info` shows them.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Info {
    /// Games that are not deleted.
    pub games: u64,
    /// Games that are marked as deleted.
    pub deleted: u64,
    /// Segments.
    pub segments: usize,
    /// The size of all of it on the disk.
    pub bytes: u64,
    /// The part of that which is the index of positions.
    pub index_bytes: u64,
    /// Changes so far.
    pub changes: u64,
    /// The sources in the order in which they were added.
    pub sources: Vec<SourceInfo>,
}

/// A source of games.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct SourceInfo {
    /// Where it was, and when it was added.
    #[serde(flatten)]
    pub origin: Origin,
    /// Its games that are in the collection, with those that are marked as deleted.
    pub games: u64,
    /// Those that are marked.
    pub deleted: u64,
}

impl Collection {
    /// Opens the current state.
    ///
    /// # Errors
    /// If the manifest cannot be read. What is wrong with a segment is found when that is read.
    pub fn open(folder: &Path) -> io::Result<Self> {
        // Each addition and each edit makes a segment, and all are open at once.
        allow_many_files();
        let mut attempt = 1;
        loop {
            let manifest = Manifest::load(folder)?;
            let open = |number: u32| File::open(folder.join(segment_name(number)));
            let files: Vec<io::Result<File>> =
                manifest.segments.iter().map(|segment| open(segment.number)).collect();
            let is_gone = |error: &io::Error| error.kind() == ErrorKind::NotFound;
            let deleted = match manifest.deleted(folder) {
                Err(error) if is_gone(&error) => None,
                deleted => Some(deleted?),
            };
            let is_changing = deleted.is_none() || files.iter().any(|file| file.as_ref().is_err_and(is_gone));
            if is_changing && attempt < ATTEMPTS && Manifest::load(folder)? != manifest {
                attempt += 1;
                continue;
            }
            let gone = || io::Error::new(ErrorKind::NotFound, "a list of deleted games is missing");
            let mut deleted = deleted.ok_or_else(gone)?;
            let segments = manifest.segments.iter().zip(files);
            let segments = segments.map(|(entry, file)| Opened {
                number: entry.number,
                games: entry.games,
                bytes: entry.bytes,
                checksum: entry.checksum,
                file,
                deleted: Arc::new(deleted.remove(&entry.number).unwrap_or_default()),
            });
            let segments = segments.collect();
            return Ok(Self { manifest, segments });
        }
    }

    /// The queries that it keeps, by their names.
    pub const fn queries(&self) -> &BTreeMap<String, String> {
        &self.manifest.queries
    }

    /// The size of all segments in bytes.
    pub fn size(&self) -> u64 {
        self.segments.iter().map(|segment| segment.bytes).sum()
    }

    /// Games that are not deleted.
    pub fn games(&self) -> u64 {
        self.segments.iter().map(|segment| segment.games - segment.deleted.len() as u64).sum()
    }

    /// Whether reading all games and adding them again would make it smaller or faster.
    pub fn can_be_compacted(&self) -> bool {
        let half = segment::MAX_GAMES as u64 / 2;
        let small = self.segments.iter().filter(|segment| segment.games < half).count();
        !self.manifest.marks.is_empty() || small > 1
    }

    /// The games with these numbers, counted from 1 without those that are deleted, as [`Change::delete`] takes
    /// them. Numbers come in their order.
    pub fn marks(&self, numbers: impl IntoIterator<Item = u64>) -> Marks {
        let mut marks = Deleted::new();
        let mut segments = self.segments.iter();
        // The segment of now, the number of the next game, and its index.
        let mut current = segments.next();
        let (mut next, mut index) = (1, 0_u64);
        for number in numbers {
            while let Some(segment) = current {
                if index >= segment.games {
                    (current, index) = (segments.next(), 0);
                } else if u16::try_from(index).is_ok_and(|game| segment.deleted.binary_search(&game).is_ok())
                {
                    index += 1;
                } else if next < number {
                    (next, index) = (next + 1, index + 1);
                } else {
                    marks.entry(segment.number).or_default().extend(u16::try_from(index));
                    (next, index) = (next + 1, index + 1);
                    break;
                }
            }
        }
        Marks(marks)
    }

    /// The sources in the order in which they were added.
    pub fn sources(&self) -> impl Iterator<Item = &Origin> {
        self.manifest.origins.iter()
    }

    /// The games of the sources with these numbers, without those that are deleted.
    ///
    /// # Errors
    /// If a segment is damaged.
    pub fn marks_of(self, sources: &[usize]) -> io::Result<Marks> {
        let mut marks = Deleted::new();
        for opened in self.segments {
            let (number, deleted) = (opened.number, Arc::clone(&opened.deleted));
            let mut end = 0;
            for (origin, games) in opened.read()?.origins()? {
                let run = end..end + games;
                end = run.end;
                if sources.contains(&origin) {
                    let games = run.filter_map(|game| u16::try_from(game).ok());
                    let left = games.filter(|game| deleted.binary_search(game).is_err());
                    marks.entry(number).or_default().extend(left);
                }
            }
        }
        Ok(Marks(marks))
    }

    /// The sizes of the collection and its sources.
    ///
    /// # Errors
    /// If a segment is damaged.
    pub fn info(self) -> io::Result<Info> {
        let (games, bytes, segments) = (self.games(), self.size(), self.segments.len());
        let deleted = self.segments.iter().map(|segment| segment.deleted.len() as u64).sum();
        let mut sources: Vec<SourceInfo> = self
            .manifest
            .origins
            .into_iter()
            .map(|origin| SourceInfo { origin, games: 0, deleted: 0 })
            .collect();
        let mut index_bytes = 0;
        for opened in self.segments {
            let marked = Arc::clone(&opened.deleted);
            let segment = opened.read()?;
            index_bytes += segment.index_bytes();
            let mut end = 0;
            for (origin, games) in segment.origins()? {
                let start = end;
                end += games;
                let before = |game: usize| marked.partition_point(|&other| usize::from(other) < game);
                if let Some(source) = sources.get_mut(origin) {
                    source.games += games as u64;
                    source.deleted += (before(end) - before(start)) as u64;
                }
            }
        }
        Ok(Info { games, deleted, segments, bytes, index_bytes, changes: self.manifest.generation, sources })
    }

    /// Reads every part of every segment, replays every game and counts again what is kept of all of them; `done` gets
    /// the bytes behind. Returns what is wrong, each with the name of its segment.
    pub fn check(self, done: &(dyn Fn(u64) + Sync)) -> Vec<String> {
        let mut wrong = Vec::new();
        // One after the other, each on all threads: what is counted of a segment takes some hundred megabytes.
        for opened in self.segments {
            let bytes = opened.bytes;
            match opened.read() {
                Ok(segment) => wrong.extend(check_segment(&segment)),
                Err(error) => wrong.push(error.to_string()),
            }
            done(bytes);
        }
        wrong
    }

    /// All games, some at a time, for so many threads; segment by segment, if it is better that a thread has a whole
    /// one.
    pub(in crate::database) fn chunks(self, threads: usize, by_segment: bool) -> Chunks {
        Chunks::new(self.segments, self.manifest.origins, threads, by_segment)
    }
}

/// Games of a collection, to be deleted.
pub struct Marks(Deleted);

impl Marks {
    /// Their number.
    pub fn games(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Marks them.
    ///
    /// # Errors
    /// As [`Change::delete`].
    pub fn apply(&self, change: &mut Change) -> io::Result<()> {
        change.delete(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{Options, Source, read};
    use crate::notation::PieceLetters;
    use crate::notation::pgn::{Export, GameBuilder};
    use proptest::prelude::*;
    use std::fs;
    use std::ops::ControlFlow;
    use std::path::PathBuf;

    const GAMES: &str = r#"[Event "a"]
[White "A"]
[Result "1-0"]

1. e4 e5 2. Qh5 {early} Nc6 3. Bc4 Nf6 (3... g6 4. Qf3) 4. Qxf7# 1-0

[Event "b"]
[White "B"]
[Result "*"]

1. d4 d5 2. Ke4 *

"#;

    /// Reads the games of a source as text; an error is a text, too.
    fn games(source: Source) -> Vec<String> {
        let mut found = Vec::new();
        let options = Options { threads: 1, ..Options::default() };
        let flow = read(
            &[source],
            &options,
            |part, emit| {
                let mut builder = GameBuilder::new();
                while part.reader.read_game(&mut builder)? {
                    emit(format!("{}{:?}", Export::new().game(builder.game()), builder.errors()))?;
                }
                Ok(())
            },
            |_, game| {
                found.push(game.unwrap_or_else(|error| error.to_string()));
                ControlFlow::<()>::Continue(())
            },
        );
        assert!(flow.is_continue());
        found
    }

    /// A collection of a few games, and the file that it was made of.
    fn collection(name: &str) -> (PathBuf, PathBuf) {
        collection_of(name, 3, |_| ())
    }

    /// The same with so many copies of them, changed before they are added.
    fn collection_of(name: &str, copies: usize, change_block: fn(&mut Encoded)) -> (PathBuf, PathBuf) {
        let folder = std::env::temp_dir().join(format!("hematite-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        let (pgn, hdb) = (folder.join("a.pgn"), folder.join("a.hdb"));
        fs::write(&pgn, GAMES.repeat(copies)).expect("a file can be written");
        let mut change = Change::create(&hdb).expect("a collection can be made");
        let origin = change.add_origin("a.pgn".to_owned(), None);
        let options = Options { keeps_text: true, ..Options::default() };
        let flow = read(
            &[Source::File(pgn.clone())],
            &options,
            |part, emit| part.reader.encode(PieceLetters::default(), None, emit),
            |_, block| {
                let mut block = block.expect("the file can be read");
                change_block(&mut block);
                change.add(block, origin).expect("it can be written");
                ControlFlow::<()>::Continue(())
            },
        );
        assert!(flow.is_continue());
        change.finish().expect("it can be written");
        (pgn, hdb)
    }

    #[test]
    fn games_come_back_with_their_errors() {
        let (pgn, hdb) = collection("games");
        let expected = games(Source::File(pgn));
        assert_eq!(expected.len(), 6);
        assert_eq!(games(Source::Collection(hdb.clone())), expected);
        let check = Collection::open(&hdb).expect("it was made").check(&|_| ());
        assert_eq!(check, Vec::<String>::new());
        fs::remove_dir_all(hdb.parent().expect("a folder")).expect("it can be removed");
    }

    #[test]
    fn what_is_kept_of_games_is_counted_again() {
        /// The start of a message, and what makes it true.
        type Case = (&'static str, fn(&mut Encoded));
        let cases: [Case; 4] = [
            ("", |_| ()),
            ("the index", Encoded::forget_a_position),
            ("the moves of positions", Encoded::draw_all),
            ("game 1: where its pawns", Encoded::forget_pawns),
        ];
        for (expected, change) in cases {
            let (_, hdb) = collection_of("counted", 20, change);
            let found = Collection::open(&hdb).expect("it was made").check(&|_| ());
            let first = found.first().map_or("", |found| found.trim_start_matches("segment 000000.games: "));
            assert!(first.starts_with(expected) && found.is_empty() == expected.is_empty(), "{found:?}");
            fs::remove_dir_all(hdb.parent().expect("a folder")).expect("it can be removed");
        }
    }

    #[test]
    fn changed_bytes_of_a_segment_are_seen_and_never_panic() {
        let (pgn, hdb) = collection("changed");
        let expected = games(Source::File(pgn));
        let segment = hdb.join(segment_name(0));
        let whole = fs::read(&segment).expect("a file");
        let mut runner = proptest::test_runner::TestRunner::default();
        let changes = (any::<prop::sample::Index>(), 1_u8.., any::<bool>());
        let tested = runner.run(&changes, |(at, change, is_cut)| {
            let mut bytes = whole.clone();
            let at = at.index(bytes.len());
            if is_cut {
                bytes.truncate(at);
            } else {
                bytes[at] ^= change;
            }
            fs::write(&segment, &bytes).expect("a file can be written");
            let damage = Collection::open(&hdb).expect("the manifest is good").check(&|_| ());
            prop_assert!(!damage.is_empty(), "byte {at}");
            prop_assert!(damage.iter().all(|problem| problem.contains("segment 000000.games")), "{damage:?}");
            // What can be read is right: the index may be damaged, which reads no game.
            let found = games(Source::Collection(hdb.clone()));
            prop_assert!(found == expected || found.iter().any(|game| game.contains("segment 000000.games")));
            Ok(())
        });
        fs::remove_dir_all(hdb.parent().expect("a folder")).expect("it can be removed");
        tested.expect("every change is seen");
    }
}
