//! A book of openings.

use super::file::read_text;
use super::{epd, games};
use crate::chess::{Move, Position};
use std::path::Path;
use std::{fmt, io};
use xxhash_rust::xxh3::Xxh3;

/// Where a game begins: a position and the first moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    start: Position,
    moves: Box<[Move]>,
}

impl Opening {
    /// An opening without moves.
    pub fn new(start: Position) -> Self {
        Self { start, moves: Box::default() }
    }

    /// An opening with moves, each legal where it is played.
    pub(super) fn with_moves(start: Position, moves: Vec<Move>) -> Self {
        Self { start, moves: moves.into() }
    }

    /// The position at the start of the game.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves that are played without thinking.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after its moves.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.after(mv).0)
    }
}

/// How a book is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookFormat {
    /// A position on each line: FEN or EPD.
    Epd,
    /// Games in PGN, whose first moves are the openings.
    Pgn,
}

/// What is wrong with a book.
#[derive(Debug)]
pub enum BookError {
    /// It cannot be read.
    Read(io::Error),
    /// A line of it is no opening.
    Line {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A game of it is no opening.
    Game {
        /// The game, counted from 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// There is no opening in it.
    Empty,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Line { line, problem } => write!(f, "line {line}: {problem}"),
            Self::Game { number, problem } => write!(f, "game {number}: {problem}"),
            Self::Empty => f.write_str("no openings, expected lines of FEN or EPD, or games in PGN"),
        }
    }
}

impl std::error::Error for BookError {}

/// Openings, each of them legal, in the order of their file; there is at least one.
#[derive(Clone, Debug)]
pub struct Book {
    openings: Vec<Opening>,
}

impl Book {
    /// A book of these; `None` if there are none.
    pub fn new(openings: Vec<Opening>) -> Option<Self> {
        (!openings.is_empty()).then_some(Self { openings })
    }

    /// Reads a book, plain or compressed (zip, gzip, bzip2, Zstandard). Its format is told by its name
    /// if it is not stated. Of games, at most `plies` moves of either side are kept.
    ///
    /// # Errors
    /// [`BookError`] if it cannot be read, or for the first line that is no opening.
    pub fn read(path: &Path, format: Option<BookFormat>, plies: Option<usize>) -> Result<Self, BookError> {
        let file = read_text(path).map_err(BookError::Read)?;
        let is_pgn = file.name.to_ascii_lowercase().ends_with(".pgn");
        let format = format.unwrap_or(if is_pgn { BookFormat::Pgn } else { BookFormat::Epd });
        let openings = match format {
            BookFormat::Epd => epd::read(&file.text)?,
            BookFormat::Pgn => games::read(file.text.as_bytes(), plies.unwrap_or(usize::MAX))?,
        };
        Self::new(openings).ok_or(BookError::Empty)
    }

    /// How many openings there are.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Always `false`.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// A checksum of the openings in their order, to tell them from others.
    pub fn checksum(&self) -> String {
        let mut checksum = Xxh3::new();
        for Opening { start, moves } in &self.openings {
            checksum.update(&start.key().bits().to_le_bytes());
            // The key knows nothing of the counters.
            for counter in [start.halfmove_clock(), start.fullmove_number()] {
                checksum.update(&counter.to_le_bytes());
            }
            checksum.update(&(moves.len() as u64).to_le_bytes());
            moves.iter().for_each(|mv| checksum.update(&mv.bits().to_le_bytes()));
        }
        format!("{:016x}", checksum.digest())
    }

    /// The opening at this place; places beyond the end begin again at the start.
    pub fn opening(&self, index: usize) -> &Opening {
        &self.openings[index % self.openings.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_uci_move, position_from_fen};

    #[test]
    fn the_checksum_tells_books_apart() {
        let opening = |fen: &str, moves: &[&str]| {
            let start = position_from_fen(fen).expect("a legal position");
            let moves = moves.iter().map(|text| parse_uci_move(text, &start).expect("a legal move"));
            Opening::with_moves(start, moves.collect())
        };
        let checksum = |openings: &[&Opening]| {
            Book::new(openings.iter().copied().cloned().collect()).expect("there are some").checksum()
        };
        let pawn = opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &[]);
        let others = [
            ("a side", opening("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", &[])),
            ("a counter", opening("4k3/8/8/8/8/8/4P3/4K3 w - - 1 1", &[])),
            ("the other counter", opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 2", &[])),
            ("a move", opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &["e2e4"])),
        ];
        for (name, other) in &others {
            assert_ne!(checksum(&[&pawn]), checksum(&[other]), "{name}");
            assert_ne!(checksum(&[&pawn, other]), checksum(&[other, &pawn]), "{name}: the order");
        }
        assert_eq!(checksum(&[&pawn]), checksum(&[&pawn.clone()]));
    }
}
