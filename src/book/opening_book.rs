//! Books in memory.

use super::PolyglotKey;
use super::format::{ENTRY_BYTES, Entry, PolyglotMove};
use crate::chess::{Move, Position};
use crate::rng::Rng;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, BufReader, Read};

/// A book that is completely in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Book {
    entries: Vec<Entry>,
}

/// A move of a book for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move, which is legal.
    pub mv: Move,
    /// The relative frequency with which the move is chosen; 0 for never.
    pub weight: u16,
    /// The learning data written by another program.
    pub learn: u32,
}

/// A random one of these moves, each with a probability proportional to its weight. `None` if all weights are zero.
pub fn draw(moves: &[BookMove], rng: &mut Rng) -> Option<Move> {
    let sum: u64 = moves.iter().map(|book_move| u64::from(book_move.weight)).sum();
    let mut rest = if sum > 0 { rng.below(sum) } else { return None };
    moves.iter().find_map(|book_move| match rest.checked_sub(u64::from(book_move.weight)) {
        Some(less) => {
            rest = less;
            None
        }
        None => Some(book_move.mv),
    })
}

/// The part of a book that can be reached from the initial position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Survey {
    /// The number of positions with a move in the book.
    pub positions: usize,
    /// The number of moves of these positions.
    pub moves: usize,
    /// The length of the longest path from the initial position to the end of the book, in plies, where each position
    /// counts at the ply at which it is reached first.
    pub plies: usize,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

impl Book {
    /// Reads a book, entry by entry, so that a file that is not a book is rejected before it fills the memory.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read or is not a book.
    pub fn read(reader: impl Read) -> Result<Self, BookError> {
        let mut reader = BufReader::with_capacity(BUFFER, reader);
        let mut entries: Vec<Entry> = Vec::new();
        let mut bytes = [0; ENTRY_BYTES];
        let mut run = 0;
        let mut has_move = false;
        loop {
            match fill(&mut reader, &mut bytes)? {
                0 => break,
                ENTRY_BYTES => {}
                rest => return Err(BookError::Torn { bytes: (entries.len() * ENTRY_BYTES + rest) as u64 }),
            }
            let entry = Entry::from_bytes(&bytes);
            if let Some(before) = entries.last() {
                if entry.key < before.key {
                    return Err(BookError::Disorder { entry: entries.len() + 1 });
                }
                run = if entry.key == before.key { run + 1 } else { 0 };
                if run == MAX_ENTRIES_OF_KEY {
                    return Err(BookError::TooManyMoves { entry: entries.len() + 1 });
                }
            }
            has_move |= entry.mv != PolyglotMove(0);
            entries.push(entry);
        }
        if entries.is_empty() {
            return Err(BookError::Empty);
        }
        // A file of zeros would pass the check of the order.
        if !has_move {
            return Err(BookError::NoMoves);
        }
        Ok(Self { entries })
    }

    /// The number of moves of all positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the book has no moves. Never true for a book that was read from a file.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of positions with moves.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, other| one.key == other.key).count()
    }

    /// The number of moves of weight 0, which are never chosen.
    pub fn unplayed(&self) -> usize {
        self.entries.iter().filter(|entry| entry.weight == 0).count()
    }

    /// The largest weight.
    pub fn heaviest(&self) -> u16 {
        self.entries.iter().map(|entry| entry.weight).max().unwrap_or_default()
    }

    /// The moves for a position, the one with the largest weight first. Illegal moves are omitted: keys may collide,
    /// and files may be damaged.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let key = PolyglotKey::of(position);
        let start = self.entries.partition_point(|entry| entry.key < key);
        let legal = position.legal_moves();
        let entries = self.entries[start..].iter().take_while(|entry| entry.key == key);
        let mut moves: Vec<_> = entries
            .filter_map(|entry| {
                let mv = *legal.iter().find(|&&mv| PolyglotMove::of(mv) == entry.mv)?;
                Some(BookMove { mv, weight: entry.weight, learn: entry.learn })
            })
            .collect();
        moves.sort_by_key(|book_move| std::cmp::Reverse(book_move.weight));
        moves
    }

    /// Explores the positions that can be reached from the initial position by moves of the book.
    pub fn survey(&self) -> Survey {
        let start = Position::start();
        let mut seen = HashSet::from([PolyglotKey::of(&start)]);
        let mut survey = Survey::default();
        let mut layer = vec![start];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for position in &layer {
                let moves = self.moves(position);
                survey.positions += usize::from(!moves.is_empty());
                survey.moves += moves.len();
                let children = moves.iter().map(|book_move| position.after(book_move.mv).0);
                next.extend(children.filter(|child| seen.insert(PolyglotKey::of(child))));
            }
            survey.plies += usize::from(!next.is_empty());
            layer = next;
        }
        survey
    }
}

/// The number of bytes that are read at a time.
const BUFFER: usize = 1 << 16;
/// The maximum number of entries with one key: no position has more than 255 legal moves, and files may repeat some.
const MAX_ENTRIES_OF_KEY: usize = 4096;

