//! `hematite puzzles`, run by the built binary: generated puzzles are correct, wrong ones are found, and all formats
//! have the same content.

use crate::support::binary::{Run, folder, run};
use crate::support::data_folder_of;
use std::fs;
use std::path::Path;

/// Games with a mate in one, with a rook that is given away, and without a puzzle.
const GAMES: &str = "[Event \"a\"]\n[Site \"https://example.org/abc\"]\n[White \"Tal\"]\n[Black \"Nobody\"]\n[Result \"1-0\"]\n\n\
                     1. e4 e5 2. Bc4 Nc6 3. Qf3 Nd4 4. Qxf7# 1-0\n\n\
                     [Event \"b\"]\n[White \"A\"]\n[Black \"B\"]\n[SetUp \"1\"]\n\
                     [FEN \"3r1bk1/5pp1/7p/8/2B5/8/5PPP/5RK1 b - - 0 1\"]\n\n1... Rd5 2. h3 *\n\n\
                     [Event \"c\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n\n";
/// Options for few nodes, so that tests take little time.
const QUICK: [&str; 4] = ["--nodes", "3000", "--scan-nodes", "100"];
const MATE_FEN: &str = "r1bqkbnr/pppp1ppp/8/4p3/2BnP3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
const ROOK_FEN: &str = "5bk1/5pp1/7p/3r4/2B5/8/5PPP/5RK1 w - - 1 2";
/// A mate in one for Black.
const MATED: &str = "8/8/8/8/8/5k2/4q3/7K b - -";

fn puzzles(arguments: &[&str], input: &str) -> Run {
    run(&[&["puzzles"], arguments].concat(), input.as_bytes())
}

fn make(arguments: &[&str]) -> Run {
    puzzles(&[&["-"], &QUICK[..], &["--no-rating"], arguments].concat(), GAMES)
}

fn check(arguments: &[&str], input: &str) -> Run {
    puzzles(&[&["check", "-", "--nodes", "3000"], arguments].concat(), input)
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn games_have_puzzles() {
    let found = make(&["--json"]);
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""));
    let json = found.json();
    let of = |fen: &str| {
        let puzzles = json["puzzles"].as_array().expect("a list").iter();
        puzzles.clone().find(|puzzle| puzzle["fen"] == fen).unwrap_or_else(|| panic!("{fen}: {json:#}"))
    };
    let has = |puzzle: &serde_json::Value, theme: &str| {
        puzzle["themes"].as_array().expect("a list").iter().any(|name| name == theme)
    };
    let mate = of(MATE_FEN);
    assert_eq!((mate["san"][0].as_str(), mate["mate"].as_u64()), (Some("Qxf7#"), Some(1)));
    assert_eq!(mate["task"], "White mates in 1");
    assert_eq!((mate["game"].as_u64(), mate["ply"].as_u64()), (Some(1), Some(6)));
    assert_eq!((&mate["lead"]["san"], &mate["url"]), (&"Nd4".into(), &"https://example.org/abc#6".into()));
    assert!(has(mate, "mateIn1") && has(mate, "oneMove") && has(mate, "opening"), "{mate}");
    let rook = of(ROOK_FEN);
    assert_eq!(rook["san"][0], "Bxd5");
    assert!(has(rook, "hangingPiece") && has(rook, "endgame"), "{rook}");
    assert_eq!((rook["solver"].as_str(), json["games"].as_u64()), (Some("white"), Some(3)));
}

#[test]
fn threads_do_not_matter() {
    let one = make(&["--threads", "1"]);
    assert_eq!(one.code, Some(0), "{}", one.err);
    assert_eq!(one.out, make(&["--threads", "3"]).out);
    assert!(one.out.contains("[SetUp \"1\"]") && one.out.contains("[LeadMove \"Nd4\"]"), "{}", one.out);
}

