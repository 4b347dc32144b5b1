//! python-chess, where it is installed, reads the same games.

use super::{NOISE, files, games_of, mainline};
use crate::support;
use hematite::chess::{Move, Position};
use hematite::notation::pgn::{Export, Game, games};
use hematite::notation::{CastlingStyle, Fen, UciMove};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn python_chess_reads_the_same_games() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    let paths: Vec<PathBuf> = files(&folder).into_iter().filter(|path| is_wanted(path)).collect();
    let Some(text) = ask_referee(&paths) else { return };
    let mut theirs: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        theirs.entry(fields[0]).or_default().push(fields);
    }
    let mut compared = 0;
    for path in &paths {
        let mut ours = games_of(path);
        let is_well_formed = ours.iter().all(|(_, errors)| errors.is_empty());
        ours.retain(|(game, _)| !game.is_empty());
        let name = path.display().to_string();
        let theirs = theirs.get(&*name).map_or(&[][..], |games| games);
        if ours.len() != theirs.len() {
            // The two divide in different ways what is not well formed.
            assert!(!is_well_formed, "{name}: {} games, not {}", ours.len(), theirs.len());
            continue;
        }
        for ((game, errors), fields) in ours.iter().zip(theirs) {
            if !errors.is_empty() {
                continue;
            }
            assert_eq!(fields[2], "0", "{name}, game {}: errors", fields[1]);
            assert_eq!(uci_moves(game), fields[3], "{name}, game {}", fields[1]);
            let last: Position = game.position(game.last());
            assert_eq!(
                comparable(&Fen::new(&last).to_string()),
                comparable(fields[4]),
                "{name}, game {}",
                fields[1]
            );
            compared += 1;
        }
    }
    println!("{compared} games compared");
    assert!(compared > 2500, "only {compared} games were compared");
}

/// The output of python-chess for these files; `None`, with a note, where it is not installed.
fn ask_referee(paths: &[PathBuf]) -> Option<String> {
    let is_there = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        support::skip("no python3 with chess");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/referee.py");
    let output = Command::new("python3").arg(script).args(paths).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("the referee writes UTF-8"))
}

/// The main line in UCI notation, castling written as king takes rook.
fn uci_moves(game: &Game) -> String {
    let uci = |mv: Option<Move>| match mv {
        Some(mv) => UciMove::new(mv, CastlingStyle::Chess960).to_string(),
        None => UciMove::Null.to_string(),
    };
    mainline(game).into_iter().map(uci).collect::<Vec<_>>().join(" ")
}

/// Inserts noise between the words of the movetext, with or without spaces around it.
fn with_noise(movetext: &str, choices: &[(u8, u8)]) -> String {
    let mut choices = choices.iter().cycle();
    let mut depth = 0;
    let mut text = String::new();
    for word in movetext.split_whitespace() {
        depth += word.matches('{').count();
        let is_free = depth == 0 && !word.starts_with(['(', '$']) && !text.ends_with(['(', '{']);
        depth -= word.matches('}').count();
        let &(noise, kind) = choices.next().expect("there are choices");
        if is_free && kind % 3 == 0 {
            let noise = NOISE[usize::from(noise) % NOISE.len()];
            // Letters and commands need space around them; signs may be glued to a move before them.
            let is_glued =
                kind % 2 == 0 && noise.chars().all(|sign| !sign.is_ascii() && !sign.is_alphabetic());
            text.truncate(text.trim_end().len());
            text.push_str(if is_glued { "" } else { " " });
            text.push_str(noise);
            text.push(' ');
        }
        text.push_str(word);
        text.push(' ');
    }
    text
}

/// The number of files that are generated together, since python-chess starts slowly.
const NOISY_FILES: usize = 8;

proptest! {
    #![proptest_config(ProptestConfig { cases: support::fuzz_cases(6), failure_persistence: None, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn every_move_that_python_chess_reads_among_noise_is_read(
        choices in prop::collection::vec((any::<u8>(), any::<u8>()), 60..200),
        first in any::<prop::sample::Index>(),
    ) {
        let Some(path) = support::data_path("pgn/lichess-sample.pgn") else { return Ok(()) };
        let games: Vec<Game> = games_of(&path).into_iter().map(|(game, _)| game).filter(|game| !game.is_empty()).collect();
        let folder = std::env::temp_dir().join(format!("hematite-noise-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let paths: Vec<PathBuf> = (0..NOISY_FILES).map(|index| {
            let game = &games[(first.index(games.len()) + index * 97) % games.len()];
            let mut movetext = String::new();
            Export::new().write_movetext(game, &mut movetext);
            let shift = index * 7 % choices.len();
            let text = with_noise(&movetext, &[&choices[shift..], &choices[..shift]].concat());
            let path = folder.join(format!("{index}.pgn"));
            std::fs::write(&path, format!("[Event \"noise\"]\n\n{text}\n")).expect("a file can be written");
            path
        }).collect();
        let answer = ask_referee(&paths);
        let ours: Vec<_> = paths.iter().map(|path| {
            (std::fs::read_to_string(path).expect("a file can be read"), games_of(path))
        }).collect();
        std::fs::remove_dir_all(&folder).expect("a folder can be removed");
        let Some(answer) = answer else { return Ok(()) };
        for line in answer.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let index = paths.iter().position(|path| path.display().to_string() == fields[0]).expect("our file");
            let (text, games) = &ours[index];
            prop_assert_eq!(games.len(), 1, "{}", text);
            let moves = uci_moves(&games[0].0);
            prop_assert!(moves.starts_with(fields[3]), "{}\nours:   {}\ntheirs: {}\n{:?}", text, moves, fields[3], games[0].1);
        }
    }
}

