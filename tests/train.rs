//! `hematite train`, run by the built binary, and interrupted runs.

mod files;

use crate::support::place::Place;
use assert_cmd::Command;
use hematite::chess::{Color, Position, Role};
use hematite::nnue::{FloatNetwork, Network};
use hematite::rng::Rng;
use hematite::search::Score;
use hematite::train::data::{Chunk, Game, GameResult, Ply, Termination};
use hematite::train::trainer::{
    AdamW, Checkpoint, Curve, DecayTarget, Ema, Ending, Event, Length, Loss, Outcomes, Plan, Schedule,
    Selection, Settings, Source, Target, Training, WdlWeight, load, run,
};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::AtomicBool;

fn hematite() -> Command {
    Command::cargo_bin("hematite").expect("the binary is built")
}

/// The folder of a test, with games in it.
struct Folder(Place);

impl Folder {
    fn new() -> Self {
        let place = Place::new();
        fs::create_dir(place.join("games")).expect("a folder can be made");
        for (number, games) in [40, 1, 20].into_iter().enumerate() {
            let chunk = place.join(&format!("games/{number}.games"));
            write_games(&chunk, &mut Rng::new(number as u64), games);
        }
        Self(place)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A command that trains a small network.
    fn train(&self, out: &str) -> Command {
        let mut command = self.train_any(out);
        command.args(["--hidden", "16"]);
        command
    }

    /// A command that trains a network of a size that the caller must add.
    fn train_any(&self, out: &str) -> Command {
        let mut command = hematite();
        command.args(["train", "--batch", "64", "--validation", "20%"]);
        command.args(["--threads", "2", "--data"]).arg(self.path("games"));
        command.arg("--out").arg(self.path(out));
        command
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// Writes random games, which the side with more material wins.
fn write_games(path: &Path, rng: &mut Rng, games: usize) {
    let mut chunk = Chunk::create(path, "{}").expect("the folder can be written to");
    for _ in 0..games {
        let mut position = Position::start();
        let mut plies = Vec::new();
        for _ in 0..80 {
            let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
            plies.push(Ply { mv, score: Score::from_units(material(&position)) });
            position = position.after(mv).0;
        }
        let white = material(&position) * if position.turn() == Color::White { 1 } else { -1 };
        let result = match white {
            ..0 => GameResult::BlackWins,
            0 => GameResult::Draw,
            1.. => GameResult::WhiteWins,
        };
        let game = Game::new(Position::start(), plies, result, Termination::ALL[0]).expect("it is legal");
        chunk.append(&game).expect("the folder can be written to");
    }
    chunk.close().expect("the folder can be written to");
}

fn material(position: &Position) -> i32 {
    const VALUES: [i32; Role::COUNT] = [100, 300, 300, 500, 900, 0];
    let side = |color: Color| {
        Role::ALL.iter().map(|&role| VALUES[role] * position.pieces(color, role).count() as i32).sum::<i32>()
    };
    side(position.turn()) - side(!position.turn())
}

#[test]
fn the_same_command_gives_the_same_bytes() {
    let folder = Folder::new();
    folder.train("a.nnue").args(["--epochs", "3"]).assert().success();
    folder.train("b.nnue").args(["--epochs", "3"]).assert().success();
    folder.train("c.nnue").args(["--epochs", "3", "--seed", "2"]).assert().success();
    assert!(folder.read("a.nnue") == folder.read("b.nnue"));
    assert!(folder.read("a.float") == folder.read("b.float"));
    assert!(folder.read("a.nnue") != folder.read("c.nnue"));
    let float = FloatNetwork::read(&folder.read("a.float")[..]).expect("a network");
    let quantized = Network::read(&folder.read("a.nnue")[..]).expect("a network");
    assert_eq!(float.quantize().as_ref(), Ok(&quantized));
}

#[test]
fn a_summary_is_written() {
    let folder = Folder::new();
    let text = folder.train("a.nnue").args(["--steps", "30", "--report-every", "10"]).assert().success();
    let text = String::from_utf8_lossy(&text.get_output().stdout).into_owned();
    let expected = [
        " positions of 61 games",
        "left out: 976 early, ",
        "to learn from,",
        "step 10/30 epoch ",
        "step 30/30 epoch ",
        "trained:    1920 positions in ",
        "quantized:  ",
        "a.float",
    ];
    for part in expected {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("50-move clock") && !text.contains("refuted"), "{text}");
    let limits = ["--steps", "1", "--max-clock", "3", "--max-change", "0"];
    let fewer = folder.train("b.nnue").args(limits).assert().success();
    let fewer = String::from_utf8_lossy(&fewer.get_output().stdout).into_owned();
    // A quiet move does not change the material, which is the score: nothing is refuted.
    assert!(fewer.contains(" with a high 50-move clock\n"), "{fewer}");
    let json = folder.train("a.nnue").args(["--steps", "30", "--json"]).assert().success();
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).expect("JSON");
    assert_eq!(json["games"], 61);
    assert_eq!(json["steps"], 30);
    assert_eq!(json["trained"], 1920);
    let loss = |key: &str| json[key].as_f64().expect("a number");
    assert!(loss("loss") > 0.0 && loss("validation_loss") > 0.0);
    assert!(loss("mean_quantization_error") < 10.0 && loss("max_quantization_error") < 100.0, "{json}");
    // Some of all positions are left out, the rest is in one of the two sets.
    let count = |key: &str| json[key].as_u64().expect("a number");
    let (training, validation) = (count("training_positions"), count("validation_positions"));
    assert!(training > 1000 && validation > 100, "{json}");
    assert!(training + validation < count("positions") - 976, "{json}");
}

#[test]
fn the_average_is_written_and_reported() {
    let folder = Folder::new();
    let train = |out: &str, options: &[&str]| {
        let output = folder.train(out).args(["--steps", "40", "--json"]).args(options).assert().success();
        serde_json::from_slice::<serde_json::Value>(&output.get_output().stdout).expect("JSON")
    };
    let plain = train("plain.nnue", &[]);
    assert!(plain.get("ema_validation_loss").is_none(), "{plain}");
    let averaged = train("ema.nnue", &["--ema", "0.9"]);
    assert!(averaged["ema_validation_loss"].as_f64().is_some_and(|loss| loss > 0.0), "{averaged}");
    assert_eq!(averaged["validation_loss"], plain["validation_loss"]);
    assert!(folder.read("ema.float") != folder.read("plain.float"));
    // With nothing averaged but the last weights these are the network.
    train("last.nnue", &["--ema", "0.9", "--ema-start", "100%"]);
    assert!(folder.read("last.float") == folder.read("plain.float"));
    let output = folder.train("text.nnue").args(["--steps", "40", "--ema", "0.9"]).assert().success();
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let step = text.lines().find(|line| line.starts_with("step 40/40")).expect("there is a report");
    assert!(step.contains(", validation 0.") && step.contains(", of the average 0."), "{text}");
}

#[test]
fn sources_have_weights() {
    let folder = Folder::new();
    let more = folder.path("more.games");
    write_games(&more, &mut Rng::new(9), 20);
    let train = |out: &str, weights: &[&str]| {
        let mut command = folder.train(out);
        command.arg("--data").arg(&more).args(["--steps", "10"]);
        for weight in weights {
            command.arg("--source-weight").arg(format!("{}={weight}", more.display()));
        }
        command.assert()
    };
    for (out, weights) in [("plain", &[][..]), ("one", &["1"]), ("half", &["0.5"])] {
        train(&format!("{out}.nnue"), weights).success();
    }
    assert!(folder.read("plain.float") == folder.read("one.float"));
    assert!(folder.read("plain.float") != folder.read("half.float"));
    let twice = train("twice.nnue", &["1", "2"]).code(2);
    let text = String::from_utf8_lossy(&twice.get_output().stderr).into_owned();
    assert!(text.contains("expected one factor for each path"), "{text}");
    // A run that is resumed has the same weights.
    let resume = folder.path("half.nnue.checkpoint");
    let plan = Checkpoint::read(&resume).expect("a checkpoint").plan().clone();
    assert_eq!(plan.data_weights, [1.0, 0.5]);
    hematite().arg("train").arg("--resume").arg(&resume).assert().success();
}

#[test]
fn a_curve_is_fitted_to_the_results() {
    let folder = Folder::new();
    write_games(&folder.path("games/more.games"), &mut Rng::new(9), 300);
    let train = |out: &str, options: &[&str]| {
        let output = folder.train(out).args(["--steps", "20", "--json"]).args(options).assert().success();
        serde_json::from_slice::<serde_json::Value>(&output.get_output().stdout).expect("JSON")
    };
    let json = train("fitted.nnue", &["--fit-curve"]);
    let curve = |key: &str| json["fitted_curve"][key].as_f64().expect("a number");
    let (offset, scale) = (curve("offset"), curve("scale"));
    // Of such games a score of one or two pawns wins many, and few are drawn.
    assert!((1.0..500.0).contains(&offset) && (50.0..1000.0).contains(&scale), "{json}");
    // It is as if these numbers had been given, which are those of the checkpoint.
    let [offset, scale] = [offset, scale].map(|number| number.to_string());
    let given = [
        "--eval-offset",
        &offset,
        "--eval-scale",
        &scale,
        "--output-offset",
        &offset,
        "--output-scale",
        &scale,
    ];
    train("given.nnue", &given);
    assert!(folder.read("fitted.float") == folder.read("given.float"));
    let plain = train("plain.nnue", &[]);
    assert!(plain.get("fitted_curve").is_none(), "{plain}");
    assert!(folder.read("fitted.float") != folder.read("plain.float"));
    let resumed =
        hematite().args(["train", "--json", "--resume"]).arg(folder.path("fitted.nnue.checkpoint")).assert();
    let resumed: serde_json::Value =
        serde_json::from_slice(&resumed.success().get_output().stdout).expect("JSON");
    assert_eq!(resumed["fitted_curve"], json["fitted_curve"]);
    let text = folder.train("text.nnue").args(["--steps", "2", "--fit-curve"]).assert().success();
    let text = String::from_utf8_lossy(&text.get_output().stdout).into_owned();
    assert!(text.starts_with("curve: offset "), "{text}");
}

#[test]
fn a_trained_network_knows_more_than_a_random_one() {
    let folder = Folder::new();
    write_games(&folder.path("games/more.games"), &mut Rng::new(9), 600);
    let loss = |steps: &str| {
        let json =
            folder.train("a.nnue").args(["--json", "--steps", steps, "--lr", "0.01"]).assert().success();
        let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).expect("JSON");
        json["validation_loss"].as_f64().expect("a number")
    };
    let [random, trained] = ["1", "400"].map(loss);
    assert!(trained < 0.6 * random, "{random} {trained}");
}

#[test]
fn networks_are_compared_on_games() {
    let folder = Folder::new();
    write_games(&folder.path("games/more.games"), &mut Rng::new(9), 600);
    folder.train("random.nnue").args(["--steps", "1"]).assert().success();
    folder.train("trained.nnue").args(["--steps", "400", "--lr", "0.01"]).assert().success();
    let others = folder.path("others.games");
    write_games(&others, &mut Rng::new(77), 30);
    let names = ["random.nnue", "trained.float", "trained.nnue"];
    let command = || {
        let mut command = hematite();
        command.args(["net", "loss"]).args(names.map(|name| folder.path(name)));
        command
    };
    let json = command().args(["--json", "--data"]).arg(&others).assert().success();
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).expect("JSON");
    assert_eq!(json["games"], 30);
    assert!(json["positions"].as_u64().is_some_and(|positions| positions > 500), "{json}");
    let [random, float, quantized] =
        [0, 1, 2].map(|index| json["networks"][index]["loss"].as_f64().expect("a number"));
    assert!(float < 0.7 * random, "{json}");
    assert!((float - quantized).abs() < 0.01 * float, "{json}");
    let strict =
        command().args(["--json", "--loss-exponent", "2.5", "--data"]).arg(&others).assert().success();
    let strict: serde_json::Value = serde_json::from_slice(&strict.get_output().stdout).expect("JSON");
    assert!(strict["networks"][1]["loss"].as_f64().is_some_and(|loss| loss < float), "{strict}");
    let few = command().args(["--max-positions", "100", "--data"]).arg(&others).assert().success();
    let text = String::from_utf8_lossy(&few.get_output().stdout).into_owned();
    assert!(text.starts_with("100 quiet positions of ") && text.lines().count() == 1 + names.len(), "{text}");
    let late = command().args(["--min-ply", "1000", "--data"]).arg(&others).assert().code(2);
    let text = String::from_utf8_lossy(&late.get_output().stderr).into_owned();
    assert!(text.contains("no position to judge by in 30 games"), "{text}");
}

