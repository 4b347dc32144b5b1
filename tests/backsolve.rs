//! `hematite backsolve`, run by the built binary.

use crate::support::binary::{folder, run};
use std::fs;

const GAMES: &str = "[Event \"a\"]\n\n1. e4 e5 {[%eval 0.30,20] [%clk 0:05:00]} (1... c5 {good [%eval 0.20]}) *\n\n\
                     [Event \"b\"]\n\n1. d4 {[%eval 0.99] old} d5 {[%eval 0.25]} *\n";

#[test]
fn games_get_the_scores_of_what_follows() {
    let found = run(&["backsolve", "-"], GAMES.as_bytes());
    assert_eq!(found.code, Some(0), "{}", found.err);
    let text = found.out.replace('\n', " ");
    // Black's best answer to 1. e4 is worth 0.20.
    assert!(text.contains("1. e4 {[%eval 0.20]} 1... e5 {[%eval 0.30,20] [%clk 0:05:00]}"), "{text}");
    assert!(text.contains("1... c5 {good [%eval 0.20]}"), "what is a leaf's is kept: {text}");
    assert!(text.contains("1. d4 {[%eval 0.25] old} 1... d5 {[%eval 0.25]}"), "{text}");
    assert!(found.err.contains("6 positions: 3 with scores of their own, 3 led back"), "{}", found.err);
    assert!(found.err.ends_with("first position 0.25 d4 d5\n"), "{}", found.err);
    // Nothing changes when it is done again.
    assert_eq!(run(&["backsolve", "-"], found.out.as_bytes()).out, found.out);
}

#[test]
fn records_get_scores_for_the_side_to_move() {
    let folder = folder("backsolve");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    fs::write(folder.join("games.pgn"), "1. e4 e5 (1... c5) *\n").expect("files can be written");
    let leaves = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - acd 20; ce 30; id \"open\";\n\
                  rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - ce 20;\n";
    fs::write(folder.join("leaves.epd"), leaves).expect("files can be written");
    let found = run(&["backsolve", &path("games.pgn"), &path("leaves.epd"), "-o", &path("tree.epd")], b"");
    assert_eq!((found.code, found.out.as_str()), (Some(0), ""), "{}", found.err);
    let tree = fs::read_to_string(folder.join("tree.epd")).expect("it is written");
    let lines: Vec<&str> = tree.lines().collect();
    assert_eq!(lines.len(), 4, "{tree}");
    assert_eq!(lines[0], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 20; pm e4; pv e4 c5;");
    assert_eq!(lines[1], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 ce -20; pm c5; pv c5;");
    assert!(tree.contains("acd 20; ce 30;") && tree.contains("id \"open\""), "{tree}");
    // The records alone are a tree, too.
    let again = run(&["backsolve", &path("tree.epd"), "--json"], b"");
    let json = again.json();
    assert_eq!((json["leaves"].as_u64(), json["led_back"].as_u64()), (Some(2), Some(2)), "{json}");
    let first = json["positions"].as_array().expect("a list").iter().find(|position| position["ce"] == -20);
    assert_eq!(first.expect("after 1. e4")["pv"][0], "c5");
    let refused = run(&["backsolve", &path("tree.epd"), "--format", "pgn"], b"");
    assert_eq!(refused.code, Some(2));
}

#[test]
fn without_scores_the_answer_is_no() {
    let found = run(&["backsolve", "-"], b"1. e4 e5 *\n");
    assert_eq!(found.code, Some(1), "{}", found.err);
    let missing = run(&["backsolve", "no-such-file.epd"], b"");
    assert_eq!(missing.code, Some(2));
    let nothing = crate::support::binary::folder("backsolve-empty");
    let empty = run(&["backsolve", nothing.to_str().expect("UTF-8")], b"");
    assert_eq!(empty.code, Some(2));
    assert!(
        empty.out.is_empty() && empty.err.ends_with("no .pgn file in this folder or below\n"),
        "{empty:?}"
    );
    // What cannot be read is told, and the rest counts.
    let folder = folder("backsolve-broken");
    let path = folder.join("broken.epd");
    fs::write(&path, "nonsense\n4k3/8/8/8/8/8/8/4K2R w - - ce 500;\n").expect("files can be written");
    let found = run(&["backsolve", path.to_str().expect("UTF-8")], b"");
    assert_eq!(found.code, Some(0));
    assert!(found.err.contains("broken.epd:1: "), "{}", found.err);
    assert!(found.out.contains("ce 500;"), "{}", found.out);
}
