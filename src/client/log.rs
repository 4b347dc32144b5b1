//! A log of all communication with engines.

use crate::files::{Stamp, Transcript};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Logs the lines to and from engines. Clones write to the same place; a
/// log without a file costs nothing.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Transcript>>);

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// To the engine.
    To,
    /// From the engine's output.
    From,
    /// From the engine's standard error.
    Error,
}

impl Log {
    /// A log that is written to the end of this file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(Some(Arc::new(Transcript::open(path, Stamp::SinceOpened)?))))
    }

    /// Appends a line: seconds since the log was opened, the engine, the direction, the text. A log
    /// that cannot be written must not end a match, so errors are ignored.
    pub(super) fn line(&self, engine: &str, direction: Direction, text: &[u8]) {
        let Some(transcript) = &self.0 else { return };
        let sign = match direction {
            Direction::To => '>',
            Direction::From => '<',
            Direction::Error => '!',
        };
        transcript.record(format_args!("{engine} {sign} {}", String::from_utf8_lossy(text)));
    }
}
