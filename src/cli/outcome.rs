//! The outcome of a command: an answer, or an error.

use crate::database::EditError;
use crate::files::WriteError;
use crate::search::ResourceError;
use std::io::{self, Write};

/// The answer of a command that has done its work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ExitStatus {
    /// It is done, and the answer, if there is a question, is yes.
    Yes,
    /// It is done, and the answer is no: a check failed.
    No,
    /// It is done as far as its inputs can be read; the error of each other one has been printed.
    Incomplete,
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
    /// No input can be read; the errors have been printed.
    #[error("no input can be read")]
    Inputs,
    /// The output cannot be written.
    #[error("{}", shown(.0))]
    Output(#[source] io::Error),
}

/// An error of writing, with the name of the file if it has one.
fn shown(error: &io::Error) -> String {
    if error.get_ref().is_some_and(|inner| inner.is::<WriteError>()) {
        error.to_string()
    } else {
        format!("cannot write the output: {error}")
    }
}

impl CliError {
    /// Prints it on standard error, where a failure to print cannot be reported.
    pub(super) fn print(&self) {
        // The errors of the inputs have been printed.
        if !matches!(self, Self::Inputs) {
            let _ = writeln!(io::stderr(), "error: {self}");
        }
    }

    /// The last of several errors, after the others were written to standard error; `Ok` if there is none.
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
    /// An error of writing; errors of reading become [`CliError::Input`], which names the input.
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
    /// The machine lacks memory or threads.
    fn from(error: ResourceError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
