//! Reading sources chunk by chunk, on several threads.

use super::query::{Header, Query, TagColumns};
use super::split::{PgnChunk, Splitter};
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

/// The number of results of a chunk that may wait to be taken before its thread waits as well.
const WAITING_RESULTS: usize = 256;
/// The number of chunks in work for each thread: one that is read, and one that is ready.
const CHUNKS_PER_THREAD: usize = 2;

/// Receives remarks about a source that is odd, but can be read, on any thread.
pub type SourceWarn = dyn Fn(&Source, &str) + Send + Sync;

/// Options of reading.
#[derive(Clone)]
pub struct Options {
    /// Threads that read games, at least 1. One more finds and decompresses them.
    pub threads: usize,
    /// Counts the bytes that have been read as they are stored, for a progress bar.
    pub bytes: Arc<AtomicU64>,
    /// Receives remarks.
    pub warn: Arc<SourceWarn>,
    /// Whether the text of games is kept while they are read, so that they can be stored.
    pub keeps_text: bool,
    /// Whether a collection is expected to know without the moves of most games whether they matter, so that a thread
    /// has a segment of it as a whole.
    pub by_segment: bool,
}

/// Hands out the games of a source, some at a time.
enum Cutter {
    Text(Splitter),
    Stored(Chunks),
}

/// Some games of a source.
enum GameChunk {
    Text(PgnChunk),
    Stored(Chunk),
}

impl Cutter {
    /// The next games; `None` at the end. Behind an error there may be others.
    fn next(&mut self, options: &Options) -> Option<io::Result<GameChunk>> {
        match self {
            Self::Text(splitter) => splitter.next().map(|chunk| chunk.map(GameChunk::Text)).transpose(),
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
    /// A thread for each processor.
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

/// Some games of a source, to be read from the first to the last.
pub struct Part<'a> {
    /// Their source.
    pub source: &'a Source,
    /// Reads them. Its places are those of the source.
    pub reader: SourceReader,
}

impl<'a> Part<'a> {
    fn new(source: &'a Source, piece: GameChunk, options: &Options) -> io::Result<Self> {
        let reader = match piece {
            GameChunk::Text(chunk) => {
                SourceReader::of_text(chunk.content, chunk.place, options.keeps_text).with_source(source)
            }
            GameChunk::Stored(chunk) => SourceReader::of_chunk(chunk)?,
        };
        Ok(Self { source, reader })
    }
}

/// A result on its way from the thread that made it. It has no type, so that threads and channels are compiled once
/// for all commands.
type Untyped = Box<dyn Any + Send>;
/// Receives the results of a part.
type Emit<'a> = dyn FnMut(Untyped) -> io::Result<()> + 'a;
/// Reads the games of a part.
type Work<'a> = dyn Fn(&mut Part<'_>, &mut Emit<'_>) -> io::Result<()> + Sync + 'a;
/// Receives results in the order of the input.
type Take<'a> = dyn FnMut(&Source, io::Result<Untyped>) -> ControlFlow<()> + 'a;

/// Reads all games of all sources. Each part goes to `work` on some thread, which reads its games
/// and emits results; these go to `take` on this thread, in the order of the input, regardless of
/// the number of threads. Memory is bounded: threads that are ahead wait.
///
/// `work` must return the errors of the reader and of `emit`, which fails after `take` has returned
/// a break. The value of that break is then returned.
///
/// `take` gets the error of a source that cannot be read, after the results from before it. Reading continues
/// with the next source.
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
        // A break ends it, and its value is known here.
        let _ = read_here(sources, options, &work, &mut take);
    }
    broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

fn read_here(sources: &[Source], options: &Options, work: &Work<'_>, take: &mut Take<'_>) -> ControlFlow<()> {
    for source in sources {
        let mut cutter = match options.open(source) {
            Ok(cutter) => cutter,
            Err(error) => {
                take(source, Err(error))?;
                continue;
            }
        };
        while let Some(piece) = cutter.next(options) {
            let mut flow = ControlFlow::Continue(());
            let mut emit = |result| {
                flow = take(source, Ok(result));
                if flow.is_break() { Err(nobody_listens()) } else { Ok(()) }
            };
            let done = piece
                .and_then(|piece| Part::new(source, piece, options))
                .and_then(|mut part| work(&mut part, &mut emit));
            flow?;
            if let Err(error) = done {
                take(source, Err(error))?;
            }
        }
    }
    ControlFlow::Continue(())
}

fn nobody_listens() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

/// A chunk on its way to a thread, with the channel for its results.
struct Job<'a> {
    source: &'a Source,
    piece: GameChunk,
    results: Sender<io::Result<Untyped>>,
}

/// A chunk whose results are taken in the order of the input.
struct PendingChunk<'a> {
    source: &'a Source,
    results: Receiver<io::Result<Untyped>>,
}

