//! Annotated games and judgements against other programs: lichess, python-chess, GNU parallel, Spark.

use crate::analyse::{GAMES, analyse, read};
use crate::support;
use crate::support::binary::{BINARY, folder, run};
use hematite::analysis::Judgement;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All moves with a glyph in analyses of lichess are judged by the evaluations, and no others. The severity is not
/// compared: the glyphs of these games follow centipawns instead of the formulas.
#[test]
fn evaluations_of_lichess_are_judged_as_lichess_does() {
    let Some(text) = support::data("pgn/lichess-sample.pgn") else { return };
    let run = analyse(&["--use-evals", "--json", "-"], &text);
    let (mut judged, mut wrong, mut games_judged) = (0, Vec::new(), 0);
    for (game, line) in read(&text).iter().zip(run.out.lines()) {
        let json: Value = serde_json::from_str(line).expect("a JSON object");
        let mut is_scored = false;
        for (index, node) in game.mainline().enumerate() {
            let played = &json["moves"][index];
            let ours = played["judgement"].as_str();
            is_scored |= !played["score"].is_null();
            if played["score"].is_null() {
                continue;
            }
            let theirs = game.nags(node).any(|nag| Judgement::from_nag(nag).is_some());
            judged += usize::from(theirs);
            if ours.is_some() != theirs {
                wrong.push(format!("{} {played}", game.tags.get("Site").unwrap_or_default()));
            }
        }
        games_judged += usize::from(is_scored);
    }
    println!("{judged} moves judged in {games_judged} games");
    assert!(judged > 400 && games_judged > 30, "{judged} in {games_judged}");
    assert!(wrong.len() <= 4, "{wrong:#?}");
}

/// Evaluations of lichess are judged exactly by the formulas that it publishes, which the script writes down anew.
#[test]
fn formulas_are_those_of_lichess() {
    let Some(data) = support::data_folder_of("pgn") else { return };
    if !support::succeeds("python3", &["--version"]) {
        return support::skip("no python3");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/lichess_analysis.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(BINARY)
        .arg(data.join("lichess-sample.pgn"))
        .arg("formulas")
        .output()
        .expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("are judged exactly by the formulas"), "{text}");
}

#[test]
fn python_chess_reads_what_is_written() {
    let is_there = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        return support::skip("no python3 with chess");
    }
    let folder = folder("analyse-python");
    let path = folder.join("annotated.pgn");
    fs::write(&path, analyse(&["--multipv", "2", "-"], GAMES).out).expect("it can be written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/analyse.py");
    let output = Command::new("python3").arg(script).arg(&path).output().expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.lines().collect::<Vec<_>>(), ["33 32", "4 3", "0 0", "8 8"], "moves and evaluations");
}

/// Main lines remain unchanged by annotations, in files of many origins.
#[test]
fn python_chess_finds_the_same_main_lines() {
    /// The maximum size of a file that python-chess reads, in bytes: it is slow, and larger files show nothing new.
    const MAX_READ: u64 = 180_000;
    /// The maximum size of a file that is searched, in bytes; in larger files only existing evaluations are used.
    const MAX_SEARCHED: u64 = 5000;
    let Some(data) = support::data_folder_of("pgn") else { return };
    let is_there = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        return support::skip("no python3 with chess");
    }
    let folder = folder("analyse-main-lines");
    let mut pairs = Vec::new();
    for (number, path) in pgn_files(&data).into_iter().enumerate() {
        let size = fs::metadata(&path).expect("a file").len();
        if size > MAX_READ {
            continue;
        }
        let search =
            if size > MAX_SEARCHED { &["--use-evals"][..] } else { &["--nodes", "30", "--hash", "1"] };
        let target = folder.join(format!("{number}.pgn"));
        let files = [path.to_str().expect("UTF-8"), "-o", target.to_str().expect("UTF-8")];
        let run = run(&[&["analyse", "-q"], search, &files].concat(), b"");
        assert!(matches!(run.code, Some(0 | 1)), "{path:?}: {run:?}");
        // What is made of errors is not the same everywhere.
        if run.code == Some(0) {
            // What is wrong in the file from the start may stay.
            let is_clean =
                |path: &str| support::binary::run(&["pgn", "check", "--strict", path], b"").code == Some(0);
            assert!(is_clean(files[2]) || !is_clean(files[0]), "{path:?}");
            pairs.extend([target, path]);
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/analyse.py");
    let output = Command::new("python3").arg(script).args(&pairs).output().expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let compared: usize = text.trim().parse().expect("a number");
    println!("{compared} main lines compared in {} files", pairs.len() / 2);
    assert!(compared > 1000, "only {compared}");
}

/// All files of games in a folder.
fn pgn_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            found.append(&mut pgn_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "pgn") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Annotates games by the commands for another tool in the documentation.
fn annotate_by(tool: &str) {
    let folder = folder(&format!("analyse-{tool}"));
    let files: Vec<PathBuf> = (1..=3)
        .map(|number| {
            let path = folder.join(format!("{number}.pgn"));
            let game = format!(
                "[Event \"{number}\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n"
            );
            fs::write(&path, game.repeat(number)).expect("a file can be written");
            path
        })
        .collect();
    support::check_page_by_script("analyse_tools.py", "docs/analysis.md", tool, &files);
}

#[test]
fn gnu_parallel_annotates_like_one_run() {
    // Another program of this name knows no `--joblog`.
    if support::succeeds("sh", &["-c", "parallel --joblog /dev/null true ::: 1 && python3 --version"]) {
        annotate_by("parallel");
    } else {
        support::skip("no GNU parallel with python3");
    }
}

#[test]
#[ignore = "Spark takes half a minute to start, and needs Java"]
fn spark_annotates_like_one_run() {
    if support::succeeds("python3", &["-c", "import pyspark"]) {
        annotate_by("spark");
    } else {
        support::skip("no python3 with pyspark");
    }
}
