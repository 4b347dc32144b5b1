//! What can go wrong.

use super::selection::SelectionError;
use crate::search::{ParameterError, ResourceError};
use std::path::PathBuf;
use std::{fmt, io};

/// Why parameters cannot be tuned.
#[derive(Debug)]
pub enum TunerError {
    /// The machine lacks memory or threads.
    Resource(ResourceError),
    /// A parameter cannot be set to what is to be tried.
    Parameter(ParameterError),
    /// No such parameters can be tuned.
    Selection(SelectionError),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// A file that does not hold the state of a run of this program, and why.
    Content(PathBuf, String),
    /// The openings are not those that the run began with: these are, and those were.
    Openings {
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
}

impl fmt::Display for TunerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource(error) => error.fmt(f),
            Self::Parameter(error) => error.fmt(f),
            Self::Selection(error) => error.fmt(f),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Content(path, problem) => write!(f, "{}: {problem}", path.display()),
            Self::Openings { found, expected } => write!(f, "openings: found {found}, expected {expected}"),
        }
    }
}

impl std::error::Error for TunerError {}

impl From<ResourceError> for TunerError {
    fn from(error: ResourceError) -> Self {
        Self::Resource(error)
    }
}

impl From<ParameterError> for TunerError {
    fn from(error: ParameterError) -> Self {
        Self::Parameter(error)
    }
}

impl From<SelectionError> for TunerError {
    fn from(error: SelectionError) -> Self {
        Self::Selection(error)
    }
}
