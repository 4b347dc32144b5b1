//! The HTTP interface: the server conforms to `docs/openapi.json`, and a program can play through it.

use super::client::Board;
use crate::support;
use crate::support::binary::{BINARY, folder, has, run};
use flate2::bufread::GzDecoder;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

const DOCUMENT: &str = include_str!("../../docs/openapi.json");
const ROUTES: &str = include_str!("../../src/board/routes.rs");

fn document() -> Value {
    serde_json::from_str(DOCUMENT).expect("it is JSON")
}

/// All differences between a value and its schema, each with its place.
fn differences(document: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let found = document.pointer(name.trim_start_matches('#')).expect("the schema is there");
        return differences(document, found, value, place);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fitting = choices.iter().filter(|choice| differences(document, choice, value, place).is_empty());
        let count = fitting.count();
        return if count == 1 { Vec::new() } else { vec![format!("{place}: {count} schemas fit {value}")] };
    }
    if let Some(allowed) = schema["enum"].as_array() {
        return if allowed.contains(value) { Vec::new() } else { vec![format!("{place}: {value}")] };
    }
    if let Some(constant) = schema.get("const") {
        return if constant == value { Vec::new() } else { vec![format!("{place}: {value}")] };
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => panic!("{place}: a schema without a type: {schema}"),
    };
    let fits = |kind: &str| match kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("{place}: a type that this test does not know: {kind}"),
    };
    if !kinds.into_iter().any(fits) {
        return vec![format!("{place}: {value} instead of {}", schema["type"])];
    }
    let mut found = Vec::new();
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(differences(document, &schema["items"], item, &format!("{place}[{index}]")));
    }
    for (name, item) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(schema) => found.extend(differences(document, schema, item, &format!("{place}.{name}"))),
            None if schema["additionalProperties"] == false => found.push(format!("{place}.{name}: unknown")),
            None => {}
        }
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.is_object() && value.get(name).is_none() {
            found.push(format!("{place}.{name} is missing"));
        }
    }
    found
}

#[test]
fn the_document_names_every_address() {
    let document = document();
    let described: BTreeSet<&str> =
        document["paths"].as_object().expect("paths").keys().map(String::as_str).collect();
    let served: BTreeSet<&str> =
        ROUTES.split('"').filter(|text| text.starts_with("/api/") && !text.contains(' ')).collect();
    assert_eq!(described, served);
    // Each is answered: what is wrong with the request is told, and not that there is nothing.
    let board = Board::start("api-paths", &[]);
    assert_eq!(board.get("/api/openapi.json").json(), document);
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            let path = path.replace("{id}", "x").replace("{file}", "0").replace("{number}", "1");
            let answer = board.ask(&method.to_uppercase(), &path, None, None);
            assert_ne!(answer.status, 405, "{method} {path}");
            assert!(!answer.text().contains("there is nothing at this address"), "{method} {path}");
        }
    }
}

