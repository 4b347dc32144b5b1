//! `setoption`, and the declarations of options after `uci`.

use crate::support::engine::{Engine, talk};
use hematite::search::Params;
use hematite::uci::{Message, OptionDeclaration, OptionKind};
use std::collections::BTreeMap;

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

/// The options that the engine declares.
fn declared() -> Vec<OptionDeclaration> {
    let lines = Engine::told(&["uci"]).until("uciok");
    let read = |line: &String| match Message::parse(line.as_bytes()) {
        Some(Message::Option(option)) => Some(option),
        _ => None,
    };
    lines.iter().filter_map(read).collect()
}

#[test]
fn the_page_shows_every_option_as_it_is() {
    let page = include_str!("../../docs/uci.md");
    let (_, chapter) = page.split_once("\n## UCI options\n").expect("there is a chapter");
    let chapter = chapter.split("\n## ").next().unwrap_or_default();
    let rows = chapter.lines().filter(|line| line.starts_with("| ")).skip(1);
    let mut told: BTreeMap<String, [String; 3]> = BTreeMap::new();
    for row in rows.filter(|row| !row.starts_with("| ---")) {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        let [name, kind, default, range, effect] = <[String; 5]>::try_from(cells).expect("five columns");
        assert!(effect.len() > 10, "{name}: what does it do?");
        assert!(told.insert(name.clone(), [kind, default, range]).is_none(), "{name} stands there twice");
    }
    // In builds for tuning, the search parameters are options, too; what they do stands where they are declared.
    let is_parameter = |option: &OptionDeclaration| Params::declared(&option.name).is_some();
    for option in declared().into_iter().filter(|option| !is_parameter(option)) {
        let expected = match &option.kind {
            OptionKind::Spin { default, min, max } => {
                ["spin".to_owned(), default.to_string(), format!("{min} to {max}")]
            }
            OptionKind::Check { default } => ["check".to_owned(), default.to_string(), String::new()],
            OptionKind::Button => ["button".to_owned(), String::new(), String::new()],
            OptionKind::Text { default } => ["string".to_owned(), default.clone(), String::new()],
            OptionKind::Combo { default, values } => ["combo".to_owned(), default.clone(), values.join(", ")],
        };
        assert_eq!(told.remove(&option.name), Some(expected), "{}", option.name);
    }
    assert!(told.is_empty(), "no such options: {told:?}");
}

#[test]
fn every_option_takes_what_it_declares_and_refuses_what_is_beyond() {
    let mut engine = Engine::start();
    for OptionDeclaration { name, kind } in declared() {
        let (good, bad) = match kind {
            OptionKind::Spin { default, min, max } => {
                // The largest is more than a machine has, where it is memory or threads.
                let largest = if name == "Hash" || name == "Threads" { default } else { max };
                let good = vec![min, largest, default];
                (good, vec![(min - 1).to_string(), (max + 1).to_string(), "x".to_owned(), String::new()])
            }
            OptionKind::Check { .. } => {
                engine.send(&format!("setoption name {name} value true"));
                engine.send(&format!("setoption name {name} value FALSE"));
                (vec![], vec!["1".to_owned(), "yes".to_owned(), String::new()])
            }
            _ => (vec![], vec![]),
        };
        for value in good {
            engine.send(&format!("setoption name {} value {value}", name.to_uppercase()));
        }
        assert_eq!(engine.until_ready(), [""; 0], "{name}");
        for value in bad {
            engine.send(&format!("setoption name {name} value {value}"));
            let lines = engine.until_ready();
            let expected = format!("info string setoption: {name}: `{value}`, expected ");
            assert!(lines.len() == 1 && lines[0].starts_with(&expected), "{name} {value:?}: {lines:?}");
        }
    }
    engine.ask("go depth 2", "bestmove ");
    engine.end().assert_well();
}
