//! A running engine that has answered `uci`, the result of its searches, and their timeouts.

use super::{EngineConfig, EngineError, Launcher, Log, Process, ReceiveError, Timeouts};
use crate::uci::{
    Command, GoTokens, Info, InfoBound, InfoScore, Message, OptionDeclaration, OptionKind, OptionValue,
    PositionTokens, nearest, same_name,
};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An engine that can play.
///
/// After an error it is unusable and should be dropped, which kills its process.
pub struct Engine {
    process: Process,
    name: String,
    author: Option<String>,
    options: Vec<OptionDeclaration>,
    timeouts: Timeouts,
    /// Warnings about options that were not set.
    warnings: Vec<String>,
    is_pondering: bool,
}

/// The maximum number of options that an engine may declare; real engines have far fewer.
const MOST_OPTIONS: usize = 10_000;

/// The option that selects Chess960.
const CHESS960_OPTION: &str = "UCI_Chess960";
/// The interval, during a search, at which to check whether the game must be abandoned.
const INTERRUPTION_CHECK: Duration = Duration::from_millis(100);
/// The option that enables pondering.
const PONDER_OPTION: &str = "Ponder";

impl Engine {
    /// Starts an engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// [`EngineError`] if the engine does not start, does not answer in time, or lacks a required option.
    pub fn start(
        settings: &EngineConfig,
        is_chess960: bool,
        timeouts: Timeouts,
        launcher: &Launcher,
        log: &Log,
    ) -> Result<Self, EngineError> {
        let log_name = settings.name.as_deref().unwrap_or(&settings.command);
        let process = Process::start(settings, log_name, launcher, log)?;
        let mut engine = Self {
            process,
            name: settings.name.clone().unwrap_or_else(|| settings.command.clone()),
            author: None,
            options: Vec::new(),
            timeouts,
            warnings: Vec::new(),
            is_pondering: false,
        };
        engine.introduce(settings.name.is_some())?;
        engine.set_options(settings, is_chess960)?;
        engine.ping()?;
        Ok(engine)
    }

    /// The name of the engine.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The author, as stated by the engine.
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// The options that the engine declares.
    pub fn options(&self) -> &[OptionDeclaration] {
        &self.options
    }

