//! The overview of an arbiter.

use super::client::{Board, Match, Socket};
use serde_json::{Value, json};

/// A socket of the overview, and its first message.
fn overview(board: &Board, hello: Value) -> (Socket, Value) {
    let mut socket = Socket::open(board, "/api/arbiter");
    socket.say(&json!({ "hello": hello }));
    let first = socket.hear();
    (socket, first)
}

/// The game with this identifier in a message.
fn game<'a>(message: &'a Value, id: &str) -> Option<&'a Value> {
    message["games"].as_array()?.iter().find(|game| game["id"] == id)
}

/// Waits until a message has the game in a state that satisfies the condition.
fn wait_for(socket: &mut Socket, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let message = socket.hear_until(|message| game(message, id).is_some_and(&is_so));
    game(&message, id).expect("it has the game").clone()
}

fn has(list: &Value, item: &str) -> bool {
    list.as_array().is_some_and(|list| list.iter().any(|found| found == item))
}

/// The code of the error with which the overview is refused.
fn refused(board: &Board, hello: Value) -> Value {
    overview(board, hello).1["error"]["code"].clone()
}

fn otb(board: &Board) -> Match<'_> {
    board.create(&json!({
        "rules": "otb", "time_control": "600", "white": {"person": "Ann"}, "black": {"person": "Bob"}
    }))
}

#[test]
fn an_arbiter_sees_all_games_at_once() {
    let board = Board::start("overview", &[]);
    let (one, other) = (otb(&board), board.pair("300+3"));
    let (mut socket, first) =
        overview(&board, json!({"games": {&one.id: &one.arbiter, &other.id: &other.arbiter}}));
    assert_eq!(first["games"].as_array().map(Vec::len), Some(2), "{first}");
    let shown = game(&first, &one.id).expect("the first game");
    assert_eq!((&shown["role"], &shown["start_ms"]), (&json!("arbiter"), &json!(600_000)));
    assert_eq!(shown["seats"]["white"]["player"], "Ann");
    for act in ["pause", "add_time", "adjudicate", "allow_assistant"] {
        assert!(has(&shown["can"], act), "{act}: {shown}");
    }
    // Each change of one game is sent, without the other games.
    one.play(&one.white, "g1f3");
    let message = socket.hear_until(|message| game(message, &one.id).is_some());
    assert!(game(&message, &other.id).is_none(), "{message}");
    let shown = game(&message, &one.id).expect("the game");
    assert_eq!((&shown["last_san"], &shown["fullmove"]), (&json!("Nf3"), &json!(1)));
    assert_eq!((&shown["turn"], &shown["running"]), (&json!("black"), &json!("black")));
    assert_eq!(shown["claims"], json!([]));
    // What is open is told: offers, and claims that would be granted.
    other.act(&other.white, json!({"act": "offer_draw"}));
    wait_for(&mut socket, &other.id, |game| game["draw_offer"] == "white");
    for (index, mv) in "g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ').enumerate() {
        one.play(if index % 2 == 0 { &one.black } else { &one.white }, mv);
    }
    let shown = wait_for(&mut socket, &one.id, |game| game["plies"] == 8);
    let draw = |side: &str| json!({"side": side, "claim": "draw"});
    assert!(shown["claims"].as_array().is_some_and(|claims| claims.contains(&draw("white"))), "{shown}");
    // The acts of the arbiter are shown, and the end of a game closes it.
    one.act(&one.arbiter, json!({"act": "pause"}));
    let shown = wait_for(&mut socket, &one.id, |game| game["phase"] == "paused");
    assert!(has(&shown["can"], "resume") && shown["running"].is_null(), "{shown}");
    one.act(&one.arbiter, json!({"act": "adjudicate", "winner": "black", "cause": "adjudication"}));
    let shown = wait_for(&mut socket, &one.id, |game| game["phase"] == "over");
    assert_eq!((&shown["result"], &shown["claims"]), (&json!("0-1"), &json!([])));
    let message = socket.hear_until(|message| has(&message["closed"], &one.id));
    assert!(game(&message, &one.id).is_none(), "{message}");
    let (_, again) = overview(&board, json!({"games": {&one.id: &one.arbiter, &other.id: &other.arbiter}}));
    assert!(game(&again, &one.id).is_none() && has(&again["closed"], &one.id), "{again}");
}

