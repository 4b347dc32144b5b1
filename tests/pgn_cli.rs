//! `hematite pgn`, run by the built binary.

use crate::support::place::Place;
use assert_cmd::Command;
use std::fs;
use std::io::Write;

const GAMES: &str = "[Event \"a\"]\n[Site \"?\"]\n[Date \"2000.01.02\"]\n[Round \"1\"]\n[White \"x\"]\n[Black \"y\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n1. e4! {good} e5 (1... c5) 1-0\n\n[Event \"b\"]\n[Site \"?\"]\n[Date \"1999.01.02\"]\n[Round \"1\"]\n[White \"x\"]\n[Black \"y\"]\n[Result \"*\"]\n\n1. d4 d5 2. c4 *\n";

fn hematite() -> Command {
    Command::cargo_bin("hematite").expect("the binary is built")
}

fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().clone();
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn check_answers_with_its_exit_code() {
    let good = hematite().args(["pgn", "check", "-"]).write_stdin(GAMES).assert().success();
    assert_eq!(
        String::from_utf8_lossy(&good.get_output().stdout),
        "2 games, 6 plies: 0 findings in 0 games\n"
    );
    let bad = GAMES.replace("1. d4", "1. d5").replace("[Result \"1-0\"]", "[Result \"0-1\"]");
    let bad = hematite().args(["pgn", "check", "-"]).write_stdin(bad).assert().code(1);
    let text = String::from_utf8_lossy(&bad.get_output().stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("standard input:10:28: the tag Result is 0-1"), "{text}");
    assert!(lines[1].starts_with("standard input:20:4: `d5` is not legal"), "{text}");
    let open = "{ a header without its end\n\n[White \"x\"]\n\n1. d4 d5 2. c4 *\n";
    let open = hematite().args(["pgn", "check", "-"]).write_stdin(open).assert().code(1);
    let text = String::from_utf8_lossy(&open.get_output().stdout).into_owned();
    assert!(text.starts_with("standard input:1:2: the comment is not closed"), "{text}");
    hematite().args(["pgn", "check", "/nowhere.pgn"]).assert().code(2);
    hematite().args(["pgn", "check"]).assert().code(2);
    let json = hematite().args(["pgn", "check", "--json", "-"]).write_stdin("1. e5 *").assert().code(1);
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).expect("JSON");
    assert_eq!(
        (&json["games"], &json["files"][0]["findings"][1]["column"]),
        (&1.into(), &4.into()),
        "{json}"
    );
}

#[test]
fn folders_and_compressed_files_are_read_in_order() {
    let place = Place::new();
    let zst = zstd::encode_all(GAMES.as_bytes(), 0).expect("it compresses");
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(GAMES.as_bytes()).expect("it compresses");
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(GAMES.as_bytes()).expect("it compresses");
    place.write("a.pgn", GAMES);
    place.write("b/c.pgn.zst", zst);
    place.write("b/d.pgn.gz", gz.finish().expect("it compresses"));
    place.write("e.pgn.bz2", bz2.finish().expect("it compresses"));
    place.write("notes.txt", "no games");
    let read =
        |threads: &str| stdout(hematite().args(["pgn", "export", "--threads", threads]).arg(place.folder()));
    let once = stdout(hematite().args(["pgn", "export", "-"]).write_stdin(GAMES));
    assert_eq!(read("1"), once.repeat(4));
    assert_eq!(read("4"), once.repeat(4));
}

#[test]
fn export_has_its_options() {
    let cases: [(&[&str], &str); 7] = [
        (&[], "1. e4 $1 {good} 1... e5 (1... c5) 1-0"),
        (&["--strip", "comments,nags"], "1. e4 e5 (1... c5) 1-0"),
        (&["--strip", "variations"], "1. e4 $1 {good} 1... e5 1-0"),
        (&["--reduced"], "1. e4 e5 1-0"),
        (&["--reduced", "--uci"], "1. e2e4 e7e5 1-0"),
        (&["--reduced", "--lan"], "1. e2-e4 e7-e5 1-0"),
        (&["--reduced", "--fan"], "1. e4 e5 1-0"),
    ];
    for (options, expected) in cases {
        let text = stdout(hematite().args(["pgn", "export", "-"]).args(options).write_stdin(GAMES));
        assert!(text.contains(expected), "{options:?}: {text}");
    }
    let named = stdout(hematite().args(["pgn", "export", "--eco", "-"]).write_stdin(GAMES));
    assert!(named.contains("[ECO \"D06\"]\n[Opening \"Queen's Gambit\"]"), "{named}");
    let sorted = stdout(hematite().args(["pgn", "export", "--sort", "-"]).write_stdin(GAMES));
    assert!(sorted.starts_with("[Event \"b\"]"), "{sorted}");
    hematite().args(["pgn", "export", "--uci", "--fan", "-"]).assert().code(2);
}

