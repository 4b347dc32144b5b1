//! Opening books in the Polyglot format (`.bin`): moves with weights, found by a key of the position
//! (<http://hgm.nubati.net/book_format.html>).

mod builder;
mod entry;
mod error;
mod key;
mod move_code;
mod random;
#[cfg(test)]
mod samples;
mod shelf;

pub use builder::{Builder, Scoring, Selection, Written};
pub use error::BookError;
pub use key::BookKey;
pub use shelf::{Book, BookMove, Survey};
