//! `hematite pgn duplicates` and `hematite pgn split`, run by the built binary.

use super::files;
use super::tree::game;
use crate::support::binary::{Run, folder, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const LONG: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";

/// A game between Tal and Botvinnik with these moves.
fn duel(date: &str, event: &str, moves: &str, result: &str) -> String {
    let tags = [("Site", "?"), ("Date", date), ("White", "Tal, Mihail"), ("Black", "Botvinnik, M")];
    game(&tags, moves, result).replace("[Event \"E\"]", &format!("[Event \"{event}\"]"))
}

fn duplicates(arguments: &[&str], games: &str) -> Run {
    run(&[&["pgn", "duplicates"], arguments, &["-"]].concat(), games.as_bytes())
}

/// The groups, as the numbers of their games, the kept one first.
fn groups(arguments: &[&str], games: &str) -> Vec<Vec<u64>> {
    let found = duplicates(&[arguments, &["--json"]].concat(), games);
    let json = found.json();
    let groups = json["groups"].as_array().expect("groups");
    let group = |group: &serde_json::Value| {
        let mut games: Vec<(bool, u64)> = group
            .as_array()
            .expect("games")
            .iter()
            .map(|game| (game["is_kept"] != true, game["game"].as_u64().expect("a number")))
            .collect();
        games.sort_unstable();
        games.into_iter().map(|(_, number)| number).collect()
    };
    let groups: Vec<Vec<u64>> = groups.iter().map(group).collect();
    assert_eq!(found.code, Some(i32::from(groups.is_empty())));
    groups
}

#[test]
fn games_that_others_have_not() {
    let folder = folder("not-in");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (new, old, hdb) = (path("new.pgn"), path("old.pgn"), path("old.hdb"));
    let other = game(&[("White", "X"), ("Black", "Y")], "1. d4 d5", "1-0");
    let known = duel("1960.03.15", "Match", LONG, "1-0");
    fs::write(&new, known.clone() + &other + &known).expect("a file can be written");
    fs::write(&old, duel("1960.03.15", "Match", &format!("{LONG} 11. c4 {{more}}"), "1-0")).expect("a file");
    assert_eq!(run(&["db", "create", &hdb, &old], b"").code, Some(0));
    for others in [&old, &hdb] {
        let ask = |arguments: &[&str]| {
            run(&[&["pgn", "duplicates", &new, "--not-in", others], arguments].concat(), b"")
        };
        let json = ask(&["--json"]).json();
        let missing = json["missing"].as_array().expect("games");
        assert_eq!((json["games"].as_u64(), missing.len()), (Some(3), 1));
        assert_eq!((missing[0]["game"].as_u64(), missing[0]["white"].as_str()), (Some(2), Some("X")));
        let text = ask(&[]);
        assert!(text.code == Some(0) && text.out.contains("\n1 of 3 games\n"), "{}", text.out);
        let (missing, rejects) = (path("missing.pgn"), path("rejects.pgn"));
        let written = ask(&["-o", &missing, "--rejects", &rejects]);
        assert!(written.err.contains("2 games dropped, 1 written"), "{}", written.err);
        let count = |file: &str| run(&["pgn", "find", "", "--count", file], b"").out.trim().to_owned();
        assert_eq!((count(&missing), count(&rejects)), ("1".to_owned(), "2".to_owned()));
        // The lengths differ by a move.
        assert_eq!(
            ask(&["--length-difference", "0", "--json"]).json()["missing"].as_array().map(Vec::len),
            Some(3)
        );
    }
    assert_eq!(run(&["pgn", "duplicates", &old, "--not-in", &new], b"").code, Some(1));
    // What cannot be read is not taken for empty.
    let written = path("refused.pgn");
    let refused = run(&["pgn", "duplicates", &new, "--not-in", &path("none.pgn"), "-o", &written], b"");
    assert!(
        refused.code == Some(2) && refused.err.contains("nothing is listed or written"),
        "{}",
        refused.err
    );
    assert!(!Path::new(&written).exists());
}

#[test]
fn levels_and_lengths_of_duplicates() {
    let other = |moves: &str| game(&[("White", "X"), ("Black", "Y")], moves, "1-0");
    let games = [
        duel("1960.03.15", "Match", LONG, "1-0"),
        duel("1960.??.??", "?", &format!("{LONG} 11. c4"), "1-0"),
        duel("1961.03.15", "Match", &format!("{LONG} 11. c4 c6 12. cxb5 axb5"), "1-0"),
        duel("1960.03.15", "Match", LONG, "0-1").replace("Botvinnik, M", "BOTVINNIK,M."),
        other(LONG),
        duel("1960.03.15", "Match", &format!("{LONG} 11. c4 c6 12. cxb5 axb5 13. Nc3"), "1-0"),
    ]
    .concat();
    // The longest comes first; five plies more are too many for the first games, and not for those between.
    assert_eq!(groups(&[], &games), [[6, 1, 2, 3, 4]]);
    assert_eq!(groups(&["--length-difference", "0"], &games), [[1, 4]]);
    assert_eq!(groups(&["--length-difference", "1"], &games), [vec![2, 1, 4], vec![6, 3]]);
    assert_eq!(groups(&["--level", "moves", "--length-difference", "0"], &games), [[1, 4, 5]]);
    assert_eq!(groups(&["--level", "event", "--length-difference", "1"], &games), [[2, 1, 4]]);
    assert_eq!(groups(&["--level", "result", "--length-difference", "1"], &games), [[2, 1]]);
    assert_eq!(groups(&["--exact", "--length-difference", "0"], &games), [[0_u64; 0]; 0]);
    assert_eq!(groups(&["--window", "1", "--length-difference", "1"], &games), [[2, 1]]);
    assert_eq!(groups(&["--of", "5"], &games), [[0_u64; 0]; 0]);
    assert_eq!(groups(&["--of", "5", "--level", "moves", "--length-difference", "0"], &games), [[1, 4, 5]]);
    let text = duplicates(&["--length-difference", "0"], &games).out;
    assert!(text.starts_with("Duplicates\n1 duplicate of 6 games, in 1 group; * is kept\n\n"), "{text}");
    let html = duplicates(&["--html"], &games).out;
    assert!(html.contains("<td>Tal, Mihail</td>"), "{html}");
}

#[test]
fn short_games_need_players_dates_and_events() {
    let games = duel("1960.03.15", "Match", "1. e4 e5", "1/2-1/2")
        + &duel("1960.03.15", "Match", "1. e4 e5 2. Nf3", "1/2-1/2")
        + &duel("1960.??.??", "Match", "1. e4 e5", "1/2-1/2")
        + &duel("1960.03.15", "?", "1. e4 e5", "1/2-1/2")
        + &game(&[("Date", "1960.03.15")], "1. e4 e5", "*");
    for level in ["moves", "players"] {
        assert_eq!(groups(&["--level", level], &games), [[2, 1]], "{level}");
    }
    let none = "[Event \"a\"]\n[White \"x\"]\n\n*\n\n".repeat(3) + &game(&[], "1. d4", "*");
    assert_eq!(groups(&[], &none), [[1, 2, 3]]);
}

#[test]
fn the_best_annotated_is_kept_and_the_others_are_dropped_or_merged() {
    let folder = folder("duplicates");
    let at = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let plain = duel("1960.03.15", "Match", LONG, "1-0");
    let noted = duel("1960.??.??", "?", &LONG.replace("3. Bb5", "3. Bb5 {the Ruy Lopez}"), "1-0");
    let varied =
        duel("1960.03.15", "Match", &LONG.replace("3. Bb5 a6", "3. Bb5 $1 a6 (3... Nf6 4. O-O)"), "1-0")
            .replace("[Result", "[Annotator \"Nunn\"]\n[Result");
    let other = game(&[("White", "X")], LONG, "0-1");
    fs::write(at("a.pgn"), plain + &other).expect("a file can be written");
    fs::write(at("b.pgn"), varied + &noted).expect("a file can be written");
    let write = |more: &[&str]| {
        let paths = [at("a.pgn"), at("b.pgn")];
        let files = [&*paths[0], &*paths[1]];
        let (out, rejects) = (at("out.pgn"), at("rejects.pgn"));
        run(&[&["pgn", "duplicates"], &files[..], &["-o", &out, "--rejects", &rejects], more].concat(), b"")
    };
    let done = write(&[]);
    assert_eq!((done.code, &*done.err), (Some(0), "2 games dropped, 2 written\n"));
    let read = |name: &str| fs::read_to_string(at(name)).expect("it is written");
    assert_eq!(read("out.pgn").matches("[Event ").count(), 2);
    assert!(
        read("out.pgn").contains("the Ruy Lopez") && !read("out.pgn").contains("Nunn"),
        "{}",
        read("out.pgn")
    );
    assert!(read("rejects.pgn").contains("Nunn"), "{}", read("rejects.pgn"));
    assert_eq!(write(&["--merge"]).code, Some(0));
    let merged = read("out.pgn");
    for part in [
        "[Date \"1960.03.15\"]",
        "[Event \"Match\"]",
        "[Annotator \"Nunn\"]",
        "{the Ruy Lopez}",
        "(3... Nf6 4. O-O)",
    ] {
        assert!(merged.contains(part), "{part}: {merged}");
    }
    assert!(merged.contains("3. Bb5 $1 {the Ruy Lopez}"), "{merged}");
    // One file would have replaced the other.
    let twice = at("twice.pgn");
    fs::create_dir(at("sub")).expect("a folder can be made");
    for rejects in ["twice.pgn", "sub/../twice.pgn"] {
        let refused = run(&["pgn", "duplicates", &at("a.pgn"), "-o", &twice, "--rejects", &at(rejects)], b"");
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{refused:?}");
        assert!(refused.err.contains("name the same file, expected two"), "{refused:?}");
    }
    assert!(!Path::new(&twice).exists());
    // What has been put in order has no duplicates.
    assert_eq!(run(&["pgn", "duplicates", &at("out.pgn")], b"").code, Some(1));
    assert_eq!(duplicates(&["-o", &at("x.pgn")], "1. e4 *").code, Some(2));
    assert_eq!(run(&["pgn", "duplicates", "--merge", &at("a.pgn")], b"").code, Some(2));
}

/// The names of the files in a folder and its subfolders.
fn names(path: &Path) -> Vec<String> {
    let name =
        |file: &Path| file.strip_prefix(path).expect("it is below").to_string_lossy().replace('\\', "/");
    files(path).iter().map(|file| name(file)).collect()
}

fn split(folder: &Path, arguments: &[&str], games: &str) -> Run {
    let path = folder.to_str().expect("UTF-8");
    run(&[&["pgn", "split", "-o", path], arguments, &["-"]].concat(), games.as_bytes())
}

#[test]
fn files_by_players_events_and_dates() {
    let tags = |white, black, date| [("White", white), ("Black", black), ("Date", date), ("ECO", "B90")];
    let games = game(&tags("Polgar, Judit", "Tal, Mihail", "1993.??.??"), "1. e4", "1-0")
        + &game(&tags("Polgar, Zsuzsa", "AC/DC", "1993.04.25"), "1. d4", "0-1")
        + &game(&tags("?", "", "????.??.??"), "1. c4", "1/2-1/2");
    let folder = folder("split-by");
    let parts = |arguments: &[&str]| {
        let path = folder.join(arguments.join(""));
        let done = split(&path, arguments, &games);
        assert_eq!(done.code, Some(0), "{}", done.err);
        (names(&path), done.err)
    };
    let (players, told) = parts(&["--by", "player"]);
    assert_eq!(players, ["AC_DC.pgn", "Polgar.pgn", "Tal.pgn", "Unknown.pgn"]);
    assert!(told.contains("Polgar.pgn` has games of Polgar, Judit; Polgar, Zsuzsa\n"), "{told}");
    assert_eq!(parts(&["--by", "event"]).0, ["E.pgn"]);
    let done = split(&folder.join("json"), &["--by", "player", "--json"], &games);
    let json = done.json();
    assert_eq!((done.code, &*done.err, &json["incomplete_dates"]), (Some(0), "", &0.into()));
    assert_eq!(json["files"].as_array().map(Vec::len), Some(4));
    assert!(json["files"][1]["file"].as_str().is_some_and(|name| name.ends_with("Polgar.pgn")), "{json}");
    let both = serde_json::json!(["Polgar, Judit", "Polgar, Zsuzsa"]);
    assert_eq!((&json["files"][1]["games"], &json["files"][1]["of"]), (&2.into(), &both));
    assert_eq!(parts(&["--by", "year"]).0, ["0000.pgn", "1993.pgn"]);
    let (days, told) = parts(&["--by", "day"]);
    assert_eq!(days, ["00000000.pgn", "19930000.pgn", "19930425.pgn"]);
    assert_eq!(told, "2 games with an incomplete date\n");
    assert_eq!(
        parts(&["--by", "month", "--tree"]).0,
        ["0000/000000.pgn", "1993/199300.pgn", "1993/199304.pgn"]
    );
    let days = ["0000/000000/00000000.pgn", "1993/199300/19930000.pgn", "1993/199304/19930425.pgn"];
    assert_eq!(parts(&["--by", "day", "--tree"]).0, days);
    assert_eq!(parts(&["--by", "eco"]).0, ["B90.pgn"]);
    assert_eq!(parts(&["--by", "result"]).0, ["0-1.pgn", "1-0.pgn", "draw.pgn"]);
    let sites = game(&[("Site", "Riga LAT")], "1. e4", "*") + &game(&[("Site", "?")], "1. d4", "*");
    let path = folder.join("sites");
    assert_eq!(split(&path, &["--by", "site"], &sites).code, Some(0));
    assert_eq!(names(&path), ["Riga LAT.pgn", "Unknown.pgn"]);
    // A game of two players of one name is in their file once, and names of any letters fit into a file system.
    let one = game(&[("White", "SMITH, John"), ("Black", "Smith, Jane")], "1. e4", "1-0")
        + &game(&[("White", &"世".repeat(90)), ("Black", "?")], "1. d4", "1-0");
    let path = folder.join("names");
    let done = split(&path, &["--by", "player", "--json"], &one).json();
    let counts: Vec<_> =
        done["files"].as_array().expect("a list").iter().map(|file| &file["games"]).collect();
    assert_eq!(counts, [&1, &1], "{done}");
    // All games are there, as they are exported.
    let exported = run(&["pgn", "export", "-"], games.as_bytes()).out;
    let path = folder.join("--byyear");
    let text: String =
        files(&path).iter().map(|file| fs::read_to_string(file).expect("it is written")).collect();
    let sorted = |text: &str| text.split("[Event ").map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&text), sorted(&exported));
    // Nothing is replaced unless it is asked for.
    let refused = split(&path, &["--by", "year"], &games);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("0000.pgn` exists") || refused.err.contains("exists, expected"),
        "{}",
        refused.err
    );
    assert_eq!(split(&path, &["--by", "year", "--replace"], &games).code, Some(0));
    let some = path.join("some");
    let done = split(&some, &["--by", "result", "--query", "result:1-0"], &games);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(names(&some), ["1-0.pgn"]);
    assert_eq!(split(&path, &[], &games).code, Some(2));
    assert_eq!(split(&path, &["--tree", "--games", "1"], &games).code, Some(2));
    assert_eq!(split(&path, &["--tree", "--by", "eco"], &games).code, Some(2));
}

