//! `hematite position`, run by the built binary.

use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_hematite");
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The exit code, standard output and standard error of a run with this locale.
fn run_in(locale: &str, arguments: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let output = assert_cmd::Command::new(BINARY)
        .arg("position")
        .args(arguments)
        .env("LC_ALL", locale)
        .write_stdin(input)
        .output()
        .expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    run_in("C", arguments, b"")
}

fn json_of(arguments: &[&str], code: i32) -> Value {
    let (found, out, err) = run(&[arguments, &["--json"]].concat());
    assert_eq!((found, err.as_str()), (Some(code), ""), "{arguments:?}: {out}");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {out}"))
}

/// The value of a row of the text.
fn row<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(label)).map(str::trim)
}

#[test]
fn the_text_tells_everything() {
    let (code, out, err) = run(&[KIWIPETE]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("8  r . . . k . . r\n7  p . p p q p b .\n"), "{out}");
    assert!(out.contains("\n1  R . . . K . . R\n   a b c d e f g h\n\n"), "{out}");
    assert_eq!(row(&out, "FEN "), Some(KIWIPETE));
    assert_eq!(row(&out, "Shredder-FEN "), Some(KIWIPETE.replace("KQkq", "HAha").as_str()));
    assert_eq!(row(&out, "To move"), Some("White"));
    assert_eq!(row(&out, "Checkers"), Some("none"));
    assert_eq!(row(&out, "Legal moves"), Some("48"));
    assert_eq!(row(&out, "Status"), Some("in play"));
    assert_eq!(row(&out, "Can mate"), Some("both"));
    assert!(row(&out, "Evaluation").is_some_and(|text| text.ends_with("for White")), "{out}");
    assert_eq!(row(&out, "Key").map(str::len), Some(16));
    let words: Vec<&str> = out.split_whitespace().collect();
    for word in ["O-O-O", "dxe6", "Bxa6", "e1c1", "d5e6"] {
        assert!(words.contains(&word), "{word}: {out}");
    }
    assert!(out.lines().all(|line| line.len() <= 100), "{out}");
}

#[test]
fn figures_are_shown_where_they_can_be_read() {
    let cases: &[(&str, &str, &[&str], bool)] = &[
        ("plain locale", "C", &[], false),
        ("UTF-8 locale", "C.UTF-8", &[], true),
        ("asked for", "C", &["--unicode"], true),
        ("asked for letters", "C.UTF-8", &["--ascii"], false),
    ];
    for (name, locale, arguments, has_figures) in cases {
        let (code, out, _) = run_in(locale, &[&["startpos"], *arguments].concat(), b"");
        assert_eq!(code, Some(0), "{name}");
        assert_eq!(out.starts_with("8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n"), *has_figures, "{name}: {out}");
        assert_eq!(out.is_ascii(), !has_figures, "{name}: {out}");
    }
}

#[test]
fn positions_are_given_in_many_ways() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let parts: Vec<&str> = start.split(' ').collect();
    let cases: &[(&str, &[&str])] = &[
        ("by name", &["startpos"]),
        ("in one argument", &[start]),
        ("in several", &parts),
        ("without clocks", &parts[..4]),
        ("EPD", &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; id \"a\";"]),
        ("EPD with clocks", &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1;"]),
        ("Shredder-FEN", &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"]),
    ];
    for (name, arguments) in cases {
        assert_eq!(json_of(arguments, 0)["fen"], start, "{name}");
    }
    let input = format!("# from a file\n\n{start}\nmore");
    let (code, out, err) = run_in("C", &["-"], input.as_bytes());
    assert_eq!((code, err.as_str(), row(&out, "FEN ")), (Some(0), "", Some(start)));
}

