//! `hematite pgn duplicates` of collections.

use super::{NAMES, Pair, run, write_move};
use crate::support::binary::folder;
use hematite::chess::{Move, Position};
use hematite::notation::position_from_fen;
use hematite::rng::Rng;
use std::fmt::Write as _;
use std::fs;

/// Lines of moves for games: from two positions, of all lengths.
fn lines(rng: &mut Rng) -> Vec<(Option<&'static str>, Vec<Move>)> {
    const FENS: [Option<&str>; 3] = [None, None, Some("Q6Q/8/8/3Q4/8/8/PP6/KB2k3 w - - 3 40")];
    let line = |index: usize| {
        let fen = FENS[index % FENS.len()];
        let start = fen.map_or_else(Position::start, |fen| position_from_fen(fen).expect("a position"));
        let (mut position, mut moves) = (start, Vec::new());
        for _ in 0..rng.below(60) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[rng.below(legal.len() as u64) as usize];
            moves.push(mv);
            position = position.after(mv).0;
        }
        (fen, moves)
    };
    (0..16).map(line).collect()
}

/// Writes a game with one of these lines, or with most of it, and with random tags and notes.
fn write_game(lines: &[(Option<&str>, Vec<Move>)], rng: &mut Rng, text: &mut String) {
    let mut one_of = |texts: &[&'static str]| texts[rng.below(texts.len() as u64) as usize];
    let name = |text: &'static str| if text == "another" { NAMES[3] } else { text };
    let players = ["Tal, Mihail", "TAL,MIHAIL", "Tal, M.", "Botvinnik, Mikhail", " ? ", "another"];
    let (white, black) = (name(one_of(&players)), name(one_of(&players)));
    let event = one_of(&["Linares", "?", "", "Open"]);
    let date = one_of(&["1990.05.01", "1990.05.??", "????.??.??", " 1990.05.01", "1991.05.01", "soon"]);
    let result = one_of(&["1-0", "1-0", "1/2-1/2", "*"]);
    let more =
        one_of(&["", "", "[Annotator \"A\"]\n", "[Variant \"Standard\"]\n", "[Variant \"Antichess\"]\n"]);
    let _ = writeln!(text, "[Event \"{event}\"]\n[Site \"?\"]\n[Date \"{date}\"]\n[Round \"-\"]");
    let _ = writeln!(text, "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{more}");
    let (fen, moves) = &lines[rng.below(lines.len() as u64) as usize];
    text.truncate(text.trim_end().len());
    let mut position = Position::start();
    if let Some(fen) = fen {
        position = position_from_fen(fen).expect("a position");
        let _ = write!(text, "\n[SetUp \"1\"]\n[FEN \"{fen}\"]");
    }
    text.push_str("\n\n");
    let length = moves.len().saturating_sub(rng.below(8) as usize);
    let has_notes = rng.below(4) == 0;
    let mut needs_number = true;
    for &mv in &moves[..length] {
        if has_notes {
            write_move(&position, mv, needs_number, rng, text);
        } else {
            // Without what makes a game one that is kept as text.
            write_move(&position, mv, needs_number, &mut Rng::new(1), text);
        }
        needs_number = false;
        if has_notes && rng.below(30) == 0 {
            let legal = position.legal_moves();
            text.push('(');
            write_move(&position, legal[rng.below(legal.len() as u64) as usize], true, rng, text);
            text.truncate(text.trim_end_matches(' ').len());
            text.push_str(if rng.below(2) == 0 { ") " } else { " -- {  and   so on }) " });
            needs_number = true;
        }
        position = position.after(mv).0;
    }
    let _ = write!(text, "{result}\n\n");
}

#[test]
fn duplicates_of_a_collection_are_those_of_its_text() {
    let mut rng = Rng::new(11);
    let lines = lines(&mut rng);
    let mut texts = [String::new(), String::new()];
    for number in 0..300 {
        write_game(&lines, &mut rng, &mut texts[number / 150]);
    }
    let pair = Pair::new("duplicates", &texts.concat());
    // The first half of the games as text, the second as a collection, and both together as text.
    let halves = folder("db-duplicates-halves");
    let path = |name: &str| halves.join(name).to_str().expect("UTF-8").to_owned();
    let files = [path("a.pgn"), path("b.pgn"), path("b.hdb")];
    fs::write(&files[0], &texts[0]).expect("a file can be written");
    fs::write(&files[1], &texts[1]).expect("a file can be written");
    pair.good(&["db", "create", &files[2], &files[1]]);
    let mut answers = Vec::new();
    for level in ["moves", "players", "event", "result"] {
        for difference in ["0", "1", "2", "20"] {
            for more in [
                &[][..],
                &["--window", "7"],
                &["--exact"],
                &["--broken", "drop"],
                &["--of", "4"],
                &["--query", "white:tal or plies>20"],
                &["--query", "not move:Nf3", "--of", "4", "--json"],
            ] {
                let command =
                    [&["pgn", "duplicates", "--level", level, "--length-difference", difference], more]
                        .concat();
                answers.push(pair.compare(&command).out);
            }
            let command =
                ["pgn", "duplicates", "--level", level, "--length-difference", difference, "--json"];
            let of_text = run(&[&command[..], &[&files[0], &files[1]]].concat(), b"");
            let mixed = run(&[&command[..], &[&files[0], &files[2]]].concat(), b"");
            assert_eq!(mixed.out.replace("b.hdb", "b.pgn"), of_text.out, "{level} {difference}");
        }
    }
    let count = answers.len();
    answers.sort_unstable();
    answers.dedup();
    assert!(answers.len() > count / 2, "only {} of {count} answers are different", answers.len());
    for more in [&["--level", "moves"][..], &["--merge"], &["--merge", "--query", "plies>20"]] {
        let written = [&pair.pgn, &pair.hdb].map(|source| {
            let (out, rejects) = (path("out.pgn"), path("rejects.pgn"));
            let files = ["-q", source, "-o", &out, "--rejects", &rejects];
            let done = run(&[&["pgn", "duplicates"], more, &files].concat(), b"");
            assert_eq!(done.code, Some(0), "{}", done.err);
            let read = |path: &str| fs::read_to_string(path).expect("a file");
            (done.err, read(&out), read(&rejects))
        });
        assert_eq!(written[0], written[1]);
    }
}

#[test]
fn duplicates_are_deleted_and_come_back() {
    let mut rng = Rng::new(12);
    let lines = lines(&mut rng);
    let mut text = String::new();
    for _ in 0..80 {
        write_game(&lines, &mut rng, &mut text);
    }
    let pair = Pair::new("duplicates-delete", &text);
    let all = pair.export();
    let kept = pair.folder.join("kept.pgn");
    let kept = kept.to_str().expect("UTF-8");
    let written = run(&["pgn", "duplicates", "-q", &pair.hdb, "-o", kept], b"");
    assert_eq!(written.code, Some(0), "{}", written.err);
    for (wrong, problem) in [
        (&["pgn", "duplicates", "--delete", &pair.pgn][..], "a collection"),
        (&["db", "duplicates", "--delete", &pair.hdb, &pair.hdb], "nothing else"),
        (&["db", "duplicates", "--delete", "--broken", "drop", &pair.hdb], "cannot be used with"),
    ] {
        let refused = run(wrong, b"");
        assert!(refused.code == Some(2) && refused.err.contains(problem), "{wrong:?}: {}", refused.err);
    }
    assert!(pair.export() == all);
    let deleted = run(&["db", "duplicates", "-q", "--delete", &pair.hdb], b"");
    assert_eq!(deleted.code, Some(0), "{}", deleted.err);
    assert!(deleted.out.ends_with(" games deleted\n"), "{}", deleted.out);
    assert!(pair.export() == fs::read_to_string(kept).expect("a file"));
    pair.check();
    let none = run(&["db", "duplicates", "-q", "--delete", &pair.hdb], b"");
    assert_eq!((none.code, none.out.ends_with(": 0 games deleted\n")), (Some(1), true), "{}", none.out);
    pair.good(&["db", "undo", &pair.hdb]);
    assert!(pair.export() == all);
}

/// With a query the games are compared that it finds: as in a file of these games alone, but with the numbers that they
/// have among all.
#[test]
fn a_query_selects_what_is_compared() {
    let mut rng = Rng::new(13);
    let lines = lines(&mut rng);
    let mut texts = [String::new(), String::new()];
    for number in 0..200 {
        write_game(&lines, &mut rng, &mut texts[number / 100]);
    }
    let pair = Pair::new("duplicates-query", &texts.concat());
    let path = |name: &str| pair.folder.join(name).to_str().expect("UTF-8").to_owned();
    let (first, second, stored) = (path("a.pgn"), path("b.pgn"), path("b.hdb"));
    fs::write(&first, &texts[0]).expect("a file can be written");
    fs::write(&second, &texts[1]).expect("a file can be written");
    pair.good(&["db", "create", &stored, &second]);
    let json = |arguments: &[&str]| {
        let run = run(&[&["pgn", "duplicates", "-q", "--json", "--level", "moves"], arguments].concat(), b"");
        assert!(run.code < Some(2), "{arguments:?}: {}", run.err);
        run.json()
    };
    let mut found_groups = 0;
    for query in [
        "plies>20",
        "move:Nf3",
        "not white:tal",
        "result:1-0 or result:0-1",
        "white:nobody",
        "at(turn:white last)",
    ] {
        // The games that the query finds, alone, and what number each of them has among all.
        let alone = path("alone.pgn");
        let _ = fs::remove_file(&alone);
        run(&["pgn", "find", "-q", query, &pair.pgn, "-o", &alone], b"");
        let listed = run(&["pgn", "find", "-q", query, &pair.pgn, "--json"], b"").out;
        let number =
            |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["game"].as_u64();
        let numbers: Vec<u64> = listed.lines().map(|line| number(line).expect("a number")).collect();
        let groups = |report: &serde_json::Value| -> Vec<Vec<u64>> {
            let number = |game: &serde_json::Value| game["game"].as_u64().expect("a number");
            let games =
                |group: &serde_json::Value| group.as_array().expect("games").iter().map(number).collect();
            report["groups"].as_array().expect("groups").iter().map(games).collect()
        };
        let expected = json(&[&alone]);
        let expected_groups: Vec<Vec<u64>> = groups(&expected)
            .iter()
            .map(|group| group.iter().map(|&game| numbers[game as usize - 1]).collect())
            .collect();
        found_groups += expected_groups.len();
        for source in [&pair.pgn, &pair.hdb] {
            let report = json(&["--query", query, source]);
            assert_eq!(report["games"].as_u64(), Some(numbers.len() as u64), "{query}");
            assert_eq!(report["dropped"], expected["dropped"], "{query}");
            assert_eq!(groups(&report), expected_groups, "{query}");
            if let Some(group) = expected_groups.first() {
                let of_one = json(&["--query", query, "--of", &group[1].to_string(), source]);
                assert_eq!(groups(&of_one), std::slice::from_ref(group), "{query}");
            }
        }
        // In two files each number is that of its file.
        for other in [&second, &stored] {
            let report = json(&["--query", query, &first, other]);
            let number = |game: &serde_json::Value| {
                let behind = if game["file"] == first.as_str() { 0 } else { 100 };
                game["game"].as_u64().expect("a number") + behind
            };
            let games =
                |group: &serde_json::Value| group.as_array().expect("games").iter().map(number).collect();
            let found: Vec<Vec<u64>> =
                report["groups"].as_array().expect("groups").iter().map(games).collect();
            assert_eq!(found, expected_groups, "{query}");
        }
        // The query selects among the files, and not among the others.
        let missing = json(&["--query", query, &first, "--not-in", &stored]);
        let alone_in_first = path("first.pgn");
        let _ = fs::remove_file(&alone_in_first);
        run(&["pgn", "find", "-q", query, &first, "-o", &alone_in_first], b"");
        let expected = json(&[&alone_in_first, "--not-in", &second]);
        let count = |report: &serde_json::Value| report["missing"].as_array().map(Vec::len);
        assert_eq!((count(&missing), &missing["games"]), (count(&expected), &expected["games"]), "{query}");
    }
    assert!(found_groups > 20, "{found_groups} groups");
    // What is deleted are duplicates among the games that the query finds.
    let before = pair.games();
    let dropped = json(&["--query", "plies>20", &pair.hdb])["dropped"].as_u64().expect("a number");
    let deleted = run(
        &["db", "duplicates", "-q", "--level", "moves", "--query", "plies>20", "--delete", &pair.hdb],
        b"",
    );
    assert_eq!(deleted.code, Some(0), "{}", deleted.err);
    assert_eq!(pair.games(), before - dropped);
    assert_eq!(json(&["--query", "plies>20", &pair.hdb])["dropped"].as_u64(), Some(0));
    pair.check();
}

/// A kept game that is extended by its duplicates is appended to the collection, in one step that is undone as a whole.
#[test]
fn duplicates_are_merged_within_a_collection() {
    let folder = folder("db-duplicates-merge");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5";
    let noted = moves.replacen("Nf3", "Nf3 {a comment}", 1);
    let tags = "[White \"Tal, Mihail\"]\n[Black \"Smyslov, Vasily\"]\n[Date \"1959.01.01\"]\n";
    let text = format!(
        "{tags}[Result \"1-0\"]\n\n{noted} 1-0\n\n{tags}[Round \"7\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n\
         [White \"Other\"]\n[Black \"One\"]\n[Result \"*\"]\n\n1. d4 d5 *\n\n"
    );
    fs::write(path("games.pgn"), text).expect("a file can be written");
    let hdb = path("games.hdb");
    assert_eq!(run(&["db", "create", &hdb, &path("games.pgn")], b"").code, Some(0));
    let export = || run(&["pgn", "export", &hdb], b"").out;
    let before = export();
    let refused = run(&["db", "duplicates", "--merge", &hdb], b"");
    assert!(
        refused.code == Some(2) && refused.err.contains("expected --output FILE, or --delete"),
        "{refused:?}"
    );
    let merged = run(&["db", "duplicates", "-q", "--merge", "--delete", &hdb], b"");
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    assert!(merged.out.ends_with(": 1 game deleted, 1 game merged\n"), "{}", merged.out);
    let after = export();
    assert_eq!(after.matches("[White ").count(), 2, "{after}");
    let last = after.rsplit("[Event").next().expect("a game");
    assert!(last.contains("[Round \"7\"]") && last.contains("{a comment}"), "{after}");
    // As into a new file, but for the order.
    let written = path("merged.pgn");
    assert_eq!(
        run(&["pgn", "duplicates", "-q", "--merge", &path("games.pgn"), "-o", &written], b"").code,
        Some(0)
    );
    let sorted = |text: &str| {
        let mut games: Vec<String> = text.split("[Event").map(str::to_owned).collect();
        games.sort();
        games
    };
    assert_eq!(sorted(&fs::read_to_string(&written).expect("a file")), sorted(&after));
    assert_eq!(run(&["db", "check", &hdb], b"").code, Some(0));
    assert_eq!(run(&["db", "undo", &hdb], b"").code, Some(0));
    assert_eq!(export(), before);
}