#[test]
fn sorting_loses_nothing() {
    let exported = |options: &[&str], games: &str| {
        stdout(hematite().args(["pgn", "export", "-"]).args(options).write_stdin(games.to_owned()))
    };
    let in_order = exported(&["--sort"], GAMES);
    let all = [&["--epd"][..], &["--uci"], &["--reduced"], &["--eco"], &["--lines"], &["--epd", "--lines"]];
    for options in all {
        let sorted = exported(&[options, &["--sort"]].concat(), GAMES);
        let expected = exported(options, &in_order);
        if !options.contains(&"--lines") {
            assert_eq!(sorted, expected, "{options:?}");
        }
        // Lines of a game are sorted by their moves, too.
        let lines = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(lines(&sorted), lines(&expected), "{options:?}");
        assert!(!sorted.is_empty(), "{options:?}");
    }
}

#[test]
fn output_files_are_there_when_they_are_complete() {
    let place = Place::new();
    let out = place.join("out.pgn");
    hematite().args(["pgn", "export", "-", "-o"]).arg(&out).write_stdin(GAMES).assert().success();
    let text = fs::read_to_string(&out).expect("it has been written");
    assert_eq!(text, stdout(hematite().args(["pgn", "export", "-"]).write_stdin(GAMES)));
    // What cannot be read leaves the old file, and nothing beside it.
    hematite().args(["pgn", "export", "/nowhere.pgn", "-o"]).arg(&out).assert().code(2);
    assert_eq!(fs::read_to_string(&out).expect("it is still there"), text);
    assert_eq!(fs::read_dir(place.folder()).expect("a folder").count(), 1);
}

#[test]
fn positions_are_listed() {
    let all = stdout(hematite().args(["pgn", "fen", "-"]).write_stdin(GAMES));
    assert_eq!(all.lines().count(), 3 + 4);
    let last = stdout(hematite().args(["pgn", "fen", "--last", "--epd", "-"]).write_stdin(GAMES));
    let expected = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 fmvn 2; hmvc 0;";
    assert_eq!(last.lines().next(), Some(expected), "{last}");
    let again = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 Nf6 6. Nf3 Ng8 7. Ng1 *";
    let counted = stdout(hematite().args(["pgn", "fen", "--epd", "-"]).write_stdin(again));
    let counts: Vec<&str> = counted.lines().map(|line| line.split("rc ").nth(1).unwrap_or("-")).collect();
    let expected = ["-", "-", "-", "-", "2;", "2;", "2;", "2;", "3;", "-", "-", "-", "-", "2;"];
    assert_eq!(counts, expected, "{counted}");
    let third = stdout(hematite().args(["pgn", "fen", "--ply", "3", "-"]).write_stdin(GAMES));
    assert_eq!(third.lines().count(), 1);
}

#[test]
fn stats_count() {
    let text = stdout(hematite().args(["pgn", "stats", "-"]).write_stdin(GAMES));
    assert!(text.contains("mean 2.5, median 2, 2 to 3"), "{text}");
    let json = stdout(hematite().args(["pgn", "stats", "--json", "-"]).write_stdin(GAMES));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["results"]["1-0"], 1, "{json}");
    assert_eq!((&json["eco"]["C20"], &json["eco"]["D06"]), (&1.into(), &1.into()), "{json}");
    assert_eq!(json["openings"]["Queen's Gambit"], 1, "{json}");
    assert_eq!(json["variation_plies"], 1, "{json}");
}

