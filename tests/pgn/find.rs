//! `hematite pgn find`, run by the built binary, with python-chess as a referee.

use super::files;
use crate::support;
use crate::support::binary::{BINARY, Run, folder, run};
use hematite::database::query_terms;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Three games: a mate with a knight sacrifice, a draw with annotations, an ending with a promotion.
pub(super) const GAMES: &str = r#"[Event "Blindfold"]
[Site "Paris"]
[Date "1851.??.??"]
[Round "?"]
[White "Légal, Kermur"]
[Black "Saint Brie"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

[Event "Match"]
[Site "Moscow"]
[Date "1960.03.15"]
[Round "1.2"]
[White "Tal, Mihail"]
[Black "Botvinnik, Mikhail"]
[Result "1/2-1/2"]
[ECO "C18"]
[WhiteElo "2700"]
[BlackElo "2690"]

1. e4 e6 2. d4 d5 3. Nc3 Bb4 4. e5 c5 5. a3 Bxc3+ 6. bxc3 Qc7 {a novelty} (6... Ne7 7. Qg4
O-O) 7. Qg4! f5 1/2-1/2

[Event "Ending"]
[Site "?"]
[Date "1961.05.??"]
[Round "3"]
[White "Botvinnik, Mikhail"]
[Black "Tal, Mihail"]
[Result "0-1"]
[SetUp "1"]
[FEN "8/8/8/8/1k6/8/1p4K1/8 b - - 0 50"]

50... b1=Q 51. Kf3 Qd3+ 52. Kf4 0-1
"#;

pub(super) fn find(arguments: &[&str]) -> Run {
    run(&[&["pgn", "find"], arguments, &["-"]].concat(), GAMES.as_bytes())
}

/// The numbers of the games that a query finds.
fn numbers(query: &str) -> Vec<u64> {
    let found = find(&[query, "--json"]);
    assert_eq!(found.code, Some(i32::from(found.out.is_empty())), "{query}: {}", found.err);
    let number = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["game"].as_u64();
    found.out.lines().map(|line| number(line).expect("a number")).collect()
}

/// The end of the main line makes the query true, and a variation has the place.
#[test]
fn a_place_is_found_after_the_main_line() {
    let game = "1. e4 c5 (1... e5 2. Qh5 Ke7 3. Qxe5#) 2. Nf3 *";
    let found = run(&["pgn", "find", "(mate or eco:B) in:variations", "--json", "-"], game.as_bytes());
    let object: serde_json::Value = serde_json::from_str(&found.out).expect("JSON");
    assert_eq!(object["matches"][0]["ply"], 5, "{found:?}");
}

/// A tag that does not hold leaves it to moves whether a query is true, wherever they are in the game.
#[test]
fn tags_and_moves_are_alternatives() {
    let cases: [(&str, &[u64]); 8] = [
        ("move:Bc4 mate", &[1]),
        ("move:Bc4 (mate or white:nobody)", &[1]),
        ("move:Bc4 (move:Nd5 or white:nobody)", &[1]),
        ("(move:Bc4 move:Nd5) or white:nobody", &[1]),
        ("(move:Bc4 move:Nd5) or white:tal", &[1, 2]),
        ("(move:e6 move:f5) or elo>=2800", &[2]),
        ("(move:e6 or white:nobody) (move:f5 or black:nobody)", &[2]),
        ("move:e6 (move:Nd5 or white:nobody)", &[]),
    ];
    for (query, expected) in cases {
        assert_eq!(numbers(query), expected, "{query}");
        assert_eq!(numbers(&format!("not ({query})")).len() + expected.len(), 3, "{query}");
    }
}

#[test]
fn every_term_finds_its_games() {
    let cases: &[(&str, &[u64])] = &[
        ("white~~botvinick", &[3]),
        ("player~~botvinik", &[2, 3]),
        ("white~~\"mihal tel\"", &[2]),
        ("white~~tall", &[2]),
        ("white~~talll", &[]),
        ("white~~legla", &[1]),
        ("source:standard", &[1, 2, 3]),
        ("source:other", &[]),
        ("speed:blitz", &[]),
        ("not speed:classical", &[1, 2, 3]),
        ("added:none", &[1, 2, 3]),
        ("added>=1990", &[]),
        ("", &[1, 2, 3]),
        ("white:legal", &[1]),
        ("white:LÉGAL black:brie", &[1]),
        ("player:tal", &[2, 3]),
        ("player:tal player:botvinnik", &[2, 3]),
        ("player:mi player:mi", &[2, 3]),
        ("player:tal -white:tal", &[3]),
        ("white=\"Tal, Mihail\" or white~saintbrie", &[2]),
        ("white:/^b.*l$/", &[3]),
        ("site:none", &[3]),
        ("winner:tal", &[3]),
        ("loser:botvinnik", &[3]),
        ("winner:botvinnik", &[]),
        ("result:1-0", &[1]),
        ("result:draw", &[2]),
        ("result:decisive", &[1, 3]),
        ("date:1960", &[2]),
        ("date>1851", &[2, 3]),
        ("date>=1961.05.02", &[]),
        ("date~1961.05.02", &[3]),
        ("date<1960.04", &[1, 2]),
        ("whiteelo>2650", &[2]),
        ("elo:2690", &[2]),
        ("elo:none", &[1, 3]),
        ("tag.WhiteElo<2701", &[2]),
        ("tag.Round=1.2", &[2]),
        ("eco:C18", &[2]),
        ("eco:C", &[1, 2]),
        ("eco:none", &[3]),
        ("opening:\"french winawer\"", &[2]),
        ("opening:philidor", &[1]),
        ("plies:13", &[1]),
        ("plies>=13", &[1, 2]),
        ("moves=7", &[1, 2]),
        ("annotated", &[2]),
        ("commented variations", &[2]),
        ("setup", &[3]),
        ("not setup", &[1, 2]),
        ("comment:novel", &[2]),
        ("comment:none", &[1, 3]),
        ("nag:!", &[2]),
        ("nag:$2", &[]),
        ("end:mate", &[1]),
        ("end:open", &[2, 3]),
        ("fen:\"rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"", &[2]),
        ("reaches:\"1.d4 e6 2.e4 d5\"", &[2]),
        ("line:\"1.e4 e6 2.d4 d5\"", &[2]),
        ("line:\"1.d4\"", &[]),
        ("line:\"1.e4 * 4.*\"", &[1, 2]),
        ("line:\"1.e4 * 5.Nxe5\"", &[1]),
        ("move:Nxe5", &[1]),
        ("move:5.Nxe5", &[1]),
        ("move:5...Nxe5", &[]),
        ("move:50...b1=Q", &[3]),
        ("move:Qg4", &[2]),
        ("move:O-O", &[]),
        ("move:O-O in:variations", &[2]),
        ("move:O-O in:comments", &[]),
        ("pattern:\"8/8/8/8/8/2P5/2P5/8\"", &[2]),
        ("pattern:\"8/8/8/8/8/8/8/1q6\" any-color", &[3]),
        ("pattern:\"1Q6/8/8/8/8/8/8/8\" any-color", &[3]),
        ("pattern:\"6Q1/8/8/8/8/8/8/8\" any-color mirror", &[3]),
        ("pattern:\"8/8/8/8/8/5P2/5P2/8\" shift", &[2]),
        ("structure:\"8/8/8/8/8/8/1p6/8\"", &[3]),
        ("structure:\"8/8/8/8/8/8/8/8\"", &[3]),
        ("similar:\"8/8/8/8/3k4/8/8/3q2K1 w - - 0 1 <=0\"", &[]),
        ("similar:\"8/8/8/8/3k4/8/8/3q2K1 w - - 0 1\"", &[3]),
        ("similar:\"8/8/8/8/k7/8/6K1/1q6 b - - 0 1 <=0\"", &[3]),
        ("similar:\"1Q6/2k5/8/K7/8/8/8/8 b - - 0 1 <=0\"", &[]),
        ("similar:\"1Q6/6k1/8/K7/8/8/8/8 b - - 0 1 <=0\" any-color", &[3]),
        ("similar:\"8/8/8/8/7k/8/2K5/7q w - - 0 1 <=0\" mirror", &[3]),
        ("similar:\"rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3\"", &[1, 2]),
        ("similar:\"rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3 <=1\"", &[2]),
        ("material:Kkq", &[3]),
        ("material:KKQ", &[3]),
        ("material:KQk any-color", &[3]),
        ("material:\"Q=0 q=1\"", &[1, 3]),
        ("material:Kkq for 4", &[3]),
        ("material:Kkq for 5", &[]),
        ("balance<=-9", &[3]),
        ("men<=3", &[3]),
        ("turn:black ply:0", &[1, 2, 3]),
        ("at(turn:black ply:0)", &[3]),
        ("check", &[1, 2, 3]),
        ("mate", &[1]),
        ("capture:Q", &[1]),
        ("promotion", &[3]),
        ("promotion:N", &[]),
        ("sacrifice", &[1]),
        ("sacrifice>=6 ", &[1]),
        ("sacrifice>=9", &[]),
        ("castled:black", &[]),
        ("castled:k in:variations", &[2]),
        ("at(check capture)", &[1, 2]),
        ("check capture", &[1, 2]),
        ("promotion then check within 2", &[3]),
        ("promotion then check within 1", &[]),
        ("move:Nxe5 then move:Bxf7 then mate", &[1]),
        ("mate then move:Nxe5", &[]),
        ("count(check)=2", &[1]),
        ("count(check)>=1", &[1, 2, 3]),
        ("count(capture)<3", &[2, 3]),
        ("at(last turn:black)", &[1, 3]),
        ("bishops:opposite", &[]),
        ("not (end:mate or result:draw)", &[3]),
        ("round>=1.1", &[2, 3]),
        ("round<3", &[2]),
        ("round:1..2", &[2]),
        ("move:\"Nxe5 Bxd1 Bxf7+\"", &[1]),
        ("move:\"5.Nxe5 * 6. Bxf7+ Ke7\"", &[1]),
        ("move:\"Nxe5 Bxf7+\"", &[]),
        ("route:\"Ng1-f3-e5\"", &[1]),
        ("route:\"Nb1...d5\"", &[1]),
        ("route:\"bf8-b4xc3\"", &[2]),
        ("route:\"Bc1-g5\"", &[]),
        ("route:\"Bc1-g5\" any-color", &[1]),
        ("route:\"Bc1-g5\" any-color mirror", &[1, 2]),
        ("passed", &[3]),
        ("passed:white", &[]),
        ("doubled:P", &[2]),
        ("isolated:Pa3", &[2]),
        ("open-file", &[3]),
        ("half-open:a", &[1]),
        ("half-open:Ab", &[2, 3]),
        ("attacks:B->k", &[1]),
        ("attacks:b->K", &[2]),
        ("pin:b->N->Q", &[1]),
        ("pin:N", &[2]),
        ("hanging:Q", &[2]),
        ("double-check or discovered-check", &[]),
        ("path(capture{3})", &[1]),
        ("path(capture+ not capture last)", &[1]),
        ("path(promotion any? check)", &[3]),
        ("path(move:e4 (move:e5 or move:e6 move:d4) any)", &[1, 2]),
        ("move:Bxd1 then mate until check", &[]),
        ("move:Bxf7 then mate within 2 until check", &[1]),
        ("(white:botvinnik result:0-1) any-color", &[3]),
        ("(white:tal) any-color", &[2, 3]),
        ("move:Bxf2+ any-color", &[1]),
        ("(move:Bxf2+ then mate) any-color", &[1]),
        ("at(attacks:P->pf5) shift", &[2]),
        ("count(any)=4", &[]),
        ("count(any)=5", &[3]),
    ];
    for (query, expected) in cases {
        assert_eq!(numbers(query), *expected, "{query}");
    }
}

#[test]
fn the_documents_show_queries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/queries.md")).expect("the page is there");
    let mut count = 0;
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let column = line.split(" | ").next().unwrap_or_default();
        for query in column.split('`').skip(1).step_by(2) {
            let found = find(&[query]);
            assert!(matches!(found.code, Some(0 | 1)), "{query}: {}", found.err);
            count += 1;
        }
    }
    assert!(count > 180, "only {count} queries were found");
    let wrong = find(&["white:tal date>=199x"]);
    let shown = "query: column 17: found `199x`, expected a date such as 1990, 1990.05 or 1990.05.31";
    assert_eq!((wrong.code, wrong.err.as_str()), (Some(2), format!("error: {shown}\n").as_str()));
    assert!(page.contains(shown));
}

