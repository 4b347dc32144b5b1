//! PGN: every public file is read, and exported games are the same games.

mod support;

use hematite::notation::pgn::{Export, Game, games};
use std::fs;
use std::path::{Path, PathBuf};

/// Every file below the folder, in a fixed order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be listed") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

#[test]
fn every_public_file_is_read_and_every_refusal_explained() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    let (mut count, mut plies) = (0, 0);
    for path in files(&folder) {
        let file = fs::File::open(&path).expect("a file can be opened");
        for game in games(file) {
            let (game, errors) = game.expect("a file can be read");
            count += 1;
            plies += game.mainline().count();
            for error in errors {
                println!("{}: {error}", path.display());
            }
        }
    }
    println!("{count} games, {plies} plies");
    assert!(count > 4000, "{count} games");
}

#[test]
fn export_is_stable_and_reads_back_as_the_same_games() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    for path in files(&folder) {
        let file = fs::File::open(&path).expect("a file can be opened");
        for (index, game) in games(file).enumerate() {
            let (game, _) = game.expect("a file can be read");
            let text = Export::new().game(&game);
            let name = format!("{}, game {}", path.display(), index + 1);
            let (again, errors) = Game::read(text.as_bytes()).expect("memory").expect(&name);
            if !errors.is_empty() {
                println!("{name}: {errors:?}\n{text}");
            }
            let second = Export::new().game(&again);
            assert_eq!(second, text, "{name}");
            assert!(game.walk().eq(again.walk()), "{name}:\n{text}");
            assert_eq!((game.start(), game.result), (again.start(), again.result), "{name}");
            for line in text.lines() {
                let is_long_word = line.split(' ').count() == 1 || line.starts_with(['[', ';', '%']);
                assert!(line.chars().count() < 80 || is_long_word, "{name}: {line}");
            }
        }
    }
}
