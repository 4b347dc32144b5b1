//! Tournaments: participation, pairings, games, the table, and recovery after failures.

use super::client::{Answer, Board, PATIENCE, Socket, read_answer};
use crate::support::binary::run;
use serde_json::{Value, json};
use std::io::{BufReader, Read, Write};
use std::time::{Duration, Instant};

/// A tournament with the token of its host.
struct Event<'a> {
    board: &'a Board,
    id: String,
    host: String,
}

impl<'a> Event<'a> {
    fn create(board: &'a Board, format: Value, more: Value) -> Self {
        let mut request =
            json!({"name": "Club \"open\"", "format": format, "game": {"time_control": "600+5"}});
        for (name, value) in more.as_object().into_iter().flatten() {
            request[name] = value.clone();
        }
        let answer = board.post("/api/tournaments", &request);
        assert_eq!(answer.status, 201, "{}", answer.text());
        let made = answer.json();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        Self { board, id: text(&made["id"]), host: text(&made["tokens"]["host"]) }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/tournaments/{}{rest}", self.id)
    }

    fn ask(&self, token: &str, act: Value) -> Answer {
        self.board.ask("POST", &self.path("/acts"), Some(token), Some(&json!({ "act": act })))
    }

    /// Sends an act, which must be accepted.
    fn act(&self, token: &str, act: Value) -> Value {
        let answer = self.ask(token, act.clone());
        assert_eq!(answer.status, 200, "{act}: {}", answer.text());
        answer.json()
    }

    /// The status and the reason with which an act is refused.
    fn refused(&self, token: &str, act: Value) -> (u16, String) {
        let answer = self.ask(token, act.clone());
        assert!(answer.status >= 400, "{act} is accepted");
        (answer.status, answer.json()["code"].as_str().expect("a code").to_owned())
    }

    /// Lets a player join by a new invitation; returns the token of the player.
    fn join(&self, name: &str) -> String {
        let link =
            self.act(&self.host, json!({"act": "invite"}))["token"].as_str().expect("a token").to_owned();
        let state = self.act(&link, json!({"act": "join", "name": name}));
        assert_eq!(state["role"], "player");
        state["token"].as_str().expect("a token").to_owned()
    }

