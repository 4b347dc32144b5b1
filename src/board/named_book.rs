//! The opening books of the board.

use super::failure::Failure;
use crate::book::Book;
use crate::notation::Excerpt;
use std::sync::Arc;

/// An opening book with the name that the page shows.
#[derive(Clone, Debug)]
pub struct NamedBook {
    /// The name for people, unique among the books of the board.
    pub name: String,
    /// The book.
    pub book: Arc<Book>,
}

/// The book with this name.
///
/// # Errors
/// [`Failure`] if there is none, with the names of all books.
pub(super) fn find<'a>(books: &'a [NamedBook], name: &str) -> Result<&'a NamedBook, Failure> {
    books.iter().find(|book| book.name == name).ok_or_else(|| {
        let names: Vec<&str> = books.iter().map(|book| book.name.as_str()).collect();
        let expected = match &names[..] {
            [] => "none: the board was started without --book".to_owned(),
            [name] => (*name).to_owned(),
            names => format!("one of {}", names.join(", ")),
        };
        Failure::bad("bad_book", format!("book: found {}, expected {expected}", Excerpt::new(name)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Builder, Scoring, Selection};
    use crate::chess::Position;
    use axum::response::IntoResponse;

    #[test]
    fn a_book_is_found_by_its_name() {
        let start = Position::start();
        let mv = start.legal_moves()[0];
        let mut builder = Builder::new(Scoring::default());
        builder.add_game(&[(start.into(), mv)], None);
        let mut bytes = Vec::new();
        let all = Selection { min_games: 1, ..Selection::default() };
        builder.write(&all, &mut bytes).expect("memory can be written");
        let book = Arc::new(Book::read(&bytes[..]).expect("it is a book"));
        let books =
            ["a.bin", "b.bin"].map(|name| NamedBook { name: name.to_owned(), book: Arc::clone(&book) });
        assert_eq!(find(&books, "b.bin").map(|book| book.name.as_str()).ok(), Some("b.bin"));
        for books in [&books[..], &books[..1], &[]] {
            let failure = find(books, "c.bin").expect_err("there is no such book");
            assert_eq!(failure.into_response().status(), 400);
        }
    }
}