#[test]
fn training_goes_on_from_a_network() {
    let folder = Folder::new();
    folder.train("a.nnue").args(["--steps", "200"]).assert().success();
    let start = folder.path("a.float");
    let json = folder
        .train("b.nnue")
        .args(["--json", "--steps", "1", "--lr", "0.001", "--weight-decay", "0.1", "--init-net"])
        .arg(&start)
        .assert()
        .success();
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).expect("JSON");
    let [a, b] =
        ["a.float", "b.float"].map(|name| FloatNetwork::read(&folder.read(name)[..]).expect("a network"));
    let weights = |network: &FloatNetwork| network.parameters.feature_weights().to_vec();
    // A step at the highest rate moves what a weight shares and its own part by no more than that, and by their decay.
    const RATE: f32 = 0.001;
    const DECAY: f32 = 0.1;
    let is_near = |(a, b): (&f32, f32)| (a - b).abs() < 2.02 * RATE * (1.0 + DECAY * a.abs());
    assert!(weights(&a).iter().zip(weights(&b)).all(is_near), "{json}");
    // Strong decay keeps the weights near those of the network.
    let near = ["--steps", "50", "--lr", "0.01", "--weight-decay", "30", "--decay-toward", "start"];
    folder.train("near.nnue").args(near).arg("--init-net").arg(&start).assert().success();
    folder.train("far.nnue").args(&near[..6]).arg("--init-net").arg(&start).assert().success();
    let [near, far] = ["near.float", "far.float"].map(|name| {
        let network = FloatNetwork::read(&folder.read(name)[..]).expect("a network");
        weights(&a).iter().zip(weights(&network)).map(|(a, b)| (a - b).abs()).sum::<f32>()
    });
    assert!(near < 0.5 * far, "{near} {far}");
    let quantized = folder.path("a.nnue");
    let wide = ["--hidden", "32", "--steps", "1", "--init-net"];
    folder.train_any("wide.nnue").args(wide).arg(&quantized).assert().success();
    let narrower = folder.train("c.nnue").arg("--init-net").arg(folder.path("wide.float")).assert().code(2);
    let text = String::from_utf8_lossy(&narrower.get_output().stderr).into_owned();
    let problem = "wide.float: the initial network has 32 hidden neurons, expected 16 or fewer";
    assert!(text.contains(problem), "{text}");
}

