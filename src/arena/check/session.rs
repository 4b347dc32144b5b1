//! An engine process under examination.

use crate::chess::{Move, Position};
use crate::client::{EngineConfig, EngineError, Launcher, Log, Process, ReceiveError};
use crate::notation::{Excerpt, parse_uci_move};
use crate::uci::{Info, Message, OptionDeclaration};
use std::time::{Duration, Instant};

/// The time limits of the checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckTimeouts {
    /// For `uciok` and `readyok`, and for the end of the process.
    pub answer: Duration,
    /// For `bestmove` after `stop`, and beyond the limit of a search.
    pub stop: Duration,
    /// For any other `bestmove`.
    pub search: Duration,
}

impl Default for CheckTimeouts {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(5),
            stop: Duration::from_millis(500),
            search: Duration::from_secs(30),
        }
    }
}

/// The largest number of options, far more than engines have: endless declarations cannot fill our memory.
const MAX_OPTIONS: usize = 10_000;

/// An engine and the facts known about it so far.
pub(super) struct Session {
    process: Process,
    pub timeouts: CheckTimeouts,
    pub name: Option<String>,
    pub author: Option<String>,
    pub options: Vec<OptionDeclaration>,
    /// The first line that starts like a declaration but is not one.
    pub bad_option: Option<String>,
    is_alive: bool,
}

/// The answer to `go`.
pub(super) struct Answer {
    pub best: Option<String>,
    pub digest: InfoDigest,
    pub elapsed: Duration,
}

/// A digest of the `info` lines of a search: an engine that never stops sending them cannot fill our memory.
#[derive(Default)]
pub(super) struct InfoDigest {
    /// The largest depth.
    pub depth: Option<u32>,
    /// The largest number of nodes.
    pub nodes: Option<u64>,
    /// The last line with a score and a variation.
    pub best: Option<Box<Info>>,
}

impl InfoDigest {
    fn add(&mut self, info: Box<Info>) {
        self.depth = self.depth.max(info.depth);
        self.nodes = self.nodes.max(info.nodes);
        if info.score.is_some() && !info.pv.is_empty() {
            self.best = Some(info);
        }
    }
}

impl Session {
    pub(super) fn start(
        settings: &EngineConfig,
        timeouts: CheckTimeouts,
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
        })
    }

    /// Whether it still answers.
    pub(super) const fn is_alive(&self) -> bool {
        self.is_alive
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
            let line = self.line(begin, self.timeouts.answer, "uciok")?;
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
        let patience = self.timeouts.answer;
        while Message::parse(&self.line(begin, patience, "readyok")?) != Some(Message::ReadyOk) {}
        Ok(begin.elapsed())
    }

    /// The next line, whatever it is; an error if `awaited` has not come within `patience` of `begin`.
    fn line(&mut self, begin: Instant, patience: Duration, awaited: &str) -> Result<Vec<u8>, String> {
        self.process.receive(begin + patience).map(|line| line.bytes).map_err(|silence| {
            self.is_alive = false;
            match silence {
                ReceiveError::Timeout => {
                    let waited = begin.elapsed().as_secs_f64();
                    format!("no answer in {waited:.1} s, expected {awaited}")
                }
                ReceiveError::Closed => {
                    let words = self.process.last_words().unwrap_or_default();
                    format!("the engine has ended, expected {awaited} {words}").trim_end().to_owned()
                }
            }
        })
    }

    /// Waits for the answer to a `go` that was sent at `begin`.
    pub(super) fn answer(&mut self, begin: Instant, patience: Duration) -> Result<Answer, String> {
        let mut digest = InfoDigest::default();
        loop {
            match Message::parse(&self.line(begin, patience, "bestmove")?) {
                Some(Message::Info(info)) => digest.add(info),
                Some(Message::BestMove { best, .. }) => {
                    return Ok(Answer { best, digest, elapsed: begin.elapsed() });
                }
                _ => {}
            }
        }
    }

    /// Sends a position and a `go`, and waits for the answer.
    pub(super) fn search(&mut self, position: &str, go: &str) -> Result<Answer, String> {
        self.send(position);
        let begin = Instant::now();
        self.send(go);
        self.answer(begin, self.timeouts.search)
    }

    /// Fails if a `bestmove` comes within this time.
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

impl Answer {
    /// The move, which must be legal.
    pub(super) fn legal(&self, position: &Position) -> Result<Move, String> {
        let text = self.best.as_deref().ok_or("bestmove names no move, expected a legal one")?;
        parse_uci_move(text, position).map_err(|error| format!("bestmove {}: {error}", Excerpt::new(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_keeps_the_largest_figures_and_the_last_line() {
        let mut digest = InfoDigest::default();
        for line in [
            "info depth 3 nodes 10 score cp 1 pv e2e4",
            "info depth 7 currmove e2e4 currmovenumber 1",
            "info depth 4 nodes 90 score cp 2 pv d2d4 d7d5",
            "info depth 5 nodes 80 score cp 3",
            "info string nothing",
        ] {
            let Some(Message::Info(info)) = Message::parse(line.as_bytes()) else { panic!("{line}") };
            digest.add(info);
        }
        assert_eq!((digest.depth, digest.nodes), (Some(7), Some(90)));
        assert_eq!(digest.best.and_then(|info| info.depth), Some(4));
    }
}
