//! `hematite book`, run by the built binary.

use crate::support;
use crate::support::binary::{folder, run, run_unread};
use hematite::book::{Book, PolyglotKey};
use hematite::chess::Position;
use hematite::notation::{parse_san, position_from_fen};
use std::fs;

/// Five games: 1. e4 e5 wins, draws and loses, 1. d4 wins, and a game without a result.
const GAMES: &str = r#"[Event "a"]
[Result "1-0"]

1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 1-0

[Event "b"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nf6 1/2-1/2

[Event "c"]
[Result "0-1"]

1. e4 e5 2. Qh5 Nc6 0-1

[Event "d"]
[Result "1-0"]

1. d4 d5 2. Nf3 1-0

[Event "e"]
[Result "*"]

1. a3 a6 *

"#;

/// The moves of the initial position and their weights, as `show` prints them.
fn shown(book: &str, arguments: &[&str]) -> Vec<(String, u64)> {
    let shown = run(&[&["book", "show", book, "--json"], arguments].concat(), b"");
    let json = shown.json();
    let rows = json["moves"].as_array().expect("a list");
    assert_eq!(shown.code, Some(i32::from(rows.is_empty())), "{shown:?}");
    let row = |row: &serde_json::Value| {
        (row["san"].as_str().expect("a move").to_owned(), row["weight"].as_u64().expect("a weight"))
    };
    rows.iter().map(row).collect()
}

fn pairs(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|&(san, weight)| (san.to_owned(), weight)).collect()
}

/// The options for making a book, and its moves with their weights at the first move and at the third ply.
struct Case {
    name: &'static str,
    arguments: &'static [&'static str],
    first: &'static [(&'static str, u64)],
    third: &'static [(&'static str, u64)],
}

#[test]
fn a_book_is_made_and_shown() {
    let folder = folder("book-make");
    let path = folder.join("book.bin");
    let book = path.to_str().expect("the path is UTF-8");
    let make = |arguments: &[&str]| {
        let _ = fs::remove_file(&path);
        run(&[&["book", "make", "-", "--out", book], arguments].concat(), GAMES.as_bytes())
    };
    let cases = [
        Case { name: "usual", arguments: &[], first: &[("e4", 3)], third: &[] },
        Case {
            name: "all",
            arguments: &["--min-games", "1"],
            first: &[("e4", 3), ("d4", 2)],
            third: &[("Nf3", 3)],
        },
        Case {
            name: "short",
            arguments: &["--min-games", "1", "--max-ply", "2"],
            first: &[("e4", 3), ("d4", 2)],
            third: &[],
        },
        Case {
            name: "losses",
            arguments: &["--min-games", "1", "--scoring", "5-2-1"],
            first: &[("e4", 8), ("d4", 5)],
            third: &[("Nf3", 7), ("Qh5", 1)],
        },
        Case {
            name: "uniform",
            arguments: &["--min-games", "1", "--uniform"],
            first: &[("d4", 1), ("e4", 1)],
            third: &[("Nf3", 1)],
        },
        Case {
            name: "good",
            arguments: &["--min-games", "1", "--min-score", "60"],
            first: &[("d4", 2)],
            third: &[("Nf3", 3)],
        },
        Case {
            name: "White",
            arguments: &["--min-games", "1", "--side", "white"],
            first: &[("e4", 3), ("d4", 2)],
            third: &[("Nf3", 3)],
        },
        Case {
            name: "a query of tags",
            arguments: &["--min-games", "1", "--query", "result:1-0 or result:*"],
            first: &[("d4", 2), ("e4", 2)],
            third: &[("Nf3", 2)],
        },
        Case {
            name: "a query of moves",
            arguments: &["--min-games", "1", "--query", "move:Nc6 or move:a3"],
            first: &[("e4", 2)],
            third: &[("Nf3", 2)],
        },
        Case { name: "Black", arguments: &["--min-games", "1", "--side", "black"], first: &[], third: &[] },
    ];
    for Case { name, arguments, first, third } in cases {
        let made = make(arguments);
        assert_eq!(made.code, Some(0), "{name}: {made:?}");
        let games = if arguments.contains(&"--query") { 2 } else { 4 };
        assert!(
            made.out.contains(&format!(" from {games} games, "))
                && made.out.contains("; 1 game without a result"),
            "{made:?}"
        );
        let mut found = shown(book, &[]);
        found.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
        assert_eq!(found, pairs(first), "{name}");
        assert_eq!(shown(book, &["--moves", "e4 e5"]), pairs(third), "{name}");
    }
    make(&["--min-games", "1"]);
    assert_eq!(
        shown(book, &["--moves", "1. e4 e5 2. Nf3"]),
        pairs(&[("Nf6", 1)]),
        "what only lost is left out"
    );
    assert_eq!(shown(book, &["--moves", "1. e4 e5 2. f4"]), pairs(&[]), "variations are no games");

    let info = run(&["book", "info", book, "--json"], b"").json();
    assert_eq!(info["moves"], 7, "{info}");
    assert_eq!(info["positions"], 6, "{info}");
    assert_eq!(info["reachable"]["plies"], 4, "{info}");
    assert!(run(&["book", "info", book], b"").out.contains("largest weight"), "for people, too");
    assert!(run(&["book", "show", book], b"").out.contains("e4"), "for people, too");
    assert_eq!(run_unread(&["book", "show", book], b""), Some(0));
    assert_eq!(run_unread(&["book", "show", book, "--moves", "a4"], b""), Some(1), "no move");
}

