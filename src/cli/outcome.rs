//! The outcome of a command: a status, or an error.

use crate::database::EditError;
use crate::files::WriteError;
use crate::search::ResourceError;
use std::io::{self, Write};

/// The status of a command that has completed its work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ExitStatus {
    /// The work is done, and the answer, if the command asks a question, is yes.
    Yes,
    /// The work is done, and the answer is no: a check failed.
    No,
    /// The work is done for the readable inputs; the errors of the others have been printed.
    Incomplete,
}

/// The reason why a command failed. A negative answer is not an error.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    /// The arguments cannot be used, for the stated reason.
    #[error("{0}")]
    Usage(String),
    /// The work was interrupted; the text tells how it goes on.
    #[error("{0}")]
    Interrupted(String),
    /// The work failed, for the stated reason: memory, a file of the program's own, or another program.
    #[error("{0}")]
    Failed(String),
    /// An input cannot be read.
    #[error("{name}: {problem}")]
    Input {
        /// The name of the file, or "standard input".
        name: String,
        /// The reason, with the line if there is one.
        problem: String,
    },
    /// No input can be read; the errors have already been printed.
    #[error("no input can be read")]
    Inputs,
    /// The output cannot be written.
    #[error("{}", shown(.0))]
    Output(#[source] io::Error),
}

/// The text of an error of writing, with the name of the file if it has one.
fn shown(error: &io::Error) -> String {
    if error.get_ref().is_some_and(|inner| inner.is::<WriteError>()) {
        error.to_string()
    } else {
        format!("cannot write the output: {error}")
    }
}

impl CliError {
    /// The arguments cannot be used, for this reason.
    pub(super) fn usage(problem: impl Into<String>) -> Self {
        Self::Usage(problem.into())
    }

    /// The work was interrupted, with this message.
    pub(super) fn interrupted(message: impl Into<String>) -> Self {
        Self::Interrupted(message.into())
    }

    /// The work failed, for this reason.
    pub(super) fn failed(problem: impl Into<String>) -> Self {
        Self::Failed(problem.into())
    }

    /// Prints the error on standard error. A failure to print cannot be reported.
    pub(super) fn print(&self) {
        // The errors of the inputs have already been printed.
        if !matches!(self, Self::Inputs) {
            let _ = writeln!(io::stderr(), "error: {self}");
        }
    }

    /// Writes all errors but the last one to standard error, and returns the last one; `Ok` if there is none.
    pub(super) fn last_of(errors: Vec<Self>) -> Result<(), Self> {
        let mut last = Ok(());
        for error in errors {
            if let Err(former) = std::mem::replace(&mut last, Err(error)) {
                former.print();
            }
        }
        last
    }
}

impl From<io::Error> for CliError {
    /// Converts an error of writing; errors of reading become [`CliError::Input`], which names the input.
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<EditError> for CliError {
    fn from(error: EditError) -> Self {
        match error {
            EditError::File { .. } => Self::Usage(error.to_string()),
            EditError::Write(error) => Self::Output(error),
        }
    }
}

impl From<ResourceError> for CliError {
    /// The system lacks memory or threads.
    fn from(error: ResourceError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
