//! Changes of a collection: games are added in new segments or marked as deleted, and the manifest is replaced.
//!
//! Any failure before the new manifest has its name leaves the old state; files that belong to no state are removed by
//! the next change.

use super::code::{MANIFEST, checksum, pack, pack_moves, pack_numbers, put, put_bytes, put_signed};
use super::column_writer::ColumnWriter;
use super::index::{self, IndexPart};
use super::manifest::{
    ChangeEntry, Deleted, Manifest, Origin, SegmentEntry, is_own_name, segment_name, sync_folder,
};
use super::nodes;
use super::positions::Positions;
use super::record::{Flags, Recorded};
use super::seen::{self, Seen};
use super::segment::{HEADER, Kind, MAX_GAMES, key_check, put_facts};
use super::source_file::SourceFile;
use crate::database::tally::GameFacts;
use crate::files::{AtomicFile, LockFile, final_name};
use crate::notation::pgn::{Place, Tags};
use jiff::Timestamp;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

/// The name of the file that a change locks.
const LOCK: &str = "lock";
/// The maximum number of games of a block: reading a game reads its whole block.
const MAX_BLOCK_GAMES: usize = 256;
/// The number of bytes at which a block is full.
const MAX_BLOCK_BYTES: usize = 1 << 17;
/// The number of bytes of tags at which a segment is full: they are held in memory until it is written.
const MAX_TAG_BYTES: usize = 1 << 26;
/// The product of games and tag names at which a segment is full: every name has an entry for each game.
const MAX_CELLS: usize = 1 << 24;
/// The number of bytes per command such as `[%clk 0:01:00]` up to which texts contain hardly any words.
const COMMAND_BYTES: usize = 32;
/// The number of bytes from which a segment's games are synced to the disk while its index is built.
const MANY_BYTES: u64 = 1 << 20;

/// A block of games that is ready to be added.
pub struct Encoded {
    games: Vec<EncodedGame>,
    /// The tags of all games, in sequence.
    tags: Tags,
    packed: Vec<u8>,
    length: usize,
    checksum: u64,
    positions: Positions,
    /// The number of the source that the games had in their collection.
    origin: Option<usize>,
}

struct EncodedGame {
    flags: Flags,
    place: Place,
    /// The number of the game's tags.
    tags: usize,
    facts: GameFacts,
    seen: Seen,
}

impl Encoded {
    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of games with errors.
    pub fn games_with_errors(&self) -> usize {
        self.games.iter().filter(|game| game.flags.has(Flags::ERRORS)).count()
    }

    /// The number of the games' source in the collection from which they come.
    pub fn origin(&self) -> Option<usize> {
        self.origin
    }
}

/// Damages blocks in ways that only a bug of the program could, for tests.
#[cfg(test)]
impl Encoded {
    pub(super) fn forget_a_position(&mut self) {
        self.positions.forget_a_position();
    }

    pub(super) fn draw_all(&mut self) {
        for game in &mut self.games {
            game.facts.result = crate::notation::pgn::GameResult::Draw;
        }
    }

    pub(super) fn forget_pawns(&mut self) {
        self.games.iter_mut().for_each(|game| game.seen.pawns = Seen::default().pawns);
    }
}

/// Collects the games of a block.
pub(super) struct BlockBuilder {
    games: Vec<EncodedGame>,
    tags: Tags,
    lengths: Vec<u8>,
    moves: Vec<u8>,
    texts: Vec<u8>,
    positions: Positions,
}

impl Default for BlockBuilder {
    fn default() -> Self {
        Self {
            games: Vec::with_capacity(MAX_BLOCK_GAMES),
            tags: Tags::default(),
            lengths: Vec::new(),
            moves: Vec::new(),
            texts: Vec::new(),
            positions: Positions::with_room(),
        }
    }
}

impl BlockBuilder {
    pub(super) fn push(&mut self, game: Recorded<'_>) {
        put(&mut self.lengths, game.moves.len() as u64);
        put(&mut self.lengths, game.texts.len() as u64);
        self.moves.extend_from_slice(game.moves);
        self.texts.extend_from_slice(game.texts);
        put_facts(&mut self.lengths, &game.facts);
        self.positions.push(game.line);
        let (flags, place, facts, seen) = (game.flags, game.place, game.facts, game.seen);
        self.games.push(EncodedGame { flags, place, tags: game.tags.len(), facts, seen });
        self.tags.append(game.tags);
    }

