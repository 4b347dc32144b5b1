//! Files stated by options: network, opening book, endgame tablebases.

use crate::book::{self, Book, BookError, BookMove};
use crate::chess::{Color, Move, Position};
use crate::files::{Limited, Packed, PathExcerpt, open_regular};
use crate::nnue::file::FileError;
use crate::nnue::{self, Network};
use crate::notation::{CastlingStyle, UciMove};
use crate::rng::Rng;
use crate::tablebase::{Fault, Tablebase};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", PathExcerpt::new(path))]
pub(super) struct LoadError<E: std::error::Error + 'static> {
    path: String,
    #[source]
    error: E,
}

/// The network in a file; the embedded one for an empty path.
///
/// # Errors
/// [`LoadError`] if the file is not a regular file, cannot be read, or is not a valid network.
pub(super) fn load_network(path: &str) -> Result<Arc<Network>, LoadError<FileError>> {
    if path.is_empty() {
        return Ok(nnue::embedded());
    }
    let content = open_regular(Path::new(path)).and_then(Packed::from_file).and_then(Packed::bytes);
    let network = content.map_err(FileError::from).and_then(|content| Network::read(content.reader));
    network.map(Arc::new).map_err(|error| LoadError { path: path.to_owned(), error })
}

/// The maximum number of book moves to print.
const MAX_LISTED: usize = 8;

/// The book in a file; `None` for an empty path.
///
/// # Errors
/// [`LoadError`] if the file is not a regular file, cannot be read, or is not a book.
pub(super) fn open_book(path: &str) -> Result<Option<Book>, LoadError<BookError>> {
    if path.is_empty() {
        return Ok(None);
    }
    let read = || {
        let content = Packed::from_file(open_regular(Path::new(path))?)?.bytes()?;
        Book::read(Limited::new(content.reader, Limited::DEFAULT))
    };
    read().map(Some).map_err(|error| LoadError { path: path.to_owned(), error })
}

/// Plies since the start of the game, from the move number of the position.
pub(super) fn plies(position: &Position) -> u32 {
    2 * u32::from(position.fullmove_number()).saturating_sub(1) + u32::from(position.turn() == Color::Black)
}

/// The moves of a book in a position.
pub(super) struct BookChoice {
    /// The moves with a weight above zero.
    moves: Vec<BookMove>,
    /// The sum of the weights.
    sum: u64,
}

impl BookChoice {
    /// The moves of the book; `None` if none has a weight above zero.
    pub(super) fn new(book: &Book, position: &Position) -> Option<Self> {
        let mut moves = book.moves(position);
        moves.retain(|book_move| book_move.weight > 0);
        let sum = moves.iter().map(|book_move| u64::from(book_move.weight)).sum();
        (sum > 0).then_some(Self { moves, sum })
    }

    /// A random move, with a probability proportional to its weight.
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<Move> {
        book::draw(&self.moves, rng)
    }

    /// The move with the largest weight.
    pub(super) fn heaviest(&self) -> Option<Move> {
        self.moves.first().map(|book_move| book_move.mv)
    }

    /// The moves with their probabilities.
    pub(super) fn text(&self, style: CastlingStyle) -> String {
        let listed = self.moves.iter().take(MAX_LISTED).map(|book_move| {
            let percent = f64::from(book_move.weight) * 100.0 / self.sum as f64;
            format!("{} {percent:.1} %", UciMove::new(book_move.mv, style))
        });
        let mut text = listed.collect::<Vec<_>>().join(", ");
        if let Some(more) = self.moves.len().checked_sub(MAX_LISTED).filter(|&more| more > 0) {
            text += &format!(" and {more} more");
        }
        text
    }
}

/// Endgame tablebases and their faults.
#[derive(Debug)]
pub(super) struct LoadedTables {
    tables: Arc<Tablebase>,
    /// The files that cannot be used.
    faults: Vec<Fault>,
    is_damage_reported: bool,
}

impl LoadedTables {
    /// The tables in the folders of a path.
    pub(super) fn load(path: &str) -> Self {
        let (tables, faults) = Tablebase::load(path);
        Self { tables: Arc::new(tables), faults, is_damage_reported: false }
    }

    pub(super) const fn tables(&self) -> &Arc<Tablebase> {
        &self.tables
    }

    pub(super) fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The damage found by searches; only the first call returns it.
    pub(super) fn new_damage(&mut self) -> Option<&Fault> {
        let damage = self.tables.damage().filter(|_| !self.is_damage_reported)?;
        self.is_damage_reported = true;
        Some(damage)
    }
}

impl fmt::Display for LoadedTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, distances) = (self.tables.count(), self.tables.dtz_count());
        match self.tables.max_pieces() {
            0 => f.write_str("no endgame tables are used"),
            men => {
                write!(f, "{count} endgame tables of up to {men} men are used, {distances} with distances")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Builder, Scoring, Selection};
    use crate::notation::parse_uci_move;

    #[test]
    fn moves_are_drawn_as_often_as_they_weigh() {
        let start = Position::start();
        let mut builder = Builder::new(Scoring::default());
        for (text, games) in [("e2e4", 6), ("d2d4", 3), ("a2a3", 1)] {
            let mv = parse_uci_move(text, &start).expect(text);
            (0..games).for_each(|_| builder.add_game(&[(start.into(), mv)], None));
        }
        let mut bytes = Vec::new();
        let all = Selection { min_games: 1, ..Selection::default() };
        builder.write(&all, &mut bytes).expect("memory can be written");
        let book = Book::read(&bytes[..]).expect("a book");
        let choice = BookChoice::new(&book, &start).expect("it has moves");
        assert_eq!(choice.text(CastlingStyle::Standard), "e2e4 60.0 %, d2d4 30.0 %, a2a3 10.0 %");
        let mut rng = Rng::new(1);
        let mut drawn = [0; 3];
        for _ in 0..10_000 {
            let mv = choice.draw(&mut rng).expect("one of them");
            drawn[choice.moves.iter().position(|book_move| book_move.mv == mv).expect("it is there")] += 1;
        }
        for (drawn, expected) in drawn.into_iter().zip([6000_i32, 3000, 1000]) {
            assert!((drawn - expected).abs() < 200, "{drawn}, expected about {expected}");
        }
        assert!(BookChoice::new(&book, &start.after(choice.moves[0].mv).0).is_none());
    }

    #[test]
    fn plies_are_counted_from_the_first_move() {
        let start = Position::start();
        assert_eq!(plies(&start), 0);
        let next = start.after(start.legal_moves()[0]).0;
        assert_eq!(plies(&next), 1);
        assert_eq!(plies(&next.after(next.legal_moves()[0]).0), 2);
    }
}
