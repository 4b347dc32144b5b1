//! The process of a running engine, with the lines to and from it.

use super::process_group::Group;
use super::{EngineConfig, EngineError, Launcher};
use crate::files::{self, Stamp, Transcript, append_lines};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, ExitStatus};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Logs the lines to and from engines. Clones write to the same file; a log without a file costs nothing.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Transcript>>);

/// The direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    /// Sent to the engine.
    To,
    /// Received from the engine's standard output.
    From,
    /// Received from the engine's standard error.
    Error,
}

impl Log {
    /// A log that is appended to this file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(Some(Arc::new(Transcript::open(path, Stamp::SinceOpened)?))))
    }

    /// Appends a line with the seconds since the log was opened, the engine, the direction and the text. Errors are
    /// ignored, since a log that cannot be written must not end a match.
    fn line(&self, engine: &str, direction: Direction, text: &[u8]) {
        let Some(transcript) = &self.0 else { return };
        let sign = match direction {
            Direction::To => '>',
            Direction::From => '<',
            Direction::Error => '!',
        };
        transcript.record(format_args!("{engine} {sign} {}", String::from_utf8_lossy(text)));
    }
}

/// A line from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The bytes of the line without its line end.
    pub bytes: Vec<u8>,
    /// The time at which the line was read.
    pub at: Instant,
}

/// The reason why no line was received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReceiveError {
    /// The deadline has passed.
    Timeout,
    /// The engine has closed its output, in most cases because it has ended.
    Closed,
}

/// The number of lines of standard error that are kept, the latest ones.
const LAST_WORDS: usize = 5;
/// The time to wait for the last lines of a process that has closed its output.
const LAST_WORDS_TIMEOUT: Duration = Duration::from_millis(50);

/// A process with its input and output. It is killed, together with all processes that it has started, when it is
/// dropped.
pub struct Process {
    name: String,
    group: Group,
    /// The input; `None` when it is closed.
    input: Option<Input>,
    output: Receiver<Line>,
    /// A line that arrived after the deadline of its receiver.
    late: Option<Line>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    errors_closed: Receiver<()>,
    log: Log,
}

impl Process {
    /// Starts an engine, whose name in the log is `name`.
    ///
    /// # Errors
    /// [`EngineError::NotFound`] or [`EngineError::Start`].
    pub fn start(
        settings: &EngineConfig,
        name: &str,
        launcher: &Launcher,
        log: &Log,
    ) -> Result<Self, EngineError> {
        let mut file = match &settings.stderr {
            Some(path) => {
                Some(append_lines(path).map_err(|error| EngineError::Stderr { path: path.clone(), error })?)
            }
            None => None,
        };
        let failed = |error| EngineError::Start { command: settings.command.clone(), error };
        let mut group = launcher.start(settings)?;
        let leader = group.leader();
        let (input, output, errors) = (leader.stdin.take(), leader.stdout.take(), leader.stderr.take());
        let (Some(input), Some(output), Some(errors)) = (input, output, errors) else {
            return Err(failed(io::Error::other("its streams are not piped")));
        };
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let (closed, errors_closed) = crossbeam_channel::bounded(0);
        let process = Self {
            name: name.to_owned(),
            group,
            input: Some(Input::new(input).map_err(failed)?),
            output: spawn_reader(output).map_err(failed)?,
            late: None,
            last_words: Arc::clone(&last_words),
            errors_closed,
            log: log.clone(),
        };
        let (name, log) = (name.to_owned(), log.clone());
        for_each_line(errors, move |line| {
            let _ends_with_the_thread = &closed;
            log.line(&name, Direction::Error, &line);
            if let Some(file) = &mut file {
                // A single call, so that the lines of several processes do not mix. Errors are ignored, since a full
                // disk must not end a match.
                let _ = file.write_all(&[&line[..], b"\n"].concat());
            }
            let mut words: parking_lot::MutexGuard<'_, VecDeque<String>> = last_words.lock();
            if words.len() == LAST_WORDS {
                words.pop_front();
            }
            words.push_back(String::from_utf8_lossy(&line).into_owned());
            true
        })
        .map_err(failed)?;
        Ok(process)
    }

