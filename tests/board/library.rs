//! Positions, games that are read and written, and files of games.

use super::client::Board;
use serde_json::{Value, json};
use std::fs;

const GAMES: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n[Date \"2020.01.02\"]\n[WhiteElo \"2000\"]\n\
    [BlackElo \"1900\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"Cid\"]\n[Black \"Ann\"]\n[Result \"1/2-1/2\"]\n\n\
    1. d4 d5 1/2-1/2\n\n[White \"Bob\"]\n[Black \"Cid\"]\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n\n";

#[test]
fn positions_are_shown_with_everything_about_them() {
    let board = Board::start("positions", &[]);
    let show = |body: &Value| board.post("/api/positions", body);
    let shown = show(&json!({"moves": ["e2e4", "e5", "f1c4", "a6", "d1h5", "a5", "h5f7"]})).json();
    assert_eq!((&shown["check"], &shown["outcome"]["result"]), (&json!("e8"), &json!("1-0")));
    assert_eq!((&shown["legal"], &shown["last"]), (&json!([]), &json!(["h5", "f7"])));
    assert_eq!(shown["material"], json!({"white": 39, "black": 38, "difference": ["P"]}));
    let named = show(&json!({"moves": ["e2e4", "c7c5"]})).json();
    assert_eq!(named["opening"]["name"], "Sicilian Defense");
    assert!(named["legal"].as_array().expect("moves").contains(&json!({"uci": "g1f3", "san": "Nf3"})));
    let wrong = show(&json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}));
    assert_eq!((wrong.status, wrong.json()["problems"].as_array().map(Vec::len)), (200, Some(2)));
    assert_eq!(show(&json!({"fen": "what"})).json()["code"], "bad_fen");
    assert_eq!(show(&json!({"moves": ["e2e5"]})).json()["code"], "illegal_move");
}

#[test]
fn games_are_read_and_written() {
    let board = Board::start("documents", &[]);
    let read = |text: &str| board.post("/api/analysis/read", &json!({ "text": text }));
    let text = "1. e4 {[%eval 0.3] [%clk 0:05:00]} e5 (1... c5 $5) 2. Nf9 *";
    let found = read(text).json();
    let column = text.find("Nf9").map(|index| index + 1);
    assert_eq!((&found["problems"][0]["line"], &found["problems"][0]["column"]), (&json!(1), &json!(column)));
    let nodes = found["games"][0]["nodes"].as_array().expect("moves");
    assert_eq!(nodes.len(), 3);
    assert_eq!(
        (&nodes[0]["eval"], &nodes[0]["clk_s"], &nodes[0]["number"]),
        (&json!(30), &json!(300.0), &json!("1."))
    );
    let written = board.post("/api/analysis/write", &json!({"game": found["games"][0]})).json();
    let pgn = written["pgn"].as_str().expect("a text");
    assert!(pgn.contains("1. e4 {[%eval 0.3] [%clk 0:05:00]}") && pgn.contains("(1... c5 $5)"), "{pgn}");
    let nothing = read("nothing at all");
    assert_eq!((nothing.status, nothing.json()["code"].clone()), (400, json!("no_game")));
    assert!(nothing.text().contains("line 1, column 1: `nothing`"), "{}", nothing.text());
    assert_eq!(
        read("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1").json()["games"][0]["start"],
        "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"
    );
    let long = read(&"1. e4 e5 *\n\n".repeat(150_000));
    assert_eq!(long.status, 200, "two megabytes are not too much");
}

#[test]
fn files_and_collections_are_listed_searched_and_counted() {
    let folder = crate::support::binary::folder("board-files-source");
    let (file, collection) = (folder.join("games.pgn"), folder.join("games.hdb"));
    fs::write(&file, GAMES).expect("it can be written");
    let paths = [&file, &collection].map(|path| path.to_str().expect("it is UTF-8"));
    let made = crate::support::binary::run(&["db", "create", paths[1], paths[0]], b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let board = Board::start("files", &paths);
    let about = board.get("/api/about").json();
    assert_eq!(about["files"], json!([{"id": 0, "name": "games.pgn"}, {"id": 1, "name": "games.hdb"}]));
    for id in [0, 1] {
        let list = |rest: &str| board.get(&format!("/api/files/{id}/games{rest}"));
        let all = list("").json();
        assert_eq!(
            (&all["count"], &all["games"][2]["number"], &all["games"][2]["white"]),
            (&json!(3), &json!(3), &json!("Bob"))
        );
        let part = list("?query=player:ann&skip=1&limit=5").json();
        assert_eq!(
            (&part["count"], &part["games"][0]["number"], part["games"].as_array().map(Vec::len)),
            (&json!(2), &json!(2), Some(1))
        );
        let wrong = list("?query=white:x%20%20bogus:1");
        assert_eq!((wrong.status, wrong.json()["column"].clone()), (400, json!(10)), "{}", wrong.text());
        assert_eq!(list("/2").json()["nodes"][1]["san"], "d5");
        assert_eq!((list("/4").status, list("/0").status, list("/x").status), (404, 404, 400));
        let tree = board.post(&format!("/api/files/{id}/tree"), &json!({"moves": [], "query": ""})).json();
        assert_eq!(
            (&tree[0]["san"], &tree[0]["games"], &tree[0]["white"], &tree[0]["black"]),
            (&json!("e4"), &json!(2), &json!(1), &json!(1))
        );
        let tree = board
            .post(&format!("/api/files/{id}/tree"), &json!({"moves": ["e2e4"], "query": "white:ann"}))
            .json();
        assert_eq!((tree.as_array().map(Vec::len), &tree[0]["san"]), (Some(1), &json!("e5")));
    }
    assert_eq!(board.get("/api/files/2/games").status, 404);
    // A file that has changed is read again.
    fs::write(&file, &GAMES[..GAMES.len() - 1]).expect("it can be written");
    fs::write(&file, GAMES.repeat(2)).expect("it can be written");
    assert_eq!(board.get("/api/files/0/games").json()["count"], 6);
}
