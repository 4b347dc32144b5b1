//! `hematite study`, run by the built binary with guesses on standard input.

use crate::support::binary::{BINARY, Run, folder, run, run_unread};
use std::fs;
use std::path::{Path, PathBuf};

const GAME: &str = "[White \"Tal, M\"]\n[Black \"Botvinnik, M\"]\n[Result \"1-0\"]\n\n\
                    1. e4 e5 2. Nf3 {The king's knight.} Nc6 3. Bb5 a6 4. Ba4 $6 (4. Bxc6 dxc6) Nf6 $4 1-0\n";
const PROBLEM: &str =
    "[White \"Back rank\"]\n[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n1. Ra8# *\n";

/// The files of a learner.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let desk = Self(folder(name));
        for (file, text) in [("game.pgn", GAME), ("problem.pgn", PROBLEM)] {
            fs::write(desk.0.join(file), text).expect("files can be written");
        }
        desk
    }

    fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().expect("UTF-8").to_owned()
    }

    /// Runs a session with these arguments, where `@` marks the names of files.
    fn study(&self, arguments: &str, guesses: &str) -> Run {
        let progress = self.path("progress.sqlite");
        let words = arguments.split(' ').map(|word| match word.strip_prefix('@') {
            Some(file) => self.path(file),
            None => word.to_owned(),
        });
        let mut words: Vec<String> = ["study".to_owned()].into_iter().chain(words).collect();
        if !words.iter().any(|word| word == "--no-progress") {
            words.extend(["--progress".to_owned(), progress]);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        run(&words, guesses.as_bytes())
    }
}

#[test]
fn moves_of_a_game_are_guessed() {
    let desk = Desk::new("study-game");
    let found = desk.study("@game.pgn", "d4\ne4\nh\n2.Nf3\nnonsense\ns\ng1f3\nb5a4\n");
    assert_eq!(found.code, Some(0), "{}", found.err);
    let expected = [
        "Tal, M - Botvinnik, M: guess the moves of White\n",
        "1 White> Incorrect move!\n1 White> Right: 1. e4 (2 points).\n1... e5\n",
        "2 White> A knight moves.\n2 White> Right: 2. Nf3 (2 points).\n  The king's knight.\n2... Nc6\n",
        "3 White> `nonsense` is no legal move here;",
        "3 White> The move is 3. Bb5.\n",
        "4 White> `g1f3` is no legal move here;",
        "4 White> Right: 4. Ba4 (3 points).\n",
        "\n7 of 12 points (58 %): 4 moves, 1 at once, 1 shown.\n",
    ];
    let mut rest = found.out.as_str();
    for part in expected {
        let start = rest.find(part).unwrap_or_else(|| panic!("{part:?} is not in {}", found.out));
        rest = &rest[start + part.len()..];
    }
    // Moves that come later are not shown before.
    assert!(!found.out.split("4 White>").next().expect("the start").contains("Ba4"), "{}", found.out);
}

#[test]
fn games_can_begin_later_and_with_either_side() {
    let desk = Desk::new("study-sides");
    let found = desk.study("@game.pgn --no-progress --hide --side black --from-move 3", "a6\nq\n");
    assert!(
        found.out.starts_with("Guess the moves of Black\n3. Bb5\n\n1  R . . K Q B . R\n")
            || found.out.contains("3. Bb5"),
        "{}",
        found.out
    );
    assert!(found.out.contains("3 Black> Right: 3... a6 (3 points).\n4. Ba4\n"), "{}", found.out);
    assert!(!found.out.contains("Tal"), "names are hidden: {}", found.out);
    let both = desk.study("@game.pgn --no-progress --side both", "e4\ne5\n");
    assert!(both.out.contains("1 Black> Right: 1... e5"), "{}", both.out);
    // The end of the input leaves, and what was done counts.
    assert!(both.out.ends_with("6 of 6 points (100 %): 2 moves, 2 at once, 0 shown.\n"), "{}", both.out);
    assert_eq!(desk.study("@game.pgn --no-progress --game 2", "").code, Some(1), "there is one game");
}

