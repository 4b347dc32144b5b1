//! `hematite datagen`, run by the built binary with few games of few nodes.

mod combine;
mod rescore;

use crate::support::binary::run_unread;
use crate::support::place::Place;
use crate::support::signals::heed;
use assert_cmd::Command;
use hematite::nnue::embedded;
use hematite::train::data::{Chunk, ChunkReader, Game, chunk_files};
use hematite::train::datagen::{Entry, read_manifest};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The output of a command.
#[derive(Debug)]
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn datagen(words: &str) -> Said {
    let mut command = Command::cargo_bin("hematite").expect("the binary is built");
    let output = command.arg("datagen").args(words.split_whitespace()).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs a command that must succeed.
fn done(words: &str) -> Said {
    let said = datagen(words);
    assert_eq!(said.code, Some(0), "{words}: {said:?}");
    said
}

fn json(said: &Said) -> serde_json::Value {
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {said:?}"))
}

/// Starts a run without a limit.
fn start(words: &str) -> Child {
    heed();
    std::process::Command::new(env!("CARGO_BIN_EXE_hematite"))
        .arg("datagen")
        .args(words.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    const PATIENCE: Duration = Duration::from_secs(120);
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < PATIENCE, "waited too long until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn entries(folder: &str) -> Vec<Entry> {
    let mut entries = read_manifest(Path::new(folder)).expect("it can be read").expect("there is one");
    entries.sort_by_key(|entry| entry.origin.first);
    entries
}

/// The chunks of a folder by name.
fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let paths = chunk_files(&[folder.into()]).expect("chunks");
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read(path).expect("it can be read"))).collect()
}

fn games_of(path: &str) -> Vec<Game> {
    ChunkReader::open(Path::new(path)).expect("a chunk").collect::<Result<_, _>>().expect("it is whole")
}

/// The games of a run by their numbers.
fn games(folder: &str) -> BTreeMap<u64, Game> {
    let mut games = BTreeMap::new();
    for entry in entries(folder) {
        let read = games_of(&format!("{folder}/{}", entry.file));
        assert_eq!(read.len() as u64, entry.games);
        for (number, game) in entry.numbers().zip(read) {
            assert!(games.insert(number, game).is_none(), "game {number} is there twice");
        }
    }
    games
}

/// The folder of a run of six games.
fn six_games(place: &Place) -> String {
    let run = place.path("run");
    done(&format!("--out {run} --soft-nodes 60 --games 6 --chunk-games 3 --seed 5 --threads 1"));
    run
}

#[test]
fn games_do_not_depend_on_the_number_of_threads() {
    let place = Place::new();
    for threads in [1, 2] {
        let folder = place.path(&threads.to_string());
        let words = "--soft-nodes 60 --games 10 --chunk-games 4 --frc 50 --seed 7 --json";
        let said = json(&done(&format!("--out {folder} --threads {threads} {words}")));
        assert_eq!(
            (&said["games"], &said["chunks"], &said["ending"]),
            (&10.into(), &3.into(), &"games".into())
        );
        assert!(
            said["nodes_per_search"].as_f64().is_some_and(|nodes| (50.0..=120.0).contains(&nodes)),
            "{said}"
        );
    }
    assert_eq!(files(&place.path("1")), files(&place.path("2")));
    assert_eq!(entries(&place.path("1")), entries(&place.path("2")));
    let other = place.path("other");
    done(&format!("--out {other} --soft-nodes 60 --games 10 --frc 50 --seed 8"));
    let (games, others) = (games(&place.path("1")), games(&other));
    assert!(games.values().zip(others.values()).all(|(game, other)| game != other), "another seed");
}

