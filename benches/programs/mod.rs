//! The installed programs that are compared with this one.

use std::path::PathBuf;

/// The folder of games in Debian, among them pgn-extract and Scid, which is not in everyone's `PATH`.
const GAMES_FOLDER: &str = "/usr/games";

/// The path of an installed program.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from(GAMES_FOLDER)]);
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}
