//! A segment: a file with the games of a collection, which never changes once it has its final name.
//!
//! A line with the version is followed by compressed parts, then their list, its checksum and its length. The list
//! contains the checksum of each part, so all data is checked when it is read, and a damaged part affects only the
//! operations that need it.
//!
//! | part | one for each | content |
//! |---|---|---|
//! | names | segment | the names of tags, and the lists of names that games have |
//! | values, ids | name | the different values of a tag; for each game the number of its value |
//! | lists, flags, places, origins | segment | for each game its list of names, its flags, its place and its source |
//! | block | some games | the moves and the rest of each game, and its facts for counting |
//! | counts, games | part of the index | see the index |
//! | seen | segment | where pawns have been in each game, and the numbers of remaining men |
//! | nodes | some keys | the counted moves of the positions that occur in many games |

use super::code::{Bytes, checksum, damage, put, unpack};
use super::columns::{Column, Names};
use super::index::{GAME_BITS, Slot, count_of, games_of};
use super::nodes::{self, LEAST_GAMES, Node};
use super::record::{Flags, RESULTS, Stored};
use super::seen::{self, Seen};
use crate::chess::Position;
use crate::database::tally::GameFacts;
use crate::notation::pgn::Place;
use once_cell::sync::OnceCell;
use parking_lot::Mutex;
use rayon::prelude::*;
use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// The start of the first line of a file; the version follows.
const NAME: &str = "hematite-games ";
/// The first line of a file.
pub(super) const HEADER: &[u8] = b"hematite-games 3\n";
/// The maximum number of games of a segment.
pub(super) const MAX_GAMES: usize = 1 << GAME_BITS;
/// The size of the checksum and the length of the list of parts, at the end of the file.
const TRAILER: usize = 2 * size_of::<u64>();
/// The maximum size of the list of parts, in bytes.
const MAX_LIST: u64 = 1 << 26;

/// The kinds of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    Names,
    Values,
    Ids,
    Lists,
    Flags,
    Places,
    Origins,
    Block,
    IndexCounts,
    IndexGames,
    Nodes,
    Seen,
}

impl Kind {
    const ALL: [Self; 12] = [
        Self::Names,
        Self::Values,
        Self::Ids,
        Self::Lists,
        Self::Flags,
        Self::Places,
        Self::Origins,
        Self::Block,
        Self::IndexCounts,
        Self::IndexGames,
        Self::Nodes,
        Self::Seen,
    ];
}

/// The location of a part, and its expected size and checksum.
#[derive(Clone, Copy, Debug)]
struct PartPlace {
    offset: u64,
    stored: usize,
    length: usize,
    checksum: u64,
}

/// Some games in their stored form.
pub(super) struct Block {
    bytes: Vec<u8>,
    games: Vec<BlockGame>,
}

/// The locations of the moves and the texts of a game in its block, and its facts for counting.
struct BlockGame {
    moves: Range<usize>,
    texts: Range<usize>,
    facts: GameFacts,
}

/// An open segment.
pub(super) struct Segment {
    name: String,
    file: File,
    /// The first game of each block, followed by the number of games.
    firsts: Vec<usize>,
    /// The parts of each kind.
    parts: [Vec<PartPlace>; Kind::ALL.len()],
    /// The number of bits of the index; `None` if there is no index for the current keys.
    index_bits: Option<u32>,
    names: OnceCell<Names>,
    columns: OnceCell<Vec<OnceCell<Column>>>,
    lists: OnceCell<Vec<u32>>,
    flags: OnceCell<Vec<Flags>>,
    places: OnceCell<Vec<Place>>,
    irregular: OnceCell<Irregular>,
    seen: OnceCell<Vec<Seen>>,
    /// The games of the key that was looked up last.
    found: Mutex<Option<(u64, Arc<Vec<u16>>)>>,
}

/// The games that cannot be scanned by their moves, in their order.
#[derive(Default)]
pub(super) struct Irregular {
    /// The games with errors, which must be reported.
    pub with_errors: Vec<u16>,
    /// The games that are stored as text, without errors.
    pub texts: Vec<u16>,
}