#[test]
fn what_is_made_is_true_in_each_format() {
    let folder = folder("puzzles-formats");
    let mut counts = Vec::new();
    for format in ["pgn", "epd", "csv"] {
        let file = path(&folder, &format!("made.{format}"));
        let made = make(&["-o", &file]);
        assert_eq!((made.code, made.out.as_str()), (Some(0), ""), "{}", made.err);
        assert!(made.err.contains(" of 3 games, "), "{}", made.err);
        let checked = puzzles(&["check", &file, "--nodes", "3000"], "");
        assert_eq!((checked.code, checked.err.as_str()), (Some(0), ""), "{format}: {}", checked.out);
        counts.push(checked.out);
        // The format is that of the content, too.
        let text = fs::read_to_string(&file).expect("it is written");
        let from: &[&str] = if format == "pgn" { &["--from", "pgn"] } else { &[] };
        assert_eq!(check(from, &text).code, Some(0), "{format}");
    }
    assert!(counts[0].contains(" true\n") && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    let csv = fs::read_to_string(folder.join("made.csv")).expect("it is written");
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags")
    );
    let row: Vec<&str> = lines.next().expect("a puzzle").split(',').collect();
    assert_eq!((row.len(), row[2], row[8]), (10, "c6d4 f3f7", "https://example.org/abc#6"));
    // Those that are true can be written again, in another format.
    let (from, to) = (path(&folder, "made.csv"), path(&folder, "again.pgn"));
    assert_eq!(puzzles(&["check", &from, "-o", &to, "--nodes", "3000"], "").code, Some(0));
    let again = puzzles(&["check", &to, "-o", &path(&folder, "again.csv"), "--nodes", "3000"], "");
    assert_eq!(again.code, Some(0), "{}", again.out);
    let again = fs::read_to_string(folder.join("again.csv")).expect("it is written");
    assert_eq!(again, csv);
}

/// Lines of several moves: a skewer in two, and a mate in two.
const LINES: &str = "[SetUp \"1\"]\n[FEN \"2q5/5ppp/3k4/1P6/8/8/5PPP/R5K1 b - - 0 1\"]\n\n1... Kc5 2. h3 *\n\n\
                     [SetUp \"1\"]\n[FEN \"r5k1/5ppp/1q6/8/8/8/3R1PPP/3R2K1 b - - 0 1\"]\n\n1... Qb3 2. h3 *\n\n";

