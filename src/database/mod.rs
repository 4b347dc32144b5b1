//! Collections of games: files, folders, archives, streams and Hematite's own store, compressed or not. They are read
//! on several threads with the results in the order of the input, sorted in bounded memory, and searched with a query
//! language.

mod annotations;
mod career;
mod columnar;
mod cross_events;
mod date_repair;
mod duplicates;
mod edited_file;
mod epd_games;
mod epd_merge;
mod game_set;
mod lines;
mod men;
mod move_orders;
mod names;
mod novelties;
mod opening_lines;
mod parallel;
mod parquet_tables;
mod pgn_archive;
mod player_list;
mod players;
mod query;
mod retag;
mod rows;
mod sieve;
mod sort;
mod split;
mod store;
mod tables;
mod tag_values;
mod tally;
mod tree;

pub use annotations::NotedMove;
pub use career::{Career, Month};
pub use cross_events::{Cross, CrossEvent, CrossGame, EventKey};
pub use date_repair::{DateOrder, Repair, repair_date};
pub use duplicates::{
    ComparedGame, Digests, DuplicateGroup, Duplicates, GameDifferences, Level, LineForm, SameRules,
    TagDifference, merge_game,
};
pub use edited_file::{EditError, EditedFile, NewGame, Span, Splice, Wanted, head_to_edit, own_text};
pub use epd_games::{RecordGames, position_records, records_of};
pub use epd_merge::{Conflict, MergedRecords};
pub use lines::{line_ends, line_to};
pub use move_orders::MoveOrders;
pub use names::{Joined, join_names};
pub use novelties::{Examined, FirstMoves, Novelty, Played, TooManyPositions, Visits, keys_of};
pub use parallel::{Options, Part, Reencoder, SourceReader, SourceWarn, read};
pub use parquet_tables::{GameRows, ParquetTables};
pub use pgn_archive::{EVENTS, Holding, PLAYERS, PgnArchive, REPOSITORY};
pub use player_list::{PlayerList, PlayerListError};
pub use players::{Player, Players, Title, is_known_name, players_of};
pub use query::{
    Header, Place, Places, Query, QueryError, Scan, TagColumns, proposed_terms, proposed_values, query_terms,
};
pub use retag::{
    ChangeOutcome, Retag, RetagTable, TableError, TagChange, repair_event, repair_name, repair_rating,
    repair_site,
};
pub use rows::{
    ColorNumbers, CrossStyle, EventReport, Numbers, OpeningPart, OpeningRow, PlayerRow, code_range,
    joined_players,
};
pub use sieve::{Follow, HeadersOnly, Sieve};
pub use sort::{Sorter, Spool, SpoolTarget};
pub use store::{
    Change, Collection, Encoded, FileState, Info, Marks, Origin, Passed, SourceComparison, SourceFile,
    SourceInfo, StoredLine, Undone, is_collection,
};
pub use tables::{CrossMatch, Crosstable, Opponent, Rounds, Standing};
pub use tag_values::{expected_tag_value, is_tag_name};
pub use tally::{Branch, Counted, GameFacts, Tally, WinDrawLoss, rating};
pub use tree::{
    Maneuver, ManeuverGames, Maneuvers, NamedGames, NodeKey, OpeningNames, Root, TooManyMoves, Tree,
};

use crate::files::{ArchiveMember, Packed, Unpacked, archive_members, without_packed_extension};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use walkdir::WalkDir;

/// The name of standard input.
const STDIN: &str = "-";

/// A source of games, compressed or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A member of an archive with several files.
    Member(PathBuf, ArchiveMember),
    /// Standard input.
    Stdin,
    /// The folder of a collection in Hematite's store.
    Collection(PathBuf),
}

/// The kind of content of a source.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Content {
    /// Text, which may be in UTF-16.
    #[default]
    Text,
    /// Binary data.
    Binary,
}

/// The sources at these paths: `-` is standard input; a folder stands for all files in it and its subfolders whose
/// names have this extension, compressed or not, or are in zip archives there, in the order of their names, and all
/// collections. A zip archive with several files is treated like a folder.
///
/// A path that cannot be read, or a folder without any such file, is passed to `fail`.
pub fn find_sources(
    paths: &[PathBuf],
    extension: &str,
    fail: &mut dyn FnMut(&Path, io::Error),
) -> Vec<Source> {
    let mut sources = Vec::new();
    for path in paths {
        if path.as_os_str() == STDIN {
            sources.push(Source::Stdin);
        } else if is_collection(path) {
            sources.push(Source::Collection(path.clone()));
        } else if path.is_dir() {
            add_folder(path, extension, &mut sources, fail);
        } else {
            add_file(path.clone(), extension, &mut sources, fail);
        }
    }
    sources
}

