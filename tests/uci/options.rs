//! `setoption`.

use crate::engine::{Engine, talk};

#[test]
fn good_values_are_taken_silently() {
    let lines = talk(
        "setoption name Hash value 2\nsetoption name hash value 3\nsetoption name Clear Hash\n\
         setoption name CLEARHASH value x\nsetoption name Threads value 2\nsetoption name multipv value 2\n\
         setoption name Ponder value TRUE\nsetoption name Move  Overhead value 100\n\
         setoption name MoveOverhead value 0\nsetoption name uci_chess960 value false\nisready\n",
    )
    .lines;
    assert_eq!(lines, ["readyok"]);
}

#[test]
fn bad_values_are_refused_and_the_old_ones_kept() {
    let cases = [
        ("setoption name Nullmove value 1", "unknown option `Nullmove`"),
        ("setoption name Hash", "Hash: no value, expected a whole number from 1 to 33554432"),
        ("setoption name Hash value", "Hash: ``, expected a whole number"),
        ("setoption name Hash value 0", "Hash: `0`, expected"),
        ("setoption name Hash value -5", "Hash: `-5`, expected"),
        ("setoption name Hash value a lot", "Hash: `a lot`, expected"),
        ("setoption name Hash value 99999999999999999999999", "Hash: `99999999999999999999999`, expected"),
        ("setoption name Hash value 1073741824", "Hash: `1073741824`, expected"),
        ("setoption name Hash value 33554432", "Hash: no memory for a hash table of 33554432 MiB"),
        ("setoption name Threads value 0", "Threads: `0`, expected"),
        ("setoption name Threads value 100000", "Threads: `100000`, expected"),
        ("setoption name MultiPV value 0", "MultiPV: `0`, expected"),
        ("setoption name Ponder value perhaps", "Ponder: `perhaps`, expected `true` or `false`"),
        ("setoption name Move Overhead value 10001", "Move Overhead: `10001`, expected"),
    ];
    let mut engine = Engine::start();
    for (line, expected) in cases {
        engine.send(line);
        let lines = engine.until_ready();
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        assert!(lines[0].starts_with(&format!("info string setoption: {expected}")), "{line}: {lines:?}");
    }
    assert!(engine.ask("go depth 2", "bestmove").len() > "bestmove ".len());
}

#[test]
fn the_same_search_after_a_new_game() {
    let mut engine = Engine::start();
    let mut search = || {
        engine.send("ucinewgame");
        engine.send("position startpos moves e2e4 c7c5");
        engine.send("go depth 7");
        let lines = engine.until("bestmove");
        // What does not depend on the clock.
        let is_steady = |line: &String| !line.contains("currmove");
        let steady = lines.into_iter().filter(is_steady).map(|line| {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            let without = |words: &[String]| {
                let mut kept = Vec::new();
                let mut words = words.iter();
                while let Some(word) = words.next() {
                    if word == "nps" || word == "time" {
                        words.next();
                    } else {
                        kept.push(word.clone());
                    }
                }
                kept.join(" ")
            };
            without(&words)
        });
        steady.collect::<Vec<_>>()
    };
    let first = search();
    assert!(first.len() > 7, "{first:?}");
    assert_eq!(search(), first);
}
