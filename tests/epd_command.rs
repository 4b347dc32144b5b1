//! `hematite epd`, run by the built binary.

use crate::support;
use crate::support::binary::{BINARY, Run, folder, run_unread};
use serde_json::Value;
use std::fs;
use std::path::Path;

pub(super) const MATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/epd/short-mates.epd");

/// The number of positions in `epd/short-mates.epd`.
const MATE_COUNT: u64 = 12;
/// Three positions that any search solves, each with a different kind of goal, and one that no search solves.
pub(super) const MIXED: &str = "\
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"easy.1\"; c0 \"Ra8#=10, Ra7=3\";
4k3/8/8/3q4/8/4N3/8/4K3 w - - am Ke2 Kf2; id \"easy.2\";
7k/8/5KQ1/8/8/8/8/8 w - - dm 1; id \"easy.3\";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - am Ra8#; id \"never.1\"; c7 \"h3 Ra8\"; c8 \"10 4\";
";

/// Runs `hematite epd`.
pub(super) fn run(arguments: &[&str], input: &[u8]) -> Run {
    support::binary::run(&[&["epd"], arguments].concat(), input)
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The binary under test as an engine. Quotes keep spaces in its path.
pub(super) fn own_engine() -> String {
    format!("'{BINARY}'")
}

/// `--json` does not replace a suite, whose name follows it if that of the output was omitted.
#[test]
fn a_suite_is_not_taken_for_the_place_of_the_results() {
    let folder = folder("epd-json-suite");
    let [suite, other, new] = ["suite.epd", "other.epd", "new.json"].map(|name| folder.join(name));
    for suite in [&suite, &other] {
        fs::write(suite, MIXED).expect("it can be written");
    }
    let words = ["run", "--depth", "1", "--json", text(&suite), text(&other)];
    let shown = run(&words, b"");
    assert_eq!(shown.code, Some(2), "{shown:?}");
    assert!(shown.err.contains("suite.epd` exists and is not JSON"), "{shown:?}");
    assert_eq!(fs::read_to_string(&suite).ok().as_deref(), Some(MIXED));
    // A result may be replaced.
    for _ in 0..2 {
        let shown = run(&["run", "--depth", "1", "--json", text(&new), text(&other)], b"");
        assert_ne!(shown.code, Some(2), "{shown:?}");
    }
}

/// Evaluations in comments become those of the side to move, and the lines of an analysis become predicted variations.
#[test]
fn games_are_exported_as_records() {
    let game = "[White \"A\"]\n\n1. e4 {[%eval 0.31,18] good} 1... c5 2. Nf3 {[%eval 0.1]} (2. c3 {[%eval 0.2,9]} d5) 1-0\n\n1. d4 *\n";
    let ask = |arguments: &[&str]| {
        support::binary::run(&[&["pgn", "export", "--epd"], arguments, &["-"]].concat(), game.as_bytes())
    };
    let records = ask(&[]);
    let lines: Vec<&str> = records.out.lines().collect();
    assert_eq!((records.code, lines.len()), (Some(0), 6), "{records:?}");
    assert!(lines[1].contains(" acd 18; c0 \"[%eval 0.31,18] good\"; ce -31;"), "{}", lines[1]);
    assert!(lines[2].ends_with("pv c3 d5;") && !lines[2].contains("ce "), "{}", lines[2]);
    assert!(lines[3].contains(" ce -10;"), "{}", lines[3]);
    let named = ask(&["--eco", "--query", "white:A"]);
    let first = named.out.lines().next().expect("a record");
    assert!(
        named.out.lines().count() == 4 && first.contains("eco \"B27\"; v0 \"Sicilian Defense\";"),
        "{}",
        named.out
    );
    assert_eq!(run(&["check", "-"], records.out.as_bytes()).code, Some(0));
    assert_eq!(ask(&["--uci"]).code, Some(2));
}

/// A commented game is unchanged after its conversion to a sequence of records and back.
#[test]
fn games_become_records_and_games_again() {
    let game = "[Event \"Match\"]\n[ECO \"C50\"]\n[Opening \"Italian Game\"]\n[Variation \"Pianissimo\"]\n\n\
        {both know it} 1. e4 e5 {the \\ \"open\" game} 2. Nf3 (2. f4) 2... Nc6 3. Bc4 {one} {two} 3... Bc5 4. d3 *\n";
    let records = support::binary::run(&["pgn", "fen", "--epd", "--comments", "-"], game.as_bytes());
    assert_eq!((records.code, records.out.lines().count()), (Some(0), 8), "{records:?}");
    let third = records.out.lines().nth(2).expect("a record");
    assert!(third.contains(" c0 \"the ") && !third.contains("eco"), "{third}");
    let again = run(&["games", "-"], records.out.as_bytes());
    assert_eq!((again.code, &*again.err), (Some(0), ""));
    let tags = ["[ECO \"C50\"]", "[Opening \"Italian Game\"]", "[Variation \"Pianissimo\"]"];
    assert!(tags.iter().all(|tag| again.out.contains(tag)), "{again:?}");
    let moves = again.out.rsplit("\n\n").nth(1).expect("moves").replace('\n', " ");
    let exported =
        support::binary::run(&["pgn", "export", "--strip", "variations", "-"], game.as_bytes()).out;
    assert_eq!(moves, exported.rsplit("\n\n").nth(1).expect("moves").replace('\n', " "));
    // What no move reaches starts a game, and what cannot be read is told.
    let two = run(
        &["games", "-"],
        b"4k3/8/8/8/8/8/4P3/4K3 w - -\nnonsense\n4k3/8/8/8/8/8/8/R3K3 w Q - sm O-O-O;\n",
    );
    assert_eq!((two.code, two.out.matches("[FEN ").count()), (Some(1), 2), "{two:?}");
    assert!(two.out.contains("\n1. O-O-O *") && two.err.contains(":2:1: "), "{two:?}");
}

/// Records that were evaluated become a game with evaluations, which are judged without a search.
#[test]
fn evaluated_records_become_a_game() {
    let game = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
    let run_all = |arguments: &[&str], input: &str| {
        let run = support::binary::run(arguments, input.as_bytes());
        assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.err);
        run.out
    };
    let records = run_all(&["pgn", "fen", "--epd", "-"], game);
    let evaluated = run_all(&["analyse", "--epd", "--nodes", "2k", "-"], &records);
    let games = run_all(&["epd", "games", "-"], &evaluated).replace('\n', " ");
    // Every position but that of the mate has an evaluation, and where another move is best it is a variation.
    assert_eq!(evaluated.matches(" ce ").count(), 7, "{evaluated}");
    assert!(games.matches("[%eval ").count() >= 8 && games.contains("[%eval #1,"), "{games}");
    assert!(games.contains("3... Nf6 {[%eval #1,") && games.contains(" (3... "), "{games}");
    let judged = run_all(&["analyse", "--use-evals", "-"], &games);
    assert!(judged.replace('\n', " ").contains("Nf6 $4"), "{judged}");
}

