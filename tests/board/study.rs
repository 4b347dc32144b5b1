//! Study sessions over a socket: guesses, hints, points, and stored progress.

use super::client::{Board, Socket};
use serde_json::{Value, json};

fn guess(socket: &mut Socket, mv: &str) -> Value {
    socket.say(&json!({"guess": mv}));
    socket.hear()
}

#[test]
fn the_moves_of_a_game_are_guessed() {
    let board = Board::start("study", &[]);
    let mut socket = Socket::open(&board, "/api/study");
    socket.say(&json!({"hint": {}}));
    assert_eq!(socket.hear()["error"]["code"], "nothing_open");
    let pgn = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 {Best.} 2. Nf3 Nc6 *";
    socket.say(&json!({"open": {"text": pgn, "side": "black"}}));
    let first = socket.hear()["task"].clone();
    assert_eq!((&first["title"], &first["side"]), (&json!("Ann – Bob"), &json!("black")));
    assert_eq!((&first["steps"][0]["san"], &first["is_over"]), (&json!("e4"), &json!(false)));
    let text = first.to_string();
    assert!(!text.contains("Nf3") && !text.contains("Best"), "what is to come is hidden: {text}");
    assert_eq!(guess(&mut socket, "e2e4")["error"]["code"], "illegal_move");
    assert_eq!(
        guess(&mut socket, "c7c5")["task"]["verdict"],
        json!({"wrong": {"guess": "c5", "lost": null, "judgement": null}})
    );
    let right = guess(&mut socket, "e7e5")["task"].clone();
    assert_eq!(right["verdict"]["right"]["points"], 2);
    assert_eq!(right["steps"][0]["comments"], json!(["Best."]));
    assert_eq!(right["steps"][1]["san"], "Nf3");
    socket.say(&json!({"hint": {}}));
    assert_eq!(socket.hear()["hint"], "A knight moves.");
    socket.say(&json!({"show": {}}));
    let shown = socket.hear()["task"].clone();
    assert_eq!((&shown["verdict"]["shown"]["san"], &shown["is_over"]), (&json!("Nc6"), &json!(true)));
    assert_eq!((&shown["points"], &shown["most"]), (&json!(2), &json!(6)));
    assert_eq!(guess(&mut socket, "a2a3")["error"]["code"], "over");
    socket.say(&json!({"next": {}}));
    let done = socket.hear()["done"].clone();
    assert_eq!((&done["exercises"], &done["moves"], &done["points"]), (&json!(1), &json!(2), &json!(2)));
    assert_eq!((&done["judged"], &done["lost"]), (&json!(0), &json!(null)));
}

#[test]
fn both_sides_are_asked_from_a_move_on() {
    let board = Board::start("study-both", &[]);
    let mut socket = Socket::open(&board, "/api/study");
    let pgn = "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 Nc6 3. Bb5 *";
    socket.say(&json!({"open": {"text": pgn, "side": "both", "from": "0.0"}}));
    let first = socket.hear()["task"].clone();
    assert_eq!(
        (&first["asks_both"], &first["side"], &first["steps"]),
        (&json!(true), &json!("white"), &json!([]))
    );
    assert_eq!(guess(&mut socket, "g1f3")["task"]["verdict"]["right"]["points"], 3);
    assert_eq!(guess(&mut socket, "b8c6")["task"]["verdict"]["right"]["points"], 3);
    assert_eq!(guess(&mut socket, "f1b5")["task"]["is_over"], true);
    // In a variation it is that which is asked.
    socket.say(&json!({"open": {"text": pgn, "side": "black", "from": "0.1"}}));
    let task = socket.hear()["task"].clone();
    assert_eq!((&task["asks_both"], &task["steps"][0]["san"]), (&json!(false), &json!("Nf3")));
    assert_eq!(guess(&mut socket, "d7d6")["task"]["is_over"], true);
    // A game from a position is asked from there, and is no problem.
    let set_up = "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n1. Ra7 Kf8 2. Ra8# *\n\n";
    socket.say(&json!({"open": {"text": set_up, "side": "white", "from": "0.0"}}));
    assert_eq!(socket.hear()["task"]["kind"], "game");
    for (open, code) in [
        (json!({"text": pgn, "from": "0.5"}), "bad_lessons"),
        (json!({"text": pgn, "from": "x"}), "bad_lessons"),
        (json!({"text": pgn, "side": "both", "repertoire": true}), "bad_lessons"),
    ] {
        socket.say(&json!({ "open": open }));
        assert_eq!(socket.hear()["error"]["code"], code, "{open}");
    }
}