#[test]
fn answers_are_as_the_document_says() {
    let document = document();
    let place = folder("board-api-source");
    let file = place.join("games.pgn");
    std::fs::write(&file, "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {[%eval 0.3]} e5 1-0\n\n")
        .expect("it can be written");
    let (file, book) = (file.to_str().expect("it is UTF-8"), place.join("book.bin"));
    let book = book.to_str().expect("it is UTF-8");
    let made = run(&["book", "make", "--min-games", "1", "--output", book, file], b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let board = Board::start("api", &[file, "--book", book]);
    let mut asked = BTreeSet::new();
    let mut check = |method: &str, template: &str, path: &str, token: Option<&str>, body: Option<Value>| {
        let operation = &document["paths"][template][method];
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        if let Some(body) = &body {
            assert_eq!(differences(&document, schema, body, "request"), Vec::<String>::new(), "{path}");
        }
        let answer = board.ask(&method.to_uppercase(), path, token, body.as_ref());
        let stated = &operation["responses"];
        let response = stated.get(answer.status.to_string()).unwrap_or(&stated["default"]);
        let content = response["content"].as_object().expect("the document says what comes");
        let kind = answer.header("content-type").and_then(|kind| kind.split(';').next());
        let kind = kind.expect("it has a kind");
        let content = content.get(kind).unwrap_or_else(|| panic!("{path}: the document knows no {kind}"));
        if kind == "application/json" && template != "/api/openapi.json" {
            let found = differences(&document, &content["schema"], &answer.json(), "answer");
            assert_eq!(found, Vec::<String>::new(), "{method} {path}: {}", answer.text());
        }
        asked.insert(operation["operationId"].as_str().expect("it has a name").to_owned());
        answer
    };
    check("get", "/api/about", "/api/about", None, None);
    check("get", "/api/openapi.json", "/api/openapi.json", None, None);
    check("get", "/api/notation", "/api/notation", None, None);
    let tags = json!({"tags": [["Date", "yesterday"], ["White", "A"]]});
    check("post", "/api/analysis/tags", "/api/analysis/tags", None, Some(tags));
    let game = json!({
        "start": "standard", "rules": "online", "time_control": "60+1", "casual": true, "decline": true,
        "countdown_s": 0, "first_moves_free": false, "abandonment_s": 60, "random_colors": false,
        "white": {"person": "Ann"}, "black": {"open": true}
    });
    let made = check("post", "/api/games", "/api/games", None, Some(game)).json();
    let (id, token) = (made["id"].as_str().expect("a name"), |name: &str| made["tokens"][name].as_str());
    let path = |rest: &str| format!("/api/games/{id}{rest}");
    let mut act = |token: Option<&str>, act: Value| {
        check("post", "/api/games/{id}/acts", &path("/acts"), token, Some(json!({ "act": act }))).json()
    };
    let sat = act(token("black"), json!({"act": "sit", "name": "Bob"}));
    let black = sat["token"].as_str();
    let options = json!({"smart_move": false, "premove": true, "auto_queen": false, "confirm_move": false});
    act(black, json!({"act": "choose", "options": options}));
    act(black, json!({"act": "premove", "move": "e7e5"}));
    act(black, json!({"act": "premove", "move": "b8c6", "add": true}));
    act(token("white"), json!({"act": "move", "move": "e2e4"}));
    act(token("white"), json!({"act": "move", "move": "e2e4"}));
    act(black, json!({"act": "cancel_premove"}));
    act(token("white"), json!({"act": "offer_draw"}));
    act(black, json!({"act": "decline_draw"}));
    act(token("white"), json!({"act": "accept_draw"}));
    act(token("white"), json!({"act": "claim_draw"}));
    act(token("white"), json!({"act": "claim_abandoned", "draw": true}));
    act(black, json!({"act": "offer_takeback"}));
    act(token("white"), json!({"act": "decline_takeback"}));
    act(token("white"), json!({"act": "accept_takeback"}));
    act(black, json!({"act": "give_time"}));
    act(black, json!({"act": "berserk"}));
    act(token("white"), json!({"act": "abort"}));
    act(token("arbiter"), json!({"act": "pause"}));
    act(token("arbiter"), json!({"act": "add_time", "side": "black", "time_ms": 1000}));
    act(token("arbiter"), json!({"act": "allow_assistant", "side": "white", "name": "Cid"}));
    act(token("arbiter"), json!({"act": "resume"}));
    act(token("arbiter"), json!({"act": "adjudicate", "winner": null, "cause": "emergency"}));
    act(token("white"), json!({"act": "resign"}));
    check("get", "/api/games/{id}/epd", &path("/epd?sender=a@x.example&game=2"), None, None);
    let pieces = json!({"pieces": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"});
    check("post", "/api/games/{id}/pieces", &path("/pieces"), token("white"), Some(pieces));
    let wrong = json!({"pieces": "8/8"});
    check("post", "/api/games/{id}/pieces", &path("/pieces"), token("white"), Some(wrong));
    let received = json!({"epd": "8/8/8/8/8/8/8/K1k5 w - - resign;"});
    check("post", "/api/games/{id}/epd", &path("/epd"), token("white"), Some(received));
    check("post", "/api/games/{id}/rematch", &path("/rematch"), token("white"), None);
    check("get", "/api/games/{id}", &path(""), black, None);
    check("post", "/api/games/{id}/rematch", &path("/rematch"), black, None);
    check("get", "/api/games/{id}", &path(""), None, None);
    check("get", "/api/games/{id}/pgn", &path("/pgn"), None, None);
    check("get", "/api/games/{id}/journal", &path("/journal"), token("arbiter"), None);
    check("get", "/api/games/{id}/journal", &path("/journal"), None, None);
    check("get", "/api/games", "/api/games?limit=5", None, None);
    check("get", "/api/boards", &format!("/api/boards?games={id}"), None, None);
    check("get", "/api/games.pgn", "/api/games.pgn", None, None);
    let all_meet = json!({"name": "Club", "format": {"round_robin": {"double": true}}, "begin": "when_ready", "game": {"time_control": "60"}});
    let made = check("post", "/api/tournaments", "/api/tournaments", None, Some(all_meet)).json();
    let host = made["tokens"]["host"].as_str().expect("a token");
    let event = |rest: &str| format!("/api/tournaments/{}{rest}", made["id"].as_str().expect("a name"));
    let mut act = |token: Option<&str>, act: Value| {
        let acts = "/api/tournaments/{id}/acts";
        check("post", acts, &event("/acts"), token, Some(json!({"act": act, "version": null}))).json()
    };
    let link = act(Some(host), json!({"act": "invite", "players": 2}))["token"].clone();
    act(Some(host), json!({"act": "add_engine", "level": "Beginner"}));
    act(Some(host), json!({"act": "remove", "player": 1}));
    let player = act(link.as_str(), json!({"act": "join", "name": "Ann"}))["token"].clone();
    act(link.as_str(), json!({"act": "join", "name": "Bob"}));
    act(Some(host), json!({"act": "start"}));
    act(player.as_str(), json!({"act": "ready"}));
    act(Some(host), json!({"act": "decide", "round": 1, "board": 1, "result": "0-0"}));
    act(player.as_str(), json!({"act": "withdraw"}));
    act(None, json!({"act": "start"}));
    check("get", "/api/tournaments/{id}", &event(""), player.as_str(), None);
    check("get", "/api/tournaments/{id}", &event(""), None, None);
    check("get", "/api/tournaments", "/api/tournaments", None, None);
    check("get", "/api/tournaments/{id}/pgn", &event("/pgn"), None, None);
    check("get", "/api/tournaments/{id}/rounds/{number}/pgn", &event("/rounds/1/pgn"), None, None);
    check("get", "/api/tournaments/{id}/rounds/{number}/pgn", &event("/rounds/9/pgn"), None, None);
    check("get", "/api/openings", "/api/openings?text=dutch&sort=name&limit=2", None, None);
    for line in [json!({"moves": ["e4", "c7c5"]}), json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), json!({})] {
        for path in ["/api/positions", "/api/openings/tree", "/api/book"] {
            check("post", path, path, None, Some(line.clone()));
        }
    }
    let text = json!({"text": "1. e4 {[%clk 0:05:00]} e5 (1... c5) 2. Nf9 *"});
    let read = check("post", "/api/analysis/read", "/api/analysis/read", None, Some(text)).json();
    let game = json!({"game": read["games"][0]});
    check("post", "/api/analysis/write", "/api/analysis/write", None, Some(game.clone()));
    let course = check("post", "/api/analysis/course", "/api/analysis/course", None, Some(game)).json();
    assert_eq!(course["phases"], json!([{"name": "opening", "ply": 0}]));
    let judged = json!({"text": "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Ba6 {[%eval -4]} *"});
    let read = check("post", "/api/analysis/read", "/api/analysis/read", None, Some(judged)).json();
    let game = json!({"game": read["games"][0]});
    let course = check("post", "/api/analysis/course", "/api/analysis/course", None, Some(game)).json();
    assert_eq!(course["judged"], json!([{"ply": 3, "nag": "$4", "turns": true}]));
    let list = "/api/files/{file}/games";
    check("get", list, "/api/files/0/games?query=white:a&limit=2", None, None);
    check("get", list, "/api/files/0/games?query=bogus:1", None, None);
    check("get", list, "/api/files/0/games?query=check%20or%20ply:1&sort=latest", None, None);
    let hits = "/api/files/{file}/games/{number}/hits";
    check("get", hits, "/api/files/0/games/1/hits?query=ply:1", None, None);
    let notable = json!({"moves": ["e4"], "query": "white:a", "limit": 2});
    check("post", "/api/files/{file}/notable", "/api/files/0/notable", None, Some(notable));
    let game = check("get", "/api/files/{file}/games/{number}", "/api/files/0/games/1", None, None).json();
    let document_of = |game: &Value| {
        let mut game = game.clone();
        game.as_object_mut().expect("a game").remove("version");
        game
    };
    let novelty = json!({"game": document_of(&game), "query": "white:a"});
    check("post", "/api/files/{file}/novelty", "/api/files/0/novelty", None, Some(novelty));
    let beside = "/api/files/{file}/games/{number}/neighbors";
    check("get", beside, "/api/files/0/games/1/neighbors?query=white:a", None, None);
    check("get", beside, "/api/files/0/games/1/neighbors", None, None);
    let mut kept =
        check("get", "/api/files/{file}/games/{number}", "/api/files/0/games/1", None, None).json();
    let version = kept.as_object_mut().and_then(|kept| kept.remove("version"));
    let saved = json!({"game": kept, "version": version});
    check("put", "/api/files/{file}/games/{number}", "/api/files/0/games/1", None, Some(saved));
    check("post", list, list.replace("{file}", "0").as_str(), None, Some(json!({"game": kept})));
    let stamp = |changed: &Value| changed["stamp"].clone();
    let list_now = check("get", list, "/api/files/0/games", None, None).json();
    let mut state = stamp(&list_now);
    for change in [
        json!({"do": "insert", "number": 1, "game": kept}),
        json!({"do": "copy", "number": 1}),
        json!({"do": "move", "number": 1, "to": 3}),
        json!({"do": "delete", "number": 2}),
        json!({"do": "undo"}),
        json!({"do": "delete", "number": 99}),
    ] {
        let body = json!({"stamp": state, "change": change});
        let changes = "/api/files/{file}/changes";
        let answer = check("post", changes, "/api/files/0/changes", None, Some(body)).json();
        state = if answer["stamp"].is_null() { state } else { stamp(&answer) };
    }
    for asked in ["games=1,2", "games=1&form=pgn", "games=99", "games=x"] {
        let print = "/api/files/{file}/print";
        check("get", print, &format!("/api/files/0/print?{asked}"), None, None);
    }
    let pair = json!({"games": [kept, read["games"][0]]});
    check("post", "/api/analysis/compare", "/api/analysis/compare", None, Some(pair));
    for table in ["players", "openings", "crosstable"] {
        let template = format!("/api/files/{{file}}/{table}");
        check("get", &template, &format!("/api/files/0/{table}?query=white:a"), None, None);
        check("get", &template, &format!("/api/files/0/{table}?query=bogus:1"), None, None);
    }
    let names = "/api/files/{file}/names";
    for kind in ["player", "event", "site", "opening", "eco", "term"] {
        check("get", names, &format!("/api/files/0/names?kind={kind}&prefix=a"), None, None);
    }
    for asked in ["", "?format=png&size=64&side=black", "?fen=8/8/8/8/8/8/8/8", "?size=1", "?format=gif"] {
        check("get", "/api/diagram", &format!("/api/diagram{asked}"), None, None);
    }
    let tree = json!({"moves": ["e2e4"], "query": ""});
    check("post", "/api/files/{file}/tree", "/api/files/0/tree", None, Some(tree));
    let all = document["paths"].as_object().expect("paths").values().flat_map(|methods| {
        methods
            .as_object()
            .expect("methods")
            .values()
            .filter_map(|operation| operation["operationId"].as_str())
    });
    let left: Vec<&str> = all.filter(|name| !asked.contains(*name) && !name.ends_with("Socket")).collect();
    assert!(left.is_empty(), "no test asks for {left:?}");
}

#[test]
fn programs_play_a_game_by_the_interface() {
    if !has("python3") {
        return support::skip("no python3");
    }
    let board = Board::start("bot", &["--max-requests", "10000"]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/board_bot.py");
    let mut bots = Command::new("python3")
        .arg(script)
        .arg(format!("http://{}", board.address))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let is_good = super::client::ended(&mut bots).success();
    let output = bots.wait_with_output().expect("it has ended");
    let pgn = String::from_utf8_lossy(&output.stdout);
    assert!(is_good, "{}", String::from_utf8_lossy(&output.stderr));
    assert!(pgn.contains("[White \"White bot\"]") && pgn.contains("%clk"), "{pgn}");
    let checked = run(&["pgn", "check", "-"], pgn.as_bytes());
    assert_eq!(checked.code, Some(0), "{checked:?}");
}

#[test]
#[ignore = "takes minutes; needs schemathesis of PyPI"]
fn whatever_schemathesis_makes_up_is_answered_as_the_document_says() {
    if !has("schemathesis") || !has("python3") {
        return support::skip("no schemathesis with python3");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/board_schemathesis.py");
    let mut command = Command::new("python3");
    let output = command.arg(script).arg(BINARY).arg(folder("board-schemathesis")).output();
    let output = output.expect("python3 runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

/// The files of the page are sent compressed, or uncompressed to clients that do not accept compression.
#[test]
fn the_page_travels_packed() {
    let board = Board::start("packed", &[]);
    let ask = |more: &str| {
        let text = format!(
            "GET /assets/board.js HTTP/1.1\r\nHost: {}\r\n{more}Connection: close\r\n\r\n",
            board.address
        );
        board.raw(text.as_bytes()).expect("an answer")
    };
    let written = include_bytes!("../../src/board/page/board.js");
    let plain = ask("");
    assert_eq!((plain.status, plain.header("Content-Encoding")), (200, None));
    assert_eq!(plain.body, written);
    let packed = ask("Accept-Encoding: br;q=1.0, gzip;q=0.8\r\n");
    assert_eq!((packed.status, packed.header("Content-Encoding")), (200, Some("gzip")));
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).expect("it is packed");
    assert_eq!(unpacked, written);
    // What the browser has is not sent again.
    let tag = packed.header("ETag").expect("a tag");
    assert_eq!(plain.header("ETag"), Some(tag));
    let again = ask(&format!("Accept-Encoding: gzip\r\nIf-None-Match: {tag}\r\n"));
    assert_eq!((again.status, again.body.len(), again.header("Content-Encoding")), (304, 0, None));
}