    /// The process ID.
    pub fn id(&self) -> u32 {
        self.group.id()
    }

    /// Sends a line without waiting for the engine to read it. An engine that no longer reads is detected when it does
    /// not answer.
    pub fn send(&mut self, line: &str) {
        self.log.line(&self.name, Direction::To, line.as_bytes());
        self.input = self.input.take().and_then(|input| input.send(line));
    }

    /// The next line that arrives before the deadline, even if the engine sends lines without pause.
    ///
    /// # Errors
    /// [`ReceiveError`] if none arrives.
    pub fn receive(&mut self, deadline: Instant) -> Result<Line, ReceiveError> {
        let line = match self.late.take() {
            Some(line) => line,
            None => match self.output.recv_deadline(deadline) {
                Ok(line) => {
                    self.log.line(&self.name, Direction::From, &line.bytes);
                    line
                }
                Err(RecvTimeoutError::Timeout) => return Err(ReceiveError::Timeout),
                Err(RecvTimeoutError::Disconnected) => return Err(ReceiveError::Closed),
            },
        };
        if line.at > deadline {
            self.late = Some(line);
            return Err(ReceiveError::Timeout);
        }
        Ok(line)
    }

    /// Drops all lines that have arrived without being requested.
    pub fn skip_pending(&mut self) {
        let now = Instant::now();
        while self.receive(now).is_ok() {}
    }

    /// The last line on the engine's standard error that is not blank.
    pub fn last_words(&self) -> Option<String> {
        let _ = self.errors_closed.recv_timeout(LAST_WORDS_TIMEOUT);
        self.last_words.lock().iter().rev().find(|line| !line.trim().is_empty()).cloned()
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits until the engine closes its output, as it does when it ends, and drops the lines received. Returns `false`
    /// if it does not end in time.
    pub fn wait_for_end(&mut self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        loop {
            match self.receive(deadline) {
                Ok(_) => {}
                Err(error) => return error == ReceiveError::Closed,
            }
        }
    }

    /// The exit status of the process; `None` if it has not ended within this time.
    pub fn exit_status(&mut self, timeout: Duration) -> Option<ExitStatus> {
        self.group.exit_status(timeout)
    }
}

/// The maximum number of lines that wait until the engine reads them: more than are sent while no answer is expected,
/// and few enough not to fill the memory.
const INPUT_QUEUE: usize = 4096;

/// The standard input of an engine, which is closed on drop. An engine that does not read cannot block the sender.
pub(super) enum Input {
    /// Lines are written directly, without waiting: the pipe has room for many kilobytes.
    #[cfg(unix)]
    Direct(ChildStdin),
    /// The pipe was full, or the system does not support writing without waiting: a thread writes and waits. It ends
    /// when the engine does.
    Queued(Sender<Vec<u8>>),
}

impl Input {
    /// Takes over the input pipe of an engine that was just started.
    ///
    /// # Errors
    /// If the system cannot write without waiting, or cannot start a thread.
    pub(super) fn new(pipe: ChildStdin) -> io::Result<Self> {
        #[cfg(unix)]
        {
            rustix::io::ioctl_fionbio(&pipe, true)?;
            Ok(Self::Direct(pipe))
        }
        #[cfg(not(unix))]
        spawn_writer(pipe).map(Self::Queued)
    }

