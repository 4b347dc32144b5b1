//! The games of a list written by `hematite pgn find --json`, for `--from-list`.

use crate::cli::CliError;
use crate::cli::streams::Input;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The games of a list written by `--json`.
pub(super) struct ListedGames {
    /// The files, in the order of the list.
    pub files: Vec<PathBuf>,
    /// The numbers of the games of each file, counted from 1, by its path without links and detours.
    games: HashMap<PathBuf, Rc<HashSet<u64>>>,
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
            let games = list.games.entry(direct(&file)).or_insert_with(|| {
                list.files.push(PathBuf::from(file));
                Rc::default()
            });
            Rc::make_mut(games).insert(game);
        }
        Ok(list)
    }

    /// The numbers of the games of a file in the list, however its path is written.
    pub(super) fn of(&self, file: &str) -> Rc<HashSet<u64>> {
        self.games.get(&direct(file)).cloned().unwrap_or_default()
    }
}

/// The path of a file without links and detours; as it is written if there is no such file.
fn direct(file: &str) -> PathBuf {
    fs::canonicalize(file).unwrap_or_else(|_| PathBuf::from(file))
}
