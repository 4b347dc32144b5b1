//! python-chess, where it is there, reads the same games.

use super::{files, games_of, mainline};
use crate::support;
use hematite::chess::{Move, Position};
use hematite::notation::{CastlingStyle, Fen, UciMove};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn python_chess_reads_the_same_games() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    let is_there = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        return support::skip("no python3 with chess");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/referee.py");
    let paths: Vec<PathBuf> = files(&folder).into_iter().filter(|path| is_wanted(path)).collect();
    let output = Command::new("python3").arg(script).args(&paths).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("the referee writes UTF-8");
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
            let uci = |mv: Option<Move>| match mv {
                Some(mv) => UciMove::new(mv, CastlingStyle::Chess960).to_string(),
                None => UciMove::Null.to_string(),
            };
            let moves: Vec<String> = mainline(game).into_iter().map(uci).collect();
            assert_eq!(fields[2], "0", "{name}, game {}: errors", fields[1]);
            assert_eq!(moves.join(" "), fields[3], "{name}, game {}", fields[1]);
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

/// python-chess is slow, and some files only repeat what others have.
fn is_wanted(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pgn")
}

/// The en passant square is left out: one of us names it only where a capture is legal.
fn comparable(fen: &str) -> String {
    fen.split(' ')
        .enumerate()
        .filter(|(index, _)| *index != 3)
        .map(|(_, field)| field)
        .collect::<Vec<_>>()
        .join(" ")
}
