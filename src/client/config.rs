//! The configuration of an engine, known before it starts.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program that speaks UCI, and its settings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EngineConfig {
    /// Its name in tables and games; the name it states itself if none is given.
    pub name: Option<String>,
    /// The program: a path, or a name to look up in `PATH`.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory; ours if none is given. A relative path of the program starts
    /// there if the program is there.
    pub directory: Option<PathBuf>,
    /// The options that are set before the first game.
    pub options: Vec<InitialOption>,
    /// Whether it is started again for each game.
    pub restarts: bool,
    /// Whether it thinks on its opponent's time.
    pub ponders: bool,
}

/// An option that is set before the first game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitialOption {
    /// Its name; case and spaces do not matter.
    pub name: String,
    /// The value as it is sent to the engine; empty for a button.
    pub value: String,
    /// Whether the engine must have it. Options for all engines are skipped where they are missing.
    pub is_required: bool,
}

/// The time limits of what an engine must do at once.
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
    /// The longest search without a clock; a longer one is a stall.
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