/// Records of one position are merged; conflicts are reported, and the first value is kept.
#[test]
fn records_of_equal_positions_are_merged() {
    let records = b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"one\"; id \"a\"; hmvc 3;\n\
        7k/8/5KQ1/8/8/8/8/8 w - - dm 1;\n\
        # the same position, later in a game\n\
        4k3/8/8/8/8/8/4P3/4K3 w - - acd 9; bm Kd2 e4; c0 \"two\"; ce 90; hmvc 5;\n";
    let expected = "4k3/8/8/8/8/8/4P3/4K3 w - - acd 9; bm Kd2 e4; c0 \"one\"; c1 \"two\"; ce 90; id \"a\";\n\
        7k/8/5KQ1/8/8/8/8/8 w - - dm 1;\n";
    let merged = run(&["merge", "-"], records);
    assert_eq!((merged.code, &*merged.out), (Some(0), expected));
    assert_eq!(merged.err, "2 positions of 3 records, 0 conflicts\n");
    // What is merged stays as it is.
    assert_eq!(run(&["merge", "-q", "-"], merged.out.as_bytes()).out, expected);

    let folder = folder("epd-merge");
    let (one, other, all) = (folder.join("one.epd"), folder.join("other.epd"), folder.join("all.epd"));
    fs::write(&one, expected).expect("a file");
    fs::write(&other, "nonsense\n7k/8/5KQ1/8/8/8/8/8 w - - dm 2; am Qg7#;\n").expect("a file");
    let torn = run(&["merge", text(&one), text(&other), "-o", text(&all)], b"");
    assert_eq!((torn.code, &*torn.out), (Some(1), ""));
    assert!(
        torn.err.contains("other.epd:1:1: ") && torn.err.contains("other.epd:2: dm: found `dm 2`"),
        "{}",
        torn.err
    );
    assert!(fs::read_to_string(&all).expect("it is written").ends_with(" w - - am Qg7#; dm 1;\n"));
    let silent = run(&["merge", "-q", text(&one), text(&other)], b"");
    assert!(silent.code == Some(1) && !silent.err.contains("dm 2"), "{}", silent.err);
    assert_eq!(run(&["merge", "no-such.epd"], b"").code, Some(2));
}

