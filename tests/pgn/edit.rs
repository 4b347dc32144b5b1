//! `hematite pgn edit`: single games are changed, and the others remain unchanged.

use crate::support::binary::{Run, folder, run};
use std::fs;
use std::path::{Path, PathBuf};

/// Three games, with comments around them, and formatted so that any export would change them.
const GAMES: [&str; 3] = [
    "; first\n[Event \"A\"]\n\n1. e4   e5 {end} 1-0",
    "{of two}\n[Event \"B\"]\n[Round \"1\"]\n\n1. d4 d5\n*",
    "[Event \"C\"]\n\n1. Ng1-f3 (1. c4) 1/2-1/2",
];
const NEW: &str = "[Event \"N\"]\n\n1. g3 g6 0-1";
const WRONG: &str = "[Event \"W\"]\n\n1. e4 e5\n2. Ke3 *\n";

/// A file of these games in a separate folder, and a file of the new game.
fn file(name: &str, text: &str) -> (PathBuf, PathBuf) {
    let folder = folder(&format!("edit-{name}"));
    let (file, new) = (folder.join("games.pgn"), folder.join("new.pgn"));
    fs::write(&file, text).expect("it can be written");
    fs::write(&new, NEW).expect("it can be written");
    (file, new)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn edit(arguments: &[&str]) -> Run {
    run(&[&["pgn", "edit"], arguments].concat(), NEW.as_bytes())
}

/// The games of a file without surrounding space.
fn games(path: &Path) -> Vec<String> {
    let read = fs::read_to_string(path).expect("it can be read");
    let mut games: Vec<String> = Vec::new();
    for part in read.split("\n\n") {
        // A game of these is its tags, an empty line, and its moves.
        match games.last_mut().filter(|game| !game.contains("\n\n")) {
            Some(game) => *game = format!("{game}\n\n{}", part.trim()),
            None if part.trim().is_empty() => {}
            None => games.push(part.trim().to_owned()),
        }
    }
    games
}

#[test]
fn games_are_inserted_added_replaced_moved_and_deleted() {
    let [a, b, c] = GAMES;
    let cases: [(&[&str], &[&str], &str); 12] = [
        (&["insert", "--before", "1"], &[NEW, a, b, c], "1 game inserted; it has 4 games now"),
        (&["insert", "--before", "3"], &[a, b, NEW, c], "1 game inserted; it has 4 games now"),
        (&["append"], &[a, b, c, NEW], "1 game added; it has 4 games now"),
        (&["replace", "2"], &[a, NEW, c], "game 2 replaced; it has 3 games now"),
        (&["replace", "3"], &[a, b, NEW], "game 3 replaced; it has 3 games now"),
        (&["move", "3", "--to", "1"], &[c, a, b], "game 3 is game 1 now; it has 3 games now"),
        (&["move", "1", "--to", "3"], &[b, c, a], "game 1 is game 3 now; it has 3 games now"),
        (&["move", "1", "--to", "2"], &[b, a, c], "game 1 is game 2 now; it has 3 games now"),
        (&["move", "2", "--to", "2"], &[a, b, c], "game 2 is in its place; it has 3 games now"),
        (&["delete", "2"], &[a, c], "1 game deleted; it has 2 games now"),
        (&["delete", "1,3"], &[b], "2 games deleted; it has 1 game now"),
        (&["delete", "1..3"], &[], "3 games deleted; it has 0 games now"),
    ];
    for separator in ["\n\n", "\n\n\n\n"] {
        for (arguments, expected, said) in &cases {
            let (file, _) = file("all", &GAMES.join(separator));
            let before = fs::read(&file).expect("it can be read");
            let found = edit(&[&arguments[..1], &[text(&file)], &arguments[1..], &["--backup"]].concat());
            assert_eq!((found.code, &*found.err), (Some(0), ""), "{arguments:?}");
            assert_eq!(found.out, format!("{}: {said}\n", file.display()));
            assert_eq!(games(&file), *expected, "{arguments:?}");
            let backup = file.with_extension("pgn.bak");
            if !said.contains("in its place") {
                assert_eq!(fs::read(&backup).expect("it is kept"), before);
                fs::remove_file(backup).expect("it is there");
            }
            let names: Vec<_> = fs::read_dir(file.parent().expect("a folder"))
                .expect("it can be read")
                .map(|entry| entry.expect("it is there").file_name())
                .collect();
            assert_eq!(names.len(), 2, "{names:?}");
        }
    }
}

#[test]
fn what_is_wrong_is_refused_and_nothing_changes() {
    let (file, new) = file("wrong", &GAMES.join("\n\n"));
    let wrong = new.with_file_name("wrong.pgn");
    fs::write(&wrong, WRONG).expect("it can be written");
    let two = new.with_file_name("two.pgn");
    fs::write(&two, [NEW, NEW].join("\n\n")).expect("it can be written");
    let before = fs::read(&file).expect("it can be read");
    let cases: [(&[&str], &str); 8] = [
        (&["insert", text(&file), "--before", "4", text(&new)], "it has 3 games, expected a game 4"),
        (&["delete", text(&file), "2,9"], "it has 3 games, expected a game 9"),
        (&["move", text(&file), "1", "--to", "7"], "it has 3 games, expected a game 7"),
        (&["replace", text(&file), "2", text(&two)], "found 2 games, expected one"),
        (&["replace", text(&file), "2", text(&wrong)], "wrong.pgn:4:4: "),
        (&["append", text(&file), text(&wrong)], "1 error in its games, expected none; --force takes them"),
        (&["append", "-", text(&new)], "standard input cannot be changed, expected a file"),
        (&["delete", "no-such-file.pgn", "1"], "`no-such-file.pgn`: "),
    ];
    for (arguments, problem) in cases {
        let found = edit(arguments);
        assert_eq!((found.code, &*found.out), (Some(2), ""), "{arguments:?}");
        assert!(found.err.contains(problem), "{arguments:?}: {}", found.err);
        assert_eq!(fs::read(&file).expect("it can be read"), before, "{arguments:?}");
    }
    let forced = edit(&["append", text(&file), text(&wrong), "--force"]);
    assert_eq!(forced.code, Some(0), "{}", forced.err);
    assert!(fs::read_to_string(&file).expect("it can be read").contains("2. Ke3 *"));
}

#[test]
fn line_ends_packed_files_and_new_files_are_kept_or_made() {
    let (file, new) = file("ends", &GAMES.join("\n\n").replace('\n', "\r\n"));
    assert_eq!(edit(&["append", text(&file), text(&new)]).code, Some(0));
    let found = fs::read_to_string(&file).expect("it can be read");
    assert!(
        found.ends_with("1. g3 g6 0-1\r\n\r\n") && found.replace("\r\n", "").find('\n').is_none(),
        "{found:?}"
    );
    let packed = file.with_file_name("new.pgn.gz");
    for count in 1..=2 {
        let found = edit(&["append", text(&packed)]);
        assert_eq!(found.code, Some(0), "{}", found.err);
        assert!(fs::read(&packed).expect("it is made").starts_with(&[0x1f, 0x8b]));
        let counted = run(&["pgn", "find", "", "--count", text(&packed)], b"");
        assert_eq!(counted.out.trim(), count.to_string(), "{}", counted.err);
    }
}

#[test]
fn one_empty_line_is_before_a_game_that_is_added_however_the_file_ends() {
    for end in ["", "\n", "\n\n", "\n\n\n \n"] {
        let (file, new) = file("space", &(GAMES.join("\n\n") + end));
        assert_eq!(edit(&["append", text(&file), text(&new)]).code, Some(0));
        let found = fs::read_to_string(&file).expect("it can be read");
        assert_eq!(found, format!("{}\n\n{NEW}\n\n", GAMES.join("\n\n")), "{end:?}");
    }
}

/// Text after the last game is unchanged, although a reader would take an escape line for part of the next game.
#[test]
fn lines_behind_the_last_game_stay() {
    for end in ["% escape", "% one\n% two\n", "; comment", "; comment\n", "{of all}\n% escape\n"] {
        let (file, new) = file("behind", &format!("{}\n{end}", GAMES[0]));
        let found = edit(&["append", text(&file), text(&new)]);
        assert_eq!((found.code, &*found.err), (Some(0), ""), "{end:?}");
        let written = fs::read_to_string(&file).expect("it can be read");
        assert_eq!(written, format!("{}\n{}\n\n{NEW}\n\n", GAMES[0], end.trim_end()), "{end:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_game_is_opened_in_the_editor_and_put_back_if_it_is_right() {
    use crate::support::binary::BINARY;
    use std::process::Command;
    let (file, _) = file("open", &GAMES.join("\n\n"));
    let open = |editor: &str| {
        let output = Command::new(BINARY)
            .args(["pgn", "edit", "open", text(&file), "2"])
            .env_remove("VISUAL")
            .env("EDITOR", editor)
            .env("TMPDIR", file.parent().expect("a folder"))
            .output()
            .expect("it starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(open("sed -i 's/d5/Nf6/'"), (Some(0), String::new()));
    let [a, b, c] = GAMES;
    assert_eq!(games(&file), [a, &b.replace("d5", "Nf6"), c]);
    // The text with the error is kept, and the error names its line.
    let (code, error) = open("sed -i 's/Nf6/Ke7/'");
    assert_eq!(code, Some(2), "{error}");
    let kept = error.lines().find_map(|line| line.strip_prefix("the text is kept in ")).expect("it is named");
    assert!(fs::read_to_string(kept.trim_matches('`')).expect("it is kept").contains("1. d4 Ke7"));
    assert!(error.contains(".pgn:5:7: "), "{error}");
    assert_eq!(games(&file), [a, &b.replace("d5", "Nf6"), c]);
    let (code, error) = open("false");
    assert!(code == Some(2) && error.contains("the editor `false` failed"), "{error}");
}
