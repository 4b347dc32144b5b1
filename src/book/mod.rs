//! Opening books in the Polyglot format (`.bin`): moves with weights, found by a key of the position
//! (<http://hgm.nubati.net/book_format.html>).

mod book;
mod builder;
mod format;
mod polyglot_random;
#[cfg(test)]
mod samples;

pub use book::{Book, BookError, BookMove, Survey};
pub use builder::{Builder, Scoring, Selection, Written};
pub use format::PolyglotKey;
