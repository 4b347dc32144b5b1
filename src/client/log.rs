//! A log of all communication with engines.

use parking_lot::Mutex;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Logs the lines to and from engines. Clones write to the same place; a
/// log without a file costs nothing.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Open>>);

struct Open {
    output: Mutex<BufWriter<File>>,
    start: Instant,
}

/// The direction of a line.
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
        let file = File::options().create(true).append(true).open(path)?;
        let open = Open { output: Mutex::new(BufWriter::new(file)), start: Instant::now() };
        Ok(Self(Some(Arc::new(open))))
    }

    /// Writes a line: seconds since the log was opened, the engine, the direction, the text. A log
    /// that cannot be written must not end a match, so errors are ignored.
    pub(super) fn line(&self, engine: &str, direction: Direction, text: &[u8]) {
        let Some(open) = &self.0 else { return };
        let seconds = open.start.elapsed().as_secs_f64();
        let sign = match direction {
            Direction::To => '>',
            Direction::From => '<',
            Direction::Error => '!',
        };
        let mut output = open.output.lock();
        let _ = writeln!(output, "{seconds:.6} {engine} {sign} {}", String::from_utf8_lossy(text));
        if direction != Direction::From {
            let _ = output.flush();
        }
    }
}
