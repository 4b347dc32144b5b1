//! Any UCI engine as a solver.

use super::{Answer, Fault, SearchStats, Solver, SolverError, SolverInfo};
use crate::chess::{Move, Position};
use crate::client::{
    Engine, EngineConfig, EngineError, InitialOption, Launcher, Log, SearchTimeout, Timeouts, words,
};
use crate::notation::{CastlingStyle, Excerpt, parse_uci_move};
use crate::search::Limits;
use crate::uci::{
    GoTokens, Info, InfoBound, InfoScore, LONGEST_TIME, PositionTokens, legal_line, needs_chess960, same_name,
};
use std::ops::ControlFlow;
use std::time::Instant;

/// The maximum number of consecutive restarts of an engine before the run fails.
const MOST_RESTARTS: usize = 5;

/// The option that switches castling to king takes rook, even outside of Chess960.
const CHESS960_OPTION: &str = "UCI_Chess960";

/// An engine that runs as a process. It receives the limits of time, nodes, depth and mate. If it ends or does not
/// answer, it is restarted for the next position. Dropping it sends `quit`, and kills an engine that does not end.
pub struct UciEngine {
    /// The command that starts it, for errors.
    command: String,
    config: EngineConfig,
    timeouts: Timeouts,
    launcher: Launcher,
    name: String,
    /// The running engine; `None` after a fault, and while this is dropped.
    engine: Option<Engine>,
    /// The notation of castling that is currently sent.
    sent_castling: CastlingStyle,
    /// The notation of castling in positions where that of standard chess is possible.
    usual_castling: CastlingStyle,
    /// The number of consecutive positions without an answer.
    faults: usize,
}

impl UciEngine {
    /// Starts the program that `command` names, with its arguments, and sets its options.
    ///
    /// # Errors
    /// [`SolverError::Engine`] if the engine does not start, does not answer, or lacks a required option.
    pub fn start(
        command: &str,
        options: Vec<InitialOption>,
        timeouts: Timeouts,
        launcher: Launcher,
    ) -> Result<Self, SolverError> {
        let mut words = words(command).into_iter();
        let is_chess960 = options.iter().any(|option| {
            same_name(&option.name, CHESS960_OPTION) && option.value.trim().eq_ignore_ascii_case("true")
        });
        let usual_castling = if is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        let config = EngineConfig {
            command: words.next().unwrap_or_default(),
            arguments: words.collect(),
            options,
            ..EngineConfig::default()
        };
        let mut engine = Self {
            command: command.to_owned(),
            config,
            timeouts,
            launcher,
            name: String::new(),
            engine: None,
            sent_castling: usual_castling,
            usual_castling,
            faults: 0,
        };
        let running = engine.launch().map_err(|error| engine.failure(error))?;
        engine.name = running.name().to_owned();
        engine.engine = Some(running);
        Ok(engine)
    }

    /// Starts a new process.
    fn launch(&self) -> Result<Engine, EngineError> {
        Engine::start(&self.config, false, self.timeouts, &self.launcher, &Log::default())
    }

    fn failure(&self, error: EngineError) -> SolverError {
        SolverError::Engine { command: self.command.clone(), restarts: self.faults, error }
    }

    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_info: &mut dyn FnMut(Option<&SolverInfo>) -> ControlFlow<()>,
    ) -> Result<Answer, EngineError> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            None => {
                self.sent_castling = self.usual_castling;
                let engine = self.launch()?;
                self.engine.insert(engine)
            }
        };
        let castling = if needs_chess960(position) { CastlingStyle::Chess960 } else { self.usual_castling };
        let is_chess960 = castling == CastlingStyle::Chess960;
        if castling != self.sent_castling {
            engine.set_option(CHESS960_OPTION, &is_chess960.to_string());
            self.sent_castling = castling;
        }
        engine.begin_game()?;
        let tokens = PositionTokens::of(position, castling);

        let Limits { nodes, depth, mate, .. } = *limits;
        let time = limits.move_time.map(|time| time.min(LONGEST_TIME));
        let go = GoTokens { move_time: time, nodes, depth, mate, ..GoTokens::default() };
        let Timeouts { think, stop, .. } = self.timeouts;
        let timeout = time
            .map_or(SearchTimeout::Silence(think), |time| SearchTimeout::Total(time.saturating_add(stop)));
        let mut search = Search { position, started: Instant::now(), last: None };
        let mut add = |info: Option<&Info>| on_info(info.and_then(|info| search.add(info)).as_ref());
        let answer = engine.search_with_info(&tokens, &go, timeout, &mut add)?;
        Ok(search.conclude(answer.best.as_deref()))
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.quit();
        }
    }
}