    fn state(&self, token: Option<&str>) -> Value {
        let answer = self.board.ask("GET", &self.path(""), token, None);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Waits until the state satisfies the condition.
    fn wait_for(&self, is_so: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let state = self.state(None);
            if is_so(&state) {
                return state;
            }
            assert!(begin.elapsed() < PATIENCE, "{state}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ends a game by the loser's resignation, or as a draw.
    fn decide_game(&self, pairing: &Value, tokens: &[String], result: &str) {
        let path = format!("/api/games/{}/acts", pairing["game"].as_str().expect("it has started"));
        let token = |side: &str| &tokens[pairing[side].as_u64().expect("a number") as usize - 1];
        let act = |token: &str, act: Value| {
            let answer = self.board.ask("POST", &path, Some(token), Some(&json!({ "act": act })));
            assert_eq!(answer.status, 200, "{act}: {}", answer.text());
        };
        act(token("white"), json!({"act": "move", "move": "e2e4"}));
        act(token("black"), json!({"act": "move", "move": "e7e5"}));
        match result {
            "1-0" => act(token("black"), json!({"act": "resign"})),
            "0-1" => act(token("white"), json!({"act": "resign"})),
            _ => {
                act(token("white"), json!({"act": "offer_draw"}));
                act(token("black"), json!({"act": "accept_draw"}));
            }
        }
    }
}

/// The names of the players, in the order of the table.
fn order(state: &Value) -> Vec<&str> {
    let rows = state["standings"].as_array().expect("rows");
    let name = |row: &Value| {
        state["players"][row["player"].as_u64().expect("a number") as usize - 1]["name"].as_str()
    };
    rows.iter().map(|row| name(row).expect("a name")).collect()
}

#[test]
fn a_round_robin_is_played_to_its_end() {
    let board = Board::start("tournament", &[]);
    let event = Event::create(&board, json!({"round_robin": {}}), json!({}));
    let tokens: Vec<String> = ["Ann", "Bob", "Cid"].iter().map(|name| event.join(name)).collect();
    let (mut socket, hello) =
        (Socket::open(&board, &event.path("/socket")), json!({"hello": {"token": tokens[0]}}));
    socket.say(&hello);
    assert_eq!(socket.hear()["state"]["player"], 1);
    let state = event.act(&event.host, json!({"act": "start"}));
    assert_eq!((&state["phase"], &state["round_count"]), (&json!("playing"), &json!(3)));
    socket.hear_until(|message| message["state"]["phase"] == "playing");
    // Bob beats Cid, Ann draws with Bob, and Cid beats Ann: who has beaten whom decides.
    for round in 1..=3 {
        let state =
            event.wait_for(|state| state["rounds"].as_array().is_some_and(|rounds| rounds.len() == round));
        let pairing = &state["rounds"][round - 1][0];
        let names = [&pairing["white"], &pairing["black"]].map(|number| number.as_u64().expect("a number"));
        let result = match names {
            [2, 3] => "1-0",
            [3, 2] => "0-1",
            [3, 1] => "1-0",
            [1, 3] => "0-1",
            _ => "1/2-1/2",
        };
        event.decide_game(pairing, &tokens, result);
    }
    let over = event.wait_for(|state| state["phase"] == "over");
    assert_eq!(order(&over), ["Bob", "Cid", "Ann"], "{over}");
    let row = &over["standings"][0];
    assert_eq!((&row["points"], &row["place"]), (&json!(1.5), &json!(1)));
    assert_eq!(over["tie_breaks"], json!(["direct_encounter", "sonneborn_berger", "wins"]));
    assert!(row["games"].as_array().is_some_and(|games| games.len() == 2), "{row}");
    socket.hear_until(|message| message["state"]["phase"] == "over");
    // One file with all games, which other programs read.
    let pgn = board.get(&event.path("/pgn"));
    assert_eq!(pgn.header("content-type"), Some("application/x-chess-pgn"));
    let text = pgn.text();
    for part in [
        "[Event \"Club \\\"open\\\"\"]",
        "[Round \"1.1\"]",
        "[Round \"3.1\"]",
        "[White \"Ann\"]",
        "[Result \"1/2-1/2\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let checked = run(&["pgn", "crosstable", "--json", "-"], text.as_bytes());
    let table: Value =
        serde_json::from_str(checked.out.lines().next().unwrap_or_default()).unwrap_or_default();
    assert!(checked.code == Some(0) && checked.out.contains("Bob"), "{checked:?} {table}");
    let second = board.get(&event.path("/rounds/2/pgn")).text();
    assert!(second.contains("[Round \"2.1\"]") && !second.contains("[Round \"1.1\"]"), "{second}");
    assert_eq!(board.get(&event.path("/rounds/4/pgn")).status, 404);
    let list = board.get("/api/tournaments").json();
    assert_eq!((&list[0]["name"], &list[0]["phase"]), (&json!("Club \"open\""), &json!("over")));
}

#[test]
fn games_of_a_tournament_know_it() {
    let board = Board::start("tournament-game", &[]);
    let event = Event::create(&board, json!({"round_robin": {"double": true}}), json!({}));
    let tokens = [event.join("Ann"), event.join("Bob")];
    let state = event.act(&event.host, json!({"act": "start"}));
    let id = state["rounds"][0][0]["game"].as_str().expect("it has started").to_owned();
    let game = |token: &str| board.ask("GET", &format!("/api/games/{id}"), Some(token), None).json();
    let seen = game(&tokens[0]);
    assert_eq!((&seen["role"], &seen["phase"]), (&json!("white"), &json!("playing")));
    assert_eq!(seen["tournament"], json!({"id": event.id, "name": "Club \"open\"", "round": 1, "board": 1}));
    let can = |state: &Value| state["can"].as_array().expect("a list").clone();
    assert!(!can(&seen).contains(&json!("abort")), "{seen}");
    assert!(can(&game(&event.host)).contains(&json!("adjudicate")), "the host is the arbiter");
    let act = |token: &str, rest: &str, body: Value| {
        board.ask("POST", &format!("/api/games/{id}{rest}"), Some(token), Some(&body))
    };
    let aborted = act(&tokens[0], "/acts", json!({"act": {"act": "abort"}}));
    assert_eq!((aborted.status, aborted.json()["code"].clone()), (409, json!("in_tournament")));
    let decision = json!({"act": {"act": "adjudicate", "winner": "black", "cause": "adjudication"}});
    assert_eq!(act(&event.host, "/acts", decision).status, 200);
    let again = act(&tokens[0], "/rematch", json!({}));
    assert_eq!((again.status, again.json()["code"].clone()), (409, json!("in_tournament")));
    // The second game has the colors swapped.
    let state = event.wait_for(|state| state["rounds"].as_array().is_some_and(|rounds| rounds.len() == 2));
    assert_eq!(state["rounds"][0][0]["result"], "0-1");
    assert_eq!((&state["rounds"][1][0]["white"], &state["rounds"][1][0]["black"]), (&json!(2), &json!(1)));
}

#[test]
fn what_was_acknowledged_survives_the_end_of_the_server() {
    let board = Board::start("tournament-kill", &[]);
    let swiss = json!({"swiss": {"rounds": 2}});
    let event = Event::create(&board, swiss, json!({"begin": "when_ready"}));
    let tokens: Vec<String> = ["Ann", "Bob", "Cid"].iter().map(|name| event.join(name)).collect();
    event.act(&event.host, json!({"act": "start"}));
    let state = event.state(None);
    // Three players: the last has a bye, which is a point.
    assert_eq!(
        state["rounds"][0][1],
        json!({"white": 3, "black": null, "white_ready": false, "black_ready": false, "game": null, "result": "1-0", "forfeit": false})
    );
    assert_eq!(order(&state)[0], "Cid");
    assert!(state["rounds"][0][0]["game"].is_null());
    assert_eq!(event.refused(&tokens[2], json!({"act": "ready"})), (409, "no_game".to_owned()));
    event.act(&tokens[0], json!({"act": "ready"}));
    let (id, host) = (event.id.clone(), event.host.clone());
    let board = Board::start_in(board.kill(), &[]);
    let event = Event { board: &board, id, host };
    let state = event.state(Some(&tokens[0]));
    assert_eq!((&state["player"], &state["rounds"][0][0]["white_ready"]), (&json!(1), &json!(true)));
    let state = event.act(&tokens[1], json!({"act": "ready"}));
    let pairing = state["rounds"][0][0].clone();
    assert!(pairing["game"].is_string(), "{state}");
    // The server is killed with a game in it, which goes on and counts.
    let (id, host) = (event.id.clone(), event.host.clone());
    let board = Board::start_in(board.kill(), &[]);
    let event = Event { board: &board, id, host };
    event.decide_game(&pairing, &tokens, "1-0");
    let state = event.wait_for(|state| state["rounds"].as_array().is_some_and(|rounds| rounds.len() == 2));
    assert_eq!(state["rounds"][0][0]["result"], "1-0");
    // The next bye is that of another player, and nobody meets again.
    let bye = state["rounds"][1]
        .as_array()
        .and_then(|round| round.iter().find(|pairing| pairing["black"].is_null()));
    assert_eq!(bye.expect("a bye")["white"], 2, "{state}");
    // Who was killed without a game has lost nothing: a third server has the same.
    let (id, host) = (event.id.clone(), event.host.clone());
    let board = Board::start_in(board.kill(), &[]);
    let event = Event { board: &board, id, host };
    assert_eq!(event.state(None)["rounds"], state["rounds"]);
}

#[test]
fn who_leaves_loses_what_is_not_played() {
    let board = Board::start("tournament-leave", &[]);
    let event = Event::create(&board, json!({"round_robin": {}}), json!({"begin": "when_ready"}));
    let tokens: Vec<String> = ["Ann", "Bob", "Cid", "Dan"].iter().map(|name| event.join(name)).collect();
    event.act(&event.host, json!({"act": "start"}));
    event.act(&tokens[3], json!({"act": "withdraw"}));
    assert_eq!(event.refused(&tokens[3], json!({"act": "withdraw"})), (409, "already_withdrawn".to_owned()));
    let state = event.state(None);
    assert_eq!(state["rounds"][0][0]["result"], "1-0", "Ann has White against Dan");
    assert_eq!(state["rounds"][0][0]["forfeit"], true);
    // The host decides what will not be played.
    for (round, board) in [(1, 2), (2, 1), (3, 1), (2, 2), (3, 2)] {
        let answer = event
            .ask(&event.host, json!({"act": "decide", "round": round, "board": board, "result": "1/2-1/2"}));
        assert!(matches!(answer.status, 200 | 409), "{}", answer.text());
    }
    let over = event.wait_for(|state| state["phase"] == "over");
    let last = over["standings"].as_array().and_then(|rows| rows.last()).expect("four players");
    assert_eq!((&last["player"], &last["points"]), (&json!(4), &json!(0.0)), "{over}");
    assert_eq!(over["players"][3]["withdrawn"], true);
    // Nothing was played: a game without moves stands for each pairing, in the words of the standard.
    let pgn = board.get(&event.path("/pgn")).text();
    let games: Vec<&str> = pgn.split_inclusive("\n\n").filter(|part| part.starts_with("[Event ")).collect();
    assert_eq!(games.len(), 6, "{pgn}");
    for part in
        ["[Round \"1.1\"]", "[White \"Ann\"]", "[Black \"Dan\"]", "[Result \"1-0\"]", "[PlyCount \"0\"]"]
    {
        assert!(games[0].contains(part), "{part}: {}", games[0]);
    }
    assert!(games[0].contains("[Termination \"rules infraction\"]"), "{}", games[0]);
    assert!(games[1].contains("[Termination \"adjudication\"]"), "{}", games[1]);
    assert!(
        pgn.contains("{White wins without a game.} 1-0") && pgn.contains("{A draw without a game.} 1/2-1/2")
    );
    let checked = run(&["pgn", "check", "-"], pgn.as_bytes());
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let second = board.get(&event.path("/rounds/2/pgn")).text();
    assert!(second.contains("[Round \"2.1\"]") && !second.contains("[Round \"1.1\"]"), "{second}");
}

#[test]
fn a_loss_of_both_and_a_bye_are_no_games_of_pgn() {
    let board = Board::start("tournament-forfeit", &[]);
    let event = Event::create(&board, json!({"swiss": {"rounds": 1}}), json!({"begin": "when_ready"}));
    for name in ["Ann", "Bob", "Cid"] {
        event.join(name);
    }
    event.act(&event.host, json!({"act": "start"}));
    event.act(&event.host, json!({"act": "decide", "round": 1, "board": 1, "result": "0-0"}));
    let pgn = board.get(&event.path("/pgn?follow=true")).text();
    assert_eq!(pgn.matches("[Event ").count(), 1, "a bye is no game: {pgn}");
    assert!(pgn.contains("[Result \"*\"]") && pgn.contains("{Both lose without a game.} *"), "{pgn}");
}

#[test]
fn an_arena_pairs_whoever_is_free() {
    let board = Board::start("tournament-arena", &[]);
    let event = Event::create(&board, json!({"arena": {"minutes": 5}}), json!({}));
    let mut tokens: Vec<String> = ["Ann", "Bob"].iter().map(|name| event.join(name)).collect();
    let state = event.act(&event.host, json!({"act": "start"}));
    assert_eq!((&state["phase"], &state["rounds"]), (&json!("playing"), &json!([[]])));
    assert!(state["left_ms"].as_u64().is_some_and(|left| (290_000..=300_000).contains(&left)), "{state}");
    let games = |count: usize| {
        move |state: &Value| {
            let games = state["rounds"][0].as_array().expect("games");
            games.iter().filter(|game| game["game"].is_string()).count() == count
        }
    };
    let state = event.wait_for(games(1));
    let game = state["rounds"][0][0].clone();
    let id = game["game"].as_str().expect("it has started");
    let seen = board.get(&format!("/api/games/{id}")).json();
    assert_eq!(seen["tournament"], json!({"id": event.id, "name": "Club \"open\"", "round": 0, "board": 1}));
    // Somebody comes while they play, and is not paired while she pauses.
    tokens.push(event.join("Cid"));
    event.act(&tokens[2], json!({"act": "pause"}));
    assert_eq!(event.refused(&tokens[0], json!({"act": "ready"})), (409, "no_game".to_owned()));
    let white = game["white"].as_u64().expect("a number") as usize;
    event.decide_game(&game, &tokens, "1-0");
    let state = event.wait_for(|state| state["rounds"][0][0]["result"] == "1-0");
    let first = &state["standings"][0];
    assert_eq!(
        (&first["player"], &first["points"], &first["streak"]),
        (&json!(white), &json!(2.0), &json!(false))
    );
    assert_eq!(first["games"][0]["points"], json!(2.0));
    let own = event.state(Some(&tokens[0]));
    assert_eq!(own["can"], json!(["ready", "pause", "withdraw"]), "{own}");
    // Those who say that they are back are paired again: the winner with whoever comes back first.
    event.act(&tokens[white - 1], json!({"act": "ready"}));
    event.act(&tokens[2], json!({"act": "ready"}));
    let state = event.wait_for(games(2));
    let second = &state["rounds"][0][1];
    let pair = [&second["white"], &second["black"]];
    assert!(pair.contains(&&json!(white)) && pair.contains(&&json!(3)), "{second}");
    let pgn = board.get(&event.path("/pgn")).text();
    assert!(pgn.contains("[Round \"-\"]") && pgn.matches("[Event ").count() == 2, "{pgn}");
    assert_eq!(event.refused(&event.host, json!({"act": "start"})), (409, "too_late".to_owned()));
    // The arena goes on where it was after a crash.
    let (id, host) = (event.id.clone(), event.host.clone());
    let board = Board::start_in(board.kill(), &[]);
    let event = Event { board: &board, id, host };
    event.decide_game(second, &tokens, "1/2-1/2");
    let state = event.wait_for(|state| state["rounds"][0][1]["result"] == "1/2-1/2");
    assert_eq!(state["standings"][0]["points"], json!(3.0));
    for (format, more, code) in [
        (json!({"arena": {"minutes": 0}}), json!({}), "bad_minutes"),
        (json!({"arena": {"minutes": 241}}), json!({}), "bad_minutes"),
        (json!({"arena": {"minutes": 5}}), json!({"begin": "when_ready"}), "bad_begin"),
    ] {
        let mut request = json!({"name": "Club", "format": format, "game": {"time_control": "60"}});
        request["begin"] = more["begin"].as_str().unwrap_or("at_once").into();
        let answer = board.post("/api/tournaments", &request);
        assert_eq!((answer.status, answer.json()["code"].as_str()), (400, Some(code)), "{request}");
    }
}

#[test]
fn who_closes_the_page_of_an_arena_is_not_paired() {
    let board = Board::start("tournament-left", &[]);
    let event = Event::create(&board, json!({"arena": {"minutes": 5}}), json!({}));
    let tokens: Vec<String> = ["Ann", "Bob"].iter().map(|name| event.join(name)).collect();
    let open = |token: &String| {
        let mut socket = Socket::open(&board, &event.path("/socket"));
        socket.say(&json!({"hello": {"token": token}}));
        socket.hear();
        socket
    };
    let pages = [open(&tokens[0]), open(&tokens[0])];
    event.act(&event.host, json!({"act": "start"}));
    let is_free = |player: usize| move |state: &Value| state["players"][player]["free"] == true;
    assert!(is_free(0)(&event.state(None)) && is_free(1)(&event.state(None)));
    let [first, second] = pages;
    drop(first);
    // Another page is open; the other player has none, like a program that needs none.
    std::thread::sleep(Duration::from_millis(200));
    assert!(is_free(0)(&event.state(None)), "a page is open");
    drop(second);
    let state = event.wait_for(|state| !is_free(0)(state));
    assert!(is_free(1)(&state) && state["rounds"] == json!([[]]), "{state}");
    assert_eq!(event.state(Some(&tokens[0]))["can"], json!(["ready", "pause", "withdraw"]));
    event.act(&tokens[0], json!({"act": "ready"}));
    event.wait_for(|state| state["rounds"][0][0]["game"].is_string());
}

#[test]
fn who_plays_berserk_in_an_arena_gets_one_point_more() {
    let board = Board::start("tournament-berserk", &[]);
    let event =
        Event::create(&board, json!({"arena": {"minutes": 5}}), json!({"game": {"time_control": "60+1"}}));
    let tokens: Vec<String> = ["Ann", "Bob"].iter().map(|name| event.join(name)).collect();
    event.act(&event.host, json!({"act": "start"}));
    let state = event.wait_for(|state| state["rounds"][0][0]["game"].is_string());
    let game = state["rounds"][0][0].clone();
    let path = format!("/api/games/{}/acts", game["game"].as_str().expect("it has started"));
    let player = |color: &str| &*tokens[game[color].as_u64().expect("a number") as usize - 1];
    let act = |board: &Board, color: &str, act: Value| {
        board.ask("POST", &path, Some(player(color)), Some(&json!({ "act": act })))
    };
    let seen = act(&board, "black", json!({"act": "berserk"})).json();
    assert_eq!(seen["clocks"]["berserk"], json!(["black"]), "{seen}");
    assert_eq!(seen["clocks"]["black_ms"], json!(30_000));
    assert!(!seen["can"].to_string().contains("berserk"), "{seen}");
    assert!(seen["events"].to_string().contains("Black halves the clock"), "{seen}");
    let moves = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6";
    let (id, host) = (event.id.clone(), event.host.clone());
    let mut board = board;
    for (ply, mv) in moves.split(' ').enumerate() {
        let color = if ply % 2 == 0 { "white" } else { "black" };
        assert_eq!(act(&board, color, json!({"act": "move", "move": mv})).status, 200, "{mv}");
        if ply == 3 {
            // A crash changes nothing about the clocks.
            board = Board::start_in(board.kill(), &[]);
            let seen = board.get(path.trim_end_matches("/acts")).json();
            assert_eq!(seen["clocks"]["berserk"], json!(["black"]), "{seen}");
            assert!(seen["clocks"]["black_ms"].as_u64().is_some_and(|left| left <= 30_000), "{seen}");
        }
    }
    assert_eq!(act(&board, "white", json!({"act": "berserk"})).json()["code"], "too_late");
    assert_eq!(act(&board, "white", json!({"act": "resign"})).status, 200);
    let event = Event { board: &board, id, host };
    let state = event.wait_for(|state| state["rounds"][0][0]["result"] == "0-1");
    let (first, second) = (&state["standings"][0], &state["standings"][1]);
    assert_eq!((&first["player"], &first["points"]), (&game["black"], &json!(3.0)));
    assert_eq!((&first["games"][0]["points"], &first["games"][0]["berserk"]), (&json!(3.0), &json!(true)));
    assert_eq!((&second["points"], &second["games"][0]["berserk"]), (&json!(0.0), &json!(false)));
    let other = board.pair("60+1");
    assert_eq!(other.act(&other.white, json!({"act": "berserk"})).json()["code"], "not_in_rules");
}

#[test]
fn engines_play_a_tournament_by_themselves() {
    let board = Board::start("tournament-engines", &[]);
    let swiss = json!({"swiss": {"rounds": 2}});
    let event = Event::create(&board, swiss, json!({"game": {"time_control": "1"}}));
    for level in ["Beginner", "Learner", "Beginner"] {
        event.act(&event.host, json!({"act": "add_engine", "level": level}));
    }
    let state = event.state(None);
    let names: Vec<&str> = state["players"]
        .as_array()
        .expect("players")
        .iter()
        .filter_map(|player| player["name"].as_str())
        .collect();
    assert!(names[2].ends_with("#2") && names[0] != names[2], "{names:?}");
    event.act(&event.host, json!({"act": "start"}));
    let over = event.wait_for(|state| state["phase"] == "over");
    let points: f64 =
        over["standings"].as_array().expect("rows").iter().filter_map(|row| row["points"].as_f64()).sum();
    assert_eq!(points, 4.0, "a point for each game and each bye: {over}");
    let games = board.get(&event.path("/pgn")).text();
    assert_eq!(games.matches("[WhiteType \"program\"]").count(), 2, "{games}");
}

#[test]
fn a_game_is_followed_as_it_grows() {
    let board = Board::start("tournament-follow", &[]);
    let event = Event::create(&board, json!({"round_robin": {}}), json!({}));
    let tokens = [event.join("Ann"), event.join("Bob")];
    let state = event.act(&event.host, json!({"act": "start"}));
    let pairing = state["rounds"][0][0].clone();
    let game = pairing["game"].as_str().expect("it has started");
    let paths = [
        format!("/api/games/{game}/pgn?follow=true"),
        event.path("/rounds/1/pgn?follow=true"),
        event.path("/pgn?follow=true"),
    ];
    let followers: Vec<_> = paths
        .iter()
        .map(|path| {
            let mut stream = BufReader::new(board.connect());
            let request =
                format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", board.address);
            stream.get_mut().write_all(request.as_bytes()).expect("it reads");
            // Something comes before the game ends.
            assert!(stream.read(&mut [0; 12]).is_ok_and(|count| count > 0), "{path}");
            stream
        })
        .collect();
    event.decide_game(&pairing, &tokens, "0-1");
    for (path, mut stream) in paths.iter().zip(followers) {
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("it ends by itself");
        let (first, last) = (text.find("[Result \"*\"]"), text.rfind("[Result \"0-1\"]"));
        assert!(first.is_some() && first < last, "{path}: {text}");
        assert!(text.to_lowercase().contains("content-type: application/x-chess-pgn"), "{path}: {text}");
    }
    let wrong = board.get(&format!("/api/games/{game}/pgn?follow=perhaps"));
    assert_eq!(wrong.status, 400, "{}", wrong.text());
}

#[test]
fn what_is_wrong_is_refused_and_told() {
    let board = Board::start("tournament-hostile", &[]);
    let all = json!({"round_robin": {}});
    let wrong = [
        json!({}),
        json!({"name": "", "format": all}),
        json!({"name": "a\nb", "format": all}),
        json!({"name": "x".repeat(101), "format": all}),
        json!({"name": "A", "format": {}}),
        json!({"name": "A", "format": {"knockout": {}}}),
        json!({"name": "A", "format": {"round_robin": {"triple": true}}}),
        json!({"name": "A", "format": {"swiss": {"rounds": 0}}}),
        json!({"name": "A", "format": {"swiss": {"rounds": 32}}}),
        json!({"name": "A", "format": {"swiss": {"rounds": -1}}}),
        json!({"name": "A", "format": {"swiss": {"rounds": 3}, "round_robin": {}}}),
        json!({"name": "A", "format": all, "begin": "never"}),
        json!({"name": "A", "format": all, "game": {"casual": true}}),
        json!({"name": "A", "format": all, "game": {"white": {"person": "Ann"}}}),
        json!({"name": "A", "format": all, "game": {"random_colors": true}}),
        json!({"name": "A", "format": all, "game": {"time_control": "?"}}),
        json!({"name": "A", "format": all, "game": {"countdown_s": 100_000}}),
        json!({"name": "A", "format": all, "game": {"spectator_delay": 1000}}),
        json!({"name": "A", "format": all, "game": {"start": {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}}}),
        json!({"name": "A", "format": all, "game": {"start": {"chess960": 960}}}),
        json!({"name": "A", "format": all, "prize": 100}),
        json!([]),
    ];
    for request in wrong {
        let answer = board.post("/api/tournaments", &request);
        assert_eq!(answer.status, 400, "{request}: {}", answer.text());
        assert!(
            answer.json()["error"].as_str().is_some_and(|text| text.len() > 5),
            "{request}: {}",
            answer.text()
        );
    }
    let event = Event::create(&board, json!({"swiss": {"rounds": 3}}), json!({}));
    let ann = event.join("Ann");
    let link = event.act(&event.host, json!({"act": "invite", "players": 1}))["token"]
        .as_str()
        .expect("a token")
        .to_owned();
    let cases = [
        (&event.host, json!({"act": "start"}), 409, "too_few_players"),
        (&event.host, json!({"act": "invite", "players": 0}), 400, "bad_invitation"),
        (&event.host, json!({"act": "invite", "players": 65}), 400, "bad_invitation"),
        (&event.host, json!({"act": "add_engine", "elo": 1}), 400, "bad_elo"),
        (&event.host, json!({"act": "add_engine", "level": "God"}), 400, "bad_level"),
        (&event.host, json!({"act": "remove", "player": 0}), 400, "bad_player"),
        (&event.host, json!({"act": "remove", "player": 2}), 400, "bad_player"),
        (&event.host, json!({"act": "withdraw"}), 400, "bad_player"),
        (&event.host, json!({"act": "join", "name": "Eve"}), 403, "seat_taken"),
        (&event.host, json!({"act": "ready"}), 403, "not_yours"),
        (&event.host, json!({"act": "decide", "round": 1, "board": 1, "result": "1-0"}), 400, "bad_board"),
        (&event.host, json!({"act": "decide", "round": 0, "board": 0, "result": "1-0"}), 400, "bad_board"),
        (&event.host, json!({"act": "decide", "round": 1, "board": 1, "result": "2-0"}), 400, "bad_result"),
        (&event.host, json!({"act": "dance"}), 400, "bad_json"),
        (&event.host, json!({"act": "remove", "player": -1}), 400, "bad_json"),
        (&ann, json!({"act": "start"}), 403, "not_yours"),
        (&ann, json!({"act": "invite"}), 403, "not_yours"),
        (&ann, json!({"act": "withdraw", "player": 1}), 403, "not_yours"),
        (&ann, json!({"act": "join", "name": "Ann again"}), 409, "already_there"),
        (&ann, json!({"act": "ready"}), 409, "no_game"),
        (&link, json!({"act": "join", "name": "ANN"}), 409, "name_taken"),
        (&link, json!({"act": "join", "name": " "}), 400, "name"),
        (&link, json!({"act": "withdraw"}), 403, "not_yours"),
    ];
    for (token, act, status, code) in cases {
        assert_eq!(event.refused(token, act.clone()), (status, code.to_owned()), "{act}");
    }
    // A link is good once, and worth nothing to others after that.
    event.act(&link, json!({"act": "join", "name": "Bob"}));
    assert_eq!(event.refused(&link, json!({"act": "join", "name": "Eve"})), (403, "seat_taken".to_owned()));
    let stale = json!({"version": 1, "act": {"act": "start"}});
    let answer = board.ask("POST", &event.path("/acts"), Some(&event.host), Some(&stale));
    assert_eq!((answer.status, answer.json()["code"].clone()), (409, json!("stale")));
    // Two players have one game, and not three rounds.
    assert_eq!(event.refused(&event.host, json!({"act": "start"})), (409, "too_few_players".to_owned()));
    let nobody = board.ask("POST", &event.path("/acts"), None, Some(&json!({"act": {"act": "start"}})));
    assert_eq!(nobody.status, 401);
    let stranger = board.ask("GET", &event.path(""), Some("AAAAAAAAAAAAAAAAAAAAAA"), None);
    assert_eq!((stranger.status, stranger.json()["code"].clone()), (401, json!("unknown_token")));
    for path in [
        "/api/tournaments/x",
        "/api/tournaments/AAAAAAAAAAAAAAAAAAAAAA",
        "/api/tournaments/AAAAAAAAAAAAAAAAAAAAAA/pgn",
    ] {
        assert_eq!(
            (board.get(path).status, board.get(path).json()["code"].clone()),
            (404, json!("not_found")),
            "{path}"
        );
    }
    assert_eq!(board.get(&event.path("/rounds/x/pgn")).status, 400);
    // Who talks on the socket, or has another token, is cut off.
    for first in [json!({"hello": {"token": "AAAAAAAAAAAAAAAAAAAAAA"}}), json!({"act": {"act": "start"}})] {
        let mut socket = Socket::open(&board, &event.path("/socket"));
        socket.say(&first);
        assert!(socket.hear_all()[0]["error"]["code"].is_string());
    }
    let mut stream = BufReader::new(board.connect());
    let request = format!("GET {} HTTP/1.1\r\nHost: evil.example\r\n\r\n", event.path(""));
    stream.get_mut().write_all(request.as_bytes()).expect("it reads");
    assert_eq!(read_answer(&mut stream).expect("it answers").status, 403);
}

#[test]
fn openings_are_found_and_sorted() {
    let board = Board::start("openings", &[]);
    let ask = |query: &str| {
        let answer = board.get(&format!("/api/openings?{query}"));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let found = ask("text=najdorf&limit=500");
    let rows = found["rows"].as_array().expect("rows");
    assert!(rows.len() > 10 && found["count"] == rows.len(), "{}", rows.len());
    assert!(rows.iter().all(|row| row["name"].as_str().is_some_and(|name| name.contains("Najdorf"))));
    let key = |rows: &Value, name: &str| -> Vec<String> {
        rows["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row[name].as_str().expect("a text").to_owned())
            .collect()
    };
    for (sort, name) in [("eco", "eco"), ("name", "name"), ("moves", "moves")] {
        let values = key(&ask(&format!("sort={sort}&limit=500")), name);
        assert!(values.len() == 500 && values.is_sorted(), "{sort}");
    }
    let by_moves = ask("text=1.%20e4%20c5%202.%20Nf3%20d6&sort=moves&limit=1");
    assert_eq!(by_moves["rows"][0]["moves"], "1. e4 c5 2. Nf3 d6");
    let (all, rest) = (ask("limit=3"), ask("skip=2&limit=1"));
    assert_eq!(all["rows"][2], rest["rows"][0]);
    for query in ["sort=size", "limit=-1", "texts=a"] {
        assert_eq!(board.get(&format!("/api/openings?{query}")).status, 400, "{query}");
    }
    assert_eq!(ask("text=there%20is%20none")["count"], 0);
}
