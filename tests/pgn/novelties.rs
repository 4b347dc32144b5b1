//! `hematite pgn novelties`, run by the built binary.

use super::tree::game;
use crate::support::binary::{Run, folder, run};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;

const FRENCH: &str = "1. e4 e6 2. d4 d5";

fn dated(white: &str, date: &str, moves: &str) -> String {
    game(&[("White", white), ("Black", "B"), ("Date", date)], moves, "1-0")
}

fn novelties(arguments: &[&str], games: &str) -> Run {
    run(&[&["pgn", "novelties"], arguments, &["-"]].concat(), games.as_bytes())
}

/// White's name, the ply, the move, the number of earlier games, and White's name in the last of them.
fn shown(run: &Run) -> Vec<(String, u64, String, u64, String)> {
    let json = run.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |row: &Value| {
        let number = |name: &str| row[name].as_u64().expect("a number");
        (text(&row["white"]), number("ply"), text(&row["move"]), number("games"), text(&row["last"]["white"]))
    };
    json["novelties"].as_array().expect("novelties").iter().map(row).collect()
}

fn row(white: &str, ply: u64, mv: &str, games: u64, last: &str) -> (String, u64, String, u64, String) {
    (white.to_owned(), ply, mv.to_owned(), games, last.to_owned())
}

#[test]
fn the_move_behind_the_last_known_position_is_new() {
    let games = [
        dated("First", "1990.01.01", &format!("{FRENCH} 3. Nc3")),
        dated("Second", "1990.01.02", &format!("{FRENCH} 3. Nc3 Bb4")),
        // The same day: neither is earlier.
        dated("Third", "1990.01.02", &format!("{FRENCH} 3. Nc3 Bb4 4. e5")),
        // By another order of moves, which was new itself.
        dated("Fourth", "1991.01.01", "1. d4 e6 2. e4 d5 3. Nc3 Bb4 4. Bd2"),
        // It comes back to a known position, and ends there.
        dated("Fifth", "1992.01.01", "1. e4 e6 2. Nf3"),
        dated("Sixth", "1993.01.01", "1. e4 e6"),
    ]
    .concat();
    let found = novelties(&["--json"], &games);
    let expected = [
        row("Second", 6, "Bb4", 1, "First"),
        row("Third", 6, "Bb4", 1, "First"),
        row("Fourth", 7, "Bd2", 2, "Third"),
        row("Fifth", 3, "Nf3", 3, "Third"),
    ];
    assert_eq!(shown(&found), expected);
    assert_eq!(found.code, Some(0));
    let json = found.json();
    assert_eq!(
        (json["read"].as_u64(), json["games"].as_u64(), json["undated"].as_u64()),
        (Some(6), Some(6), Some(0))
    );
    let fen = "rnbqk1nr/ppp2ppp/4p3/3p4/1b1PP3/2N5/PPP2PPP/R1BQKBNR w KQkq - 2 4";
    assert_eq!(json["novelties"][2]["fen"], fen);
    assert_eq!(json["novelties"][2]["uci"], "c1d2");
    assert_eq!(json["novelties"][2]["eco"], "C15");
    assert_eq!(shown(&novelties(&["--json", "--min-games", "0"], &games))[0], row("First", 1, "e4", 0, ""));
    assert_eq!(
        shown(&novelties(&["--json", "--min-games", "3"], &games)),
        [row("Fifth", 3, "Nf3", 3, "Third")]
    );
    // Of the positions after one move, one comes for the first time.
    let few = novelties(&["--json", "--plies", "1"], &games);
    assert_eq!(shown(&few), [row("Fourth", 1, "d4", 3, "Third")]);
    assert_eq!(
        shown(&novelties(&["--json", "--query", "white:second or white:first"], &games)),
        [row("Second", 6, "Bb4", 1, "First")]
    );
    let text = novelties(&[], &games).out;
    assert!(text.starts_with("Novelties\n4 of 6 games\n"), "{text}");
    let line = text.lines().find(|line| line.starts_with("Fourth")).expect("a row");
    for part in ["1991.01.01", "4. Bd2", "Third - B, 1990.01.02", "C15 French Defense", fen] {
        assert!(line.contains(part), "{line}");
    }
    assert!(novelties(&["--html"], &games).out.contains("<td>4. Bd2</td>"));
}