    pub(super) fn is_full(&self) -> bool {
        self.games.len() >= MAX_BLOCK_GAMES || self.moves.len() + self.texts.len() >= MAX_BLOCK_BYTES
    }

    pub(super) fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// A builder without games, with the capacity of this one, since growing takes as long as filling it.
    fn next(&self) -> Self {
        Self {
            games: Vec::with_capacity(self.games.len()),
            tags: Tags::with_room_of(&self.tags),
            lengths: Vec::with_capacity(self.lengths.len() + self.moves.len() + self.texts.len()),
            moves: Vec::with_capacity(self.moves.len()),
            texts: Vec::with_capacity(self.texts.len()),
            positions: Positions::with_room_of(&self.positions),
        }
    }

    /// Compresses the games and starts again without games.
    pub(super) fn take(&mut self, origin: Option<usize>) -> Encoded {
        let next = self.next();
        let mut block = std::mem::replace(self, next);
        let is_text = |game: &EncodedGame| game.flags.has(Flags::TEXT);
        let has_texts = !block.texts.is_empty() || block.games.iter().any(is_text);
        let (texts, commands) = (block.texts.len(), memchr::memchr_iter(b'%', &block.texts).count());
        let mut bytes = block.lengths;
        bytes.append(&mut block.moves);
        bytes.append(&mut block.texts);
        // Words become so much smaller that slower compression is worthwhile; moves, clocks and evaluations do not.
        let is_prose = has_texts && (texts == 0 || commands * COMMAND_BYTES < texts);
        let packed = if is_prose { pack(&bytes) } else { pack_moves(&bytes) };
        Encoded {
            games: block.games,
            tags: block.tags,
            length: bytes.len(),
            checksum: checksum(&packed),
            packed,
            positions: block.positions,
            origin,
        }
    }
}

/// A part that has been written.
struct Written {
    kind: Kind,
    number: usize,
    stored: usize,
    length: usize,
    checksum: u64,
}

fn pack_part(kind: Kind, bytes: &[u8]) -> Vec<u8> {
    match kind {
        Kind::IndexCounts | Kind::IndexGames => pack_numbers(bytes),
        Kind::Ids | Kind::Nodes | Kind::Places | Kind::Seen => pack_moves(bytes),
        _ => pack(bytes),
    }
}

/// A segment that is being written.
struct SegmentWriter {
    number: u32,
    file: AtomicFile,
    bytes: u64,
    parts: Vec<Written>,
    games: usize,
    blocks: Vec<usize>,
    names: HashMap<String, usize>,
    columns: Vec<ColumnWriter>,
    lists: HashMap<Vec<usize>, u64>,
    /// The tags of the latest game, and the number of this list; `None` before the first game.
    latest_list: Vec<usize>,
    latest_list_id: Option<u64>,
    /// A buffer for the next list.
    spare_list: Vec<usize>,
    list_bytes: Vec<u8>,
    list_ids: Vec<u8>,
    flags: Vec<u8>,
    places: Vec<u8>,
    latest: Place,
    /// Runs of games from one source.
    origins: Vec<(usize, usize)>,
    /// The positions of the games in their order.
    positions: Vec<Positions>,
    /// The facts for counting of regular games.
    facts: Vec<Option<GameFacts>>,
    seen: Vec<Seen>,
    tag_bytes: usize,
}

impl SegmentWriter {
    fn create(folder: &Path, number: u32) -> io::Result<Self> {
        let mut file = AtomicFile::create_alone(&folder.join(segment_name(number)))?;
        file.write_all(HEADER)?;
        Ok(Self {
            number,
            file,
            bytes: HEADER.len() as u64,
            parts: Vec::new(),
            games: 0,
            blocks: Vec::new(),
            names: HashMap::new(),
            columns: Vec::new(),
            lists: HashMap::new(),
            latest_list: Vec::new(),
            latest_list_id: None,
            spare_list: Vec::new(),
            list_bytes: Vec::new(),
            list_ids: Vec::new(),
            flags: Vec::new(),
            places: Vec::new(),
            latest: Place { offset: 0, line: 0, column: 0 },
            origins: Vec::new(),
            positions: Vec::new(),
            facts: Vec::new(),
            seen: Vec::new(),
            tag_bytes: 0,
        })
    }

