//! A running engine, as lines that go in and come out.

use super::group::Group;
use super::input::Input;
use super::lines::{for_each_line, spawn_reader};
use super::log::Direction;
use super::{EngineError, EngineSettings, Launcher, Log};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A line from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its bytes, without the line end.
    pub bytes: Vec<u8>,
    /// When it was read.
    pub at: Instant,
}

/// Why no line has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The time is over.
    TimeOut,
    /// The engine has closed its output; most often it has ended.
    Closed,
}

/// How many of the last lines on standard error are kept.
const LAST_WORDS: usize = 5;
/// How long to wait for the last words of a process that has closed its output.
const LAST_WORDS_PATIENCE: Duration = Duration::from_millis(50);

/// A process with its input and output. It is killed, with all that it has started, when it is
/// dropped.
pub struct Process {
    name: String,
    group: Group,
    /// `None` when nothing more is to be said.
    input: Option<Input>,
    output: Receiver<Line>,
    /// A line that came after the deadline of who waited for it.
    late: Option<Line>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    errors_closed: Receiver<()>,
    log: Log,
}

impl Process {
    /// Starts an engine, which is called `name` in the log.
    ///
    /// # Errors
    /// [`EngineError::NotFound`] or [`EngineError::Start`].
    pub fn start(
        settings: &EngineSettings,
        name: &str,
        launcher: &Launcher,
        log: &Log,
    ) -> Result<Self, EngineError> {
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

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.group.id()
    }

    /// Sends a line, without waiting for the engine to read it. One that does not read any more
    /// is noticed when it does not answer.
    pub fn send(&mut self, line: &str) {
        self.log.line(&self.name, Direction::To, line.as_bytes());
        self.input = self.input.take().and_then(|input| input.send(line));
    }

    /// The next line that comes before the deadline, even if the engine never stops talking.
    ///
    /// # Errors
    /// [`Silence`] if none comes.
    pub fn receive(&mut self, deadline: Instant) -> Result<Line, Silence> {
        let line = match self.late.take() {
            Some(line) => line,
            None => match self.output.recv_deadline(deadline) {
                Ok(line) => {
                    self.log.line(&self.name, Direction::From, &line.bytes);
                    line
                }
                Err(RecvTimeoutError::Timeout) => return Err(Silence::TimeOut),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Closed),
            },
        };
        if line.at > deadline {
            self.late = Some(line);
            return Err(Silence::TimeOut);
        }
        Ok(line)
    }

    /// Drops the lines that have come and that nobody has waited for.
    pub fn skip_pending(&mut self) {
        let now = Instant::now();
        while self.receive(now).is_ok() {}
    }

    /// The last line that the engine has written to standard error and that says something.
    pub fn last_words(&self) -> Option<String> {
        let _ = self.errors_closed.recv_timeout(LAST_WORDS_PATIENCE);
        self.last_words.lock().iter().rev().find(|line| !line.trim().is_empty()).cloned()
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits until the engine closes its output, as it does when it ends. Lines that come are
    /// dropped. `false` if it does not in time.
    pub fn wait_for_end(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            match self.receive(deadline) {
                Ok(_) => {}
                Err(silence) => return silence == Silence::Closed,
            }
        }
    }

    /// How the process has ended, `None` if it has not within this time.
    pub fn exit_status(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.group.exit_status(patience)
    }
}
