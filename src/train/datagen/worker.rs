//! The threads of a run, and the numbers of the games that they play.

use super::folder::chunk_path;
use super::{DatagenError, Entry, Openings, Origin, Played, SelfPlay};
use crate::nnue::Network;
use crate::train::data::Chunk;
use crossbeam_channel::Sender;
use parking_lot::Mutex;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A message of a thread.
pub(super) enum WorkerEvent {
    /// A game is over.
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
    pub numbers: Mutex<Numbers>,
    /// Set when all threads must end.
    pub stop: &'a AtomicBool,
}

impl Shared<'_> {
    /// Plays until no games are left.
    pub(super) fn work(&self, events: &Sender<WorkerEvent>) -> Result<(), DatagenError> {
        let settings = Arc::new(self.origin.settings.clone());
        let mut games = SelfPlay::new(settings, self.book.clone(), self.network.clone(), self.origin.seed)?;
        while !self.stop.load(Ordering::Relaxed) {
            let Some(mut numbers) = self.numbers.lock().claim() else { break };
            let origin = Origin { first: numbers.start, ..self.origin.clone() };
            let note = serde_json::to_string(&origin).expect("an origin is plain data");
            let path = chunk_path(&self.folder, self.origin.seed, &numbers);
            let failed = |error| DatagenError::File(path.clone(), error);
            let mut chunk = Chunk::create(&path, &note).map_err(failed)?;
            for number in numbers.clone() {
                match games.play(number, self.stop)? {
                    Some(played) => {
                        chunk.append(&played.game).map_err(failed)?;
                        // The chunk must not be lost if the leader has ended.
                        let _ = events.send(WorkerEvent::Game(Box::new(played)));
                    }
                    None => {
                        numbers.end = number;
                        break;
                    }
                }
            }
            if numbers.is_empty() {
                break; // no part of the chunk remains
            }
            let path = chunk_path(&self.folder, self.origin.seed, &numbers);
            let closed = chunk.close_as(&path).map_err(failed)?;
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let _ = events.send(WorkerEvent::Chunk(Box::new(Entry::new(file, &closed, origin))));
        }
        Ok(())
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
}
