//! Opening books of the computer, chosen for each game.

use super::client::{Board, Match};
use crate::support::binary::{folder, run};
use hematite::chess::Color;
use serde_json::{Value, json};
use std::path::Path;

/// Makes a book of these games in a folder, and returns its path.
fn book(place: &Path, name: &str, games: &str) -> String {
    let source = place.join(format!("{name}.pgn"));
    std::fs::write(&source, games).expect("it can be written");
    let path = place.join(name).to_str().expect("it is UTF-8").to_owned();
    let source = source.to_str().expect("it is UTF-8");
    let made = run(&["book", "make", "--min-games", "1", "--output", &path, source], b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    path
}

fn plies(count: usize) -> impl Fn(&Value) -> bool {
    move |state| state["plies"].as_array().map(Vec::len) == Some(count)
}

/// A move that no level plays by itself: Black wins after 1. a4, and loses a rook on the way.
const GAME: &str = "[Result \"0-1\"]\n\n1. a4 h5 2. b4 h4 0-1\n\n";

fn against(book: &Value) -> Value {
    let black = json!({"engine": {"elo": 1000, "book": book}});
    json!({"time_control": "600+5", "white": {"person": "Ann"}, "black": black})
}

#[test]
fn the_computer_plays_by_its_book_until_it_ends() {
    let place = folder("board-books-source");
    let book = book(&place, "odd.bin", GAME);
    let board = Board::start("books", &["--book", &book]);
    let game = board.create(&against(&json!("odd.bin")));
    assert_eq!(game.state(None)["seats"]["black"]["book"], "odd.bin");
    assert_eq!(game.state(None)["seats"]["white"]["book"], Value::Null);
    game.play(&game.white, "a2a4");
    let state = game.wait_for(None, plies(2));
    assert_eq!(state["plies"][1]["san"], "h5");
    // It plays at once what it need not think about, and not within no time.
    let spent = state["plies"][1]["spent_ms"].as_u64().expect("a time");
    assert!((250..5000).contains(&spent), "{spent}");
    game.play(&game.white, "b2b4");
    assert_eq!(game.wait_for(None, plies(4))["plies"][3]["san"], "h4");
    // The book has no more moves.
    game.play(&game.white, "b4b5");
    game.wait_for(None, plies(6));
    let pgn = board.get(&game.path("/pgn")).text().replace('\n', " ");
    let comments: Vec<&str> = pgn.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
    let is_book: Vec<bool> = comments.iter().map(|comment| comment.ends_with("] book")).collect();
    assert_eq!(is_book, [false, true, false, true, false, false], "{pgn}");
    // The rematch has the same book on the other side.
    assert_eq!(game.act(&game.white, json!({"act": "resign"})).status, 200);
    let again = board.ask("POST", &game.path("/rematch"), Some(&game.white), None).json();
    let id = again["rematch"]["id"].as_str().expect("it agrees at once");
    let state = board.get(&format!("/api/games/{id}")).json();
    assert_eq!(state["seats"]["white"]["book"], "odd.bin");
}

#[test]
fn a_game_goes_on_without_its_book() {
    let place = folder("board-books-lost-source");
    let book = book(&place, "odd.bin", GAME);
    let board = Board::start("books-lost", &["--book", &book]);
    let game = board.create(&against(&json!("odd.bin")));
    game.play(&game.white, "a2a4");
    assert_eq!(game.wait_for(None, plies(2))["plies"][1]["san"], "h5");
    let (id, white) = (game.id.clone(), game.white.clone());
    std::fs::remove_file(&book).expect("it can be removed");
    // Started again with the book, which is still named, the computer would play h4.
    let board = Board::start_in(board.kill(), &[]);
    let made = json!({"id": id, "tokens": {"white": white}});
    let game = Match::new(&board, &made);
    let state = game.state(None);
    assert_eq!(
        (&state["seats"]["black"]["book"], state["phase"].as_str()),
        (&json!("odd.bin"), Some("playing"))
    );
    game.play(&game.white, "b2b4");
    game.wait_for(None, plies(4));
    // New games need a book that is there.
    let refused = board.post("/api/games", &against(&json!("odd.bin")));
    assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!("bad_book")));
    assert!(refused.text().contains("found `odd.bin`, expected none"), "{}", refused.text());
}