#[test]
fn lines_have_several_moves() {
    let arguments = [&["-", "--json", "--no-rating"], &QUICK[..]].concat();
    let found = puzzles(&arguments, LINES);
    assert_eq!(found.code, Some(0), "{found:?}");
    let json = found.json();
    let moves: Vec<String> = json["puzzles"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|puzzle| {
            let san = puzzle["san"].as_array().expect("a list").iter();
            san.filter_map(serde_json::Value::as_str).collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(moves, ["Rc1+ Kxb5 Rxc8", "Rd8+ Rxd8 Rxd8#"], "{json:#}");
    assert_eq!((&json["confirm_nodes"], &json["unconfirmed"]), (&12_000.into(), &0.into()));
    let shorter = puzzles(&[&arguments[..], &["--min-moves", "3"]].concat(), LINES).json();
    assert_eq!(shorter["puzzles"].as_array().map(Vec::len), Some(1), "mates are never too short");
    let cut = puzzles(&[&arguments[..], &["--max-moves", "1"]].concat(), LINES).json();
    assert_eq!(cut["puzzles"].as_array().map(Vec::len), Some(1), "a mate is not cut, but left out");
    assert_eq!(cut["puzzles"][0]["san"], serde_json::json!(["Rc1+"]), "{cut:#}");
    let pgn = puzzles(&[&["-", "--no-rating", "--confirm-nodes", "1"], &QUICK[..]].concat(), LINES);
    assert!(pgn.out.contains("2. Rc1+ Kxb5 3. Rxc8") && pgn.out.contains("2. Rd8+ Rxd8 3. Rxd8#"), "{pgn:?}");
}

/// With tables the only winning move of an ending is known, which a search of few nodes does not see.
#[test]
fn tables_prove_endings() {
    let Some(tables) = data_folder_of("syzygy") else { return };
    let tables = tables.to_str().expect("UTF-8");
    // The pawn must run at once.
    let game = "[SetUp \"1\"]\n[FEN \"8/8/6k1/8/2P5/6K1/8/8 w - - 0 1\"]\n\n\
                1. Kh3 {[%eval 0.0]} 1... Kh5 {[%eval 9.0]} 2. Kg2 *\n\n";
    let arguments = [&["-", "--json", "--no-rating", "--max-moves", "1"], &QUICK[..]].concat();
    let found = puzzles(&[&arguments[..], &["--syzygy", tables]].concat(), game);
    assert_eq!(found.code, Some(0), "{found:?}");
    assert_eq!(found.json()["puzzles"][0]["san"], serde_json::json!(["c5"]), "{found:?}");
    let row = "pawn,8/8/6k1/8/2P5/7K/8/8 b - - 1 1,g6h5 MOVE,800,90,0,0,crushing,,\n";
    for (mv, code) in [("c4c5", 0), ("h3g3", 1)] {
        let row = row.replace("MOVE", mv);
        let found = check(&["--syzygy", tables, "--json"], &row);
        assert_eq!(found.code, Some(code), "{found:?}");
        let proof = &found.json()["puzzles"][0]["proof"];
        assert_eq!(proof.as_str(), (code == 0).then_some("tables"), "{found:?}");
    }
}

#[test]
fn a_drawn_position_is_no_puzzle() {
    let count = |halfmove_clock: &str| {
        let games = GAMES.replace("- - 0 1\"]", &format!("- - {halfmove_clock} 80\"]"));
        let arguments = [&["-"], &QUICK[..], &["--no-rating", "--json"]].concat();
        puzzles(&arguments, &games).json()["puzzles"].as_array().map(Vec::len)
    };
    // The rook is given away with the 99th half-move, or with the hundredth.
    assert_eq!((count("98"), count("99")), (Some(2), Some(1)));
}

#[test]
fn a_position_is_one_puzzle() {
    let twice = format!("{GAMES}{GAMES}");
    let arguments = [&["-"], &QUICK[..], &["--no-rating"]].concat();
    let (once, twice) = (make(&[]), puzzles(&arguments, &twice));
    assert_eq!(once.out, twice.out);
    assert!(twice.err.contains("left out found before"), "{}", twice.err);
}

#[test]
fn options_choose() {
    let count = |arguments: &[&str]| {
        let found = make(&[&["--json"], arguments].concat());
        (found.code, found.json()["puzzles"].as_array().map(Vec::len))
    };
    assert_eq!(count(&["--query", "white:tal"]), (Some(0), Some(1)));
    assert_eq!(count(&["--query", "white:nobody-else"]), (Some(1), Some(0)));
    assert_eq!(count(&["--theme", "mateIn1"]), (Some(0), Some(1)));
    assert_eq!(count(&["--theme", "mateIn1", "--theme", "hangingPiece"]), (Some(0), Some(2)));
    let refused = make(&["--theme", "spoon"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("expected one of mate, mateIn1,"), "{}", refused.err);
}

#[test]
fn evaluations_say_where_to_look() {
    let with = |white: &str| {
        format!(
            "[SetUp \"1\"]\n[FEN \"5bk1/3r1pp1/7p/8/2B5/8/5PPP/5RK1 b - - 0 1\"]\n\n\
             1... Rd8 {{[%eval 0.0]}} 2. g3 {{[%eval 0.1]}} 2... Rd5 {{[%eval {white}]}} 3. h3 {{[%eval 0.0]}} *\n"
        )
    };
    let arguments = [&["-"], &QUICK[..], &["--no-rating"]].concat();
    assert_eq!(puzzles(&arguments, &with("9.5")).code, Some(0));
    let quiet = puzzles(&arguments, &with("0.2"));
    assert_eq!((quiet.code, quiet.out.as_str()), (Some(1), ""), "{}", quiet.err);
    assert_eq!(puzzles(&[&arguments[..], &["--ignore-evals"]].concat(), &with("0.2")).code, Some(0));
}

#[test]
fn easy_puzzles_have_low_ratings() {
    let found = puzzles(&[&["-"], &QUICK[..], &["--json", "--query", "white:tal"]].concat(), GAMES).json();
    let rating = found["puzzles"][0]["rating"]["elo"].as_u64().expect("a rating");
    assert!((600..1600).contains(&rating), "{rating}");
}

/// A record, whether it is correct, and the message if it is not.
#[test]
fn records_are_true_or_false() {
    const ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
    let cases = [
        (ONE, "dm 1;", None),
        (ONE, "bm Ra8#; dm 1;", None),
        (ONE, "bm Ra8#;", None),
        (ONE, "bm Ra7;", Some("is not the best: 1. Ra8# has")),
        (ONE, "bm Ra7; dm 1;", Some("1. Ra7 does not mate in 1")),
        (ONE, "dm 2;", Some("1. Ra8# mates in 1, expected 2")),
        ("k7/8/2K5/8/8/8/8/7R w - -", "dm 1;", Some("there is no mate in 1")),
        ("k7/8/2K5/8/8/8/8/7R w - -", "dm 2;", None),
        ("k7/8/2K5/8/8/8/8/7R w - -", "bm Kb6; dm 2;", Some("1. Kc7 mates in 2, too")),
        ("k7/8/2K5/8/8/8/8/7R w - -", "bm Kb6 Kc7; dm 2;", None),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "bm e4;", Some("1.")),
        (MATED, "bm Kg3; dm 1;", Some("1... Kg3 does not mate in 1")),
        (ONE, "bm Ra9;", Some("bm: ")),
        ("8/8/8/8/8/8/8/8 w - -", "dm 1;", Some("king")),
    ];
    for (position, operations, expected) in cases {
        let text = format!("{position} {operations} id \"x\";\n");
        let found = check(&["--from", "epd"], &text);
        match expected {
            None => assert_eq!((found.code, found.out.as_str()), (Some(0), "1 puzzle: 1 true\n"), "{text}"),
            Some(problem) => {
                assert_eq!(found.code, Some(1), "{text}: {}", found.out);
                assert!(found.out.starts_with("standard input:1: "), "{text}: {}", found.out);
                assert!(found.out.contains(problem), "{text}: {}", found.out);
                assert!(found.out.ends_with("1 puzzle: 0 true, 1 false\n"), "{text}: {}", found.out);
            }
        }
    }
    let nothing = check(&["--from", "epd"], &format!("{ONE} id \"x\";\n{ONE} am Ra7;\n"));
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(0), "0 puzzles: 0 true, 2 left out\n"));
    let open =
        puzzles(&["check", "-", "--from", "epd", "--nodes", "1"], "8/8/8/3k4/8/8/1Q6/K7 w - - dm 7;\n");
    assert_eq!(open.code, Some(1));
    assert!(open.out.contains("neither proved nor refuted by 1 nodes"), "{}", open.out);
}