/// The merged records of games: each position has the name of its own opening.
#[test]
fn positions_of_games_have_one_record() {
    let games = "[White \"A\"]\n[ECO \"B50\"]\n[Opening \"Tagged\"]\n\n1. e4 {[%eval 0.3,12] one} c5 2. Nf3 {here} *\n\n\
                 [White \"B\"]\n\n1. Nf3 c5 2. e4 {there} *\n\n[White \"C\"]\n\n1. e4 {[%eval 0.2,20]} e5 *\n";
    let ask = |arguments: &[&str]| {
        let arguments = [&["pgn", "export", "--epd", "--merge"], arguments, &["-"]].concat();
        support::binary::run(&arguments, games.as_bytes())
    };
    let merged = ask(&[]);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert_eq!(merged.err, "7 positions of 11 records, 0 conflicts\n");
    let lines: Vec<&str> = merged.out.lines().collect();
    assert_eq!(lines.len(), 7, "{}", merged.out);
    assert!(!merged.out.contains("eco"), "{}", merged.out);
    assert!(
        lines[1].contains(" acd 20; c0 \"[%eval 0.3,12] one\"; c1 \"[%eval 0.2,20]\"; ce -20;"),
        "{}",
        lines[1]
    );
    assert!(lines[3].contains(" c0 \"here\"; c1 \"there\";"), "{}", lines[3]);
    let named = ask(&["--eco", "-q"]);
    let fourth = named.out.lines().nth(3).expect("a record");
    assert!(
        named.err.is_empty()
            && fourth.contains("eco \"B27\";")
            && fourth.contains("v0 \"Sicilian Defense\";"),
        "{fourth}"
    );
    assert_eq!(run(&["check", "-"], named.out.as_bytes()).code, Some(0));
    assert_eq!(ask(&["--query", "white:c", "-q"]).out.lines().count(), 3);
    assert_eq!(support::binary::run(&["pgn", "export", "--merge", "-"], games.as_bytes()).code, Some(2));
}

#[test]
fn check_tells_file_line_and_column() {
    let good = run(&["check", MATES], b"");
    assert_eq!((good.code, good.err.as_str()), (Some(0), ""));
    assert_eq!(good.out, format!("1 file, {MATE_COUNT} records: 0 problems in 0 records\n"));

    let suite = b"# comment\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e5; am e4 Qe4; pv e4 Kd7 e5;\n\
        8/8/8/8/8/8/8/8 w - -\n4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 e5; bm e4\0\n";
    let bad = run(&["check", MATES, "-"], suite);
    assert_eq!((bad.code, bad.err.as_str()), (Some(1), ""), "{bad:?}");
    let lines: Vec<&str> = bad.out.lines().collect();
    let [bm, am, position, pv, summary] = lines[..] else { panic!("{bad:?}") };
    let cases = [
        ("bm", bm, "standard input:2:32: bm: `e5` is not legal"),
        ("am", am, "standard input:2:42: am: `Qe4` is not legal"),
        ("position", position, "standard input:3:1: piece placement: White has 0 kings"),
        ("pv", pv, "standard input:4:35: pv: `e5` is not legal"),
    ];
    for (name, found, expected) in cases {
        assert!(found.starts_with(expected), "{name}: {found}");
    }
    assert_eq!(summary, "2 files, 15 records: 4 problems in 3 records");

    let object = run(&["check", "--json", "-"], suite).json();
    assert_eq!((&object["records"], &object["wrong_records"]), (&3.into(), &3.into()), "{object}");
    assert_eq!(object["problems"].as_array().map(Vec::len), Some(4), "{object}");
    assert_eq!((&object["problems"][1]["line"], &object["problems"][1]["column"]), (&2.into(), &42.into()));
}

