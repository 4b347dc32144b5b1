//! Reading sources in chunks on several threads.

use super::query::{Header, Query, TagColumns};
use super::split::{PgnChunk, SpareBuffers, Splitter};
use super::store::{
    Chunk, Chunks, Collection, Encoded, Encoder, GameText, Passed, Recordable, Recorder, StoredLine,
    StoredReader,
};
use super::tally::Counted;
use super::{Content, Source};
use crate::chess::Position;
use crate::notation::PieceLetters;
use crate::notation::pgn::{GameResult, GameSource, MAX_GAME_TEXT, Place, Reader, Visitor};
use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use std::any::Any;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// The number of results of a chunk that may wait before its thread waits as well.
const WAITING_RESULTS: usize = 256;
/// The number of chunks per thread whose results may wait: those of one that is being read, and of one that has been.
const CHUNKS_PER_THREAD: usize = 2;

/// Receives warnings about a source that can still be read, on any thread.
pub type SourceWarn = dyn Fn(&Source, &str) + Send + Sync;

/// Options of reading.
#[derive(Clone)]
pub struct Options {
    /// The number of threads that split and decompress sources and read their games, at least 1.
    pub threads: usize,
    /// The number of bytes read so far, as stored, for a progress bar.
    pub bytes: Arc<AtomicU64>,
    /// Receives warnings.
    pub warn: Arc<SourceWarn>,
    /// Whether the text of games is kept, so that they can be stored.
    pub keeps_text: bool,
    /// Whether a collection is expected to decide most games without their moves, so that a thread gets a whole
    /// segment.
    pub by_segment: bool,
}

/// Splits the games of a source into chunks.
enum Cutter {
    Text(Splitter),
    Stored(Chunks),
}

/// A chunk of the games of a source.
enum GameChunk {
    Text(PgnChunk),
    Stored(Chunk),
}

impl Cutter {
    /// The next games, for a thread with these buffers; `None` at the end. Other games may follow an error.
    fn next(&mut self, options: &Options, spare: &SpareBuffers) -> Option<io::Result<GameChunk>> {
        match self {
            Self::Text(splitter) => splitter.next(spare).map(|chunk| chunk.map(GameChunk::Text)).transpose(),
            Self::Stored(chunks) => chunks.next().map(|chunk| {
                let chunk = chunk?;
                options.bytes.fetch_add(chunk.bytes, Ordering::Relaxed);
                Ok(GameChunk::Stored(chunk))
            }),
        }
    }
}

impl Options {
    fn open(&self, source: &Source) -> io::Result<Cutter> {
        if let Source::Collection(path) = source {
            return Ok(Cutter::Stored(Collection::open(path)?.chunks(self.threads, self.by_segment)));
        }
        let (warn, named) = (Arc::clone(&self.warn), source.clone());
        let content = source.open(Content::Text, &self.bytes, move |text| warn(&named, text))?;
        Ok(Cutter::Text(Splitter::new(content.reader)))
    }
}

impl Default for Options {
    /// One thread per processor.
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, Into::into);
        Self {
            threads,
            bytes: Arc::default(),
            warn: Arc::new(|_, _| ()),
            keeps_text: false,
            by_segment: false,
        }
    }
}

/// A part of a source, which is read in order.
pub struct Part<'a> {
    /// The source.
    pub source: &'a Source,
    /// The reader of the part, with positions in the whole source.
    pub reader: SourceReader,
}

impl<'a> Part<'a> {
    fn new(source: &'a Source, chunk: GameChunk, options: &Options) -> io::Result<Self> {
        let reader = match chunk {
            GameChunk::Text(chunk) => {
                SourceReader::of_text(chunk.content, chunk.place, options.keeps_text).with_source(source)
            }
            GameChunk::Stored(chunk) => SourceReader::of_chunk(chunk)?,
        };
        Ok(Self { source, reader })
    }
}

/// A result on its way from the thread that made it. It is untyped so that threads and channels are compiled once for
/// all commands.
type Untyped = Box<dyn Any + Send>;
/// Receives the results of a part.
type Emit<'a> = dyn FnMut(Untyped) -> io::Result<()> + 'a;
/// Reads the games of a part.
type Work<'a> = dyn Fn(&mut Part<'_>, &mut Emit<'_>) -> io::Result<()> + Sync + 'a;
/// Receives results in the order of the input.
type Take<'a> = dyn FnMut(&Source, io::Result<Untyped>) -> ControlFlow<()> + 'a;

