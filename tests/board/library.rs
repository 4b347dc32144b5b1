//! Positions, reading and writing of games, and files of games.

use super::client::{Board, Socket};
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
    assert_eq!(show(&json!({})).json()["space"], json!({"white": 0, "black": 0}));
    // The pawn attacks d5 and f5, the queen h5, the bishop b5 and a6.
    assert_eq!(show(&json!({"moves": ["e4"]})).json()["space"], json!({"white": 5, "black": 0}));
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
fn tags_are_judged() {
    let board = Board::start("tags", &[]);
    let problems = |tags: &Value| {
        let shown = board.post("/api/analysis/tags", &json!({ "tags": tags })).json();
        let problems = shown["problems"].as_array().expect("a list").clone();
        problems.iter().map(|problem| problem["name"].clone()).collect::<Vec<_>>()
    };
    let good = json!([
        ["White", "Ann"],
        ["Date", "1992.??.??"],
        ["Result", "1-0"],
        ["WhiteElo", "2400"],
        ["My_Tag", ""]
    ]);
    assert_eq!(problems(&good), Vec::<Value>::new());
    let bad = json!([
        ["Date", "yesterday"],
        ["Result", "won"],
        ["WhiteElo", "x"],
        ["A b", "c"],
        ["", "c"],
        ["Date", "?"]
    ]);
    assert_eq!(problems(&bad), ["Date", "Result", "WhiteElo", "A b", "", "Date"]);
    let told = board.post("/api/analysis/tags", &json!({"tags": [["Date", "yesterday"]]})).json();
    assert_eq!(
        told["problems"][0]["text"],
        "Date is `yesterday`, expected a date such as 1992.11.04 or 1992.??.??"
    );
}