#[test]
fn dates_must_be_certain() {
    let known = |date: &str| dated("Known", date, "1. e4 e5 2. Nf3");
    let of = |earlier: &str, date: &str| {
        let games = known(earlier) + &dated("New", date, "1. e4 e5 2. Bc4");
        // The game that is known may be the later one.
        shown(&novelties(&["--json"], &games)).iter().filter(|row| row.0 == "New").count()
    };
    let cases = [
        ("1990.01.01", "1990.01.02", 1),
        ("1990.01.01", "1990.01.01", 0),
        ("1990.??.??", "1991.??.??", 1),
        ("1990.??.??", "1990.12.31", 0),
        ("1990.05.??", "1990.06.??", 1),
        ("1990.05.??", "1990.05.31", 0),
        ("????.??.??", "1990.05.31", 0),
        ("1990.05.31", "????.??.??", 0),
    ];
    for (earlier, date, expected) in cases {
        assert_eq!(of(earlier, date), expected, "{earlier}, {date}");
    }
    let undated = novelties(&[], &dated("A", "????.??.??", "1. e4"));
    assert_eq!(undated.code, Some(1));
    assert!(undated.out.contains("1 game without a year left out"), "{}", undated.out);
}

/// The results agree with those of a simple program that compares each game with all earlier ones.
#[test]
fn a_reference_is_searched_as_a_simple_program_does() {
    let folder = folder("novelties-reference");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let lines = [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6",
        "1. Nf3 Nc6 2. e4 e5 3. Bb5 a6",
        "1. e4 c5 2. Nf3 d6",
        "1. d4 d5 2. c4 e6",
        "1. c4 e6 2. d4 d5 3. Nc3",
    ];
    // The moves of a line, and its positions as the program itself names them.
    let words = |line: &'static str| line.split(' ').filter(|word| !word.ends_with('.')).collect::<Vec<_>>();
    let key = |moves: &str| {
        run(&["position", "startpos", "--moves", moves, "--json"], b"").json()["key"].to_string()
    };
    let positions: Vec<Vec<String>> = lines
        .iter()
        .map(|line| (0..=words(line).len()).map(|count| key(&words(line)[..count].join(" "))).collect())
        .collect();
    let mut rng = hematite::rng::Rng::new(7);
    // The line, its plies, and the date.
    let mut games = |count: usize| -> Vec<(usize, usize, String)> {
        let mut one = || {
            let line = rng.below(6) as usize;
            let plies = 1 + rng.below(words(lines[line]).len() as u64) as usize;
            (line, plies, format!("2000.01.{:02}", 1 + rng.below(20)))
        };
        (0..count).map(|_| one()).collect()
    };
    let (new, old) = (games(40), games(30));
    let pgn = |games: &[(usize, usize, String)], name: &str| {
        let one = |(index, (line, plies, date)): (usize, &(usize, usize, String))| {
            dated(&format!("{name}{index}"), date, &words(lines[*line])[..*plies].join(" "))
        };
        games.iter().enumerate().map(one).collect::<String>()
    };
    fs::write(path("new.pgn"), pgn(&new, "new")).expect("a file can be written");
    fs::write(path("old.pgn"), pgn(&old, "old")).expect("a file can be written");
    assert_eq!(run(&["db", "create", "-q", &path("old.hdb"), &path("old.pgn")], b"").code, Some(0));
    let mut expected = HashMap::new();
    for (index, (line, plies, date)) in new.iter().enumerate() {
        let reached = (0..=*plies).rev().find_map(|ply| {
            let is_before = |(other, length, day): &&(usize, usize, String)| {
                day < date && positions[*other][..=*length].contains(&positions[*line][ply])
            };
            let games = old.iter().filter(is_before).count();
            (games > 0).then_some((ply, games))
        });
        if let Some((ply, games)) = reached.filter(|(ply, _)| ply < plies) {
            expected.insert(format!("new{index}"), (ply as u64 + 1, games as u64));
        }
    }
    assert!(expected.len() > 3, "{expected:?}");
    for (reference, threads) in [("old.pgn", "1"), ("old.hdb", "3")] {
        let arguments =
            ["--json", "--threads", threads, "--reference", &path(reference), "--", &path("new.pgn")];
        let found = run(&[&["pgn", "novelties"], &arguments[..]].concat(), b"");
        let found: HashMap<String, (u64, u64)> =
            shown(&found).into_iter().map(|(name, ply, _, games, _)| (name, (ply, games))).collect();
        assert_eq!(found, expected, "{reference}");
    }
    let missing = run(&["pgn", "novelties", &path("new.pgn"), "--reference", &path("none.pgn")], b"");
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("none.pgn"), "{}", missing.err);
}