#[test]
fn the_documents_name_every_term() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/queries.md")).expect("the page is there");
    let is_named = |term: &str| {
        let shown = format!("`{term}");
        let mut rests = page.match_indices(&shown).map(|(at, _)| &page[at + shown.len()..]);
        let is_longer = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        rests.any(|rest| term.ends_with('.') || !rest.starts_with(is_longer))
    };
    let missing: Vec<&str> = query_terms().filter(|term| !is_named(term)).collect();
    assert!(missing.is_empty(), "docs/queries.md does not name {missing:?}");
    assert!(query_terms().count() > 70);
    assert!(
        ["white", "tag.", "castled", "outpost"].iter().all(|term| query_terms().any(|name| name == *term))
    );
}

#[test]
fn games_are_written_as_export_writes_them() {
    let exported = run(&["pgn", "export", "-"], GAMES.as_bytes()).out;
    let all = find(&[""]);
    assert_eq!(all.out, exported);
    assert_eq!(all.err, "3 of 3 games: +1 =1 -1 (50.0 %) for White\n");
    let tal = find(&["player:tal"]);
    assert!(exported.ends_with(&tal.out) && tal.out.starts_with("[Event \"Match\"]"), "{}", tal.out);
    assert_eq!(
        tal.err,
        "2 of 3 games: +0 =1 -1 (25.0 %) for White, +1 =1 -0 (75.0 %) for the player named\n"
    );
    let again = run(&["pgn", "find", "result:draw", "-"], tal.out.as_bytes());
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(tal.out.starts_with(&again.out));
    let none = find(&["white:nobody"]);
    assert_eq!((none.code, none.out.as_str()), (Some(1), ""));
    assert_eq!(none.err, "0 of 3 games: +0 =0 -0 for White\n");
    assert_eq!(find(&["white:nobody", "-q"]).err, "");
}

