//! The outcome of a command: an answer, or an error.

use std::io::{self, Write};

/// The answer of a command that has done its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExitStatus {
    /// It is done, and the answer, if there is a question, is yes.
    Yes,
    /// It is done, and the answer is no: a check failed.
    No,
}

/// Why a command could not do its work. A negative answer is not an error.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    /// The arguments cannot be used, for this reason.
    #[error("{0}")]
    Usage(String),
    /// An input cannot be read.
    #[error("{name}: {problem}")]
    Input {
        /// The name of the file, or "standard input".
        name: String,
        /// The reason, with the line if there is one.
        problem: String,
    },
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[source] io::Error),
}

impl CliError {
    /// The last of several errors, after the others were written to standard error; `Ok` if there is none.
    pub(super) fn last_of(errors: Vec<Self>) -> Result<(), Self> {
        let mut last = Ok(());
        for error in errors {
            if let Err(former) = std::mem::replace(&mut last, Err(error)) {
                let _ = writeln!(io::stderr(), "error: {former}");
            }
        }
        last
    }
}

impl From<io::Error> for CliError {
    /// An error of writing; errors of reading become [`CliError::Input`], which names the input.
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