#[test]
fn problems_are_solved_and_come_back() {
    let desk = Desk::new("study-problems");
    let suite =
        "6k1/5ppp/8/8/8/8/8/1R4K1 w - - bm Rb8#; id \"other rank\";\nk7/8/2K5/8/8/8/8/7R w - - dm 2;\n";
    fs::write(desk.0.join("suite.epd"), suite).expect("files can be written");
    let suite = format!("{suite}8/8/8/8/8/5k2/8/7K w - - dm 1;\n8/8/8/8/8/5k2/8/7K w - - id \"nothing\";\n");
    fs::write(desk.0.join("suite.epd"), suite).expect("files can be written");
    let found = desk.study("@problem.pgn @suite.epd", "Ra8#\nKf2\nRb8\nKc7\nRa1\n");
    assert_eq!(found.code, Some(0), "{}", found.err);
    assert!(found.out.contains("Back rank - ?: White to move\n"), "{}", found.out);
    assert!(found.out.contains("other rank: White to move\n"), "{}", found.out);
    // The mate whose length alone is known has been solved: both first moves are right, and one goes on.
    assert!(found.out.contains("record 2: White to move, mate in 2\n"), "{}", found.out);
    assert!(found.out.contains("1 White> Right: 1. Kc7 (3 points)."), "{}", found.out);
    assert!(found.err.contains("suite.epd: 1 record without bm, pv and dm left out"), "{}", found.err);
    assert!(
        found.err.contains("suite.epd: 1 record whose mate (dm) is not found with --nodes left out"),
        "{}",
        found.err
    );
    // Both have been seen a moment ago.
    let later = desk.study("@problem.pgn @suite.epd", "");
    assert_eq!(later.code, Some(1), "{}", later.out);
    assert!(later.err.contains("3 exercises not due yet"), "{}", later.err);
    let again = desk.study("@problem.pgn --all --limit 1", "Ra8#\n");
    assert_eq!(again.code, Some(0), "{}", again.err);
}

#[test]
fn a_repertoire_is_trained() {
    let desk = Desk::new("study-repertoire");
    fs::write(desk.0.join("lines.pgn"), "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 *\n")
        .expect("files can be written");
    let found = desk.study("--repertoire white @lines.pgn --new 3", "e4\nNc3\nNf3\nBb5\n");
    assert_eq!(found.code, Some(0), "{}", found.err);
    assert!(found.out.contains("the initial position: White to move\n"), "{}", found.out);
    assert!(found.out.contains("1. e4 e5: White to move\n"), "{}", found.out);
    assert!(found.err.contains("3 of 4 new positions"), "{}", found.err);
    let found = desk.study("--repertoire white @lines.pgn", "Nf3\n");
    assert!(found.out.starts_with("1. e4 c5: White to move\n"), "{}", found.out);
    fs::write(desk.0.join("played.pgn"), "1. e4 c6 *\n\n1. e4 c6 *\n\n1. e4 e5 2. Nf3 d6 *\n\n1. d4 *\n")
        .expect("files can be written");
    let gaps = desk.study("--repertoire white @lines.pgn --gaps @played.pgn", "");
    assert_eq!(gaps.code, Some(0), "{}", gaps.err);
    assert_eq!(gaps.out, "  games  line\n      2  1. e4 c6\n      1  1. e4 e5 2. Nf3 d6\n");
    // A query selects among the games of others, and the repertoire stays whole.
    fs::write(desk.0.join("named.pgn"), "[White \"Tal\"]\n\n1. e4 d5 *\n\n[White \"Other\"]\n\n1. e4 d6 *\n")
        .expect("files can be written");
    let gaps = desk.study("--repertoire white @lines.pgn --gaps @named.pgn --query white:tal", "");
    assert_eq!(
        (gaps.code, gaps.out.as_str()),
        (Some(0), "  games  line\n      1  1. e4 d5\n"),
        "{}",
        gaps.err
    );
}

/// A problem comes back when any of its moves is due.
#[cfg(feature = "board")]
#[test]
fn each_move_of_a_problem_is_scheduled() {
    let desk = Desk::new("study-moves");
    let problem = "[SetUp \"1\"]\n[FEN \"k7/8/2K5/8/8/8/8/7R w - - 0 1\"]\n\n1. Kb6 Kb8 2. Rh8# *\n";
    fs::write(desk.0.join("mate.pgn"), problem).expect("files can be written");
    assert_eq!(desk.study("@mate.pgn", "Kb6\nRh8\n").code, Some(0));
    let due = |index: usize, expected: &str| {
        let rows = desk.study("--stats", "").out;
        let row = rows.lines().find(|row| row.starts_with("problem")).expect("a row").to_owned();
        assert_eq!(row.split_whitespace().nth(index), Some(expected), "{row}");
    };
    assert_eq!(desk.study("@mate.pgn", "").code, Some(1), "it was asked a moment ago");
    let progress = rusqlite::Connection::open(desk.path("progress.sqlite")).expect("it is there");
    let changed = progress.execute("UPDATE cards SET due_ms = 0 WHERE item LIKE '%1k6/8/1K6/%'", []);
    assert_eq!(changed.expect("it can be changed"), 1, "the second move has a card");
    drop(progress);
    due(7, "1");
    let again = desk.study("@mate.pgn", "Kb6\nRh8\n");
    assert_eq!(again.code, Some(0), "{}", again.err);
    due(7, "0");
}

