//! The whole pipeline to a network that wins: self-play games, training, and a match.

use assert_cmd::Command;
use hematite::chess::Position;
use hematite::notation::Fen;
use hematite::rng::Rng;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

/// The number of games, enough to learn the values of pieces.
const GAMES: &str = "400";
const MATCH_ROUNDS: &str = "10";
/// The share of points, in a match of two games per round, that distinguishes a network from a random one: more than
/// three standard deviations above one half for equal opponents.
const ENOUGH: f64 = 0.85;

struct Folder(PathBuf);

impl Folder {
    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a command that writes JSON.
fn hematite(arguments: &[&str]) -> serde_json::Value {
    let mut command = Command::cargo_bin("hematite").expect("the binary is built");
    let output = command.args(arguments).arg("--json").assert().success().get_output().clone();
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Positions after a few random moves.
fn write_openings(path: &Path) {
    const OPENINGS: usize = 10;
    const PLIES: usize = 8;
    let mut rng = Rng::new(5);
    let mut text = String::new();
    for _ in 0..OPENINGS {
        let mut position = Position::start();
        for _ in 0..PLIES {
            let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
            position = position.after(mv).0;
        }
        text.push_str(&format!("{}\n", Fen::new(&position)));
    }
    fs::write(path, text).expect("a file can be written");
}

#[test]
fn a_network_trained_on_own_games_wins() {
    let folder = Folder(env::temp_dir().join(format!("hematite-generation-{}", process::id())));
    fs::create_dir_all(&folder.0).expect("a folder can be made");
    let [games, trained, random, openings] =
        ["games", "trained.nnue", "random.nnue", "openings.epd"].map(|name| folder.path(name));
    hematite(&[
        "datagen",
        "--out",
        &games,
        "--soft-nodes",
        "60",
        "--games",
        GAMES,
        "--threads",
        "2",
        "--seed",
        "1",
    ]);
    let train = |out: &str, options: &[&str]| {
        let mut arguments = vec!["train", "--data", &games, "--out", out, "--hidden", "16", "--threads", "2"];
        arguments.extend(["--validation", "10%", "--batch", "256"]);
        arguments.extend(options);
        hematite(&arguments)["validation_loss"].as_f64().expect("games are kept back")
    };
    let before = train(&random, &["--steps", "1", "--lr", "1e-9", "--lr-end", "1e-9"]);
    let after = train(&trained, &["--epochs", "5", "--lr", "0.005"]);
    assert!(after < 0.6 * before, "{before} {after}");

    write_openings(Path::new(&openings));
    let engine = assert_cmd::cargo::cargo_bin("hematite");
    let command = format!("cmd={}", engine.display());
    let [trained, random] = [trained, random].map(|path| format!("option.EvalFile={path}"));
    let result = hematite(&[
        "match",
        "--engine",
        &command,
        "name=trained",
        &trained,
        "--engine",
        &command,
        "name=random",
        &random,
        "--each",
        "nodes=200",
        "option.Hash=1",
        "--openings",
        &format!("file={openings}"),
        "--rounds",
        MATCH_ROUNDS,
        "--repeat",
        "--concurrency",
        "2",
        "--seed",
        "1",
    ]);
    let score = result["score"].as_f64().expect("there is a score");
    assert!(score >= ENOUGH, "{result}");
}
