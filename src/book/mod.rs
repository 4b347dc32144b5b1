//! Opening books in the Polyglot format (`.bin`): moves with weights, found by a key of the position
//! (<http://hgm.nubati.net/book_format.html>).

mod builder;
mod format;
mod opening_book;
mod polyglot_random;
#[cfg(test)]
mod samples;

pub use builder::{Builder, Scoring, Selection, Written};
pub use format::PolyglotKey;
pub use opening_book::{Book, BookError, BookMove, Survey};