#[test]
fn pgc_goes_both_ways() {
    let place = Place::new();
    let pgc = place.join("games.pgc");
    hematite().args(["pgn", "pgc", "-", "-o"]).arg(&pgc).write_stdin(GAMES).assert().success();
    let text = stdout(hematite().args(["pgn", "unpgc"]).arg(&pgc));
    assert_eq!(text, stdout(hematite().args(["pgn", "export", "-"]).write_stdin(GAMES)));
    hematite().args(["pgn", "unpgc", "-"]).write_stdin("no PGC").assert().code(2);
}

#[test]
fn pieces_may_have_the_letters_of_another_language() {
    let text = "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. O-O *\n";
    let commands: [(&[&str], &str); 5] = [
        (&["check", "--no-tags"], "1 game, 7 plies: 0 findings in 0 games\n"),
        (&["export"], "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *\n"),
        (&["fen", "--last"], "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4\n"),
        (&["stats"], "plies                   7\n"),
        (&["pgc"], ""),
    ];
    for (command, expected) in commands {
        let mut run = hematite();
        run.arg("pgn").args(command).args(["--language", "german", "-"]).write_stdin(text);
        let output = run.output().expect("it runs");
        assert!(output.status.success() && output.stderr.is_empty(), "{command:?}: {output:?}");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(out.contains(expected), "{command:?}: {out}");
    }
    let mut refused = hematite();
    refused.args(["pgn", "check", "--language", "Klingon", "-"]);
    let output = refused.output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("expected one of Czech, Danish, Dutch, English"), "{told}");
}

#[test]
fn of_tags_that_come_twice_the_first_counts() {
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\
        [Variant \"Standard\"]\n[Variant \"Atomic\"]\n[Result \"1-0\"]\n[Result \"0-1\"]\n\n1. e4\n";
    let commands: [(&[&str], &str); 5] = [
        (&["check"], "the tag FEN is there twice"),
        (&["check", "--no-tags"], "1 game, 1 ply: 1 finding in 1 game\n"),
        (&["export"], "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[FEN_2 "),
        (&["fen", "--last"], "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1\n"),
        (&["stats"], "\n1-0                     1 100.00 %\n"),
    ];
    for (command, expected) in commands {
        let output =
            hematite().arg("pgn").args(command).arg("-").write_stdin(text).output().expect("it runs");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(out.contains(expected), "{command:?}: {out}");
    }
}

#[test]
fn folders_are_searched_for_what_the_command_reads() {
    let place = Place::new();
    place.write("a/one.pgn", GAMES);
    let pgc = place.join("a/two.pgc");
    hematite().args(["pgn", "pgc"]).arg(place.join("a")).arg("-o").arg(&pgc).assert().success();
    let text = stdout(hematite().args(["pgn", "check"]).arg(place.folder()));
    assert_eq!(text, "2 games, 6 plies: 0 findings in 0 games\n");
    let text = stdout(hematite().args(["pgn", "unpgc"]).arg(place.folder()));
    assert_eq!(text.matches("[Event ").count(), 2, "{text}");
    fs::create_dir(place.join("empty")).expect("a folder can be made");
    for (command, extension) in [("check", "pgn"), ("unpgc", "pgc")] {
        let output = hematite().args(["pgn", command]).arg(place.join("empty")).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.ends_with(&format!("empty: no .{extension} file in this folder or below\n")), "{told}");
    }
}

/// Runs a command of `pgn` on a text; returns its exit code, standard output and standard error.
fn run(arguments: &[&str], text: &str) -> (Option<i32>, String, String) {
    let output = hematite().arg("pgn").args(arguments).arg("-").write_stdin(text).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const BROKEN: &str = "[Event \"a\"]\n\n1. e4 e5 2. Ke3 Nc6 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n\n[Event \"c\"]\n[Variant \"Atomic\"]\n\n1. c4 *\n";

#[test]
fn no_command_is_silent_about_moves_that_it_does_not_read() {
    for command in [&["export"][..], &["fen"], &["fen", "--last"], &["stats"], &["pgc"]] {
        let (code, _, told) = {
            let output =
                hematite().arg("pgn").args(command).arg("-").write_stdin(BROKEN).output().expect("it runs");
            (output.status.code(), output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
        };
        assert_eq!(code, Some(1), "{command:?}: {told}");
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines.len(), 2, "{command:?}: {told}");
        assert!(lines[0].starts_with("standard input:3:13: `Ke3` is not legal"), "{command:?}: {told}");
        assert!(lines[1].contains("the variant `Atomic` is not known"), "{command:?}: {told}");
        let output = hematite()
            .arg("pgn")
            .args(command)
            .args(["-q", "-"])
            .write_stdin(BROKEN)
            .output()
            .expect("it runs");
        assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0), "{command:?}");
    }
}