#[test]
fn the_forms_of_the_output() {
    assert_eq!(find(&["player:tal", "--count"]).out, "2\n");
    let list = find(&["player:tal check", "--list"]).out;
    let lines: Vec<Vec<&str>> = list.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "Game White Elo Black Elo Result Date ECO Opening Ply Event");
    assert_eq!(
        lines[1].join(" "),
        "2 Tal, Mihail 2700 Botvinnik, Mikhail 2690 1/2 1960.03.15 C18 ~French Defense: Winawer Vari… 10 Match"
    );
    assert_eq!(lines[2].join(" "), "3 Botvinnik, Mikhail - Tal, Mihail - 0-1 1961.05.?? - - 3 Ending");
    assert_eq!(find(&["promotion", "--fen"]).out, "8/8/8/8/1k6/8/6K1/1q6 w - - 0 51\n");
    assert_eq!(find(&["promotion", "--epd"]).out, "8/8/8/8/1k6/8/6K1/1q6 w - - fmvn 51; hmvc 0;\n");
    // The first position by which both have held; of games found by their tags alone, the start.
    assert_eq!(find(&["check and promotion", "--fen"]).out, "8/8/8/8/1k6/3q1K2/8/8 w - - 2 52\n");
    assert_eq!(
        find(&["check or promotion", "--fen"]).out.lines().nth(2),
        Some("8/8/8/8/1k6/8/6K1/1q6 w - - 0 51")
    );
    assert_eq!(find(&["result:0-1", "--fen"]).out, "8/8/8/8/1k6/8/1p4K1/8 b - - 0 50\n");
    assert_eq!(find(&["men:3 result:0-1", "--fen", "--all"]).out.lines().count(), 5);
    let json: serde_json::Value = find(&["mate", "--json", "--all"]).json();
    assert_eq!(json["file"], "standard input");
    assert_eq!(
        (&json["game"], &json["plies"], &json["tags"]["White"]),
        (&1.into(), &13.into(), &"Légal, Kermur".into())
    );
    assert_eq!((&json["eco"], &json["matches"][0]["ply"]), (&"C41".into(), &13.into()));
    assert_eq!(find(&["", "--fen", "--epd"]).code, Some(2));
    assert_eq!(find(&["", "--all"]).code, Some(2));
}