#[test]
fn a_run_goes_on() {
    let place = Place::new();
    let (folder, whole) = (place.path("parts"), place.path("whole"));
    let words = "--soft-nodes 60 --chunk-games 4 --json";
    for (target, played) in [(3, 3), (9, 6), (9, 0), (5, 0)] {
        let said = json(&done(&format!("--out {folder} {words} --games {target}")));
        assert_eq!(said["games"], played, "{target}");
    }
    done(&format!("--out {whole} {words} --games 9"));
    assert_eq!(games(&folder), games(&whole));
    let said = json(&done(&format!("--out {folder} {words} --positions 100k --time 0s")));
    assert_eq!(said["ending"], "time");
    let wanted = said["total_positions"].as_u64().expect("a number") + 1;
    let said = json(&done(&format!("--out {folder} {words} --positions {wanted}")));
    assert_eq!(said["ending"], "positions");
    assert!(said["total_positions"].as_u64() >= Some(wanted));
    done(&format!("check {folder}"));
}

#[test]
fn a_run_that_is_killed_loses_and_doubles_nothing() {
    const GAMES: usize = 60;
    let place = Place::new();
    let (folder, whole) = (place.path("killed"), place.path("whole"));
    let words = format!("--soft-nodes 60 --games {GAMES} --chunk-games 5 --threads 2");
    for kill in 1..=3 {
        let mut run = start(&format!("--out {folder} {words}"));
        let chunks = || chunk_files(&[folder.clone().into()]).map_or(0, |files| files.len());
        wait_until("some chunks are closed", || chunks() >= 3 * kill);
        run.kill().expect("it can be killed");
        run.wait().expect("it has ended");
        // The manifest may lack what was closed last, and its last line may be torn.
        let manifest = format!("{folder}/manifest.jsonl");
        let text = fs::read_to_string(&manifest).expect("a manifest");
        fs::write(&manifest, &text[..text.len().saturating_sub(10)]).expect("it can be written");
    }
    done(&format!("--out {folder} {words}"));
    done(&format!("check {folder}"));
    done(&format!("--out {whole} {words}"));
    assert_eq!(games(&folder).len(), GAMES);
    assert_eq!(games(&folder), games(&whole));
    let left = fs::read_dir(&folder).expect("a folder").flatten();
    assert!(left.into_iter().all(|entry| !entry.file_name().to_string_lossy().ends_with(".tmp")));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_closes_its_chunks() {
    let place = Place::new();
    let folder = place.path("run");
    let mut run = start(&format!("--out {folder} --soft-nodes 60 --chunk-games 1M --threads 1 --games 1M"));
    let has_games = || {
        let files = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut chunks = files.filter(|file| file.file_name().to_string_lossy().ends_with(".tmp"));
        chunks.any(|file| file.metadata().is_ok_and(|file| file.len() > 0))
    };
    wait_until("some games are written", has_games);
    let second = datagen(&format!("--out {folder} --soft-nodes 60"));
    assert_eq!(second.code, Some(2), "{second:?}");
    assert!(second.err.contains("another process writes to this folder"), "{second:?}");
    let status = std::process::Command::new("kill").args(["-INT", &run.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()));
    assert_eq!(run.wait().expect("it ends").code(), Some(2));
    let played = games(&folder);
    assert!(!played.is_empty());
    assert_eq!(files(&folder).len(), 1);
    done(&format!("check {folder}"));
    let more = played.len() + 2;
    let said = json(&done(&format!("--out {folder} --soft-nodes 60 --games {more} --json")));
    assert_eq!(said["games"], 2);
}

#[test]
fn another_run_is_not_mixed_in() {
    let place = Place::new();
    let folder = place.path("run");
    done(&format!("--out {folder} --soft-nodes 60 --games 1"));
    let cases = [
        ("--soft-nodes 61", "hard_nodes is 120 there, 122 here, soft_nodes is 60 there, 61 here"),
        ("--soft-nodes 60 --seed 2", "seed is 1 there, 2 here"),
        ("--soft-nodes 60 --frc 5", "frc_percent is 0 there, 5 here"),
        ("--soft-nodes 60 --hard-nodes 70", "hard_nodes is 120 there, 70 here"),
        ("--soft-nodes 60 --win-score 800", "win_score is 1500 there, 800 here"),
        ("--soft-nodes 60 --opening-score 250", "opening_score is 400 there, 250 here"),
    ];
    for (words, expected) in cases {
        let said = datagen(&format!("--out {folder} {words} --games 2"));
        assert_eq!(said.code, Some(2), "{words}: {said:?}");
        let expected = format!("holds games of another run ({expected}); expected the same settings");
        assert!(said.err.contains(&expected), "{words}: {said:?}");
    }
}

#[test]
fn openings_and_wins_have_scores_that_can_be_set() {
    let place = Place::new();
    let (usual, short) = (place.path("usual"), place.path("short"));
    done(&format!("--out {usual} --soft-nodes 60 --games 12 --seed 3"));
    done(&format!("--out {short} --soft-nodes 60 --games 12 --seed 3 --win-score 300"));
    let plies = |folder: &str| games(folder).values().map(|game| game.samples().count()).sum::<usize>();
    assert!(plies(&short) < plies(&usual));
    let said = datagen(&format!("--out {usual}2 --soft-nodes 60 --games 1 --opening-score 0"));
    assert!(said.code == Some(2) && said.err.contains("expected a whole number from 1 to 29999"), "{said:?}");
}

#[test]
fn books_are_openings() {
    let place = Place::new();
    let book = place.path("book.epd");
    let line = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    fs::write(&book, format!("{line}\n")).expect("it can be written");
    let folder = place.path("run");
    done(&format!("--out {folder} --soft-nodes 60 --games 6 --random-plies 0 --book {book}"));
    for game in games(&folder).values() {
        let before = game.samples().next().expect("a move").ply;
        assert!((5..=6).contains(&before), "{before}");
    }
    fs::write(&book, "").expect("it can be written");
    let said = datagen(&format!("--out {folder} --soft-nodes 60 --games 6 --book {book}"));
    assert!(said.code == Some(2) && said.err.contains("book.epd: no openings"), "{said:?}");
    // Nobody can play from a lost position.
    fs::write(&book, "8/8/8/7k/8/8/QQ6/K7 w - - 0 1\n").expect("it can be written");
    let other = place.path("other");
    let said = datagen(&format!("--out {other} --soft-nodes 60 --games 6 --random-plies 0 --book {book}"));
    assert!(said.code == Some(2) && said.err.contains("1000 openings in a row were decided"), "{said:?}");
}

#[test]
fn games_are_played_with_a_network() {
    let place = Place::new();
    let mut names = Vec::new();
    for seed in 1..=2 {
        let net = crate::support::network::material(16, seed).quantize().expect("its sums fit");
        names.push(net.checksum().short());
        let file = fs::File::create(place.path(&format!("{seed}.nnue"))).expect("a file");
        net.write(file).expect("it can be written");
    }
    let (folder, other, own) = (place.path("run"), place.path("other"), place.path("own"));
    let (first, second) = (place.path("1.nnue"), place.path("2.nnue"));
    done(&format!("--out {folder} --soft-nodes 60 --games 3 --threads 2 --chunk-games 1 --net {first}"));
    done(&format!("--out {other} --soft-nodes 60 --games 3 --net {second}"));
    done(&format!("--out {own} --soft-nodes 60 --games 3"));
    assert_ne!(games(&folder), games(&other));
    assert_ne!(games(&folder), games(&own));
    let origins = [&folder, &other, &own].map(|folder| entries(folder)[0].origin.clone());
    let nets = origins.clone().map(|origin| origin.settings.net);
    assert_eq!(nets, [Some(names[0].clone()), Some(names[1].clone()), Some(embedded().checksum().short())]);
    assert_ne!(origins[0].engine.signature, origins[1].engine.signature);
    let said = datagen(&format!("--out {folder} --soft-nodes 60 --games 4 --net {second}"));
    let expected = format!("net is \"{}\" there, \"{}\" here", names[0], names[1]);
    assert!(said.code == Some(2) && said.err.contains(&expected), "{said:?}");
    let again = place.path("again");
    done(&format!("--out {again} --soft-nodes 60 --games 3 --threads 1 --net {first}"));
    assert_eq!(games(&again), games(&folder));
    let said = datagen(&format!("--out {again} --soft-nodes 60 --games 4 --net {}", place.path("none.nnue")));
    assert!(said.code == Some(2) && said.err.contains("none.nnue: "), "{said:?}");
}

#[test]
fn info_counts_what_is_there() {
    let place = Place::new();
    let folder = place.path("run");
    let said = json(&done(&format!("--out {folder} --soft-nodes 60 --games 12 --json")));
    let info = json(&done(&format!("info --json {folder}")));
    for name in ["games", "positions", "white_wins", "draws", "black_wins", "chunks"] {
        assert_eq!(info[name], said[name], "{name}");
    }
    let sum = |value: &serde_json::Value| -> u64 {
        value.as_object().expect("an object").values().filter_map(serde_json::Value::as_u64).sum()
    };
    assert_eq!((sum(&info["lengths"]), sum(&info["terminations"])), (12, 12));
    let games = games(&folder);
    let quiet = games
        .values()
        .flat_map(Game::samples)
        .filter(|sample| !sample.position.is_check() && !sample.position.is_noisy(sample.mv));
    assert_eq!(info["quiet"], quiet.count());
    let classes = info["scores"].as_array().expect("classes").iter();
    let counted: u64 = classes.filter_map(|class| class["positions"].as_u64()).sum();
    assert_eq!(Some(counted + info["mates"].as_u64().expect("a number")), info["positions"].as_u64());
    let text = done(&format!("info {folder}")).out;
    assert!(text.contains("Games      12\n"), "{text}");
}

#[test]
fn damage_is_found_and_told() {
    let place = Place::new();
    let folder = place.path("run");
    done(&format!("--out {folder} --soft-nodes 60 --games 4 --chunk-games 2"));
    let said = done(&format!("check {folder}")).out;
    assert!(said.contains("2 chunks, 4 games, ") && said.contains(": 0 problems"), "{said}");
    let [first, second] = ["seed1-0000000000-0000000001.games", "seed1-0000000002-0000000003.games"];
    let (first_path, second_path) = (format!("{folder}/{first}"), format!("{folder}/{second}"));
    let whole = fs::read(&first_path).expect("a chunk");
    let mut state = 1_u64;
    for _ in 0..40 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut bytes = whole.clone();
        let at = (state >> 33) as usize % bytes.len();
        if state & 1 << 32 == 0 {
            bytes[at] ^= 1 << (state >> 29 & 7)
        } else {
            bytes.truncate(at)
        }
        fs::write(&first_path, &bytes).expect("it can be written");
        let said = datagen(&format!("check {folder}"));
        assert!(said.code == Some(1) && said.out.contains(first), "{at}: {said:?}");
        for command in ["info", "check"] {
            let said = datagen(&format!("{command} {first_path}"));
            let code = if command == "check" { 1 } else { 2 };
            assert!(said.code == Some(code), "{command} {at}: {said:?}");
        }
    }
    let cases: [(&str, &dyn Fn(), &str); 4] = [
        ("whole", &|| fs::write(&first_path, &whole).expect("written"), ": 0 problems"),
        (
            "another chunk",
            &|| fs::copy(&second_path, &first_path).map(drop).expect("copied"),
            "not as the manifest says",
        ),
        ("gone", &|| fs::remove_file(&first_path).expect("removed"), "in the manifest, but not there"),
        (
            "unknown",
            &|| fs::rename(&second_path, format!("{folder}/x.games")).expect("renamed"),
            "x.games: not in the manifest",
        ),
    ];
    for (name, change, expected) in cases {
        change();
        let said = datagen(&format!("check {folder}"));
        assert!(said.out.contains(expected), "{name}: {said:?}");
        assert_eq!(said.code, Some(i32::from(name != "whole")), "{name}");
    }
}