#[test]
fn games_are_not_replaced_by_their_book() {
    let folder = folder("book-own-input");
    let path = folder.join("games.pgn");
    fs::write(&path, GAMES).expect("it can be written");
    let name = path.to_str().expect("UTF-8");
    let made = run(&["book", "make", name, "-o", name, "--min-games", "1"], b"");
    assert!(made.code == Some(2) && made.err.contains("it is one of the inputs"), "{made:?}");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), GAMES);
    for wrong in ["nan", "150", "-5"] {
        let made = run(&["book", "make", name, "-o", "-", &format!("--min-score={wrong}")], b"");
        assert!(made.code == Some(2) && made.err.contains("expected a number from 0 to 100"), "{made:?}");
    }
}

#[test]
fn no_book_is_written_without_a_move() {
    let folder = folder("book-none");
    let path = folder.join("book.bin");
    let made = run(
        &["book", "make", "-", "--out", path.to_str().expect("UTF-8"), "--min-games", "9"],
        GAMES.as_bytes(),
    );
    assert_eq!(made.code, Some(1), "{made:?}");
    assert!(
        made.err.contains("no book, expected moves played in 9 games that scored 0 % or more"),
        "{made:?}"
    );
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 0);
}

#[test]
fn what_is_not_read_is_told_as_by_the_pgn_commands() {
    let folder = folder("book-findings");
    let path = folder.join("book.bin");
    let book = path.to_str().expect("the path is UTF-8");
    let games = format!("{GAMES}[Event \"f\"]\n[Result \"1-0\"]\n\n1. c4 e5 2. Ke3 Nc6 1-0\n");
    let make = |arguments: &[&str]| {
        let made = run(
            &[&["book", "make", "-", "--out", book, "--min-games", "1"], arguments].concat(),
            games.as_bytes(),
        );
        let has_move = shown(book, &[]).iter().any(|(mv, _)| mv == "c4");
        (made.code, made.err, has_move)
    };
    let finding = "standard input:29:13: Ke3 is not legal";
    for (arguments, code, is_told, has_move) in [
        (&[][..], 1, true, true),
        (&["-q"], 1, false, true),
        (&["--broken", "drop"], 1, true, false),
        (&["--broken", "only"], 1, true, true),
    ] {
        let (found, told, has) = make(arguments);
        assert_eq!((found, has), (Some(code), has_move), "{arguments:?}: {told}");
        assert_eq!(told.replace('`', "").contains(finding), is_told, "{arguments:?}: {told}");
    }
    // A word is only a remark, which counts with --strict.
    for (arguments, code) in [(&[][..], 0), (&["--strict"], 1)] {
        let input = GAMES.replace("1. e4", "novelty 1. e4");
        let made = run(&[&["book", "make", "-", "--out", book], arguments].concat(), input.as_bytes());
        assert!(made.code == Some(code) && made.err.contains("novelty"), "{made:?}");
    }
}

