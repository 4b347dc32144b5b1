//! Openings: the embedded table agrees with the public list of opening names, and openings are found by position.

use crate::support;
use hematite::chess::Position;
use hematite::notation::eco::{EcoCode, OpeningList, Openings, opening, openings};
use hematite::notation::{Fen, parse_san};
use proptest::prelude::*;
use std::path::PathBuf;

fn table_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/notation/eco/openings.tsv")
}

/// The public list of opening names; `None` without test data.
fn public_list() -> Option<OpeningList> {
    let mut list = OpeningList::default();
    for volume in ["a", "b", "c", "d", "e"] {
        let name = format!("openings/{volume}.tsv");
        list.add(&support::data(&name)?).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    Some(list)
}

#[test]
fn the_embedded_table_is_made_from_the_public_list() {
    let Some(list) = public_list() else { return };
    let table = std::fs::read_to_string(table_path()).expect("the table is in the tree");
    // No `assert_eq`, which would print both.
    assert!(
        list.table() == table,
        "run `cargo test --test integration -- --ignored eco::` to make the table anew"
    );
}

#[test]
#[ignore = "writes the table into the source tree"]
fn make_the_embedded_table() {
    let list = public_list().expect("the public list");
    std::fs::write(table_path(), list.table()).expect("the source tree can be written");
}

#[test]
fn every_opening_of_the_public_list_is_found() {
    let mut count = 0;
    for volume in ["a", "b", "c", "d", "e"] {
        let Some(text) = support::data(&format!("openings/{volume}.tsv")) else { return };
        for line in text.lines().skip(1) {
            let [code, name, moves] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let position = play(moves);
            let found = opening(&position).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((found.code().to_string().as_str(), found.name()), (code, name), "{line}");
            let there = found.moves().iter().fold(Position::start(), |position, &mv| position.after(mv).0);
            assert_eq!(there, position, "{line}");
            count += 1;
        }
    }
    assert_eq!(count, 3807);
    assert_eq!(openings().len(), count);
}

/// The position after a text of moves with move numbers.
fn play(moves: &str) -> Position {
    moves.split_whitespace().filter(|text| !text.ends_with('.')).fold(Position::start(), |position, text| {
        let turn =
            parse_san(text, &position).unwrap_or_else(|error| panic!("{}: {error}", Fen::new(&position)));
        turn.after(&position)
    })
}

#[test]
fn openings_are_found_by_position() {
    let cases = [
        ("no opening yet", "", None),
        ("by its own moves", "e4 c5", Some("B20 Sicilian Defense")),
        (
            "a transposition",
            "Nf3 d5 d4 Nf6 c4 e6 Nc3",
            Some("D37 Queen's Gambit Declined: Three Knights Variation"),
        ),
        (
            "its own moves in another order",
            "c4 Nf6 Nc3 e6 Nf3 d5 d4",
            Some("D37 Queen's Gambit Declined: Three Knights Variation"),
        ),
        ("beyond theory", "a4 h5 Ra3 Rh6 Rb3", None),
    ];
    for (name, moves, expected) in cases {
        let found = opening(&play(moves)).map(ToString::to_string);
        assert_eq!(found.as_deref(), expected, "{name}");
    }
}

#[test]
fn names_have_parts() {
    let cases = [
        ("e4 c5", ("Sicilian Defense", None, None)),
        ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", ("Sicilian Defense", Some("Najdorf Variation"), None)),
        (
            "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3",
            ("Sicilian Defense", Some("Najdorf Variation"), Some("English Attack")),
        ),
    ];
    for (moves, expected) in cases {
        let opening = opening(&play(moves)).expect(moves);
        assert_eq!((opening.family(), opening.variation(), opening.subvariation()), expected, "{moves}");
    }
}

#[test]
fn lists_and_tables_are_checked() {
    let lists = [
        (
            "a column too few",
            "B00\tKing's Pawn",
            "line 1: found `B00\\tKing's Pawn`, expected a code, a name and moves, separated by tabs",
        ),
        (
            "no code",
            "eco\tname\tpgn\nF00\tKing's Pawn\t1. e4",
            "line 2: found `F00`, expected a code A00 to E99",
        ),
        ("an illegal move", "\nB00\tKing's Pawn\t1. e5", "line 2: `e5` is not legal: no pawn goes to e5"),
        (
            "a null move",
            "B00\tKing's Pawn\t1. --",
            "line 1: found `B00\\tKing's Pawn\\t1. --`, expected a code, a name and moves, separated by tabs",
        ),
        (
            "two names",
            "A00\tX\t1. a3 a6 2. b3\nA00\tY\t1. b3 a6 2. a3",
            "line 2: `Y` leads to the position of `X`, expected one name for each position",
        ),
    ];
    for (name, text, expected) in lists {
        let error = OpeningList::default().add(text).expect_err(name);
        assert_eq!(error.to_string(), expected, "{name}");
    }
    let tables = [
        (
            "more plies than there are",
            "1\t70c\t1\tB00\t0\tX",
            r"line 1: found `1\t70c\t1\tB00\t0\tX`, expected",
        ),
        (
            "more letters than there are",
            "0\t70c\t1\tB00\t1\tX",
            r"line 1: found `0\t70c\t1\tB00\t1\tX`, expected",
        ),
        ("half a letter", "0\t70c\t1\tB00\t0\té\n0\t6cb\t2\tA40\t1\tX", "line 2: found"),
        ("a column too few", "0\t70c\tB00\t0\tX", "line 1: found"),
        ("a column too many", "0\t70c\t1\tB00\t0\tX\tY", "line 1: found"),
        ("no move", "# X\n0\te4\t1\tB00\t0\tX\n0\te4!\t2\tB00\t0\tX", "line 3: found"),
        ("no key", "0\t70c\tkey\tB00\t0\tX", "line 1: found"),
        (
            "two names",
            "#\n0\t70c\t1\tB00\t0\tX\n1\t\t1\tB00\t0\tY",
            "line 3: `Y` leads to the position of `X`",
        ),
    ];
    for (name, text, expected) in tables {
        let error = Openings::from_table(text).expect_err(name);
        assert!(error.to_string().starts_with(expected), "{name}: {error}");
    }
    for text in ["", "A0", "A000", "a00", "F00", "A0x", "é0"] {
        assert!(text.parse::<EcoCode>().is_err(), "{text}");
    }
    assert_eq!("E09".parse::<EcoCode>().map(|code| code.to_string()), Ok("E09".to_owned()));
}

proptest! {
    #[test]
    fn arbitrary_tables_never_panic(text in "([0-3]\t(70c|6cb|a|)( ffff)?\t[0-9a-f]\t[A-F]00\t[0-9]\t[aé]{0,3}\n?|.{0,20}\n){0,5}") {
        let _ = Openings::from_table(&text).map_err(|error| error.to_string());
        let _ = OpeningList::default().add(&text).map_err(|error| error.to_string());
    }
}