#[test]
fn a_table_is_checked_row_by_row() {
    let text = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n\
                good,3r1bk1/5pp1/7p/8/2B5/8/5PPP/5RK1 b - - 0 1,d8d5 c4d5,800,90,0,0,advantage,,\n\
                wrong,3r1bk1/5pp1/7p/8/2B5/8/5PPP/5RK1 b - - 0 1,d8d5 c4b3,800,90,0,0,,,\n\
                mate,6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1,g8h8 a1a8,800,90,0,0,mateIn1,,\n\
                illegal,6k1/5ppp/p7/8/8/8/8/R5K1 b - - 0 1,a6a5 a1a8 h7h5,800,90,0,0,,,\n\
                short,6k1/5ppp/p7/8/8/8/8/R5K1 b - - 0 1,a6a5,800,90,0,0,,,\n\
                \n";
    let found = check(&["--json"], text);
    assert_eq!(found.code, Some(1));
    let json = found.json();
    let rows: Vec<(u64, &str, &str)> = json["puzzles"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap_or_default();
            (row["line"].as_u64().expect("a line"), text("id"), text("verdict"))
        })
        .collect();
    assert_eq!(
        rows,
        [(2, "good", "true"), (3, "wrong", "false"), (4, "mate", "true"), (5, "", "false"), (6, "", "false"),],
        "{json:#}"
    );
    assert_eq!((json["checked"].as_u64(), json["true"].as_u64()), (Some(5), Some(2)));
    for (max, expected) in [("1", "1 puzzle: 1 true\n"), ("3", "3 puzzles: 2 true, 1 false\n")] {
        let found = check(&["--max", max], text).out;
        assert!(found.ends_with(expected), "{found}");
    }
}

