//! The threads of a run, and the chunks whose games they play.

use super::folder::chunk_path;
use super::{DatagenError, Entry, Openings, Origin, Played, SelfPlay};
use crate::nnue::Network;
use crate::train::data::Chunk;
use crossbeam_channel::Sender;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A message of a thread.
pub(super) enum WorkerEvent {
    /// A game was written.
    Game(Box<Played>),
    /// A chunk is closed.
    Chunk(Box<Entry>),
}

/// The data that the threads of a run share.
pub(super) struct Shared<'a> {
    /// The origin of the games; `first` is not used.
    pub origin: Origin,
    pub book: Option<Arc<Openings>>,
    pub network: Arc<Network>,
    pub folder: PathBuf,
    pub chunks: Mutex<OpenChunks>,
    /// Set when all threads must end.
    pub stop: &'a AtomicBool,
}

impl Shared<'_> {
    /// Plays until no games are left, and closes the chunks to which no thread adds games any more.
    pub(super) fn work(&self, events: &Sender<WorkerEvent>) -> Result<(), DatagenError> {
        let played = self.play(events);
        let idle = self.chunks.lock().take_idle();
        idle.into_iter().map(|chunk| self.close(chunk, events)).fold(played, Result::and)
    }

    fn play(&self, events: &Sender<WorkerEvent>) -> Result<(), DatagenError> {
        let settings = Arc::new(self.origin.settings.clone());
        let mut games = SelfPlay::new(settings, self.book.clone(), self.network.clone(), self.origin.seed)?;
        while !self.stop.load(Ordering::Relaxed) {
            let Some(number) = self.chunks.lock().claim(|numbers| self.open(numbers))? else { break };
            let (played, result) = match games.play(number, self.stop) {
                Ok(played) => (played, Ok(())),
                Err(error) => (None, Err(error)),
            };
            // The game must not be lost if the leader has ended.
            let mut on_written = |played| drop(events.send(WorkerEvent::Game(Box::new(played))));
            let complete = self.chunks.lock().hand_in(number, played, &mut on_written);
            let complete = complete.map_err(|error| DatagenError::File(self.folder.clone(), error))?;
            complete.map_or(Ok(()), |chunk| self.close(chunk, events)).and(result)?;
        }
        Ok(())
    }

    /// Starts the chunk with the games of these numbers.
    fn open(&self, numbers: &Range<u64>) -> Result<Chunk, DatagenError> {
        let note = serde_json::to_string(&self.origin_from(numbers)).expect("an origin is plain data");
        let path = chunk_path(&self.folder, self.origin.seed, numbers);
        Chunk::create(&path, &note).map_err(|error| DatagenError::File(path, error))
    }

    /// The origin of a chunk with the games of these numbers.
    fn origin_from(&self, numbers: &Range<u64>) -> Origin {
        Origin { first: numbers.start, ..self.origin.clone() }
    }

    /// Closes a chunk with the games that were written; without any, nothing of it remains.
    fn close(&self, open: OpenChunk, events: &Sender<WorkerEvent>) -> Result<(), DatagenError> {
        let numbers = open.numbers.start..open.written;
        if numbers.is_empty() {
            return Ok(());
        }
        let path = chunk_path(&self.folder, self.origin.seed, &numbers);
        let closed = open.chunk.close_as(&path).map_err(|error| DatagenError::File(path.clone(), error))?;
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let entry = Entry::new(file, &closed, self.origin_from(&numbers));
        let _ = events.send(WorkerEvent::Chunk(Box::new(entry)));
        Ok(())
    }
}

/// The chunks in progress. All threads play games of the same chunk as long as some of them are not assigned, so that
/// they are all busy even if all games fit into one chunk, and the chunks do not depend on their number.
pub(super) struct OpenChunks {
    numbers: Numbers,
    open: Vec<OpenChunk>,
}

/// A chunk in progress.
struct OpenChunk {
    /// The numbers of its games.
    numbers: Range<u64>,
    /// The number of the next game to be played.
    next: u64,
    /// The number of the next game to be written.
    written: u64,
    /// Games that were over before one with a lower number.
    early: BTreeMap<u64, Played>,
    /// The number of games that are being played.
    in_progress: u64,
    chunk: Chunk,
}

