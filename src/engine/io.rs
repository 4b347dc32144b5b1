//! Input and output of the engine, and the debug log of both.

use crate::files::{Stamp, Transcript, check_regular, read_line};
use crate::uci::Info;
use crossbeam_channel::{Receiver, bounded};
use parking_lot::Mutex;
use std::fmt::{self, Write as _};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// The name of the engine in `id name`.
pub const NAME: &str = concat!("Hematite ", env!("CARGO_PKG_VERSION"));

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// The bytes of the line without its line end.
    Line(Vec<u8>),
    /// The line was longer than [`LONGEST_LINE`] and has been dropped.
    TooLong,
}

/// The maximum length of a line, in bytes: a hundred times the longest possible game. With a limit, an input without
/// line ends does not fill the memory.
pub(super) const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// The maximum number of lines that wait for the session. It limits the memory; the session hardly ever lags.
const QUEUE: usize = 1024;

/// Starts a thread that reads lines until the end of the input; then the channel closes. An input error counts as the
/// end.
///
/// # Errors
/// If the system cannot start a thread.
pub(super) fn read_lines(input: impl Read + Send + 'static) -> io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(QUEUE);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(line)) = read_line(&mut input, LONGEST_LINE) {
            let line = if line.is_cut { Input::TooLong } else { Input::Line(line.bytes) };
            if sender.send(line).is_err() {
                break; // the session is over
            }
        }
    })?;
    Ok(receiver)
}

/// Writes whole lines from any thread, and flushes each. The output is closed after a failed write.
pub(super) struct Writer {
    /// The output; `None` after a failed write.
    output: Mutex<Option<Box<dyn Write + Send>>>,
    /// The log that records the same lines.
    log: Arc<DebugLog>,
}

impl Writer {
    pub(super) fn new(output: impl Write + Send + 'static, log: Arc<DebugLog>) -> Self {
        Self { output: Mutex::new(Some(Box::new(output))), log }
    }

    /// Writes one line, or several lines that are not separated.
    pub(super) fn print(&self, text: impl fmt::Display) {
        let mut line = String::new();
        // If `Display` fails, the text written so far is used.
        let _ = write!(line, "{text}");
        if !line.ends_with('\n') {
            line.push('\n');
        }
        let mut output = self.output.lock();
        let Some(open) = output.as_mut() else { return };
        self.log.output(&line);
        if open.write_all(line.as_bytes()).and_then(|()| open.flush()).is_err() {
            *output = None;
        }
    }

    /// Prints a message to the user: `info string ...`.
    pub(super) fn info(&self, text: impl fmt::Display) {
        self.print(Info::text(text.to_string()));
    }

    /// Whether a write has failed.
    pub(super) fn is_closed(&self) -> bool {
        self.output.lock().is_none()
    }
}

/// The debug log: all lines of input, marked `>`, and of output, marked `<`.
#[derive(Default)]
pub(super) struct DebugLog(Mutex<Option<Open>>);

/// A log that is open.
struct Open {
    transcript: Transcript,
    path: PathBuf,
}

impl DebugLog {
    /// Starts a log that is appended to this file, and replaces the former one.
    ///
    /// # Errors
    /// If the file cannot be opened, or is not a regular file, which might block its writer. The former log is closed.
    pub(super) fn open(&self, path: &Path) -> io::Result<()> {
        self.close();
        match check_regular(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {} // it is created
            result => result?,
        }
        let transcript = Transcript::open(path, Stamp::UnixTime)?;
        transcript.record(format_args!("# {NAME}, process {}", std::process::id()));
        *self.0.lock() = Some(Open { transcript, path: path.to_owned() });
        Ok(())
    }

    /// Closes the log.
    pub(super) fn close(&self) {
        let open = self.0.lock().take();
        drop(open); // outside of the lock, since dropping it waits for the disk
    }

    /// Records a line of input.
    pub(super) fn input(&self, line: &[u8]) {
        if let Some(open) = &*self.0.lock() {
            open.transcript.record(format_args!("> {}", String::from_utf8_lossy(line).trim_end()));
        }
    }

    /// Records one or several lines of output.
    pub(super) fn output(&self, text: &str) {
        if let Some(open) = &*self.0.lock() {
            text.lines().for_each(|line| open.transcript.record(format_args!("< {line}")));
        }
    }

    /// The file and the error of a log that has failed since the last call.
    pub(super) fn failure(&self) -> Option<(PathBuf, io::Error)> {
        let mut open = self.0.lock();
        let error = open.as_ref()?.transcript.failure()?;
        open.take().map(|open| (open.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    // Writer

    /// Accepts a few writes, then fails like a closed pipe.
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
        writer.print("one");
        writer.print("two\nlines\n");
        assert!(!writer.is_closed());
        writer.print("lost");
        assert!(writer.is_closed());
        writer.info("lost too");
        assert_eq!(taken.lock().as_slice(), b"one\ntwo\nlines\n");
    }

    // Debug log

    #[test]
    fn lines_are_recorded_while_the_log_is_open() {
        let path = std::env::temp_dir().join(format!("hematite-log-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let log = DebugLog::default();
        log.input(b"lost, as there is no log yet");
        log.open(&path).expect("it can be written");
        log.input(b"go depth 1\r");
        log.output("info depth 1\nbestmove e2e4\n");
        log.close();
        log.output("lost, as the log is closed");
        log.open(&path).expect("it goes on");
        log.close();
        let text = fs::read_to_string(&path).expect("it was written");
        let lines: Vec<_> = text.lines().map(|line| line.split_once(' ').expect("a time")).collect();
        assert!(lines.iter().all(|(time, _)| time.parse::<f64>().is_ok()), "{text}");
        let records: Vec<_> = lines.iter().map(|(_, text)| *text).collect();
        assert_eq!(records[1..4], ["> go depth 1", "< info depth 1", "< bestmove e2e4"]);
        assert!(
            records.len() == 5 && records[0].starts_with("# Hematite") && records[4] == records[0],
            "{text}"
        );
        assert!(log.failure().is_none());
        fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn paths_that_are_not_files_are_refused() {
        let log = DebugLog::default();
        assert!(log.open(&std::env::temp_dir()).is_err());
        let file = std::env::current_exe().expect("the program is a file");
        assert!(log.open(&file.join("all.log")).is_err(), "a file is not a folder");
        log.output("nothing happens");
    }
}