#[test]
fn numbers_of_games_are_an_object() {
    let json = find(&["player:tal", "--count", "--json"]).json();
    assert_eq!(
        json,
        serde_json::json!({
            "read": 3,
            "found": 2,
            "files": [{ "file": "standard input", "found": 2 }],
        })
    );
    let none = find(&["player:fischer", "--count", "--json"]);
    assert_eq!((none.code, none.json()["found"].as_u64()), (Some(1), Some(0)));
    assert_eq!(find(&["player:tal", "--count", "--list"]).code, Some(2));
    assert_eq!(find(&["player:tal", "--fen", "--json"]).code, Some(2));
}

/// Other commands give the same results for a query as for a file of the games that it finds.
#[test]
fn other_commands_take_queries() {
    let commands = [
        &["stats"][..],
        &["stats", "--json"],
        &["fen"],
        &["fen", "--last"],
        &["fen", "--epd", "--comments"],
        &["check", "--quiet"],
        &["check", "--strict", "--json", "--quiet"],
    ];
    let folder = folder("find-other");
    let pgc = |arguments: &[&str], games: &str| {
        let file = folder.join("games.pgc");
        let path = file.to_str().expect("UTF-8");
        let made = run(&[&["pgn", "pgc", "-o", path], arguments, &["-"]].concat(), games.as_bytes());
        (made.code, fs::read(&file).expect("it is written"))
    };
    for query in
        ["player:tal", "variations", "move:Qg4 in:variations", "promotion", "white:x", "", "not result:1-0"]
    {
        let found = find(&[query, "-q"]).out;
        assert_eq!(pgc(&["--query", query], GAMES), pgc(&[], &found), "{query}");
        for command in commands {
            let of = |arguments: &[&str], games: &str| {
                run(&[&["pgn"], command, arguments, &["-"]].concat(), games.as_bytes())
            };
            let (asked, alone) = (of(&["--query", query], GAMES), of(&[], &found));
            assert_eq!(
                (asked.code, &asked.out),
                (alone.code, &alone.out),
                "{command:?} {query}: {}",
                asked.err
            );
        }
    }
    // What is wrong with other games is not told.
    let broken = GAMES.replace("5. Nxe5 Bxd1", "5. Nxe5 Bxd8");
    let ask = |command: &str, query: &str| run(&["pgn", command, "--query", query, "-"], broken.as_bytes());
    for command in ["stats", "fen", "check"] {
        assert_eq!(ask(command, "player:tal").code, Some(0), "{command}");
        assert_eq!(ask(command, "white:legal").code, Some(1), "{command}");
    }
}

