//! Reading the games of a collection in chunks.

use super::header::StoredHeader;
use super::line::{LineReader, StoredLine};
use super::manifest::Origin;
use super::record::{Flags, GameText, follow};
use super::segment::{Block, Segment};
use super::shared::{Opened, Shared, Sources};
use crate::chess::{Move, Position};
use crate::database::game_set::GameSet;
use crate::database::men::Men;
use crate::database::query::{Header, MAX_PLIES, Query, Scan, Step, TagColumns, Verdicts};
use crate::database::tally::{Counted, Counting};
use crate::notation::pgn::{GameResult, GameSource, Place, RawText, START_TAGS, Skip, Tracker, Visitor};
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// The number of blocks in a chunk, if there are too few segments to read each as a whole.
const CHUNK_BLOCKS: usize = 16;
/// The number of segments per thread from which segments are read as a whole.
const SEGMENTS_PER_THREAD: usize = 4;

/// Distributes the games of a collection.
pub(in crate::database) struct Chunks {
    waiting: std::vec::IntoIter<Opened>,
    current: Option<(Arc<Shared>, usize)>,
    names: Sources,
    /// Whether chunks are whole segments.
    are_whole: bool,
}

/// Some games of a segment, or a segment that has not been opened yet.
pub(in crate::database) struct Chunk {
    content: ChunkContent,
    /// The approximate size in the file system, in bytes.
    pub bytes: u64,
}

enum ChunkContent {
    Blocks(Arc<Shared>, Range<usize>),
    Segment(Opened, Sources),
}

impl Chunks {
    /// The games of these segments, from these sources, for this number of threads.
    pub(super) fn new(segments: Vec<Opened>, names: Vec<Origin>, threads: usize, by_segment: bool) -> Self {
        let are_whole = by_segment || segments.len() >= threads * SEGMENTS_PER_THREAD;
        let source = |Origin { name, added, .. }: Origin| Arc::new(GameSource { name, added: Some(added) });
        let names = Arc::new(names.into_iter().map(source).collect());
        Self { waiting: segments.into_iter(), current: None, names, are_whole }
    }
}

impl Iterator for Chunks {
    type Item = io::Result<Chunk>;