#[test]
fn a_session_starts_with_any_game() {
    let place = crate::support::binary::folder("board-study-first-source");
    let file = place.join("games.pgn");
    let game = |white: &str, mv: &str| format!("[White \"{white}\"]\n[Black \"B\"]\n\n1. {mv} *\n\n");
    let text = [game("Ann", "e4"), game("Bob", "d4"), game("Ann", "c4")].concat();
    std::fs::write(&file, &text).expect("it can be written");
    let board = Board::start("study-first", &[file.to_str().expect("it is UTF-8")]);
    let mut socket = Socket::open(&board, "/api/study");
    let records = "4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+;\n4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;\n";
    for (open, games) in [
        (json!({"text": text}), &[1, 2, 3][..]),
        (json!({"text": text, "first": 2}), &[2, 3]),
        (json!({"file": 0, "first": 3}), &[3]),
        // Games have the numbers of the file, whatever a query finds.
        (json!({"file": 0, "query": "white:ann", "first": 2}), &[3]),
        (json!({"text": records, "first": 2}), &[2]),
        (json!({"text": text, "first": 4}), &[]),
    ] {
        socket.say(&json!({ "open": open }));
        for game in games {
            assert_eq!(socket.hear()["task"]["game"], *game, "{open}");
            socket.say(&json!({"next": {}}));
        }
        assert_eq!(socket.hear()["done"]["exercises"], games.len(), "{open}");
    }
    socket.say(&json!({"open": {"text": text, "repertoire": true, "first": 3}}));
    let task = socket.hear()["task"].clone();
    assert_eq!((&task["kind"], &task["game"]), (&json!("repertoire"), &Value::Null));
}

