//! Invalid input, and output that is not read.

use crate::support::engine::{Engine, binary, talk};
use std::process::Command;

#[test]
fn long_lines_do_no_harm() {
    let mebibyte = 1024 * 1024;
    let many =
        std::env::join_paths(vec!["x"; 1000]).expect("no separator is in it").into_string().expect("UTF-8");
    let cases = [
        ("one word", "x".repeat(mebibyte), 1),
        ("many words", "x ".repeat(mebibyte / 2), 1),
        ("a command and words", format!("go depth 1 {}", "x ".repeat(mebibyte / 2)), 9),
        ("a number", format!("go depth {}", "9".repeat(mebibyte)), 1),
        ("moves", format!("position startpos moves {}", "e2e4 ".repeat(mebibyte / 5)), 1),
        ("a FEN", format!("position fen {}", "8/".repeat(mebibyte / 2)), 1),
        ("a network", format!("setoption name EvalFile value {}", "x".repeat(mebibyte)), 1),
        ("a book", format!("setoption name BookFile value {}", "x".repeat(mebibyte)), 1),
        ("tables", format!("setoption name SyzygyPath value {}", "x".repeat(mebibyte)), 2),
        ("many folders of tables", format!("setoption name SyzygyPath value {many}"), 10),
        ("a log", format!("setoption name Debug Log File value {}", "x".repeat(mebibyte)), 1),
        ("a book of openings", format!("genfens 1 seed 1 book {}", "x".repeat(mebibyte)), 1),
        ("an option", format!("setoption name {}", "x".repeat(mebibyte)), 1),
        ("longer than is kept", "x ".repeat(20 * mebibyte), 1),
    ];
    for (name, line, notes) in cases {
        let ended = talk(format!("{line}\nstop\nisready\n"));
        assert_eq!(ended.count("readyok"), 1, "{name}");
        assert_eq!(ended.count("info string "), notes, "{name}: {:?}", ended.lines);
        assert!(ended.lines.iter().all(|line| line.len() < 1000), "{name}");
    }
}

#[test]
fn random_bytes_do_no_harm() {
    let mut state = 99_u64;
    let mut bytes = Vec::new();
    const WORDS: [&[u8]; 14] = [
        b"position",
        b" ",
        b"fen",
        b"moves",
        b"go",
        b"searchmoves",
        b"setoption name",
        b"value",
        b"depth 1",
        b"\n",
        b"\t",
        b"startpos",
        b"-1",
        b"e2e4",
    ];
    for _ in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        match WORDS.get((state >> 33) as usize % 20) {
            Some(word) => bytes.extend_from_slice(word),
            None => bytes.push((state >> 40) as u8),
        }
        bytes.push(b' ');
    }
    bytes.extend_from_slice(b"\nstop\nisready\n");
    // Commands may wait for a search, but `isready` does not.
    assert_eq!(talk(bytes).count("readyok"), 1);
}

#[test]
fn an_output_that_is_closed_ends_the_session_quietly() {
    let cases = [
        "isready",
        "go infinite",
        "go ponder",
        "go depth 100",
        "perft 40",
        "bench 100",
        "setoption name Hash value 8",
    ];
    for last_words in cases {
        let ended = Engine::start().end_unheard(last_words);
        assert!(ended.status.success(), "{last_words}: {}", ended.status);
        assert_eq!(ended.errors, "", "{last_words}");
    }
}

/// A search without any output also notices that the output is closed, whether or not more input may come.
#[cfg(unix)]
#[test]
fn a_closed_output_ends_what_is_silent() {
    for last_words in ["go infinite", "go depth 100", "perft 40"] {
        for closes_input in [false, true] {
            let mut engine = Engine::without_output();
            engine.send("setoption name Minimal value true");
            engine.send(last_words);
            if closes_input {
                engine.close();
            }
            let ended = engine.end_by_itself();
            assert!(ended.status.success(), "{last_words}: {}", ended.status);
            assert_eq!(ended.errors, "", "{last_words}");
        }
    }
}

/// If memory is short, the existing threads continue to work.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_the_memory_has_no_room_for_are_refused() {
    const KIB: usize = 500_000;
    let script = format!("ulimit -v {KIB}; exec \"$0\"");
    let mut engine = Engine::run(Command::new("sh").arg("-c").arg(script).arg(binary()));
    engine.send("setoption name Threads value 200");
    let refusal = engine.until_ready();
    assert!(refusal.iter().any(|line| line.contains("Threads: ")), "{refusal:?}");
    engine.send("go nodes 1000");
    engine.until("bestmove ");
    engine.end().assert_well();
}