#[test]
fn wrong_arguments_are_told() {
    let place = Place::new();
    let folder = place.path("run");
    fs::write(place.path("file"), "not a chunk").expect("it can be written");
    let cases = [
        (String::new(), "--output <DIR>"),
        (format!("--out {folder}"), "--soft-nodes <N>"),
        (format!("--out {folder} --soft-nodes 60 --games 0"), "expected at least 1"),
        (format!("--out {folder} --soft-nodes 60 --threads 0"), "expected a whole number from 1 to 1024"),
        (format!("--out {folder} --soft-nodes 49"), "--soft-nodes 49: expected 50 to 1000000000"),
        (
            format!("--out {folder} --soft-nodes 100 --hard-nodes 1001M"),
            "--hard-nodes 1001000000: expected 50 to",
        ),
        (
            format!("--out {folder} --soft-nodes 100 --hard-nodes 99"),
            "--hard-nodes 99: expected at least --soft-nodes 100",
        ),
        (format!("--out {folder} --soft-nodes 1x"), "expected a number such as 500, 20k or 3M"),
        (
            format!("--out {folder} --soft-nodes 100 --time 1d"),
            "expected a time such as 90s, 500ms, 15m, 2m30s or 8h",
        ),
        (format!("--out {folder} --soft-nodes 100 --frc 101"), "101"),
        (
            format!("--out {folder} --soft-nodes 100 --book {}", place.path("none.epd")),
            "none.epd: No such file",
        ),
        (format!("--out {} --soft-nodes 100", place.path("file")), "file"),
        (format!("info {}", place.folder().display()), "no chunks, expected files *.games"),
        (format!("info {}", place.path("file")), "file: not a chunk of games: starts with \"not a ch\""),
    ];
    for (words, expected) in cases {
        let said = datagen(&words);
        assert_eq!(said.code, Some(2), "{words}: {said:?}");
        assert!(said.err.contains(expected), "{words}: {said:?}");
    }
    assert!(!Path::new(&folder).exists());
}