#[test]
fn glyphs_and_letters_are_told() {
    let board = Board::start("notation", &[]);
    let told = board.get("/api/notation").json();
    let nags = told["nags"].as_array().expect("a list");
    assert!(nags.contains(&json!({"nag": 4, "sign": "??", "meaning": "blunder"})), "{nags:?}");
    assert!(nags.len() > 140, "{}", nags.len());
    let languages = told["languages"].as_array().expect("a list");
    assert_eq!(languages.len(), 17);
    assert!(languages.contains(&json!({"name": "German", "letters": "KDTLS"})), "{languages:?}");
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
    assert_eq!(
        about["files"],
        json!([
            {"id": 0, "name": "games.pgn", "can_save": true, "is_collection": false},
            {"id": 1, "name": "games.hdb", "can_save": true, "is_collection": true}
        ])
    );
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
        let beside = |number: u64, rest: &str| list(&format!("/{number}/neighbors{rest}")).json();
        assert_eq!(beside(1, ""), json!({"count": 3, "index": 0, "previous": null, "next": 2}));
        assert_eq!(beside(3, ""), json!({"count": 3, "index": 2, "previous": 2, "next": null}));
        let query = "?query=player:bob";
        assert_eq!(beside(1, query), json!({"count": 2, "index": 0, "previous": null, "next": 3}));
        assert_eq!(beside(2, query), json!({"count": 2, "index": null, "previous": 1, "next": 3}));
        assert_eq!(beside(3, query), json!({"count": 2, "index": 1, "previous": 1, "next": null}));
        assert_eq!(list("/1/neighbors?query=bogus:1").status, 400);
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

#[test]
fn tables_are_those_of_the_command() {
    let folder = crate::support::binary::folder("board-tables-source");
    let (file, collection) = (folder.join("games.pgn"), folder.join("games.hdb"));
    let round = |games: &str| games.replace("[White ", "[Event \"Open\"]\n[Round \"1\"]\n[White ");
    fs::write(&file, round(GAMES)).expect("it can be written");
    let paths = [&file, &collection].map(|path| path.to_str().expect("it is UTF-8"));
    let made = crate::support::binary::run(&["db", "create", paths[1], paths[0]], b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let board = Board::start("tables", &paths);
    let command = |arguments: &[&str]| -> Value {
        let ran = crate::support::binary::run(&[arguments, &["--json", paths[0]]].concat(), b"");
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    };
    for id in [0, 1] {
        for query in ["", "player:ann"] {
            let asked = |table: &str, more: &str| {
                board.get(&format!("/api/files/{id}/{table}?query={query}{more}")).json()
            };
            let told = |table: &str| command(&["pgn", table, "--query", query]);
            assert_eq!(asked("players", "")["rows"], told("players")["players"], "{query}");
            assert_eq!(asked("openings", "")["rows"], told("openings")["openings"], "{query}");
            assert_eq!(asked("crosstable", "")["rows"], told("crosstable")["events"], "{query}");
            assert_eq!(asked("players", "")["games"], told("players")["games"], "{query}");
            let sorted = command(&["pgn", "players", "--query", query, "--sort", "name"]);
            assert_eq!(asked("players", "&sort=name")["rows"], sorted["players"]);
            let part = asked("players", "&skip=1&limit=1");
            assert_eq!(
                (&part["count"], part["rows"].as_array().map(Vec::len)),
                (&told("players")["players"].as_array().map(Vec::len).into(), Some(1))
            );
            let coded = command(&["pgn", "openings", "--query", query, "--by", "eco", "--sort", "eco"]);
            assert_eq!(asked("openings", "&part=eco&sort=eco")["rows"], coded["openings"]);
        }
        let names = |asked: &str| board.get(&format!("/api/files/{id}/names?{asked}")).json();
        assert_eq!(names("kind=player&prefix=AN"), json!([{"name": "Ann", "games": 2}]));
        assert_eq!(names("kind=event&prefix="), json!([{"name": "Open", "games": 3}]));
        assert_eq!(names("kind=player&prefix=x"), json!([]));
    }
    let names = |asked: &str| board.get(&format!("/api/files/0/names?{asked}")).json();
    assert_eq!(names("kind=opening&prefix=sicilian")[0]["name"], "Sicilian Defense");
    assert_eq!(names("kind=eco&prefix=b9")[0]["name"], "B90");
    assert_eq!(names("kind=term&prefix=WIN")[0]["name"], "winner:");
    assert_eq!(board.get("/api/files/0/players?query=bogus:1").json()["column"], 1);
    assert_eq!(board.get("/api/files/9/players").status, 404);
    assert_eq!(board.get("/api/files/0/players?sort=beauty").status, 400);
    assert_eq!(board.get("/api/files/0/names?kind=fish").status, 400);
    // What is proposed is what is in the file now.
    fs::write(&file, round(GAMES).replace("Ann", "Zoe")).expect("it can be written");
    let names = |asked: &str| board.get(&format!("/api/files/0/names?{asked}")).json();
    assert_eq!(names("kind=player&prefix=z"), json!([{"name": "Zoe", "games": 2}]));
}

#[test]
fn lists_tell_ratings_rounds_and_annotators() {
    let folder = crate::support::binary::folder("board-rows-source");
    let file = folder.join("games.pgn");
    let tags = "[Round \"3.1\"]\n[Annotator \"Dan\"]\n";
    fs::write(&file, format!("{tags}{GAMES}")).expect("it can be written");
    let board = Board::start("rows", &[file.to_str().expect("it is UTF-8")]);
    let games = &board.get("/api/files/0/games").json()["games"];
    let row = &games[0];
    assert_eq!((&row["white_elo"], &row["black_elo"]), (&json!("2000"), &json!("1900")));
    assert_eq!((&row["round"], &row["annotator"]), (&json!("3.1"), &json!("Dan")));
    assert_eq!((&games[1]["white_elo"], &games[1]["annotator"]), (&json!(""), &json!("")));
}

#[test]
fn positions_are_drawn() {
    let board = Board::start("diagrams", &[]);
    let draw = |asked: &str| board.get(&format!("/api/diagram?{asked}"));
    let text = |asked: &str| draw(asked).text();
    let start = draw("");
    assert_eq!(start.header("content-type"), Some("image/svg+xml"));
    assert!(start.text().contains("White: king e1, queen d1"), "{}", start.text());
    let command = crate::support::binary::run(&["diagram", "startpos"], b"");
    assert_eq!(start.text(), command.out, "it is the picture of the command");
    let png = draw("format=png&size=200&fen=8/8/8/8/8/8/8/K1k5%20w%20-%20-");
    assert_eq!((png.status, png.header("content-type")), (200, Some("image/png")));
    assert!(png.body.starts_with(b"\x89PNG") && png.body[16..20] == 200_u32.to_be_bytes(), "{png:?}");
    // What could not be played is drawn, too.
    let pawns = text("fen=8/pp3ppp/4p3/8/3P4/8/PP3PPP/8%20w%20-%20-%200%201&side=black");
    assert!(pawns.contains("White: pawns a2 b2 f2 g2 h2 d4. Black: pawns"), "{pawns}");
    let marked = text(
        "last=e2e4&shapes=%5B%25cal%20Gg1f3%5D%5B%25csl%20Rd5%5D&caption=A%20%3Cb%3E&theme=green&pieces=sharp",
    );
    assert!(
        marked.contains("Last move: e2-e4. Marked: d5 g1-f3.")
            || marked.contains("Last move: e2-e4. Marked: g1-f3 d5."),
        "{marked}"
    );
    assert!(marked.contains("A &lt;b&gt;") && !marked.contains("<b>"), "{marked}");
    for (asked, code) in [
        ("size=63", "bad_size"),
        ("size=4000000000", "bad_size"),
        ("size=-1", "bad_request"),
        ("format=exe", "bad_request"),
        ("fen=what", "bad_fen"),
        ("theme=nosuch", "bad_theme"),
        ("pieces=nosuch", "bad_pieces"),
        ("last=e2", "bad_move"),
        ("last=e2e9", "bad_move"),
        ("unknown=1", "bad_request"),
    ] {
        let answer = draw(asked);
        assert_eq!((answer.status, answer.json()["code"].clone()), (400, json!(code)), "{asked}");
    }
    // Every value that the document of the interface names is accepted.
    let document = board.get("/api/openapi.json").json();
    for parameter in document["paths"]["/api/diagram"]["get"]["parameters"].as_array().expect("a list") {
        let name = parameter["name"].as_str().expect("a name");
        for value in parameter["schema"]["enum"].as_array().into_iter().flatten() {
            let asked = format!("{name}={}", value.as_str().expect("a text"));
            assert_eq!(draw(&asked).status, 200, "{asked}");
        }
    }
    let long = draw(&format!("caption={}", "a".repeat(5000)));
    assert_eq!((long.status, long.json()["code"].clone()), (400, json!("too_long")));
}

const OPERA: &str = "[Event \"A\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n\
    1. e4 {Mine.} e5 2. Qh5 Nf6 $1 3. Qxe5+ Be7 (3... Qe7 4. Qxc7) 1-0\n\n";

/// Parses a text on the server, and returns its first game in JSON.
fn document(board: &Board, text: &str) -> Value {
    board.post("/api/analysis/read", &json!({ "text": text })).json()["games"][0].clone()
}

#[test]
fn whole_games_are_analyzed_with_progress_and_can_be_stopped() {
    let board = Board::start("game-analysis", &["--searches", "1"]);
    let game = document(&board, OPERA);
    let mut socket = Socket::open(&board, "/api/analysis/game");
    socket.say(&json!({"analyse": {"game": game, "nodes": 2000}}));
    let mut progress = Vec::new();
    let found = socket.hear_until(|message| {
        progress.push(message["progress"]["done"].as_u64());
        message["progress"].is_null()
    });
    assert_eq!(progress[0], Some(0));
    let found = &found["game"];
    let nodes = found["nodes"].as_array().unwrap_or_else(|| panic!("{found}"));
    assert!(nodes[0]["after"].to_string().contains("Mine."), "what was there stays: {found}");
    assert!(nodes.iter().filter(|node| node["eval"].is_number()).count() >= 6, "{found}");
    let tag = |name: &str| {
        let tags = found["tags"].as_array().expect("tags");
        tags.iter().find(|tag| tag[0] == name).map(|tag| tag[1].as_str().expect("a text").to_owned())
    };
    assert!(tag("WhiteAccuracy").is_some() && tag("BlackACPL").is_some(), "{found}");
    assert!(tag("Analysis").is_some_and(|how| how.ends_with("2000 nodes")), "{found}");
    // The same again: what was added is not doubled.
    socket.say(&json!({"analyse": {"game": found, "nodes": 2000}}));
    let again = socket.hear_until(|message| message["progress"].is_null());
    assert_eq!(again["game"]["nodes"], found["nodes"]);
    let sorted = |game: &Value| {
        let mut tags: Vec<String> =
            game["tags"].as_array().expect("tags").iter().map(Value::to_string).collect();
        tags.sort();
        tags
    };
    assert_eq!(sorted(&again["game"]), sorted(found));
    // A long one is stopped.
    socket.say(&json!({"analyse": {"game": found, "nodes": 10_000_000}}));
    socket.hear_until(|message| !message["progress"].is_null());
    socket.say(&json!({"stop": {}}));
    assert!(socket.hear_until(|message| message["progress"].is_null())["stopped"].is_object());
    socket.say(&json!({"analyse": {"game": document(&board, "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1")}}));
    assert_eq!(socket.hear()["error"]["code"], "no_moves");
    socket.say(&json!({"analyse": {"game": found, "nodes": 1}}));
    assert_eq!(socket.hear()["error"]["code"], "bad_nodes");
}

#[test]
fn a_coach_tells_what_a_move_was_worth_and_no_move_to_come() {
    let board = Board::start("coach", &[]);
    let mut socket = Socket::open(&board, "/api/analysis/game");
    let mut told = |fen: &str, san: &str| {
        let game = json!({"tags": [], "start": fen, "result": "*", "nodes": [{"san": san}]});
        socket.say(&json!({"analyse": {"game": game, "nodes": 20_000, "coach": true}}));
        let coach = socket.hear_until(|message| message["progress"].is_null())["coach"].clone();
        (coach["nag"].clone(), coach["text"].as_str().unwrap_or_else(|| panic!("{coach}")).to_owned())
    };
    let italian = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let (nag, text) = told(italian, "a6");
    assert_eq!(nag, "$4", "{text}");
    assert!(text.starts_with("A blunder: it overlooks the threat of mate in 1. Better was 3... "), "{text}");
    assert!(!text.contains("Qxf7"), "{text}");
    let back_rank = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30";
    let (nag, text) = told(back_rank, "Ra8#");
    assert!(nag.is_null() && (text.contains("best move") || text.contains("only good move")), "{text}");
    let (_, text) = told(back_rank, "h3");
    assert!(text.contains("it misses mate in 1 by 30. Ra8#"), "{text}");
    let (_, text) = told("4k3/8/8/8/8/8/8/R3K2q w - - 0 1", "Kd2");
    assert!(text.ends_with('.') && !text.contains("1... "), "{text}");
}

#[test]
fn games_are_saved_back_and_added() {
    let folder = crate::support::binary::folder("board-saving-source");
    let (file, collection) = (folder.join("games.pgn"), folder.join("kept.hdb"));
    fs::write(&file, GAMES).expect("it can be written");
    let path = |path: &std::path::Path| path.to_str().expect("it is UTF-8").to_owned();
    let subfolder = folder.join("more");
    fs::create_dir_all(&subfolder).expect("it can be made");
    fs::copy(&file, subfolder.join("games.pgn")).expect("it can be copied");
    // The collection is made.
    let board =
        Board::start("saving", &[&path(&file), &path(&subfolder), "--collection", &path(&collection)]);
    let files = board.get("/api/about").json()["files"].clone();
    assert_eq!(
        (&files[0]["can_save"], &files[1]["can_save"], &files[2]["can_save"], &files[2]["name"]),
        (&json!(true), &json!(false), &json!(true), &json!("kept.hdb"))
    );
    let put = |at: &str, body: &Value| board.ask("PUT", &format!("/api/files/{at}"), None, Some(body));
    let mut game = board.get("/api/files/0/games/2").json();
    let version = game["version"].as_str().expect("a version").to_owned();
    game["nodes"][1]["after"] = json!(["Solid."]);
    let saved = put("0/games/2", &json!({"game": game, "version": version}));
    assert_eq!((saved.status, saved.json()["number"].clone()), (200, json!(2)), "{}", saved.text());
    let text = fs::read_to_string(&file).expect("it can be read");
    let [before, after] =
        [GAMES.find("[White \"Cid\"]"), GAMES.find("[White \"Bob\"]")].map(|at| at.expect("a game"));
    assert!(text.starts_with(&GAMES[..before]) && text.ends_with(&GAMES[after..]), "the others stay: {text}");
    assert!(text.contains("1. d4 d5 {Solid.} 1/2-1/2"), "{text}");
    // What somebody else has changed is not overwritten, and what was saved can be saved again.
    let stale = put("0/games/2", &json!({"game": game, "version": version}));
    assert_eq!((stale.status, stale.json()["code"].clone()), (409, json!("changed")));
    let version = saved.json()["version"].clone();
    assert_eq!(put("0/games/2", &json!({"game": game, "version": version})).status, 200);
    assert_eq!(put("0/games/2", &json!({"game": game})).json()["code"], "no_version");
    assert_eq!(put("0/games/9", &json!({"game": game, "version": version})).status, 404);
    assert_eq!(put("9/games/1", &json!({"game": game, "version": version})).status, 404);
    assert_eq!(put("1/games/1", &json!({"game": game, "version": version})).json()["code"], "not_writable");
    // Nothing of a game that cannot be played is written.
    let mut wrong = game.clone();
    wrong["nodes"][0]["uci"] = json!("e2e5");
    let before = fs::read(&file).expect("it can be read");
    assert_eq!(board.post("/api/files/0/games", &json!({"game": wrong})).status, 400);
    assert_eq!(fs::read(&file).expect("it can be read"), before);
    // Another process that changes the file is waited for by the user, not overwritten.
    let lock = fs::File::create(folder.join("games.pgn.lock")).expect("it can be made");
    lock.lock().expect("nobody has it");
    let busy = board.post("/api/files/0/games", &json!({"game": game}));
    assert_eq!((busy.status, busy.text().contains("another process")), (409, true), "{}", busy.text());
    drop(lock);
    let added = board.post("/api/files/0/games", &json!({"game": game}));
    assert_eq!((added.status, added.json()["number"].clone()), (201, json!(4)), "{}", added.text());
    assert_eq!(board.get("/api/files/0/games").json()["count"], 4);
    // In a collection the changed game is the last one.
    for number in 1..=2 {
        let added = board.post("/api/files/2/games", &json!({"game": game}));
        assert_eq!((added.status, added.json()["number"].clone()), (201, json!(number)), "{}", added.text());
    }
    let first = board.get("/api/files/2/games/1").json();
    let mut changed = first.clone();
    changed["nodes"][0]["nags"] = json!(["$1"]);
    let saved = put("2/games/1", &json!({"game": changed, "version": first["version"]}));
    assert_eq!((saved.status, saved.json()["number"].clone()), (200, json!(2)), "{}", saved.text());
    assert_eq!(board.get("/api/files/2/games").json()["count"], 2);
    assert_eq!(board.get("/api/files/2/games/2").json()["nodes"][0]["nags"], json!(["$1"]));
    let checked = crate::support::binary::run(&["db", "check", &path(&collection)], b"");
    assert_eq!(checked.code, Some(0), "{checked:?}");
}

#[test]
fn endgame_tables_judge_positions_and_moves() {
    let without = Board::start("no-tables", &[]);
    let fen = json!({"fen": "8/8/8/8/8/1k6/6p1/1K6 w - - 0 1"});
    assert_eq!(without.post("/api/positions", &fen).json()["tables"], Value::Null);
    let Some(folder) = crate::tablebase::sample::folder() else { return };
    let board = Board::start("tables", &["--syzygy", folder.to_str().expect("it is UTF-8")]);
    let show = |fen: &str| board.post("/api/positions", &json!({ "fen": fen })).json()["tables"].clone();
    assert_eq!(board.get("/api/about").json()["tables"], true);
    let lost = show("8/8/8/8/8/1k6/6p1/1K6 w - - 0 1");
    assert_eq!((&lost["verdict"], lost["moves"].as_array().map(Vec::len)), (&json!("loss"), Some(2)));
    let won = show("8/8/8/8/8/1k6/6p1/1K6 b - - 0 1");
    let first = &won["moves"][0];
    assert_eq!((&won["verdict"], &won["dtz"], &first["verdict"]), (&json!("win"), &json!(1), &json!("win")));
    assert!(first["san"].as_str().is_some_and(|san| san.starts_with("g1=")), "{won}");
    // Two knights do not win, and a stalemate is worse than that.
    assert_eq!(show("8/8/8/8/8/2k5/8/K1N1N3 w - - 0 1")["verdict"], "draw");
    let rook = show("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let verdict = |san: &str| {
        let moves = rook["moves"].as_array().expect("moves");
        moves.iter().find(|mv| mv["san"] == san).unwrap_or_else(|| panic!("{rook}"))["verdict"].clone()
    };
    assert_eq!(
        (&rook["verdict"], verdict("Ra8#"), verdict("Ra7")),
        (&json!("win"), json!("win"), json!("win"))
    );
    // With the clock nearly run out the same ending is a draw, and the tables say why.
    let late = show("7k/8/8/8/8/8/8/R6K w - - 95 90");
    assert_eq!((&late["verdict"], late["dtz"].is_u64()), (&json!("cursed_win"), true), "{late}");
    assert_eq!(show("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), Value::Null);
}

/// The browser opens the first game of a file, and the start page if there is no file.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn a_file_is_opened_at_its_first_game() {
    use super::client::{PATIENCE, command};
    use std::os::unix::fs::PermissionsExt;
    let folder = crate::support::binary::folder("board-first-game");
    let (games, none, opened) = (folder.join("games.pgn"), folder.join("none.pgn"), folder.join("opened"));
    fs::write(&games, GAMES).expect("it can be written");
    fs::write(&none, "").expect("it can be written");
    let browser = folder.join("xdg-open");
    fs::write(
        &browser,
        format!("#!/bin/sh\necho \"$1\" > \"{0}.new\" && mv \"{0}.new\" \"{0}\"\n", opened.display()),
    )
    .expect("it can be written");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    for (files, expected) in [(vec![&games], "/analyse/0/1"), (vec![&none, &games], ""), (vec![], "")] {
        let _ = fs::remove_file(&opened); // the first time there is none
        let files = files.iter().map(|path| path.to_str().expect("it is UTF-8"));
        let arguments: Vec<&str> = ["--open"].into_iter().chain(files).collect();
        let mut child = command(&folder, &arguments).env("PATH", &path).spawn().expect("it starts");
        let begin = std::time::Instant::now();
        while !opened.exists() && begin.elapsed() < PATIENCE {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        let address = fs::read_to_string(&opened).expect("a browser was started");
        let page = address.trim().trim_start_matches("http://").trim_start_matches(|sign| sign != '/');
        assert_eq!(page, expected, "{arguments:?}");
    }
}
