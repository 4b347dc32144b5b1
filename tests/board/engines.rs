//! Engines that play games, and engines that analyze positions.

use super::client::{Board, Socket};
use serde_json::{Value, json};
use std::path::Path;

/// The command of the mock engine with this behavior.
fn mock(manner: &str) -> String {
    let tests =
        Path::new(crate::support::binary::BINARY).parent().expect("a folder").join("examples/mock-engine");
    format!("'{}' {manner}", tests.display())
}

fn against_engine(board: &Board, engine: Value, time_control: &str) -> Value {
    let answer = board.post(
        "/api/games",
        &json!({"time_control": time_control, "casual": true, "decline": true, "white": {"person": "Ann"}, "black": {"engine": engine}}),
    );
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

#[test]
fn the_engine_moves_takes_back_and_plays_again() {
    let board = Board::start("engine", &[]);
    let made = against_engine(&board, json!({"elo": 1000}), "-");
    let game = super::client::Match::new(&board, &made);
    assert_eq!(
        (made["tokens"]["black"].clone(), game.state(None)["seats"]["black"]["kind"].clone()),
        (Value::Null, json!("engine"))
    );
    let plies = |count: usize| move |state: &Value| state["plies"].as_array().map(Vec::len) == Some(count);
    game.play(&game.white, "e2e4");
    game.wait_for(None, plies(2));
    assert_eq!(game.act(&game.white, json!({"act": "offer_draw"})).status, 200);
    game.wait_for(None, |state| state["draw_offer"].is_null());
    assert_eq!(game.act(&game.white, json!({"act": "offer_takeback"})).status, 200);
    game.wait_for(None, plies(0));
    game.play(&game.white, "d2d4");
    game.wait_for(None, plies(2));
    assert_eq!(game.act(&game.white, json!({"act": "resign"})).status, 200);
    let again = board.ask("POST", &game.path("/rematch"), Some(&game.white), None).json();
    let path = format!("/api/games/{}/socket", again["rematch"]["id"].as_str().expect("it agrees at once"));
    let mut socket = Socket::open(&board, &path);
    socket.say(&json!({"hello": {"token": game.white}}));
    let state = socket.hear_until(|message| plies(1)(&message["state"]))["state"].clone();
    assert_eq!((&state["role"], &state["seats"]["white"]["kind"]), (&json!("black"), &json!("engine")));
    assert!(board.get(&game.path("/pgn")).text().contains("[BlackElo \"1000\"]"));
}

#[test]
fn engines_play_one_another_on_the_clock() {
    let board = Board::start("engine-clock", &[]);
    let made = board.post("/api/games", &json!({"time_control": "20+0.05", "white": {"engine": {"elo": 800}}, "black": {"engine": {"level": "beginner"}}}));
    let game = super::client::Match::new(&board, &made.json());
    let state = game.wait_for(None, |state| {
        state["phase"] == "over" || state["plies"].as_array().is_some_and(|plies| plies.len() >= 10)
    });
    assert!(state["plies"].as_array().is_some_and(|plies| plies.len() >= 10), "{}", state["ending"]);
}

#[test]
fn an_engine_that_fails_forfeits() {
    for (manner, reason, termination) in
        [("illegal 1", "rules_infraction", "rules infraction"), ("crash 1", "abandoned", "abandoned")]
    {
        let command = mock(manner);
        let board = Board::start(&format!("engine-{}", &manner[..5]), &["--engine", &command]);
        let made = against_engine(&board, json!({}), "600");
        let game = super::client::Match::new(&board, &made);
        game.play(&game.white, "e2e4");
        let state = game.wait_for(None, |state| state["phase"] == "over");
        let ending = &state["ending"];
        assert_eq!((&ending["result"], &ending["reason"]), (&json!("1-0"), &json!(reason)), "{manner}");
        assert_eq!(state["plies"].as_array().map(Vec::len), Some(1), "{manner}");
        let tag = format!("[Termination \"{termination}\"]");
        assert!(board.get(&game.path("/pgn")).text().contains(&tag), "{manner}");
    }
}

#[test]
fn the_clock_of_an_engine_runs_on_the_server() {
    let board = Board::start("engine-slow", &["--engine", &mock("slow 1")]);
    let made = against_engine(&board, json!({}), "1");
    let game = super::client::Match::new(&board, &made);
    game.play(&game.white, "e2e4");
    let state = game.wait_for(None, |state| state["phase"] == "over");
    let ending = &state["ending"];
    assert_eq!((&ending["result"], &ending["reason"]), (&json!("1-0"), &json!("time_forfeit")));
    assert_eq!(state["clocks"]["black_ms"], 0);
}

/// Plays White's first legal move in each position, with the replies of the engine, until the game is over or has this
/// number of plies.
fn play_on(game: &super::client::Match<'_>, plies: usize) -> Value {
    loop {
        let state = game.wait_for(Some(&game.white), |state| {
            state["phase"] == "over" || state["turn"] == "white" && state["phase"] == "playing"
        });
        let count = state["plies"].as_array().map_or(0, Vec::len);
        if state["phase"] == "over" || count >= plies {
            return state;
        }
        game.play(&game.white, state["legal"][0]["uci"].as_str().expect("there is one"));
    }
}

#[test]
fn an_engine_resigns_after_four_moves_that_are_lost_by_ten_pawns() {
    for (score, resigns) in [("-1000", true), ("-999", false)] {
        let command = mock(&format!("score {score}"));
        let board = Board::start(&format!("engine-resigns{score}"), &["--engine", &command]);
        let made = against_engine(&board, json!({}), "600");
        let state = play_on(&super::client::Match::new(&board, &made), 12);
        let (ending, plies) = (&state["ending"], state["plies"].as_array().map(Vec::len));
        if resigns {
            assert_eq!((&ending["result"], &ending["reason"]), (&json!("1-0"), &json!("resignation")));
            assert_eq!(plies, Some(7), "its fourth move is not made");
        } else {
            assert_eq!((ending, plies), (&Value::Null, Some(12)));
        }
    }
}

#[test]
fn an_engine_accepts_a_draw_from_move_20_on_unless_it_is_better() {
    for (score, accepts) in [("0", true), ("1", false)] {
        let command = mock(&format!("score {score}"));
        let board = Board::start(&format!("engine-draws{score}"), &["--engine", &command]);
        let made = against_engine(&board, json!({}), "600");
        let game = super::client::Match::new(&board, &made);
        for (plies, is_accepted) in [(38, false), (40, accepts)] {
            play_on(&game, plies);
            assert_eq!(game.act(&game.white, json!({"act": "offer_draw"})).status, 200);
            let state = game.wait_for(None, |state| state["draw_offer"].is_null());
            let reason = if is_accepted { json!("agreement") } else { Value::Null };
            assert_eq!(state["ending"]["reason"], reason, "score {score} after {plies}");
        }
    }
}

#[test]
fn a_position_is_analyzed_as_long_as_somebody_looks() {
    let board = Board::start("analysis", &[]);
    let mut socket = Socket::open(&board, "/api/analysis/engine");
    socket.say(&json!({"search": {"moves": ["e2e4"], "multipv": 3}}));
    let deep = socket.hear_until(|message| {
        assert!(message["error"].is_null(), "{message}");
        let lines = message["info"]["lines"].as_array().cloned().unwrap_or_default();
        message["info"]["depth"].as_u64() > Some(3) && lines.iter().all(|line| !line.is_null())
    });
    let info = &deep["info"];
    assert_eq!(info["lines"].as_array().map(Vec::len), Some(3));
    assert!(info["lines"][0]["san"].as_array().is_some_and(|san| !san.is_empty()), "{info}");
    // A new position replaces the old one. Scores are from White's view, whoever is to move.
    for (fen, is_for_white) in
        [("7k/8/5K2/8/6Q1/8/8/8 b - - 0 1", true), ("8/8/8/6q1/8/5k2/8/7K w - - 0 1", false)]
    {
        socket.say(&json!({"search": {"fen": fen}}));
        let message = socket.hear_until(|message| message["info"]["lines"][0]["mate"].is_i64());
        let mate = message["info"]["lines"][0]["mate"].as_i64();
        assert!(mate.is_some_and(|mate| (mate > 0) == is_for_white), "{fen}: {message}");
    }
    socket.say(&json!({"stop": {}}));
    socket.hear_until(|message| !message["done"].is_null());
    // A position without a move is looked at already.
    socket.say(&json!({"search": {"fen": "7k/8/5KQ1/8/8/8/8/8 b - - 0 1"}}));
    socket.hear_until(|message| !message["done"].is_null());
    socket.say(&json!({"search": {"fen": "x"}}));
    assert_eq!(socket.hear()["error"]["code"], "bad_fen");
    assert!(socket.next().is_none(), "the socket is closed");
}

#[cfg(target_os = "linux")]
/// The ids of the child processes of the process `parent`.
fn children(parent: u32) -> Vec<u32> {
    let ids = std::fs::read_dir("/proc").expect("it is there").flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let parents = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok());
        parents == Some(parent)
    })
    .collect()
}