    /// Sends a line. `None` if that is no longer possible: the engine has ended, or leaves too many lines unread.
    pub(super) fn send(self, line: &str) -> Option<Self> {
        let line = format!("{line}\n").into_bytes();
        match self {
            #[cfg(unix)]
            Self::Direct(mut pipe) => {
                let written = write_without_waiting(&mut pipe, &line)?;
                if written == line.len() {
                    return Some(Self::Direct(pipe));
                }
                rustix::io::ioctl_fionbio(&pipe, false).ok()?;
                enqueue(spawn_writer(pipe).ok()?, line[written..].to_vec())
            }
            Self::Queued(lines) => enqueue(lines, line),
        }
    }
}

/// Queues bytes for the writing thread; `None` if too many lines wait already.
fn enqueue(lines: Sender<Vec<u8>>, bytes: Vec<u8>) -> Option<Input> {
    lines.try_send(bytes).ok()?;
    Some(Input::Queued(lines))
}

/// Writes as many bytes as fit, and returns their number; `None` if the engine cannot read them.
#[cfg(unix)]
fn write_without_waiting(pipe: &mut ChildStdin, bytes: &[u8]) -> Option<usize> {
    let mut written = 0;
    while written < bytes.len() {
        match pipe.write(&bytes[written..]) {
            Ok(0) => return None,
            Ok(more) => written += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(_) => return None,
        }
    }
    Some(written)
}

/// Starts a thread that writes the bytes it receives, regardless of the time it takes.
fn spawn_writer(mut pipe: ChildStdin) -> io::Result<Sender<Vec<u8>>> {
    let (sender, pieces) = bounded::<Vec<u8>>(INPUT_QUEUE);
    thread::Builder::new().name("engine input".to_owned()).spawn(move || {
        for bytes in pieces {
            if pipe.write_all(&bytes).is_err() {
                break;
            }
        }
    })?;
    Ok(sender)
}

/// The maximum length of lines, in bytes; the rest of a longer line is dropped. The longest meaningful lines contain a
/// variation and have a few kilobytes.
const LONGEST_LINE: usize = 64 * 1024;

/// The maximum number of lines that wait. An engine that sends more is blocked, so that it cannot fill the memory.
const OUTPUT_QUEUE: usize = 4096;

/// Starts a thread that reads lines, each with the time at which it arrived, until the end of the output; then the
/// channel closes.
///
/// # Errors
/// If the system cannot start a thread.
pub(super) fn spawn_reader(output: impl Read + Send + 'static) -> io::Result<Receiver<Line>> {
    let (sender, receiver) = bounded(OUTPUT_QUEUE);
    for_each_line(output, move |bytes| sender.send(Line { bytes, at: Instant::now() }).is_ok())?;
    Ok(receiver)
}

/// Starts a thread that passes each line to `take` until the output ends or `take` returns `false`.
///
/// # Errors
/// If the system cannot start a thread.
pub(super) fn for_each_line(
    output: impl Read + Send + 'static,
    mut take: impl FnMut(Vec<u8>) -> bool + Send + 'static,
) -> io::Result<()> {
    thread::Builder::new().name("engine output".to_owned()).spawn(move || {
        let mut output = BufReader::new(output);
        while let Some(line) = read_line(&mut output, LONGEST_LINE) {
            if !take(line) {
                break;
            }
        }
    })?;
    Ok(())
}

/// Reads a line without its end, and at most `longest` bytes of it; `None` at the end of the output.
fn read_line(output: &mut impl BufRead, longest: usize) -> Option<Vec<u8>> {
    // An output that cannot be read is treated as ended.
    let mut line = files::read_line(output, longest).ok()??.bytes;
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_bounded() {
        let cases: [(&str, &[u8], &[&str]); 6] = [
            ("nothing", b"", &[]),
            ("two", b"uciok\nreadyok\n", &["uciok", "readyok"]),
            ("carriage returns", b"uciok\r\n\r\n", &["uciok", ""]),
            ("no end", b"uciok\nread", &["uciok", "read"]),
            ("just short enough", b"12345678\nx", &["12345678", "x"]),
            ("too long", b"1234567890123\nx\n", &["12345678", "x"]),
        ];
        for (name, text, expected) in cases {
            for capacity in [1, 3, 64] {
                let mut output = BufReader::with_capacity(capacity, text);
                let found: Vec<_> = std::iter::from_fn(|| read_line(&mut output, 8)).collect();
                let found: Vec<_> = found.iter().map(|line| String::from_utf8_lossy(line)).collect();
                assert_eq!(found, expected, "{name}, buffer of {capacity}");
            }
        }
    }
}