/// Reads until everything is taken, or until `take` returns a break.
fn read_on_threads(sources: &[Source], options: &Options, work: &Work<'_>, take: &mut Take<'_>) {
    let (send_pending, pending) = bounded::<PendingChunk<'_>>(options.threads * CHUNKS_PER_THREAD);
    let (send_job, jobs) = bounded::<Job<'_>>(options.threads);
    thread::scope(|scope| {
        scope.spawn(move || {
            // An error means that the receiver is gone and needs no more.
            let _ = split_all(sources, options, &send_pending, &send_job);
        });
        for _ in 0..options.threads {
            let jobs = jobs.clone();
            scope.spawn(move || {
                for job in jobs {
                    let mut emit = |result| job.results.send(Ok(result)).map_err(|_| nobody_listens());
                    let part = Part::new(job.source, job.piece, options);
                    if let Err(error) = part.and_then(|mut part| work(&mut part, &mut emit)) {
                        // If this also fails, the receiver is gone.
                        let _ = job.results.send(Err(error));
                    }
                }
            });
        }
        drop(jobs);
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

/// The receiver is gone.
struct ReceiverGone;

/// Hands out all chunks of all sources.
fn split_all<'a>(
    sources: &'a [Source],
    options: &Options,
    pending: &Sender<PendingChunk<'a>>,
    jobs: &Sender<Job<'a>>,
) -> Result<(), ReceiverGone> {
    for source in sources {
        let queue = || {
            let (send, results) = bounded(WAITING_RESULTS);
            pending.send(PendingChunk { source, results }).map(|()| send).map_err(|_| ReceiverGone)
        };
        let fail = |error| queue()?.send(Err(error)).map_err(|_| ReceiverGone);
        let mut cutter = match options.open(source) {
            Ok(cutter) => cutter,
            Err(error) => {
                fail(error)?;
                continue;
            }
        };
        while let Some(piece) = cutter.next(options) {
            match piece {
                Ok(piece) => jobs.send(Job { source, piece, results: queue()? }).map_err(|_| ReceiverGone)?,
                Err(error) => fail(error)?,
            }
        }
    }
    Ok(())
}

/// A reader of text of any source: it is compiled once, wherever the text is.
type TextReader = Reader<Box<dyn Read + Send>>;

/// Reads games as [`Reader`] does, whatever they are stored in.
pub struct SourceReader {
    kind: Kind,
    /// The source of text; games of a collection have their own.
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

    /// As [`Reader::read_game`].
    ///
    /// # Errors
    /// An error of the source, or damage of a collection.
    #[cfg(not(debug_assertions))]
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<bool> {
        self.read_for(visitor)
    }

    /// As [`Reader::read_game`]. While there are assertions, the reader is compiled once for all visitors, and
    /// optimized as it is here: that spares the compiler of the tests a minute.
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

    /// As [`Reader::next_place`]. Games of a collection have the places of the files that they were added from.
    ///
    /// # Errors
    /// As [`Self::read_game`].
    pub fn next_place(&mut self) -> io::Result<Option<Place>> {
        match &mut self.kind {
            Kind::Text(reader) => reader.next_place(),
            Kind::Kept(reader) => reader.reader.next_place(),
            Kind::Stored(reader) => reader.next_place(),
        }
    }

    /// As [`Reader::limit_lines`]. Of a collection, only games that are kept as text have lines.
    pub fn limit_lines(&mut self, max_chars: usize) {
        match &mut self.kind {
            Kind::Text(reader) => reader.limit_lines(max_chars),
            Kind::Kept(reader) => reader.reader.limit_lines(max_chars),
            Kind::Stored(reader) => reader.limit_lines(max_chars),
        }
    }

    /// The next games are of interest only if they have a position of this key, or errors. A collection with an index
    /// skips the others; text has to be read to know.
    ///
    /// # Errors
    /// As [`Self::read_game`].
    pub fn require(&mut self, key: u64) -> io::Result<()> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(()),
            Kind::Stored(reader) => {
                reader.require(key);
                Ok(())
            }
        }
    }

    /// The next games are of interest only if the query may find them, as [`Self::require`] has it; all are without a
    /// query.
    ///
    /// # Errors
    /// As [`Self::read_game`].
    pub fn require_found(&mut self, query: Option<&Query>) -> io::Result<()> {
        query.and_then(Query::required_position).map_or(Ok(()), |key| self.require(key))
    }

    /// Skips games that the query does not find, up to one that it may find, where that is faster than reading them;
    /// returns their number. It must be the same query every time. Without a query, the games that
    /// [`Self::require`] excludes are skipped.
    ///
    /// # Errors
    /// As [`Self::read_game`].
    pub fn skip(&mut self, query: Option<&Query>) -> io::Result<u64> {
        Ok(self.skip_counting(query, false)?.games)
    }

    /// As [`Self::skip`]; if games are only counted, it skips those as well that are found without reading them.
    ///
    /// # Errors
    /// As [`Self::read_game`].
    pub fn skip_counting(&mut self, query: Option<&Query>, only_counts: bool) -> io::Result<Passed> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(Passed::default()),
            Kind::Stored(reader) => reader.skip(query, only_counts),
        }
    }

    /// Hands the tags and the result of the next game to `take` and passes over it, if a collection knows without
    /// reading it that the query finds it and that it has no errors. Returns whether it did. [`Self::skip`] comes
    /// before.
    ///
    /// # Errors
    /// As [`Self::read_game`].
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

    /// Hands all games to `take` that [`Self::take_header`] would hand out one after another, up to one that has to be
    /// read, and passes over them.
    ///
    /// # Errors
    /// As [`Self::read_game`].
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

    /// Hands what a collection knows of the next games without following them to `take`, with the values of these tags,
    /// up to a game that has to be read for it, and passes over them.
    ///
    /// # Errors
    /// As [`Self::read_game`].
    pub fn take_lines(&mut self, names: &[&str], take: &mut dyn FnMut(&StoredLine<'_>)) -> io::Result<()> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(()),
            Kind::Stored(reader) => reader.take_lines(names, take),
        }
    }

    /// What is known of the moves of a position in these games, which are skipped from now on by [`Self::skip`], except
    /// those that are not counted. `None` if nothing is known without reading them.
    ///
    /// # Errors
    /// As [`Self::read_game`].
    pub fn counted(&mut self, position: &Position) -> io::Result<Option<Counted>> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(None),
            Kind::Stored(reader) => reader.counted(position),
        }
    }

    /// The name of the file from which the next game of a collection was added; `None` for games of a file.
    ///
    /// # Errors
    /// As [`Self::read_game`].
    pub fn origin_name(&mut self) -> io::Result<Option<&str>> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(None),
            Kind::Stored(reader) => reader.origin_name(),
        }
    }

    /// The text of the game that has been read last as it stands in its source, with the white space around it, behind
    /// the number of bytes of the source before it. `None` if it is not kept: the options of reading must keep the
    /// text, a collection keeps that of irregular games only, and a game may be too long.
    ///
    /// # Errors
    /// As [`Self::read_game`].
    pub fn source_text(&mut self) -> io::Result<Option<(u64, Vec<u8>)>> {
        Ok(self.latest_text()?.map(|text| (text.place.offset, text.bytes)))
    }

    /// Reads the games that a query finds, all without one, and makes blocks of them, which can be added to a
    /// collection. The options of reading must keep the text.
    ///
    /// # Errors
    /// As [`Self::read_game`], and those of `emit`.
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

    /// Passes over games, at most so many, and returns their number. A collection does not read them.
    ///
    /// # Errors
    /// As [`Self::read_game`].
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
    /// As [`Self::read_game`].
    pub fn origin(&mut self) -> io::Result<Option<usize>> {
        match &mut self.kind {
            Kind::Text(_) | Kind::Kept(_) => Ok(None),
            Kind::Stored(reader) => reader.origin(),
        }
    }
}