/// Valid records may still differ from the intention of their author, or not be understood by other programs.
#[test]
fn check_finds_what_is_missing_or_contradicts() {
    const POSITION: &str = "4k3/8/8/8/8/8/4P3/4K2R w K -";
    let cases: &[(&str, &[&str])] = &[
        ("bm", &["30: bm: found ``, expected moves"]),
        ("bm ;", &["30: bm: found ``, expected moves"]),
        ("am; pv;", &["30: am: found ``, expected moves", "34: pv: found ``, expected moves"]),
        ("bm e4; am e4;", &["37: e4 is a move of `bm` and of `am`, expected one of them"]),
        ("bm e2e4;", &["33: bm: `e2e4`, expected e4"]),
        ("bm e2-e4 0-0;", &["33: bm: `e2-e4`, expected e4", "39: bm: `0-0`, expected O-O"]),
        ("bm e4; pv 1. e4 Ke8d7 2. Ke1-d2;", &["55: pv: `Ke1-d2`, expected Kd2"]),
        ("bm e4; id two words;", &["40: id: `two words` without quotes, expected a string in quotes"]),
        ("bm e4; c0 a word;", &["40: c0: `a word` without quotes, expected a string in quotes"]),
        ("bm e4; id \"\";", &["40: id: found `\"\"`, expected a name in quotes"]),
        (
            "ce; acd;",
            &[
                "30: ce: found ``, expected centipawns from -32767 to 32766",
                "34: acd: found ``, expected a number of plies",
            ],
        ),
        ("bm e4; bm d4;", &["37: bm: found twice, expected once"]),
        ("id BK.01; bm Rh2 O-O+! 1.e4; pm e4; c0; eco;", &[]),
    ];
    for (operations, expected) in cases {
        let shown = run(&["check", "-"], format!("{POSITION} {operations}\n").as_bytes());
        let expected: Vec<String> = expected.iter().map(|text| format!("standard input:1:{text}")).collect();
        let mut lines: Vec<&str> = shown.out.lines().collect();
        assert!(lines.pop().is_some_and(|sum| sum.starts_with("1 file, 1 record: ")), "{shown:?}");
        assert_eq!(lines, expected, "{operations}");
        assert_eq!(shown.code, Some(i32::from(!expected.is_empty())), "{operations}");
    }
}

#[test]
fn check_goes_on_after_a_file_that_cannot_be_read() {
    let folder = folder("epd-unreadable");
    let missing = folder.join("missing.epd");
    for json in [false, true] {
        let mut arguments = vec!["check", text(&missing), MATES];
        arguments.extend(json.then_some("--json"));
        let shown = run(&arguments, b"");
        assert_eq!(shown.code, Some(2), "{shown:?}");
        assert!(shown.err.starts_with(&format!("error: {}: ", missing.display())), "{shown:?}");
        if json {
            assert_eq!(shown.json()["records"], MATE_COUNT, "{shown:?}");
        } else {
            assert!(shown.out.starts_with(&format!("1 file, {MATE_COUNT} records: 0 problems")), "{shown:?}");
        }
    }
}

