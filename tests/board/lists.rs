//! Lists of games and tables, and the queries that lead from one to the other.

use super::client::Board;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A text as it stands in an address.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A list of a file, with what is behind its address.
fn list(board: &Board, query: &str, more: &str) -> Value {
    let answer = board.get(&format!("/api/files/0/games?query={}{more}", encoded(query)));
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.json()
}

fn numbers(list: &Value) -> Vec<u64> {
    let games = list["games"].as_array().expect("games");
    games.iter().map(|game| game["number"].as_u64().expect("a number")).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("it is UTF-8")
}

#[test]
fn a_folder_is_read_as_it_is_now() {
    let folder = crate::support::binary::folder("board-folder-source");
    let games = folder.join("games");
    let _ = fs::remove_dir_all(&games); // the first time there is none
    fs::create_dir_all(games.join("more")).expect("it can be made");
    let game = |white: &str| format!("[White \"{white}\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n");
    fs::write(games.join("a.pgn"), game("Ann")).expect("it can be written");
    let board = Board::start("folder", &[text(&games)]);
    let whites = || -> Vec<(String, String)> {
        let found = list(&board, "", "");
        let part = |game: &Value, name: &str| game[name].as_str().expect("a text").to_owned();
        let found = found["games"].as_array().expect("games");
        found.iter().map(|game| (part(game, "white"), part(game, "file"))).collect()
    };
    let pair = |white: &str, file: &str| (white.to_owned(), file.to_owned());
    assert_eq!(whites(), [pair("Ann", "a.pgn")]);
    let stamp = list(&board, "", "")["stamp"].clone();
    // A file is changed in place, which leaves the folder as it is.
    fs::write(games.join("a.pgn"), game("Ann") + &game("Bob")).expect("it can be written");
    assert_eq!(whites(), [pair("Ann", "a.pgn"), pair("Bob", "a.pgn")]);
    assert_ne!(list(&board, "", "")["stamp"], stamp);
    // A file is added below it, and one is taken away.
    let below = games.join("more").join("c.pgn");
    fs::write(&below, game("Cid")).expect("it can be written");
    let below = below.strip_prefix(&games).expect("it is there");
    assert_eq!(whites(), [pair("Ann", "a.pgn"), pair("Bob", "a.pgn"), pair("Cid", text(below))]);
    let names = || board.get("/api/files/0/names?kind=player&prefix=c").json();
    assert_eq!(names(), json!([{"name": "Cid", "games": 1}]));
    fs::remove_file(games.join("a.pgn")).expect("it can be removed");
    assert_eq!(whites(), [pair("Cid", text(below))]);
    assert_eq!(board.get("/api/files/0/games/1").json()["tags"][0], json!(["White", "Cid"]));
}