    fn has_room(&self, games: usize) -> bool {
        let games = self.games + games;
        games <= MAX_GAMES && self.tag_bytes < MAX_TAG_BYTES && games * self.columns.len() <= MAX_CELLS
    }

    fn write(&mut self, kind: Kind, number: usize, packed: &[u8], length: usize) -> io::Result<()> {
        self.file.write_all(packed)?;
        self.bytes += packed.len() as u64;
        self.parts.push(Written { kind, number, stored: packed.len(), length, checksum: checksum(packed) });
        Ok(())
    }

    fn add(&mut self, mut block: Encoded, origin: usize) -> io::Result<()> {
        self.file.write_all(&block.packed)?;
        self.bytes += block.packed.len() as u64;
        self.parts.push(Written {
            kind: Kind::Block,
            number: self.blocks.len(),
            stored: block.packed.len(),
            length: block.length,
            checksum: block.checksum,
        });
        self.blocks.push(block.games.len());
        match self.origins.last_mut() {
            Some((latest, games)) if *latest == origin => *games += block.games.len(),
            _ => self.origins.push((origin, block.games.len())),
        }
        // The number of games fits into 16 bits.
        block.positions.first = self.games as u16;
        block.positions.add_to(&mut self.positions);
        let mut tags = block.tags.iter();
        for game in block.games {
            let here = tags.by_ref().take(game.tags);
            self.add_game(&game, here);
        }
        Ok(())
    }