thread_local! {
    /// The stored bytes of the latest part, kept since new memory costs as much as reading a part.
    static READ: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A number that changes if the keys of positions change: an index for other keys is useless.
pub(super) fn key_check() -> u64 {
    Position::start().key().bits()
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Reads are sequential, since they share the position in the file.
#[cfg(not(unix))]
fn read_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock();
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

impl Segment {
    /// Reads the list of parts of an open file.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged, or of a later version; the name is part of the message.
    pub(super) fn open(name: &str, file: File, checksum: u64) -> io::Result<Self> {
        Self::read(name, file, checksum).map_err(|error| named(name, &error))
    }

    fn read(name: &str, file: File, expected: u64) -> io::Result<Self> {
        let size = file.metadata()?.len();
        let mut header = [0; HEADER.len()];
        let list_end = size.checked_sub(TRAILER as u64).filter(|&end| end >= HEADER.len() as u64);
        let list_end = list_end.ok_or_else(|| damage("the file is cut short"))?;
        read_at(&file, &mut header, 0)?;
        if header != HEADER {
            let found = String::from_utf8_lossy(&header);
            let expected = String::from_utf8_lossy(HEADER);
            // The games still exist in the files from which they were added.
            let hint = if found.starts_with(NAME) {
                "; it is of another version of hematite: create the collection again with `hematite db create`"
            } else {
                ""
            };
            let found = found.trim_end().escape_debug();
            return Err(damage(format!("found `{found}`, expected `{}`{hint}", expected.trim_end())));
        }
        let mut trailer = [0; TRAILER];
        read_at(&file, &mut trailer, list_end)?;
        let mut trailer = Bytes(&trailer);
        let (sum, length) = (trailer.fixed()?, trailer.fixed()?);
        let start = list_end.checked_sub(length).filter(|_| length <= MAX_LIST);
        let start = start.ok_or_else(|| damage("the file is cut short"))?;
        let mut list = vec![0; usize::try_from(length).map_err(|_| damage("the list of parts is too long"))?];
        read_at(&file, &mut list, start)?;
        if checksum(&list) != sum {
            return Err(damage("the list of parts is damaged"));
        }
        if sum != expected {
            return Err(damage("it is not the segment that was added"));
        }
        let mut list = Bytes(&list);
        let mut firsts = vec![0];
        let mut games = 0_usize;
        for _ in 0..list.count()? {
            games = games.saturating_add(list.length()?);
            if games > MAX_GAMES {
                return Err(damage("there are too many games"));
            }
            firsts.push(games);
        }
        let (bits, check) = (list.length()?, list.fixed()?);
        let index_bits = u32::try_from(bits).ok().filter(|&bits| bits > 0 && check == key_check());
        let mut parts = [const { Vec::new() }; Kind::ALL.len()];
        let mut offset = HEADER.len() as u64;
        for _ in 0..list.count()? {
            let kind = *Kind::ALL.get(usize::from(list.byte()?)).ok_or_else(|| damage("an unknown part"))?;
            let number = list.length()?;
            let place =
                PartPlace { offset, stored: list.length()?, length: list.length()?, checksum: list.fixed()? };
            let end = offset.checked_add(place.stored as u64).filter(|&end| end <= start);
            offset = end.ok_or_else(|| damage("a part is outside of the file"))?;
            let of_kind: &mut Vec<PartPlace> = &mut parts[kind as usize];
            if number != of_kind.len() {
                return Err(damage("the parts are in disorder"));
            }
            of_kind.push(place);
        }
        Ok(Self {
            name: name.to_owned(),
            file,
            firsts,
            parts,
            index_bits,
            names: OnceCell::new(),
            columns: OnceCell::new(),
            lists: OnceCell::new(),
            flags: OnceCell::new(),
            places: OnceCell::new(),
            irregular: OnceCell::new(),
            seen: OnceCell::new(),
            found: Mutex::new(None),
        })
    }

    /// The number of games.
    pub(super) fn games(&self) -> usize {
        self.firsts.last().copied().unwrap_or(0)
    }

    /// The size of the index in the file system, in bytes.
    pub(super) fn index_bytes(&self) -> u64 {
        let of_index = [Kind::IndexCounts, Kind::IndexGames, Kind::Nodes, Kind::Seen];
        of_index.iter().flat_map(|&kind| &self.parts[kind as usize]).map(|part| part.stored as u64).sum()
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.firsts.len() - 1
    }

    /// The range of the games of these blocks.
    pub(super) fn games_of_blocks(&self, blocks: Range<usize>) -> Range<usize> {
        self.firsts[blocks.start]..self.firsts[blocks.end]
    }

    /// The block that contains a game.
    pub(super) fn block_of(&self, game: usize) -> usize {
        self.firsts.partition_point(|&first| first <= game) - 1
    }

    /// A part, checked and decompressed.
    fn part(&self, kind: Kind, number: usize) -> io::Result<Vec<u8>> {
        let read = || {
            let place = self.parts[kind as usize].get(number).ok_or_else(|| damage("a part is missing"))?;
            READ.with(|buffer| {
                let mut buffer = buffer.try_borrow_mut().map_err(io::Error::other)?;
                if buffer.len() < place.stored {
                    buffer.resize(place.stored, 0);
                }
                let bytes = &mut buffer[..place.stored];
                read_at(&self.file, bytes, place.offset)?;
                if checksum(bytes) != place.checksum {
                    return Err(damage(format!(
                        "the part {kind:?} {number} is damaged: its checksum is wrong"
                    )));
                }
                unpack(bytes, place.length)
            })
        };
        read().map_err(|error| self.named(&error))
    }

    /// An error with the name of the segment.
    pub(super) fn named(&self, error: &io::Error) -> io::Error {
        named(&self.name, error)
    }

    fn names(&self) -> io::Result<&Names> {
        self.names.get_or_try_init(|| {
            let bytes = self.part(Kind::Names, 0)?;
            Names::read(Bytes(&bytes)).map_err(|error| self.named(&error))
        })
    }

    fn column(&self, index: usize) -> io::Result<&Column> {
        let count = self.names()?.names.len();
        let columns = self.columns.get_or_init(|| (0..count).map(|_| OnceCell::new()).collect());
        let cell = columns.get(index).ok_or_else(|| self.named(&damage("a list has an unknown name")))?;
        cell.get_or_try_init(|| {
            let (values, ids) = (self.part(Kind::Values, index)?, self.part(Kind::Ids, index)?);
            Column::read(Bytes(&values), Bytes(&ids), self.games()).map_err(|error| self.named(&error))
        })
    }

    /// The values of a tag; `None` if no game has it.
    pub(super) fn column_of(&self, name: &str) -> io::Result<Option<&Column>> {
        self.tag_number(name)?.map(|tag| self.column(tag)).transpose()
    }

    /// The number of a tag; `None` if no game has it.
    pub(super) fn tag_number(&self, name: &str) -> io::Result<Option<usize>> {
        Ok(self.names()?.names.iter().position(|other| other == name))
    }

    /// The value of a tag of a game.
    pub(super) fn value(&self, tag: usize, game: usize) -> io::Result<Option<&str>> {
        Ok(self.column(tag)?.value(game))
    }

    /// The numbers of the tags of a game in the order of its file.
    pub(super) fn tag_numbers(&self, game: usize) -> io::Result<&[usize]> {
        let lists = self.lists.get_or_try_init(|| {
            let bytes = self.part(Kind::Lists, 0)?;
            let read = numbers(Bytes(&bytes), self.games());
            read.map_err(|error| self.named(&error))
        })?;
        let lists_of_names = &self.names()?.lists;
        let list = lists.get(game).and_then(|&list| lists_of_names.get(list as usize));
        list.map(|list| &**list).ok_or_else(|| self.without_tags())
    }

    fn without_tags(&self) -> io::Error {
        self.named(&damage("a game has no tags"))
    }

    /// The tags of a game in the order of its file.
    pub(super) fn tags(&self, game: usize) -> io::Result<Vec<(&str, &str)>> {
        let names = &self.names()?.names;
        let missing = || self.without_tags();
        let tag = |&index: &usize| {
            let value = self.column(index)?.value(game).ok_or_else(missing)?;
            Ok((names.get(index).ok_or_else(missing)?.as_str(), value))
        };
        self.tag_numbers(game)?.iter().map(tag).collect()
    }

    /// The flags of all games.
    pub(super) fn all_flags(&self) -> io::Result<&[Flags]> {
        let flags = self.flags.get_or_try_init(|| {
            let bytes = self.part(Kind::Flags, 0)?;
            // A single check of all flags is many times as fast as one for each.
            Flags::read(bytes.iter().fold(0, |all, byte| all | byte)).map_err(|error| self.named(&error))?;
            Ok::<_, io::Error>(bytes.into_iter().map(Flags).collect())
        });
        flags.map(|flags: &Vec<Flags>| &**flags)
    }

    pub(super) fn flags(&self, game: usize) -> io::Result<Flags> {
        let flags = self.all_flags()?.get(game).copied();
        flags.ok_or_else(|| self.named(&damage("a game has no flags")))
    }

    /// The games that are not regular.
    pub(super) fn irregular(&self) -> io::Result<&Irregular> {
        self.irregular.get_or_try_init(|| {
            let flags = self.all_flags()?;
            if flags.len() != self.games() {
                return Err(self.named(&damage("a game has no flags")));
            }
            /// The length of runs of games, most of which are all regular.
            const RUN: usize = 64;
            let mut irregular = Irregular::default();
            for (number, run) in flags.chunks(RUN).enumerate() {
                if run.iter().fold(0, |all, flags| all | flags.0) == 0 {
                    continue;
                }
                for (place, flags) in run.iter().enumerate() {
                    // The number of games fits into 16 bits.
                    let game = (number * RUN + place) as u16;
                    if flags.has(Flags::ERRORS) {
                        irregular.with_errors.push(game);
                    } else if flags.has(Flags::TEXT) {
                        irregular.texts.push(game);
                    }
                }
            }
            Ok(irregular)
        })
    }

    /// The summaries of all games.
    pub(super) fn seen(&self) -> io::Result<&[Seen]> {
        let seen = self.seen.get_or_try_init(|| {
            let bytes = self.part(Kind::Seen, 0)?;
            seen::read(&bytes, self.games()).map_err(|error| self.named(&error))
        });
        seen.map(|seen| &**seen)
    }

    /// The place of a game in its source, or that of its text if it is stored as text.
    pub(super) fn place(&self, game: usize) -> io::Result<Place> {
        let places = self.places.get_or_try_init(|| {
            let bytes = self.part(Kind::Places, 0)?;
            read_places(Bytes(&bytes), self.games()).map_err(|error| self.named(&error))
        })?;
        places.get(game).copied().ok_or_else(|| self.named(&damage("a game has no place")))
    }

    /// The sources of the games: the number of each, and the number of games that come from it.
    pub(super) fn origins(&self) -> io::Result<Vec<(usize, usize)>> {
        let bytes = self.part(Kind::Origins, 0)?;
        let read = || {
            let mut bytes = Bytes(&bytes);
            let mut origins = Vec::new();
            let mut games = 0_usize;
            while !bytes.is_empty() {
                let origin = (bytes.length()?, bytes.length()?);
                games = games.saturating_add(origin.1);
                origins.push(origin);
            }
            if games != self.games() {
                return Err(damage("games have no source"));
            }
            Ok(origins)
        };
        read().map_err(|error| self.named(&error))
    }

    pub(super) fn block(&self, index: usize) -> io::Result<Block> {
        let bytes = self.part(Kind::Block, index)?;
        let games = self.games_of_blocks(index..index + 1).len();
        let games = block_games(Bytes(&bytes), bytes.len(), games).map_err(|error| self.named(&error))?;
        Ok(Block { bytes, games })
    }

    /// A game of a block.
    pub(super) fn stored<'a>(&self, block: &'a Block, index: usize, game: usize) -> io::Result<Stored<'a>> {
        let first = self.firsts[index];
        let place = block.games.get(game - first);
        let place = place.ok_or_else(|| self.named(&damage("a game is missing in its block")))?;
        Ok(Stored {
            flags: self.flags(game)?,
            moves: &block.bytes[place.moves.clone()],
            texts: &block.bytes[place.texts.clone()],
            place: self.place(game)?,
        })
    }

    /// The moves of a game of a block, for a replay; `None` if it is stored as text.
    pub(super) fn moves<'a>(
        &self,
        block: &'a Block,
        index: usize,
        game: usize,
    ) -> io::Result<Option<&'a [u8]>> {
        let place = block.games.get(game - self.firsts[index]);
        let place = place.ok_or_else(|| self.named(&damage("a game is missing in its block")))?;
        Ok((!self.flags(game)?.has(Flags::TEXT)).then(|| &block.bytes[place.moves.clone()]))
    }

    /// The facts for counting of a game of a block.
    pub(super) fn facts(&self, block: &Block, index: usize, game: usize) -> io::Result<GameFacts> {
        let place = block.games.get(game - self.firsts[index]);
        place.map(|place| place.facts).ok_or_else(|| self.named(&damage("a game is missing in its block")))
    }

    /// The counted moves of a position in regular games; `None` if few games contain it.
    pub(super) fn node(&self, key: u64) -> io::Result<Option<Node>> {
        let count = self.parts[Kind::Nodes as usize].len();
        if self.index_bits.is_none() || count == 0 {
            return Ok(None);
        }
        // The number of games is read in a fraction of the time of the counted moves.
        if self.count_with(key)?.is_some_and(|games| games < LEAST_GAMES) {
            return Ok(None);
        }
        let part =
            nodes::part_of(key, count).ok_or_else(|| self.named(&damage("there are too many nodes")))?;
        let bytes = self.part(Kind::Nodes, part)?;
        nodes::find(&bytes, key).map_err(|error| self.named(&error))
    }

    /// Whether the segment has an index for the current keys.
    pub(super) const fn has_index(&self) -> bool {
        self.index_bits.is_some()
    }

    /// The number of games that may contain a position with this key. `None` if there is no index.
    fn count_with(&self, key: u64) -> io::Result<Option<usize>> {
        let Some(bits) = self.index_bits.filter(|_| key != key_check()) else { return Ok(None) };
        let slot = Slot::of(key, bits).map_err(|error| self.named(&error))?;
        let counts = self.part(Kind::IndexCounts, slot.part)?;
        count_of(slot, &counts).map(Some).map_err(|error| self.named(&error))
    }

    /// The games that may contain a position with this key; all others do not. `None` if there is no index.
    pub(super) fn games_with(&self, key: u64) -> io::Result<Option<Arc<Vec<u16>>>> {
        let Some(bits) = self.index_bits.filter(|_| key != key_check()) else { return Ok(None) };
        let mut found = self.found.lock();
        if let Some((of, games)) = &*found
            && *of == key
        {
            return Ok(Some(Arc::clone(games)));
        }
        let slot = Slot::of(key, bits).map_err(|error| self.named(&error))?;
        let (counts, games) =
            (self.part(Kind::IndexCounts, slot.part)?, self.part(Kind::IndexGames, slot.part)?);
        let games = Arc::new(games_of(slot, &counts, &games).map_err(|error| self.named(&error))?);
        *found = Some((key, Arc::clone(&games)));
        Ok(Some(games))
    }

    /// Reads every part and returns all errors.
    pub(super) fn check_parts(&self) -> Vec<io::Error> {
        let parts = Kind::ALL.iter().zip(&self.parts);
        let parts = parts.flat_map(|(&kind, places)| (0..places.len()).map(move |number| (kind, number)));
        let parts: Vec<(Kind, usize)> = parts.collect();
        parts.into_par_iter().filter_map(|(kind, number)| self.part(kind, number).err()).collect()
    }

    /// Whether the parts of this kind are equal to the expected ones.
    pub(super) fn has_parts(&self, kind: Kind, expected: &[Vec<u8>]) -> io::Result<bool> {
        if self.parts[kind as usize].len() != expected.len() {
            return Ok(false);
        }
        let parts = expected.par_iter().enumerate();
        let are_equal: io::Result<Vec<bool>> =
            parts.map(|(number, bytes)| Ok(self.part(kind, number)? == *bytes)).collect();
        Ok(are_equal?.into_iter().all(|is_equal| is_equal))
    }
}