#[test]
fn comments_at_the_end_stay_without_a_result() {
    let cases = [("1. e4 e5 (1... c5) {trailing}", "{trailing}"), ("[Event \"a\"]\n\n{alone}", "{alone}")];
    for (game, comment) in cases {
        let found = run(&["pgn", "find", "commented", "-"], format!("{game}\n").as_bytes());
        assert!(found.out.contains(comment), "{game}: {} {}", found.out, found.err);
        let exported = run(&["pgn", "export", "-"], format!("{game}\n").as_bytes());
        assert_eq!(found.out, exported.out, "{game}");
    }
}

#[test]
fn comments_and_variations_are_searched_apart() {
    let games = "1. e4 e5 {The Sicilian 1...c5 2.Nf3 d6 is sharper} 2. Nf3 (2. f4 {or 2.Bc4 Nf6 3.d3}) 2... Nc6 1-0\n\n\
                 1. d4 d5 2. c4 {wins: 2...dxc4 3.e3 b5 4.a4 c6 5.axb5 cxb5 6.Qf3} *\n\n";
    let numbers = |query: &str| -> Vec<String> {
        let found = run(&["pgn", "find", query, "--json", "-"], games.as_bytes());
        assert!(matches!(found.code, Some(0 | 1)), "{query}: {}", found.err);
        let number =
            |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["game"].to_string();
        found.out.lines().map(number).collect()
    };
    let cases: [(&str, &[&str]); 13] = [
        ("move:c5", &[]),
        ("move:c5 in:comments", &["1"]),
        ("move:c5 in:variations", &[]),
        ("line:\"1.e4 c5 2.Nf3 d6\" in:comments", &["1"]),
        ("move:f4 in:comments", &[]),
        ("move:f4 in:variations", &["1"]),
        // A comment in a variation.
        ("move:Bc4 in:variations", &[]),
        ("move:3.d3 in:comments", &["1"]),
        ("reaches:\"1.d4 d5 2.c4 dxc4 3.e3\" in:comments", &["2"]),
        ("move:2.c4 then move:Qf3 within 8 in:comments", &["2"]),
        ("move:2.c4 then move:Qf3 within 7 in:comments", &[]),
        // What is said of the game as a whole stays as it is.
        ("plies=3 end:open in:comments", &["2"]),
        ("at(last turn:black) in:comments", &["1", "2"]),
    ];
    for (query, expected) in cases {
        assert_eq!(numbers(query), expected, "{query}");
    }
    let fens = run(&["pgn", "find", "move:Qf3 in:comments", "--fen", "-"], games.as_bytes()).out;
    assert_eq!(fens, "rnbqkbnr/p3pppp/8/1p6/2pP4/4PQ2/1P3PPP/RNB1KBNR b KQkq - 1 6\n");
}

