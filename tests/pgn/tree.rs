//! `hematite pgn tree` and `hematite pgn maneuvers`, run by the built binary, with python-chess as a referee.

use super::files;
use crate::support;
use crate::support::binary::{BINARY, Run, folder, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A game with these tags, moves and result.
pub(super) fn game(tags: &[(&str, &str)], moves: &str, result: &str) -> String {
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("[Event \"E\"]\n{tags}[Result \"{result}\"]\n\n{moves} {result}\n\n")
}

/// Games that reach one position in two orders of moves, one that repeats it, one without a result, and one from a FEN.
fn games() -> String {
    let elos = |white, black, date| [("WhiteElo", white), ("BlackElo", black), ("Date", date)];
    [
        game(&elos("2400", "2300", "1990.05.01"), "1. d4 Nf6 2. c4 e6 3. Nc3", "1-0"),
        game(&elos("2500", "2400", "1995.??.??"), "1. c4 Nf6 2. d4 e6 3. Nf3", "1/2-1/2"),
        game(&elos("", "2200", "1980.01.01"), "1. d4 Nf6 2. c4 g6", "0-1"),
        game(&elos("2600", "?", "????.??.??"), "1. d4 d5", "*"),
        game(&[], "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5", "1-0"),
        game(
            &[("SetUp", "1"), ("FEN", "8/8/8/8/1k6/8/1p4K1/8 b - - 0 50")],
            "50... b1=Q 51. Kf3 Qd3+",
            "0-1",
        ),
    ]
    .concat()
}

fn tree(arguments: &[&str]) -> Run {
    run(&[&["pgn", "tree"], arguments, &["-"]].concat(), games().as_bytes())
}

/// The moves with their numbers of games.
fn moves(arguments: &[&str]) -> Vec<(String, u64)> {
    let found = tree(&[arguments, &["--json"]].concat());
    let json = found.json();
    let rows = json["moves"].as_array().expect("moves");
    let row = |row: &Value| {
        (row["move"].as_str().expect("a move").to_owned(), row["games"].as_u64().expect("a number"))
    };
    rows.iter().map(row).collect()
}

fn pairs(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|&(mv, games)| (mv.to_owned(), games)).collect()
}

#[test]
fn orders_of_moves_lead_to_a_position() {
    let orders = |arguments: &[&str]| -> Vec<(String, u64)> {
        let found = tree(&[&["--orders", "--json"], arguments].concat()).json();
        let rows = found["orders"].as_array().expect("orders").clone();
        let row = |row: &Value| {
            (row["moves"].as_str().expect("moves").to_owned(), row["games"].as_u64().expect("a number"))
        };
        rows.iter().map(row).collect()
    };
    let both = [("1. d4 Nf6 2. c4", 2), ("1. c4 Nf6 2. d4", 1)];
    assert_eq!(orders(&["--moves", "1. d4 Nf6 2. c4"]), pairs(&both));
    let fen = "rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2";
    assert_eq!(orders(&["--fen", fen]), pairs(&both));
    assert_eq!(orders(&["--fen", fen, "--min-games", "2"]), pairs(&both[..1]));
    // The first time counts.
    assert_eq!(orders(&["--moves", "1. Nf3 Nf6"]), pairs(&[("1. Nf3 Nf6", 1)]));
    assert_eq!(orders(&[]), pairs(&[("", 5)]));
    let shown = tree(&["--orders", "--moves", "1. c4 Nf6 2. d4"]);
    assert!(
        shown.code == Some(0) && shown.out.contains("66.7") && shown.out.contains("1. d4 Nf6 2. c4"),
        "{}",
        shown.out
    );
    assert_eq!(tree(&["--orders", "--moves", "1. a3"]).code, Some(1));
}

