//! The configuration of engines, and the start of their processes such that none is left running.

use super::EngineError;
use super::process_group::{Group, Guard};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// A UCI engine program and its settings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EngineConfig {
    /// The name in tables and games; `None` for the name that the engine states.
    pub name: Option<String>,
    /// The program: a path, or a name to be looked up in `PATH`.
    pub command: String,
    /// The arguments.
    pub arguments: Vec<String>,
    /// The working directory; `None` for that of this program. A relative path of the program is looked up there first.
    pub directory: Option<PathBuf>,
    /// The options to set before the first game.
    pub options: Vec<InitialOption>,
    /// The file to which the standard error of the engine is appended.
    pub stderr: Option<PathBuf>,
    /// Whether the engine is restarted for each game.
    pub restarts: bool,
    /// Whether the engine ponders.
    pub ponders: bool,
}

/// An option to set before the first game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitialOption {
    /// The name; case and spaces are ignored.
    pub name: String,
    /// The value as sent to the engine; empty for a button.
    pub value: String,
    /// Whether the engine must have the option. Otherwise it is skipped if the engine does not have it, as options set
    /// for all engines are.
    pub is_required: bool,
}

/// The time limits for the answers of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// From the start of the process to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`, after options were set or a game was started.
    pub ping: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to the end of the process, before it is killed.
    pub quit: Duration,
    /// The maximum time of a search without a clock; a longer one is a stall.
    pub think: Duration,
}

impl Default for Timeouts {
    /// Long enough for slow machines under load: the limits matter only if something is wrong.
    fn default() -> Self {
        Self {
            start: Duration::from_secs(20),
            ping: Duration::from_secs(60),
            stop: Duration::from_secs(5),
            quit: Duration::from_secs(5),
            think: Duration::from_secs(600),
        }
    }
}

impl Timeouts {
    /// The names of the limits.
    pub const NAMES: [&str; 5] = ["start", "ping", "stop", "quit", "think"];

    /// The limit with this name.
    pub fn named(&mut self, name: &str) -> Option<&mut Duration> {
        match name {
            "start" => Some(&mut self.start),
            "ping" => Some(&mut self.ping),
            "stop" => Some(&mut self.stop),
            "quit" => Some(&mut self.quit),
            "think" => Some(&mut self.think),
            _ => None,
        }
    }
}

/// The words of a command. A text that is the name of an existing file is a single word; in any other text, white space
/// outside of single or double quotes separates words. Backslashes are ordinary characters, since paths contain them.
pub fn words(command: &str) -> Vec<String> {
    if Path::new(command).is_file() {
        return vec![command.to_owned()];
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Starts engines.
///
/// A process is killed together with its whole process group when it is dropped. If the match runner itself is killed,
/// that is not possible; then the engine reads the end of its input, and the *guard*, another process of this program,
/// kills the group.
#[derive(Clone, Default, Debug)]
pub struct Launcher {
    guard: Option<Arc<Guard>>,
}

impl Launcher {
    /// A launcher without a guard.
    pub const fn new() -> Self {
        Self { guard: None }
    }

    /// A launcher with a guard: `program` with the argument `command`, which must call
    /// [`stand_guard`](super::stand_guard) with its standard input. The guard is started now and ends with the last
    /// clone of this launcher. If it cannot be started, there is no guard.
    pub fn guarded(program: &Path, command: &'static str) -> Self {
        let mut guard = Command::new(program);
        guard.arg(command);
        Self { guard: Guard::start(guard).ok().map(Arc::new) }
    }

    /// Checks that the program of an engine exists, without starting it.
    ///
    /// # Errors
    /// [`EngineError::NotFound`] if it does not exist.
    pub fn check(settings: &EngineConfig) -> Result<(), EngineError> {
        Self::command(settings).map(drop)
    }

    /// Starts an engine with all its streams piped.
    ///
    /// # Errors
    /// [`EngineError::NotFound`] if the program does not exist, [`EngineError::Start`] if it cannot be started.
    pub(super) fn start(&self, settings: &EngineConfig) -> Result<Group, EngineError> {
        // Processes that the engine starts are killed with it.
        let group = Group::start_guarded(&mut Self::command(settings)?, self.guard.clone());
        group.map_err(|error| EngineError::Start { command: settings.command.clone(), error })
    }

    fn command(settings: &EngineConfig) -> Result<Command, EngineError> {
        let not_found = || EngineError::NotFound { command: settings.command.clone() };
        let program = find_program(&settings.command, settings.directory.as_deref()).ok_or_else(not_found)?;
        let mut command = Command::new(program);
        command.args(&settings.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &settings.directory {
            command.current_dir(directory);
        }
        Ok(command)
    }
}

/// The absolute path of a program: in its working directory, in the current folder, or in `PATH`.
fn find_program(command: &str, directory: Option<&Path>) -> Option<PathBuf> {
    let name = Path::new(command);
    let mut places = Vec::new();
    places.extend(directory.map(|directory| directory.join(name)));
    if name.components().count() > 1 || name.is_absolute() {
        places.push(name.to_owned());
    } else if let Some(path) = env::var_os("PATH") {
        places.extend(env::split_paths(&path).map(|folder| folder.join(name)));
    }
    let with_suffix = |place: PathBuf| {
        let suffixed = place.with_added_extension(env::consts::EXE_EXTENSION);
        [place, suffixed].into_iter().find(|place| place.is_file())
    };
    places.into_iter().find_map(with_suffix).and_then(|place| std::path::absolute(place).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_where_people_expect_them() {
        fn found(command: &str, directory: Option<&str>) -> Option<PathBuf> {
            find_program(command, directory.map(Path::new))
        }
        assert!(found("cargo", None).is_some_and(|path| path.is_absolute()));
        assert_eq!(found("no-such-engine-anywhere", None), None);
        assert_eq!(found("./no-such-engine-anywhere", None), None);
        let here = env!("CARGO_MANIFEST_DIR");
        let expected = Path::new(here).join("Cargo.toml");
        assert_eq!(found("Cargo.toml", Some(here)), Some(expected.clone()));
        assert_eq!(found(&expected.display().to_string(), None), Some(expected));
        assert_eq!(found("../games", Some(here)), None, "a folder is no program");
        assert_eq!(found("Cargo.toml.new", Some(here)), None, "another name is another program");
    }

    #[test]
    fn every_name_is_that_of_a_limit() {
        for name in Timeouts::NAMES {
            let mut timeouts = Timeouts::default();
            *timeouts.named(name).expect(name) = Duration::ZERO;
            assert_ne!(timeouts, Timeouts::default(), "{name}");
        }
        assert!(Timeouts::default().named("go").is_none());
    }

    #[test]
    fn quotes_keep_words_together() {
        let cases: &[(&str, &[&str])] = &[
            ("engine", &["engine"]),
            (" engine  --uci\t-x ", &["engine", "--uci", "-x"]),
            ("'my engine' \"a b\"c ''", &["my engine", "a bc", ""]),
            (r"C:\engines\sf.exe x", &[r"C:\engines\sf.exe", "x"]),
            ("'not closed", &["not closed"]),
            ("it\"'\"s", &["it's"]),
            ("", &[]),
        ];
        for (command, expected) in cases {
            assert_eq!(words(command), *expected, "{command}");
        }
    }
}
