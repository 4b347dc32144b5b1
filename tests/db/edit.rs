//! `hematite db edit` and `hematite db undo`.

use super::{Pair, random_games, run};
use crate::support::binary::BINARY;
use std::fs;
use std::process::Command;

/// Splits an export into its games with their tags.
fn split(export: &str) -> Vec<String> {
    let mut games: Vec<String> = Vec::new();
    for part in export.split_inclusive("\n\n") {
        match games.last_mut().filter(|game| game.matches("\n\n").count() == 1) {
            Some(game) => game.push_str(part),
            None => games.push(part.to_owned()),
        }
    }
    games
}

/// The expected result of `db edit retag` on exported games: changed games are moved to the end.
pub(super) fn retagged(export: &str, rules: &[&str]) -> String {
    let new = run(&[&["pgn", "retag", "-q", "-"], rules].concat(), export.as_bytes()).out;
    let (old, new) = (split(export), split(&new));
    assert_eq!(old.len(), new.len());
    let of = |is_changed: bool| old.iter().zip(&new).filter(move |(old, new)| (old != new) == is_changed);
    of(false).chain(of(true)).map(|(_, new)| new.as_str()).collect()
}

/// Games without empty lines in their moves, so that an export can be split.
fn games(count: u64, seed: u64) -> String {
    let export =
        run(&["pgn", "export", "-q", "--broken", "drop", "-"], random_games(count, seed).as_bytes()).out;
    split(&export).into_iter().filter(|game| !game.contains("%")).collect()
}

#[test]
fn changes_are_taken_back_one_by_one() {
    let pair = Pair::new("undo", &games(40, 20));
    let more = pair.folder.join("more.pgn");
    fs::write(&more, games(10, 21)).expect("a file can be written");
    let more = more.to_str().expect("UTF-8");
    let rules = ["--add", "plycount"];
    let changes: [&[&str]; 6] = [
        &["add", &pair.hdb, more],
        &["delete", &pair.hdb, "result:1-0"],
        &["edit", "retag", &pair.hdb, rules[0], rules[1], "--query", "plies>20"],
        &["edit", "replace", &pair.hdb, "2", more, "--force"],
        &["add", &pair.hdb, more, "--again"],
        &["delete", &pair.hdb, "--games", "1..5"],
    ];
    let one = &split(&fs::read_to_string(more).expect("a file"))[0];
    fs::write(pair.folder.join("one.pgn"), one).expect("a file can be written");
    let one = pair.folder.join("one.pgn");
    let one = one.to_str().expect("UTF-8");
    let mut states = Vec::new();
    for change in changes {
        states
            .push((pair.export(), pair.good(&["db", "info", "--json", &pair.hdb]).json()["sources"].clone()));
        let change: Vec<&str> = match change {
            [.., "--force"] => change.iter().map(|&word| if word == more { one } else { word }).collect(),
            _ => change.to_vec(),
        };
        pair.good(&[&["db"], &change[..]].concat());
        pair.check();
    }
    while let Some((export, sources)) = states.pop() {
        pair.good(&["db", "undo", &pair.hdb]);
        pair.check();
        assert!(pair.export() == export, "{} more to come", states.len());
        assert_eq!(pair.good(&["db", "info", "--json", &pair.hdb]).json()["sources"], sources);
    }
    let refused = run(&["db", "undo", &pair.hdb], b"");
    assert_eq!(refused.code, Some(1));
    assert!(refused.out.ends_with("there is no change to take back\n"), "{}", refused.out);
}