#[test]
fn variations_are_other_solutions() {
    let problem = |moves: &str| {
        format!(
            "[SetUp \"1\"]\n[FEN \"k7/8/2K5/8/8/8/8/7R w - - 0 1\"]\n\n{moves} 1-0\n\n[Event \"a game\"]\n\n1. e4 *\n"
        )
    };
    let cases = [
        ("1. Kb6 Kb8 2. Rh8#", Some("1. Kc7 mates in 2, too")),
        ("1. Kb6 (1. Kc7) Kb8 2. Rh8#", None),
        ("1. Kb6 (1. Kc7) Kb8 2. Rh7 Ka8 3. Rh8#", Some("mates in")),
        ("1. Kb6 (1. Kc7) Kb8 2. Kd4", Some("Kd4")),
        ("", Some("found no move to solve it by")),
    ];
    for (moves, expected) in cases {
        let found = check(&["--from", "pgn"], &problem(moves));
        assert_eq!(found.code, Some(i32::from(expected.is_some())), "{moves}: {}", found.out);
        assert!(found.out.contains(expected.unwrap_or("1 true, 1 left out")), "{moves}: {}", found.out);
    }
}

#[test]
fn problems_are_written_down() {
    const LADDER: &str = "k7/8/2K5/8/8/8/8/7R w - - 0 1";
    let folder = folder("puzzles-new");
    let file = path(&folder, "problems.pgn");
    let new = |arguments: &[&str]| puzzles(&[&["new", LADDER], arguments].concat(), "");
    let moves = "1. Kb6 (1. Kc7 Ka7 2. Ra1#) Kb8 2. Rh8#";
    let found = new(&["--moves", moves, "--tag", "White=A. Composer", "--check", "--nodes", "3000"]);
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""));
    assert!(found.out.contains("[White \"A. Composer\"]"), "{}", found.out);
    assert!(found.out.ends_with(&format!("{} 1-0\n\n", moves.replace("Kb8", "1... Kb8"))), "{}", found.out);
    for moves in [moves, "c6b6 a8b8 h1h8"] {
        assert_eq!(new(&["--moves", moves, "-o", &file, "--append"]).code, Some(0), "{moves}");
    }
    let games = fs::read_to_string(&file).expect("it is written");
    assert_eq!(games.matches("[FEN ").count(), 2, "{games}");
    let table = path(&folder, "problem.csv");
    let cases: [(&[&str], i32, &str); 10] = [
        (&["--moves", "Ra9"], 2, "--moves: found `Ra9`, expected moves of PGN or UCI"),
        (&["--moves", "1. Kb6 hello Kb8"], 2, "--moves: found `hello`, expected moves of PGN or UCI"),
        (&["--moves", "Kb6 Kc8"], 2, "Kc8"),
        (&["--moves", "1. Kb6 Kb8 2. Rh8#", "--check", "--nodes", "3000"], 1, "mates in 2, too"),
        (&["--tag", "nonsense"], 2, "expected NAME=VALUE"),
        (&["--moves", "Kb6", "--format", "csv"], 2, "[possible values: pgn, epd, json]"),
        (&["--moves", "Kb6", "-o", &table], 2, "the move before the puzzle"),
        (&["--append"], 2, "--output"),
        (&["--moves", "Kc8", "--append", "-o", "no-such-file.csv"], 2, "--append is for PGN and EPD"),
        (&["--moves", "Kb6", "--syzygy", "tables"], 2, "--check"),
    ];
    for (arguments, code, expected) in cases {
        let found = new(arguments);
        assert_eq!(found.code, Some(code), "{arguments:?}: {}", found.err);
        assert!(found.err.contains(expected), "{arguments:?}: {}", found.err);
    }
    let wrong = puzzles(&["new", "8/8/8/8/8/8/8/8", "w", "-", "-"], "");
    assert_eq!(wrong.code, Some(2));
    let epd = new(&["--moves", "Kb6", "--format", "epd"]);
    assert!(epd.out.starts_with("k7/8/2K5/8/8/8/8/7R w - - ") && epd.out.contains("bm Kb6;"), "{}", epd.out);
    assert!(!epd.out.contains("Themes") && !Path::new(&table).exists(), "{}", epd.out);
    assert_eq!(epd.err, "");
}