#[test]
fn parts_of_a_file_by_size() {
    let folder = folder("split-size");
    let games: String = (0..5).map(|_| game(&[], "1. e4 e5", "*")).collect();
    let one = folder.join("games.pgn");
    let two = folder.join("twic92.pgn");
    fs::write(&one, &games).expect("a file can be written");
    fs::write(&two, &games).expect("a file can be written");
    let (one, two) = (one.to_str().expect("UTF-8"), two.to_str().expect("UTF-8"));
    let out = folder.join("parts");
    let done = run(&["pgn", "split", "--games", "2", "-o", out.to_str().expect("UTF-8"), one, two], b"");
    assert_eq!(done.code, Some(0), "{}", done.err);
    let expected = ["games1.pgn", "games2.pgn", "games3.pgn", "twic92a.pgn", "twic92b.pgn", "twic92c.pgn"];
    assert_eq!(names(&out), expected);
    let exported = run(&["pgn", "export", one], b"").out;
    let text: String =
        files(&out)[..3].iter().map(|file| fs::read_to_string(file).expect("it is written")).collect();
    assert_eq!(text, exported);
    // Files of one name in several folders are numbered through.
    for part in ["a", "b"] {
        fs::create_dir(folder.join(part)).expect("a folder can be made");
        fs::write(folder.join(part).join("g.pgn"), &games).expect("a file can be written");
    }
    let out = folder.join("through");
    let sources = ["a", "b"].map(|part| folder.join(part).to_str().expect("UTF-8").to_owned());
    let to = out.to_str().expect("UTF-8");
    let done =
        run(&["pgn", "split", "--games", "3", "--json", "-o", to, &sources[0], &sources[1]], b"").json();
    let counts: Vec<_> =
        done["files"].as_array().expect("a list").iter().map(|file| &file["games"]).collect();
    assert_eq!(counts, [&3, &2, &3, &2], "{done}");
    let most = exported.len() / 5 * 3 + 1;
    let out = folder.join("bytes");
    let done = split(&out, &["--bytes", &most.to_string()], &games);
    assert_eq!((done.code, names(&out)), (Some(0), vec!["games1.pgn".to_owned(), "games2.pgn".to_owned()]));
    let sizes: Vec<usize> =
        files(&out).iter().map(|file| fs::read(file).expect("it is written").len()).collect();
    assert_eq!(sizes, [exported.len() / 5 * 3, exported.len() / 5 * 2]);
}