/// Evaluations and clocks in comments are compared move by move.
#[test]
fn evaluations_and_clocks_are_compared() {
    let games = "1. e4 {[%eval 0.31] [%clk 0:10:00]} e5 {[%eval 0.25] [%clk 0:09:58] [%emt 0:00:02]} *\n\n\
                 1. f3 {[%eval -0.8]} e5 2. g4 {[%eval #-1]} Qh4# *\n\n1. d4 *\n\n";
    let cases: [(&str, &str); 11] = [
        ("eval>0.3", "1"),
        ("eval<0", "2"),
        ("eval:-1..0.26", "12"),
        ("eval:mate", "2"),
        ("eval<-100", "2"),
        ("at(eval>0.5) any-color", "2"),
        ("clk<9:59", "1"),
        ("clk>10:00", ""),
        ("emt<=2", "1"),
        ("not has:eval", "3"),
        ("at(has:eval -has:clk)", "2"),
    ];
    for (query, expected) in cases {
        let found = run(&["pgn", "find", query, "--json", "-q", "-"], games.as_bytes());
        assert!(matches!(found.code, Some(0 | 1)), "{query}: {}", found.err);
        let number =
            |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["game"].to_string();
        assert_eq!(found.out.lines().map(number).collect::<String>(), expected, "{query}");
    }
}

#[test]
fn several_files_are_named() {
    let folder = folder("find-files");
    let one = folder.join("one.pgn");
    let packed = folder.join("two.pgn.zst");
    fs::write(&one, GAMES).expect("a file can be written");
    fs::write(
        &packed,
        zstd::encode_all(&GAMES.as_bytes()[..GAMES.find("\n\n[Event \"Ending").expect("it is there")], 1)
            .expect("it compresses"),
    )
    .expect("a file can be written");
    let folder = folder.to_str().expect("UTF-8");
    let (one, packed) = (one.to_str().expect("UTF-8"), packed.to_str().expect("UTF-8"));
    let found = run(&["pgn", "find", "white:botvinnik", "--count", folder], b"");
    assert_eq!(found.out, format!("{one}: 1\n{packed}: 0\n"));
    let found = run(&["pgn", "find", "white:botvinnik", "--files-with-matches", folder], b"");
    assert_eq!(found.out, format!("{one}\n"));
    let found = run(&["pgn", "find", "white:tal", "--list", "--threads", "3", folder], b"");
    assert_eq!(found.out.lines().count(), 3, "{}", found.out);
    assert!(found.out.lines().last().is_some_and(|line| line.ends_with(packed)), "{}", found.out);
    let query = Path::new(folder).join("saved.query");
    fs::write(&query, "# Games of Tal\nplayer:tal # as either side\n  result:0-1\n")
        .expect("a file can be written");
    let query = query.to_str().expect("UTF-8");
    assert_eq!(run(&["pgn", "find", "--query-file", query, "--count", one], b"").out, "1\n");
    fs::write(query, "player:tal\nresult:3-0").expect("a file can be written");
    let wrong = run(&["pgn", "find", "--query-file", query, one], b"");
    assert!(wrong.err.contains("saved.query: line 2, column 8: found `3-0`, expected 1-0"), "{}", wrong.err);
    assert_eq!(wrong.code, Some(2));
    assert_eq!(run(&["pgn", "find", "player:tal"], b"").code, Some(2));
}

