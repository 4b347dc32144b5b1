//! Opening books in the Polyglot format (`.bin`): moves with weights, indexed by a key of the position
//! (<http://hgm.nubati.net/book_format.html>).

mod builder;
mod format;
mod opening_book;
mod polyglot_random;

pub use builder::{Builder, Scoring, Selection, Written};
pub use format::PolyglotKey;
pub use opening_book::{Book, BookError, BookMove, Survey, draw};

/// Positions for the tests of books.
#[cfg(test)]
mod samples {
    use crate::chess::Position;

    pub(super) use crate::chess::samples::{mv, position};

    /// The position after these moves from the initial one.
    pub(super) fn played(moves: &str) -> Position {
        moves.split_whitespace().fold(Position::start(), |position, text| {
            let (from, to) = (mv(text).from(), mv(text).to());
            let legal = position.legal_moves();
            let mv = legal.iter().find(|mv| mv.from() == from && mv.to() == to).expect("a legal move");
            position.after(*mv).0
        })
    }
}
