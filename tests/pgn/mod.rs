//! PGN: every public file is read, exported games equal the originals, and hostile input causes no fault.

mod accounting;
mod archive;
mod collections;
mod data_tools;
mod edit;
mod find;
mod find_lists;
mod games;
mod hostile;
mod novelties;
mod order;
mod reading;
mod referee;
mod tables;
mod tree;
mod walk;
mod writing;

use crate::support;
use hematite::chess::Move;
use hematite::notation::pgn::{Export, Game, PgnError, PgnProblem, games};
use std::fs;
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Text between moves that states no move, as it occurs in files that were written or copied by hand.
const NOISE: [&str; 52] = [
    "\u{a0}",
    "\u{200b}",
    "\u{2003}",
    "\u{2009}",
    "\u{202f}",
    "\u{3000}",
    "\u{feff}",
    "\u{2060}",
    "\t",
    "\r",
    "\r\n",
    " \n ",
    "±",
    "∓",
    "⩲",
    "⩱",
    "∞",
    "□",
    "⌓",
    "→",
    "↑",
    "⇆",
    "=/∞",
    "+−",
    "−+",
    "‼",
    "⁉",
    "…",
    "—",
    "★",
    "¿",
    "“quoted”",
    "N",
    "TN",
    "novelty",
    "mate",
    "dis ch",
    "RR",
    "Diagram",
    "é",
    "~",
    "^",
    "<x>",
    "|",
    "=/oo",
    "+/-",
    "$14",
    "$146",
    "{a comment}",
    "{1. h4 h5 1-0}",
    "!?",
    ", ",
];

/// All files in a folder and its subfolders, in a fixed order.
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

fn games_of(path: &Path) -> Vec<(Game, Vec<PgnError>)> {
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    games(file).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The only game of a text.
fn only_game(text: &[u8]) -> (Game, Vec<PgnError>) {
    let mut found: Vec<_> = games(text).collect::<Result<_, _>>().expect("memory can be read");
    assert_eq!(found.len(), 1, "{}", String::from_utf8_lossy(text));
    found.remove(0)
}

fn mainline(game: &Game) -> Vec<Option<Move>> {
    game.mainline().map(|node| game.mv(node)).collect()
}

/// Checks that an exported game is read as the same game, and exported as the same text.
fn check_round_trip(game: &Game, name: &str) {
    let text = Export::new().game(game);
    let (again, errors) = only_game(text.as_bytes());
    let is_start =
        |error: &PgnError| matches!(error.problem, PgnProblem::Position { .. } | PgnProblem::Variant(_));
    assert!(errors.iter().all(is_start), "{name}: {errors:?}\n{text}");
    assert_eq!(Export::new().game(&again), text, "{name}");
    assert!(game.has_same_content(&again), "{name}:\n{text}");
    // Moves that are not read keep their lines.
    for line in text.lines().filter(|_| game.unread().is_empty()) {
        // A word that begins with a percent sign may not begin a line.
        let has_one_token = !line.contains(' ') || line.contains(" %") || line.starts_with(['[', ';', '%']);
        assert!(line.chars().count() < 80 || has_one_token, "{name}: {line}");
        assert_eq!(line.trim_matches(' '), line, "{name}");
    }
}

/// A reader that returns few bytes at a time, so that tokens are split.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.len().min(self.1).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn every_public_file_is_read_and_every_refusal_explained() {
    let Some(folder) = support::data_folder_of("pgn") else { return };
    let (mut count, mut plies, mut broken) = (0, 0, 0);
    for path in files(&folder) {
        for (game, errors) in games_of(&path) {
            count += 1;
            plies += game.mainline().count();
            let is_broken = |error: &PgnError| matches!(error.problem, PgnProblem::Move(_));
            broken += usize::from(errors.iter().any(is_broken));
            if let Some(error) = errors.iter().find(|error| is_broken(error)) {
                println!("{}: {error}", path.display());
            }
            for error in errors {
                let text = error.to_string();
                assert!(text.starts_with("line ") && text.contains("column"), "{text}");
            }
        }
    }
    println!("{count} games, {plies} plies, {broken} with a move that cannot be played");
    assert!(count > 3600, "{count} games");
    assert!(plies > 270_000, "{plies} plies");
    // Mails and a license, a German game, long algebraic moves run together, and few others.
    assert!(broken <= 30, "{broken} games with moves that cannot be played");
}