/// Reads all games of all sources. Each part is passed to `work` on some thread, which reads its games and emits
/// results; these are passed to `take` on this thread, in the order of the input, regardless of the number of threads.
/// Memory is bounded: threads that are ahead wait.
///
/// `work` must return the errors of the reader and of `emit`, which fails after `take` has returned a break. The value
/// of that break is then returned.
///
/// `take` receives the error of a source that cannot be read, after the results before it. Reading continues with the
/// next source.
pub fn read<T: Send + 'static, B>(
    sources: &[Source],
    options: &Options,
    work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
    mut take: impl FnMut(&Source, io::Result<T>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let work = |part: &mut Part<'_>, emit: &mut Emit<'_>| work(part, &mut |result: T| emit(Box::new(result)));
    let mut broken = None;
    let mut take = |source: &Source, result: io::Result<Untyped>| {
        let result = result.map(|result| *result.downcast().expect("all results are of this type"));
        take(source, result).map_break(|with| broken = Some(with))
    };
    if options.threads > 1 {
        read_on_threads(sources, options, &work, &mut take);
    } else {
        // A break ends the reading; its value is known here.
        let _ = read_here(sources, options, &work, &mut take);
    }
    broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

fn read_here(sources: &[Source], options: &Options, work: &Work<'_>, take: &mut Take<'_>) -> ControlFlow<()> {
    let spare = SpareBuffers::default();
    for source in sources {
        let mut cutter = match options.open(source) {
            Ok(cutter) => cutter,
            Err(error) => {
                take(source, Err(error))?;
                continue;
            }
        };
        while let Some(chunk) = cutter.next(options, &spare) {
            let mut flow = ControlFlow::Continue(());
            let mut emit = |result| {
                flow = take(source, Ok(result));
                if flow.is_break() { Err(receiver_gone()) } else { Ok(()) }
            };
            let done = chunk
                .and_then(|chunk| Part::new(source, chunk, options))
                .and_then(|mut part| work(&mut part, &mut emit));
            flow?;
            if let Err(error) = done {
                take(source, Err(error))?;
            }
        }
    }
    ControlFlow::Continue(())
}

fn receiver_gone() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

/// A chunk on its way to a thread, with the channel for its results.
struct Job<'a> {
    source: &'a Source,
    chunk: GameChunk,
    results: Sender<io::Result<Untyped>>,
}

/// A chunk whose results are taken in the order of the input.
struct PendingChunk<'a> {
    source: &'a Source,
    results: Receiver<io::Result<Untyped>>,
}

/// Reads until all results are taken, or until `take` returns a break.
fn read_on_threads(sources: &[Source], options: &Options, work: &Work<'_>, take: &mut Take<'_>) {
    let (send_pending, pending) = bounded::<PendingChunk<'_>>(options.threads * CHUNKS_PER_THREAD);
    let supply = Arc::new(Mutex::new(Supply { sources: sources.iter(), cut: None, pending: send_pending }));
    thread::scope(|scope| {
        for _ in 0..options.threads {
            let supply = Arc::clone(&supply);
            scope.spawn(move || {
                // The thread that takes a chunk cuts it: its text is then in the cache of the right processor.
                let spare = SpareBuffers::default();
                let next = || supply.lock().next(options, &spare);
                while let Some(job) = next() {
                    let mut emit = |result| job.results.send(Ok(result)).map_err(|_| receiver_gone());
                    let part = Part::new(job.source, job.chunk, options);
                    if let Err(error) = part.and_then(|mut part| work(&mut part, &mut emit)) {
                        // If this also fails, the receiver is gone.
                        let _ = job.results.send(Err(error));
                    }
                }
            });
        }
        // The last thread ends the queue of results.
        drop(supply);
        // Leaving this loop drops the receivers, which ends every thread.
        for chunk in pending {
            for result in chunk.results {
                if take(chunk.source, result).is_break() {
                    return;
                }
            }
        }
    });
}

/// All chunks of all sources, in their order.
struct Supply<'a> {
    sources: std::slice::Iter<'a, Source>,
    /// The source that is being cut.
    cut: Option<(&'a Source, Cutter)>,
    /// Receives the channels for the results, in the order of the chunks.
    pending: Sender<PendingChunk<'a>>,
}