#[test]
fn check_reads_anything() {
    let mut noise: Vec<u8> =
        (0..100_000u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    noise.push(b'\n');
    let cases: &[(&str, Vec<u8>, Option<i32>)] = &[
        ("nothing", Vec::new(), Some(0)),
        ("comments", b"# a\n\n#b".to_vec(), Some(0)),
        ("NUL bytes", vec![0; 1000], Some(0)),
        ("noise", noise, Some(1)),
        ("a long line", vec![b'8'; 1 << 22], Some(1)),
        ("many quotes", b"4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"\"\"\"\"\"e4; id \"".to_vec(), Some(1)),
    ];
    for (name, input, code) in cases {
        let shown = run(&["check", "-"], input);
        assert_eq!((shown.code, shown.err.as_str()), (*code, ""), "{name}");
        let shown = run(&["run", "--nodes", "10", "-"], input);
        assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{name}");
        assert!(shown.err.contains("error: standard input: no position with bm, am or dm"), "{name}");
    }
}

#[test]
fn public_suites_have_two_wrong_lines_and_odd_ones() {
    let mut files = Vec::new();
    for name in [
        "arasan2024",
        "bratko-kopec",
        "bt2630",
        "ecmgcp",
        "eet",
        "hardtestpos-clean",
        "iq4",
        "kaufman",
        "lapuce2",
        "lct2",
        "nolot",
        "pet",
        "prof",
        "silent-but-deadly",
        "sts",
        "wacnew",
    ] {
        match support::data_path(&format!("epd/{name}.epd")) {
            Some(path) => files.push(path),
            None => return,
        }
    }
    let paths: Vec<&str> = files.iter().map(|path| text(path)).collect();
    let shown = run(&[&["check"], paths.as_slice()].concat(), b"");
    let (wrong, odd): (Vec<&str>, Vec<&str>) =
        shown.out.lines().partition(|line| line.contains("kaufman.epd") || line.starts_with("16 files"));
    let [ambiguous, no_move, summary] = wrong[..] else { panic!("{wrong:?}") };
    assert!(ambiguous.contains("kaufman.epd:3:79: am: `Ne5` is ambiguous"), "{ambiguous}");
    assert!(no_move.contains("kaufman.epd:6:71: bm: `Bcx3` is not a move"), "{no_move}");
    assert_eq!((shown.code, summary), (Some(1), "16 files, 3205 records: 403 problems in 403 records"));
    // One suite has the moves of UCI, and another strings without quotes; a semicolon is missing in a third.
    let count = |file: &str| odd.iter().filter(|line| line.contains(file)).count();
    assert_eq!(["hardtestpos-clean.epd", "nolot.epd", "lct2.epd:9:60: id: "].map(count), [389, 11, 1]);

    let sts = paths[14];
    let object = run(&["run", "--nodes", "1", "--hash", "1", "--json", "-", sts], b"").json();
    let total = &object["total"];
    assert_eq!((&total["positions"], &total["max_points"]), (&1500.into(), &15000.into()), "{total}");
    assert_eq!(object["themes"].as_array().map(Vec::len), Some(16), "v3.0 has two spellings");
}

#[test]
fn the_suite_of_proved_mates_can_be_run() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/epd/mates.epd");
    let shown = run(&["check", suite], b"");
    assert_eq!(shown.out, "1 file, 2000 records: 0 problems in 0 records\n");
    let object = run(&["run", suite, "--nodes", "100", "--hash", "1", "--json", "-"], b"").json();
    assert_eq!(object["total"]["positions"], 2000, "{object}");
    assert_eq!(object["themes"].as_array().map(Vec::len), Some(5), "{object}");
    assert!(object["total"]["solved"].as_u64().is_some_and(|solved| solved >= 200), "{object}");
}

#[test]
fn the_tactical_suite_can_be_run() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/epd/tactical.epd");
    let shown = run(&["check", suite], b"");
    assert_eq!(shown.out, "1 file, 666 records: 0 problems in 0 records\n");
    let object = run(&["run", suite, "--nodes", "500", "--hash", "1", "--json", "-"], b"").json();
    assert_eq!(object["total"]["positions"], 666, "{object}");
    assert!(object["total"]["solved"].as_u64().is_some_and(|solved| solved >= 100), "{object}");
}