#[test]
fn broken_games_are_kept_dropped_or_taken_alone() {
    let (_, all, _) = run(&["export", "-q"], BROKEN);
    assert!(all.contains("\n1. e4 e5 {[%unread Ke3 Nc6]} *\n"), "{all}");
    assert!(all.contains("[Variant \"Atomic\"]\n\n1. c4 *\n"), "{all}");
    let (code, again, told) = run(&["export"], &all.replace("Atomic", "Standard"));
    assert_eq!((code, told.as_str()), (Some(0), ""));
    assert_eq!(again, all.replace("Atomic", "Standard"));
    let events = |arguments: &[&str]| {
        let (code, out, _) = run(&[&["export", "-q"], arguments].concat(), BROKEN);
        let events =
            ["a", "b", "c"].into_iter().filter(|event| out.contains(&format!("[Event \"{event}\"]")));
        (code, events.collect::<String>())
    };
    assert_eq!(events(&[]), (Some(1), "abc".to_owned()));
    assert_eq!(events(&["--broken", "keep"]), (Some(1), "abc".to_owned()));
    assert_eq!(events(&["--broken", "drop"]), (Some(1), "b".to_owned()));
    assert_eq!(events(&["--broken", "only"]), (Some(1), "ac".to_owned()));
    let (_, out, _) = run(&["fen", "-q", "--broken", "drop"], BROKEN);
    assert_eq!(out.lines().count(), 3, "{out}");
    let (_, out, _) = run(&["fen", "-q", "--broken", "only"], BROKEN);
    assert_eq!(out.lines().count(), 3, "{out}");
    for (broken, games) in [("keep", 3), ("drop", 1), ("only", 2)] {
        let (_, out, _) = run(&["stats", "-q", "--json", "--broken", broken], BROKEN);
        let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(json["games"], games, "{broken}");
        let (_, out, _) = run(&["check", "--no-tags", "--broken", broken], BROKEN);
        assert!(out.lines().last().is_some_and(|line| line.starts_with(&format!("{games} game"))), "{out}");
    }
    // Other errors break a game only if that is asked for.
    let odd = "1. e4 novelty e5 *\n";
    assert_eq!(run(&["export"], odd).0, Some(0));
    assert_eq!(run(&["export", "--strict"], odd).0, Some(1));
    assert_eq!(
        run(&["export", "-q", "--strict", "--broken", "drop"], odd),
        (Some(1), String::new(), String::new())
    );
}

#[test]
fn check_knows_what_an_export_could_not_read() {
    let (_, exported, _) = run(&["export", "-q"], BROKEN);
    let (code, out, _) = run(&["check", "--no-tags"], &exported);
    assert_eq!(code, Some(1));
    assert!(out.contains("moves that could not be read are kept in a comment: `[%unread Ke3 Nc6]`"), "{out}");
}