    /// The warnings about its options.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn introduce(&mut self, has_name: bool) -> Result<(), EngineError> {
        self.send(&Command::Uci);
        let (start, timeout) = (Instant::now(), self.timeouts.start);
        loop {
            match self.message("`uciok`", start, timeout)? {
                Message::UciOk => return Ok(()),
                Message::Name(name) if !has_name && !name.is_empty() => self.name = name,
                Message::Author(author) => self.author = Some(author),
                Message::Option(_) if self.options.len() == MOST_OPTIONS => {
                    return Err(EngineError::Options { most: MOST_OPTIONS });
                }
                Message::Option(option) => self.options.push(option),
                _ => {}
            }
        }
    }

    fn set_options(&mut self, settings: &EngineConfig, is_chess960: bool) -> Result<(), EngineError> {
        let declared = |name: &str| self.options.iter().find(|option| same_name(&option.name, name)).cloned();
        let mut commands = Vec::new();
        if is_chess960 {
            let option = declared(CHESS960_OPTION).ok_or_else(|| EngineError::Option {
                name: CHESS960_OPTION.to_owned(),
                problem: "the engine does not have it, but the games are Chess960".to_owned(),
            })?;
            commands.push(Command::SetOption { name: option.name, value: Some("true".to_owned()) });
        }
        if settings.ponders
            && let Some(option) = declared(PONDER_OPTION)
        {
            commands.push(Command::SetOption { name: option.name, value: Some("true".to_owned()) });
        }
        for wanted in &settings.options {
            let Some(option) = declared(&wanted.name) else {
                if wanted.is_required {
                    return Err(self.no_such_option(&wanted.name));
                }
                self.warnings.push(format!("{} has no option {}, it is left out", self.name, wanted.name));
                continue;
            };
            let value = option.kind.parse_value(Some(&wanted.value)).map_err(|error| {
                EngineError::Option { name: option.name.clone(), problem: error.to_string() }
            })?;
            let value = (option.kind != OptionKind::Button).then(|| spelled(value));
            commands.push(Command::SetOption { name: option.name, value });
        }
        commands.iter().for_each(|command| self.send(command));
        Ok(())
    }

    fn no_such_option(&self, name: &str) -> EngineError {
        let names = self.options.iter().map(|option| option.name.as_str());
        let problem = match nearest(name, names) {
            Some(nearest) => format!("the engine does not have it, did you mean {nearest}?"),
            None => "the engine does not have it".to_owned(),
        };
        EngineError::Option { name: name.to_owned(), problem }
    }

    /// Sends `isready`, waits for `readyok`, and returns the time between them.
    ///
    /// # Errors
    /// [`EngineError`] if the answer does not arrive in time.
    pub fn ping(&mut self) -> Result<Duration, EngineError> {
        self.send(&Command::IsReady);
        let (start, timeout) = (Instant::now(), self.timeouts.ping);
        while self.message("`readyok`", start, timeout)? != Message::ReadyOk {}
        Ok(start.elapsed())
    }

    /// Sets an option if the engine has it.
    pub fn set_option(&mut self, name: &str, value: &str) {
        let option = self.options.iter().find(|option| same_name(&option.name, name));
        if let Some(name) = option.map(|option| option.name.clone()) {
            self.send(&Command::SetOption { name, value: Some(value.to_owned()) });
        }
    }

    /// Announces a new game.
    ///
    /// # Errors
    /// [`EngineError`] if the engine is not ready in time.
    pub fn begin_game(&mut self) -> Result<(), EngineError> {
        self.stop_pondering()?;
        self.send(&Command::UciNewGame);
        self.ping().map(|_| ())
    }

    /// Starts a search and waits for its result. The search is stopped after `timeout`: then the elapsed time of the
    /// reply is longer.
    ///
    /// # Errors
    /// [`EngineError`] if the engine ends or does not answer `stop`, or if the search was interrupted. The engine is
    /// then unusable.
    pub fn search(
        &mut self,
        position: &PositionTokens,
        go: &GoTokens,
        timeout: Duration,
        is_interrupted: &AtomicBool,
    ) -> Result<SearchReply, EngineError> {
        let start = self.go(position, go);
        let mut ignore = |_: Option<&Info>| ControlFlow::Continue(());
        self.await_move(start, SearchTimeout::Total(timeout), is_interrupted, &mut ignore)
    }

    /// Starts a search, passes each `info` line to `on_info` (`None` on a timeout tick), and waits for its result. The
    /// search is stopped if `on_info` returns a break, and after `timeout`.
    ///
    /// # Errors
    /// [`EngineError`] if the engine ends, or does not answer `stop`.
    pub fn search_with_info(
        &mut self,
        position: &PositionTokens,
        go: &GoTokens,
        timeout: SearchTimeout,
        on_info: &mut dyn FnMut(Option<&Info>) -> ControlFlow<()>,
    ) -> Result<SearchReply, EngineError> {
        let start = self.go(position, go);
        self.await_move(start, timeout, &AtomicBool::new(false), on_info)
    }

    /// Starts a search, and returns the time at which it started.
    fn go(&mut self, position: &PositionTokens, go: &GoTokens) -> Instant {
        self.process.skip_pending();
        self.process.send(&position.to_string());
        let go = go.to_string();
        let start = Instant::now();
        self.process.send(&go);
        start
    }

    /// Starts to ponder in the position after the expected reply.
    pub fn ponder(&mut self, position: &PositionTokens, go: &GoTokens) {
        self.process.skip_pending();
        self.process.send(&position.to_string());
        self.process.send(&GoTokens { ponder: true, ..go.clone() }.to_string());
        self.is_pondering = true;
    }

    /// Announces that the expected reply was played, and waits for the result as in [`Engine::search`].
    ///
    /// # Errors
    /// The errors of [`Engine::search`].
    pub fn ponder_hit(
        &mut self,
        timeout: Duration,
        is_interrupted: &AtomicBool,
    ) -> Result<SearchReply, EngineError> {
        self.is_pondering = false;
        let start = Instant::now();
        self.send(&Command::PonderHit);
        let mut ignore = |_: Option<&Info>| ControlFlow::Continue(());
        self.await_move(start, SearchTimeout::Total(timeout), is_interrupted, &mut ignore)
    }

    /// Stops pondering, if the engine ponders.
    ///
    /// # Errors
    /// [`EngineError`] if the engine does not answer `stop`.
    pub fn stop_pondering(&mut self) -> Result<(), EngineError> {
        if !std::mem::take(&mut self.is_pondering) {
            return Ok(());
        }
        self.send(&Command::Stop);
        let (start, timeout) = (Instant::now(), self.timeouts.stop);
        while !matches!(self.message("`bestmove` after `stop`", start, timeout)?, Message::BestMove { .. }) {}
        Ok(())
    }

    fn await_move(
        &mut self,
        start: Instant,
        timeout: SearchTimeout,
        is_interrupted: &AtomicBool,
        on_info: &mut dyn FnMut(Option<&Info>) -> ControlFlow<()>,
    ) -> Result<SearchReply, EngineError> {
        let mut reply = SearchReply::default();
        let mut deadline = timeout.deadline(start, start);
        let mut has_stopped = false;
        loop {
            if is_interrupted.load(Ordering::Relaxed) {
                return Err(EngineError::Interrupted);
            }
            let mut must_stop = false;
            let next_look = deadline.min(Instant::now() + INTERRUPTION_CHECK);
            match self.process.receive(next_look) {
                Err(ReceiveError::Timeout) if next_look < deadline => must_stop = on_info(None).is_break(),
                Ok(line) => match Message::parse(&line.bytes) {
                    Some(Message::Info(info)) => {
                        must_stop = on_info(Some(&info)).is_break();
                        reply.add(*info);
                        if !has_stopped {
                            deadline = timeout.deadline(start, line.at);
                        }
                    }
                    Some(Message::BestMove { best, ponder }) => {
                        let elapsed = line.at.saturating_duration_since(start);
                        return Ok(SearchReply { best, ponder, elapsed, ..reply });
                    }
                    _ => {}
                },
                Err(ReceiveError::Timeout) if !has_stopped => must_stop = true,
                Err(error) => return Err(self.error(error, "`bestmove`", start)),
            }
            if must_stop && !has_stopped {
                has_stopped = true;
                self.send(&Command::Stop);
                deadline = Instant::now() + self.timeouts.stop;
            }
        }
    }

    /// Sends `quit` and waits for the process to end. A process that does not end in time is killed.
    pub fn quit(mut self) {
        self.send(&Command::Quit);
        let _ = self.process.wait_for_end(self.timeouts.quit);
    }

    fn send(&mut self, command: &Command) {
        self.process.send(&command.to_string());
    }

    /// The next message within `timeout` of `start`; lines that are not messages are skipped.
    fn message(
        &mut self,
        awaited: &'static str,
        start: Instant,
        timeout: Duration,
    ) -> Result<Message, EngineError> {
        loop {
            match self.process.receive(start + timeout) {
                Ok(line) => {
                    if let Some(message) = Message::parse(&line.bytes) {
                        return Ok(message);
                    }
                }
                Err(error) => return Err(self.error(error, awaited, start)),
            }
        }
    }

    fn error(&self, error: ReceiveError, awaited: &'static str, start: Instant) -> EngineError {
        match error {
            ReceiveError::Timeout => EngineError::Stalled { awaited, waited: start.elapsed() },
            ReceiveError::Closed => {
                EngineError::Disconnected { awaited, last_words: self.process.last_words() }
            }
        }
    }
}

