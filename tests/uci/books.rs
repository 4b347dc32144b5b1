//! Opening books: the options, and the use of books in searches.

use crate::support::binary::folder;
use crate::support::engine::Engine;
use hematite::book::{Builder, Scoring, Selection};
use hematite::chess::Position;
use hematite::notation::parse_uci_move;
use std::fs;
use std::path::PathBuf;

/// A book with castling: 1. e4 or d4, followed by one line.
fn book(name: &str) -> PathBuf {
    let path = folder(name).join("book.bin");
    let mut builder = Builder::new(Scoring::default());
    for line in ["e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1 g8f6", "d2d4 d7d5"] {
        let mut position = Position::start();
        for text in line.split(' ') {
            let mv = parse_uci_move(text, &position).expect(text);
            builder.add_game(&[(position.into(), mv)], None);
            position = position.after(mv).0;
        }
    }
    let mut file = fs::File::create(&path).expect("it can be written");
    builder.write(&Selection { min_games: 1, ..Selection::default() }, &mut file).expect("it can be written");
    path
}

#[test]
fn openings_are_played_by_the_book() {
    let path = book("uci-book");
    let mut engine = Engine::start();
    engine.send(&format!("setoption name BookFile value {}", path.display()));
    assert_eq!(engine.until_ready(), ["info string a book with 10 moves for 9 positions"]);
    let mut plays = |before: &[&str], position: &str, go: &str| {
        before.iter().for_each(|line| engine.send(line));
        engine.send(&format!("position {position}"));
        engine.send(go);
        if go == "go infinite" || go == "go ponder wtime 1000 btime 1000" {
            engine.send("stop");
        }
        let lines = engine.until("bestmove ");
        let is_book = lines.iter().any(|line| line.starts_with("info string book: "));
        assert_eq!(is_book, !lines.iter().any(|line| line.contains(" score ")), "{lines:?}");
        (is_book, lines.last().cloned().unwrap_or_default())
    };
    let (italian, answer) = ("startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "bestmove e1g1 ponder g8f6");
    assert!(!plays(&[], italian, "go depth 2").0, "not without OwnBook");
    let own = ["setoption name OwnBook value true"];
    assert_eq!(plays(&own, italian, "go depth 2"), (true, answer.to_owned()));
    assert_eq!(plays(&[], italian, "go wtime 60000 btime 60000"), (true, answer.to_owned()));
    assert_eq!(plays(&[], italian, "go movetime 1000"), (true, answer.to_owned()));
    for go in [
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go depth 2 searchmoves a2a3",
        "go mate 1 nodes 50",
    ] {
        assert!(!plays(&[], italian, go).0, "{go}");
    }
    assert!(!plays(&["setoption name UCI_AnalyseMode value true"], italian, "go depth 2").0);
    assert!(!plays(&["setoption name UCI_AnalyseMode value false"], "startpos moves a2a3", "go depth 2").0);
    assert!(!plays(&["setoption name BookDepth value 6"], italian, "go depth 2").0);
    assert!(plays(&["setoption name BookDepth value 7"], italian, "go depth 2").0);
    let castled = plays(&["setoption name UCI_Chess960 value true"], italian, "go depth 2").1;
    assert_eq!(castled, "bestmove e1h1 ponder g8f6");
    let mut first: Vec<_> = (0..40).map(|_| plays(&[], "startpos", "go depth 2").1).collect();
    first.sort();
    first.dedup();
    assert_eq!(first, ["bestmove d2d4 ponder d7d5", "bestmove e2e4 ponder e7e5"], "both are played");
    assert!(!plays(&["setoption name BookFile value <empty>"], "startpos", "go depth 2").0);
    engine.end().assert_well();
}

#[test]
fn what_is_no_book_is_refused_and_the_old_one_kept() {
    let path = book("uci-no-book");
    let torn = path.with_file_name("torn.bin");
    fs::write(&torn, &fs::read(&path).expect("it is there")[1..]).expect("it can be written");
    let mut engine = Engine::told(&["setoption name OwnBook value true"]);
    engine.send(&format!("setoption name BookFile value {}", path.display()));
    engine.until_ready();
    for (file, expected) in [
        (
            torn.display().to_string(),
            "entry 3 is out of order, expected a Polyglot book, whose keys rise; not changed",
        ),
        ("/no/such/file".to_owned(), "not changed"),
        (path.parent().expect("a folder").display().to_string(), "not changed"),
    ] {
        engine.send(&format!("setoption name BookFile value {file}"));
        let lines = engine.until_ready();
        let start = format!("info string setoption: BookFile: `{file}`: ");
        assert!(
            lines.len() == 1 && lines[0].starts_with(&start) && lines[0].ends_with(expected),
            "{lines:?}"
        );
    }
    engine.send("go depth 1");
    assert!(engine.until("bestmove ").iter().any(|line| line.starts_with("info string book: ")));
    engine.end().assert_well();
}
