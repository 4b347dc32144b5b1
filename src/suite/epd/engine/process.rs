//! The process of an engine: lines in, lines out, with deadlines.

use super::command_line::words;
use super::error::{EngineError, EngineProblem};
use crate::uci::{Command, Message};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{self, Child, ChildStdin, ChildStdout, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line that is taken as one, in bytes; more is no message of the protocol.
const MAX_LINE: u64 = 64 * 1024;
/// How many messages may wait; after that, the engine does.
const MAX_WAITING: usize = 1024;
/// How long an engine may take to quit.
const FAREWELL: Duration = Duration::from_secs(2);
/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(5);

/// A running engine. It is told to quit when this is dropped, and ended if it does not.
pub(super) struct Process {
    command: String,
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Message>,
}

impl Process {
    pub(super) fn start(command: &str) -> Result<Self, EngineError> {
        let fail = |problem| EngineError { command: command.to_owned(), problem };
        let words = words(command);
        let (program, arguments) = words.split_first().ok_or_else(|| fail(EngineProblem::NoProgram))?;
        let mut child = process::Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| fail(EngineProblem::Start(error)))?;
        let (sender, messages) = bounded(MAX_WAITING);
        let input = child.stdin.take();
        if let Some(output) = child.stdout.take() {
            // It ends with the engine, or when nobody listens any more.
            thread::spawn(move || forward(output, &sender));
        }
        Ok(Self { command: command.to_owned(), child, input, messages })
    }

    pub(super) fn send(&mut self, command: &Command) -> Result<(), EngineError> {
        let result = match &mut self.input {
            Some(input) => writeln!(input, "{command}").and_then(|()| input.flush()),
            None => Ok(()),
        };
        match result {
            // That it has ended is noticed where an answer is expected.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(self.error(EngineProblem::Write(error)))
            }
            _ => Ok(()),
        }
    }

    /// The next message. `expected` is what is waited for in the end, for the error.
    pub(super) fn receive(&self, expected: &'static str, deadline: Instant) -> Result<Message, EngineError> {
        let began = Instant::now();
        self.messages.recv_deadline(deadline).map_err(|error| {
            self.error(match error {
                RecvTimeoutError::Timeout => EngineProblem::Silent { expected, waited: began.elapsed() },
                RecvTimeoutError::Disconnected => EngineProblem::Ended { expected },
            })
        })
    }

    fn error(&self, problem: EngineProblem) -> EngineError {
        EngineError { command: self.command.clone(), problem }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.send(&Command::Quit);
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            // Whoever floods the channel could not end otherwise.
            while self.messages.try_recv().is_ok() {}
            match self.child.try_wait() {
                Ok(None) => thread::sleep(LOOK),
                Ok(Some(_)) | Err(_) => return,
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads what the engine says until it ends.
fn forward(output: ChildStdout, messages: &Sender<Message>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        if let Some(message) = Message::parse(&line)
            && messages.send(message).is_err()
        {
            return;
        }
    }
}