fn named(name: &str, error: &io::Error) -> io::Error {
    let text = error.to_string();
    let text = if error.kind() == io::ErrorKind::UnexpectedEof { "the file is cut short" } else { &text };
    if text.starts_with("segment ") {
        return io::Error::new(error.kind(), text.to_owned());
    }
    io::Error::new(error.kind(), format!("segment {name}: {text}"))
}

fn numbers(mut bytes: Bytes<'_>, count: usize) -> io::Result<Vec<u32>> {
    (0..count).map(|_| u32::try_from(bytes.number()?).map_err(|_| damage("a number is too large"))).collect()
}

fn read_places(mut bytes: Bytes<'_>, games: usize) -> io::Result<Vec<Place>> {
    let mut latest = Place { offset: 0, line: 0, column: 0 };
    let mut places = Vec::with_capacity(games);
    for _ in 0..games {
        latest.offset = latest.offset.wrapping_add_signed(bytes.signed()?);
        latest.line = latest.line.wrapping_add_signed(bytes.signed()?);
        latest.column = bytes.number()?;
        places.push(latest);
    }
    Ok(places)
}

fn block_games(mut bytes: Bytes<'_>, end: usize, games: usize) -> io::Result<Vec<BlockGame>> {
    // At first the ranges have only their lengths.
    let mut list = Vec::with_capacity(games);
    for _ in 0..games {
        let (moves, texts) = (0..bytes.length()?, 0..bytes.length()?);
        list.push(BlockGame { moves, texts, facts: read_facts(&mut bytes)? });
    }
    let mut at = end - bytes.0.len();
    let mut place = |range: &mut Range<usize>| {
        let start = at;
        at = start
            .checked_add(range.end)
            .filter(|&at| at <= end)
            .ok_or_else(|| damage("a block is too short"))?;
        *range = start..at;
        Ok::<_, io::Error>(())
    };
    list.iter_mut().try_for_each(|game| place(&mut game.moves))?;
    list.iter_mut().try_for_each(|game| place(&mut game.texts))?;
    Ok(list)
}

