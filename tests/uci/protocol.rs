//! The introduction of the engine, and the commands that it understands.

use crate::support::engine::{Engine, talk};

#[test]
fn nothing_is_said_unasked() {
    for text in ["", "\n\r\n  \t \n", "# a comment\n"] {
        assert_eq!(talk(text).lines, [""; 0], "{text:?}");
    }
}

#[test]
fn introduces_itself() {
    let lines = Engine::told(&["uci"]).until("uciok");
    assert!(lines[0].starts_with("id name Hematite "), "{}", lines[0]);
    assert!(lines[1].starts_with("id author "), "{}", lines[1]);
    assert_eq!(lines[2], "option name Hash type spin default 16 min 1 max 33554432");
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")), "{lines:#?}");
}

#[test]
fn white_space_and_unknown_words_do_not_matter() {
    let cases: [(&str, &[u8], &str); 9] = [
        ("DOS line ends", b"isready\r\n", "readyok"),
        ("spaces and tabs", b" \t isready \t \n", "readyok"),
        ("no line end", b"isready", "readyok"),
        ("a byte order mark", b"\xef\xbb\xbfisready\n", "readyok"),
        ("skipped words", b"joho isready\n", "readyok"),
        ("bytes that are not UTF-8", b"\xff\xfe\x80 isready\n", "readyok"),
        ("only such bytes", b"\xff\xfe\x80\nisready\n", "readyok"),
        ("zero bytes", b"\0\0isready\0\n", "readyok"),
        (
            "commands in any state",
            b"stop\nponderhit\nstop\ndebug on\nregister later\nucinewgame\nisready\n",
            "readyok",
        ),
    ];
    for (name, text, expected) in cases {
        let lines = talk(text).lines;
        assert_eq!(lines.last().map(String::as_str), Some(expected), "{name}");
        let others = &lines[..lines.len() - 1];
        assert!(others.iter().all(|line| line.starts_with("info string ")), "{name}: {others:?}");
    }
}

#[test]
fn what_is_not_understood_is_said() {
    let cases = [
        ("xyzzy", "unknown command `xyzzy`"),
        ("UCI", "unknown command `UCI`"),
        ("position", "position refused: nothing follows"),
        ("position moves e2e4", "position refused: nothing follows"),
        ("setoption", "setoption: nothing follows"),
        ("debug", "debug: nothing follows"),
        ("perft", "perft: nothing follows"),
        ("perft x", "perft: `x` is not a whole number"),
    ];
    for (line, expected) in cases {
        let lines = talk(line).lines;
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        assert!(lines[0].starts_with(&format!("info string {expected}")), "{line}: {lines:?}");
    }
}

#[test]
fn shows_what_people_ask_for() {
    let lines = talk("position startpos moves e2e4\nd\n").lines;
    for expected in [
        "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        " |   |   |   |   | P |   |   |   | 4",
        "   a   b   c   d   e   f   g   h",
        " +---+---+---+---+---+---+---+---+",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}: {lines:#?}");
    }
    assert!(lines.iter().any(|line| line.starts_with("Legal moves: 20 ")), "{lines:#?}");
    // Programs that drive Stockfish take it for the last line.
    assert_eq!(lines.last().map(String::as_str), Some("Checkers:"));
    assert!(talk("help\n").lines.iter().any(|line| line.contains("ucinewgame")));
    let eval = talk("position startpos moves e2e4\neval\n").lines;
    let own = eval[0].strip_prefix("Evaluation: cp ").and_then(|rest| rest.strip_suffix(" (for Black)"));
    let own: f64 = own.and_then(|own| own.parse().ok()).unwrap_or_else(|| panic!("{eval:#?}"));
    let last = format!("Final evaluation       {:+.2} (white side)", -own / 100.0);
    assert_eq!(eval[eval.len() - 2..], [last, String::new()]);
    let check = talk("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1\neval\nd\n").lines;
    assert_eq!(check[0], "Final evaluation: none (in check)");
    assert!(check.iter().any(|line| line == "Checkers: e2"), "{check:#?}");
    let mate = talk("position startpos moves f2f3 e7e5 g2g4 d8h4\nd\n").lines;
    assert!(mate.iter().any(|line| line == "Result: 0-1 (Black mates)"), "{mate:#?}");
}