#[test]
fn books_have_names_of_their_own() {
    let place = folder("board-books-two-source");
    let other = place.join("other");
    std::fs::create_dir(&other).expect("it can be made");
    let first = book(&place, "odd.bin", GAME);
    let second = book(&other, "odd.bin", "[Result \"1-0\"]\n\n1. h4 a5 1-0\n\n");
    let board = Board::start("books-two", &["--book", &first, "--book", &second, "--book", &first]);
    assert_eq!(board.get("/api/about").json()["books"], json!(["odd.bin", second, first]));
    let ask = |body: &Value| board.post("/api/book", body);
    assert_eq!(ask(&json!({"moves": ["a4"]})).json()[0]["san"], "h5");
    assert_eq!(ask(&json!({"book": second})).json()[0]["san"], "h4");
    let refused = ask(&json!({"book": "x.bin"}));
    let text = format!("book: found `x.bin`, expected one of odd.bin, {second}");
    assert!(refused.status == 400 && refused.text().contains(&text), "{}", refused.text());
    let refused = board.post("/api/games", &against(&json!("x.bin")));
    assert!(refused.status == 400 && refused.text().contains(&text), "{}", refused.text());
}

#[test]
fn a_book_knows_positions_of_chess960() {
    let place = folder("board-books-960-source");
    let start = "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAha - 0 1";
    let games = format!(
        "[Result \"1-0\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n\n1. O-O-O 1-0\n\n"
    );
    let book = book(&place, "castling.bin", &games);
    let board = Board::start("books-960", &["--book", &book]);
    let white = json!({"engine": {"elo": 1000, "book": "castling.bin"}});
    let game = board.create(&json!({"start": {"fen": start}, "white": white, "black": {"person": "Ann"}}));
    let state = game.wait_for(None, plies(1));
    assert_eq!((&state["plies"][0]["san"], &state["plies"][0]["uci"]), (&json!("O-O-O"), &json!("b1a1")));
    assert_eq!(state["rules"]["chess960"], true);
}

#[test]
fn computers_of_tournaments_play_by_books() {
    let place = folder("board-books-tournament-source");
    let book = book(&place, "odd.bin", "[Result \"1/2-1/2\"]\n\n1. a4 h5 2. b4 1/2-1/2\n\n");
    let board = Board::start("books-tournament", &["--book", &book]);
    let request = json!({"name": "Books", "format": {"round_robin": {}}, "game": {"time_control": "600+5"}});
    let created = board.post("/api/tournaments", &request).json();
    let host = created["tokens"]["host"].as_str().expect("a token");
    let path = format!("/api/tournaments/{}", created["id"].as_str().expect("a name"));
    let act = |act: Value| board.ask("POST", &format!("{path}/acts"), Some(host), Some(&json!({"act": act})));
    let refused = act(json!({"act": "add_engine", "level": "Beginner", "book": "x.bin"}));
    assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!("bad_book")));
    for _ in Color::ALL {
        let added = act(json!({"act": "add_engine", "level": "Beginner", "book": "odd.bin"}));
        assert_eq!(added.status, 200, "{}", added.text());
    }
    let state = act(json!({"act": "start"})).json();
    assert_eq!(state["players"][1]["book"], "odd.bin");
    let id = board.get(&path).json()["rounds"][0][0]["game"].as_str().expect("a game").to_owned();
    let game = Match::new(&board, &json!({"id": id, "tokens": {}}));
    let state = game.wait_for(None, |state| state["plies"].as_array().is_some_and(|plies| plies.len() >= 3));
    let moves: Vec<&str> = (0..3).filter_map(|ply| state["plies"][ply]["san"].as_str()).collect();
    assert_eq!(moves, ["a4", "h5", "b4"]);
}