/// Appends the facts for counting of a game.
pub(super) fn put_facts(out: &mut Vec<u8>, facts: &GameFacts) {
    out.push(RESULTS.iter().position(|&result| result == facts.result).unwrap_or(0) as u8);
    for number in [facts.ratings[0], facts.ratings[1], facts.year] {
        put(out, number.unwrap_or(0).into());
    }
}

fn read_facts(bytes: &mut Bytes<'_>) -> io::Result<GameFacts> {
    let result = RESULTS.get(usize::from(bytes.byte()?)).ok_or_else(|| damage("an unknown result"))?;
    let mut number = || {
        let number = u16::try_from(bytes.number()?).map_err(|_| damage("a number is too large"))?;
        Ok::<_, io::Error>((number > 0).then_some(number))
    };
    Ok(GameFacts { result: *result, ratings: [number()?, number()?], year: number()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The parts as they would be read if a checksum were right by chance.
        #[test]
        fn any_bytes_are_read_without_harm(
            bytes in prop::collection::vec(prop_oneof![0_u8..4, any::<u8>()], 0..100),
            more in prop::collection::vec(prop_oneof![0_u8..4, any::<u8>()], 0..100),
            games in 0_usize..20,
        ) {
            let _ = Names::read(Bytes(&bytes));
            let _ = read_places(Bytes(&bytes), games);
            let _ = numbers(Bytes(&bytes), games);
            if let Ok(column) = Column::read(Bytes(&bytes), Bytes(&more), games) {
                (0..=games).for_each(|game| { let _ = column.value(game); });
            }
            if let Ok(games) = block_games(Bytes(&bytes), bytes.len(), games) {
                for BlockGame { moves, texts, .. } in games {
                    prop_assert!(bytes.get(moves).is_some() && bytes.get(texts).is_some());
                }
            }
        }
    }
}