/// The bytes that a decompressor returns of a file before it fails.
fn readable(mut packed: impl Read) -> Vec<u8> {
    let mut text = Vec::new();
    // The error is that of the cut.
    let _ = packed.read_to_end(&mut text);
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: support::fuzz_cases(4), failure_persistence: None, max_shrink_iters: 8, ..ProptestConfig::default() })]

    #[test]
    fn every_move_that_python_chess_reads_of_a_cut_file_is_exported(
        cuts in prop::collection::vec(any::<prop::sample::Index>(), NOISY_FILES),
        first in any::<prop::sample::Index>(),
    ) {
        const GAMES: usize = 40;
        const MARK: usize = 16;
        let Some(sample) = support::data("pgn/lichess-sample.pgn") else { return Ok(()) };
        let starts: Vec<usize> = sample.match_indices("[Event ").map(|(at, _)| at).collect();
        let first = first.index(starts.len() - GAMES);
        let text = &sample.as_bytes()[starts[first]..starts[first + GAMES]];
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).expect("memory takes it");
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(text).expect("memory takes it");
        let packed = [
            ("gz", gzip.finish().expect("memory takes it")),
            ("bz2", bzip2.finish().expect("memory takes it")),
            ("zst", zstd::encode_all(text, 1).expect("memory takes it")),
        ];
        let folder = std::env::temp_dir().join(format!("hematite-cut-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let files: Vec<(PathBuf, PathBuf)> = cuts.iter().enumerate().map(|(index, cut)| {
            let (suffix, bytes) = &packed[index % packed.len()];
            // Behind the mark of its format: less is no packed file.
            let bytes = &bytes[..cut.index(bytes.len() - MARK) + MARK];
            let readable = match *suffix {
                "gz" => readable(flate2::read::GzDecoder::new(bytes)),
                "bz2" => readable(bzip2::read::BzDecoder::new(bytes)),
                _ => zstd::Decoder::new(bytes).map(readable).unwrap_or_default(),
            };
            let [cut, plain] = [format!("{index}.pgn.{suffix}"), format!("{index}.pgn")].map(|name| folder.join(name));
            std::fs::write(&cut, bytes).expect("a file can be written");
            std::fs::write(&plain, readable).expect("a file can be written");
            (cut, plain)
        }).collect();
        let plain: Vec<PathBuf> = files.iter().map(|(_, plain)| plain.clone()).collect();
        let answer = ask_referee(&plain);
        let ours: Vec<(String, Vec<String>)> = files.iter().map(|(cut, plain)| {
            let output = Command::new(env!("CARGO_BIN_EXE_hematite")).args(["pgn", "export"]).arg(cut).output().expect("the binary runs");
            let is_cut = std::fs::metadata(plain).expect("it is there").len() < text.len() as u64;
            // Without its last bytes a file may still have all of its text.
            assert!(!is_cut || output.status.code() == Some(2), "{output:?}");
            let games = games(&output.stdout[..]).map(|game| uci_moves(&game.expect("memory can be read").0));
            (plain.display().to_string(), games.filter(|moves| !moves.is_empty()).collect())
        }).collect();
        std::fs::remove_dir_all(&folder).expect("a folder can be removed");
        let Some(answer) = answer else { return Ok(()) };
        for (name, ours) in &ours {
            let theirs: Vec<&str> = answer.lines().filter_map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                (fields[0] == name).then(|| fields[3])
            }).collect();
            prop_assert_eq!(ours.len(), theirs.len(), "{}", name);
            for (ours, theirs) in ours.iter().zip(theirs) {
                prop_assert!(ours.starts_with(theirs), "{}\nours:   {}\ntheirs: {}", name, ours, theirs);
            }
        }
    }
}

/// Whether a file is compared: python-chess is slow, and some files only repeat the content of others.
fn is_wanted(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pgn")
}

/// The FEN without its en passant square: one of the programs states it only where a capture is legal.
fn comparable(fen: &str) -> String {
    fen.split(' ')
        .enumerate()
        .filter(|(index, _)| *index != 3)
        .map(|(_, field)| field)
        .collect::<Vec<_>>()
        .join(" ")
}
