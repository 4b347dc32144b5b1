//! Reads sources piece by piece, on several threads.

use super::Source;
use super::split::{Piece, Splitter};
use crate::notation::pgn::Reader;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread;

/// How many results of a piece may wait to be taken before its thread waits too.
const WAITING_RESULTS: usize = 256;
/// How many pieces are in work for each thread: one that is read, and one that is ready.
const PIECES_PER_THREAD: usize = 2;

/// How sources are read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that read games, at least 1. One more finds and decompresses them.
    pub threads: usize,
    /// Counts the bytes that have been read as they are stored, for a progress bar.
    pub bytes: Arc<AtomicU64>,
}

impl Default for Options {
    /// A thread for each processor.
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, Into::into);
        Self { threads, bytes: Arc::default() }
    }
}

/// Some games of a source, to be read from the first to the last.
pub struct Part<'a> {
    /// Where they come from.
    pub source: &'a Source,
    /// Reads them. Its places are those of the source.
    pub reader: Reader<Box<dyn Read + Send>>,
}

impl<'a> Part<'a> {
    fn new(source: &'a Source, piece: Piece) -> Self {
        Self { source, reader: Reader::within(piece.content, piece.place) }
    }
}

/// A source that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {error}")]
pub struct ReadError {
    /// What the source is called.
    pub name: String,
    /// Why.
    #[source]
    pub error: io::Error,
}

impl ReadError {
    fn new(source: &Source, error: io::Error) -> Self {
        Self { name: source.name(), error }
    }
}

/// Reads all games of all sources. Each part goes to `work` on some thread, which reads its
/// games and emits results; these go to `take` on this thread, in the order of the input,
/// however many threads there are. Memory is bounded: who is ahead waits.
///
/// `work` is to return the errors of the reader and of `emit`, which fails when nothing more
/// is wanted because `take` has broken off. Then what it broke off with comes back.
///
/// # Errors
/// [`ReadError`] for the first source that cannot be read; results from before it have been
/// taken.
pub fn read<T: Send, B>(
    sources: &[Source],
    options: &Options,
    work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
    take: impl FnMut(&Source, T) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, ReadError> {
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
    mut take: impl FnMut(&Source, T) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, ReadError> {
    for source in sources {
        let failed = |error| ReadError::new(source, error);
        let mut splitter = Splitter::new(source.open(&options.bytes).map_err(failed)?);
        while let Some(piece) = splitter.next().map_err(failed)? {
            let mut broken = None;
            let mut emit = |result| match take(source, result) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(with) => {
                    broken = Some(with);
                    Err(nobody_listens())
                }
            };
            let done = work(&mut Part::new(source, piece), &mut emit);
            if let Some(with) = broken {
                return Ok(ControlFlow::Break(with));
            }
            done.map_err(failed)?;
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn nobody_listens() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

/// A piece on its way to a thread, with the channel for its results.
struct Job<'a, T> {
    source: &'a Source,
    piece: Piece,
    results: Sender<io::Result<T>>,
}

/// A piece in its turn.
struct Turn<'a, T> {
    source: &'a Source,
    results: Receiver<io::Result<T>>,
}

fn read_on_threads<T: Send, B>(
    sources: &[Source],
    options: &Options,
    work: impl Fn(&mut Part<'_>, &mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()> + Sync,
    mut take: impl FnMut(&Source, T) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, ReadError> {
    let (send_turn, turns) = bounded::<Turn<'_, T>>(options.threads * PIECES_PER_THREAD);
    let (send_job, jobs) = bounded::<Job<'_, T>>(options.threads);
    thread::scope(|scope| {
        scope.spawn(move || {
            // Whoever has gone wants no more.
            let _ = split_all(sources, options, &send_turn, &send_job);
        });
        for _ in 0..options.threads {
            let (jobs, work) = (jobs.clone(), &work);
            scope.spawn(move || {
                for job in jobs {
                    let mut emit = |result| job.results.send(Ok(result)).map_err(|_| nobody_listens());
                    let mut part = Part::new(job.source, job.piece);
                    if let Err(error) = work(&mut part, &mut emit) {
                        // If this fails too, it was for want of a listener.
                        let _ = job.results.send(Err(error));
                    }
                }
            });
        }
        drop(jobs);
        // Leaving this loop drops the receivers, and every thread comes to its end.
        for turn in turns {
            for result in turn.results {
                let result = result.map_err(|error| ReadError::new(turn.source, error))?;
                if let ControlFlow::Break(with) = take(turn.source, result) {
                    return Ok(ControlFlow::Break(with));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// What could not be sent, because nobody receives any more.
struct Gone;

/// Hands out all pieces of all sources, up to the first that cannot be read.
fn split_all<'a, T>(
    sources: &'a [Source],
    options: &Options,
    turns: &Sender<Turn<'a, T>>,
    jobs: &Sender<Job<'a, T>>,
) -> Result<(), Gone> {
    for source in sources {
        let take_turn = || {
            let (send, results) = bounded(WAITING_RESULTS);
            turns.send(Turn { source, results }).map(|()| send).map_err(|_| Gone)
        };
        let fail = |error| {
            let _ = take_turn()?.send(Err(error));
            Err(Gone)
        };
        let mut splitter = match source.open(&options.bytes) {
            Ok(content) => Splitter::new(content),
            Err(error) => return fail(error),
        };
        loop {
            match splitter.next() {
                Ok(None) => break,
                Ok(Some(piece)) => {
                    let results = take_turn()?;
                    jobs.send(Job { source, piece, results }).map_err(|_| Gone)?;
                }
                Err(error) => return fail(error),
            }
        }
    }
    Ok(())
}