/// Waits until the condition holds.
#[cfg(target_os = "linux")]
fn wait_until(is_so: impl Fn() -> bool) {
    let begin = std::time::Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < super::client::PATIENCE, "it does not come about");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_ends_with_its_game() {
    let board = Board::start("engine-end", &["--engine", &mock("score 0")]);
    let before = children(board.child.id());
    let made = against_engine(&board, json!({}), "600");
    let game = super::client::Match::new(&board, &made);
    game.play(&game.white, "e2e4");
    game.wait_for(None, |state| state["plies"].as_array().map(Vec::len) == Some(2));
    assert!(children(board.child.id()).len() > before.len());
    assert_eq!(game.act(&game.white, json!({"act": "resign"})).status, 200);
    wait_until(|| children(board.child.id()).len() == before.len());
}

#[cfg(target_os = "linux")]
#[test]
fn no_engine_is_left_behind() {
    let board = Board::start("orphans", &[]);
    let made = against_engine(&board, json!({"elo": 1500}), "600");
    let game = super::client::Match::new(&board, &made);
    game.play(&game.white, "e2e4");
    game.wait_for(None, |state| state["plies"].as_array().map(Vec::len) == Some(2));
    let mut analysis = Socket::open(&board, "/api/analysis/engine");
    analysis.say(&json!({"search": {"moves": []}}));
    analysis.hear_until(|message| !message["info"].is_null());
    let started = children(board.child.id());
    assert!(started.len() >= 2, "{started:?}");
    board.kill();
    let is_alive = |id: &u32| Path::new(&format!("/proc/{id}/exe")).read_link().is_ok();
    wait_until(|| !started.iter().any(is_alive));
}