#[test]
fn what_cannot_be_used_is_told() {
    let folder = Folder::new();
    let damaged = folder.path("damaged.games");
    fs::write(&damaged, &folder.read("games/0.games")[..1000]).expect("a file can be written");
    let empty = folder.path("empty.games");
    write_games(&empty, &mut Rng::new(1), 0);
    let [damaged, empty] = [damaged, empty].map(|path| path.display().to_string());
    let out = folder.path("x.nnue").display().to_string();
    let nowhere = folder.path("nowhere/x.nnue").display().to_string();
    let [packed, zip] = ["c.gz", "x.zip"].map(|name| folder.path(name).display().to_string());
    let games = folder.path("games").display().to_string();
    let cases: &[(&str, &[&str], &str)] = &[
        ("a damaged chunk", &["--data", &damaged, "--out", &out], "damaged.games: ends at byte"),
        ("no games", &["--data", &empty, "--out", &out], "no position to learn from in 0 games"),
        ("no file", &["--data", "/nowhere.games", "--out", &out], "/nowhere.games: "),
        ("no folder", &["--data", &games, "--out", &nowhere], "the folder does not exist"),
        ("no data", &["--out", &out], "--data"),
        ("an odd width", &["--data", &games, "--out", &out, "--hidden", "20"], "--hidden: 20 hidden neurons"),
        ("no share", &["--data", &games, "--out", &out, "--wdl", "1.5"], "expected a share from 0 to 1"),
        (
            "an average of more than all",
            &["--data", &games, "--out", &out, "--ema", "1.1"],
            "expected a share",
        ),
        ("a start of no average", &["--data", &games, "--out", &out, "--ema-start", "0.2"], "--ema <FACTOR>"),
        ("a loss without a slope", &["--data", &games, "--out", &out, "--loss-exponent", "0.5"], "1 or more"),
        (
            "a curve that is given and fitted",
            &["--data", &games, "--out", &out, "--fit-curve", "--eval-scale", "300"],
            "cannot be used with",
        ),
        (
            "a weight of other games",
            &["--data", &games, "--out", &out, "--source-weight", "other=0.5"],
            "--source-weight other: expected one of the paths ",
        ),
        (
            "no weight",
            &["--data", &games, "--out", &out, "--source-weight", "other=0"],
            "expected a number above 0",
        ),
        ("no rate", &["--data", &games, "--out", &out, "--lr", "0"], "expected a number above 0"),
        ("too high a rate", &["--data", &games, "--out", &out, "--lr", "1e40"], "from 1e-12 to 1e12"),
        (
            "too small a scale of the output",
            &["--data", &games, "--out", &out, "--output-scale", "1e-46"],
            "from 1e-12 to 1e12",
        ),
        (
            "too small a scale of the games",
            &["--data", &games, "--out", &out, "--eval-scale", "1e-46"],
            "from 1e-12 to 1e12",
        ),
        (
            "too large an offset",
            &["--data", &games, "--out", &out, "--eval-offset", "1e39"],
            "expected 0 or a number from 1e-12 to 1e12",
        ),
        (
            "too small a weight",
            &["--data", &games, "--out", &out, "--source-weight", "games=1e-45"],
            "from 1e-12 to 1e12",
        ),
        (
            "too large a weight",
            &["--data", &games, "--out", &out, "--source-weight", "games=1e38"],
            "from 1e-12 to 1e12",
        ),
        // These are told before the games are read.
        (
            "a compressed checkpoint",
            &["--data", &damaged, "--out", &out, "--checkpoint", &packed],
            "c.gz: this file is not compressed, expected a name that does not end in .gz",
        ),
        ("a network in a zip archive", &["--data", &damaged, "--out", &zip], ".zip is not written"),
        (
            "a rate that rises in the end",
            &["--data", &games, "--out", &out, "--lr", "1e-6"],
            "--final-lr 0.00001: expected at most --lr 0.000001",
        ),
        (
            "a checkpoint in the place of the network",
            &["--data", &games, "--out", &out, "--checkpoint", &out],
            "expected another name than that of a network",
        ),
        (
            "nothing but games to validate with",
            &["--data", &games, "--out", &out, "--validation", "100%"],
            "are kept back, expected a smaller --validation",
        ),
        (
            "decay toward the start of no network",
            &["--data", &games, "--out", &out, "--decay-toward", "start"],
            "--decay-toward start: expected --init-net",
        ),
        ("no epochs", &["--data", &games, "--out", &out, "--epochs", "0"], "expected at least 1"),
        ("no checkpoint", &["--resume", &damaged], "damaged.games: not a checkpoint"),
        ("options of a saved run", &["--resume", &damaged, "--hidden", "32"], "cannot be used with"),
        ("targets of a saved run", &["--resume", &damaged, "--wdl", "0.5"], "cannot be used with"),
    ];
    for (name, arguments, expected) in cases {
        let output = hematite().arg("train").args(*arguments).assert().code(2);
        let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(text.contains(expected), "{name}: {text}");
        assert!(!Path::new(&out).exists(), "{name}");
    }
}