#[test]
fn only_arbiters_and_hosts_see_the_overview() {
    let board = Board::start("overview-guard", &["--host", "chess.example"]);
    let game_of_others = board.create(&json!({
        "time_control": "600", "spectator_delay": 2, "white": {"person": "Ann"}, "black": {"person": "Bob"}
    }));
    let Match { id, white, arbiter, .. } = &game_of_others;
    for hello in [
        json!({}),
        json!({"games": {id: white}}),
        json!({"games": {id: "nothing"}, "tournaments": {id: arbiter}}),
        json!({"games": {"nothing": arbiter}}),
        // A server with a public name has no visitors from its own machine.
        json!({"all": true}),
    ] {
        assert_eq!(refused(&board, hello.clone()), "not_yours", "{hello}");
    }
    let many: serde_json::Map<String, Value> =
        (0..251).map(|number| (number.to_string(), json!(arbiter))).collect();
    assert_eq!(refused(&board, json!({ "games": many })), "too_many_games");
    let (mut socket, first) = overview(&board, json!({"games": {id: arbiter, "nothing": arbiter}}));
    assert!(game(&first, id).is_some() && has(&first["closed"], "nothing"), "{first}");
    socket.say(&json!({"act": {"act": "pause"}}));
    assert_eq!(socket.hear()["error"]["code"], "bad_message");
}

#[test]
fn the_machine_of_the_server_watches_all_games_and_no_more() {
    let board = Board::start("overview-all", &[]);
    let watched = board.create(&json!({
        "time_control": "600", "spectator_delay": 1, "white": {"person": "Ann"}, "black": {"person": "Bob"}
    }));
    watched.play_all("e2e4 e7e5");
    let (mut socket, first) = overview(&board, json!({"all": true}));
    let shown = game(&first, &watched.id).expect("the game");
    assert_eq!((&shown["role"], &shown["can"]), (&json!("spectator"), &json!([])));
    assert_eq!((&shown["last_san"], &shown["white_lag_ms"]), (&json!("e4"), &Value::Null), "{shown}");
    // A game that begins later appears by itself.
    let later = board.pair("60");
    let shown = wait_for(&mut socket, &later.id, |_| true);
    assert_eq!(shown["role"], "spectator");
}

#[test]
fn the_host_of_a_tournament_is_the_arbiter_of_all_its_games() {
    let board = Board::start("overview-host", &[]);
    let request = json!({
        "name": "Club", "format": {"round_robin": {"double": false}}, "begin": "at_once",
        "game": {"time_control": "600"}
    });
    let made = board.post("/api/tournaments", &request).json();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let (id, host) = (text(&made["id"]), text(&made["tokens"]["host"]));
    let act = |token: &str, act: Value| {
        let answer = board.ask(
            "POST",
            &format!("/api/tournaments/{id}/acts"),
            Some(token),
            Some(&json!({ "act": act })),
        );
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let player = |name: &str| {
        let link = text(&act(&host, json!({"act": "invite"}))["token"]);
        text(&act(&link, json!({"act": "join", "name": name}))["token"])
    };
    let tokens = ["Ann", "Bob", "Cid", "Dan"].map(player);
    let (mut socket, first) = overview(&board, json!({"tournaments": {&id: &host}}));
    assert_eq!((&first["games"], &first["tournaments"]), (&json!([]), &json!([{"id": id, "name": "Club"}])));
    assert_eq!(refused(&board, json!({"tournaments": {&id: &tokens[0]}})), "not_yours");
    act(&host, json!({"act": "start"}));
    let message =
        socket.hear_until(|message| message["games"].as_array().is_some_and(|games| !games.is_empty()));
    let games = message["games"].as_array().expect("the games");
    let places: Vec<_> = games.iter().map(|game| (&game["tournament"]["round"], &game["role"])).collect();
    assert_eq!(places, [(&json!(1), &json!("arbiter")); 2]);
    // The token of the host is that of the arbiter.
    let act = json!({"act": {"act": "pause"}});
    let path = format!("/api/games/{}/acts", text(&games[0]["id"]));
    assert_eq!(board.ask("POST", &path, Some(&host), Some(&act)).status, 200);
    wait_for(&mut socket, &text(&games[0]["id"]), |game| game["phase"] == "paused");
}

#[test]
fn an_arbiter_sees_the_connections_of_players() {
    let board = Board::start("overview-lag", &[]);
    let pair = board.pair("600");
    let (mut overview, _) = overview(&board, json!({"games": {&pair.id: &pair.arbiter}}));
    let mut white = Socket::open(&board, &pair.path("/socket"));
    white.say(&json!({"hello": {"token": pair.white, "lag": true}}));
    white.hear_until(|message| message["lag"]["white_ms"].is_u64());
    let shown = wait_for(&mut overview, &pair.id, |game| game["white_lag_ms"].is_u64());
    assert_eq!(shown["black_lag_ms"], Value::Null);
    drop(white);
    wait_for(&mut overview, &pair.id, |game| game["white_lag_ms"].is_null());
}