#[test]
fn pages_that_ask_nothing_keep_nobody_from_analyzing() {
    let board = Board::start("engine-idle", &["--searches", "1"]);
    let idle: Vec<Socket> = (0..20)
        .map(|number| {
            let path = if number % 2 == 0 { "/api/analysis/engine" } else { "/api/analysis/game" };
            Socket::open(&board, path)
        })
        .collect();
    let mut socket = Socket::open(&board, "/api/analysis/engine");
    socket.say(&json!({"search": {"moves": ["e4"]}}));
    socket.hear_until(|message| message["info"]["lines"][0]["san"][0].is_string());
    drop(idle);
}

#[test]
fn games_that_nobody_plays_give_up_their_places() {
    let board = Board::start("engine-places", &["--max-requests", "10000", "--engine", &mock("score 0")]);
    let request = json!({"white": {"person": "Ann"}, "black": {"engine": {}}, "time_control": "600"});
    let over = super::client::Match::new(&board, &against_engine(&board, json!({}), "600"));
    assert_eq!(over.act(&over.white, json!({"act": "abort"})).status, 200);
    let played = super::client::Match::new(&board, &against_engine(&board, json!({}), "600"));
    let (_page, _) = played.socket(Some(&played.white));
    let begin = std::time::Instant::now();
    let mut made = Vec::new();
    let refused = loop {
        let answer = board.post("/api/games", &request);
        if answer.status != 201 {
            break answer;
        }
        made.push(answer.json());
        assert!(made.len() <= 100, "there are more games than places");
    };
    assert_eq!((refused.status, refused.json()["code"].clone()), (503, json!("busy")));
    let rematch = || board.ask("POST", &over.path("/rematch"), Some(&over.white), Some(&json!({})));
    assert_eq!(rematch().status, 503, "a rematch needs a place as well");
    while board.post("/api/games", &request).status != 201 {
        assert!(begin.elapsed() < super::client::PATIENCE, "no place becomes free");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    // Its engine takes a place again when it has to move.
    let again = super::client::Match::new(&board, &made[0]);
    again.play(&again.white, "e2e4");
    again.wait_for(None, |state| state["plies"].as_array().map(Vec::len) == Some(2));
}

#[test]
fn a_second_engine_analyzes_beside_the_first() {
    let board = Board::start(
        "engine-second",
        &["--searches", "1", "--second-engine", crate::support::binary::BINARY],
    );
    assert_eq!(board.get("/api/about").json()["second_engine"], "hematite");
    // Both look at once, though only one may think about positions at a time.
    let paths = ["/api/analysis/engine", "/api/analysis/engine?second=true"];
    let mut sockets = paths.map(|path| Socket::open(&board, path));
    for socket in &mut sockets {
        socket.say(&json!({"search": {"moves": ["e4"], "multipv": 2}}));
    }
    for socket in &mut sockets {
        let info = socket.hear_until(|message| message["info"]["lines"][0]["san"][0].is_string());
        assert!(info["info"]["depth"].as_u64().is_some_and(|depth| depth > 0), "{info}");
    }
    let alone = Board::start("engine-alone", &[]);
    assert_eq!(alone.get("/api/about").json()["second_engine"], Value::Null);
    let request = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        paths[1], alone.address
    );
    let answer = alone.raw(request.as_bytes()).expect("it answers");
    assert_eq!((answer.status, answer.json()["code"].clone()), (400, json!("no_second_engine")));
}

#[test]
fn a_short_question_goes_before_a_search_without_an_end() {
    let board = Board::start("engine-short", &["--searches", "1"]);
    let open = || Socket::open(&board, "/api/analysis/engine");
    let has_line = |message: &Value| message["info"]["lines"][0]["san"][0].is_string();
    let (mut first, mut second, mut short) = (open(), open(), open());
    first.say(&json!({"search": {"moves": ["e4"]}}));
    first.hear_until(has_line);
    second.say(&json!({"search": {"moves": ["d4"]}}));
    let told = second.hear_until(|message| !message["waiting"].is_null());
    assert_eq!(told, json!({"waiting": {}}));
    short.say(&json!({"search": {"moves": ["c4"], "short": true}}));
    short.hear_until(has_line);
    // Its search ends by itself, and the others go on.
    short.hear_until(|message| !message["done"].is_null());
    first.say(&json!({"stop": {}}));
    second.hear_until(has_line);
}