    fn add_game<'t>(&mut self, game: &EncodedGame, tags: impl Iterator<Item = (&'t str, &'t str)>) {
        let number = self.games;
        // Most games have the same tags as the previous one.
        let likely = &self.latest_list;
        let mut list = std::mem::take(&mut self.spare_list);
        list.clear();
        for (place, (name, value)) in tags.enumerate() {
            let likely = likely.get(place).copied().filter(|&index| self.columns[index].name() == name);
            let index = match likely.or_else(|| self.names.get(name).copied()) {
                Some(index) => index,
                None => {
                    self.tag_bytes += name.len();
                    self.columns.push(ColumnWriter::new(name));
                    self.names.insert(name.to_owned(), self.columns.len() - 1);
                    self.columns.len() - 1
                }
            };
            list.push(index);
            self.tag_bytes += self.columns[index].set(number, value);
        }
        let id = match self.latest_list_id.filter(|_| list == *likely) {
            Some(id) => id,
            None => {
                let next = self.lists.len() as u64;
                let list_bytes = &mut self.list_bytes;
                *self.lists.entry(list.clone()).or_insert_with_key(|list| {
                    put(list_bytes, list.len() as u64);
                    list.iter().for_each(|&index| put(list_bytes, index as u64));
                    next
                })
            }
        };
        self.latest_list_id = Some(id);
        self.spare_list = std::mem::replace(&mut self.latest_list, list);
        put(&mut self.list_ids, id);
        self.flags.push(game.flags.0);
        let is_regular = !game.flags.has(Flags::ERRORS) && !game.flags.has(Flags::TEXT);
        self.facts.push(is_regular.then_some(game.facts));
        self.seen.push(game.seen);
        put_signed(&mut self.places, game.place.offset.wrapping_sub(self.latest.offset) as i64);
        put_signed(&mut self.places, game.place.line.wrapping_sub(self.latest.line) as i64);
        put(&mut self.places, game.place.column);
        self.latest = game.place;
        self.games += 1;
    }

    /// Writes the parts after the games, and gives the file its final name.
    fn finish(mut self) -> io::Result<SegmentEntry> {
        let mut names = Vec::new();
        let mut sorted: Vec<(&String, &usize)> = self.names.iter().collect();
        sorted.sort_by_key(|(_, index)| **index);
        put(&mut names, sorted.len() as u64);
        sorted.iter().for_each(|(name, _)| put_bytes(&mut names, name.as_bytes()));
        put(&mut names, self.lists.len() as u64);
        names.append(&mut self.list_bytes);
        let mut origins = Vec::new();
        for &(origin, games) in &self.origins {
            put(&mut origins, origin as u64);
            put(&mut origins, games as u64);
        }
        let mut parts = vec![
            (Kind::Names, 0, names),
            (Kind::Lists, 0, std::mem::take(&mut self.list_ids)),
            (Kind::Flags, 0, std::mem::take(&mut self.flags)),
            (Kind::Places, 0, std::mem::take(&mut self.places)),
            (Kind::Origins, 0, origins),
            (Kind::Seen, 0, seen::write(&self.seen)),
        ];
        for (index, column) in std::mem::take(&mut self.columns).into_iter().enumerate() {
            let (values, ids) = column.finish(self.games);
            parts.push((Kind::Values, index, values));
            parts.push((Kind::Ids, index, ids));
        }
        let (positions, facts) = (std::mem::take(&mut self.positions), std::mem::take(&mut self.facts));
        let (index, nodes) = thread::scope(|scope| {
            // The file is synced while the index is built.
            let syncing = (self.bytes >= MANY_BYTES).then(|| scope.spawn(|| self.file.sync()));
            // All games have the initial position.
            let start = key_check();
            let index = index::build(&positions, start);
            let nodes = nodes::build(&positions, &index, start, &facts);
            let synced = syncing.map_or(Ok(Ok(())), |syncing| syncing.join());
            synced.map_err(|_| io::Error::other("a segment could not be written"))??;
            Ok::<_, io::Error>((index, nodes))
        })?;
        drop(positions);
        parts.extend(nodes.into_iter().enumerate().map(|(number, part)| (Kind::Nodes, number, part)));
        let bits = index.bits;
        for (number, IndexPart { counts, games }) in index.parts.into_iter().enumerate() {
            parts.push((Kind::IndexCounts, number, counts));
            parts.push((Kind::IndexGames, number, games));
        }
        let packed: Vec<Vec<u8>> = parts.par_iter().map(|(kind, _, bytes)| pack_part(*kind, bytes)).collect();
        for ((kind, number, bytes), packed) in parts.iter().zip(&packed) {
            self.write(*kind, *number, packed, bytes.len())?;
        }
        let mut list = Vec::new();
        put(&mut list, self.blocks.len() as u64);
        self.blocks.iter().for_each(|&games| put(&mut list, games as u64));
        put(&mut list, bits.into());
        list.extend(key_check().to_le_bytes());
        put(&mut list, self.parts.len() as u64);
        for part in &self.parts {
            list.push(part.kind as u8);
            put(&mut list, part.number as u64);
            put(&mut list, part.stored as u64);
            put(&mut list, part.length as u64);
            list.extend(part.checksum.to_le_bytes());
        }
        let sum = checksum(&list);
        self.file.write_all(&list)?;
        self.file.write_all(&sum.to_le_bytes())?;
        self.file.write_all(&(list.len() as u64).to_le_bytes())?;
        let bytes = self.bytes + (list.len() + 2 * size_of::<u64>()) as u64;
        self.file.sync()?;
        self.file.commit()?;
        Ok(SegmentEntry { number: self.number, games: self.games as u64, bytes, checksum: sum })
    }
}

/// A change of a collection, which takes effect as a whole when it is finished. Meanwhile, no other change can be made,
/// and readers see the previous state.
pub struct Change {
    folder: PathBuf,
    manifest: Manifest,
    _lock: LockFile,
    segment: Option<SegmentWriter>,
    /// A full segment that is being written while the next is filled.
    finishing: Option<JoinHandle<io::Result<SegmentEntry>>>,
    /// The new files, which are removed if the change is not finished.
    new_files: Vec<PathBuf>,
    /// Whether the folder is new as well.
    is_new: bool,
    /// The previous numbers of origins, segments and marks in the manifest; `None` if the change cannot be undone.
    before: Option<[usize; 3]>,
}

