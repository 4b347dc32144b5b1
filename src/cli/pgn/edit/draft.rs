//! Editing a game in the user's text editor.

use crate::cli::CliError;
use crate::database::own_text;
use crate::files::{PathExcerpt, TempPath};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::{self, ExitStatus as ProcessStatus};

/// The command of the user's editor.
fn editor() -> OsString {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(env::var_os).find(|name| !name.is_empty());
    named.unwrap_or_else(|| if cfg!(windows) { "notepad" } else { "vi" }.into())
}

/// Runs the editor. Its command may include arguments, and is interpreted by a shell.
#[cfg(unix)]
fn run_editor(editor: &OsString, path: &Path) -> io::Result<ProcessStatus> {
    let mut script = editor.clone();
    script.push(" \"$@\"");
    process::Command::new("sh").arg("-c").arg(script).arg(editor).arg(path).status()
}

/// Runs the editor.
#[cfg(not(unix))]
fn run_editor(editor: &OsString, path: &Path) -> io::Result<ProcessStatus> {
    process::Command::new(editor).arg(path).status()
}

/// Opens the text of a game in the editor and, if it has changed, passes the file with the new text to `put_back`;
/// returns whether the text has changed. If `put_back` fails, the file is kept and its path is printed, so that the
/// user's text is not lost.
pub(in crate::cli) fn edit_text(
    number: u64,
    text: &[u8],
    line_end: &str,
    put_back: &mut dyn FnMut(&Path) -> Result<(), CliError>,
) -> Result<bool, CliError> {
    let draft = env::temp_dir().join(format!("hematite-game-{number}-{}.pgn", process::id()));
    let write = || -> io::Result<TempPath> {
        let (mut file, draft) = TempPath::create(&draft, |path| File::create_new(path))?;
        file.write_all(text)?;
        file.write_all(line_end.as_bytes())?;
        Ok(draft)
    };
    let draft = write().map_err(|problem| failed(&draft, problem))?;
    let editor = editor();
    let name = editor.display();
    let status = run_editor(&editor, draft.path())
        .map_err(|problem| CliError::Failed(format!("the editor `{name}` cannot be run: {problem}")))?;
    let new = fs::read(draft.path()).map_err(|problem| failed(draft.path(), problem))?;
    let is_changed = own_text(&new) != own_text(text);
    let done = if !status.success() {
        Err(CliError::Failed(format!("the editor `{name}` failed ({status}); nothing is changed")))
    } else if is_changed {
        put_back(draft.path())
    } else {
        Ok(())
    };
    if is_changed && done.is_err() {
        let kept = PathExcerpt::new(draft.path()).to_string();
        draft.keep();
        // A failure to write is ignored: the error is printed next.
        let _ = writeln!(io::stderr(), "the text is kept in {kept}");
    }
    done.map(|()| is_changed)
}

/// An error that concerns this file.
pub(super) fn failed(path: &Path, problem: impl std::fmt::Display) -> CliError {
    CliError::Failed(format!("{}: {problem}", PathExcerpt::new(path)))
}
