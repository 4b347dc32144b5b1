//! The opening book of the board.

use crate::book::Book;
use std::sync::Arc;

/// An opening book with the name that the page shows.
#[derive(Clone, Debug)]
pub struct NamedBook {
    /// The name for people.
    pub name: String,
    /// The book.
    pub book: Arc<Book>,
}