#[test]
fn names_of_openings_say_where_they_are_from() {
    let found = find(&["", "--json"]);
    let origins: Vec<serde_json::Value> = found
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["opening_from"].clone())
        .collect();
    assert_eq!(origins, [serde_json::json!("moves"), serde_json::json!("moves"), serde_json::Value::Null]);
    assert!(!found.out.contains('~'), "{}", found.out);
}

/// An omitted query is reported as an error that asks for it.
#[test]
fn a_query_that_was_forgotten_is_asked_for() {
    let folder = folder("find-forgotten");
    let path = folder.join("games.pgn");
    fs::write(&path, "1. e4 e5 *\n").expect("it can be written");
    let path = path.to_str().expect("UTF-8");
    let found = run(&["pgn", "find", path, path], b"");
    assert_eq!((found.code, &*found.out), (Some(2), ""), "{found:?}");
    assert!(found.err.contains("games.pgn`, expected a query before the files"), "{found:?}");
}

/// The example queries in a well-known manual of a database find the right games.
#[test]
fn examples_of_a_manual_are_answered() {
    let game = |white: &str, black: &str, result: &str, moves: &str| {
        format!(
            "[Event \"?\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let gruenfeld = "1. d4 Nf6 2. c4 g6 3. Nc3 d5 4. cxd5 Nxd5";
    let french = "1. e4 e6 2. d4 d5 3. Nc3 Nf6";
    let games = [
        game("Karpov, Anatoly", "Kasparov, Garry", "1/2-1/2", gruenfeld),
        game("Kasparov, Garry", "Karpov, Anatoly", "1-0", gruenfeld),
        game("Tal, Mihail", "Botvinnik, Mikhail", "1-0", french),
        game("Botvinnik, Mikhail", "Bronstein, David", "1/2-1/2", french),
        game("Reshevsky, Samuel", "Botvinnik, Mikhail", "0-1", french),
        // An isolated queen's pawn.
        game("A", "B", "*", "1. d4 d5 2. c4 e6 3. Nc3 c5 4. cxd5 exd5 5. Nf3 Nc6 6. e3 Nf6 7. dxc5 Bxc5"),
    ]
    .concat();
    let find = |query: &str, form: &str| run(&["pgn", "find", query, form, "-"], games.as_bytes());
    assert_eq!(find("black:kasparov opening:grünfeld", "--count").out, "1\n");
    let botvinnik = find("player:botvinnik opening:french", "--list");
    assert!(
        botvinnik.err.contains("+1 =1 -1") && botvinnik.err.contains("for the player named"),
        "{}",
        botvinnik.err
    );
    assert_eq!(find("structure:\"8/pp3ppp/8/3p4/8/4P3/PP3PPP/8\"", "--count").out, "1\n");
}

#[test]
fn games_are_added_to_a_file_or_not_at_all() {
    let folder = folder("find-append");
    let path = folder.join("added.pgn");
    let name = path.to_str().expect("UTF-8");
    let exported = run(&["pgn", "export", "-"], GAMES.as_bytes()).out;
    assert_eq!(find(&["", "--append", name]).code, Some(0));
    assert_eq!(fs::read_to_string(&path).expect("it is written"), exported);
    assert_eq!(find(&["white:nobody", "--append", name]).code, Some(1));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), exported);
    // One empty line is between games, however the file ends.
    for end in ["", "\n", "\n\n", "\r\n\r\n"] {
        fs::write(&path, format!("1. e4 *{end}")).expect("a file can be written");
        assert_eq!(find(&["mate", "--append", name]).code, Some(0));
        let text = fs::read_to_string(&path).expect("it is written").replace("\r\n", "\n");
        assert!(text.starts_with("1. e4 *\n\n[Event \"Blindfold\"]") && text.ends_with("1-0\n\n"), "{text}");
    }
    // To a file in another encoding, or to one that is compressed whatever its name, nothing can be added.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(b"1. e4 *\n").expect("it is packed");
    let wide: Vec<u8> = "\u{feff}1. e4 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (content, expected) in [(packed.finish().expect("it is packed"), "packed"), (wide, "UTF-16")] {
        fs::write(&path, &content).expect("a file can be written");
        let refused = find(&["mate", "--append", name]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains(expected), "{refused:?}");
        assert_eq!(fs::read(&path).expect("it is there"), content);
    }
    fs::write(&path, "1. e4 *\n").expect("a file can be written");
    let before = fs::read(&path).expect("it is there");
    assert_eq!(run(&["pgn", "find", "", "--append", name, "/nowhere.pgn"], b"").code, Some(2));
    let lock = folder.join("added.pgn.lock");
    let held = hematite::files::LockFile::take(&lock).expect("it can be made").expect("it is not locked");
    let refused = find(&["", "--append", name]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("another process adds games to this file"), "{}", refused.err);
    drop(held);
    assert_eq!(fs::read(&path).expect("it is there"), before);
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
    assert_eq!(find(&["", "--append", folder.join("x.pgn.gz").to_str().expect("UTF-8")]).code, Some(2));
    assert_eq!(find(&["", "--append", name, "--fen"]).code, Some(2));
}

