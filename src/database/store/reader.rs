//! Reading the games of a collection, some at a time.

use super::code::damage;
use super::manifest::{Origin, segment_name};
use super::record::{Flags, GameText};
use super::segment::{Block, Segment};
use crate::database::query::{Header, MAX_PLIES, Query, Scan, Step};
use crate::notation::pgn::{Place, START_TAGS, Visitor};
use once_cell::sync::OnceCell;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// The blocks that a thread reads at a time.
const CHUNK_BLOCKS: usize = 16;

/// A segment that is to be read.
pub(super) struct Opened {
    pub number: u32,
    pub games: u64,
    pub bytes: u64,
    pub checksum: u64,
    pub file: io::Result<File>,
    /// The games that are marked as deleted, in their order.
    pub deleted: Arc<Vec<u16>>,
}

impl Opened {
    fn name(&self) -> String {
        segment_name(self.number)
    }

    /// Reads its list of parts.
    ///
    /// # Errors
    /// If it cannot be read, or is not what the manifest says.
    pub(super) fn read(self) -> io::Result<Segment> {
        let name = self.name();
        let file =
            self.file.map_err(|error| io::Error::new(error.kind(), format!("segment {name}: {error}")))?;
        let segment = Segment::open(&name, file, self.checksum)?;
        if segment.games() as u64 != self.games {
            return Err(segment.named(&damage("it has another number of games than the manifest says")));
        }
        Ok(segment)
    }
}

/// Hands out the games of a collection.
pub(in crate::database) struct Chunks {
    waiting: std::vec::IntoIter<Opened>,
    current: Option<(Arc<Shared>, usize)>,
    names: Arc<Vec<Origin>>,
}

/// A segment that several threads read.
struct Shared {
    segment: Segment,
    bytes: u64,
    deleted: Arc<Vec<u16>>,
    /// The sources of runs of games, each with the number behind its last game.
    origins: OnceCell<Vec<(usize, usize)>>,
    /// The sources of the collection.
    names: Arc<Vec<Origin>>,
}

/// Some games of a segment.
pub(in crate::database) struct Chunk {
    shared: Arc<Shared>,
    blocks: Range<usize>,
    /// About the bytes that it has on the disk.
    pub bytes: u64,
}

impl Chunks {
    /// The games of these segments, from these sources.
    pub(super) fn new(segments: Vec<Opened>, names: Vec<Origin>) -> Self {
        Self { waiting: segments.into_iter(), current: None, names: Arc::new(names) }
    }
}

impl Iterator for Chunks {
    type Item = io::Result<Chunk>;