impl OpenChunks {
    pub(super) const fn new(numbers: Numbers) -> Self {
        Self { numbers, open: Vec::new() }
    }

    /// The number of the next game to be played; `None` if none are left. It must be handed in.
    ///
    /// # Errors
    /// The errors of `create`, which starts the chunk with the games of some numbers.
    fn claim<E>(&mut self, create: impl FnOnce(&Range<u64>) -> Result<Chunk, E>) -> Result<Option<u64>, E> {
        let unfinished = self.open.iter().position(|open| open.next < open.numbers.end);
        let index = match unfinished {
            Some(index) => index,
            None => {
                let Some(numbers) = self.numbers.claim() else { return Ok(None) };
                let chunk = create(&numbers)?;
                self.open.push(OpenChunk {
                    next: numbers.start,
                    written: numbers.start,
                    numbers,
                    early: BTreeMap::new(),
                    in_progress: 0,
                    chunk,
                });
                self.open.len() - 1
            }
        };
        let open = &mut self.open[index];
        open.in_progress += 1;
        open.next += 1;
        Ok(Some(open.next - 1))
    }

    /// Takes back the number of a game with the game, if it is over. Games are written in the order of their numbers.
    /// Returns the chunk if it is complete now.
    ///
    /// # Errors
    /// If a game cannot be written; in that case no part of its chunk remains.
    fn hand_in(
        &mut self,
        number: u64,
        played: Option<Played>,
        on_written: &mut dyn FnMut(Played),
    ) -> io::Result<Option<OpenChunk>> {
        // A chunk that could not be written has gone.
        let Some(index) = self.open.iter().position(|open| open.numbers.contains(&number)) else {
            return Ok(None);
        };
        let open = &mut self.open[index];
        open.in_progress -= 1;
        open.early.extend(played.map(|played| (number, played)));
        while let Some(played) = open.early.remove(&open.written) {
            if let Err(error) = open.chunk.append(&played.game) {
                self.open.remove(index);
                return Err(error);
            }
            open.written += 1;
            on_written(played);
        }
        let is_complete = open.written == open.numbers.end;
        Ok(is_complete.then(|| self.open.remove(index)))
    }

    /// Takes the chunks of which no game is being played.
    fn take_idle(&mut self) -> Vec<OpenChunk> {
        self.open.extract_if(.., |open| open.in_progress == 0).collect()
    }
}

/// Assigns the numbers of games that have not been played, several at a time.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// The ranges that have been played, in ascending order.
    played: Vec<Range<u64>>,
    next: u64,
    end: u64,
    /// Ranges end at multiples of this, so that they do not depend on the thread.
    chunk_games: u64,
}

impl Numbers {
    /// All numbers below `end` except those that have been played.
    pub(super) fn new(mut played: Vec<Range<u64>>, end: u64, chunk_games: u64) -> Self {
        played.sort_by_key(|range| (range.start, range.end));
        Self { played, next: 0, end, chunk_games: chunk_games.max(1) }
    }

