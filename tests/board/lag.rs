//! The round-trip times of the players' connections.

use super::client::{Board, Socket};
use serde_json::{Value, json};

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