impl<'a> Supply<'a> {
    /// The next chunk, for a thread with these buffers. `None` at the end, or if the receiver of the results is gone.
    fn next(&mut self, options: &Options, spare: &SpareBuffers) -> Option<Job<'a>> {
        loop {
            let Some((source, cutter)) = &mut self.cut else {
                let source = self.sources.next()?;
                match options.open(source) {
                    Ok(cutter) => self.cut = Some((source, cutter)),
                    Err(error) => self.fail(source, error)?,
                }
                continue;
            };
            let source = *source;
            match cutter.next(options, spare) {
                Some(Ok(chunk)) => return Some(Job { source, chunk, results: self.queue(source)? }),
                Some(Err(error)) => self.fail(source, error)?,
                None => self.cut = None,
            }
        }
    }

    /// Queues a channel for results. `None` if their receiver is gone.
    fn queue(&self, source: &'a Source) -> Option<Sender<io::Result<Untyped>>> {
        let (send, results) = bounded(WAITING_RESULTS);
        self.pending.send(PendingChunk { source, results }).ok()?;
        Some(send)
    }

    /// Queues an error instead of results. `None` if the receiver is gone.
    fn fail(&self, source: &'a Source, error: io::Error) -> Option<()> {
        self.queue(source)?.send(Err(error)).ok()
    }
}

/// A reader of text from any source, compiled once for all kinds of text.
type TextReader = Reader<Box<dyn Read + Send>>;

/// Reads games like [`Reader`], from any kind of source.
pub struct SourceReader {
    kind: Kind,
    /// The source of text; games of a collection have their own sources.
    source: Option<Arc<GameSource>>,
}

enum Kind {
    Text(Box<TextReader>),
    Kept(Box<KeptReader>),
    Stored(Box<StoredReader>),
}

impl SourceReader {
    pub(super) fn of_text(content: Box<dyn Read + Send>, place: Place, keeps_text: bool) -> Self {
        let kind = if keeps_text {
            Kind::Kept(Box::new(KeptReader::new(content, place)))
        } else {
            Kind::Text(Box::new(Reader::within(content, place)))
        };
        Self { kind, source: None }
    }

    fn with_source(self, source: &Source) -> Self {
        Self { source: Some(Arc::new(GameSource { name: source.name(), added: None })), ..self }
    }

    pub(super) fn of_chunk(chunk: Chunk) -> io::Result<Self> {
        Ok(Self { kind: Kind::Stored(Box::new(StoredReader::new(chunk)?)), source: None })
    }

    /// Reads a game like [`Reader::read_game`].
    ///
    /// # Errors
    /// An error of the source, or damage of a collection.
    #[cfg(not(debug_assertions))]
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<bool> {
        self.read_for(visitor)
    }

    /// Reads a game like [`Reader::read_game`]. With debug assertions, the reader is compiled once for all visitors,
    /// and optimized as it is here, which makes the compilation of the tests a minute faster.
    ///
    /// # Errors
    /// An error of the source, or damage of a collection.
    #[cfg(debug_assertions)]
    pub fn read_game(&mut self, mut visitor: &mut dyn Visitor) -> io::Result<bool> {
        self.read_for(&mut visitor)
    }

    fn read_for<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<bool> {
        if let Some(source) = &self.source {
            visitor.source(source);
        }
        match &mut self.kind {
            Kind::Text(reader) => reader.read_game(visitor),
            Kind::Kept(reader) => reader.read_game(visitor),
            Kind::Stored(reader) => reader.read_game(visitor),
        }
    }