#[test]
fn notes_on_moves_are_collected_by_position() {
    let text = [
        game(
            &[("White", "A"), ("Black", "B"), ("Date", "1990.01.01")],
            "1. d4 Nf6 2. c4 e6 $1 {solid} 3. Nc3",
            "1-0",
        ),
        game(
            &[("Annotator", "C")],
            "1. c4 Nf6 2. d4 $10 e6 {[%clk 0:10:00]} (2... g6 $5 {sharper} 3. Nc3)",
            "1/2-1/2",
        ),
        game(&[], "1. d4 d5 (1... Nf6 2. c4 {main} e6?! {not} $14)", "*"),
        game(&[], "1. d4 Nf6 2. c4 c5", "0-1"),
    ]
    .concat();
    let ask = |arguments: &[&str]| {
        run(&[&["pgn", "tree", "--annotated"], arguments, &["-"]].concat(), text.as_bytes())
    };
    let found = ask(&["--moves", "1. d4 Nf6 2. c4", "--json"]).json();
    assert_eq!(
        (found["read"].as_u64(), found["games"].as_u64(), found["annotated"].as_u64()),
        (Some(4), Some(4), Some(3))
    );
    let rows = found["moves"].as_array().expect("moves");
    let row = |row: &Value| {
        let nags: Vec<(u64, u64)> = row["nags"]
            .as_array()
            .expect("glyphs")
            .iter()
            .map(|nag| (nag["nag"].as_u64().expect("a number"), nag["games"].as_u64().expect("a number")))
            .collect();
        let comments: Vec<(u64, String)> = row["comments"]
            .as_array()
            .expect("comments")
            .iter()
            .map(|note| {
                (note["game"].as_u64().expect("a number"), note["text"].as_str().expect("a text").to_owned())
            })
            .collect();
        (
            row["move"].as_str().expect("a move").to_owned(),
            row["games"].as_u64(),
            row["annotated"].as_u64(),
            nags,
            comments,
        )
    };
    let note = |game: u64, text: &str| (game, text.to_owned());
    let expected = vec![
        (
            "e6".to_owned(),
            Some(3),
            Some(2),
            vec![(1, 1), (6, 1), (14, 1)],
            vec![note(1, "solid"), note(3, "not")],
        ),
        ("g6".to_owned(), Some(1), Some(1), vec![(5, 1)], vec![note(2, "sharper")]),
        ("c5".to_owned(), Some(1), Some(0), vec![], vec![]),
    ];
    assert_eq!(rows.iter().map(row).collect::<Vec<_>>(), expected);
    assert_eq!(rows[1]["comments"][0]["annotator"], "C");
    let shown = ask(&["--moves", "1. d4 Nf6 2. c4"]).out;
    for expected in [
        "2... e6      3          2  ! 1, ?! 1, +/= 1",
        "A – B",
        "! solid",
        "!? sharper (C)",
        "3 games with notes",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    let limited = ask(&["--moves", "1. d4 Nf6 2. c4", "--json", "--limit", "1"]).json();
    assert_eq!(limited["moves"][0]["comments"].as_array().map(Vec::len), Some(1));
    // By the very moves only, and with no notes.
    let exact = ask(&["--moves", "1. c4 Nf6 2. d4", "--exact", "--json"]).json();
    assert_eq!((exact["games"].as_u64(), exact["annotated"].as_u64()), (Some(1), Some(1)));
    assert_eq!(ask(&["--moves", "1. a3"]).code, Some(1));
    assert_eq!(ask(&["--moves", "1. d4 Nf6 2. c4", "--limit", "1", "--query", "result:0-1"]).code, Some(1));
}

#[test]
fn lines_of_openings_are_a_tree() {
    let ask = |arguments: &[&str]| run(&[&["pgn", "tree", "--eco"], arguments].concat(), b"");
    let all = ask(&["--json"]).json();
    let count =
        |json: &Value| (json["read"].as_u64().expect("a number"), json["games"].as_u64().expect("a number"));
    let (read, found) = count(&all);
    assert!(read > 3000 && read == found, "{read} lines, {found} found");
    assert_eq!(all["moves"].as_array().expect("moves").len(), 20);
    let shown = ask(&["--moves", "1. e4 c5", "--depth", "2", "--min-games", "20"]).out;
    assert!(shown.contains(" lines of openings\n") && !shown.contains("Score"), "{shown}");
    assert!(shown.contains("2. Nf3") && shown.contains("  2... d6"), "{shown}");
    // Another order of moves comes to the same lines.
    let (_, by_order) = count(&ask(&["--moves", "1. Nf3 c5 2. e4", "--json"]).json());
    assert_eq!(by_order, count(&ask(&["--moves", "1. e4 c5 2. Nf3", "--json"]).json()).1);
    let names = ask(&["--names", "--depth", "1", "--moves", "1. e4 c5"]).out;
    assert!(names.contains("Sicilian Defense"), "{names}");

    let list = folder("tree-openings").join("own.tsv");
    let path = list.to_str().expect("UTF-8");
    fs::write(&list, "eco\tname\tpgn\nB01\tMine\t1. e4 d5\nB02\tMine: Other\t1. e4 d5 2. d4\n")
        .expect("a file");
    let own = ask(&["--openings", path, "--moves", "1. e4", "--depth", "2"]).out;
    assert!(
        own.contains("2 of 2 lines of openings")
            && own.contains("B01 Mine")
            && own.contains("B02 Mine: Other"),
        "{own}"
    );
    assert!(ask(&["--openings", path, "--moves", "1. e4 d5"]).out.starts_with("1. e4 d5 · B01 Mine\n"));
    let names = ask(&["--openings", path, "--names"]).out;
    assert!(names.contains("Mine") && !names.contains("Sicilian"), "{names}");
    fs::write(&list, "B01\tMine\t1. e4 e9\n").expect("a file");
    let wrong = ask(&["--openings", path]);
    assert!(
        wrong.code == Some(2) && wrong.err.contains("own.tsv") && wrong.err.contains("line 1"),
        "{}",
        wrong.err
    );
    assert_eq!(ask(&["--moves", "1. e4 h5 2. h4 a5 3. a3"]).code, Some(1));
    assert_eq!(ask(&["games.pgn"]).code, Some(2));
    for form in [&["pgn", "tree"][..], &["pgn", "tree", "--orders"], &["pgn", "tree", "-i"]] {
        let shown = run(form, b"");
        assert!(shown.code == Some(2) && shown.err.contains("no FILE is given"), "{form:?}: {shown:?}");
    }
}

/// All commands that name openings use the user's list, whose names take precedence over those of tags.
#[test]
fn openings_have_the_names_of_a_list() {
    let folder = folder("own-openings");
    let list = folder.join("own.tsv");
    let path = list.to_str().expect("UTF-8");
    fs::write(&list, "B27\tMy Sicilian: With a Knight\t1. e4 c5 2. Nf3\nC44\tMine\t1. e4 e5 2. Nf3 Nc6\n")
        .expect("a file");
    let games = "[White \"A, B.\"]\n[ECO \"B50\"]\n[Opening \"Sicilian\"]\n[WhiteElo \"2000\"]\n\n1. Nf3 c5 2. e4 d6 1-0\n\n\
                 [White \"C, D.\"]\n[ECO \"A40\"]\n[Opening \"Tagged\"]\n\n1. d4 e6 0-1\n";
    let ask = |arguments: &[&str]| run(&[arguments, &["--openings", path, "-"]].concat(), games.as_bytes());
    let found = |query: &str| {
        let found = ask(&["pgn", "find", query, "--count", "-q"]);
        assert_eq!(found.err, "", "{query}");
        found.out.trim().to_owned()
    };
    for (query, count) in [
        ("opening:\"my sicilian\"", "1"),
        ("-opening:my", "1"),
        ("opening=Sicilian", "0"),
        ("opening:tagged", "1"),
        ("opening:none", "0"),
        ("eco:B27", "1"),
        ("eco:B50", "0"),
        ("eco:A40", "1"),
    ] {
        assert_eq!(found(query), count, "{query}");
    }
    let list = ask(&["pgn", "find", "", "--list", "-q"]).out;
    assert!(list.contains("~My Sicilian: With a Kni") && list.contains("Tagged"), "{list}");
    let json = ask(&["pgn", "find", "opening:my", "--json", "-q"]).json();
    assert_eq!((&json["eco"], &json["opening_from"]), (&"B27".into(), &"moves".into()));
    assert_eq!(json["opening"], "My Sicilian: With a Knight");
    for command in ["openings", "stats"] {
        let shown = ask(&["pgn", command]).out;
        assert!(shown.contains("My Sicilian") && !shown.contains("Queen's Pawn"), "{command}: {shown}");
    }
    let tree = ask(&["pgn", "tree", "--moves", "1. Nf3 c5"]).out;
    assert!(tree.contains("B27 My Sicilian") && !tree.contains("Sicilian Defense"), "{tree}");
    let report = ask(&["pgn", "player", "a"]).out;
    assert!(report.contains("My Sicilian"), "{report}");
    let retagged = ask(&["pgn", "retag", "--fix", "none", "--add", "eco,opening"]).out;
    assert!(
        retagged.contains("[Variation \"With a Knight\"]") && retagged.contains("[Opening \"Tagged\"]"),
        "{retagged}"
    );
    assert!(ask(&["pgn", "export", "--eco"]).out.contains("[Opening \"My Sicilian\"]"));
    assert!(ask(&["pgn", "show", "--query", "white:a"]).out.contains("My Sicilian"));
    assert!(ask(&["report"]).out.contains("My Sicilian"));
    let position = |arguments: &[&str]| {
        run(&[&["position", "startpos", "--openings", path], arguments].concat(), b"").out
    };
    assert!(position(&["--moves", "1. Nf3 c5 2. e4"]).contains("B27 My Sicilian: With a Knight"));
    assert!(!position(&["--moves", "1. d4"]).contains("Queen's Pawn"));

    // A collection answers as its file does.
    let collection = folder.join("own.hdb");
    let collection = collection.to_str().expect("UTF-8");
    assert_eq!(run(&["db", "create", collection, "-"], games.as_bytes()).code, Some(0));
    for (query, count) in [("opening:my", "1"), ("eco:B50", "0"), ("eco:A40 or eco:B27", "2")] {
        let stored = run(&["pgn", "find", query, "--count", "-q", "--openings", path, collection], b"");
        assert_eq!(stored.out.trim(), count, "{query}");
    }
    let deleted = run(&["db", "delete", collection, "-opening:my", "--dry-run", "--openings", path], b"");
    assert!(deleted.out.contains('1'), "{deleted:?}");
    let missing = run(&["pgn", "find", "", "--openings", "no-such.tsv", "-"], games.as_bytes());
    assert!(missing.code == Some(2) && missing.err.contains("no-such.tsv"), "{}", missing.err);
}

#[test]
fn games_of_a_position_are_listed() {
    let found = tree(&["--list", "--moves", "1. d4 Nf6 2. c4", "--json"]).json();
    let games = found["list"].as_array().expect("games");
    let rows: Vec<(u64, u64, &str)> = games
        .iter()
        .map(|game| {
            let number = |name: &str| game[name].as_u64().expect("a number");
            (number("game"), number("ply"), game["move"].as_str().unwrap_or_default())
        })
        .collect();
    assert_eq!(rows, [(1, 3, "e6"), (2, 3, "e6"), (3, 3, "g6")]);
    assert_eq!(found["games"].as_u64(), Some(3));
    let shown = tree(&["--list", "--moves", "1. d4 Nf6 2. c4", "--limit", "2"]).out;
    assert!(shown.contains("2... e6") && shown.contains("and 1 more; --limit N shows them"), "{shown}");
    assert_eq!(tree(&["--list", "--moves", "1. a3"]).code, Some(1));
    for arguments in [&["--limit", "2"][..], &["--limit", "2", "--orders"]] {
        assert!(tree(arguments).err.contains("--limit is for --list, --annotated"), "{arguments:?}");
    }
}

#[test]
fn moves_are_counted_wherever_games_reach_the_position() {
    // A game that returns to the position has both of its moves.
    assert_eq!(moves(&[]), pairs(&[("d4", 3), ("c4", 1), ("Nf3", 1), ("e4", 1)]));
    assert_eq!(moves(&["--moves", "1. d4 Nf6 2. c4"]), pairs(&[("e6", 2), ("g6", 1)]));
    assert_eq!(moves(&["--moves", "1. d4 Nf6 2. c4", "--exact"]), pairs(&[("e6", 1), ("g6", 1)]));
    assert_eq!(moves(&["--moves", "1. Nf3 Nf6 2. Ng1", "--exact"]), pairs(&[("Ng8", 1)]));
    let fen = ["--fen", "8/8/8/8/1k6/8/1p4K1/8 b - - 0 50"];
    assert_eq!(moves(&fen), pairs(&[("b1=Q", 1)]));
    assert_eq!(moves(&[&fen[..], &["--moves", "b1=Q"]].concat()), pairs(&[("Kf3", 1)]));
    assert_eq!(moves(&[&fen[..], &["--moves", "b1=Q", "--exact"]].concat()), pairs(&[("Kf3", 1)]));
    assert_eq!(moves(&["--query", "whiteelo>=2500"]), pairs(&[("c4", 1), ("d4", 1)]));
    // A query about positions is answered first.
    assert_eq!(moves(&["--query", "move:g6"]), pairs(&[("d4", 1)]));
    assert_eq!(moves(&["--min-games", "2"]), pairs(&[("d4", 3)]));
    let none = tree(&["--moves", "1. h4"]);
    assert_eq!((none.code, none.err.as_str()), (Some(1), ""));
    assert!(
        none.out.starts_with("1. h4 · A00 Kádas Opening\n0 of 6 games: +0 =0 -0 for White\n"),
        "{}",
        none.out
    );
}

#[test]
fn orders_of_moves() {
    let order = |key| moves(&["--sort", key]).into_iter().map(|(mv, _)| mv).collect::<Vec<_>>().join(" ");
    assert_eq!(order("games"), "d4 c4 Nf3 e4");
    assert_eq!(order("score"), "Nf3 e4 d4 c4");
    assert_eq!(order("kind"), "d4 c4 e4 Nf3");
    assert_eq!(order("appearance"), "d4 c4 Nf3 e4");
    let castling = game(&[], "1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. O-O", "*")
        + &game(&[], "1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. Kf1", "*")
        + &game(&[], "1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. Rg1", "*")
        + &game(&[], "1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. Bh3", "*")
        + &game(&[], "1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. d3", "*")
        + &game(&[], "1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. Ne5", "*");
    let line = "1. Nf3 d5 2. g3 c5 3. Bg2 Nc6";
    let arguments = ["pgn", "tree", "--moves", line, "--sort", "kind", "--json", "-"];
    let json = run(&arguments, castling.as_bytes()).json();
    let found: Vec<&str> =
        json["moves"].as_array().expect("moves").iter().filter_map(|row| row["move"].as_str()).collect();
    assert_eq!(found, ["d3", "Ne5", "Bh3", "Rg1", "Kf1", "O-O"]);
}

#[test]
fn results_ratings_and_names_of_a_move() {
    let json = tree(&["--json"]).json();
    assert_eq!((&json["read"], &json["games"], &json["unfinished"]), (&6.into(), &5.into(), &1.into()));
    let d4 = &json["moves"][0];
    let numbers = ["white", "draws", "black", "unfinished", "average_rating", "last_year"];
    assert_eq!(numbers.map(|name| d4[name].as_u64()), [1, 0, 1, 1, 2500, 1990].map(Some));
    assert_eq!((d4["score"].as_f64(), d4["share"].as_f64()), (Some(50.0), Some(50.0)));
    // One win and one loss against 2300 and 2200.
    assert_eq!(d4["performance"].as_i64(), Some(2250));
    assert_eq!((&d4["eco"], &d4["opening"]), (&"A40".into(), &"Queen's Pawn Game".into()));
    let text = tree(&["--moves", "1. d4 Nf6 2. c4"]).out;
    let expected = "\
1. d4 Nf6 2. c4 · A50 Indian Defense: Normal Variation
3 of 6 games: +1 =1 -1 (50.0 %) for White

Move     Games     %  + = -                 Score   Elo  Perf  Last  Opening
2... e6      2  66.7  ██████████▒▒▒▒▒▒▒▒▒▒   25.0  2350  2259  1995  E00 Indian Defense: Anti-Nimzo-Indian
2... g6      1  33.3  ░░░░░░░░░░░░░░░░░░░░  100.0  2200        1980  E60 King's Indian Defense
";
    let shown = |text: &str| {
        text.lines().map(|line| line.split("  E").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(shown(&text)[1..], shown(expected)[1..], "{text}");
}

#[test]
fn lists_are_sorted_and_new_moves_marked() {
    let game = |white: &str, elo: &str, date: &str, moves: &str| {
        game(&[("White", white), ("WhiteElo", elo), ("BlackElo", "2000"), ("Date", date)], moves, "1-0")
    };
    let games = game("A", "2400", "1990.05.01", "1. e4 e5")
        + &game("B", "2600", "1991.??.??", "1. e4 e5")
        + &game("C", "?", "2001.02.03", "1. e4 c5")
        + &game("D", "2500", "2001.01.01", "1. e4 e5");
    let run = |arguments: &[&str]| {
        run(&[&["pgn", "tree", "--moves", "1. e4"], arguments, &["-"]].concat(), games.as_bytes())
    };
    for (order, expected) in [
        (&[][..], ["A", "B", "C", "D"]),
        (&["--sort", "appearance"], ["A", "B", "C", "D"]),
        (&["--sort", "elo"], ["B", "D", "A", "C"]),
        (&["--sort", "date"], ["C", "D", "B", "A"]),
    ] {
        let json = run(&[&["--list", "--json"], order].concat()).json();
        let list = json["list"].as_array().expect("a list");
        let names: Vec<&str> = list.iter().filter_map(|game| game["tags"]["White"].as_str()).collect();
        assert_eq!(names, expected, "{order:?}: {json}");
        let two = run(&[&["--list", "--json", "--limit", "2"], order].concat()).json();
        assert_eq!(two["list"].as_array().map(Vec::len), Some(2));
        assert_eq!(two["list"][1]["tags"]["White"], expected[1]);
    }
    let refused = run(&["--list", "--sort", "score"]);
    assert!(refused.code == Some(2) && refused.err.contains("elo, date or appearance"), "{}", refused.err);
    let json = run(&["--json", "--sort", "date"]).json();
    let marks: Vec<bool> =
        json["moves"].as_array().expect("moves").iter().map(|row| row["novelty"] == true).collect();
    assert_eq!(marks, [false, true], "1... c5 was played once, in the last year: {json}");
    let text = run(&[]).out;
    assert!(
        text.contains("  N B20 ") && text.contains("\nN Played once, in the last year of these games.\n"),
        "{text}"
    );
}

#[test]
fn a_report_has_all_about_a_position() {
    let path = folder("tree-report").join("games.pgn");
    fs::write(&path, games()).expect("a file can be written");
    let path = path.to_str().expect("UTF-8");
    let report = |arguments: &[&str]| {
        run(&[&["pgn", "tree", "--report", "--moves", "1. d4 Nf6 2. c4"], arguments, &[path]].concat(), b"")
    };
    let json = report(&["--json"]).json();
    assert_eq!((&json["games"], &json["moves"][0]["move"]), (&3.into(), &"e6".into()), "{json}");
    assert_eq!(
        (json["orders"].as_array().map(Vec::len), json["orders"][0]["moves"].as_str()),
        (Some(2), Some("1. d4 Nf6 2. c4"))
    );
    let sum = |list: &str| {
        json[list].as_array().expect("rows").iter().filter_map(|row| row["games"].as_u64()).sum::<u64>()
    };
    assert_eq!(sum("years"), 3, "{json}");
    assert_eq!(
        (json["strongest"].as_array().map(Vec::len), json["latest"].as_array().map(Vec::len)),
        (Some(3), Some(3))
    );
    let years: Vec<Option<u64>> =
        json["years"].as_array().expect("rows").iter().map(|row| row["year"].as_u64()).collect();
    assert!(years.is_sorted_by_key(|&year| std::cmp::Reverse(year)), "{json}");
    let text = report(&["--limit", "1"]).out;
    for heading in
        ["Orders of moves", "Results by year", "Players of White", "Players of Black", "The latest games"]
    {
        assert!(text.contains(&format!("\n{heading}\n")), "{heading}: {text}");
    }
    assert!(report(&["--html"]).out.contains("<h2>The games of the strongest players</h2>"));
    let refused = run(&["pgn", "tree", "--report", "-"], b"");
    assert!(refused.code == Some(2) && refused.err.contains("cannot be read twice"), "{}", refused.err);
}

#[test]
fn deeper_trees_and_their_forms() {
    let json = tree(&["--depth", "4", "--json"]).json();
    let child = |row: &Value, name: &str| {
        let rows = row["moves"].as_array().cloned().unwrap_or_default();
        rows.into_iter().find(|row| row["move"] == name).unwrap_or_default()
    };
    let e6 = ["d4", "Nf6", "c4", "e6"].iter().fold(json.clone(), |row, name| child(&row, name));
    // Both orders lead to this position, which is shown once.
    assert_eq!(e6["games"], 2);
    let other = ["c4", "Nf6", "d4"].iter().fold(json.clone(), |row, name| child(&row, name));
    assert_eq!((&other["transposes"], &other["games"]), (&true.into(), &1.into()));
    let exact = tree(&["--depth", "4", "--exact", "--json"]).json();
    let e6 = ["c4", "Nf6", "d4", "e6"].iter().fold(exact, |row, name| child(&row, name));
    assert_eq!(e6["games"], 1);
    let text = tree(&["--depth", "4"]).out;
    assert!(text.contains("\n  1... Nf6 ") && text.contains("\n= The position is shown above.\n"), "{text}");
    let text = tree(&["--depth", "4", "--stop-at-single", "1"]).out;
    assert!(text.contains("\n… Only one move at a time was played for 1 ply;"), "{text}");
    let epd = tree(&["--depth", "2", "--epd"]).out;
    assert!(
        epd.starts_with(
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 c0 \"3 games +1 =0 -1 *1\"; c1 \"1. d4\"; \
             eco \"A40\"; v0 \"Queen's Pawn Game\";\n"
        ),
        "{epd}"
    );
    assert!(epd.contains("c1 \"1. d4 Nf6\""), "{epd}");
    // A position to which two orders lead has one record.
    let deeper = tree(&["--depth", "3", "--epd"]).out;
    assert!(deeper.contains("c1 \"1. d4 Nf6 2. c4\"; c2 \"1. c4 Nf6 2. d4\";"), "{deeper}");
    let positions = |epd: &str| {
        epd.lines().filter_map(|line| line.split(" c0 ").next().map(str::to_owned)).collect::<Vec<_>>()
    };
    let found = positions(&deeper);
    assert_eq!(found.iter().collect::<std::collections::BTreeSet<_>>().len(), found.len(), "{deeper}");
    let checked = run(&["epd", "check", "-"], epd.as_bytes());
    assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
    let html = tree(&["--html"]).out;
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<td>1. d4</td>"), "{html}");
    assert!(!html.contains("src=") && !html.contains("href="), "{html}");
    assert_eq!(tree(&["--html", "--json"]).code, Some(2));
    assert_eq!(tree(&["--moves", "1. e5"]).code, Some(2));
    assert_eq!(tree(&["--query", "date>=199x"]).code, Some(2));
}

#[test]
fn names_of_openings_form_a_tree() {
    let json = tree(&["--names", "--json"]).json();
    let names: Vec<(&str, u64)> = json["names"]
        .as_array()
        .expect("names")
        .iter()
        .map(|row| (row["name"].as_str().expect("a name"), row["games"].as_u64().expect("a number")))
        .collect();
    assert_eq!(names.iter().map(|&(_, games)| games).sum::<u64>(), 5, "{names:?}");
    assert!(names.contains(&("Indian Defense", 3)), "{names:?}");
    let text = tree(&["--names", "--depth", "1", "--sort", "appearance"]).out;
    let first = text.lines().nth(4).expect("a row");
    assert!(first.starts_with(names.iter().map(|&(name, _)| name).min().expect("a name")), "{text}");
}

#[test]
fn threads_and_files_do_not_matter() {
    let folder = folder("tree-files");
    let paths: Vec<PathBuf> = (0..3).map(|index| folder.join(format!("{index}.pgn"))).collect();
    let one = folder.join("all.txt");
    let padding = game(&[("WhiteElo", "2000")], "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O", "1/2-1/2");
    let many = padding.repeat(12_000);
    let parts = [games(), many, games()];
    for (path, part) in paths.iter().zip(&parts) {
        fs::write(path, part).expect("a file can be written");
    }
    fs::write(&one, parts.concat()).expect("a file can be written");
    let folder = folder.to_str().expect("UTF-8");
    let of = |path: &str, threads: &str| {
        let found =
            run(&["pgn", "tree", "--depth", "8", "--sort", "appearance", "--threads", threads, path], b"");
        assert_eq!(found.code, Some(0), "{}", found.err);
        found.out
    };
    let expected = of(one.to_str().expect("UTF-8"), "1");
    assert!(expected.contains("12012 games"), "{expected}");
    for threads in ["1", "2", "5"] {
        assert_eq!(of(folder, threads), expected, "{threads} threads");
    }
}

#[test]
fn moves_that_cannot_be_read_end_a_game() {
    let games = game(&[], "1. e4 e5 2. Nf6", "1-0") + &game(&[], "1. e4 c5", "0-1");
    let tree = |arguments: &[&str]| run(&[&["pgn", "tree"], arguments, &["-"]].concat(), games.as_bytes());
    // The first move decides that the initial position cannot come back.
    assert_eq!(tree(&[]).err, "");
    let found = tree(&["--moves", "1. e4 e5"]);
    assert!(found.err.starts_with("standard input:"), "{}", found.err);
    assert_eq!(found.code, Some(0));
    let dropped = tree(&["--broken", "drop"]);
    assert!(dropped.out.contains("\n1 of 2 games"), "{}", dropped.out);
    assert!(tree(&["--broken", "only"]).out.contains("\n1 of 2 games"));
}

#[test]
fn maneuvers_count_once_in_a_game() {
    let games = game(&[], "1. d4 d5 2. Nf3 Nf6 3. Nfd2 Ng8 4. Nf3 Nf6 5. Nbd2 c6 6. Nb3 c5", "1-0")
        + &game(&[], "1. d4 d5 2. Nd2 Nf6 3. Nb3 e6 4. Nc5", "0-1");
    let maneuvers = |arguments: &[&str]| {
        run(
            &[&["pgn", "maneuvers", "--moves", "1. d4 d5", "--json"], arguments, &["-"]].concat(),
            games.as_bytes(),
        )
        .json()
    };
    let json = maneuvers(&["--ahead", "5"]);
    let row = |json: &Value, side: &str, name: &str| {
        let rows = json[side].as_array().cloned().unwrap_or_default();
        let row = rows.into_iter().find(|row| row["move"] == name);
        row.map(|row| (row["games"].as_u64(), row["delay"].as_f64(), row["score"].as_f64()))
    };
    assert_eq!(row(&json, "of_white", "Nf3"), Some((Some(1), Some(1.0), Some(100.0))));
    assert_eq!(row(&json, "of_white", "Nb3"), Some((Some(2), Some(3.5), Some(50.0))));
    assert_eq!(row(&json, "of_black", "Nf6"), Some((Some(2), Some(1.0), Some(50.0))));
    assert_eq!(
        row(&maneuvers(&["--ahead", "4"]), "of_white", "Nbd2"),
        Some((Some(1), Some(4.0), Some(100.0)))
    );
    assert_eq!(row(&maneuvers(&["--ahead", "3"]), "of_white", "Nbd2"), None);
    let routes = maneuvers(&["--ahead", "5", "--routes", "--side", "white"]);
    assert_eq!(row(&routes, "of_white", "Nb1-d2-b3-c5"), Some((Some(1), Some(3.0), Some(0.0))));
    assert_eq!(row(&routes, "of_white", "Ng1-f3-d2-f3"), Some((Some(1), Some(3.0), Some(100.0))));
    assert_eq!(routes["of_black"], Value::Null);
    let castled = game(&[], "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Bd6 5. Re1 axb5", "*");
    let arguments = ["pgn", "maneuvers", "--routes", "--json", "-"];
    let json = run(&arguments, castled.as_bytes()).json();
    assert_eq!(row(&json, "of_white", "Rh1-f1-e1").map(|row| row.0), Some(Some(1)));
    assert_eq!(row(&json, "of_black", "a7-a6-b5").map(|row| row.0), Some(Some(1)));
    let text = run(&["pgn", "maneuvers", "--limit", "1", "-"], castled.as_bytes()).out;
    assert!(text.contains("\nWhite\n") && text.contains("and 4 more; --limit N shows them"), "{text}");
}

/// The files of the test data that python-chess and this program read in the same way; `None` if one is missing.
pub(super) fn referee_files() -> Option<Vec<PathBuf>> {
    let data = support::data_folder_of("pgn")?;
    let is_there = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        support::skip("no python3 with chess");
        return None;
    }
    const WANTED: [&str; 6] = [
        "linares_2002.pgn",
        "twic-01-232games.pgn",
        "Morphy_UTF8.pgn",
        "32games.pgn",
        "all.pgn",
        "demo-games.pgn",
    ];
    let is_wanted =
        |path: &PathBuf| path.file_name().is_some_and(|name| WANTED.iter().any(|wanted| name == *wanted));
    let found: Vec<PathBuf> = files(&data).into_iter().filter(is_wanted).collect();
    assert_eq!(found.len(), WANTED.len(), "{found:?}");
    Some(found)
}

/// Runs a script of `tests/python` with the binary and these files.
pub(super) fn ask_referee(script: &str, paths: &[PathBuf]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script);
    let output = Command::new("python3").arg(script).arg(BINARY).args(paths).output().expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn python_chess_counts_the_same_tree() {
    let Some(paths) = referee_files() else { return };
    ask_referee("pgn_tree.py", &paths);
}