#[test]
fn moves_are_played_and_openings_named() {
    let cases = [
        ("SAN with numbers", "1. e4 c5 2. Nf3 d6", "B50"),
        ("UCI", "e2e4 c7c5 g1f3 d7d6", "B50"),
        ("a transposition", "1.Nf3 c5 2.e4 d6", "B50"),
        ("all of PGN", "1.e4 {best} c5 $1 (1...e5 2.Nf3) 2.Nf3!? ;open\n d6 1/2-1/2", "B50"),
        ("a copied text", "1.\u{a0}e4\u{a0}c5 2. Nf3± d6 *", "B50"),
        ("beyond the names", "1. e4 c5 2. Nf3 d6 3. a4 Nf6 4. Ra3 Nfd7", "B50"),
    ];
    for (name, moves, eco) in cases {
        let found = json_of(&["startpos", "--moves", moves], 0);
        assert_eq!(found["opening"]["eco"], eco, "{name}: {found}");
        assert_eq!(found["turn"], "White", "{name}");
    }
    assert_eq!(json_of(&[KIWIPETE], 0)["opening"], Value::Null);
    let left =
        json_of(&["startpos", "--moves", "1. e4 c5 2. Nf3 d6 3. a4 Nf6"], 0)["opening"]["left"].clone();
    assert_eq!((&left["ply"], &left["san"]), (&5.into(), &"a4".into()));
    assert_eq!(json_of(&["startpos", "--moves", "1. e4 c5 2. Nf3"], 0)["opening"]["left"], Value::Null);
    // The same position in the order of the list, in another, and with a further move.
    for (moves, [closest, same_length, exact]) in [
        ("1. e4 c5 2. Nf3 d6", [true, true, true]),
        ("1. Nf3 c5 2. e4 d6", [true, true, false]),
        ("1. e4 c5 2. Nf3 d6 3. a4", [true, false, false]),
    ] {
        for (how, is_named) in [("closest", closest), ("same-length", same_length), ("exact", exact)] {
            let found = json_of(&["startpos", "--moves", moves, "--opening", how], 0);
            assert_eq!(found["opening"]["eco"] == "B50", is_named, "{moves}, {how}: {found}");
        }
    }
    let castled = json_of(&["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "--moves", "O-O e8c8"], 0);
    assert_eq!(castled["fen"], "2kr3r/8/8/8/8/8/8/R4RK1 w - - 5 10");
    let names = |arguments: &[&str]| {
        let found = json_of(&[&["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9"], arguments].concat(), 0);
        let moves = found["moves"].as_array().expect("a list").clone();
        moves.into_iter().find(|mv| mv["san"] == "O-O").expect("castling")["uci"].clone()
    };
    assert_eq!((names(&[]), names(&["--chess960"])), (json!("e1g1"), json!("e1h1")));
}

#[test]
fn endings_are_told() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    /// The name, the arguments, the status, the result, and whether it must be claimed.
    type Case<'a> = (&'a str, &'a [&'a str], &'a str, Option<(&'a str, bool)>);
    let cases: &[Case<'_>] = &[
        ("check", &["4k3/8/8/8/8/8/4r3/4K2R w - - 0 1"], "check", None),
        ("mate", &["startpos", "--moves", "f3 e5 g4 Qh4#"], "checkmate", Some(("0-1", false))),
        ("stalemate", &["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "stalemate", Some(("1/2-1/2", false))),
        ("bare kings", &["7k/8/6K1/8/8/8/8/8 b - - 0 1"], "drawn", Some(("1/2-1/2", false))),
        ("a claim", &["startpos", "--moves", shuffle], "in play", Some(("1/2-1/2", true))),
        ("fifty moves", &["7k/8/6K1/8/8/8/8/R7 w - - 100 90"], "in play", Some(("1/2-1/2", true))),
    ];
    for (name, arguments, status, ending) in cases {
        let found = json_of(arguments, 0);
        assert_eq!(found["status"], *status, "{name}: {found}");
        match ending {
            None => assert_eq!(found["outcome"], Value::Null, "{name}"),
            Some((result, must_be_claimed)) => {
                assert_eq!(found["outcome"]["result"], *result, "{name}");
                assert_eq!(found["outcome"]["must_be_claimed"], *must_be_claimed, "{name}");
            }
        }
        let is_quiet = !matches!(*status, "check" | "checkmate" | "stalemate");
        assert_eq!(found["evaluation_cp"].is_i64(), is_quiet, "{name}: {found}");
        let (code, out, _) = run(arguments);
        assert_eq!((code, row(&out, "Status")), (Some(0), Some(*status)), "{name}");
    }
    let found = json_of(&["4k3/8/8/8/8/8/4r3/4K2R w - - 0 1"], 0);
    assert_eq!((&found["checkers"], &found["moves"][0]["san"]), (&json!(["e2"]), &json!("Kd1")));
}

#[test]
fn what_is_wrong_is_told_completely() {
    let cases: &[(&str, &[&str], usize, &str)] = &[
        ("no kings", &["8/8/8/8/8/8/8/8 w - - 0 1"], 2, "White has 0 kings"),
        ("three fields", &["4k3/9/8/8/8/8/8/4K3 x - - 0 1 2"], 3, "side to move: `x`, expected `w` or `b`"),
        ("an illegal move", &["startpos", "--moves", "e4 e4"], 1, "move 2: `e4` is not legal"),
        ("no move", &["startpos", "--moves", "hello"], 1, "move 1: `hello` is not a move"),
        ("a word among moves", &["startpos", "--moves", "e4 oh e5"], 1, "move 2: `oh` is not a move"),
        ("two games", &["startpos", "--moves", "e4 * d4"], 1, "found `d4` after the result"),
        ("a null move", &["startpos", "--moves", "--"], 1, "move 1: `--` passes"),
        ("nothing", &[""], 1, "piece placement: missing"),
        ("control characters", &["\u{1b}[2J\u{7}"], 2, "piece placement: "),
    ];
    for (name, arguments, count, expected) in cases {
        let (code, out, err) = run(arguments);
        assert_eq!((code, err.as_str()), (Some(1), ""), "{name}: {out}");
        assert_eq!(out.lines().count(), *count, "{name}: {out}");
        assert!(out.contains(expected), "{name}: {out}");
        assert!(!out.contains('\u{1b}'), "{name}: {out}");
        let problems = json_of(arguments, 1)["problems"].clone();
        assert_eq!(problems.as_array().map(Vec::len), Some(*count), "{name}: {problems}");
    }
    let long = "p".repeat(100_000);
    let (code, out, _) = run(&[&long]);
    assert_eq!((code, out.lines().count()), (Some(1), 2), "{out}");
    assert!(out.len() < 300, "{out}");
}

#[test]
fn errors_of_usage_and_input() {
    let cases: &[(&str, &[&str], &[u8])] = &[
        ("no position", &[], b""),
        ("an unknown option", &["startpos", "--what"], b""),
        ("two kinds of pieces", &["startpos", "--ascii", "--unicode"], b""),
        ("nothing on standard input", &["-"], b"\n# only a comment\n"),
    ];
    for (name, arguments, input) in cases {
        let (code, out, err) = run_in("C", arguments, input);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{name}");
        assert!(err.starts_with("error: "), "{name}: {err}");
    }
    let endless = vec![0xff; 1 << 20];
    let (code, out, _) = run_in("C", &["-"], &endless);
    assert_eq!(code, Some(1), "{out}");
}

#[test]
fn it_is_told_who_can_still_mate() {
    let cases = [
        ("a knight", "8/8/4k3/8/8/3N4/4K3/8 w - - 0 1", "neither", json!({"white": false, "black": false})),
        (
            "a wall",
            "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1",
            "neither",
            json!({"white": false, "black": false}),
        ),
        ("a rook", "8/8/4k3/8/8/3R4/4K3/8 w - - 0 1", "only White", json!({"white": true, "black": false})),
        (
            "a forced capture",
            "7k/5K1P/8/8/8/8/8/8 b - - 0 1",
            "neither",
            json!({"white": false, "black": false}),
        ),
    ];
    for (name, fen, text, expected) in cases {
        let (_, out, _) = run(&[fen]);
        assert_eq!(row(&out, "Can mate"), Some(text), "{name}");
        assert_eq!(json_of(&[fen], 0)["can_checkmate"], expected, "{name}");
    }
}