#[test]
fn games_that_have_gone_are_played_again() {
    let place = Place::new();
    let run = format!("--out {} --soft-nodes 60 --games 12 --chunk-games 4 --threads 1", place.path("run"));
    done(&run);
    let chunks = || chunk_files(&[place.join("run")]).expect("chunks");
    let bytes = || chunks().iter().map(|path| fs::read(path).expect("a file")).collect::<Vec<_>>();
    let whole = bytes();
    assert_eq!(whole.len(), 3);
    let manifest = place.join("run/manifest.jsonl");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    // A chunk has gone, and the line of another is there twice.
    fs::remove_file(&chunks()[1]).expect("it can be removed");
    let line = text.lines().next().expect("a line");
    fs::write(&manifest, format!("{text}{line}\n")).expect("it can be written");
    let said = done(&run);
    assert!(said.err.contains("missing; those games are played again"), "{said:?}");
    assert!(said.out.contains("resumes after 8 games in 2 chunks"), "{said:?}");
    assert_eq!(bytes(), whole);
    done(&format!("check {}", place.path("run")));
    assert_eq!(
        read_manifest(&place.join("run")).expect("it can be read").map(|entries| entries.len()),
        Some(3)
    );
}

#[test]
fn games_are_played_also_if_nobody_reads() {
    let place = Place::new();
    let folder = place.path("run");
    // The second run resumes, and reports so before it plays.
    for games in [4, 8] {
        let run = format!("datagen --out {folder} --soft-nodes 60 --games {games} --threads 1");
        assert_eq!(run_unread(&run.split(' ').collect::<Vec<_>>(), b""), Some(0));
        assert_eq!(json(&done(&format!("info --json {folder}")))["games"], games);
    }
}

/// A report to a full device is an error only after the games have been played, where the system has such a device.
#[test]
fn games_are_played_also_if_the_report_cannot_be_written() {
    let place = Place::new();
    let folder = place.path("run");
    for games in [4, 8] {
        let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
            return crate::support::skip("no /dev/full");
        };
        let run = format!("datagen --out {folder} --soft-nodes 60 --games {games} --threads 1");
        let mut command = std::process::Command::new(crate::support::binary::BINARY);
        let output = command.args(run.split(' ')).stdout(full).output().expect("the binary runs");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.starts_with("error: cannot write the output: "), "{told}");
        assert_eq!(json(&done(&format!("info --json {folder}")))["games"], games);
    }
}

/// Writes a chunk of games with a note that does not state where they are from.
fn write_chunk(path: &Path, games: &[Game]) {
    let mut chunk = Chunk::create(path, "{}").expect("a file");
    games.iter().for_each(|game| chunk.append(game).expect("it can be written"));
    chunk.close().expect("it can be closed");
}