/// Stops the run after this many steps.
fn stop_after(steps: u64) -> impl FnMut(Event<'_>) -> ControlFlow<()> {
    move |event| match event {
        Event::Step(status) if status.step == steps => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

#[test]
fn an_interrupted_run_ends_with_the_same_bytes() {
    let folder = Folder::new();
    let settings = Settings {
        width: 16,
        batch: 64,
        optimizer: AdamW { decay_toward: DecayTarget::Start, ..AdamW::with_decay(0.01) },
        schedule: Schedule { peak: 0.01, end: 0.0001, warmup: 0, steps: 0 },
        seed: 3,
        threads: 2,
        ema: Some(Ema { factor: 0.9, start: 0.4 }),
        wdl: WdlWeight::default(),
        loss: Loss { exponent: 2.5, output: Curve { offset: 50.0, scale: 250.0 } },
    };
    let plan = Plan {
        data: vec![folder.path("games")],
        data_weights: vec![0.5],
        out: folder.path("a.nnue"),
        checkpoint: folder.path("a.checkpoint"),
        init_net: None,
        selection: Selection {
            min_ply: 10,
            max_score: 3000,
            max_clock: Some(40),
            max_change: Some(3000),
            validation: 0.1,
            max_positions: Some(1500),
            seed: 3,
        },
        target: Target {
            wdl: WdlWeight::Linear { start: 0.2, end: 0.5 },
            curve: Curve { offset: 40.0, scale: 400.0 },
            td_lambda: 0.5,
        },
        fit_curve: false,
        length: Length::Epochs(3),
        report: Some(7),
        warmup: None,
        settings,
    };
    let file = |number| Source { path: folder.path(&format!("games/{number}.games")), weight: 0.5 };
    let files: Vec<Source> = (0..3).map(file).collect();
    let go_on = AtomicBool::new(false);
    let data = load(&files, &plan.selection, &plan.target, 2, &go_on, |_| {}).expect("the games can be read");
    assert_eq!(data.training.len(), 1500);
    assert_eq!(
        load(&files, &plan.selection, &plan.target, 1, &go_on, |_| {}).expect("the games can be read"),
        data
    );
    let settings = plan.settings(data.training.len());
    let mut whole = Training::new(settings, None).expect("good settings");
    assert_eq!(run(&plan, &data, &mut whole, &mut stop_after(0)).expect("it can be saved"), Ending::Complete);
    let complete = fs::read(&plan.checkpoint).expect("it was saved");

    let mut parts = Training::new(settings, None).expect("good settings");
    for steps in [1, 20, 21, 50] {
        let ending = run(&plan, &data, &mut parts, &mut stop_after(steps));
        assert_eq!(ending.expect("it can be saved"), Ending::Interrupted);
        let checkpoint = Checkpoint::read(&plan.checkpoint).expect("a checkpoint");
        assert_eq!(checkpoint.steps_done(), steps);
        assert_eq!(checkpoint.plan(), &plan);
        parts = checkpoint.training(data.fingerprint()).expect("the same data");
    }
    assert_eq!(run(&plan, &data, &mut parts, &mut stop_after(0)).expect("it can be saved"), Ending::Complete);
    assert_eq!(parts.network(), whole.network());
    assert!(fs::read(&plan.checkpoint).expect("it was saved") == complete);
}

/// A command that is interrupted by Ctrl-C is resumed with `--resume`.
#[cfg(unix)]
#[test]
fn an_interrupted_command_goes_on() {
    use std::io::{BufRead, BufReader};

    const STEPS: &str = "30000";
    let folder = Folder::new();
    let path = assert_cmd::cargo::cargo_bin("hematite");
    crate::support::signals::heed();
    let mut child = std::process::Command::new(path)
        .args(["train", "--hidden", "16", "--batch", "64", "--threads", "1", "--steps", STEPS])
        .args(["--report", "20", "--data"])
        .arg(folder.path("games"))
        .arg("--out")
        .arg(folder.path("a.nnue"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be started");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let first = lines.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("step")));
    assert!(first.is_some(), "no report");
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("there is a kill").success());
    // It must not wait for somebody to read.
    lines.for_each(drop);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("interrupted; --resume"), "{text}");
    assert!(!folder.path("a.nnue").exists());
    let checkpoint = folder.path("a.nnue.checkpoint");
    let done = Checkpoint::read(&checkpoint).expect("a checkpoint").steps_done();
    assert!((20..30_000).contains(&done), "{done}");
    // Other games are refused.
    let other = folder.path("games/0.games");
    let refused = hematite().arg("train").arg("--resume").arg(&checkpoint).arg("--data").arg(other).assert();
    let text = String::from_utf8_lossy(&refused.code(2).get_output().stderr).into_owned();
    assert!(text.contains("the games give other positions than before"), "{text}");
}

#[test]
fn games_are_learned_from_once() {
    let folder = Folder::new();
    let output = folder.train("new.nnue").arg("--data").arg(folder.path("games/0.games")).output();
    let output = output.expect("it runs");
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("0.games: the same games as "), "{error}");
}

#[test]
fn a_curve_is_fitted_to_the_positions_that_are_learned_from() {
    let folder = Folder::new();
    let files = [0, 1, 2].map(|number| folder.path(&format!("games/{number}.games")));
    let sources: Vec<Source> = files.iter().cloned().map(Source::from).collect();
    let go_on = AtomicBool::new(false);
    let target = Target { wdl: WdlWeight::default(), curve: Curve::default(), td_lambda: 0.0 };
    let mut counts = Vec::new();
    for max_positions in [Some(1), Some(100), Some(1100), Some(1500), None] {
        let selection = Selection {
            min_ply: 10,
            max_score: 3000,
            max_clock: None,
            max_change: None,
            validation: 0.1,
            max_positions,
            seed: 3,
        };
        let data = load(&sources, &selection, &target, 2, &go_on, |_| {}).expect("the games can be read");
        let read = |threads| Outcomes::read(&files, &selection, threads, &go_on).expect("they can be read");
        let outcomes = read(1);
        assert_eq!(outcomes.positions(), data.training.len() as u64, "{max_positions:?}");
        assert!([2, 5].iter().all(|&threads| read(threads) == outcomes), "{max_positions:?}");
        counts.push(outcomes.positions());
    }
    assert!(counts.is_sorted() && counts[..4] == [1, 100, 1100, 1500] && counts[4] > 1500, "{counts:?}");
}

#[test]
fn a_run_ends_at_the_first_number_that_is_not_finite() {
    let folder = Folder::new();
    let selection = Selection {
        min_ply: 10,
        max_score: 3000,
        max_clock: None,
        max_change: None,
        validation: 0.0,
        max_positions: Some(500),
        seed: 3,
    };
    let target = Target { wdl: WdlWeight::default(), curve: Curve::default(), td_lambda: 0.0 };
    let settings = |rate, scale| Settings {
        width: 16,
        batch: 64,
        optimizer: AdamW::with_decay(0.01),
        schedule: Schedule { peak: rate, end: rate, warmup: 0, steps: 0 },
        seed: 3,
        threads: 1,
        ema: None,
        wdl: WdlWeight::default(),
        loss: Loss { exponent: 2.0, output: Curve { offset: 0.0, scale } },
    };
    let cases = [
        ("weights at a report, which would save them", 1, settings(1e300, 300.0), 1),
        ("weights at the end", 1000, settings(1e300, 300.0), 20),
        ("the loss", 1000, settings(0.01, 0.0), 2),
    ];
    for (name, report, settings, expected) in cases {
        let plan = Plan {
            data: vec![folder.path("games")],
            data_weights: Vec::new(),
            out: folder.path("a.nnue"),
            checkpoint: folder.path("a.checkpoint"),
            init_net: None,
            selection,
            target,
            fit_curve: false,
            length: Length::Steps(20),
            report: Some(report),
            warmup: None,
            settings,
        };
        let source = Source::from(folder.path("games/0.games"));
        let data = load(&[source], &selection, &target, 1, &AtomicBool::new(false), |_| {}).expect("games");
        let mut training = Training::new(plan.settings(data.training.len()), None).expect("good settings");
        let ending = run(&plan, &data, &mut training, &mut stop_after(0)).expect("nothing is saved");
        assert_eq!(ending, Ending::Diverged { step: expected }, "{name}");
        assert!(!plan.checkpoint.exists(), "{name}");
    }
}
