//! Outcome of a command: an answer, or an error.

use std::{fmt, io};

/// How a command has ended that could do its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It is done, and the answer, if there was a question, is yes.
    Yes,
    /// It is done, and the answer is no: a check failed.
    No,
}

/// What keeps a command from doing its work. Wrong answers are no errors.
#[derive(Debug)]
pub(super) enum CliError {
    /// The arguments cannot be used, for this reason.
    Usage(String),
    /// An input cannot be read: its name, and what is wrong with it.
    Input {
        /// The file's name, or what standard input is called.
        name: String,
        /// What is wrong, with the line if there is one.
        problem: String,
    },
    /// The output cannot be written.
    Output(io::Error),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(problem) => f.write_str(problem),
            Self::Input { name, problem } => write!(f, "{name}: {problem}"),
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for CliError {}

impl From<io::Error> for CliError {
    /// Only writing lets its errors through as they are; readers name their input.
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
