//! The games of a list written by `hematite pgn find --json`, for `--from-list`.

use crate::cli::CliError;
use crate::cli::streams::Input;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The games of a list written by `--json`.
pub(super) struct ListedGames {
    /// The files, in the order of the list.
    pub files: Vec<PathBuf>,
    /// The numbers of the games of each file, counted from 1.
    games: HashMap<String, HashSet<u64>>,
}

impl ListedGames {
    /// Reads a list.
    ///
    /// # Errors
    /// [`CliError::Input`] if the list cannot be read, or a line is not an object with `file` and `game`.
    pub(super) fn read(path: &Path) -> Result<Self, CliError> {
        #[derive(Deserialize)]
        struct Line {
            file: String,
            game: u64,
        }
        let (name, text) = Input::open(path)?.read_text()?;
        let mut list = Self { files: Vec::new(), games: HashMap::new() };
        for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            let Line { file, game } = serde_json::from_str(text).map_err(|error| CliError::Input {
                name: name.clone(),
                problem: format!(
                    "line {}: expected an object with `file` and `game`, as `pgn find --json` writes it ({error})",
                    index + 1
                ),
            })?;
            let games = list.games.entry(file.clone()).or_insert_with(|| {
                list.files.push(PathBuf::from(file));
                HashSet::new()
            });
            games.insert(game);
        }
        Ok(list)
    }

    /// Whether the list contains the game with this number in the file.
    pub(super) fn has(&self, file: &str, game: u64) -> bool {
        self.games.get(file).is_some_and(|games| games.contains(&game))
    }
}
