//! The one way out.

use super::log::DebugLog;
use crate::uci::Info;
use parking_lot::Mutex;
use std::fmt::{self, Write as _};
use std::io::Write;
use std::sync::Arc;

/// Writes whole lines, each flushed, from any thread. When nobody reads any more it becomes
/// silent and says so.
pub(super) struct Writer {
    /// `None` once a write has failed.
    output: Mutex<Option<Box<dyn Write + Send>>>,
    /// Where what is written is noted, too.
    log: Arc<DebugLog>,
}

impl Writer {
    pub(super) fn new(output: impl Write + Send + 'static, log: Arc<DebugLog>) -> Self {
        Self { output: Mutex::new(Some(Box::new(output))), log }
    }

    /// Writes one line, or several that stay together.
    pub(super) fn say(&self, text: impl fmt::Display) {
        let mut line = String::new();
        // A `Display` that fails leaves what it has written so far.
        let _ = write!(line, "{text}");
        if !line.ends_with('\n') {
            line.push('\n');
        }
        let mut output = self.output.lock();
        let Some(open) = output.as_mut() else { return };
        self.log.said(&line);
        if open.write_all(line.as_bytes()).and_then(|()| open.flush()).is_err() {
            *output = None;
        }
    }

    /// Tells the user something: `info string ...`.
    pub(super) fn note(&self, text: impl fmt::Display) {
        self.say(Info::text(text.to_string()));
    }

    /// Has a write failed?
    pub(super) fn is_closed(&self) -> bool {
        self.output.lock().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// Takes a few writes, then fails as a closed pipe does.
    struct Closing {
        taken: Arc<Mutex<Vec<u8>>>,
        left: usize,
    }

    impl Write for Closing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.left = self.left.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
            self.taken.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_output_is_noticed_and_left_alone() {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let writer = Writer::new(Closing { taken: Arc::clone(&taken), left: 2 }, Arc::default());
        writer.say("one");
        writer.say("two\nlines\n");
        assert!(!writer.is_closed());
        writer.say("lost");
        assert!(writer.is_closed());
        writer.note("lost too");
        assert_eq!(taken.lock().as_slice(), b"one\ntwo\nlines\n");
    }
}
