//! Games of a file are inserted, copied, moved and deleted over HTTP, and the last change is undone.

use super::client::{Answer, Board};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Three games, formatted so that an export would change them.
const GAMES: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1.e4   e5 *\n\n\
    [White \"Cid\"]\n[Black \"Dan\"]\n\n1.d4 {  odd }  d5 *\n\n\
    [White \"Eve\"]\n[Black \"Fay\"]\n\n1.c4 c5 *\n";

/// A server for a file, with the data that its page has.
struct Editor<'a> {
    board: &'a Board,
    file: usize,
}

impl Editor<'_> {
    fn list(&self) -> Value {
        self.board.get(&format!("/api/files/{}/games", self.file)).json()
    }

    /// The names of White's players, and the change that can be undone.
    fn state(&self) -> (String, Value) {
        let list = self.list();
        let whites: Vec<&str> = list["games"]
            .as_array()
            .expect("games")
            .iter()
            .filter_map(|game| game["white"].as_str())
            .collect();
        (whites.join(" "), list["undo"].clone())
    }

    fn make(&self, stamp: &Value, change: &Value) -> Answer {
        let path = format!("/api/files/{}/changes", self.file);
        self.board.post(&path, &json!({"stamp": stamp, "change": change}))
    }

    /// Sends a change of the file in its current state.
    fn change(&self, change: &Value) -> Answer {
        self.make(&self.list()["stamp"], change)
    }
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).expect("it can be read")
}

