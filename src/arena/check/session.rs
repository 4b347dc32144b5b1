//! The process of an engine that is being checked.

use crate::chess::{Move, Position};
use crate::client::{EngineConfig, EngineError, Launcher, Log, Process, ReceiveError, SearchReply, Timeouts};
use crate::notation::{Excerpt, parse_uci_move};
use crate::uci::{Message, OptionDeclaration};
use std::time::{Duration, Instant};

/// The maximum number of options, far more than engines have, so that endless declarations do not fill the memory.
const MAX_OPTIONS: usize = 10_000;

/// An engine and the facts found about it so far.
pub(super) struct Session {
    process: Process,
    pub timeouts: Timeouts,
    pub name: Option<String>,
    pub author: Option<String>,
    pub options: Vec<OptionDeclaration>,
    /// The first line that starts like an option declaration but is not valid.
    pub bad_option: Option<String>,
    is_alive: bool,
    is_mute: bool,
}

impl Session {
    pub(super) fn start(
        settings: &EngineConfig,
        timeouts: Timeouts,
        launcher: &Launcher,
        log: &Log,
    ) -> Result<Self, EngineError> {
        let process = Process::start(settings, &settings.command, launcher, log)?;
        Ok(Self {
            process,
            timeouts,
            name: None,
            author: None,
            options: Vec::new(),
            bad_option: None,
            is_alive: true,
            is_mute: false,
        })
    }

    /// Whether the engine still answers.
    pub(super) const fn is_alive(&self) -> bool {
        self.is_alive
    }

    /// Whether the engine has answered neither `go` nor the `stop` after it.
    pub(super) const fn is_mute(&self) -> bool {
        self.is_mute
    }

    pub(super) fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    pub(super) const fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Marks the process as ended.
    pub(super) const fn retire(&mut self) {
        self.is_alive = false;
    }

    pub(super) fn introduce(&mut self) -> Result<(), String> {
        self.send("uci");
        let begin = Instant::now();
        loop {
            let line = self.line(begin, self.timeouts.start, "uciok")?;
            match Message::parse(&line) {
                Some(Message::UciOk) => return Ok(()),
                Some(Message::Name(name)) => self.name = Some(name),
                Some(Message::Author(author)) => self.author = Some(author),
                Some(Message::Option(_)) if self.options.len() == MAX_OPTIONS => {
                    return Err(format!("more than {MAX_OPTIONS} options, expected uciok"));
                }
                Some(Message::Option(option)) => self.options.push(option),
                None if line.starts_with(b"option") => {
                    self.bad_option.get_or_insert_with(|| String::from_utf8_lossy(&line).into_owned());
                }
                _ => {}
            }
        }
    }

    pub(super) fn ready(&mut self) -> Result<Duration, String> {
        let begin = Instant::now();
        self.send("isready");
        let timeout = self.timeouts.ping;
        while Message::parse(&self.line(begin, timeout, "readyok")?) != Some(Message::ReadyOk) {}
        Ok(begin.elapsed())
    }

    /// The next line of any kind; an error that states `awaited` if none arrives within `timeout` of `begin`.
    fn line(&mut self, begin: Instant, timeout: Duration, awaited: &str) -> Result<Vec<u8>, String> {
        let received = self.process.receive(begin + timeout);
        received.map(|line| line.bytes).map_err(|error| self.give_up(error, begin, awaited))
    }

    /// Marks the process as ended, and describes the reason.
    fn give_up(&mut self, error: ReceiveError, begin: Instant, awaited: &str) -> String {
        self.is_alive = false;
        match error {
            ReceiveError::Timeout => {
                format!("no answer in {:.1} s, expected {awaited}", begin.elapsed().as_secs_f64())
            }
            ReceiveError::Closed => {
                let words = self.process.last_words().unwrap_or_default();
                format!("the engine has ended, expected {awaited} {words}").trim_end().to_owned()
            }
        }
    }

    /// Waits for the answer to a `go` that was sent at `begin`. A search that takes too long is stopped, which is
    /// always an error.
    pub(super) fn answer(&mut self, begin: Instant, timeout: Duration) -> Result<SearchReply, String> {
        const AWAITED: &str = "bestmove";
        let mut reply = SearchReply::default();
        let mut deadline = begin + timeout;
        let mut has_stopped = false;
        loop {
            match self.process.receive(deadline) {
                Ok(line) => match Message::parse(&line.bytes) {
                    Some(Message::Info(info)) => reply.add(*info),
                    Some(Message::BestMove { .. }) if has_stopped => {
                        let waited = timeout.as_secs_f64();
                        return Err(format!(
                            "no answer in {waited:.1} s, expected {AWAITED}; it came after `stop`"
                        ));
                    }
                    Some(Message::BestMove { best, ponder }) => {
                        let elapsed = line.at.saturating_duration_since(begin);
                        return Ok(SearchReply { best, ponder, elapsed, ..reply });
                    }
                    _ => {}
                },
                Err(ReceiveError::Timeout) if !has_stopped => {
                    has_stopped = true;
                    self.send("stop");
                    deadline = Instant::now() + self.timeouts.stop;
                }
                Err(error) => {
                    self.is_mute = error == ReceiveError::Timeout;
                    return Err(self.give_up(error, begin, AWAITED));
                }
            }
        }
    }

    /// Sends a position and a `go`, and waits for the answer.
    pub(super) fn search(&mut self, position: &str, go: &str) -> Result<SearchReply, String> {
        self.send(position);
        let begin = Instant::now();
        self.send(go);
        self.answer(begin, self.timeouts.think)
    }

    /// Fails if a `bestmove` arrives within this time.
    pub(super) fn expect_silence(&mut self, during: Duration, why: &str) -> Result<(), String> {
        let deadline = Instant::now() + during;
        loop {
            match self.process.receive(deadline) {
                Ok(line) => {
                    if let Some(Message::BestMove { .. }) = Message::parse(&line.bytes) {
                        return Err(format!("bestmove came {why}"));
                    }
                }
                Err(ReceiveError::Timeout) => return Ok(()),
                Err(ReceiveError::Closed) => {
                    self.is_alive = false;
                    return Err("the engine has ended".to_owned());
                }
            }
        }
    }
}

/// The best move of an answer; an error if it is not legal.
pub(super) fn legal(reply: &SearchReply, position: &Position) -> Result<Move, String> {
    let text = reply.best.as_deref().ok_or("bestmove names no move, expected a legal one")?;
    parse_uci_move(text, position).map_err(|error| format!("bestmove {}: {error}", Excerpt::new(text)))
}
