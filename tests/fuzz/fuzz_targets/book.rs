//! Files of opening books.
#![no_main]

use hematite::{book::Book, chess::Position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(book) = Book::read(data) {
        let _ = book.moves(&Position::start());
        let _ = book.survey();
        let _ = (book.positions(), book.heaviest(), book.unplayed());
    }
});
