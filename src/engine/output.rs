//! Output of the engine, and the debug log of input and output.

use super::about::NAME;
use crate::files::check_regular;
use crate::uci::Info;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use parking_lot::Mutex;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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

/// Writes lines to a file, each with the time: seconds and milliseconds since 1970, `>` for
/// what was heard and `<` for what was said.
///
/// Nobody ever waits for the file: a thread of its own writes it, and what comes faster than
/// that can is lost, and its number told.
#[derive(Default)]
pub(super) struct DebugLog(Mutex<Option<Open>>);

/// A log that is being written.
struct Open {
    lines: Sender<String>,
    /// Closed when all is written.
    finished: Receiver<()>,
    failure: Receiver<io::Error>,
    path: PathBuf,
    lost: u64,
}

/// How many lines may wait for the disk.
const QUEUE: usize = 100_000;
/// How long to wait for the disk at the end.
const PATIENCE: Duration = Duration::from_secs(1);

impl DebugLog {
    /// Begins a log at the end of this file, in place of any other.
    ///
    /// # Errors
    /// If it cannot be opened, or is something that might keep its writer waiting. The former
    /// log is over.
    pub(super) fn open(&self, path: &Path) -> io::Result<()> {
        self.close();
        match check_regular(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {} // it is made
            result => result?,
        }
        let file = File::options().create(true).append(true).open(path)?;
        let (lines, queue) = bounded::<String>(QUEUE);
        let (finish, finished) = bounded(0);
        let (fail, failure) = bounded(1);
        thread::Builder::new().name("log".to_owned()).spawn(move || {
            if let Err(error) = write(BufWriter::new(file), &queue) {
                let _ = fail.send(error); // there is room for one
            }
            drop(finish);
        })?;
        *self.0.lock() = Some(Open { lines, finished, failure, path: path.to_owned(), lost: 0 });
        self.record('#', &format!("{NAME}, process {}", std::process::id()));
        Ok(())
    }

    /// Ends the log and waits until all is written, though not forever.
    pub(super) fn close(&self) {
        if let Some(Open { lines, finished, .. }) = self.0.lock().take() {
            drop(lines);
            let _ = finished.recv_timeout(PATIENCE);
        }
    }

    /// Notes a line that was heard.
    pub(super) fn heard(&self, line: &[u8]) {
        if self.0.lock().is_some() {
            self.record('>', String::from_utf8_lossy(line).trim_end());
        }
    }

    /// Notes one or several lines that were said.
    pub(super) fn said(&self, text: &str) {
        if self.0.lock().is_some() {
            text.lines().for_each(|line| self.record('<', line));
        }
    }

    /// Why the log has ended by itself since this was last asked, if it has: its file and what
    /// went wrong with it.
    pub(super) fn failure(&self) -> Option<(PathBuf, io::Error)> {
        let mut open = self.0.lock();
        let error = open.as_ref()?.failure.try_recv().ok()?;
        open.take().map(|open| (open.path, error))
    }

    fn record(&self, sign: char, text: &str) {
        let mut open = self.0.lock();
        let Some(Open { lines, lost, .. }) = open.as_mut() else { return };
        let mut line = stamped(sign, text);
        if *lost > 0 {
            line = format!("{}{line}", stamped('#', &format!("{lost} lines are missing here")));
        }
        match lines.try_send(line) {
            Ok(()) => *lost = 0,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => *lost += 1,
        }
    }
}

fn stamped(sign: char, text: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}.{:03} {sign} {text}\n", now.as_secs(), now.subsec_millis())
}

/// Writes lines until there are no more, and flushes whenever there are none for now.
fn write(mut file: BufWriter<File>, lines: &Receiver<String>) -> io::Result<()> {
    while let Ok(line) = lines.recv() {
        file.write_all(line.as_bytes())?;
        if lines.is_empty() {
            file.flush()?;
        }
    }
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    // Writer

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

    // Debug log

    #[test]
    fn lines_are_stamped_and_kept_in_order() {
        let path = std::env::temp_dir().join(format!("hematite-log-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let log = DebugLog::default();
        log.heard(b"lost, as there is no log yet");
        log.open(&path).expect("it can be written");
        log.heard(b"go depth 1\r");
        log.said("info depth 1\nbestmove e2e4\n");
        log.close();
        log.said("lost, as the log is closed");
        log.open(&path).expect("it goes on");
        log.close();
        let text = fs::read_to_string(&path).expect("it was written");
        let lines: Vec<_> = text.lines().map(|line| line.split_once(' ').expect("a time")).collect();
        assert!(lines.iter().all(|(time, _)| time.parse::<f64>().is_ok()), "{text}");
        let said: Vec<_> = lines.iter().map(|(_, said)| *said).collect();
        assert_eq!(said[1..4], ["> go depth 1", "< info depth 1", "< bestmove e2e4"]);
        assert!(said.len() == 5 && said[0].starts_with("# Hematite") && said[4] == said[0], "{text}");
        assert!(log.failure().is_none());
        fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let log = DebugLog::default();
        assert!(log.open(&std::env::temp_dir()).is_err());
        assert!(log.open(Path::new("/nowhere/at/all.log")).is_err());
        log.said("nothing happens");
    }
}
