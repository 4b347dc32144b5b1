//! UCI engines as processes, and the protocol from the point of view of a GUI.

mod config;
mod engine;
mod launcher;
mod log;
mod process;
mod process_group;
mod reply;

pub use config::{EngineSettings, InitialOption, Timeouts, words};
pub use engine::Player;
pub use launcher::Launcher;
pub use log::Log;
pub use process::{Line, Process, Silence};
pub use process_group::stand_guard;
pub use reply::{Patience, Thought};

use std::time::Duration;
use std::{fmt, io};

/// Why an engine cannot play, or not go on.
#[derive(Debug)]
pub enum EngineError {
    /// There is no such program.
    NotFound {
        /// The command as it was given.
        command: String,
    },
    /// The system does not start it.
    Start {
        /// The command as it was given.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// An option that it does not have, or a value that the option does not take.
    Option {
        /// The option's name as it was given.
        name: String,
        /// What is wrong, and what was expected.
        problem: String,
    },
    /// It declares more options than anybody would keep.
    Options {
        /// How many it may have.
        most: usize,
    },
    /// It has ended, or closed its output.
    Disconnected {
        /// What was expected of it.
        awaited: &'static str,
        /// The last line on its standard error.
        last_words: Option<String>,
    },
    /// It is alive but does not answer.
    Stalled {
        /// What was expected of it.
        awaited: &'static str,
        /// How long.
        waited: Duration,
    },
    /// Nobody waits for its answer any more, since the game is to be abandoned.
    Interrupted,
}

impl EngineError {
    /// Does it concern what was asked for, so that trying again is of no use?
    pub const fn is_of_configuration(&self) -> bool {
        matches!(
            self,
            Self::NotFound { .. } | Self::Start { .. } | Self::Option { .. } | Self::Options { .. }
        )
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { command } if command.trim().is_empty() => {
                f.write_str("empty command, expected a program and its arguments")
            }
            Self::NotFound { command } => {
                write!(f, "{command}: no such program, expected a path or a name in PATH")
            }
            Self::Start { command, error } => write!(f, "{command}: cannot be started: {error}"),
            Self::Option { name, problem } => write!(f, "option {name}: {problem}"),
            Self::Options { most } => write!(f, "it declares more than {most} options, expected `uciok`"),
            Self::Disconnected { awaited, last_words } => {
                write!(f, "it has ended, expected {awaited}")?;
                last_words.as_ref().map_or(Ok(()), |words| write!(f, "; its last words: {words}"))
            }
            Self::Stalled { awaited, waited } => {
                write!(f, "no answer in {:.1} s, expected {awaited}", waited.as_secs_f64())
            }
            Self::Interrupted => f.write_str("the search was interrupted"),
        }
    }
}

impl std::error::Error for EngineError {}