    /// An error costs the games of one segment.
    fn next(&mut self) -> Option<io::Result<Chunk>> {
        loop {
            if let Some((shared, next)) = &mut self.current {
                let count = shared.segment.blocks();
                let blocks = *next..count.min(*next + CHUNK_BLOCKS);
                if !blocks.is_empty() {
                    *next = blocks.end;
                    let bytes = shared.bytes * blocks.len() as u64 / count as u64;
                    return Some(Ok(Chunk { shared: Arc::clone(shared), blocks, bytes }));
                }
            }
            let opened = self.waiting.next()?;
            let (bytes, deleted) = (opened.bytes, Arc::clone(&opened.deleted));
            match opened.read() {
                Ok(segment) => {
                    let (origins, names) = (OnceCell::new(), Arc::clone(&self.names));
                    self.current = Some((Arc::new(Shared { segment, bytes, deleted, origins, names }), 0));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Reads the games of a chunk as a reader of PGN does.
pub(in crate::database) struct StoredReader {
    chunk: Chunk,
    /// The next game.
    next: usize,
    end: usize,
    /// The game that has been read last.
    latest: Option<usize>,
    block: Option<(usize, Block)>,
    max_line_chars: Option<usize>,
    /// The games that are of interest; `None` for all.
    wanted: Option<Arc<Vec<u16>>>,
    answers: Answers,
}

/// The tags of a stored game.
struct StoredHeader<'a> {
    segment: &'a Segment,
    game: usize,
    asked: &'a RefCell<Asked>,
}

/// What has been asked about headers.
#[derive(Default)]
struct Asked {
    /// The numbers of the tags, each once.
    tags: Vec<usize>,
    /// Why a tag could not be read.
    failure: Option<io::Error>,
}

impl StoredHeader<'_> {
    fn value(&self, name: &str) -> io::Result<Option<&str>> {
        let Some(tag) = self.segment.tag_number(name)? else { return Ok(None) };
        let value = self.segment.value(tag, self.game)?;
        let tags = &mut self.asked.borrow_mut().tags;
        if !tags.contains(&tag) {
            tags.push(tag);
        }
        Ok(value)
    }
}

impl Header for StoredHeader<'_> {
    fn tag(&self, name: &str) -> Option<&str> {
        self.value(name).unwrap_or_else(|error| {
            self.asked.borrow_mut().failure = Some(error);
            None
        })
    }
}

/// The most tags whose answers are remembered, and the most answers.
const MAX_REMEMBERED: (usize, usize) = (4, 1 << 16);

/// The answers about headers by the numbers of the values that decide them: names come again and again.
#[derive(Default)]
struct Answers {
    asked: RefCell<Asked>,
    by_values: HashMap<u128, bool>,
}

impl Answers {
    /// Asks about a game, unless one with the same values has been asked about.
    fn ask(&mut self, segment: &Segment, game: usize, ask: &dyn Fn(&dyn Header) -> bool) -> io::Result<bool> {
        let count = self.asked.borrow().tags.len();
        let known = self.key(segment, game)?;
        if let Some(answer) = known.and_then(|key| self.by_values.get(&key)) {
            return Ok(*answer);
        }
        let answer = ask(&StoredHeader { segment, game, asked: &self.asked });
        if let Some(error) = self.asked.borrow_mut().failure.take() {
            return Err(error);
        }
        // If it was decided by other tags, too, the answers by fewer of them do not count.
        if self.asked.borrow().tags.len() > count || self.by_values.len() >= MAX_REMEMBERED.1 {
            self.by_values.clear();
        }
        if let Some(key) = self.key(segment, game)? {
            self.by_values.insert(key, answer);
        }
        Ok(answer)
    }

    /// The numbers of the values of a game; `None` if too many tags are asked about.
    fn key(&self, segment: &Segment, game: usize) -> io::Result<Option<u128>> {
        let tags = &self.asked.borrow().tags;
        if tags.len() > MAX_REMEMBERED.0 {
            return Ok(None);
        }
        let mut key = 0;
        for &tag in tags {
            key = key << u32::BITS | u128::from(segment.value_number(tag, game)?);
        }
        Ok(Some(key))
    }
}

impl StoredReader {
    pub(in crate::database) fn new(chunk: Chunk) -> Self {
        let games = chunk.shared.segment.games_of_blocks(chunk.blocks.clone());
        Self {
            chunk,
            next: games.start,
            end: games.end,
            latest: None,
            block: None,
            max_line_chars: None,
            wanted: None,
            answers: Answers::default(),
        }
    }

    /// The next game that is not deleted.
    fn next_game(&mut self) -> Option<usize> {
        let deleted = &self.chunk.shared.deleted;
        let is_deleted =
            |game: usize| u16::try_from(game).is_ok_and(|game| deleted.binary_search(&game).is_ok());
        while self.next < self.end && is_deleted(self.next) {
            self.next += 1;
        }
        (self.next < self.end).then_some(self.next)
    }

    fn block(&mut self, game: usize) -> io::Result<usize> {
        let segment = &self.chunk.shared.segment;
        let index = segment.block_of(game);
        if self.block.as_ref().is_none_or(|&(loaded, _)| loaded != index) {
            self.block = Some((index, segment.block(index)?));
        }
        Ok(index)
    }

    pub(in crate::database) fn next_place(&mut self) -> io::Result<Option<Place>> {
        let Some(game) = self.next_game() else { return Ok(None) };
        let index = self.block(game)?;
        let segment = &self.chunk.shared.segment;
        let Some((_, block)) = &self.block else { return Ok(None) };
        let stored = segment.stored(block, index, game)?;
        match stored.text_reader() {
            Some(mut reader) => reader.next_place(),
            None => Ok(Some(stored.place)),
        }
    }

    pub(in crate::database) fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<bool> {
        let Some(game) = self.next_game() else { return Ok(false) };
        let index = self.block(game)?;
        let segment = &self.chunk.shared.segment;
        let Some((_, block)) = &self.block else { return Ok(false) };
        let tags = segment.tags(game)?;
        let stored = segment.stored(block, index, game)?;
        let replayed = stored.replay(tags.into_iter(), self.max_line_chars, visitor);
        replayed.map_err(|error| segment.named(&error))?;
        self.latest = Some(game);
        self.next = game + 1;
        Ok(true)
    }

    pub(in crate::database) const fn limit_lines(&mut self, max_chars: usize) {
        self.max_line_chars = Some(max_chars);
    }

    /// Skips all games without a position of this key, except those with errors.
    pub(in crate::database) fn require(&mut self, key: u64) -> io::Result<()> {
        self.wanted = self.chunk.shared.segment.games_with(key)?;
        Ok(())
    }

    /// Skips games that are not wanted, up to one that is, and returns their number. It must be the same query every time.
    pub(in crate::database) fn skip(&mut self, query: Option<&Query>) -> io::Result<u64> {
        let is_out = |header: &dyn Header| query.is_some_and(|query| query.by_header(header) == Some(false));
        let mut scan = query.and_then(Query::scan);
        let mut start_tags = Vec::new();
        if scan.is_some() {
            for name in START_TAGS {
                start_tags.extend(self.chunk.shared.segment.tag_number(name)?);
            }
        }
        let mut skipped = 0;
        while let Some(game) = self.next_game() {
            let segment = &self.chunk.shared.segment;
            let is_wanted = self.wanted.as_ref().is_none_or(|wanted| {
                u16::try_from(game).is_ok_and(|game| wanted.binary_search(&game).is_ok())
            });
            let has_errors = segment.flags(game)?.has(Flags::ERRORS);
            if (is_wanted || has_errors) && !self.answers.ask(segment, game, &is_out)? {
                let is_ruled_out = match &mut scan {
                    Some(scan) if !has_errors => self.is_ruled_out(game, scan, &start_tags)?,
                    _ => false,
                };
                if !is_ruled_out {
                    break;
                }
            }
            self.next += 1;
            skipped += 1;
        }
        Ok(skipped)
    }

    /// Whether a look at the moves of a game shows that it is not found.
    fn is_ruled_out(&mut self, game: usize, scan: &mut Scan<'_>, start_tags: &[usize]) -> io::Result<bool> {
        let index = self.block(game)?;
        let segment = &self.chunk.shared.segment;
        let Some((_, block)) = &self.block else { return Ok(false) };
        for &tag in start_tags {
            if segment.value(tag, game)?.is_some() {
                return Ok(false);
            }
        }
        scan.begin();
        let followed = segment.stored(block, index, game)?.follow(MAX_PLIES, |men, played, ply| {
            let goes_on = scan.visit(&Step { men, played, ply });
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // Tags that are asked now have been asked before, if they matter.
        let asked = RefCell::default();
        let header = StoredHeader { segment, game, asked: &asked };
        Ok(followed.is_some() && scan.is_out(&header))
    }

    /// Passes over games without reading them, at most so many, and returns their number.
    pub(in crate::database) fn pass(&mut self, most: u64) -> u64 {
        let mut passed = 0;
        while passed < most && self.next_game().is_some() {
            self.next += 1;
            passed += 1;
        }
        passed
    }

    /// The number of the source of the next game.
    pub(in crate::database) fn origin(&mut self) -> io::Result<Option<usize>> {
        let Some(game) = self.next_game() else { return Ok(None) };
        let shared = &self.chunk.shared;
        let origins = shared.origins.get_or_try_init(|| {
            let mut end = 0;
            let runs = shared.segment.origins()?.into_iter().map(|(origin, games)| {
                end += games;
                (origin, end)
            });
            Ok::<_, io::Error>(runs.collect::<Vec<_>>())
        })?;
        let run = origins.partition_point(|&(_, end)| end <= game);
        Ok(origins.get(run).map(|&(origin, _)| origin))
    }

    /// The name of the source of the next game.
    pub(in crate::database) fn origin_name(&mut self) -> io::Result<Option<&str>> {
        let origin = self.origin()?.and_then(|origin| self.chunk.shared.names.get(origin));
        Ok(origin.map(|origin| &*origin.name))
    }

    /// The text of the game that has been read last, if it is stored as text.
    pub(in crate::database) fn latest_text(&mut self) -> io::Result<Option<GameText>> {
        let Some(game) = self.latest else { return Ok(None) };
        let index = self.block(game)?;
        let Some((_, block)) = &self.block else { return Ok(None) };
        Ok(self.chunk.shared.segment.stored(block, index, game)?.text())
    }
}