/// The value of an option as written in `setoption`.
fn spelled(value: OptionValue) -> String {
    match value {
        OptionValue::Check(is_on) => is_on.to_string(),
        OptionValue::Spin(number) => number.to_string(),
        OptionValue::Combo(word) => word,
        OptionValue::Text(text) if text.is_empty() => "<empty>".to_owned(),
        OptionValue::Text(text) => text,
        OptionValue::Button => String::new(),
    }
}

/// The result of a search, with the latest `info` about it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SearchReply {
    /// The best move, unparsed; `None` if the engine states that there is none.
    pub best: Option<String>,
    /// The expected reply, unparsed.
    pub ponder: Option<String>,
    /// The time from `go` (or `ponderhit`) to `bestmove`, as measured by this program.
    pub elapsed: Duration,
    /// The latest score from the engine's point of view: an exact one unless there were only bounds.
    pub score: Option<InfoScore>,
    /// The depth of the score, in plies.
    pub depth: Option<u32>,
    /// The selective depth, in plies.
    pub seldepth: Option<u32>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The fill level of the hash table, in permille.
    pub hashfull: Option<u32>,
    /// The number of tablebase hits.
    pub tb_hits: Option<u64>,
    /// The time of the search as stated by the engine.
    pub engine_time: Option<Duration>,
    /// The principal variation, unparsed.
    pub pv: Vec<String>,
}