#[test]
fn mates_are_solved() {
    let folder = folder("mates");
    let (json_path, out_path) = (folder.join("result.json"), folder.join("out.epd"));
    fs::write(&out_path, "what was there before").expect("the folder can be written to");
    let arguments = ["run", MATES, "--depth", "30", "--stop-early", "0", "--min-solved", "12"];
    let files = ["--json", text(&json_path), "--out", text(&out_path)];
    let shown = run(&[arguments.as_slice(), &files].concat(), b"");
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{shown:?}");
    let lines: Vec<&str> = shown.out.lines().collect();
    assert!(lines[0].starts_with(" 1/12 + mate in 1.1"), "{shown:?}");
    let row =
        |name: &str| lines.iter().rfind(|line| line.starts_with(name)).map(|line| line.split_whitespace());
    let all: Vec<&str> = row("all ").expect("a sum").collect();
    assert_eq!(all[..3], ["all", "12/12", "100.0"], "{shown:?}");
    let theme: Vec<&str> = row("mate in 2 ").expect("a theme").collect();
    assert_eq!(theme[3..5], ["4/4", "100.0"], "{shown:?}");
    assert!(lines.iter().any(|line| line.starts_with("within s")), "{shown:?}");

    let object: Value = serde_json::from_slice(&fs::read(&json_path).expect("a file")).expect("JSON");
    assert_eq!(object["total"]["solved"], MATE_COUNT);
    assert_eq!(object["themes"].as_array().map(Vec::len), Some(3));
    assert_eq!(object["settings"]["depth"], 30);
    let positions = object["positions"].as_array().expect("a list");
    assert_eq!(positions.len() as u64, MATE_COUNT);
    for position in positions {
        let solution = &position["solution"];
        assert!(solution["depth"].as_u64() <= position["depth"].as_u64(), "{position}");
        assert!(solution["nodes"].as_u64() <= position["nodes"].as_u64(), "{position}");
        assert!(position["mate"].as_i64().is_some_and(|moves| (1..=3).contains(&moves)), "{position}");
    }

    let records = fs::read_to_string(&out_path).expect("a file");
    assert_eq!(records.lines().count() as u64, MATE_COUNT);
    let alone = run(&["run", MATES, "--depth", "30", "--stop-early", "0", "--out", "-"], b"");
    let moves = |records: &str| -> Vec<_> {
        records.lines().map(|line| line.split(" pm ").nth(1).map(str::to_owned)).collect()
    };
    assert_eq!((alone.code, moves(&alone.out)), (Some(0), moves(&records)), "{alone:?}");
    let twice = format!("{}/./result.json", folder.display());
    let same = run(&["run", MATES, "--depth", "1", "--json", text(&json_path), "--out", &twice], b"");
    assert_eq!(same.code, Some(2), "{same:?}");
    assert!(same.err.contains("--json and --output: both `"), "{same:?}");
    let both = run(&["run", MATES, "--depth", "1", "--out", "-", "--json", "-"], b"");
    assert_eq!((both.code, both.out.as_str()), (Some(2), ""), "{both:?}");
    assert!(both.err.contains("expected one of them to be a file"), "{both:?}");
    for line in records.lines() {
        for opcode in [" acd ", " acn ", " acs ", " bm ", " ce 327", " dm ", " id ", " pm ", " pv "] {
            assert!(line.contains(opcode), "{opcode}: {line}");
        }
    }
    assert_eq!(run(&["check", text(&out_path)], b"").code, Some(0));
    let names: Vec<_> = fs::read_dir(&folder).expect("a folder").collect();
    assert_eq!(names.len(), 2, "no temporary file remains: {names:?}");
}

#[test]
fn goals_and_points_are_understood() {
    let shown = run(&["run", "-", "--depth", "6", "--hash", "1", "--json", "-"], MIXED.as_bytes());
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""));
    let object = shown.json();
    let positions = object["positions"].as_array().expect("a list");
    let solved: Vec<_> = positions.iter().map(|position| position["solved"].clone()).collect();
    assert_eq!(solved, [true, true, true, false], "{object}");
    let points: Vec<_> = positions.iter().map(|position| position["points"].as_u64()).collect();
    assert_eq!(points, [Some(10), None, None, Some(4)], "{object}");
    assert_eq!((&object["total"]["points"], &object["total"]["max_points"]), (&14.into(), &20.into()));
    assert_eq!(object["themes"][0]["solved"], 3, "{object}");
    assert_eq!(positions[3]["goal"], "am Ra8#");

    let shown = run(&["run", "-", "--depth", "6", "--hash", "1"], MIXED.as_bytes());
    assert!(shown.out.contains("10/10 points") && shown.out.contains("expected am Ra8#"), "{shown:?}");
}