    /// After an error, only the games of one segment are lost.
    fn next(&mut self) -> Option<io::Result<Chunk>> {
        loop {
            if let Some((shared, next)) = &mut self.current {
                let count = shared.segment.blocks();
                let blocks = *next..count.min(*next + CHUNK_BLOCKS);
                if !blocks.is_empty() {
                    *next = blocks.end;
                    let bytes = shared.bytes * blocks.len() as u64 / count as u64;
                    let content = ChunkContent::Blocks(Arc::clone(shared), blocks);
                    return Some(Ok(Chunk { content, bytes }));
                }
            }
            let opened = self.waiting.next()?;
            let names = Arc::clone(&self.names);
            if self.are_whole {
                let bytes = opened.bytes;
                return Some(Ok(Chunk { content: ChunkContent::Segment(opened, names), bytes }));
            }
            match Shared::open(opened, names) {
                Ok(shared) => self.current = Some((shared, 0)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Reads the games of a chunk like a PGN reader.
pub(in crate::database) struct StoredReader {
    shared: Arc<Shared>,
    /// The number of the next game.
    next: usize,
    games: Range<usize>,
    /// The number of the last game that was read.
    latest: Option<usize>,
    block: Option<(usize, Block)>,
    max_line_chars: Option<usize>,
    /// The state of the game that is being replayed.
    tracker: Tracker,
    /// The key of a position that wanted games contain.
    required: Option<u64>,
    /// The games that may be wanted, and those that certainly are; `None` until they are needed.
    candidates: Option<Candidates>,
}

/// Games classified by their tags and by the index.
struct Candidates {
    /// All other games are not wanted.
    possible: GameSet,
    /// These games are wanted, as far as the query depends only on tags.
    certain: GameSet,
}

/// The numbers of games that have been skipped.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Passed {
    /// All skipped games.
    pub games: u64,
    /// The skipped games that a query finds, which have only been counted.
    pub found: u64,
}

impl StoredReader {
    /// Opens the segment if it is not open.
    ///
    /// # Errors
    /// The same as for [`Opened::read`].
    pub(in crate::database) fn new(chunk: Chunk) -> io::Result<Self> {
        let (shared, blocks) = match chunk.content {
            ChunkContent::Blocks(shared, blocks) => (shared, blocks),
            ChunkContent::Segment(opened, names) => {
                let shared = Shared::open(opened, names)?;
                let blocks = 0..shared.segment.blocks();
                (shared, blocks)
            }
        };
        let games = shared.segment.games_of_blocks(blocks);
        Ok(Self {
            shared,
            next: games.start,
            games,
            latest: None,
            block: None,
            max_line_chars: None,
            tracker: Tracker::new(),
            required: None,
            candidates: None,
        })
    }

    /// The next game that is not deleted.
    fn next_game(&mut self) -> Option<usize> {
        let deleted = &self.shared.deleted;
        let is_deleted =
            |game: usize| u16::try_from(game).is_ok_and(|game| deleted.binary_search(&game).is_ok());
        while self.next < self.games.end && is_deleted(self.next) {
            self.next += 1;
        }
        (self.next < self.games.end).then_some(self.next)
    }

    fn block(&mut self, game: usize) -> io::Result<usize> {
        let segment = &self.shared.segment;
        let index = segment.block_of(game);
        if self.block.as_ref().is_none_or(|&(loaded, _)| loaded != index) {
            self.block = Some((index, segment.block(index)?));
        }
        Ok(index)
    }

    pub(in crate::database) fn next_place(&mut self) -> io::Result<Option<Place>> {
        let Some(game) = self.next_game() else { return Ok(None) };
        let index = self.block(game)?;
        let segment = &self.shared.segment;
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
        let segment = &self.shared.segment;
        let Some((_, block)) = &self.block else { return Ok(false) };
        if let Some(source) = self.shared.source(game)? {
            visitor.source(source);
        }
        let tags = segment.tags(game)?;
        let stored = segment.stored(block, index, game)?;
        let replayed = stored.replay(tags.into_iter(), self.max_line_chars, &mut self.tracker, visitor);
        replayed.map_err(|error| segment.named(&error))?;
        self.latest = Some(game);
        self.next = game + 1;
        Ok(true)
    }

    pub(in crate::database) const fn limit_lines(&mut self, max_chars: usize) {
        self.max_line_chars = Some(max_chars);
    }

    /// Skips all games without a position of this key, except those with errors.
    pub(in crate::database) fn require(&mut self, key: u64) {
        self.required = Some(key);
        self.candidates = None;
    }

    /// The games that remain after the tags, the index and errors have been checked.
    fn find_candidates(&self, query: Option<&Query>) -> io::Result<Candidates> {
        let segment = &self.shared.segment;
        let count = segment.games();
        let set = |games: &[u16]| GameSet::of(count, games.iter().map(|&game| game.into()));
        let mut possible = match self.required.map(|key| segment.games_with(key)).transpose()?.flatten() {
            Some(wanted) => {
                let mut wanted = set(&wanted);
                wanted |= &set(&segment.irregular()?.with_errors);
                wanted
            }
            None => GameSet::all(count),
        };
        let mut certain = GameSet::none(count);
        if let Some(query) = query.filter(|query| query.asks_tags()) {
            let Verdicts { yes, no } = query.by_columns(&*self.shared)?;
            possible &= &!no;
            certain = yes;
            certain &= &!set(&segment.irregular()?.with_errors);
        }
        Ok(Candidates { possible, certain })
    }

    /// Skips games that are not wanted, up to one that may be, and returns their number. The query must be the same in
    /// all calls. If games are only counted, those that are found without reading them are skipped as well.
    pub(in crate::database) fn skip(
        &mut self,
        query: Option<&Query>,
        only_counts: bool,
    ) -> io::Result<Passed> {
        let candidates = match self.candidates.take() {
            Some(candidates) => candidates,
            None => self.find_candidates(query)?,
        };
        let passed = self.skip_to(query, only_counts, &candidates);
        self.candidates = Some(candidates);
        passed
    }

    fn skip_to(
        &mut self,
        query: Option<&Query>,
        only_counts: bool,
        candidates: &Candidates,
    ) -> io::Result<Passed> {
        let mut scan = query.and_then(Query::scan);
        let start_tags = if scan.is_some() { self.start_tags()? } else { Vec::new() };
        let shared = Arc::clone(&self.shared);
        let segment = &shared.segment;
        let mut passed = Passed::default();
        loop {
            let next = candidates.possible.next(self.next).unwrap_or(self.games.end);
            passed.games += self.pass_to(next);
            let Some(game) = self.next_game() else { return Ok(passed) };
            if !candidates.possible.contains(game) {
                // The candidate is deleted, and the game after it is not a candidate.
                continue;
            }
            let verdict = if only_counts && candidates.certain.contains(game) {
                Some(true)
            } else {
                match &mut scan {
                    Some(scan) if !segment.flags(game)?.has(Flags::ERRORS) => {
                        let seen = segment.seen()?.get(game);
                        if seen.is_some_and(|seen| scan.is_hopeless(seen)) {
                            Some(false)
                        } else {
                            self.look(game, scan, &start_tags)?
                        }
                    }
                    _ => None,
                }
            };
            match verdict {
                Some(true) if only_counts => passed.found += 1,
                Some(false) => {}
                Some(true) | None => return Ok(passed),
            }
            self.next = game + 1;
            passed.games += 1;
        }
    }

    /// Moves forward to this game, and returns the number of skipped games that are not deleted.
    fn pass_to(&mut self, game: usize) -> u64 {
        let end = game.clamp(self.next, self.games.end);
        let deleted = &self.shared.deleted;
        let before = |game: usize| deleted.partition_point(|&other| usize::from(other) < game);
        let passed = (end - self.next) - (before(end) - before(self.next));
        self.next = end;
        passed as u64
    }

    /// Whether the query finds a game, by a scan of its moves; `None` if that is not certain.
    fn look(&mut self, game: usize, scan: &mut Scan<'_>, start_tags: &[usize]) -> io::Result<Option<bool>> {
        let index = self.block(game)?;
        let segment = &self.shared.segment;
        let Some((_, block)) = &self.block else { return Ok(None) };
        if is_set_up(segment, game, start_tags)? {
            return Ok(None);
        }
        let Some(moves) = segment.moves(block, index, game)? else { return Ok(None) };
        scan.begin();
        let followed = follow(moves, MAX_PLIES, |men, played, ply| {
            let goes_on = scan.visit(&Step { men, played, ply });
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let header = StoredHeader::new(&self.shared, game);
        let verdict = followed.and_then(|()| scan.verdict(&header));
        header.checked(verdict)
    }

    /// Passes the tags and the result of the next game to `take` and skips it, if the game is found by its tags alone
    /// and has no errors. Returns whether it did.
    pub(in crate::database) fn take_header(
        &mut self,
        query: Option<&Query>,
        take: &mut dyn FnMut(&dyn Header, GameResult),
    ) -> io::Result<bool> {
        let Some(game) = self.next_game() else { return Ok(false) };
        let segment = &self.shared.segment;
        let is_plain = segment.flags(game)?.is_plain();
        let is_certain =
            || self.candidates.as_ref().is_some_and(|candidates| candidates.certain.contains(game));
        if !is_plain || query.is_some() && !is_certain() {
            return Ok(false);
        }
        let header = StoredHeader::new(&self.shared, game);
        let result = header.tag("Result").and_then(|text| GameResult::from_tag(text.as_bytes()));
        take(&header, result.unwrap_or_default());
        header.checked(())?;
        self.next = game + 1;
        Ok(true)
    }

    /// Passes the next games to `take` that [`Self::take_header`] would pass one by one, and skips them.
    pub(in crate::database) fn take_columns(
        &mut self,
        query: Option<&Query>,
        take: &mut dyn FnMut(TagColumns<'_>, &[usize]) -> io::Result<()>,
    ) -> io::Result<Passed> {
        let shared = Arc::clone(&self.shared);
        let flags = shared.segment.all_flags()?;
        let (mut passed, mut games) = (Passed::default(), Vec::new());
        while let Some(game) = self.next_game() {
            let is_certain = match &self.candidates {
                Some(candidates) if !candidates.possible.contains(game) => {
                    passed.games += 1;
                    self.next = game + 1;
                    continue;
                }
                Some(candidates) => query.is_none() || candidates.certain.contains(game),
                None => query.is_none(),
            };
            if !is_certain || !flags.get(game).is_some_and(|flags| flags.is_plain()) {
                break;
            }
            games.push(game);
            passed.games += 1;
            self.next = game + 1;
        }
        passed.found = games.len() as u64;
        if !games.is_empty() {
            take(TagColumns(&*shared), &games)?;
        }
        Ok(passed)
    }

    /// Passes the data of the next games that is known without replaying them to `take`, with the values of these tags,
    /// up to a game that must be read, and skips them.
    pub(in crate::database) fn take_lines(
        &mut self,
        names: &[&str],
        take: &mut dyn FnMut(&StoredLine<'_>),
    ) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        let segment = &shared.segment;
        let columns = names.iter().map(|name| segment.column_of(name)).collect::<io::Result<Vec<_>>>()?;
        let start_tags = self.start_tags()?;
        let standard = Position::start();
        let (mut line, mut texts) = (LineReader::default(), Vec::with_capacity(names.len()));
        while let Some(game) = self.next_game() {
            let index = self.block(game)?;
            let Some((_, block)) = &self.block else { return Ok(()) };
            let stored = segment.stored(block, index, game)?;
            if stored.flags.has(Flags::TEXT) || stored.flags.has(Flags::ERRORS) {
                return Ok(());
            }
            let mut start = None;
            if is_set_up(segment, game, &start_tags)? {
                let tags = segment.tags(game)?.into_iter();
                let Some(position) = start_of(tags, &mut self.tracker) else { return Ok(()) };
                start = Some(position).filter(|&position| position != standard);
            }
            let Some(facts) = line.read(stored.moves, stored.texts) else { return Ok(()) };
            texts.clear();
            texts.extend(columns.iter().map(|column| column.and_then(|column| column.value(game))));
            take(&StoredLine {
                texts: &texts,
                start: start.as_ref(),
                numbers: &line.numbers,
                result: facts.result,
                notes: facts.notes,
                tags: segment.tag_numbers(game)?.len(),
            });
            self.latest = Some(game);
            self.next = game + 1;
        }
        Ok(())
    }

    /// The numbers of the tags that state another initial position.
    fn start_tags(&self) -> io::Result<Vec<usize>> {
        let segment = &self.shared.segment;
        let numbers = START_TAGS.iter().filter_map(|name| segment.tag_number(name).transpose());
        numbers.collect()
    }

    /// The counts of the moves of a position in all games of a segment; the counted games are skipped from now on.
    /// `None` if the games must be read.
    pub(in crate::database) fn counted(&mut self, position: &Position) -> io::Result<Option<Counted>> {
        let shared = Arc::clone(&self.shared);
        let (segment, key) = (&shared.segment, position.key().bits());
        if !segment.has_index()
            || self.games != (0..segment.games())
            || self.next > 0
            || !self.shared.deleted.is_empty()
        {
            return Ok(None);
        }
        let irregular = segment.irregular()?;
        let mut uncounted: Vec<usize> = irregular.with_errors.iter().map(|&game| game.into()).collect();
        let counted = match segment.node(key)? {
            // The games of the position are needed only for games that are not counted.
            Some(node) if irregular.texts.is_empty() => node,
            Some(node) => {
                let wanted = segment.games_with(key)?;
                let may_have =
                    |game: &u16| wanted.as_ref().is_none_or(|games| games.binary_search(game).is_ok());
                uncounted.extend(
                    irregular.texts.iter().filter(|game| may_have(game)).map(|&game| usize::from(game)),
                );
                node
            }
            None => {
                let games: Vec<usize> = match segment.games_with(key)? {
                    Some(games) => games.iter().map(|&game| game.into()).collect(),
                    None => (0..segment.games()).collect(),
                };
                self.count_moves(position, &games, &mut uncounted)?
            }
        };
        self.candidates = Some(Candidates {
            possible: GameSet::of(segment.games(), uncounted),
            certain: GameSet::none(segment.games()),
        });
        Ok(Some(counted))
    }

    /// Counts the moves of a position in these games. Games that cannot be replayed are added to `uncounted`.
    fn count_moves(
        &mut self,
        position: &Position,
        games: &[usize],
        uncounted: &mut Vec<usize>,
    ) -> io::Result<Counted> {
        let start_tags = self.start_tags()?;
        let wanted = Men::from(position.board());
        let mut counted = Counting::default();
        let mut played_moves: Vec<Move> = Vec::new();
        for &game in games {
            let index = self.block(game)?;
            let segment = &self.shared.segment;
            let Some((_, block)) = &self.block else { continue };
            let moves = segment.moves(block, index, game)?;
            let moves = if is_set_up(segment, game, &start_tags)? { None } else { moves };
            let (mut is_here, mut is_found) = (false, false);
            played_moves.clear();
            let followed = moves.and_then(|moves| {
                follow(moves, MAX_PLIES, |men, played, _| {
                    if let Some(played) = played.filter(|_| is_here)
                        && !played_moves.contains(&played.mv)
                    {
                        played_moves.push(played.mv);
                    }
                    is_here = *men == wanted;
                    is_found |= is_here;
                    ControlFlow::Continue(())
                })
            });
            if followed.is_none() {
                uncounted.push(game);
            } else if is_found {
                let facts = segment.facts(block, index, game)?;
                counted.add(&facts, position.turn(), &played_moves, game as u64 + 1);
            }
        }
        Ok(counted.counted().clone())
    }

    /// Skips at most `most` games without reading them, and returns their number.
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
        self.shared.origin(game)
    }

    /// The name of the source of the next game.
    pub(in crate::database) fn origin_name(&mut self) -> io::Result<Option<&str>> {
        let Some(game) = self.next_game() else { return Ok(None) };
        Ok(self.shared.source(game)?.map(|source| &*source.name))
    }

    /// The text of the last game that was read, if it is stored as text.
    pub(in crate::database) fn latest_text(&mut self) -> io::Result<Option<GameText>> {
        let Some(game) = self.latest else { return Ok(None) };
        let index = self.block(game)?;
        let Some((_, block)) = &self.block else { return Ok(None) };
        Ok(self.shared.segment.stored(block, index, game)?.text())
    }
}

/// The initial position stated by these tags; `None` if they are invalid.
fn start_of<'a>(tags: impl Iterator<Item = (&'a str, &'a str)>, tracker: &mut Tracker) -> Option<Position> {
    tracker.begin_game();
    for (name, value) in tags {
        tracker.tag(name.as_bytes(), RawText::from(value)).ok()?;
    }
    (tracker.end_tags() == Skip::No).then(|| *tracker.position())
}

/// Whether a game has one of these tags, which state another initial position.
fn is_set_up(segment: &Segment, game: usize, start_tags: &[usize]) -> io::Result<bool> {
    for &tag in start_tags {
        if segment.value(tag, game)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
