//! The round-trip times of the players' connections.

use super::client::{Board, Socket};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

/// The kind of a WebSocket frame that answers a ping.
const PONG: u8 = 10;

/// The times are measured with the pings of the server; they are sent to players and arbiters who ask for them.
#[test]
fn players_see_the_round_trip_times() {
    let board = Board::start("lag", &[]);
    let game_of_two = board.pair("600");
    let path = game_of_two.path("/socket");
    let greet = |token: Option<&str>, lag: bool| {
        let mut socket = Socket::open(&board, &path);
        socket.say(&json!({"hello": {"token": token, "lag": lag}}));
        socket.hear();
        socket
    };
    let mut spectator = greet(None, true);
    let mut silent = greet(Some(&game_of_two.arbiter), false);
    // Black sends answers that no ping has asked for, and reads nothing.
    let mut black = Socket::open(&board, &path);
    black.say(&json!({"hello": {"token": game_of_two.black, "lag": true}}));
    black.send(PONG, b"");
    black.send(PONG, &[0; 8]);
    let mut white = greet(Some(&game_of_two.white), true);
    let told = white.hear_until(|message| message["lag"]["white_ms"].is_u64());
    assert_eq!(told["lag"]["black_ms"], Value::Null);
    black.hear_until(|message| message["lag"]["black_ms"].is_u64());
    white.hear_until(|message| message["lag"]["black_ms"].is_u64());
    // A closed page has none.
    drop(black);
    let told = white.hear_until(|message| message["lag"]["black_ms"].is_null() && message["lag"].is_object());
    assert!(told["lag"]["white_ms"].is_u64(), "{told}");
    game_of_two.act(&game_of_two.arbiter, json!({"act": "pause"}));
    for socket in [&mut spectator, &mut silent] {
        let mut has_lag = false;
        socket.hear_until(|message| {
            has_lag |= message.get("lag").is_some();
            message["state"]["phase"] == "paused"
        });
        assert!(!has_lag, "it has not asked, or only watches");
    }
}

/// The server takes the measured time, up to the limit of the game, as a time of each move that is not charged.
#[test]
fn lag_is_made_up_for_up_to_the_limit_of_the_game() {
    const SLOW: Duration = Duration::from_millis(400);
    const LIMIT_MS: u64 = 300;
    let board = Board::start("lag-compensation", &[]);
    let refused = board.post("/api/games", &json!({"lag_compensation_ms": 2001}));
    assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!("bad_lag_compensation")));
    let pair = board.create(&json!({
        "time_control": "600", "lag_compensation_ms": LIMIT_MS, "white": {"person": "Ann"}, "black": {"person": "Bob"}
    }));
    let compensations = || {
        let clocks = pair.state(None)["clocks"].clone();
        (clocks["white_compensation_ms"].clone(), clocks["black_compensation_ms"].clone())
    };
    let mut white = Socket::open(&board, &pair.path("/socket"));
    white.say(&json!({"hello": {"token": pair.white, "lag": true}}));
    // A client answers a ping when it reads it.
    thread::sleep(SLOW);
    white.hear_until(|message| message["lag"]["white_ms"].as_u64() >= Some(LIMIT_MS));
    // In a turn that has begun the clock is not changed, and no act comes too late by it.
    assert_eq!(compensations(), (json!(0), json!(0)));
    let version = pair.state(None)["version"].clone();
    let body = json!({"version": version, "act": {"act": "move", "move": "e2e4"}});
    let moved = board.ask("POST", &pair.path("/acts"), Some(&pair.white), Some(&body));
    assert_eq!(moved.status, 200, "{}", moved.text());
    assert_eq!(compensations(), (json!(LIMIT_MS), json!(0)));
    pair.play(&pair.black, "e7e5");
    let journal = board.ask("GET", &pair.path("/journal"), Some(&pair.arbiter), None).text();
    assert_eq!(journal.matches("compensate_lag").count(), 1, "{journal}");
    let state = pair.state(None);
    assert_eq!(state["rules"]["lag_compensation_ms"], json!(LIMIT_MS));
    assert!(state["clocks"]["delay_ms"].as_u64() <= Some(LIMIT_MS), "{state}");
    let act = json!({"act": "compensate_lag", "side": "black", "time_ms": 1});
    let refused = pair.act(&pair.arbiter, act);
    assert_eq!((refused.status, refused.json()["code"].clone()), (403, json!("not_yours")));
    // A closed page has no lag.
    drop(white);
    pair.wait_for(None, |state| !state["seats"]["white"]["away_ms"].is_null());
    assert_eq!(compensations(), (json!(LIMIT_MS), json!(0)));
    pair.play(&pair.white, "g1f3");
    assert_eq!(compensations(), (json!(0), json!(0)));
}