fn game(white: &str) -> Value {
    json!({"tags": [["White", white]], "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "result": "*", "nodes": [{"uci": "g1f3"}]})
}

#[test]
fn games_of_a_file_are_rearranged_and_the_last_change_is_undone() {
    let folder = crate::support::binary::folder("board-changes-source");
    let file = folder.join("games.pgn");
    fs::write(&file, GAMES).expect("it can be written");
    let board = Board::start("changes", &[file.to_str().expect("it is UTF-8")]);
    let editor = Editor { board: &board, file: 0 };
    assert_eq!(editor.state(), ("Ann Cid Eve".to_owned(), Value::Null));
    let cases = [
        (json!({"do": "insert", "number": 2, "game": game("New")}), "Ann New Cid Eve", "game 2 was inserted"),
        (json!({"do": "insert", "number": 4, "game": game("New")}), "Ann Cid Eve New", "game 4 was added"),
        (json!({"do": "copy", "number": 2}), "Ann Cid Cid Eve", "game 2 was copied"),
        (json!({"do": "copy", "number": 3}), "Ann Cid Eve Eve", "game 3 was copied"),
        (json!({"do": "move", "number": 3, "to": 1}), "Eve Ann Cid", "game 3 became game 1"),
        (json!({"do": "move", "number": 1, "to": 2}), "Cid Ann Eve", "game 1 became game 2"),
        (json!({"do": "move", "number": 1, "to": 3}), "Cid Eve Ann", "game 1 became game 3"),
        (json!({"do": "delete", "number": 2}), "Ann Eve", "game 2 was deleted"),
        (json!({"do": "delete", "number": 3}), "Ann Cid", "game 3 was deleted"),
    ];
    for (change, whites, told) in cases {
        let answer = editor.change(&change);
        assert_eq!(answer.status, 200, "{change}: {}", answer.text());
        assert_eq!(answer.json()["undo"], told, "{change}");
        assert_eq!(editor.state(), (whites.to_owned(), json!(told)), "{change}");
        // Each text that was there stays as it is written.
        assert!(
            !whites.contains("Cid") || text(&file).contains("1.d4 {  odd }  d5 *"),
            "{change}: {}",
            text(&file)
        );
        let undone = editor.change(&json!({"do": "undo"}));
        assert_eq!(undone.status, 200, "{change}: {}", undone.text());
        assert_eq!(editor.state().0, "Ann Cid Eve", "{change}");
        assert_eq!(text(&file).trim_end(), GAMES.trim_end(), "{change}: undone byte for byte");
    }
    // What was undone can be done again, and a game that was saved can be had back as it was.
    editor.change(&json!({"do": "delete", "number": 1}));
    editor.change(&json!({"do": "undo"}));
    assert_eq!(editor.change(&json!({"do": "undo"})).status, 200);
    assert_eq!(editor.state().0, "Cid Eve");
    let mut saved = board.get("/api/files/0/games/1").json();
    let version = saved["version"].clone();
    saved["tags"][0][1] = json!("Changed");
    let body = json!({"game": saved, "version": version});
    assert_eq!(board.ask("PUT", "/api/files/0/games/1", None, Some(&body)).status, 200);
    assert_eq!(editor.state(), ("Changed Eve".to_owned(), json!("game 1 was changed")));
    assert_eq!(editor.change(&json!({"do": "undo"})).status, 200);
    assert!(text(&file).contains("1.d4 {  odd }  d5 *"), "{}", text(&file));
}

#[test]
fn what_cannot_be_changed_stays() {
    let folder = crate::support::binary::folder("board-changes-refused-source");
    let file = folder.join("games.pgn");
    fs::write(&file, GAMES).expect("it can be written");
    let board = Board::start("changes-refused", &[file.to_str().expect("it is UTF-8")]);
    let editor = Editor { board: &board, file: 0 };
    let code =
        |answer: &Answer| (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned());
    let refused = |change: Value| code(&editor.change(&change));
    assert_eq!(refused(json!({"do": "undo"})), (409, "no_undo".to_owned()));
    assert_eq!(refused(json!({"do": "delete", "number": 0})), (404, "not_found".to_owned()));
    assert_eq!(refused(json!({"do": "delete", "number": 4})), (409, "not_changed".to_owned()));
    assert_eq!(refused(json!({"do": "move", "number": 1, "to": 4})), (409, "not_changed".to_owned()));
    assert_eq!(refused(json!({"do": "move", "number": u64::MAX, "to": 1})), (409, "not_changed".to_owned()));
    assert_eq!(refused(json!({"do": "insert", "number": 9, "game": game("New")})).0, 409);
    let mut wrong = game("New");
    wrong["nodes"][0]["uci"] = json!("e2e5");
    assert_eq!(refused(json!({"do": "insert", "number": 1, "game": wrong})), (400, "bad_move".to_owned()));
    assert_eq!(editor.make(&json!("x"), &json!({"do": "burn", "number": 1})).status, 400);
    assert_eq!(text(&file), GAMES);
    // While another program changes it, nothing is undone, but later it is.
    assert_eq!(editor.change(&json!({"do": "delete", "number": 2})).status, 200);
    let lock = folder.join("games.pgn.lock");
    let held = hematite::files::LockFile::take(&lock).expect("it can be made").expect("it is not locked");
    assert_eq!(refused(json!({"do": "undo"})), (409, "not_changed".to_owned()));
    drop(held);
    assert_eq!(editor.change(&json!({"do": "undo"})).status, 200);
    assert_eq!(text(&file).trim_end(), GAMES.trim_end());
    // Another program has changed the file since the list was read, or since the last change.
    let stamp = editor.list()["stamp"].clone();
    assert_eq!(editor.change(&json!({"do": "copy", "number": 3})).status, 200);
    let other = format!("{GAMES}\n[White \"Gus\"]\n\n1.b3 *\n");
    fs::write(&file, &other).expect("it can be written");
    assert_eq!(
        code(&editor.make(&stamp, &json!({"do": "delete", "number": 1}))),
        (409, "changed".to_owned())
    );
    assert_eq!(editor.state(), ("Ann Cid Eve Gus".to_owned(), Value::Null));
    assert_eq!(refused(json!({"do": "undo"})), (409, "no_undo".to_owned()));
    assert_eq!(text(&file), other);
    // Nothing but the file is left in the folder.
    let left: Vec<_> = fs::read_dir(&folder)
        .expect("it is there")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert!(left.iter().all(|name| name == "games.pgn" || name == "games.pgn.lock"), "{left:?}");
}

#[test]
fn a_collection_keeps_the_order_of_its_games() {
    let folder = crate::support::binary::folder("board-changes-collection-source");
    let collection = folder.join("games.hdb");
    let made = crate::support::binary::run(
        &["db", "create", collection.to_str().expect("UTF-8"), "-"],
        GAMES.as_bytes(),
    );
    assert_eq!(made.code, Some(0), "{made:?}");
    let board = Board::start("changes-collection", &[collection.to_str().expect("it is UTF-8")]);
    let editor = Editor { board: &board, file: 0 };
    assert_eq!(editor.state().0, "Ann Cid Eve");
    let moved = editor.change(&json!({"do": "move", "number": 1, "to": 2}));
    assert_eq!((moved.status, moved.json()["code"].clone()), (409, json!("keeps_order")));
    assert_eq!(editor.change(&json!({"do": "delete", "number": 2})).status, 200);
    assert_eq!(editor.state(), ("Ann Eve".to_owned(), json!("game 2 was deleted")));
    assert_eq!(editor.change(&json!({"do": "delete", "number": 9})).status, 404);
    assert_eq!(editor.change(&json!({"do": "undo"})).status, 200);
    assert_eq!(editor.state(), ("Ann Cid Eve".to_owned(), Value::Null));
}

#[test]
fn two_games_are_compared() {
    let board = Board::start("compared", &[]);
    let read =
        |text: &str| board.post("/api/analysis/read", &json!({"text": text})).json()["games"][0].clone();
    let one = read("[White \"Ann\"]\n\n1. e4 {Best.} e5 2. Nf3 Nc6 *");
    let other = read("[White \"Eve\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Nxe5 1-0");
    let compared = board.post("/api/analysis/compare", &json!({"games": [one, other]})).json();
    assert_eq!(compared["equal"], false);
    assert_eq!(compared["first_move"], 3);
    assert_eq!(compared["comments"], json!([1]));
    assert_eq!((&compared["other_start"], &compared["other_result"]), (&json!(false), &json!(true)));
    let tags = compared["tags"].as_array().expect("tags");
    assert!(tags.contains(&json!({"name": "White", "values": ["Ann", "Eve"]})), "{tags:?}");
    let same = board.post("/api/analysis/compare", &json!({"games": [one, one]})).json();
    assert_eq!((&same["equal"], &same["first_move"]), (&json!(true), &Value::Null));
}
