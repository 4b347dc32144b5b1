//! `hematite pgn archive`, run by the built binary.

use super::files;
use super::tree::game;
use crate::support::binary::{Run, folder, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A game with these tags and moves.
fn of(date: &str, event: &str, white: &str, black: &str, moves: &str) -> String {
    let tags = [("Date", date), ("White", white), ("Black", black)];
    game(&tags, moves, "1-0").replace("[Event \"E\"]", &format!("[Event \"{event}\"]"))
}

fn archive(folder: &Path, more: &[&str], games: &str) -> Run {
    let folder = folder.to_str().expect("UTF-8");
    run(&[&["pgn", "archive", "-", "-o", folder], more].concat(), games.as_bytes())
}

/// The names and contents of the files in a folder and its subfolders.
fn content(folder: &Path) -> BTreeMap<String, String> {
    let name =
        |file: &Path| file.strip_prefix(folder).expect("it is below").to_string_lossy().replace('\\', "/");
    let text = |file: &Path| fs::read_to_string(file).expect("it is UTF-8");
    files(folder).iter().map(|file| (name(file), text(file))).collect()
}

/// The files of games.
fn games_in(folder: &Path) -> BTreeMap<String, String> {
    content(folder).into_iter().filter(|(name, _)| name.ends_with(".pgn")).collect()
}

fn exported(games: &str) -> String {
    run(&["pgn", "export", "-"], games.as_bytes()).out
}

#[test]
fn games_are_in_the_folders_of_the_standard() {
    let folder = folder("archive-layout");
    let late = of("1993.04.25", "Linares", "Tal, Mihail", "Polgar, Judit", "1. e4");
    let early = of("1993.04.??", "AC/DC", "Polgar, Zsuzsa", "?", "1. d4");
    let unknown = of("????.??.??", "?", "", "?", "1. c4");
    let done = archive(&folder, &[], &[&*late, &early, &unknown].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.ends_with(": 3 games read, 3 new; 8 files written\n"), "{done:?}");
    assert_eq!(done.err, "1 game with an incomplete date\n");
    let again = archive(&folder, &["--json"], &late).json();
    assert_eq!(again, serde_json::json!({"read": 1, "new": 0, "files": 0, "incomplete_dates": 0}));
    let found = content(&folder);
    let expected = [
        ("Events/AC_DC.pgn", exported(&early)),
        ("Events/Linares.pgn", exported(&late)),
        ("Events/Unknown.pgn", exported(&unknown)),
        ("MGR/0000/000000.pgn", exported(&unknown)),
        ("MGR/1993/199304.pgn", exported(&early) + &exported(&late)),
        ("Players/Polgar.pgn", exported(&early) + &exported(&late)),
        ("Players/Tal.pgn", exported(&late)),
        ("Players/Unknown.pgn", exported(&unknown)),
    ];
    for (name, text) in &expected {
        assert_eq!(found.get(*name), Some(text), "{name}");
    }
    let folders = ["", "Events/", "MGR/", "MGR/0000/", "MGR/1993/", "Players/"];
    assert_eq!(found.len(), expected.len() + 2 * folders.len(), "{:?}", found.keys());
    let list = &found["Players/ReadMe"];
    let size = exported(&late).len();
    for line in [
        "\n4 games in 3 files\n",
        &format!("\n        1  1993.04.25  1993.04.25  {size:>12}  Tal.pgn\n"),
        "\n        2  1993.04.??  1993.04.25  ",
        "\n        1  -           -           ",
    ] {
        assert!(list.contains(line), "{line}: {list}");
    }
    assert!(found["ReadMe"].contains("\n        3  1993.04.??  1993.04.25  "), "{}", found["ReadMe"]);
    let news = &found["MGR/News"];
    assert!(news.ends_with("\n  0000: new, 1 game\n  1993: new, 2 games\n\n"), "{news}");
    assert!(news.starts_with("20") && news.find('\n') == Some("2000-01-01".len()), "{news}");
}

#[test]
fn later_games_are_added_and_none_twice() {
    let folder = folder("archive-more");
    let (at_once, in_parts) = (folder.join("at-once"), folder.join("in-parts"));
    let games: Vec<String> = (0..40)
        .map(|number| {
            let date = format!("19{}.{:02}.??", 90 + number % 3, 1 + number % 5);
            let moves = ["1. e4", "1. d4 {a comment}", "1. c4 (1. f4)"][number % 3];
            of(
                &date,
                ["A", "b", "c"][number % 3],
                ["Tal, M", "Petrov", "?"][number % 3],
                ["X", "Y"][number % 2],
                moves,
            )
        })
        .collect();
    assert_eq!(archive(&at_once, &[], &games.concat()).code, Some(0));
    // The other way round, in parts that overlap, and with a temporary file for each game.
    for (part, memory) in [(&games[20..], "1"), (&games[..30], "1M"), (&games[..], "256M")] {
        let texts: Vec<&str> = part.iter().rev().map(String::as_str).collect();
        assert_eq!(archive(&in_parts, &["--memory", memory], &texts.concat()).code, Some(0));
    }
    assert_eq!(games_in(&in_parts), games_in(&at_once));
    let sum = |folder: &Path| content(folder)["ReadMe"].clone();
    assert_eq!(sum(&in_parts), sum(&at_once));
    // Nothing is new, and nothing is written.
    let before = content(&in_parts);
    let done = archive(&in_parts, &[], &games.concat());
    assert!(done.code == Some(0) && done.out.ends_with(" 0 new; 0 files written\n"), "{done:?}");
    assert_eq!(content(&in_parts), before);
    // The case of a name does not make another file.
    let other = of("1990.01.??", "a", "TAL, M", "X", "1. a3");
    assert_eq!(archive(&in_parts, &[], &other).code, Some(0));
    assert_eq!(games_in(&in_parts).len(), games_in(&at_once).len());
    assert!(games_in(&in_parts)["Players/Tal.pgn"].contains("TAL"));
    let news = &content(&in_parts)["Players/News"];
    assert!(news.contains("  Tal.pgn: ") && news.contains(", 1 of them new\n"), "{news}");
}

/// A command that is interrupted has written some of its files; the next one completes the others.
#[test]
fn what_is_missing_is_completed_and_what_was_changed_is_counted() {
    let folder = folder("archive-resume");
    let games =
        of("1993.04.25", "E1", "Tal, M", "X", "1. e4") + &of("1994.04.25", "E2", "Tal, M", "Y", "1. d4");
    assert_eq!(archive(&folder, &[], &games).code, Some(0));
    let whole = content(&folder);
    for gone in ["Players/Y.pgn", "MGR/1994/199404.pgn", "MGR/1994/ReadMe", "ReadMe"] {
        fs::remove_file(folder.join(gone)).expect("it is there");
    }
    let half = &whole["Players/Tal.pgn"][..whole["Players/Tal.pgn"].len() / 2];
    fs::write(folder.join("Players/Tal.pgn"), half).expect("it can be written");
    let done = archive(&folder, &[], &games);
    assert!(done.out.ends_with(" 2 games read, 1 new; 3 files written\n"), "{done:?}");
    let lists = |content: &BTreeMap<String, String>| -> Vec<(String, String)> {
        content
            .iter()
            .filter(|(name, _)| !name.ends_with("News"))
            .map(|(a, b)| (a.clone(), b.clone()))
            .collect()
    };
    assert_eq!(lists(&content(&folder)), lists(&whole));
    // A file of the user's own.
    fs::write(folder.join("Events/own.pgn"), games.repeat(3)).expect("it can be written");
    assert_eq!(archive(&folder, &[], &games).code, Some(0));
    let list = &content(&folder)["Events/ReadMe"];
    assert!(
        list.contains("\n        6  1993.04.25  1994.04.25  ") && list.ends_with("  own.pgn\n"),
        "{list}"
    );
    assert!(content(&folder)["Events/News"].contains("  own.pgn: new, 6 games\n"));
}

#[test]
fn a_list_of_somebody_else_is_not_replaced() {
    let folder = folder("archive-foreign");
    fs::create_dir(folder.join("Events")).expect("a folder can be made");
    fs::write(folder.join("Events/ReadMe"), "my notes\n").expect("it can be written");
    let refused = archive(&folder, &[], &of("1993.04.25", "E", "Tal, M", "X", "1. e4"));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("ReadMe") && refused.err.contains("expected another folder"), "{refused:?}");
    assert_eq!(content(&folder).len(), 1, "nothing else is written");
}