#[test]
fn broken_games_are_told_if_their_tags_fit() {
    let games = GAMES.replace("7. Nd5#", "7. Nd8#");
    let find = |arguments: &[&str]| run(&[&["pgn", "find"], arguments, &["-"]].concat(), games.as_bytes());
    let legal = find(&["white:legal"]);
    assert_eq!(legal.code, Some(0));
    assert!(legal.err.starts_with("standard input:9:"), "{}", legal.err);
    assert!(!find(&["white:tal"]).err.contains("standard input"));
    assert_eq!(find(&["white:legal", "--broken", "drop"]).code, Some(1));
    let only = find(&["", "--broken", "only", "--count"]);
    assert_eq!((only.out.as_str(), only.code), ("1\n", Some(0)));
    assert_eq!(find(&["mate"]).code, Some(1));
}

#[test]
fn a_game_of_an_unknown_variant_is_found_by_its_tags() {
    let games = "[Event \"a\"]\n[Variant \"Atomic\"]\n[White \"x\"]\n\n1. Nf3 e6 2. Nxe6 *\n";
    let find = |query: &str| run(&["pgn", "find", query, "-"], games.as_bytes());
    assert_eq!(find("white:x").code, Some(0));
    assert_eq!(find("men<=3").code, Some(1));
    assert_eq!(find("material:Kk").code, Some(1));
}

#[test]
fn python_chess_finds_the_same_games() {
    let Some(data) = support::data_folder_of("pgn") else { return };
    let is_there = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        support::skip("no python3 with chess");
        return;
    }
    let folder = folder("find-referee");
    let tests = folder.join("tests.pgn");
    fs::write(&tests, run(&["pgn", "export", "-"], GAMES.as_bytes()).out).expect("a file can be written");
    // Only what both programs read in the same way: games without errors, some of each file. A few of thousands of
    // moves would take more time than all others.
    let path = folder.join("games.pgn");
    let name = path.to_str().expect("UTF-8");
    for source in files(&data).into_iter().filter(|path| path.extension().is_some_and(|found| found == "pgn"))
    {
        let source = source.to_str().expect("UTF-8");
        let wanted = ["plies<1000", "--broken", "drop", "--strict", "-q", "--limit", "2"];
        let found = run(&[&["pgn", "find"][..], &wanted, &["--append", name, source]].concat(), b"");
        assert!(found.code < Some(2), "{source}");
    }
    let queries = support::fuzz_cases(2).to_string();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/pgn_find.py");
    let output = Command::new("python3")
        .arg(script)
        .args([BINARY, &queries])
        .args([&tests, &path])
        .output()
        .expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}