/// `--from-move` counts for problems and mistakes, too.
#[test]
fn problems_and_mistakes_can_begin_later() {
    let desk = Desk::new("study-from-move");
    let problem = "[SetUp \"1\"]\n[FEN \"k7/8/2K5/8/8/8/8/7R w - - 0 30\"]\n\n1. Kb6 Kb8 2. Rh8# *\n";
    fs::write(desk.0.join("mate.pgn"), problem).expect("files can be written");
    for (from, expected) in [("3", "30 White> "), ("31", "31 White> ")] {
        let found = desk.study(&format!("@mate.pgn --no-progress --from-move {from}"), "q\n");
        assert!(found.out.contains(expected), "{from}: {}", found.out);
    }
    assert_eq!(desk.study("@mate.pgn --no-progress --from-move 40", "").code, Some(1));
    let mistakes =
        |from: &str| desk.study(&format!("--mistakes tal @game.pgn --all --from-move {from}"), "q\n");
    assert!(mistakes("4").out.contains("4 White> "));
    assert_eq!(mistakes("5").code, Some(1));
    let none = desk.study("--mistakes botvinnik @game.pgn --from-move 5", "");
    assert!(!none.err.contains("no better variation"), "{}", none.err);
}

/// `--game` and `--query` select games: records are left out, which is told.
#[test]
fn records_are_not_selected() {
    let desk = Desk::new("study-selected");
    fs::write(desk.0.join("suite.epd"), "6k1/5ppp/8/8/8/8/8/1R4K1 w - - bm Rb8#;\n".repeat(2))
        .expect("files can be written");
    for (selection, code) in
        [("--game 1", Some(0)), ("--query white:tal", Some(0)), ("--query white:x", Some(1))]
    {
        let found = desk.study(&format!("@suite.epd @game.pgn --no-progress {selection}"), "q\n");
        assert_eq!(found.code, code, "{selection}: {}", found.err);
        let told = "suite.epd: 2 records left out, since --game and --query select games\n";
        assert!(found.err.contains(told), "{selection}: {}", found.err);
    }
}

/// A variation that the evaluations show to be worse is not accepted.
#[test]
fn a_worse_move_does_not_mend_a_mistake() {
    let desk = Desk::new("study-worse");
    let game = "[White \"Tal\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Qh5 $6 {[%eval -0.3]} \
                (2. Ke2 {[%eval -2.0]}) (2. Nc3 {[%eval 0.2]}) (2. Nf3 {[%eval 0.4]}) *\n";
    fs::write(desk.0.join("worse.pgn"), game).expect("files can be written");
    let found = desk.study("--mistakes tal @worse.pgn --no-progress", "Ke2\ns\n");
    assert!(found.out.contains("2 White> Incorrect move!\n2 White> The move is 2. Nf3.\n"), "{}", found.out);
}

#[test]
fn mistakes_are_mended() {
    let desk = Desk::new("study-mistakes");
    let found = desk.study("--mistakes tal @game.pgn", "Bxc6\n");
    assert_eq!(found.code, Some(0), "{}", found.err);
    assert!(found.out.contains("4. Ba4 (inaccuracy): White finds something better\n"), "{}", found.out);
    assert!(found.out.contains("Right: 4. Bxc6 (3 points)."), "{}", found.out);
    let without = desk.study("--mistakes botvinnik @game.pgn", "");
    assert_eq!(without.code, Some(1), "{}", without.out);
    assert!(without.err.contains("1 mistake has no better variation"), "{}", without.err);
    assert_eq!(desk.study("--mistakes nobody @game.pgn", "").code, Some(1));
    assert_eq!(desk.study("--mistakes a\"b @game.pgn", "").code, Some(2));
}

#[test]
fn guesses_are_judged() {
    let desk = Desk::new("study-judge");
    let found = desk.study("@game.pgn --judge --nodes 2000 --from-move 4", "Nxe5\nBa4\n");
    assert!(found.out.contains("Incorrect move! It lowers the winning chances by "), "{}", found.out);
    // Nor is a mate that takes longer than another.
    let mate = "7k/8/6K1/8/8/8/8/R7 w - - bm Ra8#;\n";
    fs::write(desk.0.join("mates.epd"), mate).expect("files can be written");
    let found = desk.study("@mates.epd --accept-equal 0 --nodes 20000", "Rb1\nRa8\n");
    assert!(found.out.contains("Incorrect move! There is a faster mate.\n"), "{}", found.out);
    assert!(found.out.contains("Right: 1. Ra8# (2 points)."), "{}", found.out);
    // A mate is never as good as something else.
    let found = desk.study("@problem.pgn --accept-equal 50 --nodes 2000 --all", "Kf2\nRa8\n");
    assert!(
        found.out.contains("of 100: blunder.\n") && found.out.contains("Right: 1. Ra8# (0 points)."),
        "{}",
        found.out
    );
    let found = desk.study("@game.pgn --accept-equal 2000 --nodes 2000", "d4\nq\n");
    assert!(found.out.contains("1. d4 is as good; the game continues with 1. e4.\n"), "{}", found.out);
}

