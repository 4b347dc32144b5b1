//! A running engine process.

use super::signals::heed;
use crossbeam_channel::{Receiver, unbounded};
use hematite::uci::{Info, Message};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for expected events. It affects only tests that fail.
const PATIENCE: Duration = Duration::from_secs(60);

/// The binary under test: the one that the environment variable `HEMATITE_BINARY` names, or the one that cargo has
/// built.
pub(crate) fn binary() -> OsString {
    std::env::var_os("HEMATITE_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_hematite").into())
}

/// An engine process, its input, and the lines of its output.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// All input and output, for messages.
    transcript: Vec<String>,
}

/// The results of an engine process that has ended.
pub(crate) struct Ended {
    /// All lines of the output.
    pub(crate) lines: Vec<String>,
    /// The standard error, which would contain a panic.
    pub(crate) errors: String,
    pub(crate) status: ExitStatus,
}

impl Engine {
    pub(crate) fn start() -> Self {
        Self::run(&mut Command::new(binary()))
    }

    /// An engine whose output is closed.
    pub(crate) fn without_output() -> Self {
        heed();
        let mut child = Command::new(binary())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        drop(child.stdout.take());
        let input = child.stdin.take();
        Self { child, input, output: unbounded().1, transcript: Vec::new() }
    }

    /// An engine that is started by this command.
    pub(crate) fn run(command: &mut Command) -> Self {
        heed();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdout = child.stdout.take().expect("it is piped");
        let (sender, output) = unbounded();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if sender.send(line.expect("the engine writes UTF-8")).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, output, transcript: Vec::new() }
    }

    /// An engine that has received these lines.
    pub(crate) fn told(lines: &[&str]) -> Self {
        let mut engine = Self::start();
        lines.iter().for_each(|line| engine.send(line));
        engine
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.transcript.push(format!("> {line}"));
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the engine reads");
    }

    /// The output up to and including a line with this start.
    pub(crate) fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Ok(line) = self.output.recv_timeout(PATIENCE) else {
                panic!("no `{beginning}...` has come:\n{}", self.transcript.join("\n"));
            };
            self.transcript.push(format!("< {line}"));
            let is_last = line.starts_with(beginning);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// Sends a line, and returns the first line of the output with this start.
    pub(crate) fn ask(&mut self, line: &str, beginning: &str) -> String {
        self.send(line);
        self.until(beginning).pop().expect("the last line is the one waited for")
    }

    /// The output until all sent commands have been executed, except searches that are still running.
    pub(crate) fn until_ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The number of output lines that were waited for so far.
    pub(crate) fn said(&self) -> usize {
        self.transcript.iter().filter(|line| line.starts_with("< ")).count()
    }

    /// The output lines after the first `first` ones.
    pub(crate) fn lines_from(&self, first: usize) -> Vec<&str> {
        self.transcript.iter().filter_map(|line| line.strip_prefix("< ")).skip(first).collect()
    }

    /// The recent input and output, for messages.
    pub(crate) fn transcript(&self) -> String {
        const LATELY: usize = 100;
        self.transcript[self.transcript.len().saturating_sub(LATELY)..].join("\n")
    }

    /// Closes the input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Sends a signal.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let process = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(process, signal).expect("it can be sent");
    }

    /// Closes the input and waits for the end of the process.
    pub(crate) fn end(mut self) -> Ended {
        self.close();
        self.end_by_itself()
    }

    /// Waits for the end of the process.
    pub(crate) fn end_by_itself(mut self) -> Ended {
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => self.transcript.push(format!("< {line}")),
                Err(error) if error.is_disconnected() => break,
                Err(_) => panic!("the engine does not end:\n{}", self.transcript.join("\n")),
            }
        }
        let status = self.child.wait().expect("the engine has ended");
        let errors = self.errors();
        let said = self.transcript.iter().filter_map(|line| line.strip_prefix("< "));
        Ended { lines: said.map(str::to_owned).collect(), errors, status }
    }

    /// Sends a last text and closes the output, as a GUI that crashes would. The input remains open: the engine
    /// receives `isready` until it ends.
    pub(crate) fn end_unheard(mut self, last_words: &str) -> Ended {
        self.send(last_words);
        // The thread that reads the pipe closes it when it finds nobody to give a line to.
        self.output = unbounded().1;
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the engine can be asked for") {
                break status;
            }
            assert!(started.elapsed() < PATIENCE, "the engine does not end after {last_words}");
            let input = self.input.as_mut().expect("the input is open");
            let _ = input.write_all(b"isready\n"); // it may have ended by now
            thread::sleep(Duration::from_millis(1));
        };
        Ended { lines: Vec::new(), errors: self.errors(), status }
    }

    fn errors(&mut self) -> String {
        let mut errors = String::new();
        let mut stderr = self.child.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut errors).expect("messages are UTF-8");
        errors
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Most often it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    /// Checks that the process has ended without an error.
    #[track_caller]
    pub(crate) fn assert_well(&self) {
        assert!(self.status.success(), "{}: {}\n{}", self.status, self.errors, self.lines.join("\n"));
        assert_eq!(self.errors, "");
    }

    /// The number of lines with this start.
    pub(crate) fn count(&self, beginning: &str) -> usize {
        self.lines.iter().filter(|line| line.starts_with(beginning)).count()
    }
}

/// The `info` lines among these lines.
pub(crate) fn infos(lines: &[String]) -> Vec<Info> {
    let read = |line: &String| match Message::parse(line.as_bytes()) {
        Some(Message::Info(info)) => Some(*info),
        _ => None,
    };
    lines.iter().filter_map(read).collect()
}

/// Sends a text to an engine at once, closes its input, and checks that it ends without an error.
pub(crate) fn talk(text: impl AsRef<[u8]>) -> Ended {
    let mut engine = Engine::start();
    engine.send_bytes(text.as_ref());
    let ended = engine.end();
    ended.assert_well();
    ended
}
