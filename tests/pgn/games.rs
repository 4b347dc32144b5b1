//! `hematite pgn show`, `diff` and `retag`, run by the built binary.

use super::tree::game;
use crate::support::binary::{Run, folder, run};
use crate::support::place::Place;
use std::fs;

/// Two games with comments around them and different line ends, and one with an illegal move.
const RAW: &str = "\u{feff}; first\r\n[Event \"A\"]\r\n[White \"Tal\"]\r\n[Black \"Smyslov\"]\r\n[Result \"1-0\"]\r\n\r\n\
    1. e4 {best}  e5 2. Nf3   1-0 {end}\r\n\r\n\r\n\
    {of two} [Event \"B\"]\r\n\r\n1. d4 d5 (1... Nf6) 1/2-1/2\r\n\r\n[Event \"C\"]\r\n\r\n1. e4 e5 2. Ke3 Nc6 *";

fn pgn(arguments: &[&str], games: &str) -> Run {
    run(&[&["pgn"], arguments, &["-"]].concat(), games.as_bytes())
}

#[test]
fn glyphs_are_listed_with_their_meanings() {
    let nags = |arguments: &[&str]| run(&[&["pgn", "nags"], arguments].concat(), b"");
    let all = nags(&[]).out;
    assert!(
        all.starts_with("$0         no annotation\n$1    !    good move\n") && all.lines().count() > 139,
        "{all}"
    );
    assert_eq!(nags(&["$6", "97"]).out, "$6    ?!   dubious move\n$97        Black has well placed rooks\n");
    assert_eq!(nags(&["??"]).out, "$4    ??   blunder\n");
    let found = nags(&["ZUGZWANG", "--json"]);
    let lines: Vec<&str> = found.out.lines().collect();
    assert_eq!(lines[0], r#"{"nag":22,"sign":"⊙","meaning":"White is in zugzwang"}"#);
    assert_eq!((lines.len(), found.code), (2, Some(0)));
    assert_eq!(nags(&["nonsense"]).code, Some(1));
}

#[test]
fn lines_become_games() {
    let games = game(&[("ECO", "B00")], "1. e4 {x} (1. d4 d5 (1... Nf6)) 1... e5 2. Ke3 Nc6", "1-0")
        + &game(&[], "1. e4 e5 (1... c5 {y} 2. Nf3) 2. Nc3", "0-1");
    let lines = pgn(&["export", "--lines", "-q"], &games);
    let ends: Vec<&str> = lines.out.lines().filter(|line| line.contains("1. ")).collect();
    let expected = ["1. d4 d5 *", "1. d4 Nf6 *", "1. e4 e5 2. Nc3 0-1", "1. e4 c5 {y} 2. Nf3 *"];
    assert_eq!(ends[1..], expected, "the first cannot be read to its end: {}", lines.out);
    assert!(ends[0].starts_with("1. e4 {x} 1... e5 {[%unread Ke3 Nc6]} 1-0"), "{}", ends[0]);
    assert_eq!(lines.out.matches("[ECO \"B00\"]").count(), 3);
    // They are sorted one by one.
    let sorted = pgn(&["export", "--lines", "--sort", "-q", "--broken", "drop"], &games).out;
    let ends: Vec<&str> = sorted.lines().filter(|line| line.contains("1. ")).collect();
    assert_eq!(ends.len(), 2);
    assert_eq!(pgn(&["export", "--lines", "-q"], &lines.out).out, lines.out, "lines have one line");
}

#[test]
fn games_are_shown_by_numbers_and_queries() {
    let tags = [
        ("Site", "Riga LAT"),
        ("Round", "?"),
        ("White", "Tal, Mihail"),
        ("WhiteElo", "2700"),
        ("Annotator", "N"),
    ];
    let games = game(&tags, "1. e4 {x} c5 (1... e5) 2. Nf3", "1-0")
        + &game(&[("SetUp", "1"), ("FEN", "7k/8/8/8/8/8/pr6/7K b - - 0 40")], "40... a1=Q#", "0-1");
    let shown = pgn(&["show", "--game", "1"], &games);
    let expected =
        "Tal, Mihail (2700) – ?  1-0\nE, Riga LAT\nB27 Sicilian Defense\nAnnotator  N\n\n1.e4 c5 2.Nf3 1-0\n";
    assert_eq!((shown.code, &*shown.out), (Some(0), expected));
    let both = pgn(&["show", "--game", "1..9"], &games).out;
    assert!(
        both.starts_with(expected) && both.ends_with("\n40...a1=Q# 0-1\n") && both.contains("\n\n? – ?"),
        "{both}"
    );
    assert_eq!(pgn(&["show"], &games).out, both);
    assert_eq!(pgn(&["show", "--query", "player:tal"], &games).out, expected);
    let board = pgn(&["show", "--game", "2", "--board"], &games).out;
    assert!(
        board.contains("after ply 1\n8  . . . . . . . k")
            && board.ends_with("7k/8/8/8/8/8/1r6/q6K w - - 0 41\n"),
        "{board}"
    );
    assert!(pgn(&["show", "--game", "1", "--ply", "2"], &games).out.ends_with(" w KQkq c6 0 2\n"));
    let short = pgn(&["show", "--game", "1", "--ply", "9"], &games);
    assert!(short.out.contains("no such position") && short.code == Some(1), "{short:?}");
    let json = pgn(&["show", "--game", "1", "--json", "--ply", "0"], &games).json();
    assert_eq!(
        (&json["game"], &json["plies"], &json["moves"]),
        (&1.into(), &3.into(), &"1.e4 c5 2.Nf3 1-0".into())
    );
    assert_eq!((&json["eco"], &json["tags"]["Annotator"]), (&"B27".into(), &"N".into()));
    for arguments in [&["show", "--game", "3"][..], &["show", "--query", "player:nobody"]] {
        let none = pgn(arguments, &games);
        assert_eq!((none.code, &*none.out, &*none.err), (Some(1), "", "there is no such game\n"));
    }
    assert_eq!(pgn(&["show", "--game", "1", "--query", "player:tal"], &games).code, Some(2));
    // A line from one position to another.
    let cases = [
        (&["--from", "1b"][..], "1...c5 2.Nf3 1-0"),
        (&["--from", "2", "--to", "2"], "1...c5"),
        (&["--to", "1w"], "1.e4"),
        (&["--from", "1b", "--to", "9w"], "1...c5 2.Nf3 1-0"),
        (&["--from", "3w"], "1-0"),
        (&["--from", "2w", "--to", "1w"], ""),
    ];
    for (range, expected) in cases {
        let shown = pgn(&[&["show", "--game", "1", "--json"], range].concat(), &games);
        assert_eq!(shown.json()["moves"], expected, "{range:?}");
    }
    assert!(pgn(&["show", "--game", "2", "--from", "40b"], &games).out.ends_with("\n40...a1=Q# 0-1\n"));
    assert_eq!(pgn(&["show", "--from", "x"], &games).code, Some(2));
    assert_eq!(pgn(&["show", "--game", "0"], &games).code, Some(2));
}

#[test]
fn raw_games_are_the_bytes_of_the_file() {
    let raw = |numbers: &str| pgn(&["show", "--raw", "--quiet", "--game", numbers], RAW).out;
    let ends =
        [RAW.find("{end}").expect("it is there") + 5, RAW.find("\r\n\r\n[Event \"C\"").expect("it is there")];
    let bounds = [0..ends[0], ends[0]..ends[1], ends[1]..RAW.len()];
    let texts = bounds.map(|range| RAW[range].trim_start_matches('\u{feff}').trim().to_owned() + "\r\n");
    for (number, text) in ["1", "2", "3"].iter().zip(&texts) {
        assert_eq!(&raw(number).trim_end(), &text.trim_end(), "{number}");
    }
    assert_eq!(raw("2"), texts[1]);
    // A file of many chunks, and one that is packed: every number is that of the list.
    let folder = folder("show-raw");
    let path = folder.join("many.pgn.zst");
    let one =
        |number: usize| game(&[("White", &format!("P{number}"))], "1. e4 {a} e5 2. Nf3 Nc6 3. Bb5", "*");
    let all: String = (1..=20_000).map(one).collect();
    fs::write(&path, zstd::encode_all(all.as_bytes(), 1).expect("memory can be compressed"))
        .expect("it can be written");
    let path = path.to_str().expect("UTF-8");
    let shown = run(&["pgn", "show", "--raw", "--game", "15000", path], b"");
    assert_eq!(shown.out, one(15_000).trim_end().to_owned() + "\n");
    assert_eq!(run(&["pgn", "show", "--raw", path, "-o", &format!("{path}.pgn")], b"").code, Some(0));
    assert_eq!(
        fs::read_to_string(format!("{path}.pgn")).expect("it is written"),
        all.trim_end().to_owned() + "\n"
    );
}

#[test]
fn games_differ_in_tags_moves_comments_and_variations() {
    let folder = folder("diff");
    let path = folder.join("a.pgn");
    let path = path.to_str().expect("UTF-8");
    let base = game(&[("White", "A")], "1. e4 {x} e5 (1... c5) 2. Nf3 Nc6", "1-0");
    let other = game(&[("White", "B"), ("Round", "1")], "1. e4 e5 (1... c6) 2. Nf3 Nf6", "0-1");
    // Another order of tags and another layout.
    let same = base
        .replace("[Event \"E\"]\n[White \"A\"]\n", "[White \"A\"]\n[Event \"E\"]\n")
        .replace(' ', "\n")
        .replace("]", "] ");
    let same =
        same.replace("[White\n", "[White ").replace("[Event\n", "[Event ").replace("[Result\n", "[Result ");
    fs::write(path, base + &other + &same).expect("it can be written");
    let diff = |arguments: &[&str]| run(&[&["pgn", "diff"], arguments].concat(), b"");
    let name = |number: u32| format!("{path}#{number}");
    let equal = diff(&[path, &name(3)]);
    assert_eq!(equal.code, Some(0), "{equal:?}");
    assert!(equal.out.contains("The games are equal."), "{}", equal.out);
    let found = diff(&[&name(1), &name(2)]);
    assert_eq!((found.code, found.err.as_str()), (Some(1), ""));
    let line = "The games differ: tags (Result, Round, White); results; moves (after ply 3); comments (at 1 move); \
        variations (at 1 move).";
    assert!(found.out.contains(line), "{}", found.out);
    assert!(found.out.contains("*  2.Nf3 Nc6  2.Nf3 Nf6\n"), "{}", found.out);
    assert!(found.out.contains("*  1.e4 e5    1.e4 e5    comments, variations\n"), "{}", found.out);
    // Alone it is compared with the game before.
    let json = diff(&["--json", &name(2)]).json();
    assert_eq!((&json["equal"], &json["first_move"]["ply"]), (&false.into(), &3.into()));
    assert_eq!(json["first_move"]["moves"], serde_json::json!(["Nc6", "Nf6"]));
    assert_eq!((&json["comments"], &json["variations"]), (&serde_json::json!([1]), &serde_json::json!([2])));
    for arguments in [&[path][..], &[&name(1), &name(4)], &["no-file.pgn", path], &["-", "-#2"]] {
        let refused = diff(arguments);
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{arguments:?}");
    }
    assert!(diff(&[&name(1), &name(4)]).err.contains("it has 3 games, expected a game 4"));
}

#[test]
fn tags_are_repaired_and_all_else_is_kept() {
    let tags = [
        ("Site", "Riga ,  LAT"),
        ("Date", "1.5.1960"),
        ("White", "Smith,J:Adams,M"),
        ("Black", "Mihail Tal"),
        ("WhiteElo", "2500:2600"),
        ("WhiteTitle", "GM:-"),
        ("BlackElo", "2700 (FIDE)"),
    ];
    let one = game(&tags, "1. e4 {x} e5 $1 (1... c5) 2. Nf3", "1-0");
    let broken = game(&[("Date", "1/5/1960")], "1. e4 e5 2. Ke3 Nc6", "*");
    let fixed = pgn(&["retag"], &(one.clone() + &broken));
    assert_eq!(
        (fixed.code, fixed.err.lines().last()),
        (Some(1), Some("1 of 2 games changed; 1 odd value left as they are, which --dry-run shows"))
    );
    for part in [
        "[Site \"Riga LAT\"]\n[Date \"1960.05.01\"]",
        "[White \"Adams, M.:Smith, J.\"]\n[Black \"Mihail Tal\"]",
        "[BlackElo \"2700\"]\n[WhiteElo \"2600:2500\"]\n[WhiteTitle \"-:GM\"]\n\n1. e4 {x} 1... e5 $1 (1... c5) 2. Nf3 1-0\n",
        "[Date \"1/5/1960\"]",
        "1. e4 e5 {[%unread Ke3 Nc6]} *",
    ] {
        assert!(fixed.out.contains(part), "{part}: {}", fixed.out);
    }
    // What has been repaired stays, and nothing but the tags was changed.
    let again = pgn(&["retag", "--dry-run", "--date-order", "dmy"], &fixed.out);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(pgn(&["retag", "--dry-run"], &fixed.out).code, Some(1));
    assert_eq!(pgn(&["retag", "--fix", "none", "-q"], &one).out, pgn(&["export"], &one).out);
    assert!(
        pgn(&["retag", "--fix", "dates", "-q"], &one)
            .out
            .contains("[Site \"Riga ,  LAT\"]\n[Date \"1960.05.01\"]")
    );
}

#[test]
fn a_table_that_is_no_text_is_refused() {
    let path = folder("retag-bytes").join("names.txt");
    fs::write(&path, b"Tal -> \xff\xfe").expect("it can be written");
    let path = path.to_str().expect("UTF-8");
    let refused = pgn(&["retag", "--names", path], &game(&[], "1. e4", "*"));
    let expected = format!("error: {path}: found bytes that are not UTF-8, expected text\n");
    assert_eq!((refused.code, &*refused.out, &*refused.err), (Some(2), "", &*expected));
}

#[test]
fn tables_settings_and_queries_of_retag() {
    let place = Place::new();
    let names = place.file("names", "# the names\nTal, Mihail\nV. Smyslov -> Smyslov, Vasily\n");
    let sites = place.file("sites", "Russia -> RUS\n");
    let ratings = place.file("ratings", "Tal, Mihail -> 2700\nSmyslov, Vasily\t2690\n");
    let tags =
        [("Site", "Moscow, Russia"), ("White", "Mihail Tal"), ("Black", "V. Smyslov"), ("BlackElo", "2600")];
    let games = game(&tags, "1. e4 c5 2. Nf3", "1-0") + &game(&[("White", "Other")], "1. d4", "*");
    let tables = ["--names", &names, "--sites", &sites, "--ratings", &ratings];
    let found = pgn(&[&["retag", "-q"], &tables[..]].concat(), &games).out;
    for part in [
        "[Site \"Moscow RUS\"]",
        "[White \"Tal, Mihail\"]\n[Black \"Smyslov, Vasily\"]",
        "[BlackElo \"2600\"]\n[WhiteElo \"2700\"]",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
    let list = place.file("players", "name\ttitle\tfide_id\telo\tbirth\nMihail Tal\tGM\t7\t2705\t1936\n");
    let listed = pgn(&["retag", "-q", "--fix", "none", "--players", &list], &games).out;
    assert!(listed.contains("[WhiteElo \"2705\"]\n[WhiteFideId \"7\"]\n[WhiteTitle \"GM\"]"), "{listed}");
    let dated = place.file("dated", "name\tdate\telo\nTal, Mihail\t1957\t2600\nTal, Mihail\t1960.05\t2700\n");
    let events = place.file("events", "WCh -> World Championship\n");
    let tags = [("Date", "1960.03.15"), ("White", "mihail tal:Other"), ("Black", "Botvinnik, M.")];
    let match_game = game(&tags, "1. e4 e6", "1-0").replacen("\"E\"", "\"WCh\"", 1);
    let tables = ["--players", &dated, "--events", &events];
    let found = pgn(&[&["retag", "-q"], &tables[..]].concat(), &match_game).out;
    for part in ["[Event \"World Championship\"]", "[White \"Other:Tal, Mihail\"]", "[WhiteElo \"-:2600\"]"] {
        assert!(found.contains(part), "{part}: {found}");
    }
    let spaces = game(&[], "1. d4", "*").replacen("\"E\"", "\"Linares  2001 ,A\"", 1);
    assert!(pgn(&["retag", "-q"], &spaces).out.contains("[Event \"Linares 2001, A\"]"));
    assert!(pgn(&["retag", "-q", "--fix", "sites"], &spaces).out.contains("[Event \"Linares  2001 ,A\"]"));
    let wrong = pgn(&["retag", "--players", &names], &games);
    assert!(wrong.code == Some(2) && wrong.err.contains("line 2: found a column"), "{}", wrong.err);
    let arguments = [
        "retag",
        "-q",
        "--query",
        "white:tal",
        "--add",
        "plycount,eco,opening",
        "--set",
        "Round=1",
        "--drop",
        "BlackElo",
    ];
    let found = pgn(&arguments, &games).out;
    assert!(found.contains("[ECO \"B27\"]\n[Opening \"Sicilian Defense\"]\n[PlyCount \"3\"]\n\n"), "{found}");
    assert!(
        found.contains("[Round \"1\"]")
            && found.contains("[White \"Other\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. d4 *")
    );
    let listed = pgn(&["retag", "--dry-run", "--json", "--set", "Result=0-1"], &games).json();
    assert_eq!((&listed["read"], &listed["games"]), (&2.into(), &2.into()));
    let change = serde_json::json!({ "tag": "Result", "from": "1-0", "to": "0-1", "games": 1 });
    assert!(listed["changes"].as_array().is_some_and(|changes| changes.contains(&change)), "{listed}");
    assert!(pgn(&["retag", "-q", "--set", "Result=0-1"], &games).out.contains("2. Nf3 0-1\n"));
    let bad = place.file("bad", "Tal -> a\nTal -> b\n");
    let refused = pgn(&["retag", "--names", &bad], &games);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("line 2: it contradicts an earlier line"), "{}", refused.err);
    for wrong in [
        &["--set", "FEN=x"][..],
        &["--set", "Result=won"],
        &["--set", "A B=c"],
        &["--set", "A"],
        &["--drop", "SetUp"],
        &["--drop", "Result"],
        &["--json"],
        &["--dry-run", "-o", "x.pgn"],
    ] {
        assert_eq!(pgn(&[&["retag"], wrong].concat(), &games).code, Some(2), "{wrong:?}");
    }
}