/// Reads until the buffer is full or the end is reached, and returns the number of bytes.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match reader.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// The reason why a file is not a usable book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file is empty.
    #[error("the file is empty, expected a Polyglot book")]
    Empty,
    /// The file ends within an entry.
    #[error("{bytes} bytes are not a Polyglot book, expected a multiple of {ENTRY_BYTES}")]
    Torn {
        /// The length of the file, in bytes.
        bytes: u64,
    },
    /// An entry has a smaller key than the one before it.
    #[error("entry {entry} is out of order, expected a Polyglot book, whose keys rise")]
    Disorder {
        /// The number of the entry, counted from 1.
        entry: usize,
    },
    /// More entries have the same key than a position can have moves.
    #[error("entry {entry} is one of too many for the same position, expected a Polyglot book")]
    TooManyMoves {
        /// The number of the entry, counted from 1.
        entry: usize,
    },
    /// No entry has a move.
    #[error("no entry has a move, expected a Polyglot book")]
    NoMoves,
}

#[cfg(test)]
mod tests {
    use super::super::samples::{played, position};
    use super::*;

    fn bytes(entries: &[(u64, u16, u16)]) -> Vec<u8> {
        let entry = |&(key, mv, weight): &(u64, u16, u16)| {
            Entry { key: PolyglotKey::from_bits(key), mv: PolyglotMove(mv), weight, learn: 0 }.to_bytes()
        };
        entries.iter().flat_map(entry).collect()
    }

    #[test]
    fn moves_are_drawn_by_their_weights() {
        let of_weight = |mv, weight| BookMove { mv: crate::book::samples::mv(mv), weight, learn: 0 };
        let moves = [of_weight("e2e4", 3), of_weight("d2d4", 1), of_weight("g1f3", 0)];
        let mut rng = Rng::new(1);
        let drawn: Vec<_> = (0..4000).map(|_| draw(&moves, &mut rng)).collect();
        let count = |mv| drawn.iter().filter(|drawn| **drawn == Some(mv)).count();
        assert_eq!((count(moves[0].mv) + count(moves[1].mv), count(moves[2].mv)), (4000, 0));
        assert!((2850..3150).contains(&count(moves[0].mv)), "{}", count(moves[0].mv));
        assert_eq!((draw(&moves[2..], &mut rng), draw(&[], &mut rng)), (None, None));
    }

    #[test]
    fn what_is_no_book_is_refused() {
        let cases = [
            ("nothing", vec![], "the file is empty, expected a Polyglot book"),
            (
                "torn",
                bytes(&[(1, 1, 1)])[..15].to_vec(),
                "15 bytes are not a Polyglot book, expected a multiple of 16",
            ),
            (
                "disorder",
                bytes(&[(1, 1, 1), (3, 1, 1), (2, 1, 1)]),
                "entry 3 is out of order, expected a Polyglot book, whose keys rise",
            ),
            ("zeros", vec![0; 160], "no entry has a move, expected a Polyglot book"),
            (
                "one entry again and again",
                vec![b'a'; 16 * 5000],
                "entry 4097 is one of too many for the same position, expected a Polyglot book",
            ),
            (
                "a text",
                b"1. e4 e5 2. Nf3 Nc6 is not a book".to_vec(),
                "33 bytes are not a Polyglot book, expected a multiple of 16",
            ),
        ];
        for (name, bytes, expected) in cases {
            let found = Book::read(&bytes[..]).map(drop).map_err(|error| error.to_string());
            assert_eq!(found, Err(expected.to_owned()), "{name}");
        }
    }

    #[test]
    fn moves_are_found_and_only_legal_ones() {
        let start = PolyglotKey::of(&Position::start()).bits();
        let after = PolyglotKey::of(&played("e2e4")).bits();
        let (e2e4, d2d4, e7e5, e2e5) = (0o1434, 0o1333, 0o6444, 0o1444);
        let mut entries = vec![
            (0, 1, 1),
            (start, e2e4, 3),
            (start, d2d4, 9),
            (start, e2e5, 5),
            (after, e7e5, 0),
            (u64::MAX, 1, 1),
        ];
        entries.sort_unstable();
        let book = Book::read(&bytes(&entries)[..]).expect("a book");
        assert_eq!((book.len(), book.positions(), book.unplayed(), book.heaviest()), (6, 4, 1, 9));
        let found = |position: &Position| {
            let moves = book.moves(position).into_iter();
            moves
                .map(|found| (format!("{}{}", found.mv.from(), found.mv.to()), found.weight))
                .collect::<Vec<_>>()
        };
        assert_eq!(found(&Position::start()), [("d2d4".to_owned(), 9), ("e2e4".to_owned(), 3)]);
        assert_eq!(found(&played("e2e4")), [("e7e5".to_owned(), 0)]);
        assert_eq!(found(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")), []);
        assert_eq!(book.survey(), Survey { positions: 2, moves: 3, plies: 2 });
    }
}