/// PGN keeps all that is typed; a warning names what other formats cannot keep.
#[test]
fn annotations_of_problems_are_kept() {
    let moves = "1. Kb6 $1 {The king comes.} (1. Kc7 $5 1... Ka7 2. Ra1# {Also mate.}) 1... Kb8 2. Rh8#";
    let new = |format: &str, moves: &str| {
        let fen = "k7/8/2K5/8/8/8/8/7R w - - 0 1";
        puzzles(&["new", fen, "--moves", moves, "--tag", "White=A. Composer", "--format", format], "")
    };
    let pgn = new("pgn", moves);
    assert_eq!(pgn.err, "");
    let movetext = pgn.out.rsplit("\n\n").nth(1).expect("moves").replace('\n', " ");
    assert_eq!(movetext, format!("{moves} 1-0"));
    let epd = new("epd", moves);
    assert!(epd.out.contains("bm Kb6 Kc7;") && epd.out.contains("pv Kb6 Kb8 Rh8#;"), "{}", epd.out);
    assert_eq!(epd.err, "warning: only PGN keeps comments, glyphs, further moves of variations, tags\n");
    let json = new("json", moves);
    assert_eq!(json.err, "warning: only PGN keeps comments, glyphs, further moves of variations\n");
    assert_eq!(new("json", "1. Kb6 (1. Kc7) Kb8 2. Rh8#").err, "");
}

/// A true record is written as it was if the format is the same.
#[test]
fn what_is_true_stays_as_it_is() {
    let folder = folder("puzzles-unchanged");
    let epd = "k7/8/2K5/8/8/8/8/7R w - - dm 2; id \"m2\"; c0 \"note\";\n\
               k7/8/2K5/8/8/8/8/7R w - - bm Kb6 Kc7; dm 2;\n";
    let pgn = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A. Composer\"]\n\
               [Black \"?\"]\n[Result \"1-0\"]\n[FEN \"k7/8/2K5/8/8/8/8/7R w - - 0 1\"]\n[SetUp \"1\"]\n\n\
               1. Kb6 $1 {The key.} (1. Kc7 Ka7 2. Ra1#) 1... Kb8 2. Rh8# 1-0\n\n";
    let csv = "Note,FEN,Moves,PuzzleId,Themes\n\
               \"good, old\",6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1,g8h8 a1a8,mate,mateIn1\n";
    for (format, text) in [("epd", epd), ("pgn", pgn), ("csv", csv)] {
        let (from, to) = (path(&folder, &format!("from.{format}")), path(&folder, &format!("to.{format}")));
        fs::write(&from, text).expect("it is written");
        let found = puzzles(&["check", &from, "-o", &to, "--nodes", "3000"], "");
        assert_eq!((found.code, found.err.as_str()), (Some(0), ""), "{}", found.out);
        assert_eq!(fs::read_to_string(&to).expect("it is written"), text);
        // The rest of an input would be lost.
        let over = puzzles(&["check", &from, "-o", &from, "--nodes", "3000"], "");
        assert_eq!(over.code, Some(2), "{}", over.out);
        assert!(over.err.contains("it is one of the inputs, expected another file"), "{}", over.err);
        assert_eq!(fs::read_to_string(&from).expect("it is there"), text);
    }
    // A table has the columns of its first row.
    let (first, both) = (path(&folder, "from.csv"), path(&folder, "both.csv"));
    let second = path(&folder, "second.csv");
    let row = "second,6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1,g8h8 a1a8,800,90,0,0,mateIn1,,\n";
    fs::write(&second, row).expect("it is written");
    let found = puzzles(&["check", &first, &second, "-o", &both, "--nodes", "3000"], "");
    assert_eq!(found.code, Some(0), "{}", found.out);
    assert!(found.err.contains("the table lacks columns of later files: GameUrl, NbPlays,"), "{}", found.err);
    let expected = format!("{csv},6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1,g8h8 a1a8,second,mateIn1\n");
    assert_eq!(fs::read_to_string(&both).expect("it is written"), expected);
}

