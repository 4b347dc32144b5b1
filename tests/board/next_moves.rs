//! The moves of a position, which the page shows beside the board: of a file, of the openings with a name, of a book.

use super::client::Board;
use crate::support::binary::{folder, run};
use serde_json::{Value, json};

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
                     [White \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n\
                     [White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n";

/// The values of a field.
fn all<'a>(rows: &'a Value, name: &str) -> Vec<&'a Value> {
    rows.as_array().expect("rows").iter().map(|row| &row[name]).collect()
}

#[test]
fn the_next_moves_come_from_games_names_and_books() {
    let place = folder("board-next-moves-source");
    let (games, book) = (place.join("games.pgn"), place.join("white.bin"));
    std::fs::write(&games, GAMES).expect("it can be written");
    let (games, book) = (games.to_str().expect("it is UTF-8"), book.to_str().expect("it is UTF-8"));
    let made = run(&["book", "make", "--min-games", "1", "--output", book, games], b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let board = Board::start("next-moves", &[games, "--book", book]);
    assert_eq!(board.get("/api/about").json()["books"], json!(["white.bin"]));
    let ask = |path: &str, body: Value| {
        let answer = board.ask("POST", path, None, Some(&body));
        assert_eq!(answer.status, 200, "{path} {body}: {}", answer.text());
        answer.json()
    };
    // Two wins are 4 points, a draw is one: White's moves have weights, and a move that lost has none.
    let start = ask("/api/book", json!({}));
    assert_eq!(all(&start, "san"), ["e4", "d4"]);
    assert_eq!(all(&start, "weight"), [4, 1]);
    assert_eq!(all(&start, "percent"), [80.0, 20.0]);
    assert_eq!((&start[0]["eco"], &start[0]["opening"]), (&json!("B00"), &json!("King's Pawn Game")));
    assert_eq!(all(&ask("/api/book", json!({"moves": ["e4"]})), "san"), Vec::<&str>::new());
    // By position, not by the order of moves.
    let names = ask("/api/openings/tree", json!({"moves": ["Nf3", "d5"]}));
    let other_order = "rnbqkbnr/ppp1pppp/8/3p4/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2";
    assert_eq!(ask("/api/openings/tree", json!({"fen": other_order})), names);
    assert!(all(&names, "lines").is_sorted_by(|a, b| a.as_u64() >= b.as_u64()), "{names}");
    let sum: f64 = all(&names, "percent").iter().filter_map(|percent| percent.as_f64()).sum();
    assert!(names.as_array().is_some_and(|rows| rows.len() > 3) && (sum - 100.0).abs() < 1e-6, "{sum}");
    let name = |san: &str| {
        let rows = names.as_array().expect("rows");
        rows.iter().find(|row| row["san"] == san).unwrap_or_else(|| panic!("{san} in {names}"))["opening"]
            .clone()
    };
    assert_eq!(name("g3"), "King's Indian Attack");
    let lonely = json!({"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"});
    assert_eq!((ask("/api/openings/tree", lonely.clone()), ask("/api/book", lonely)), (json!([]), json!([])));
    for path in ["/api/openings/tree", "/api/book"] {
        for body in
            [json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), json!({"moves": ["e5"]}), json!({"line": []})]
        {
            assert_eq!(board.ask("POST", path, None, Some(&body)).status, 400, "{path} {body}");
        }
    }
}

#[test]
fn a_board_without_a_book_says_so() {
    let board = Board::start("no-book", &[]);
    assert_eq!(board.get("/api/about").json()["books"], json!([]));
    let answer = board.ask("POST", "/api/book", None, Some(&json!({})));
    assert_eq!(answer.status, 404);
    assert!(answer.text().contains("--book"), "{}", answer.text());
    let place = folder("board-no-book-source");
    let games = place.join("games.pgn");
    std::fs::write(&games, GAMES).expect("it can be written");
    // A file that is no book is refused before the server starts.
    let refused = run(&["board", "--port", "0", "--book", games.to_str().expect("it is UTF-8")], b"");
    assert_eq!(refused.code, Some(2), "{refused:?}");
}