/// Spellings that are one name, tags that state another opening than the moves have, and names that need quotes.
const SPELLED: &str = r#"[Event "A \"B\""]
[White "Tal, Mihail"]
[Black "O'Neil, \"Ed\""]
[Result "1-0"]
[ECO "A00"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0

[Event "A \"B\""]
[White "Botvinnik, M"]
[Black "Tal, M"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 1/2-1/2

[Event "C"]
[White "Mihail Tal"]
[Black "Botvinnik, Mikhail"]
[Result "0-1"]
[Opening "Sicilian Defense"]

1. d4 d5 0-1

[Event "C"]
[White "Tal, Mihail"]
[Black "Tal, Mihail Nekhemyevich"]
[Result "*"]

1. a3 *

"#;

#[test]
fn rows_of_tables_are_found_by_their_terms() {
    let folder = crate::support::binary::folder("board-links-source");
    let file = folder.join("games.pgn");
    fs::write(&file, SPELLED).expect("it can be written");
    let board = Board::start("links", &[text(&file)]);
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let players = board.get("/api/files/0/players").json();
    assert!(players["joined"]["Tal, Mihail Nekhemyevich"].as_array().is_some_and(|names| names.len() == 3));
    for row in players["rows"].as_array().expect("rows") {
        let name = row["name"].as_str().expect("a name");
        let others = players["joined"][name].as_array().cloned().unwrap_or_default();
        let spellings = [name].into_iter().chain(others.iter().filter_map(Value::as_str));
        let terms: Vec<String> = spellings.map(|spelling| format!("white={}", quoted(spelling))).collect();
        let count = &list(&board, &terms.join(" or "), "")["count"];
        assert_eq!(count, &row["as_white"]["games"], "{name}");
    }
    let exact = board.get("/api/files/0/players?exact=true").json();
    assert_eq!((exact["joined"].clone(), exact["count"].clone()), (Value::Null, json!(7)));
    let tables = board.get("/api/files/0/crosstable").json();
    assert_eq!(tables["joined"]["Botvinnik, Mikhail"], json!(["Botvinnik, M"]));
    assert_eq!(board.get("/api/files/0/crosstable?exact=true").json()["joined"], Value::Null);
    // Openings are counted by the moves.
    for (part, term) in [("eco", "played-eco"), ("name", "played-opening")] {
        for row in
            board.get(&format!("/api/files/0/openings?part={part}")).json()["rows"].as_array().expect("rows")
        {
            let query = match part {
                "eco" => format!("{term}:{}", row["eco"].as_str().expect("a code")),
                _ => format!("{term}={}", quoted(row["name"].as_str().expect("a name"))),
            };
            assert_eq!(list(&board, &query, "")["count"], row["games"], "{query}");
        }
    }
    assert_eq!(list(&board, "played-opening:/^Sicilian Defense(: |$)/", "")["count"], 1);
    assert_eq!(numbers(&list(&board, "eco:A00", "")), [1, 4]);
    assert_eq!(numbers(&list(&board, "played-eco:A00", "")), [4]);
    assert_eq!(numbers(&list(&board, "opening:sicilian", "")), [1, 3]);
    assert_eq!(numbers(&list(&board, "not played-opening:none played-opening:sicilian", "")), [1]);
}

#[test]
fn queries_of_a_collection_have_names() {
    let folder = crate::support::binary::folder("board-named-queries-source");
    let (file, collection) = (folder.join("games.pgn"), folder.join("games.hdb"));
    let _ = fs::remove_dir_all(&collection); // the first time there is none
    fs::write(&file, SPELLED).expect("it can be written");
    let run = |arguments: &[&str]| {
        let ran = crate::support::binary::run(arguments, b"");
        assert_eq!(ran.code, Some(0), "{ran:?}");
    };
    run(&["db", "create", text(&collection), text(&file)]);
    run(&["db", "queries", text(&collection), "--set", "sic", "played-opening:sicilian"]);
    let board = Board::start("named-queries", &[text(&collection)]);
    assert_eq!(numbers(&list(&board, "query:sic", "")), [1]);
    assert_eq!(numbers(&list(&board, "not query:sic", "")), [2, 3, 4]);
    let tree = board.post("/api/files/0/tree", &json!({"query": "query:sic"})).json();
    assert_eq!((tree.as_array().map(Vec::len), &tree[0]["san"]), (Some(1), &json!("e4")));
    assert_eq!(board.get("/api/files/0/openings?query=query:sic").json()["games"], 1);
    // What the name stands for is changed meanwhile.
    run(&["db", "queries", text(&collection), "--set", "sic", "result:draw"]);
    assert_eq!(numbers(&list(&board, "query:sic", "")), [2]);
    let unknown = board.get("/api/files/0/games?query=query:none");
    assert_eq!((unknown.status, unknown.json()["code"].clone()), (400, json!("bad_query")));
}

#[test]
fn rows_tell_openings_and_where_a_query_is_true() {
    let folder = crate::support::binary::folder("board-told-source");
    let file = folder.join("games.pgn");
    let games = "[White \"A\"]\n[ECO \"A00\"]\n[Opening \"Odd\"]\n[Variation \"Very\"]\n\n1. e4 e5 *\n\n\
        [White \"B\"]\n\n1. e4 c5 2. Nf3 (2. c3 d5 3. exd5) 2... d6 3. Bb5+ {Check.} Bd7 4. Bxd7+ *\n\n\
        [White \"C\"]\n\n1. d4 {[%clk 0:01:00]} *\n\n";
    fs::write(&file, games).expect("it can be written");
    let board = Board::start("told", &[text(&file)]);
    let all = list(&board, "", "");
    let told = |index: usize, names: &[&str]| -> Vec<Value> {
        names.iter().map(|name| all["games"][index][*name].clone()).collect()
    };
    let names = ["eco", "opening", "opening_by_moves", "annotated", "plies", "file", "hit"];
    let expected = json!(["A00", "Odd: Very", false, false, 2, null, null]);
    assert_eq!(json!(told(0, &names)), expected);
    let expected = json!(["B52", "Sicilian Defense: Moscow Variation, Main Line", true, true, 7, null, null]);
    assert_eq!(json!(told(1, &names)), expected);
    assert_eq!(told(2, &["annotated", "plies"]), [json!(false), json!(1)]);
    // The places of the moves.
    assert_eq!(list(&board, "check", "")["games"][0]["hit"], json!({"ply": 5, "path": "0.0.0.0.0"}));
    let found = list(&board, "move:exd5 in:variations", "");
    assert_eq!(found["games"][0]["hit"], json!({"ply": 5, "path": "0.0.1.0.0"}));
    let hits = |number: u64, query: &str| {
        board.get(&format!("/api/files/0/games/{number}/hits?query={}", encoded(query))).json()
    };
    assert_eq!(
        hits(2, "check"),
        json!([{"ply": 5, "path": "0.0.0.0.0"}, {"ply": 7, "path": "0.0.0.0.0.0.0"}])
    );
    assert_eq!((hits(1, "check"), hits(1, "white:a")), (json!([]), json!([])));
    assert_eq!(hits(1, "bogus:1")["code"], "bad_query");
    assert_eq!(board.get("/api/files/0/games/9/hits?query=check").status, 404);
}

#[test]
fn lists_have_orders_and_results() {
    let folder = crate::support::binary::folder("board-orders-source");
    let file = folder.join("games.pgn");
    let game = |white: &str, black: &str, date: &str, elo: u32, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{date}\"]\n[WhiteElo \"{elo}\"]\n[Result \"{result}\"]\n\n\
             1. e4 e5 {result}\n\n"
        )
    };
    let games = [
        game("Tal", "Ann", "1960.01.01", 2700, "1-0"),
        game("bob", "Tal", "????.??.??", 0, "1-0"),
        game("Cid", "Tal", "1992.??.??", 2500, "0-1"),
        game("Ann", "Cid", "1992.11.04", 2600, "1/2-1/2"),
    ];
    fs::write(&file, games.concat()).expect("it can be written");
    let board = Board::start("orders", &[text(&file)]);
    for (order, expected) in [
        ("number", [1, 2, 3, 4]),
        ("white", [4, 2, 3, 1]),
        ("black", [1, 4, 2, 3]),
        ("latest", [4, 3, 1, 2]),
        ("earliest", [1, 3, 4, 2]),
        ("rating", [1, 4, 3, 2]),
    ] {
        let sorted = list(&board, "", &format!("&sort={order}"));
        assert_eq!((numbers(&sorted), &sorted["shown"]), (expected.to_vec(), &json!(4)), "{order}");
        let part = list(&board, "", &format!("&sort={order}&skip=1&limit=2"));
        assert_eq!(numbers(&part), expected[1..3], "{order}");
        // The neighbors are those of the list.
        let address = format!("/api/files/0/games/{}/neighbors?sort={order}", expected[1]);
        let beside = board.get(&address).json();
        let expected = json!({"count": 4, "index": 1, "previous": expected[0], "next": expected[2]});
        if order != "number" {
            assert_eq!(beside, expected, "{order}");
        }
    }
    assert_eq!(board.get("/api/files/0/games?sort=beauty").status, 400);
    let results = |query: &str| list(&board, query, "")["results"].clone();
    let counted = |won: u64, drawn: u64, lost: u64, of_player: bool| json!({"won": won, "drawn": drawn, "lost": lost, "unfinished": 0, "of_player": of_player});
    assert_eq!(results(""), counted(2, 1, 1, false));
    assert_eq!(results("player:tal"), counted(2, 0, 1, true));
    let notable = board.post("/api/files/0/notable", &json!({"moves": ["e4"], "limit": 2})).json();
    let found = |kind: &str| numbers(&json!({"games": notable[kind]}));
    assert_eq!((&notable["count"], found("top"), found("latest")), (&json!(4), vec![1, 4], vec![4, 3]));
    assert_eq!(notable["top"][0]["hit"]["path"], "0");
    assert_eq!(board.post("/api/files/0/notable", &json!({})).json()["count"], 4);
    let asked = json!({"moves": ["e4"], "query": "black:tal or white:tal # both"});
    assert_eq!(board.post("/api/files/0/notable", &asked).json()["count"], 3);
    let wrong = board.post("/api/files/0/notable", &json!({"query": "white:tal bogus:1"}));
    assert_eq!((wrong.status, wrong.json()["column"].clone()), (400, json!(11)));
}

#[test]
fn a_position_tells_when_the_book_is_left() {
    let board = Board::start("left", &[]);
    let opening =
        |moves: &[&str]| board.post("/api/positions", &json!({ "moves": moves })).json()["opening"].clone();
    assert_eq!(opening(&["e4", "c5"])["left"], false);
    let left = opening(&["e4", "c5", "h3"]);
    assert_eq!((&left["name"], &left["left"]), (&json!("Sicilian Defense"), &json!(true)));
    // On the way to another name nothing has been left.
    assert_eq!(opening(&["e4", "e5", "f4", "exf4"])["left"], false);
}
