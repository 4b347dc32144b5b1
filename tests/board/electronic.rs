//! Electronic boards, which report their pieces.

use super::client::{Board, Match};
use crate::support;
use crate::support::binary::has;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const AFTER_F3: &str = "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR";
const AFTER_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR";
const AFTER_G4: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR";

fn report(board: &Board, game: &Match<'_>, token: Option<&str>, pieces: &str) -> (u16, Value) {
    let answer = board.ask("POST", &game.path("/pieces"), token, Some(&json!({"pieces": pieces})));
    (answer.status, answer.json())
}

#[test]
fn an_electronic_board_moves_by_its_pieces() {
    let board = Board::start("electronic", &[]);
    let game = board.pair("600");
    let white = Some(game.white.as_str());
    let squares = |answer: &Value| -> Vec<String> {
        let differences = answer["differences"].as_array().expect("a list");
        differences.iter().filter_map(|difference| Some(difference["square"].as_str()?.to_owned())).collect()
    };
    // All pieces stand, and one has been lifted.
    let (status, answer) = report(&board, &game, white, START);
    assert_eq!((status, &answer["move"], squares(&answer).len()), (200, &Value::Null, 0));
    let (_, answer) = report(&board, &game, white, "rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR");
    assert_eq!(answer["differences"], json!([{"square": "f2", "found": null, "expected": "P"}]));
    // The opponent and spectators move nothing by it, the player does.
    for token in [Some(game.black.as_str()), Some(game.arbiter.as_str()), None] {
        let (status, answer) = report(&board, &game, token, AFTER_F3);
        assert_eq!((status, &answer["move"]), (200, &Value::Null));
        assert_eq!(squares(&answer), ["f2", "f3"]);
    }
    let (_, answer) = report(&board, &game, white, AFTER_F3);
    assert_eq!((&answer["move"], &answer["state"]["turn"]), (&json!("f2f3"), &json!("black")));
    // The answer must be made on the electronic board.
    game.play(&game.black, "e7e5");
    let (_, answer) = report(&board, &game, white, AFTER_F3);
    assert_eq!((squares(&answer), &answer["move"]), (vec!["e5".to_owned(), "e7".to_owned()], &Value::Null));
    let (_, answer) = report(&board, &game, white, AFTER_E5);
    assert!(squares(&answer).is_empty() && answer["move"].is_null(), "{answer}");
    let (status, answer) = report(&board, &game, white, "8/8");
    assert_eq!(status, 400, "{answer}");
    assert!(answer["error"].as_str().is_some_and(|text| text.contains("2 ranks")), "{answer}");
}

#[test]
fn a_driver_is_connected_to_a_game() {
    if !has("python3") {
        return support::skip("no python3");
    }
    let board = Board::start("electronic-driver", &[]);
    let game = board.pair("600");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/electronic_board.py");
    let mut program = Command::new("python3")
        .arg(script)
        .args([format!("http://{}", board.address), game.id.clone(), game.white.clone()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut driver = program.stdin.take().expect("it reads");
    let mut lines = BufReader::new(program.stdout.take().expect("it writes")).lines();
    let mut next = || lines.next().expect("a line").expect("it is UTF-8");
    writeln!(driver, "{AFTER_F3}").expect("it reads");
    assert_eq!(next(), "played f2f3");
    game.play(&game.black, "e7e5");
    assert_eq!(next(), "set e5: expected a black pawn, found nothing");
    assert_eq!(next(), "set e7: expected nothing, found a black pawn");
    writeln!(driver, "{AFTER_E5}\n{AFTER_G4}").expect("it reads");
    assert_eq!(next(), "played g2g4");
    game.play(&game.black, "d8h4");
    assert_eq!(next(), "set h4: expected a black queen, found nothing");
    assert_eq!(next(), "set d8: expected nothing, found a black queen");
    assert_eq!(next(), "Black mates");
    assert!(super::client::ended(&mut program).success());
}