#[test]
fn too_few_solved_is_no() {
    for (least, code) in [("3", 0), ("4", 1), ("400", 1)] {
        let arguments = ["run", "-", "--depth", "6", "--hash", "1", "--min-solved", least];
        assert_eq!(run(&arguments, MIXED.as_bytes()).code, Some(code), "{least}");
    }
}

#[test]
fn what_was_asked_for_is_there_also_if_nobody_reads() {
    let base = ["epd", "run", "-", "--depth", "6", "--hash", "1"];
    for (least, code) in [("3", 0), ("4", 1)] {
        let arguments = [&base[..], &["--min-solved", least]].concat();
        assert_eq!(run_unread(&arguments, MIXED.as_bytes()), Some(code), "{least}");
    }
    let folder = folder("epd-unread");
    for (option, name) in [("--out", "found.epd"), ("--json", "found.json")] {
        let path = folder.join(name);
        assert_eq!(run_unread(&[&base[..], &[option, text(&path)]].concat(), MIXED.as_bytes()), Some(0));
        assert!(path.is_file(), "{name}");
    }
}

#[test]
fn a_search_stops_early_when_the_move_stays() {
    // Every move is right here, so that the first iterations are enough.
    let suite = b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e3 e4 Kd1 Kd2 Kf1 Kf2;\n";
    let engine = own_engine();
    let cases: &[(&str, &[&str])] = &[("our search", &[]), ("an engine", &["--engine", &engine])];
    for (name, arguments) in cases {
        let base = ["run", "-", "--time", "60000", "--stop-early", "2", "--json", "-"];
        let object = run(&[base.as_slice(), arguments].concat(), suite).json();
        let position = &object["positions"][0];
        assert_eq!(position["solved"], true, "{name}: {object}");
        assert!(position["seconds"].as_f64() < Some(50.0), "{name}: {object}");
        let depth = |value: &Value| value["depth"].as_u64().expect("a depth");
        assert!(depth(position) >= depth(&position["solution"]) + 2, "{name}: {object}");
    }
}

#[test]
fn limits_may_be_time_or_nodes() {
    let cases: &[&[&str]] = &[
        &["--time", "20"],
        &["--nodes", "3000"],
        &["--nodes", "3000", "--threads", "2"],
        &["--time", "10000", "--nodes", "3000", "--depth", "30"],
    ];
    for arguments in cases {
        let base = ["run", MATES, "--hash", "1", "--json", "-"];
        let shown = run(&[base.as_slice(), arguments].concat(), b"");
        assert_eq!(shown.code, Some(0), "{arguments:?}: {shown:?}");
        assert!(shown.json()["total"]["solved"].as_u64() >= Some(4), "{arguments:?}: {shown:?}");
    }
}

#[test]
fn limits_have_units() {
    let settings = |limit: &[&str]| {
        let shown = run(&[&["run", "-", "--hash", "1", "--json"], limit].concat(), MIXED.as_bytes());
        assert!(matches!(shown.code, Some(0)), "{limit:?}: {shown:?}");
        shown.json()["settings"].clone()
    };
    assert_eq!(settings(&["--nodes", "1k"])["nodes"], 1000);
    for (text, milliseconds) in [("5", 5), ("10ms", 10), ("0.01s", 10)] {
        assert_eq!(settings(&["--time", text])["time_ms"], milliseconds, "{text}");
    }
    for limit in [["--time", "0"], ["--time", "1d"], ["--time", "2y"], ["--nodes", "1kk"], ["--nodes", "0k"]]
    {
        let shown = run(&[&["run", MATES], &limit[..]].concat(), b"");
        assert!(shown.code == Some(2) && shown.err.contains("expected a"), "{limit:?}: {shown:?}");
    }
}