    /// The next numbers; `None` if none are left.
    pub(super) fn claim(&mut self) -> Option<Range<u64>> {
        let mut following = self.end;
        for range in &self.played {
            if range.start <= self.next {
                self.next = self.next.max(range.end);
            } else {
                following = following.min(range.start);
                break;
            }
        }
        let start = self.next;
        let chunk_end = (start / self.chunk_games).saturating_add(1).saturating_mul(self.chunk_games);
        self.next = chunk_end.min(following).max(start);
        (start < self.next).then_some(start..self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::train::data::{Game, GameResult, Termination};

    /// Ranges by their first number and the one after the last.
    fn ranges(bounds: &[(u64, u64)]) -> Vec<Range<u64>> {
        bounds.iter().map(|&(start, end)| start..end).collect()
    }

    #[test]
    fn every_number_comes_once() {
        struct Case<'a> {
            name: &'a str,
            played: &'a [(u64, u64)],
            end: u64,
            expected: &'a [(u64, u64)],
        }
        let cases = [
            Case { name: "all", played: &[], end: 250, expected: &[(0, 100), (100, 200), (200, 250)] },
            Case { name: "none", played: &[(0, 250)], end: 250, expected: &[] },
            Case { name: "more than is wanted", played: &[(0, 500)], end: 250, expected: &[] },
            Case {
                name: "parts of chunks",
                played: &[(100, 130), (0, 7)],
                end: 200,
                expected: &[(7, 100), (130, 200)],
            },
            Case {
                name: "holes",
                played: &[(0, 20), (40, 50), (20, 30), (60, 300)],
                end: 400,
                expected: &[(30, 40), (50, 60), (300, 400)],
            },
            Case {
                name: "ranges within ranges",
                played: &[(0, 90), (10, 20), (80, 110)],
                end: 210,
                expected: &[(110, 200), (200, 210)],
            },
        ];
        for Case { name, played, end, expected } in cases {
            let mut numbers = Numbers::new(ranges(played), end, 100);
            let found: Vec<_> = std::iter::from_fn(|| numbers.claim()).collect();
            assert_eq!(found, ranges(expected), "{name}");
        }
    }

    #[test]
    fn numbers_do_not_run_out_without_an_end() {
        let mut numbers = Numbers::new(ranges(&[(0, u64::MAX - 5)]), u64::MAX, 100);
        assert_eq!(numbers.claim(), Some(u64::MAX - 5..u64::MAX));
        assert_eq!(numbers.claim(), None);
    }

    /// A game that is marked by a number of nodes.
    fn played(nodes: u64) -> Played {
        let game = Game::new(Position::start(), Vec::new(), GameResult::Draw, Termination::ALL[0]);
        Played { game: game.expect("no move is illegal"), nodes, dropped: 0 }
    }

    #[test]
    fn threads_play_games_of_one_chunk() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("1.games");
        let mut chunks = OpenChunks::new(Numbers::new(Vec::new(), 3, 500));
        let create = |numbers: &Range<u64>| {
            assert_eq!(*numbers, 0..3);
            Chunk::create(&path, "{}")
        };
        let claim = |chunks: &mut OpenChunks| chunks.claim(create).expect("it can be created");
        // Three threads ask before any of them has played.
        assert_eq!([0, 1, 2].map(|_| claim(&mut chunks)), [Some(0), Some(1), Some(2)]);
        assert_eq!(claim(&mut chunks), None);
        let mut written = Vec::new();
        let mut hand_in = |chunks: &mut OpenChunks, number, game| {
            let mut on_written = |played: Played| written.push(played.nodes);
            chunks.hand_in(number, game, &mut on_written).expect("it can be written")
        };
        assert!(hand_in(&mut chunks, 2, Some(played(2))).is_none());
        assert!(hand_in(&mut chunks, 0, Some(played(0))).is_none());
        assert!(chunks.take_idle().is_empty(), "a game is being played");
        let complete = hand_in(&mut chunks, 1, Some(played(1))).expect("all games are over");
        assert_eq!((complete.written, complete.chunk.totals().games), (3, 3));
        assert_eq!(written, [0, 1, 2]);
        assert!(chunks.open.is_empty());
    }

    #[test]
    fn a_chunk_ends_before_the_first_game_that_is_not_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("1.games");
        let mut chunks = OpenChunks::new(Numbers::new(Vec::new(), 100, 100));
        for _ in 0..4 {
            chunks.claim(|_| Chunk::create(&path, "{}")).expect("it can be created");
        }
        for (number, game) in [(0, Some(played(0))), (3, Some(played(3))), (1, Some(played(1))), (2, None)] {
            let complete = chunks.hand_in(number, game, &mut drop).expect("it can be written");
            assert!(complete.is_none(), "{number}");
        }
        let [idle] = &chunks.take_idle()[..] else { panic!("one chunk is open") };
        assert_eq!((idle.written, idle.chunk.totals().games), (2, 2));
    }
}
