//! Articles of the rules for online games that the server implements instead of the zone: what is shown to each role,
//! and by which means moves are made. Each test has the name of its article; tests of the screen are in
//! `tests/python/board_page.py`.

use super::client::{Answer, Board, Match};
use serde_json::{Value, json};

const FOOLS_MATE: &str = "f2f3 e7e5 g2g4 d8h4";

fn sans(state: &Value) -> Vec<&str> {
    let plies = state["plies"].as_array().expect("a list of moves");
    plies.iter().map(|ply| ply["san"].as_str().expect("a move")).collect()
}

/// The state as White, Black, the arbiter and a spectator see it.
fn seen_by_all(game: &Match<'_>) -> [Value; 4] {
    [Some(&game.white), Some(&game.black), Some(&game.arbiter), None]
        .map(|token| game.state(token.map(|token| token.as_str())))
}

#[test]
fn online_2_1_and_2_2_the_board_is_an_application_of_its_own() {
    let board = Board::start("article-2-1", &[]);
    let page = board.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(
        page.header("content-security-policy").is_some_and(|policy| policy.contains("default-src 'self'"))
    );
    let text = page.text();
    assert!(!text.contains("http://") && !text.contains("https://"), "nothing comes from elsewhere: {text}");
}

#[test]
fn online_2_3_the_moves_are_known_to_players_and_arbiter_at_any_time() {
    let board = Board::start("article-2-3", &[]);
    let game = board.pair("600");
    let moves: Vec<&str> = FOOLS_MATE.split(' ').collect();
    for (made, expected) in
        [&[][..], &["f3"], &["f3", "e5"], &["f3", "e5", "g4"], &["f3", "e5", "g4", "Qh4#"]].iter().enumerate()
    {
        if made > 0 {
            game.play(if made % 2 == 1 { &game.white } else { &game.black }, moves[made - 1]);
        }
        for state in seen_by_all(&game) {
            assert_eq!(sans(&state), *expected, "{}", state["role"]);
        }
    }
}

#[test]
fn online_2_4_a_practice_game_needs_no_clock_and_no_opponent() {
    let board = Board::start("article-2-4", &[]);
    let game = board.create(&json!({"casual": true, "time_control": "-", "white": {"person": "Ann"}, "black": {"engine": {"level": "beginner"}}}));
    game.play(&game.white, "e2e4");
    let state = game
        .wait_for(Some(&game.white), |state| state["plies"].as_array().is_some_and(|plies| plies.len() == 2));
    assert!(state["clocks"]["white_ms"].is_null() && state["turn"] == "white", "{state}");
}

#[test]
fn online_3_2_and_3_4_all_means_of_moving_are_equal() {
    let board = Board::start("article-3-4", &[]);
    // Over HTTP, as programs do it, and on a socket, as the page does it for mouse, finger, keys and typed moves.
    let made = |play: &dyn Fn(&Match<'_>)| {
        let game = board.pair("-");
        play(&game);
        let state = game.state(None);
        (sans(&state).join(" "), state["fen"].clone())
    };
    let over_http = made(&|game| drop(game.play(&game.white, "g1f3")));
    let on_socket = made(&|game| {
        let (mut socket, _) = game.socket(Some(&game.white));
        socket.say(&json!({"act": {"act": "move", "move": "g1f3"}, "id": 1}));
        socket.answer(1);
    });
    assert_eq!(over_http.0, "Nf3");
    assert_eq!(on_socket, over_http);
}

#[test]
fn online_3_5_a_source_and_a_target_square_are_enough() {
    let board = Board::start("article-3-5", &[]);
    let game = board.pair("-");
    let code = |answer: Answer| (answer.status, answer.json()["code"].clone());
    // Every legal move is offered by its two squares, and nothing else is taken.
    let state = game.state(Some(&game.white));
    let legal = state["legal"].as_array().expect("legal moves");
    assert_eq!(legal.len(), 20);
    assert!(legal.iter().all(|mv| mv["uci"].as_str().is_some_and(|uci| uci.len() == 4)), "{legal:?}");
    for mv in ["e2", "e2e5", "e7e5", "e2 e4 e5"] {
        let (status, _) = code(game.act(&game.white, json!({"act": "move", "move": mv})));
        assert!((400..500).contains(&status), "{mv}: {status}");
    }
    game.play(&game.white, "e2e4");
}

#[test]
fn online_4_1_the_times_of_both_are_shown_to_all() {
    let board = Board::start("article-4-1", &[]);
    let game = board.pair("600+5");
    game.play_all("e2e4 e7e5");
    let times =
        |state: &Value| ["white_ms", "black_ms"].map(|name| state["clocks"][name].as_u64().expect("a clock"));
    let [first, rest @ ..] = seen_by_all(&game);
    let [white, black] = times(&first);
    for state in rest {
        let [later, waiting] = times(&state);
        // White's runs, Black's stands; they are asked one after the other.
        assert!(later <= white && white < later + 60_000, "{}: {later} of {white} ms", state["role"]);
        assert_eq!(waiting, black, "{}", state["role"]);
    }
}