    /// The place of the next game, like [`Reader::next_place`]. Games of a collection have their places in the files
    /// from which they were added.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn next_place(&mut self) -> io::Result<Option<Place>> {
        match &mut self.kind {
            Kind::Text(reader) => reader.next_place(),
            Kind::Kept(reader) => reader.reader.next_place(),
            Kind::Stored(reader) => reader.next_place(),
        }
    }

    /// Limits lines like [`Reader::limit_lines`]. In a collection, only games that are stored as text have lines.
    pub fn limit_lines(&mut self, max_chars: usize) {
        match &mut self.kind {
            Kind::Text(reader) => reader.limit_lines(max_chars),
            Kind::Kept(reader) => reader.reader.limit_lines(max_chars),
            Kind::Stored(reader) => reader.limit_lines(max_chars),
        }
    }

    /// Declares that only games with a position of this key, or with errors, are wanted. A collection with an index
    /// skips the others; text must be read in any case.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn require(&mut self, key: u64) -> io::Result<()> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(()),
            Kind::Stored(reader) => {
                reader.require(key);
                Ok(())
            }
        }
    }

    /// Declares that only games that the query may find are wanted, like [`Self::require`]; without a query, all are.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn require_found(&mut self, query: Option<&Query>) -> io::Result<()> {
        query.and_then(Query::required_position).map_or(Ok(()), |key| self.require(key))
    }

    /// Skips games that the query does not find, up to one that it may find, if that is faster than reading them;
    /// returns their number. The query must be the same in all calls. Without a query, skips the games that
    /// [`Self::require`] excludes.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn skip(&mut self, query: Option<&Query>) -> io::Result<u64> {
        Ok(self.skip_counting(query, false)?.games)
    }

    /// Skips games like [`Self::skip`]; if games are only counted, also skips those that are found without reading
    /// them.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn skip_counting(&mut self, query: Option<&Query>, only_counts: bool) -> io::Result<Passed> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(Passed::default()),
            Kind::Stored(reader) => reader.skip(query, only_counts),
        }
    }

    /// Passes the tags and the result of the next game to `take` and skips it, if a collection knows without reading it
    /// that the query finds it and that it has no errors. Returns whether it did. Call [`Self::skip`] before.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn take_header(
        &mut self,
        query: Option<&Query>,
        take: &mut dyn FnMut(&dyn Header, GameResult),
    ) -> io::Result<bool> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(false),
            Kind::Stored(reader) => reader.take_header(query, take),
        }
    }

    /// Passes all games to `take` that [`Self::take_header`] would pass one by one, up to one that must be read, and
    /// skips them.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn take_columns(
        &mut self,
        query: Option<&Query>,
        take: &mut dyn FnMut(TagColumns<'_>, &[usize]) -> io::Result<()>,
    ) -> io::Result<Passed> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(Passed::default()),
            Kind::Stored(reader) => reader.take_columns(query, take),
        }
    }

    /// Passes the data that a collection has about the next games without replaying them to `take`, with the values of
    /// these tags, up to a game that must be read, and skips them.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn take_lines(&mut self, names: &[&str], take: &mut dyn FnMut(&StoredLine<'_>)) -> io::Result<()> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(()),
            Kind::Stored(reader) => reader.take_lines(names, take),
        }
    }

    /// The counts of the moves of a position in these games, which [`Self::skip`] then skips, except those that are not
    /// counted. `None` if the games must be read.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn counted(&mut self, position: &Position) -> io::Result<Option<Counted>> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(None),
            Kind::Stored(reader) => reader.counted(position),
        }
    }

    /// The name of the file from which the next game of a collection was added; `None` for games of a file.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn origin_name(&mut self) -> io::Result<Option<&str>> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(None),
            Kind::Stored(reader) => reader.origin_name(),
        }
    }

    /// The text of the last game as it is in its source, with surrounding white space, and the number of bytes of the
    /// source before it. `None` if it is not available: the options must request the text, a collection keeps only that
    /// of irregular games, and a game may be too long.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn source_text(&mut self) -> io::Result<Option<(u64, Vec<u8>)>> {
        Ok(self.latest_text()?.map(|text| (text.place.offset, text.bytes)))
    }

    /// Reads the games that a query finds, or all without a query, and encodes them as blocks, which can be added to a
    /// collection. The options must request the text.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`], and the errors of `emit`.
    pub fn encode(
        &mut self,
        letters: PieceLetters,
        query: Option<&Query>,
        emit: &mut dyn FnMut(Encoded) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut encoder = Encoder::new(letters);
        encoder.add(self, query, None, emit)?;
        encoder.finish(emit)
    }

    /// Skips at most `most` games and returns their number. A collection does not read them.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn pass(&mut self, most: u64) -> io::Result<u64> {
        if let Kind::Stored(reader) = &mut self.kind {
            return Ok(reader.pass(most));
        }
        let mut passed = 0;
        while passed < most && self.read_game(&mut ())? {
            passed += 1;
        }
        Ok(passed)
    }

    /// The number of the source of the next game of a collection; `None` for games of a file.
    ///
    /// # Errors
    /// The same as for [`Self::read_game`].
    pub fn origin(&mut self) -> io::Result<Option<usize>> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(None),
            Kind::Stored(reader) => reader.origin(),
        }
    }
}

/// Encodes changed games as blocks, with their new text and the places of the old one.
pub struct Reencoder(Encoder);

