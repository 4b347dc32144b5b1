//! A collection: a folder of immutable segments with checksums, and a manifest that is replaced by a rename.
//!
//! Readers lock nothing: they open one state, which does not change even if the collection does. There is at most one
//! change at a time. After a crash, the state is that before or after a change. Every file has a version in its first
//! line.

mod check;
mod code;
mod column_writer;
mod columns;
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
/// The number of attempts to open a state that is replaced while its files are being opened.
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

/// Statistics of a collection, as shown by `db info`.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Info {
    /// The number of games that are not deleted.
    pub games: u64,
    /// The number of games that are marked as deleted.
    pub deleted: u64,
    /// The number of segments.
    pub segments: usize,
    /// The size of the collection in the file system, in bytes.
    pub bytes: u64,
    /// The size of the indexes of positions, in bytes.
    pub index_bytes: u64,
    /// The number of changes so far.
    pub changes: u64,
    /// The sources in the order in which they were added.
    pub sources: Vec<SourceInfo>,
}

/// A source of games.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct SourceInfo {
    /// The name of the source, and the time at which it was added.
    #[serde(flatten)]
    pub origin: Origin,
    /// The number of its games in the collection, including those that are marked as deleted.
    pub games: u64,
    /// The number of its games that are marked as deleted.
    pub deleted: u64,
}

impl Collection {
    /// Opens the current state.
    ///
    /// # Errors
    /// If the manifest cannot be read. Errors in a segment are found when it is read.
    pub fn open(folder: &Path) -> io::Result<Self> {
        // Each addition and each edit creates a segment, and all of them are open at once.
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

    /// The saved queries, by their names.
    pub const fn queries(&self) -> &BTreeMap<String, String> {
        &self.manifest.queries
    }

    /// The size of all segments in bytes.
    pub fn size(&self) -> u64 {
        self.segments.iter().map(|segment| segment.bytes).sum()
    }

    /// The number of games that are not deleted.
    pub fn games(&self) -> u64 {
        self.segments.iter().map(|segment| segment.games - segment.deleted.len() as u64).sum()
    }

    /// Whether reading all games and adding them again would make the collection smaller or faster.
    pub fn can_be_compacted(&self) -> bool {
        let half = segment::MAX_GAMES as u64 / 2;
        let small = self.segments.iter().filter(|segment| segment.games < half).count();
        !self.manifest.marks.is_empty() || small > 1
    }

    /// The games with these numbers, which must be in order. Numbers are counted from 1 without deleted games, as for
    /// [`Change::delete`].
    pub fn marks(&self, numbers: impl IntoIterator<Item = u64>) -> Marks {
        let mut marks = Deleted::new();
        let mut segments = self.segments.iter();
        // The current segment, the number of its first game, and its index.
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

    /// The games of the sources with these numbers, except deleted ones.
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

    /// The statistics of the collection and its sources.
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

    /// Reads every part of every segment, replays every game and compares the data derived from the games; `done`
    /// receives the number of bytes checked so far. Returns all problems, each with the name of its segment.
    pub fn check(self, done: &(dyn Fn(u64) + Sync)) -> Vec<String> {
        let mut wrong = Vec::new();
        // One by one, each on all threads, since the data derived from a segment takes a few hundred megabytes.
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

    /// All games in chunks for this number of threads; whole segments if that is better (`by_segment`).
    pub(in crate::database) fn chunks(self, threads: usize, by_segment: bool) -> Chunks {
        Chunks::new(self.segments, self.manifest.origins, threads, by_segment)
    }
}

/// Games of a collection that will be deleted.
pub struct Marks(Deleted);

impl Marks {
    /// The number of games.
    pub fn games(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Marks the games as deleted.
    ///
    /// # Errors
    /// The same as for [`Change::delete`].
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

    /// Reads the games of a source as texts; an error is returned as a text as well.
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

    /// A collection with a few games, and the file from which it was made.
    fn collection(name: &str) -> (PathBuf, PathBuf) {
        collection_of(name, 3, |_| ())
    }

    /// A collection with this number of copies of the games, which are changed before they are added.
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
        /// The start of a message, and the damage that causes it.
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
            // Positions that can be read are right; only the index may be damaged, which no game depends on.
            let found = games(Source::Collection(hdb.clone()));
            prop_assert!(found == expected || found.iter().any(|game| game.contains("segment 000000.games")));
            Ok(())
        });
        fs::remove_dir_all(hdb.parent().expect("a folder")).expect("it can be removed");
        tested.expect("every change is seen");
    }
}