#[test]
fn problems_come_back_when_they_are_due() {
    let folder = crate::support::binary::folder("board-study-source");
    let file = folder.join("problems.pgn");
    let problem = "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n1. Ra8# *\n\n";
    std::fs::write(&file, problem).expect("it can be written");
    let board = Board::start("study-due", &[file.to_str().expect("it is UTF-8")]);
    let mut socket = Socket::open(&board, "/api/study");
    let file = json!({"open": {"file": 0}});
    socket.say(&file);
    assert_eq!(socket.hear()["task"]["kind"], "problem");
    assert_eq!(guess(&mut socket, "a1a8")["task"]["verdict"]["right"]["points"], 3);
    // What has just been solved is not asked again, in another session either, unless that is wished.
    socket.say(&file);
    assert_eq!(socket.hear()["done"]["later"], 1);
    drop(socket);
    let mut again = Socket::open(&board, "/api/study");
    again.say(&file);
    assert_eq!(again.hear()["done"]["later"], 1);
    again.say(&json!({"open": {"file": 0, "all": true}}));
    assert_eq!(again.hear()["task"]["kind"], "problem");
    // Records in EPD are problems, too; the same position is the same problem.
    again.say(&json!({"open": {"text": "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";"}}));
    assert_eq!(again.hear()["done"]["later"], 1);
    again.say(&json!({"open": {"text": "what is this"}}));
    assert_eq!(again.hear()["error"]["code"], "no_lessons");
    again.say(&json!({"open": {"file": 0, "query": "bogus:1"}}));
    assert_eq!(again.hear()["error"]["code"], "bad_query");
    // The command knows what was learned here.
    let path = board.folder.join("progress.sqlite");
    let path = path.to_str().expect("it is UTF-8");
    let told = crate::support::binary::run(&["study", "--stats", "--json", "--progress", path], b"");
    assert_eq!(told.json()["study"][0]["asked"], 1);
}

#[test]
fn a_repertoire_is_trained_on_the_same_progress_as_on_the_terminal() {
    let lines = "1. e4 e5 (1... c5 2. Nf3 {Open.} d6) 2. Nc3 Nf6 *\n\n1. e4 e5 2. Nc3 Nc6 *\n\n";
    let folder = crate::support::binary::folder("board-repertoire-source");
    let file = folder.join("lines.pgn");
    std::fs::write(&file, lines).expect("it can be written");
    let path = |path: &std::path::Path| path.to_str().expect("it is UTF-8").to_owned();
    let board = Board::start("repertoire", &[&path(&file)]);
    let progress = board.folder.join("progress.sqlite");
    let mut socket = Socket::open(&board, "/api/study");
    let open = json!({"open": {"file": 0, "side": "white", "repertoire": true, "new": 2}});
    socket.say(&open);
    let mut asked = Vec::new();
    loop {
        let message = socket.hear();
        let task = &message["task"];
        if task.is_null() {
            assert_eq!(
                (&message["done"]["exercises"], &message["done"]["left"]),
                (&json!(2), &json!(1)),
                "{message}"
            );
            break;
        }
        if task["is_over"] == true {
            socket.say(&json!({"next": {}}));
            continue;
        }
        assert_eq!((&task["kind"], &task["side"]), (&json!("repertoire"), &json!("white")));
        assert!(!task.to_string().contains("Open."), "the comments tell the answer: {task}");
        asked.push(task["fen"].as_str().expect("a position").to_owned());
        socket.say(&json!({"show": {}}));
    }
    assert_eq!(asked.len(), 2);
    // What was shown has been answered, so that the third one is left, and the terminal knows the two.
    socket.say(&open);
    let next = socket.hear();
    assert!(!asked.contains(&next["task"]["fen"].as_str().expect("a position").to_owned()), "{next}");
    drop(socket);
    drop(board);
    let told = crate::support::binary::run(&["study", "--stats", "--progress", &path(&progress)], b"");
    assert!(told.code == Some(0) && told.out.contains("repertoire"), "{told:?}");
    // Without a line from the initial position there is nothing.
    let board = Board::start("no-repertoire", &[]);
    let mut socket = Socket::open(&board, "/api/study");
    socket.say(&json!({"open": {"text": "1. e4 *", "side": "black", "repertoire": true}}));
    assert_eq!(socket.hear()["error"]["code"], "no_lessons");
}

#[test]
fn wrong_guesses_are_judged_by_what_they_cost() {
    let board = Board::start("judge", &[]);
    let mut socket = Socket::open(&board, "/api/study");
    let pgn = "[SetUp \"1\"]\n[FEN \"4k3/8/8/7R/8/8/8/4K2r w - - 0 1\"]\n\n1. Rxh1 Kd7 *";
    socket.say(&json!({"open": {"text": pgn, "side": "white", "judge": true}}));
    assert!(socket.hear()["task"].is_object());
    // Whoever does not take the rook that gives check loses the own one.
    let wrong = guess(&mut socket, "e1d2")["task"]["verdict"]["wrong"].clone();
    assert!(wrong["lost"].as_f64().is_some_and(|lost| lost >= 30.0), "{wrong}");
    assert!(guess(&mut socket, "h5h1")["task"]["verdict"]["right"].is_object());
    // A guess that is hardly worse is accepted if that is wished; the game goes on with its own move.
    let open = json!({"text": "1. e4 e5 2. Nf3 *", "side": "white", "accept_equal_cp": 50});
    socket.say(&json!({ "open": open }));
    assert!(socket.hear()["task"].is_object());
    assert!(guess(&mut socket, "g2g4")["task"]["verdict"]["wrong"].is_object());
    let task = guess(&mut socket, "d2d4")["task"].clone();
    assert_eq!(task["verdict"], json!({"equal": {"guess": "d4", "san": "e4"}}), "{task}");
    let made: Vec<&str> =
        task["steps"].as_array().into_iter().flatten().filter_map(|step| step["san"].as_str()).collect();
    assert_eq!(made, ["e4", "e5"]);
}

#[test]
fn evaluations_of_the_game_judge_guesses() {
    let board = Board::start("study-evaluations", &[]);
    let mut socket = Socket::open(&board, "/api/study");
    let pgn = "1. e4 {[%eval 0.3]} (1. g4 {[%eval -2.0]}) 1... e5 2. Nf3 *";
    socket.say(&json!({"open": {"text": pgn, "side": "white"}}));
    assert!(socket.hear()["task"].is_object());
    let expected = json!({"wrong": {"guess": "g4", "lost": 20.0, "judgement": "blunder"}});
    assert_eq!(guess(&mut socket, "g2g4")["task"]["verdict"], expected);
    assert_eq!(guess(&mut socket, "e2e4")["task"]["verdict"]["right"]["points"], 0);
    assert_eq!(guess(&mut socket, "g1f3")["task"]["points"], 3);
    socket.say(&json!({"next": {}}));
    let done = socket.hear()["done"].clone();
    assert_eq!((&done["judged"], &done["lost"]), (&json!(1), &json!(20.0)), "{done}");
}

#[test]
fn an_answer_that_cannot_be_saved_is_saved_later() {
    let board = Board::start("study-locked", &[]);
    let path = board.folder.join("progress.sqlite");
    let asked = || {
        let path = path.to_str().expect("it is UTF-8");
        let told =
            crate::support::binary::run(&["study", "--stats", "--json", "--progress", path], b"").json();
        told["study"].as_array().map_or(0, |all| all.iter().filter_map(|one| one["asked"].as_u64()).sum())
    };
    let mut socket = Socket::open(&board, "/api/study");
    socket.say(&json!({"open": {"text": "1. e4 e5 2. Nf3 Nc6 3. Bb5 *"}}));
    assert!(socket.hear()["task"].is_object());
    assert!(guess(&mut socket, "e2e4")["task"]["verdict"]["right"].is_object());
    let other = rusqlite::Connection::open(&path).expect("it is there");
    other.execute_batch("BEGIN EXCLUSIVE").expect("nobody writes");
    let error = guess(&mut socket, "g1f3")["error"].clone();
    assert!(error["code"] == "not_saved" && error["text"].to_string().contains("locked"), "{error}");
    assert!(socket.hear()["task"]["verdict"]["right"].is_object(), "the session goes on");
    other.execute_batch("COMMIT").expect("it can be ended");
    assert!(guess(&mut socket, "f1b5")["task"]["verdict"]["right"].is_object());
    assert_eq!(asked(), 3);
    // A file that has been removed is made again.
    socket.say(&json!({"open": {"text": "1. d4 d5 2. c4 *"}}));
    assert!(socket.hear()["task"].is_object());
    std::fs::remove_file(&path).expect("it is there");
    let told = guess(&mut socket, "d2d4");
    assert_eq!(told["error"]["code"], "not_saved", "{told}");
    assert!(socket.hear()["task"]["verdict"]["right"].is_object());
    assert!(guess(&mut socket, "c2c4")["task"]["verdict"]["right"].is_object());
    assert_eq!(asked(), 2);
}