/// Makes blocks of games that are changed: of their new text, with the places of the old one.
pub struct Reencoder(Encoder);

impl Default for Reencoder {
    fn default() -> Self {
        Self(Encoder::new(PieceLetters::default()))
    }
}

impl Reencoder {
    /// Adds a game of a source of the collection. Full blocks are passed on.
    ///
    /// # Errors
    /// Those of `emit`.
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

    /// Passes on the games that are still in it.
    ///
    /// # Errors
    /// Those of `emit`.
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

/// The text that has been read of a source, as far as it is still needed.
struct Kept {
    bytes: Vec<u8>,
    /// The bytes at its start that are not needed.
    behind: usize,
    /// Where the first byte is in the source.
    offset: u64,
}

impl Kept {
    /// The text between two places; `None` if it has not been kept.
    fn text(&self, from: Place, to: Place) -> Option<&[u8]> {
        let index = |place: Place| usize::try_from(place.offset.checked_sub(self.offset)?).ok();
        self.bytes.get(index(from)?..index(to)?)
    }

    /// Forgets what is before a place.
    fn forget(&mut self, before: Place) {
        let behind = usize::try_from(before.offset.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        self.behind = behind.clamp(self.behind, self.bytes.len());
        if self.behind > self.bytes.len() / 2 {
            self.bytes.drain(..self.behind);
            self.offset += self.behind as u64;
            self.behind = 0;
        }
    }

    /// Adds text. Of a game that is too long to be kept, nothing is.
    fn add(&mut self, bytes: &[u8]) {
        if self.bytes.len() - self.behind > MAX_GAME_TEXT {
            self.offset += self.bytes.len() as u64;
            self.bytes.clear();
            self.behind = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }
}

/// Passes on a source and keeps what it has passed on.
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
    /// Where the text of the latest game starts.
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

    /// The text of the game that has been read last; `None` if it is too long to be kept.
    fn latest_text(&mut self) -> io::Result<Option<GameText>> {
        self.reader.next_place()?;
        let (Some(start), Some(end)) = (self.start, self.reader.boundary()) else { return Ok(None) };
        let kept = self.kept.lock();
        let text = kept.text(start, end);
        Ok(text.map(|text| GameText { bytes: text.to_vec(), place: start, is_at_start: self.is_first }))
    }
}