/// A change that has been undone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undone {
    /// The date and time of the change in UTC.
    pub time: String,
    /// The number of games that it had added.
    pub added: u64,
    /// The number of games that it had deleted.
    pub deleted: u64,
}

/// The numbers of origins, segments and marks.
const fn lengths(manifest: &Manifest) -> [usize; 3] {
    [manifest.origins.len(), manifest.segments.len(), manifest.marks.len()]
}

/// The current time in its stored form.
fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

impl Change {
    /// Starts a new collection, which exists after the change is finished.
    ///
    /// # Errors
    /// If something with this name exists, or the folder cannot be created.
    pub fn create(folder: &Path) -> io::Result<Self> {
        let exists = |problem: &str| io::Error::new(ErrorKind::AlreadyExists, problem.to_owned());
        match fs::read_dir(folder) {
            Ok(entries) => {
                let names: Vec<PathBuf> =
                    entries.map(|entry| Ok(entry?.file_name().into())).collect::<io::Result<_>>()?;
                // A change that is killed leaves its lock; one that is finished removes it.
                let was_killed = names.iter().any(|name| name == Path::new(LOCK));
                for name in &names {
                    let text = name.to_str().unwrap_or_default();
                    if text == MANIFEST {
                        return Err(exists("there is a collection of this name; `db add` adds games to it"));
                    }
                    if is_own_name(text) && !was_killed {
                        return Err(exists(&format!(
                            "there is a part of a collection, `{text}`, but no `{MANIFEST}`, which may have been \
                             lost: restore it, or move the folder away"
                        )));
                    }
                    if text != LOCK && !is_left_over(name) {
                        return Err(exists("there is a folder of this name with other files in it"));
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => fs::create_dir_all(folder)?,
            Err(error) => return Err(error),
        }
        Self::start(folder, |folder| match fs::exists(folder.join(MANIFEST))? {
            true => Err(exists("there is a collection of this name; `db add` adds games to it")),
            false => Ok(Manifest::default()),
        })
        .map(|mut change| {
            change.is_new = true;
            change.before = None;
            change
        })
    }

    /// Starts a change of a collection.
    ///
    /// # Errors
    /// If the collection does not exist, cannot be read or written, or is being changed by another process.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Manifest::load(folder)?;
        Self::start(folder, Manifest::load)
    }

    fn start(folder: &Path, load: impl Fn(&Path) -> io::Result<Manifest>) -> io::Result<Self> {
        let lock = LockFile::take(&folder.join(LOCK)).map_err(|error| {
            io::Error::new(error.kind(), format!("the file `{LOCK}` in it cannot be locked: {error}"))
        })?;
        let busy = || io::Error::new(ErrorKind::ResourceBusy, "another process changes this collection");
        let lock = lock.ok_or_else(busy)?;
        // From here on, no other process changes it.
        let manifest = load(folder)?;
        let wanted = manifest.names();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if is_left_over(&path) && !wanted.contains(name) {
                fs::remove_file(&path)?;
            }
        }
        Ok(Self {
            folder: folder.to_owned(),
            before: Some(lengths(&manifest)),
            manifest,
            _lock: lock,
            segment: None,
            finishing: None,
            new_files: Vec::new(),
            is_new: false,
        })
    }

    /// Adds a source of games, with its file if it has one, and returns its number.
    pub fn add_origin(&mut self, name: String, file: Option<SourceFile>) -> usize {
        self.manifest.origins.push(Origin { name, added: now(), file });
        self.manifest.origins.len() - 1
    }

    /// Adds games of this source after all others.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add(&mut self, block: Encoded, origin: usize) -> io::Result<()> {
        if block.games.is_empty() {
            return Ok(());
        }
        if self.segment.as_ref().is_some_and(|segment| !segment.has_room(block.games.len())) {
            self.finish_segment()?;
        }
        let segment = match &mut self.segment {
            Some(segment) => segment,
            None => {
                let number = self.manifest.next;
                self.manifest.next += 1;
                self.segment.insert(SegmentWriter::create(&self.folder, number)?)
            }
        };
        segment.add(block, origin)
    }

