//! Reading sources chunk by chunk, on several threads.

use super::split::{PgnChunk, Splitter};
use super::{Content, Source};
use crate::notation::pgn::Reader;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
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
}

impl Options {
    fn open(&self, source: &Source) -> io::Result<Splitter> {
        let (warn, named) = (Arc::clone(&self.warn), source.clone());
        let content = source.open(Content::Text, &self.bytes, move |text| warn(&named, text))?;
        Ok(Splitter::new(content.reader))
    }
}

impl Default for Options {
    /// A thread for each processor.
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, Into::into);
        Self { threads, bytes: Arc::default(), warn: Arc::new(|_, _| ()) }
    }
}

/// Some games of a source, to be read from the first to the last.
pub struct Part<'a> {
    /// Their source.
    pub source: &'a Source,
    /// Reads them. Its places are those of the source.
    pub reader: Reader<Box<dyn Read + Send>>,
}

impl<'a> Part<'a> {
    fn new(source: &'a Source, chunk: PgnChunk) -> Self {
        Self { source, reader: Reader::within(chunk.content, chunk.place) }
    }
}

/// Reads all games of all sources. Each part goes to `work` on some thread, which reads its games
/// and emits results; these go to `take` on this thread, in the order of the input, regardless of
/// the number of threads. Memory is bounded: threads that are ahead wait.
///
/// `work` must return the errors of the reader and of `emit`, which fails after `take` has returned
/// a break. The value of that break is then returned.
///
/// `take` gets the error of a source that cannot be read, after the results from before it. Reading continues
/// with the next source.
pub fn read<T: Send, B>(
    sources: &[Source],
    options: &Options,
    work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
    take: impl FnMut(&Source, io::Result<T>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if options.threads > 1 {
        read_on_threads(sources, options, work, take)
    } else {
        read_here(sources, options, work, take)
    }
}

fn read_here<T, B>(
    sources: &[Source],
    options: &Options,
    work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()>,
    mut take: impl FnMut(&Source, io::Result<T>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for source in sources {
        let mut broken = None;
        let mut emit = |result| match take(source, Ok(result)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(with) => {
                broken = Some(with);
                Err(nobody_listens())
            }
        };
        let mut read_source = || {
            let mut splitter = options.open(source)?;
            while let Some(chunk) = splitter.next()? {
                work(&mut Part::new(source, chunk), &mut emit)?;
            }
            Ok(())
        };
        let done: io::Result<()> = read_source();
        if let Some(with) = broken {
            return ControlFlow::Break(with);
        }
        if let Err(error) = done {
            take(source, Err(error))?;
        }
    }
    ControlFlow::Continue(())
}

fn nobody_listens() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

/// A chunk on its way to a thread, with the channel for its results.
struct Job<'a, T> {
    source: &'a Source,
    chunk: PgnChunk,
    results: Sender<io::Result<T>>,
}

/// A chunk whose results are taken in the order of the input.
struct PendingChunk<'a, T> {
    source: &'a Source,
    results: Receiver<io::Result<T>>,
}

fn read_on_threads<T: Send, B>(
    sources: &[Source],
    options: &Options,
    work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
    mut take: impl FnMut(&Source, io::Result<T>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (send_pending, pending) = bounded::<PendingChunk<'_, T>>(options.threads * CHUNKS_PER_THREAD);
    let (send_job, jobs) = bounded::<Job<'_, T>>(options.threads);
    thread::scope(|scope| {
        scope.spawn(move || {
            // An error means that the receiver is gone and needs no more.
            let _ = split_all(sources, options, &send_pending, &send_job);
        });
        for _ in 0..options.threads {
            let (jobs, work) = (jobs.clone(), &work);
            scope.spawn(move || {
                for job in jobs {
                    let mut emit = |result| job.results.send(Ok(result)).map_err(|_| nobody_listens());
                    let mut part = Part::new(job.source, job.chunk);
                    if let Err(error) = work(&mut part, &mut emit) {
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
                take(chunk.source, result)?;
            }
        }
        ControlFlow::Continue(())
    })
}

/// The receiver is gone.
struct Gone;

/// Hands out all chunks of all sources.
fn split_all<'a, T>(
    sources: &'a [Source],
    options: &Options,
    pending: &Sender<PendingChunk<'a, T>>,
    jobs: &Sender<Job<'a, T>>,
) -> Result<(), Gone> {
    for source in sources {
        let queue = || {
            let (send, results) = bounded(WAITING_RESULTS);
            pending.send(PendingChunk { source, results }).map(|()| send).map_err(|_| Gone)
        };
        let split_source = || {
            let mut splitter = options.open(source)?;
            while let Some(chunk) = splitter.next()? {
                let Ok(results) = queue() else { return Ok(Err(Gone)) };
                if jobs.send(Job { source, chunk, results }).is_err() {
                    return Ok(Err(Gone));
                }
            }
            Ok(Ok(()))
        };
        match split_source() {
            Ok(done) => done?,
            Err(error) => queue()?.send(Err(error)).map_err(|_| Gone)?,
        }
    }
    Ok(())
}