impl Solver for UciEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn castling(&self) -> CastlingStyle {
        self.usual_castling
    }

    fn solve(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_info: &mut dyn FnMut(Option<&SolverInfo>) -> ControlFlow<()>,
    ) -> Result<Answer, SolverError> {
        let started = Instant::now();
        match self.search(position, limits, on_info) {
            Ok(answer) => {
                self.faults = 0;
                Ok(answer)
            }
            Err(error) => {
                // Dropping the engine kills its process.
                self.engine = None;
                if error.is_of_configuration() || self.faults == MOST_RESTARTS {
                    return Err(self.failure(error));
                }
                self.faults += 1;
                Ok(Answer::failed(started.elapsed(), Fault::NoAnswer(error.to_string())))
            }
        }
    }
}

/// The `info` lines of an engine for a position.
struct Search<'a> {
    position: &'a Position,
    started: Instant,
    last: Option<(SolverInfo, Vec<Move>)>,
}

impl Search<'_> {
    /// The content of a line for the best move; `None` for other lines.
    fn add(&mut self, info: &Info) -> Option<SolverInfo> {
        if info.multi_pv.is_some_and(|number| number > 1) {
            return None;
        }
        let pv = legal_line(self.position, &info.pv);
        let measured = self.started.elapsed();
        let stats = SearchStats {
            // Whatever an engine states, no more time has passed.
            elapsed: info.time.map_or(measured, |stated| stated.min(measured)),
            nodes: info.nodes.unwrap_or(0),
            depth: info.depth.unwrap_or(0),
        };
        let info = SolverInfo {
            stats,
            best: *pv.first()?,
            score: info.score.map(|score| score.value),
            is_complete: matches!(info.score, Some(InfoScore { bound: InfoBound::Exact, .. })),
        };
        self.last = Some((info, pv));
        Some(info)
    }

    fn conclude(self, said: Option<&str>) -> Answer {
        let elapsed = self.started.elapsed();
        let best = said.and_then(|text| parse_uci_move(text, self.position).ok());
        let illegal = said.filter(|_| best.is_none()).map(|text| Fault::IllegalMove(Excerpt::new(text)));
        let (last, pv) = self.last.unzip();
        let (nodes, depth) = last.map_or((0, 0), |info| (info.stats.nodes, info.stats.depth));
        Answer {
            end: SearchStats { elapsed, nodes, depth },
            best,
            fault: illegal,
            score: last.and_then(|info| info.score),
            pv: pv.filter(|pv| pv.first() == best.as_ref()).unwrap_or_else(|| best.into_iter().collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_said_is_taken_as_far_as_it_is_legal() {
        let position = Position::start();
        let started = Instant::now().checked_sub(Duration::from_millis(8)).expect("the clock runs longer");
        let mut search = Search { position: &position, started, last: None };
        let mut add = |text: &str| search.add(&Info::parse(text));
        assert_eq!(add("string hello"), None);
        assert_eq!(add("depth 3 pv e2e5"), None);
        assert_eq!(add("depth 3 multipv 2 pv e2e4"), None);
        let info = add("depth 3 score cp 20 nodes 50 time 7 pv e2e4 e7e5 e1e3").expect("an info");
        assert_eq!(info.stats, SearchStats { elapsed: Duration::from_millis(7), nodes: 50, depth: 3 });
        assert!(info.is_complete);
        let bound = add("depth 4 score cp 20 lowerbound nodes 90 time 9 pv e2e4 e7e5").expect("an info");
        assert!(!bound.is_complete);
        let hour = add("depth 4 score cp 20 nodes 90 time 3600000 pv e2e4 e7e5").expect("an info");
        assert!(hour.stats.elapsed < Duration::from_secs(3600), "{:?}", hour.stats.elapsed);
        let answer = search.conclude(Some("e2e4"));
        assert_eq!((answer.pv.len(), answer.end.nodes, answer.end.depth), (2, 90, 4));
        let search = Search { position: &position, started: Instant::now(), last: None };
        let answer = search.conclude(Some("e2e5"));
        let fault = Fault::IllegalMove(Excerpt::new("e2e5"));
        assert_eq!((answer.best, answer.fault), (None, Some(fault)));
    }
}