fn add_folder(
    folder: &Path,
    extension: &str,
    sources: &mut Vec<Source>,
    fail: &mut dyn FnMut(&Path, io::Error),
) {
    let mut is_empty = true;
    // Links to folders are not followed, since they may form cycles.
    let mut entries = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        match entry {
            Ok(entry) if entry.file_type().is_dir() && is_collection(entry.path()) => {
                is_empty = false;
                entries.skip_current_dir();
                sources.push(Source::Collection(entry.into_path()));
            }
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) if is_zip(entry.path()) && !has_extension(entry.path(), extension) => {
                let found = members_with(entry.path(), extension);
                is_empty &= found.is_empty();
                sources.extend(found);
            }
            Ok(entry) if !has_extension(entry.path(), extension) => {}
            Ok(entry) => {
                is_empty = false;
                add_file(entry.into_path(), extension, sources, fail);
            }
            Err(error) => {
                is_empty = false;
                let path = error.path().unwrap_or(folder).to_owned();
                // Only a cycle of links has no system error.
                fail(&path, error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into()));
            }
        }
    }
    if is_empty {
        fail(folder, missing(extension, "folder or below"));
    }
}

/// Whether the name is that of a zip archive.
fn is_zip(path: &Path) -> bool {
    /// The extension of zip archives.
    const ZIP: &str = "zip";
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ZIP))
}

/// The files in an archive whose names have this extension. An archive that cannot be read has none: it may belong to
/// any other program.
fn members_with(path: &Path, extension: &str) -> Vec<Source> {
    let mut members = archive_members(path).ok().flatten().unwrap_or_default();
    let is_only_one = members.len() == 1;
    members.retain(|member| has_extension(Path::new(&member.name), extension));
    let source = |member| {
        if is_only_one { Source::File(path.to_owned()) } else { Source::Member(path.to_owned(), member) }
    };
    members.into_iter().map(source).collect()
}

fn add_file(
    path: PathBuf,
    extension: &str,
    sources: &mut Vec<Source>,
    fail: &mut dyn FnMut(&Path, io::Error),
) {
    match archive_members(&path) {
        Ok(Some(mut members)) if members.len() > 1 => {
            members.retain(|member| has_extension(Path::new(&member.name), extension));
            if members.is_empty() {
                fail(&path, missing(extension, "archive"));
            }
            sources.extend(members.into_iter().map(|member| Source::Member(path.clone(), member)));
        }
        // Paths that cannot be read fail when they are opened.
        _ => sources.push(Source::File(path)),
    }
}

fn missing(extension: &str, place: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("no .{extension} file in this {place}"))
}

/// Whether the file's name has this extension, optionally followed by that of a compressed file.
fn has_extension(path: &Path, extension: &str) -> bool {
    let found = without_packed_extension(path).extension();
    found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

impl Source {
    /// The name of the source in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) | Self::Collection(path) => path.display().to_string(),
            Self::Member(path, member) => format!("{}/{}", path.display(), member.name),
            Self::Stdin => "standard input".to_owned(),
        }
    }

    /// The path of the file that is the source or contains it.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::Member(path, _) | Self::Collection(path) => Some(path),
            Self::Stdin => None,
        }
    }

    /// The size in bytes as stored; `None` if unknown.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len()),
            Self::Member(_, member) => Some(member.stored_size),
            Self::Stdin => None,
            Self::Collection(path) => Collection::open(path).ok().map(|collection| collection.size()),
        }
    }

    /// Opens the source. It is decompressed if its first bytes, not its name, are those of a compressed file. The
    /// number of stored bytes that are read is added to `count`; `warn` receives warnings.
    ///
    /// # Errors
    /// If the source cannot be opened or its start cannot be read.
    pub fn open(
        &self,
        content: Content,
        count: &Arc<AtomicU64>,
        warn: impl FnMut(&str) + Send + 'static,
    ) -> io::Result<Unpacked> {
        let packed = match self {
            Self::File(path) => Packed::open(path)?,
            Self::Member(path, member) => Packed::open(path)?.with_member(member.clone()),
            Self::Stdin => Packed::from_stream(io::stdin()),
            Self::Collection(_) => {
                let problem =
                    "it is a collection, expected a file; `hematite db export` writes its games as PGN";
                return Err(io::Error::new(io::ErrorKind::IsADirectory, problem));
            }
        };
        let packed = packed.counting(Arc::clone(count)).warning(warn);
        match content {
            Content::Text => packed.text(),
            Content::Binary => packed.bytes(),
        }
    }
}