#[test]
fn tags_are_put_in_order_as_in_a_file() {
    let text = games(60, 22).replace("Tal, Mihail", "Tal,Mihail");
    let pair = Pair::new("retag", &text);
    let before = pair.export();
    for rules in [&[][..], &["--fix", "none", "--set", "Event=A \"B\"", "--query", "white:tal result:1-0"]] {
        let expected = retagged(&before, rules);
        assert!(expected != before, "{rules:?}");
        let dry = [&["--dry-run", "--json"], rules].concat();
        let of_text = run(&[&["pgn", "retag", &pair.pgn], &dry[..]].concat(), b"");
        let stored = run(&[&["db", "edit", "retag", &pair.hdb], &dry[..]].concat(), b"");
        assert_eq!((stored.code, stored.json()), (of_text.code, of_text.json()), "{rules:?}");
        assert!(pair.export() == before, "a dry run changes nothing");
        pair.good(&[&["db", "edit", "retag", &pair.hdb], rules].concat());
        assert!(
            pair.export() == expected,
            "{rules:?}:\n{}",
            super::first_difference(&expected, &pair.export())
        );
        pair.check();
        // Positions are found in the new games, too.
        fs::write(&pair.pgn, &expected).expect("a file can be written");
        pair.compare(&["pgn", "find", "reaches:\"1. a3\"", "--list"]);
        let again = run(&[&["db", "edit", "retag", &pair.hdb], rules].concat(), b"");
        assert_eq!(again.code, Some(1), "{}", again.out);
        pair.good(&["db", "undo", &pair.hdb]);
        assert!(pair.export() == before, "{rules:?}");
        fs::write(&pair.pgn, &text).expect("a file can be written");
    }
}

#[cfg(unix)]
#[test]
fn a_game_is_opened_in_the_editor() {
    let moves = ["1. e4 e5", "1. d4 d5 {a comment} 2. c4", "1. c4 c5"];
    let text: String = moves.iter().map(|moves| format!("[Event \"E\"]\n\n{moves} *\n\n")).collect();
    let pair = Pair::new("open", &text);
    let open = |editor: &str, more: &[&str]| {
        let output = Command::new(BINARY)
            .args([&["db", "edit", "open", &pair.hdb, "2"], more].concat())
            .env_remove("VISUAL")
            .env("EDITOR", editor)
            .env("TMPDIR", &pair.folder)
            .output()
            .expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let before = pair.export();
    let (code, out, _) = open("true", &[]);
    assert!(code == Some(0) && out.ends_with("game 2 is unchanged\n"), "{out}");
    // Errors leave it as it is, and the text is kept.
    let (code, _, error) = open("sed -i s/c4/Kd3/", &[]);
    assert!(code == Some(2) && error.contains("the text is kept in"), "{error}");
    assert_eq!(open("false", &[]).0, Some(2));
    assert!(pair.export() == before);
    let (code, out, error) = open("sed -i s/c4/Nf3/", &[]);
    assert_eq!((code, &*error), (Some(0), ""));
    assert!(out.ends_with("game 2 replaced; the new one is game 3\n"), "{out}");
    let after = split(&pair.export());
    assert!(after[1].contains("1. c4 c5") && after[2].contains("{a comment} 2. Nf3"), "{after:?}");
    // What is wrong may be kept nevertheless, and is found as in a file.
    let (code, _, error) = open("sed -i s/c5/Ke4/", &["--force"]);
    assert!(code == Some(0) && error.contains("Ke4"), "{error}");
    assert_eq!(run(&["pgn", "check", &pair.hdb], b"").code, Some(1));
    pair.check();
    let sources = pair.good(&["db", "info", "--json", &pair.hdb]).json()["sources"].clone();
    assert_eq!(sources.as_array().map(Vec::len), Some(1), "{sources}");
    for _ in 0..2 {
        pair.good(&["db", "undo", &pair.hdb]);
    }
    assert!(pair.export() == before);
    for (arguments, expected) in [
        (&["open", &*pair.hdb, "9"][..], "it has 3 games, expected a game 9"),
        (&["replace", &pair.hdb, "1", &pair.pgn], "found 3 games, expected one"),
        (&["replace", &pair.pgn, "1", &pair.pgn], "collection"),
    ] {
        let refused = run(&[&["db", "edit"], arguments].concat(), b"");
        assert_eq!(refused.code, Some(2), "{arguments:?}");
        assert!(refused.err.contains(expected), "{arguments:?}: {}", refused.err);
    }
    assert!(pair.export() == before);
}