/// Evaluations in the comments judge a guess without a search, and a guess that loses much costs more points.
#[test]
fn guesses_are_judged_by_the_comments_of_the_game() {
    let desk = Desk::new("study-evaluations");
    let game = "1. e4 {[%eval 0.3]} (1. d4 {[%eval 0.2] Also good.}) (1. f3 {[%eval -1.0]}) 1... e5 {[%eval 0.3]} \
                2. Nf3 {[%eval 0.3]} (2. Ke2 {[%eval -1.9]}) (2. Nc3 {[%eval 0.4]}) 2... Nc6 3. Bb5 *\n";
    fs::write(desk.0.join("evaluations.pgn"), game).expect("files can be written");
    let found = desk.study("@evaluations.pgn", "d4\ne4\nKe2\nNc3\nNf3\nBc4\nBb5\n");
    assert_eq!(found.code, Some(0), "{}", found.err);
    let expected = [
        "1 White> Incorrect move! It lowers the winning chances by 1 point of 100.\n",
        "1 White> Right: 1. e4 (2 points).\n",
        "2 White> Incorrect move! It lowers the winning chances by 20 points of 100: blunder.\n",
        "2 White> Incorrect move, though not a worse one!\n2 White> Right: 2. Nf3 (0 points).\n",
        "3 White> Incorrect move!\n3 White> Right: 3. Bb5 (2 points).\n",
        "\n4 of 9 points (44 %): 3 moves, 0 at once, 0 shown.\n\
         2 judged guesses lower the winning chances by 10 points of 100 on average.\n",
    ];
    let mut rest = found.out.as_str();
    for part in expected {
        let start = rest.find(part).unwrap_or_else(|| panic!("{part:?} is not in {}", found.out));
        rest = &rest[start + part.len()..];
    }
    assert!(!found.out.contains("Also good."), "comments of variations are not shown: {}", found.out);
    let losses: Vec<f64> = desk
        .study("--export -", "")
        .out
        .lines()
        .filter_map(|line| line.rsplit_once(',')?.1.parse().ok())
        .collect();
    assert_eq!(losses, [0.018, 0.391], "the third move has no evaluation");
    let json = desk.study("--stats --json", "").json();
    assert_eq!(json["study"][0]["judged"], 2, "{json}");
    let average = json["study"][0]["average_loss"].as_f64().expect("it is known");
    assert!((average - 0.2045).abs() < 0.001, "{json}");
    let table = desk.study("--stats", "").out;
    assert!(table.starts_with("kind          asked  at once  points  loss  scheduled    due\n"), "{table}");
    assert!(table.contains("game              3        0    44 %    10          0      0\n"), "{table}");
    let one = desk.study("@evaluations.pgn --no-progress", "f3\ns\nq\n");
    assert!(
        one.out.contains("It lowers the winning chances by 12 points of 100: mistake.\n")
            && one
                .out
                .ends_with("1 judged guess lowers the winning chances by 12 points of 100 on average.\n"),
        "{}",
        one.out
    );
}

#[test]
fn progress_is_shown_and_exported() {
    let desk = Desk::new("study-progress");
    assert_eq!(desk.study("--stats", "").code, Some(1), "nothing was studied");
    desk.study("@problem.pgn", "Ra8\n");
    desk.study("@game.pgn", "d4\ne4\n");
    let table = desk.study("--stats", "");
    assert!(
        table.out.contains("problem           1        1   100 %     -          1      0\n"),
        "{}",
        table.out
    );
    let json = desk.study("--stats --json", "").json();
    assert_eq!(json["study"][0]["kind"], "game", "{json}");
    assert_eq!(json["study"][0]["points"], 2, "{json}");
    assert_eq!(json["study"][0]["average_loss"], serde_json::Value::Null, "{json}");
    let csv = desk.study("--export -", "");
    let lines: Vec<&str> = csv.out.lines().collect();
    assert_eq!(lines[0], "time,kind,position,title,move,wrong,hints,shown,points,loss");
    assert!(
        lines[1].ends_with(",problem,6k1/5ppp/8/8/8/8/8/R5K1 w - -,Back rank - ?,Ra8#,0,0,0,3,"),
        "{}",
        csv.out
    );
    assert!(lines[2].contains(",\"Tal, M - Botvinnik, M\",e4,1,0,0,2,"), "{}", csv.out);
}