/// A full device causes an error only for the file that is written to it, where the system has such a device.
#[test]
fn a_full_disk_is_named_and_costs_nothing_else() {
    if !Path::new("/dev/full").exists() {
        return support::skip("no /dev/full");
    }
    let folder = folder("epd-full");
    for (full, option, other) in [("--json", "--out", "out.epd"), ("--out", "--json", "out.json")] {
        let path = folder.join(other);
        let shown =
            run(&["run", MATES, "--depth", "2", "--hash", "1", full, "/dev/full", option, text(&path)], b"");
        assert_eq!(shown.code, Some(2), "{full}: {shown:?}");
        assert!(shown.err.starts_with("error: cannot write /dev/full: "), "{full}: {shown:?}");
        assert!(shown.out.contains("/12") && path.is_file(), "{full}: {shown:?}");
    }
    let json = folder.join("of-full-output.json");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("it can be opened");
    let mut command = std::process::Command::new(BINARY);
    command.args(["epd", "run", MATES, "--depth", "2", "--hash", "1", "--json", text(&json)]).stdout(full);
    let shown = Run::from(command.output().expect("the binary runs"));
    assert_eq!(shown.code, Some(2), "{shown:?}");
    assert!(shown.err.starts_with("error: cannot write the output: "), "{shown:?}");
    let object: Value = serde_json::from_slice(&fs::read(&json).expect("a file")).expect("JSON");
    assert_eq!(object["total"]["positions"], MATE_COUNT, "{object}");
}

#[test]
fn what_cannot_be_solved_is_left_out_and_written_back() {
    let folder = folder("left_out");
    let out = folder.join("out.epd");
    let suite = format!(
        "8/8 w - - bm e4;\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e5; id \"wrong\";\n\
         4k3/8/8/8/8/8/4P3/4K3 w - - ce 3; id \"none\";\n{MIXED}"
    );
    let shown = run(&["run", "-", "--depth", "4", "--hash", "1", "--out", text(&out)], suite.as_bytes());
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.out.contains("3/4") && shown.out.contains("2 left out"), "{shown:?}");
    for warning in [
        "warning: standard input: line 1, column 1: piece placement: 2 ranks",
        "warning: standard input: line 2, column 32: bm: `e5` is not legal",
        "warning: standard input: line 2: left out: bm: `e5` is not legal",
        "warning: standard input: line 3: left out: no bm, am or dm",
    ] {
        assert!(shown.err.contains(warning), "{warning}: {shown:?}");
    }
    let records = fs::read_to_string(&out).expect("a file");
    assert!(records.lines().take(3).eq(suite.lines().take(3)), "as they were: {records}");
    let ids: Vec<bool> = records.lines().map(|line| line.contains(" pm ")).collect();
    assert_eq!(ids, [false, false, false, true, true, true, true], "{records}");
}

#[test]
fn errors_of_usage() {
    let cases: &[(&str, &[&str])] = &[
        ("no command", &[]),
        ("no file to check", &["check"]),
        ("no file to run", &["run", "--time", "10"]),
        ("no limit", &["run", MATES]),
        ("no time", &["run", MATES, "--time", "0"]),
        ("too long a time", &["run", MATES, "--time", "18446744073709551615"]),
        ("no depth", &["run", MATES, "--depth", "0"]),
        ("no threads", &["run", MATES, "--depth", "1", "--threads", "0"]),
        ("no such file to check", &["check", "/no/such/file.epd"]),
        ("no such file to run", &["run", "/no/such/file.epd", "--depth", "1"]),
        ("a folder that is a file", &["run", MATES, "--depth", "1", "--out", "/dev/null/x.epd"]),
        ("a folder as output", &["run", MATES, "--depth", "1", "--json", "/"]),
    ];
    for (name, arguments) in cases {
        let shown = run(arguments, b"");
        assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""), "{name}: {shown:?}");
        assert!(!shown.err.is_empty(), "{name}");
    }
}
