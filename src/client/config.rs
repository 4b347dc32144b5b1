//! The configuration of an engine, known before it starts.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program that speaks UCI, and how it is to be set up.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EngineConfig {
    /// What it is called in tables and games; its own name if none is given.
    pub name: Option<String>,
    /// The program: a path, or a name to be looked up in `PATH`.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The directory it works in; ours if none is given. A relative path of the program starts
    /// there if the program is there.
    pub directory: Option<PathBuf>,
    /// Options to be set before the first game.
    pub options: Vec<InitialOption>,
    /// Is it started anew for each game?
    pub restarts: bool,
    /// Does it think on its opponent's time?
    pub ponders: bool,
}

/// An option to be set before the first game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitialOption {
    /// Its name; neither case nor spaces matter.
    pub name: String,
    /// The value as the engine is to hear it; none for a button.
    pub value: String,
    /// Must the engine have it? Options meant for all are skipped where there are none.
    pub is_required: bool,
}

/// How long an engine may take for what it must do at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// From the start of the process to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`, after options were set or a game was begun.
    pub ping: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to the end of the process, before it is killed.
    pub quit: Duration,
    /// The longest search without a clock before it counts as a stall.
    pub think: Duration,
}

impl Default for Timeouts {
    /// Long enough for slow machines under load: they only matter where something is wrong.
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

/// The words of a command. A text that is the name of a file is one word; in any other, white space
/// separates words except within quotes, single or double. Backslashes are ordinary characters,
/// since paths have them.
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

#[cfg(test)]
mod tests {
    use super::*;

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