#[test]
fn what_cannot_be_studied_is_told() {
    let desk = Desk::new("study-errors");
    for (arguments, expected) in [
        ("-", "the guesses come from standard input"),
        ("@missing.pgn", "missing.pgn"),
        ("--repertoire white @game.pgn --side black", "cannot be used with"),
        ("--json @game.pgn", "cannot be used with"),
    ] {
        let found = desk.study(arguments, "");
        assert_eq!(found.code, Some(2), "{arguments}: {}", found.out);
        assert!(found.err.contains(expected), "{arguments}: {}", found.err);
    }
    fs::write(desk.0.join("progress.sqlite"), "1. e4 *\n".repeat(200)).expect("files can be written");
    let found = desk.study("@game.pgn", "");
    assert_eq!(found.code, Some(2));
    assert!(found.err.contains("progress.sqlite") && found.err.contains("not a database"), "{}", found.err);
    assert_eq!(
        fs::read(Path::new(&desk.path("progress.sqlite"))).expect("it is there").len(),
        1600,
        "it is left alone"
    );
}

/// A dialog ends when its output is closed, even if there are further guesses.
#[test]
fn a_dialog_that_nobody_reads_ends() {
    let desk = Desk::new("study-unread");
    let (game, progress) = (desk.path("game.pgn"), desk.path("progress.sqlite"));
    assert_eq!(run_unread(&["study", &game, "--progress", &progress], b"e4\nNf3\n"), Some(0));
    assert_eq!(desk.study("--stats", "").code, Some(1), "no guess was taken");
}

/// Lines of a megabyte, bytes that are not UTF-8, and control characters are refused as moves.
#[test]
fn mad_guesses_are_refused() {
    let desk = Desk::new("study-mad");
    let mut guesses = vec![b'x'; 1 << 20];
    guesses.extend_from_slice(b"\n\xff\xfe\n\x1b[31m\ne4\n");
    let game = desk.path("game.pgn");
    let found = run(&["study", &game, "--no-progress"], &guesses);
    assert_eq!(found.code, Some(0), "{}", found.err);
    assert!(found.out.contains("Right: 1. e4 (3 points)."), "the guesses before cost nothing");
    assert!(!found.out.contains('\x1b'));
}

/// Without `--progress` the file is in the user's folder for data.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_in_the_data_folder() {
    let desk = Desk::new("study-home");
    let data = desk.path("data");
    let study = |arguments: &[&str], guesses: &str| -> Run {
        let mut command = assert_cmd::Command::new(BINARY);
        command.env("XDG_DATA_HOME", &data).env("HOME", desk.path("home")).arg("study").args(arguments);
        command.write_stdin(guesses).output().expect("the binary runs").into()
    };
    let found = study(&[&desk.path("problem.pgn")], "Ra8#\n");
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(Path::new(&data).join("hematite/progress.sqlite").is_file(), "{found:?}");
    assert!(study(&["--stats"], "").out.contains("problem "));
    assert!(!Path::new(&desk.path("home")).exists(), "nothing is anywhere else");
}

/// An answer that has been judged is kept, whatever happens to the program then.
#[cfg(unix)]
#[test]
fn a_killed_session_loses_nothing() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let desk = Desk::new("study-killed");
    let dialog = [("e4", "1... e5"), ("Nf3", "2... Nc6"), ("Bb5", "3... a6")];
    let mut answered = 0;
    for guesses in [1, 3] {
        let mut child = Command::new(BINARY)
            .args(["study", &desk.path("game.pgn"), "--progress", &desk.path("progress.sqlite")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut input = child.stdin.take().expect("it is a pipe");
        let mut lines = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
        for (guess, reply) in &dialog[..guesses] {
            writeln!(input, "{guess}").expect("it waits for a guess");
            // The answer is stored before the reply is printed.
            let is_reply = |line: std::io::Result<String>| line.expect("UTF-8").contains(reply);
            assert!(lines.by_ref().any(is_reply), "{guess}");
        }
        child.kill().expect("it runs");
        child.wait().expect("it has ended");
        answered += guesses;
        let rows = desk.study("--export -", "").out;
        assert_eq!(rows.lines().filter(|line| line.contains(",game,")).count(), answered, "{rows}");
    }
}
