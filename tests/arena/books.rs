//! Published opening books, read in their original form.

use crate::support::data_path;
use hematite::arena::opening::OpeningSuite;

#[test]
fn published_books_are_read_and_every_opening_is_legal() {
    let cases = [
        ("books/UHO_4060_v2.epd.zip", None, 242_201),
        ("books/8moves_v3.pgn.zip", None, 34_700),
        ("books/8moves_v3.pgn.zip", Some(4), 34_700),
        ("books/FRC_openings.epd.zip", None, 960),
        ("books/endgames.epd.zip", None, 157_846),
    ];
    for (name, plies, expected) in cases {
        let Some(path) = data_path(name) else { return };
        let book = OpeningSuite::read(&path, None, plies).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(book.len(), expected, "{name}");
        if let Some(plies) = plies {
            assert!((0..book.len()).all(|index| book.opening(index).moves().len() <= plies), "{name}");
        }
    }
}