    fn finish_segment(&mut self) -> io::Result<()> {
        self.wait()?;
        if let Some(segment) = self.segment.take() {
            self.new_files.push(self.folder.join(segment_name(segment.number)));
            self.finishing = Some(thread::spawn(|| segment.finish()));
        }
        Ok(())
    }

    /// Waits for the segment that is being written, if there is one.
    fn wait(&mut self) -> io::Result<()> {
        if let Some(finishing) = self.finishing.take() {
            let entry = finishing.join().map_err(|_| io::Error::other("a segment could not be written"))?;
            self.manifest.segments.push(entry?);
        }
        Ok(())
    }

    /// Marks games as deleted.
    ///
    /// # Errors
    /// If the list of them cannot be written.
    pub fn delete(&mut self, deleted: &Deleted) -> io::Result<()> {
        let path = self.manifest.add_marks(&self.folder, deleted, now())?;
        self.new_files.push(path);
        Ok(())
    }

    /// Undoes the latest change; `None` if no change can be undone.
    pub fn undo(&mut self) -> Option<Undone> {
        let Manifest { origins, segments, marks, changes, .. } = &mut self.manifest;
        let ChangeEntry { time, origins: new_origins, segments: new_segments, marks: new_marks } =
            changes.pop()?;
        self.before = None;
        // There are enough entries: that was checked when the manifest was read.
        origins.truncate(origins.len().saturating_sub(new_origins));
        let added =
            segments.drain(segments.len().saturating_sub(new_segments)..).map(|segment| segment.games);
        let deleted = marks.drain(marks.len().saturating_sub(new_marks)..).map(|marks| marks.games);
        Some(Undone { time, added: added.sum(), deleted: deleted.sum() })
    }

    /// Saves a query under this name, or removes it without a text. Returns whether the name existed. [`Self::undo`]
    /// does not undo this.
    pub fn set_query(&mut self, name: &str, text: Option<String>) -> bool {
        self.before = None;
        match text {
            Some(text) => self.manifest.queries.insert(name.to_owned(), text).is_some(),
            None => self.manifest.queries.remove(name).is_some(),
        }
    }

    /// Removes all games from the collection, so that those that remain can be added again.
    pub fn clear(&mut self) {
        self.manifest.segments.clear();
        self.manifest.marks.clear();
        self.manifest.changes.clear();
        self.before = None;
    }

    /// Makes the new state that of the collection. From then on, it survives a crash of the machine.
    ///
    /// # Errors
    /// If it cannot be written; the collection is then unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        self.finish_segment()?;
        self.wait()?;
        if let Some(before) = self.before {
            let after = lengths(&self.manifest);
            let [origins, segments, marks] = [0, 1, 2].map(|list| after[list] - before[list]);
            self.manifest.changes.push(ChangeEntry { time: now(), origins, segments, marks });
        }
        self.manifest.generation += 1;
        let saved = self.manifest.save(&self.folder);
        // If the manifest has its name but may not be on the disk yet, that is an error, and all files it names must be
        // kept.
        if saved.is_ok() || Manifest::load(&self.folder).is_ok_and(|found| found == self.manifest) {
            self.new_files.clear();
            self.is_new = false;
        }
        saved?;
        // Files that belong to no state are removed now, or by the next change.
        let wanted = self.manifest.names();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if is_own_name(name) && !wanted.contains(name) {
                let _ = fs::remove_file(&path);
            }
        }
        Ok(())
    }
}

/// Whether a file may be left over from a change that was not finished.
fn is_left_over(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    is_own_name(name) || final_name(path).is_some_and(|name| is_own_name(name) || name == MANIFEST)
}

impl Drop for Change {
    fn drop(&mut self) {
        self.segment = None;
        // Waits for the writing thread, so that no file gets its name after the files are removed.
        let _ = self.wait();
        for path in &self.new_files {
            // An error cannot be reported here; the next change tries again.
            let _ = fs::remove_file(path);
        }
        if self.is_new {
            let _ = fs::remove_file(self.folder.join(LOCK));
            let _ = fs::remove_dir(&self.folder);
            let _ = self.folder.parent().map(sync_folder);
        }
    }
}