/// Other formats have what a puzzle can state, and it is true there as well.
#[test]
fn what_is_true_is_true_in_another_format() {
    let folder = folder("puzzles-converted");
    let themes = "[SetUp \"1\"]\n[FEN \"k7/8/2K5/8/8/8/8/7R w - - 0 1\"]\n[PuzzleThemes \"mate endgame\"]\n\n\
                  1. Kb6 (1. Kc7 Ka7 2. Ra1#) 1... Kb8 2. Rh8# 1-0\n\n";
    let cases = [
        ("dm.epd", "k7/8/2K5/8/8/8/8/7R w - - dm 2; id \"m2\";\n", "pgn", "[PuzzleMate \"2\"]"),
        ("bm.epd", "k7/8/2K5/8/8/8/8/7R w - - bm Kb6 Kc7; dm 2;\n", "pgn", "1. Kb6 (1. Kc7) *"),
        ("themes.pgn", themes, "epd", "bm Kb6 Kc7; dm 2;"),
    ];
    for (name, text, format, expected) in cases {
        let from = path(&folder, name);
        let (to, back) =
            (path(&folder, &format!("{name}.{format}")), path(&folder, &format!("{name}.back.epd")));
        fs::write(&from, text).expect("it is written");
        for (from, to) in [(&from, &to), (&to, &back)] {
            let found = puzzles(&["check", from, "-o", to, "--nodes", "3000"], "");
            assert_eq!((found.code, found.out.as_str()), (Some(0), "1 puzzle: 1 true\n"), "{from}");
        }
        let (written, back) = (fs::read_to_string(&to), fs::read_to_string(&back));
        let (written, back) = (written.expect("it is written"), back.expect("it is written"));
        assert!(written.replace("1-0", "*").contains(expected), "{written}");
        assert!(back.contains("dm 2;"), "{back}");
        assert!(format == "epd" || back.contains("pv") == text.contains("pv"), "{back}");
    }
}

/// Each file of a folder is checked once, in any format, and so is each collection.
#[test]
fn a_folder_has_all_formats_once() {
    let folder = folder("puzzles-folder");
    let write = |name: &str, content: &[u8]| fs::write(folder.join(name), content).expect("it is written");
    let zip = |members: &[(&str, &str)]| {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, text) in members {
            archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("memory is there");
            std::io::Write::write_all(&mut archive, text.as_bytes()).expect("memory is there");
        }
        archive.finish().expect("memory is there").into_inner()
    };
    let record = format!("{MATED} dm 1;\n");
    let problem = "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n1. Ra8# 1-0\n\n";
    let row = "mate,6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1,g8h8 a1a8,800,90,0,0,mateIn1,,\n";
    write("a.epd", record.as_bytes());
    write("b.csv", row.as_bytes());
    write("c.pgn", problem.as_bytes());
    write("d.epd.zip", &zip(&[("one.epd", &record)]));
    let stored = run(&["db", "create", &path(&folder, "e.hdb"), &path(&folder, "c.pgn")], b"");
    assert_eq!(stored.code, Some(0), "{stored:?}");
    let found = puzzles(&["check", &path(&folder, ""), "--nodes", "3000"], "");
    assert_eq!((found.code, found.out.as_str()), (Some(0), "5 puzzles: 5 true\n"), "{}", found.err);
    // An archive is like a folder.
    let archive = zip(&[("one.epd", &record), ("two.csv", row), ("three.pgn", problem), ("four.txt", "x")]);
    write("all.zip", &archive);
    let found = puzzles(&["check", &path(&folder, "all.zip"), "--nodes", "3000"], "");
    assert_eq!((found.code, found.out.as_str()), (Some(0), "3 puzzles: 3 true\n"), "{}", found.err);
    write("none.zip", &zip(&[("four.txt", "x"), ("five.txt", "y")]));
    let found = puzzles(&["check", &path(&folder, "none.zip")], "");
    assert_eq!(found.code, Some(2));
    assert!(found.err.contains("no .pgn, .epd or .csv file in this folder or archive"), "{}", found.err);
}

