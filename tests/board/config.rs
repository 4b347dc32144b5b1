//! The defaults of the arguments in `board.toml`.

use super::client::{Board, command};
use crate::support::binary::folder;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The file of a server whose state is in this folder.
fn file(place: &Path) -> PathBuf {
    place.join("hematite/board.toml")
}

fn write(place: &Path, text: &str) {
    std::fs::create_dir_all(place.join("hematite")).expect("it can be made");
    std::fs::write(file(place), text).expect("it can be written");
}

/// Runs `hematite board` with only these arguments, until it ends.
fn run(place: &Path, arguments: &[&str]) -> Output {
    let mut command = std::process::Command::new(crate::support::binary::BINARY);
    command.env("XDG_CONFIG_HOME", place).arg("board").args(arguments).output().expect("it runs")
}

const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";

#[test]
fn arguments_are_kept_and_come_after_typed_ones() {
    let place = folder("board-config");
    let [first, second] = ["first.pgn", "second.pgn"].map(|name| place.join(name));
    for path in [&first, &second] {
        std::fs::write(path, GAME).expect("it can be written");
    }
    let [first, second] = [&first, &second].map(|path| path.to_str().expect("it is UTF-8"));
    let kept = run(&place, &["--save-config", first, "--port", "1", "--host", "chess.example.org"]);
    let text = String::from_utf8_lossy(&kept.stdout).into_owned();
    let told = format!("{} has the defaults of: files, host, port.\n", file(&place).display());
    assert_eq!((kept.status.code(), text), (Some(0), told));
    let names = |board: &Board| {
        let about = board.get("/api/about").json();
        let files = about["files"].as_array().expect("files").clone();
        (files.iter().map(|file| file["name"].clone()).collect::<Vec<_>>(), about["links"].clone())
    };
    // The port of the file needs the rights of an administrator; the one of the command is free.
    let board = Board::start_in(place.clone(), &[]);
    assert_eq!(names(&board), (vec![json!("first.pgn")], json!(["https://chess.example.org"])));
    drop(board);
    let board = Board::start_in(place.clone(), &[second, "--host", "other.example.org"]);
    assert_eq!(names(&board), (vec![json!("second.pgn")], json!(["https://other.example.org"])));
    drop(board);
    for told in ["is removed.\n", "so nothing is removed.\n"] {
        let reset = run(&place, &["--reset"]);
        let text = String::from_utf8_lossy(&reset.stdout).into_owned();
        assert!(text.contains(&file(&place).display().to_string()) && text.ends_with(told), "{text}");
        assert!(!file(&place).exists());
    }
    let board = Board::start_in(place, &[]);
    assert_eq!(names(&board), (Vec::new(), json!([])));
}

#[test]
fn relative_paths_start_at_the_folder_of_the_file() {
    let place = folder("board-config-paths");
    write(&place, "files = 'own.pgn' # beside this file\nbook = ['lost.bin']\n");
    std::fs::write(place.join("hematite/own.pgn"), GAME).expect("it can be written");
    let mut command = command(&place, &[]);
    command.stderr(std::process::Stdio::piped());
    let mut board = Board::start_by(command, place);
    let about = board.get("/api/about").json();
    assert_eq!((&about["files"][0]["name"], &about["books"]), (&json!("own.pgn"), &json!([])));
    // A book that has vanished is no reason to end games.
    board.child.kill().expect("it can be killed");
    let mut told = String::new();
    let mut error = board.child.stderr.take().expect("it is piped");
    std::io::Read::read_to_string(&mut error, &mut told).expect("it is UTF-8");
    assert!(told.contains("lost.bin: this book of the defaults does not exist"), "{told}");
}

#[test]
fn what_is_wrong_in_the_file_is_told() {
    let place = folder("board-config-wrong");
    let path = file(&place).display().to_string();
    for (text, problem) in [
        ("port = 8080\nbok = 'x'\n", "line 2: found the key `bok`, expected one of files, listen, port, "),
        ("searches = 'many'\n", "line 1: invalid value 'many' for '--searches <N>'"),
        ("\nport = \n", "line 2: "),
    ] {
        write(&place, text);
        let refused = run(&place, &[]);
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{told}");
        assert!(told.contains(&format!("{path}: {problem}")), "{told}");
    }
    for arguments in [&["--save-config"][..], &["--reset", "--port", "1"]] {
        assert_eq!(run(&place, arguments).status.code(), Some(2), "{arguments:?}");
    }
}