#[test]
fn check_finds_wrong_tags_numbers_and_signs() {
    let text = "[Event \"x\"]\n[Site \"s\"]\n[Date \"2023.02.29\"]\n[Round \"1\"]\n[White \"a\"]\n[Black \"b\"]\n\
        [Result \"*\"]\n[ECO \"Q77\"]\n[TimeControl \"soon\"]\n[WhiteElo \"99999\"]\n[BlackTitle \"master\"]\n\
        [Termination \"bored\"]\n[Time \"99:99:99\"]\n\n5. e4+ e5# 3. Nf3 Pc6 1.d3 *\n";
    let (code, out, _) = run(&["check"], text);
    assert_eq!(code, Some(1));
    for expected in [
        "the tag Date is `2023.02.29`, expected a date",
        "the tag ECO is `Q77`, expected a code from A00 to E99",
        "the tag TimeControl is `soon`",
        "the tag WhiteElo is `99999`",
        "the tag BlackTitle is `master`",
        "the tag Termination is `bored`",
        "the tag Time is `99:99:99`",
        "15:1: the move number is 5, expected 1",
        "15:4: `e4+` gives no check, expected e4",
        "15:8: `e5#` gives no mate, expected e5",
        "15:12: the move number is 3, expected 6",
        "15:23: the move number is 1, expected 4",
    ] {
        assert!(out.contains(expected), "{expected}: {out}");
    }
    // Numbers that go on from where they start are told once.
    let (_, out, _) = run(&["check", "--no-tags"], "11. e4 e5 12. Nf3 Nc6 13. Bb5 *");
    assert!(
        out.starts_with("standard input:1:1: the move number is 11") && out.lines().count() == 2,
        "{out}"
    );
    let (code, out, _) = run(&["check", "--no-tags"], "1. e4 {a} 1... e5 (1... c5 2. Nf3) 2. Nf3 1-0");
    assert_eq!((code, out.lines().count()), (Some(0), 1), "{out}");
    let bare = "[FEN \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Kd3 0-1";
    let (_, out, _) = run(&["check", "--no-tags"], bare);
    assert!(out.contains("the result is 0-1, but Black cannot mate by any series of legal moves"), "{out}");
    let (code, ..) = run(&["check", "--no-tags"], &bare.replace("0-1", "1-0"));
    assert_eq!(code, Some(0));
    // A wall that nobody passes, and a queen that must be taken.
    for (fen, game) in [
        ("4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1", "1. Kd2 Kd7 1-0"),
        ("k7/8/8/8/8/8/7Q/6K1 w - - 0 1", "1. Qb8+ 1-0"),
    ] {
        let (_, out, _) = run(&["check", "--no-tags"], &format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n{game}"));
        assert!(
            out.contains("the result is 1-0, but White cannot mate by any series of legal moves"),
            "{out}"
        );
    }
}

/// Tags of consulting players have one value for each player, and with --strict the spellings are those of `pgn retag`.
#[test]
fn check_finds_values_that_are_too_few_and_odd_spellings() {
    let text = "[Event \"a  b\"]\n[Site \"Riga, LAT\"]\n[Date \"1960.01.01\"]\n[Round \"1\"]\n[White \"Tal,M:Smith, J.\"]\n\
                [Black \"Other\"]\n[Result \"*\"]\n[WhiteElo \"2700\"]\n[WhiteTitle \"GM:-:IM\"]\n[BlackElo \"-\"]\n\n1. e4 *\n";
    let (code, out, _) = run(&["check"], text);
    assert_eq!(code, Some(1), "{out}");
    for expected in [
        "the tag WhiteElo has 1 value, expected 2: one for each player of White",
        "the tag WhiteTitle has 3 values, expected 2: one for each player of White",
        ": 2 findings in 1 game",
    ] {
        assert!(out.contains(expected), "{expected}: {out}");
    }
    let (_, out, _) = run(&["check", "--strict"], text);
    for expected in [
        "the tag Event is `a  b`, expected `a b`, as `hematite pgn retag` writes it",
        "the tag Site is `Riga, LAT`, expected `Riga LAT`, as",
        "the tag White is `Tal,M:Smith, J.`, expected `Tal, M.:Smith, J.`, as",
        ": 5 findings in 1 game",
    ] {
        assert!(out.contains(expected), "{expected}: {out}");
    }
}

#[test]
fn check_finds_what_is_not_the_standards_notation_if_asked() {
    let text = format!("1. e2e4 e5 2. nf3 Nc6 3. Bb5 a6 4. 0-0 {{{}}} *\n", "x".repeat(250));
    assert_eq!(run(&["check", "--no-tags"], &text).0, Some(0));
    let (code, out, _) = run(&["check", "--no-tags", "--strict"], &text);
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = out.lines().collect();
    let expected = [
        "standard input:1:1: the line has more than 254 characters",
        "standard input:1:4: `e2e4`, expected e4",
        "standard input:1:15: `nf3`, expected Nf3",
        "standard input:1:36: `0-0`, expected O-O",
        "1 game, 7 plies: 4 findings in 1 game",
    ];
    assert_eq!(lines.len(), expected.len(), "{out}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}");
    }
}