impl Default for Reencoder {
    fn default() -> Self {
        Self(Encoder::new(PieceLetters::default()))
    }
}

impl Reencoder {
    /// Adds a game from a source of the collection. Full blocks are emitted.
    ///
    /// # Errors
    /// The errors of `emit`.
    pub fn add(
        &mut self,
        text: Vec<u8>,
        place: Place,
        origin: Option<usize>,
        emit: &mut dyn FnMut(Encoded) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut reader = SourceReader::of_text(Box::new(Cursor::new(text)), place, true);
        self.0.add(&mut reader, None, origin, emit)
    }

    /// Emits the remaining games.
    ///
    /// # Errors
    /// The errors of `emit`.
    pub fn finish(self, emit: &mut dyn FnMut(Encoded) -> io::Result<()>) -> io::Result<()> {
        self.0.finish(emit)
    }
}

impl Recordable for SourceReader {
    fn next_place(&mut self) -> io::Result<Option<Place>> {
        Self::next_place(self)
    }

    fn origin(&mut self) -> io::Result<Option<usize>> {
        Self::origin(self)
    }

    fn read_game(&mut self, visitor: &mut Recorder) -> io::Result<bool> {
        Self::read_game(self, visitor)
    }

    fn latest_text(&mut self) -> io::Result<Option<GameText>> {
        match &mut self.kind {
            Kind::Text(_) => Ok(None),
            Kind::Kept(reader) => reader.latest_text(),
            Kind::Stored(reader) => reader.latest_text(),
        }
    }
}

/// The text of a source that has been read and is still needed.
struct Kept {
    bytes: Vec<u8>,
    /// The number of bytes at the start of the buffer that are not needed any more.
    behind: usize,
    /// The offset of the first byte in the source.
    offset: u64,
}

impl Kept {
    /// The text between two places; `None` if it has not been kept.
    fn text(&self, from: Place, to: Place) -> Option<&[u8]> {
        let index = |place: Place| usize::try_from(place.offset.checked_sub(self.offset)?).ok();
        self.bytes.get(index(from)?..index(to)?)
    }

    /// Removes the text before a place.
    fn forget(&mut self, before: Place) {
        let behind = usize::try_from(before.offset.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        self.behind = behind.clamp(self.behind, self.bytes.len());
        if self.behind > self.bytes.len() / 2 {
            self.bytes.drain(..self.behind);
            self.offset += self.behind as u64;
            self.behind = 0;
        }
    }

    /// Adds text. Nothing is kept of a game that is too long.
    fn add(&mut self, bytes: &[u8]) {
        if self.bytes.len() - self.behind > MAX_GAME_TEXT {
            self.offset += self.bytes.len() as u64;
            self.bytes.clear();
            self.behind = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }
}

/// Reads a source and keeps the text that it returns.
struct Tee {
    source: Box<dyn Read + Send>,
    kept: Arc<Mutex<Kept>>,
}

impl Read for Tee {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.kept.lock().add(&buffer[..count]);
        Ok(count)
    }
}

/// Reads text and keeps that of the latest game.
struct KeptReader {
    reader: TextReader,
    kept: Arc<Mutex<Kept>>,
    /// The start of the text of the latest game.
    start: Option<Place>,
    is_first: bool,
}

impl KeptReader {
    fn new(source: Box<dyn Read + Send>, place: Place) -> Self {
        let kept = Arc::new(Mutex::new(Kept { bytes: Vec::new(), behind: 0, offset: place.offset }));
        let source: Box<dyn Read + Send> = Box::new(Tee { source, kept: Arc::clone(&kept) });
        let mut reader = Reader::within(source, place);
        reader.track_boundaries();
        Self { reader, kept, start: None, is_first: true }
    }

    fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<bool> {
        self.reader.next_place()?;
        let start = self.reader.boundary();
        self.is_first = self.start.is_none();
        self.start = start;
        if let Some(start) = start {
            self.kept.lock().forget(start);
        }
        self.reader.read_game(visitor)
    }

    /// The text of the last game; `None` if it is too long.
    fn latest_text(&mut self) -> io::Result<Option<GameText>> {
        self.reader.next_place()?;
        let (Some(start), Some(end)) = (self.start, self.reader.boundary()) else { return Ok(None) };
        let kept = self.kept.lock();
        let text = kept.text(start, end);
        Ok(text.map(|text| GameText { bytes: text.to_vec(), place: start, is_at_start: self.is_first }))
    }
}
