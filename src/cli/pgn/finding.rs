//! What a command has to say about a game.

use crate::notation::pgn::{PgnError, Place};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::{self, Write};

/// Something to be told about a place in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Finding {
    pub line: u64,
    pub column: u64,
    pub offset: u64,
    pub message: String,
}

impl Finding {
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        let Place { offset, line, column } = place;
        Self { line, column, offset, message: message.into() }
    }

    /// Tells it on standard error. If nobody hears it, the games are still worth writing.
    pub(super) fn tell(&self, file: &str, bar: &ProgressBar) {
        let _ = bar.suspend(|| writeln!(io::stderr(), "{}", self.show(file)));
    }

    /// As compilers have it, so that editors find the place.
    pub(super) fn show(&self, file: &str) -> String {
        format!("{file}:{}:{}: {}", self.line, self.column, self.message)
    }
}

impl From<&PgnError> for Finding {
    fn from(error: &PgnError) -> Self {
        Self::new(error.place, error.problem.to_string())
    }
}