impl SearchReply {
    /// Adds an `info` line. Only the latest values are kept, however many lines an engine sends.
    pub fn add(&mut self, info: Info) {
        if info.multi_pv.is_some_and(|number| number > 1) {
            return; // not the best line
        }
        self.nodes = info.nodes.or(self.nodes);
        self.nps = info.nodes_per_second.or(self.nps);
        self.hashfull = info.hashfull.or(self.hashfull);
        self.tb_hits = info.tb_hits.or(self.tb_hits);
        self.engine_time = info.time.or(self.engine_time);
        let Some(score) = info.score else { return };
        let has_exact = self.score.is_some_and(|score| score.bound == InfoBound::Exact);
        if score.bound != InfoBound::Exact && has_exact {
            return;
        }
        self.score = Some(score);
        self.depth = info.depth.or(self.depth);
        self.seldepth = info.seldepth.or(self.seldepth);
        if !info.pv.is_empty() {
            self.pv = info.pv;
        }
    }

    /// The difference between the measured time and the engine's time: the latency of both directions. `None` if the
    /// engine has not stated a time.
    pub fn latency(&self) -> Option<Duration> {
        self.engine_time.map(|time| self.elapsed.saturating_sub(time))
    }
}

/// The condition on which a search is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchTimeout {
    /// After this time, regardless of `info` lines.
    Total(Duration),
    /// When this time has passed since the last `info` line.
    Silence(Duration),
}

impl SearchTimeout {
    /// The time at which to stop a search that started at `start`, and whose last `info` line came at `last_info`.
    pub(super) fn deadline(self, start: Instant, last_info: Instant) -> Instant {
        match self {
            Self::Total(total) => start + total,
            Self::Silence(longest) => last_info + longest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::InfoValue;

    // Replies

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let mut reply = SearchReply::default();
        for line in [
            "depth 1 score cp 7 lowerbound nodes 5 pv e2e3",
            "depth 1 score cp 10 nodes 20 pv e2e4",
            "depth 2 multipv 2 score cp -30 nodes 50 pv d2d4",
            "depth 2 seldepth 4 multipv 1 score cp 12 nodes 60 time 7 pv e2e4 e7e5",
            "depth 3 score cp 40 lowerbound nodes 90 pv e2e4",
            "currmove e2e4 nodes 95",
            "string score cp 99",
        ] {
            reply.add(Info::parse(line));
        }
        assert_eq!(reply.score.map(|score| score.value), Some(InfoValue::Centipawns(12)));
        assert_eq!((reply.depth, reply.seldepth, reply.nodes), (Some(2), Some(4), Some(95)));
        assert_eq!(reply.pv, ["e2e4", "e7e5"]);
        reply.elapsed = Duration::from_millis(9);
        assert_eq!(reply.latency(), Some(Duration::from_millis(2)));
    }

    // Timeouts

    #[test]
    fn only_silence_starts_again_with_each_line() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let last_info = start + 5 * second;
        assert_eq!(SearchTimeout::Total(2 * second).deadline(start, last_info), start + 2 * second);
        assert_eq!(SearchTimeout::Silence(2 * second).deadline(start, last_info), start + 7 * second);
    }
}