#[test]
fn threads_and_compression_change_nothing() {
    let folder = folder("book-threads");
    let many: String = GAMES.repeat(2000);
    let plain = folder.join("games.pgn");
    let packed = folder.join("games.pgn.zst");
    fs::write(&plain, &many).expect("it can be written");
    fs::write(&packed, zstd::encode_all(many.as_bytes(), 1).expect("it can be packed"))
        .expect("it can be written");
    let book = |games: &std::path::Path, threads: &str| {
        let path = folder.join("book.bin");
        let (games, out) = (games.to_str().expect("UTF-8"), path.to_str().expect("UTF-8"));
        let made = run(&["book", "make", games, "--out", out, "--threads", threads], b"");
        assert_eq!(made.code, Some(0), "{made:?}");
        fs::read(path).expect("it was written")
    };
    let one = book(&plain, "1");
    assert!(!one.is_empty() && one.len() % 16 == 0);
    assert!(book(&plain, "3") == one && book(&packed, "2") == one);
    let piped = run(&["book", "make", "-", "--out", "-", "--min-games", "999999"], many.as_bytes());
    assert_eq!((piped.code, piped.out.len()), (Some(1), 0), "{piped:?}");
}

#[test]
fn what_is_no_book_is_refused() {
    let cases: [(&str, &[u8], &str); 4] = [
        ("nothing", b"", "standard input: the file is empty, expected a Polyglot book"),
        ("a text", b"1. e4 e5 is no book", "standard input: 19 bytes are not a Polyglot book"),
        ("zeros", &[0; 32], "standard input: no entry has a move"),
        ("disorder", b"zzzzzzzzzzzzzzzzaaaaaaaaaaaaaaaa", "standard input: entry 2 is out of order"),
    ];
    for (name, bytes, expected) in cases {
        for command in ["info", "show"] {
            let refused = run(&["book", command, "-"], bytes);
            assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{name}: {refused:?}");
            assert!(refused.err.contains(expected), "{name}: {refused:?}");
        }
    }
    let bad = run(&["book", "make", "-", "--out", "-", "--scoring", "1-0"], b"");
    assert_eq!(bad.code, Some(2), "{bad:?}");
}

/// Any bytes are either a book or refused, and all moves that are taken from a book are legal.
#[test]
fn random_bytes_never_panic() {
    let mut rng = hematite::rng::Rng::new(1);
    let start = Position::start();
    let key = PolyglotKey::of(&start).bits().to_be_bytes();
    for _ in 0..support::fuzz_cases(2000) {
        let mut bytes: Vec<u8> =
            (0..rng.below(20) * 16 + rng.below(2)).map(|_| rng.next_u64() as u8).collect();
        for entry in bytes.chunks_exact_mut(16) {
            entry[..8].copy_from_slice(&key);
        }
        if let Ok(book) = Book::read(&bytes[..]) {
            assert!(book.moves(&start).iter().all(|found| start.is_legal(found.mv)));
            book.survey();
        }
    }
}

#[test]
fn keys_tell_en_passant_and_castling() {
    let key = |fen| PolyglotKey::of(&position_from_fen(fen).expect(fen));
    let (beside, alone) =
        (key("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), key("4k3/8/8/8/2p1P3/8/8/4K3 b - e3 0 1"));
    assert_ne!(beside, key("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"), "a pawn might capture");
    assert_eq!(alone, key("4k3/8/8/8/2p1P3/8/8/4K3 b - - 0 1"), "none can");
    // Pinned pawns count, too: the format knows of no legality.
    assert_ne!(
        key("3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1"),
        key("3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1"),
        "a pinned pawn"
    );
    assert_ne!(key("4k2r/8/8/8/8/8/8/4K3 w k - 0 1"), key("4k2r/8/8/8/8/8/8/4K3 w - - 0 1"), "castling");
    let position = Position::start();
    let mv = parse_san("e4", &position).expect("legal").mv().expect("a move");
    assert_ne!(PolyglotKey::of(&position), PolyglotKey::of(&position.after(mv).0));
}
