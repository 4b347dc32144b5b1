//! Running UCI engines as processes, and the GUI side of the protocol.

mod engine;
mod launcher;
mod process;
mod process_group;

pub use engine::{Engine, SearchReply, SearchTimeout};
pub use launcher::{EngineConfig, InitialOption, Launcher, Timeouts, words};
pub use process::{Line, Log, Process, ReceiveError};
pub use process_group::{Group, stand_guard};

use std::io;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// The reason why an engine cannot play.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The program does not exist.
    #[error("{}", not_found(command))]
    NotFound {
        /// The command as given.
        command: String,
    },
    /// The system cannot start the program.
    #[error("{command}: cannot be started: {error}")]
    Start {
        /// The command as given.
        command: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The file for its standard error cannot be written.
    #[error("stderr={}: {error}", path.display())]
    Stderr {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// An option that the engine does not have, or an invalid value of an option.
    #[error("option {name}: {problem}")]
    Option {
        /// The name of the option as given.
        name: String,
        /// The problem and the expected value.
        problem: String,
    },
    /// The engine declares too many options.
    #[error("it declares more than {most} options, expected `uciok`")]
    Options {
        /// The maximum number of options.
        most: usize,
    },
    /// The engine has ended, or closed its output.
    #[error("it has ended, expected {awaited}{}", spoken(last_words.as_deref()))]
    Disconnected {
        /// The expected answer.
        awaited: &'static str,
        /// The last line of its standard error.
        last_words: Option<String>,
    },
    /// The engine is running but does not answer.
    #[error("no answer in {:.1} s, expected {awaited}", waited.as_secs_f64())]
    Stalled {
        /// The expected answer.
        awaited: &'static str,
        /// The time waited.
        waited: Duration,
    },
    /// The search was interrupted, because the game is abandoned.
    #[error("the search was interrupted")]
    Interrupted,
}

impl EngineError {
    /// The message without the command, for contexts that already state it.
    pub fn problem(&self) -> String {
        match self {
            Self::NotFound { command } if !command.trim().is_empty() => NO_PROGRAM.to_owned(),
            Self::Start { error, .. } => format!("cannot be started: {error}"),
            _ => self.to_string(),
        }
    }

    /// The message after the name of the engine, which may be its command.
    pub fn of(&self, engine: &str) -> String {
        match self {
            Self::NotFound { command } | Self::Start { command, .. } if command == engine => {
                format!("{engine}: {}", self.problem())
            }
            _ => format!("{engine}: {self}"),
        }
    }

    /// Whether the configuration is wrong, so that another attempt cannot succeed.
    pub const fn is_of_configuration(&self) -> bool {
        matches!(
            self,
            Self::NotFound { .. }
                | Self::Start { .. }
                | Self::Stderr { .. }
                | Self::Option { .. }
                | Self::Options { .. }
        )
    }
}

/// The problem of a command whose program does not exist.
const NO_PROGRAM: &str = "no such program, expected a path or a name in PATH";

fn not_found(command: &str) -> String {
    if command.trim().is_empty() {
        "empty command, expected a program and its arguments".to_owned()
    } else {
        format!("{command}: {NO_PROGRAM}")
    }
}

fn spoken(last_words: Option<&str>) -> String {
    last_words.map_or_else(String::new, |line| format!("; its last words: {line}"))
}
