//! Any UCI engine as a solver.

use super::{Answer, SearchStats, Solver, SolverError, SolverInfo};
use crate::chess::{Color, File, Move, Position};
use crate::client::{
    Engine, EngineConfig, EngineError, InitialOption, Launcher, Log, SearchTimeout, Timeouts, words,
};
use crate::notation::{Excerpt, Fen, parse_uci_move};
use crate::search::Limits;
use crate::uci::{GoTokens, Info, InfoBound, InfoScore, LONGEST_TIME, PositionTokens, StartPosition};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The time an engine may search beyond its limit.
const GRACE: Duration = Duration::from_secs(10);
/// The time it may send nothing in a search without a time limit.
const SILENCE: Duration = Duration::from_secs(600);

/// The time limits of what it must do at once; some read large files before they are ready.
const TIMEOUTS: Timeouts = Timeouts {
    start: Duration::from_secs(60),
    ping: Duration::from_secs(60),
    stop: GRACE,
    quit: Duration::from_secs(2),
    think: SILENCE,
};

/// An engine that runs as a process. Of the limits it is given time, nodes, depth and mate. Dropping it sends `quit`,
/// and kills an engine that does not end.
pub struct UciEngine {
    /// The command that starts it, for errors.
    command: String,
    name: String,
    /// `None` only while this is dropped.
    engine: Option<Engine>,
    /// Whether castling is sent as the king taking the rook.
    is_chess960: bool,
}

impl UciEngine {
    /// Starts the program that `command` names, with its arguments, and sets `Threads` and
    /// `Hash`, as far as the engine has these options.
    ///
    /// # Errors
    /// [`SolverError::Engine`] if it does not start or does not answer.
    pub fn start(command: &str, threads: usize, hash_mib: usize) -> Result<Self, SolverError> {
        let mut words = words(command).into_iter();
        let option = |name: &str, value: usize| InitialOption {
            name: name.to_owned(),
            value: value.to_string(),
            is_required: false,
        };
        let settings = EngineConfig {
            command: words.next().unwrap_or_default(),
            arguments: words.collect(),
            options: vec![option("Threads", threads), option("Hash", hash_mib)],
            ..EngineConfig::default()
        };
        let engine = Engine::start(&settings, false, TIMEOUTS, &Launcher::new(), &Log::default())
            .map_err(|error| failure(command, error))?;
        let name = engine.name().to_owned();
        Ok(Self { command: command.to_owned(), name, engine: Some(engine), is_chess960: false })
    }
}

fn failure(command: &str, error: EngineError) -> SolverError {
    SolverError::Engine { command: command.to_owned(), error }
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

    fn solve(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_info: &mut dyn FnMut(Option<&SolverInfo>) -> ControlFlow<()>,
    ) -> Result<Answer, SolverError> {
        let fail = |error| failure(&self.command, error);
        let Some(engine) = &mut self.engine else { return Err(fail(EngineError::Interrupted)) };
        let is_chess960 = needs_chess960(position);
        if is_chess960 != self.is_chess960 {
            engine.set_option("UCI_Chess960", &is_chess960.to_string());
            self.is_chess960 = is_chess960;
        }
        engine.begin_game().map_err(fail)?;
        let fen = Fen::new(position);
        let fen = if is_chess960 { fen.shredder() } else { fen };
        let tokens = PositionTokens { base: StartPosition::Fen(fen.to_string()), moves: Vec::new() };

        let Limits { nodes, depth, mate, .. } = *limits;
        let time = limits.move_time.map(|time| time.min(LONGEST_TIME));
        let go = GoTokens { move_time: time, nodes, depth, mate, ..GoTokens::default() };
        let patience =
            time.map_or(SearchTimeout::Silence(SILENCE), |time| SearchTimeout::Total(time + GRACE));
        let mut search = Search { position, started: Instant::now(), last: None };
        let mut add = |info: Option<&Info>| on_info(info.and_then(|info| search.add(info)).as_ref());
        let answer = engine.search_with_info(&tokens, &go, patience, &mut add).map_err(fail)?;
        Ok(search.conclude(answer.best.as_deref()))
    }
}

/// Whether castling cannot be sent as in standard chess, from the e-file with rooks in the corners.
fn needs_chess960(position: &Position) -> bool {
    [Color::White, Color::Black].into_iter().any(|color| {
        position
            .castling_rooks(color)
            .into_iter()
            .any(|rook| position.king(color).file() != File::E || ![File::A, File::H].contains(&rook.file()))
    })
}

/// The `info` lines of an engine about a position.
struct Search<'a> {
    position: &'a Position,
    started: Instant,
    last: Option<(SolverInfo, Vec<Move>)>,
}

impl Search<'_> {
    /// The content of a line about the best move; `None` for other lines.
    fn add(&mut self, info: &Info) -> Option<SolverInfo> {
        if info.multi_pv.is_some_and(|number| number > 1) {
            return None;
        }
        let pv = legal_line(self.position, &info.pv);
        let stats = SearchStats {
            elapsed: info.time.unwrap_or_else(|| self.started.elapsed()),
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
        let illegal = said.filter(|_| best.is_none()).map(Excerpt::new);
        let (last, pv) = self.last.unzip();
        let (nodes, depth) = last.map_or((0, 0), |info| (info.stats.nodes, info.stats.depth));
        Answer {
            end: SearchStats { elapsed, nodes, depth },
            best,
            illegal,
            score: last.and_then(|info| info.score),
            pv: pv.filter(|pv| pv.first() == best.as_ref()).unwrap_or_else(|| best.into_iter().collect()),
        }
    }
}

/// The moves of a line as far as they are legal.
fn legal_line(start: &Position, texts: &[String]) -> Vec<Move> {
    let mut position = *start;
    let mut line = Vec::new();
    for text in texts {
        let Ok(mv) = parse_uci_move(text, &position) else { break };
        position = position.after(mv).0;
        line.push(mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;

    #[test]
    fn chess960_is_used_where_it_is_needed() {
        let cases = [
            ("the initial position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
            ("no castling", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w - - 2 9", false),
            ("other files", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", true),
            ("one rook", "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", true),
        ];
        for (name, fen, expected) in cases {
            assert_eq!(needs_chess960(&position_from_fen(fen).expect(name)), expected, "{name}");
        }
    }

    #[test]
    fn what_is_said_is_taken_as_far_as_it_is_legal() {
        let position = Position::start();
        let mut search = Search { position: &position, started: Instant::now(), last: None };
        let mut add = |text: &str| search.add(&Info::parse(text));
        assert_eq!(add("string hello"), None);
        assert_eq!(add("depth 3 pv e2e5"), None);
        assert_eq!(add("depth 3 multipv 2 pv e2e4"), None);
        let info = add("depth 3 score cp 20 nodes 50 time 7 pv e2e4 e7e5 e1e3").expect("an info");
        assert_eq!(info.stats, SearchStats { elapsed: Duration::from_millis(7), nodes: 50, depth: 3 });
        assert!(info.is_complete);
        let bound = add("depth 4 score cp 20 lowerbound nodes 90 time 9 pv e2e4 e7e5").expect("an info");
        assert!(!bound.is_complete);
        let answer = search.conclude(Some("e2e4"));
        assert_eq!((answer.pv.len(), answer.end.nodes, answer.end.depth), (2, 90, 4));
        let search = Search { position: &position, started: Instant::now(), last: None };
        let answer = search.conclude(Some("e2e5"));
        assert_eq!((answer.best, answer.illegal), (None, Some(Excerpt::new("e2e5"))));
    }
}