#[test]
fn what_is_true_can_be_written_to_standard_output() {
    let records = format!("{MATED} dm 1; id \"good\";\n{MATED} dm 2; id \"bad\";\n");
    let found = check(&["--from", "epd", "-o", "-"], &records);
    assert_eq!(found.code, Some(1));
    assert!(found.out.contains("[FEN ") && found.out.matches("[Event ").count() == 1, "{}", found.out);
    assert!(
        found.err.contains("bad: ") && found.err.ends_with("2 puzzles: 1 true, 1 false\n"),
        "{}",
        found.err
    );
    let both = check(&["--from", "epd", "-o", "-", "--json"], &records);
    assert_eq!(both.code, Some(2));
    assert!(both.err.contains("both write to standard output"), "{}", both.err);
    // A table cannot have all that is true.
    let table = path(&folder("puzzles-lead"), "true.csv");
    let found = check(&["--from", "epd", "-o", &table], &records);
    let told = "2 puzzles: 1 true, 1 false; 1 not written without the move before, which a table needs\n";
    assert!(found.out.ends_with(told), "{}", found.out);
    let found = check(&["--from", "epd", "-o", &table, "--json"], &records).json();
    assert_eq!((found["checked"].as_u64(), found["without_lead"].as_u64()), (Some(2), Some(1)));
}

/// The number of a game is that in its file or collection, whatever a query excludes.
#[test]
fn games_of_a_collection_have_their_numbers() {
    let folder = folder("puzzles-numbers");
    let (pgn, hdb) = (path(&folder, "games.pgn"), path(&folder, "games.hdb"));
    fs::write(&pgn, GAMES).expect("it is written");
    let stored = run(&["db", "create", &hdb, &pgn], b"");
    assert_eq!(stored.code, Some(0), "{stored:?}");
    for source in [&pgn, &hdb] {
        let arguments =
            [&[source.as_str(), "--query", "event:b", "--json", "--no-rating"], &QUICK[..]].concat();
        let found = puzzles(&arguments, "").json();
        assert_eq!((&found["games"], &found["puzzles"][0]["game"]), (&1.into(), &2.into()), "{found:#}");
    }
}

/// Records with any content are listed, and cause no other fault.
#[test]
fn nonsense_is_listed() {
    for text in [
        "",
        "\0\0\0",
        "a,b,c\n1,2,3\n",
        "[Event \"x\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n",
        "PuzzleId,FEN,Moves\n,,\n",
    ] {
        for from in [&[][..], &["--from", "csv"], &["--from", "epd"], &["--from", "pgn"]] {
            let found = check(from, text);
            assert!(found.code.is_some_and(|code| code < 3), "{text:?} {from:?}: {found:?}");
        }
    }
    let missing = puzzles(&["check", "no-such-file.csv"], "");
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("no-such-file.csv"), "{}", missing.err);
}

/// The output of `hematite puzzles check` for every `stride`th mate of the suite, up to this length.
fn check_mates(stride: usize, longest: usize, nodes: &str) -> Run {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("epd/mates.epd");
    let text = fs::read_to_string(path).expect("the suite is in the tree");
    let is_short = |line: &&str| (1..=longest).any(|moves| line.contains(&format!("dm {moves};")));
    let lines: Vec<&str> = text.lines().filter(is_short).step_by(stride).collect();
    puzzles(&["check", "-", "--from", "epd", "--nodes", nodes], &lines.join("\n"))
}

#[test]
fn a_sample_of_our_mates_is_true() {
    let found = check_mates(40, 2, "20k");
    assert_eq!(found.code, Some(0), "{}", found.out);
    assert_eq!(found.out, "18 puzzles: 18 true\n");
}

#[test]
#[ignore = "takes minutes"]
fn all_our_mates_are_true() {
    let found = check_mates(1, 5, "5M");
    assert_eq!((found.code, found.out.as_str()), (Some(0), "2000 puzzles: 2000 true\n"));
}
