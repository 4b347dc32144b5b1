//! What an engine may do wrong.

use std::time::Duration;
use std::{fmt, io};

/// An engine that cannot be used any more.
#[derive(Debug)]
pub struct EngineError {
    /// The command that starts it.
    pub command: String,
    /// What is wrong.
    pub problem: EngineProblem,
}

/// What is wrong with an engine.
#[derive(Debug)]
pub enum EngineProblem {
    /// There is no program in the command.
    NoProgram,
    /// The program cannot be started.
    Start(io::Error),
    /// It does not take what it is told.
    Write(io::Error),
    /// It has ended.
    Ended {
        /// What it should have said.
        expected: &'static str,
    },
    /// It does not answer.
    Silent {
        /// What it should have said.
        expected: &'static str,
        /// How long it was waited for.
        waited: Duration,
    },
}

impl EngineError {
    /// Does it only take too long?
    pub(super) const fn is_silence(&self) -> bool {
        matches!(self.problem, EngineProblem::Silent { .. })
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine `{}`: {}", self.command, self.problem)
    }
}

impl fmt::Display for EngineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProgram => f.write_str("empty command, expected a program and its arguments"),
            Self::Start(error) => write!(f, "cannot be started: {error}"),
            Self::Write(error) => write!(f, "does not take commands: {error}"),
            Self::Ended { expected } => write!(f, "has ended, expected `{expected}`"),
            Self::Silent { expected, waited } => {
                write!(f, "says nothing for {} seconds, expected `{expected}`", waited.as_secs())
            }
        }
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            EngineProblem::Start(error) | EngineProblem::Write(error) => Some(error),
            _ => None,
        }
    }
}
