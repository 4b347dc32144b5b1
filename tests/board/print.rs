//! Selected games of a file as one document to print.

use super::client::{Answer, Board};
use crate::support::binary::{folder, run};
use serde_json::json;

const GAMES: &str = "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n\
    1. Nf3 {[%eval 0.2] quiet} d5 {[%eval 0.1]} 1-0\n\n\
    [Event \"Club\"]\n[White \"Cid\"]\n[Black \"Dan\"]\n[Result \"*\"]\n\n1. c4 *\n\n\
    [Event \"Open\"]\n[White \"Eve <b>\"]\n[Black \"Fay\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nc3 1/2-1/2\n\n";

/// A server with the games as a file and as a collection.
fn served(name: &str) -> Board {
    let place = folder(&format!("board-{name}-source"));
    let (file, collection) = (place.join("club.pgn"), place.join("club.hdb"));
    std::fs::write(&file, GAMES).expect("it can be written");
    let (file, collection) = (file.to_str().expect("it is UTF-8"), collection.to_str().expect("it is UTF-8"));
    let made = run(&["db", "create", collection, file], b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    Board::start(name, &[file, collection])
}

fn code(answer: &Answer) -> String {
    answer.json()["code"].as_str().expect("a code").to_owned()
}

#[test]
fn selected_games_are_one_document() {
    let board = served("print");
    for file in [0, 1] {
        let answer = board.get(&format!("/api/files/{file}/print?games=3,1,3"));
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/html; charset=utf-8")));
        let html = answer.text();
        let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} is missing: {html}"));
        assert_eq!(html.matches("<article class=game").count(), 2, "each game once");
        assert!(
            place("id=g1") < place("<h2><bdi>Eve &lt;b&gt;</bdi>") && place("<h2><bdi>Eve") < place("id=g2")
        );
        assert!(place("id=g2") < place("<h2><bdi>Ann</bdi>") && place("quiet") > place("id=g2"));
        assert!(!html.contains("Cid"), "it is not selected");
        place("<h1>club</h1>");
        place("2 games: 1 won by White, 1 drawn, 0 won by Black");
        place("<a href=\"#g2\">2</a>");
        // The browser enforces the policy of the document itself: it runs its own script and loads nothing.
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("'self'"),
            "{policy}"
        );
        assert!(
            policy.contains("script-src 'sha256-") && policy.ends_with("; frame-ancestors 'none'"),
            "{policy}"
        );
        place(policy.trim_end_matches("; frame-ancestors 'none'"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
    }
    let page = board.get("/explore/0");
    let usual = page.header("content-security-policy").expect("a policy");
    assert!(usual.starts_with("default-src 'self'"), "{usual}");
}

#[test]
fn a_document_has_the_chosen_form_and_letters() {
    let board = served("print-forms");
    let only = board.get("/api/files/0/print?games=1&letters=German").text();
    assert!(only.contains("<title>Ann – Bob, Club</title>") && only.contains("Sf3"), "{only}");
    assert!(!only.contains("<table><thead><tr><th scope=col class=number>#"), "one game has no index");
    assert!(board.get("/api/files/0/print?games=1&letters=figurines&pieces=sharp").text().contains("♘f3"));
    let club = board.get("/api/files/0/print?games=1,2").text();
    assert!(club.contains("<title>Club</title>") && club.contains("<h1>Club</h1>"), "the common event");
    let answer = board.get("/api/files/1/print?games=2,1&form=pgn");
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    let text = answer.text();
    let checked = run(&["pgn", "check", "-"], text.as_bytes());
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let (cid, ann) = (text.find("[White \"Cid\"]"), text.find("[White \"Ann\"]"));
    assert!(cid < ann && cid.is_some() && !text.contains("Fay"), "{text}");
}

#[test]
fn what_cannot_be_printed_is_told() {
    let board = served("print-errors");
    for (asked, status, expected) in [
        ("", 400, "bad_games"),
        ("games=", 400, "bad_games"),
        ("games=1,x", 400, "bad_games"),
        ("games=4", 404, "not_found"),
        ("games=0", 404, "not_found"),
        ("games=1&form=tex", 400, "bad_request"),
        ("games=1&letters=Klingon", 400, "bad_letters"),
        ("games=1&pieces=none", 400, "bad_pieces"),
    ] {
        let answer = board.get(&format!("/api/files/0/print?{asked}"));
        assert_eq!(
            (answer.status, code(&answer)),
            (status, expected.to_owned()),
            "{asked}: {}",
            answer.text()
        );
    }
    let many: Vec<String> = (1..=501).map(|number| number.to_string()).collect();
    let answer = board.get(&format!("/api/files/0/print?games={}", many.join(",")));
    assert_eq!(code(&answer), "too_many_games");
    assert_eq!(board.get("/api/files/7/print?games=1").json()["code"], json!("not_found"));
}