#[test]
fn check_knows_promotions_in_parentheses() {
    let text = "[SetUp \"1\"]\n[FEN \"r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. bxa8(Q)+ Ke7 2. Qa8b7+(2. Qa8a7+) *\n";
    assert_eq!(run(&["check", "--no-tags"], text).0, Some(0));
    let (_, out, _) = run(&["check", "--no-tags", "--strict"], text);
    let expected = [
        "standard input:4:4: `bxa8(Q)+`, expected bxa8=Q+",
        "standard input:4:20: `Qa8b7+`, expected Qb7+",
        "standard input:4:30: `Qa8a7+`, expected Qa7+",
        "1 game, 4 plies: 3 findings in 1 game",
    ];
    assert_eq!(out.lines().collect::<Vec<_>>(), expected, "{out}");
}

#[test]
fn findings_are_written_as_json_while_games_are_read() {
    let place = Place::new();
    for name in ["a.pgn", "b.pgn"] {
        place.write(name, "1. e5 *\n\n[Event \"x\"]\n\n1. Ke2 *\n");
    }
    let output = hematite()
        .args(["pgn", "check", "--no-tags", "--json"])
        .arg(place.folder())
        .output()
        .expect("it runs");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&json["games"], &json["findings"], &json["games_with_findings"]),
        (&4.into(), &4.into(), &4.into())
    );
    let files = json["files"].as_array().expect("a list");
    assert_eq!(files.len(), 2, "{json}");
    assert!(files[1]["file"].as_str().is_some_and(|file| file.ends_with("b.pgn")), "{json}");
    assert_eq!(files[1]["findings"][1]["line"], 5, "{json}");
    let none = stdout(hematite().args(["pgn", "check", "--json", "--no-tags", "-"]).write_stdin("1. e4 *"));
    assert_eq!(none, "{\"files\":[],\"games\":1,\"plies\":1,\"games_with_findings\":0,\"findings\":0}\n");
}

#[test]
fn the_result_that_states_something_counts() {
    let text = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 *\n";
    let (code, out, told) = run(&["export"], text);
    assert_eq!(code, Some(0));
    assert!(out.contains("[Result \"1-0\"]") && out.ends_with("1. e4 e5 1-0\n\n"), "{out}");
    assert_eq!(told, "standard input:4:10: the tag Result is 1-0, but the game ends with *; 1-0 counts\n");
    let (_, out, _) = run(&["stats", "-q", "--json"], text);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out).expect("JSON")["results"]["1-0"], 1, "{out}");
}

#[test]
fn tags_of_equal_names_are_told_and_kept() {
    let text = "[Event \"x\"]\n[White-Elo \"2700\"]\n[White_Elo \"1200\"]\n[A.B \"1\"]\n[A-B \"2\"]\n[A/B \"3\"]\n\n1. e4 *\n";
    let (_, out, told) = run(&["export"], text);
    assert!(
        out.contains(
            "[A_B \"1\"]\n[A_B_2 \"2\"]\n[A_B_3 \"3\"]\n[White_Elo \"1200\"]\n[White_Elo_2 \"2700\"]\n"
        ),
        "{out}"
    );
    assert_eq!(told.matches("is there with several values").count(), 3, "{told}");
    assert_eq!(run(&["export"], &out), (Some(0), out.clone(), String::new()));
}

#[test]
fn reduced_games_may_name_the_opening() {
    let (_, out, _) =
        run(&["export", "--reduced", "--eco"], "[Opening \"x\"]\n[Mode \"y\"]\n\n1. d4 d5 2. c4 *\n");
    assert!(
        out.contains("[ECO \"D06\"]\n[Opening \"Queen's Gambit\"]\n\n") && !out.contains("Mode"),
        "{out}"
    );
}
