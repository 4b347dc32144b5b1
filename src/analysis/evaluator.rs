//! Evaluators of positions: Hematite's search or any UCI engine, with a budget for each position.
//!
//! An evaluation depends only on the position, its halfmove clock, the evaluator and the budget, not on the game that
//! led to the position or on previous searches. Therefore it does not matter which thread evaluates a position and
//! when, and evaluations can be cached.

use super::scale::{TABLEBASE_CENTIPAWNS, lichess_score, scale_name};
use crate::chess::{Color, KeyHistory, Move, Position};
use crate::client::{
    Engine, EngineConfig, EngineError, InitialOption, Launcher, Log, SearchTimeout, Timeouts,
};
use crate::notation::pgn::EvaluationScore;
use crate::notation::{CastlingStyle, Fen, UciMove, parse_uci_move, pluralize};
use crate::search::{Bound, Iteration, Job, Limits, Listener, MAX_PLY, ResourceError, Searcher, Signals};
use crate::tablebase::Tablebase;
use crate::uci::{
    GoTokens, Info, InfoBound, InfoScore, InfoValue, LONGEST_TIME, PositionTokens, castling_style,
    legal_line, same_name,
};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of restarts of an engine for one position.
const MAX_RESTARTS: usize = 2;
/// The maximum number of moves of a line that are kept: more than are ever shown.
pub(super) const MAX_MOVES: usize = 32;
/// The maximum number of lines of a position that are kept.
pub(super) const MAX_LINES: usize = 16;
/// The option for sending castling moves as king takes rook, also outside Chess960.
const CHESS960_OPTION: &str = "UCI_Chess960";

/// The limits for one position, at least one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The maximum depth, in plies.
    pub depth: Option<u32>,
    /// The maximum time. The results then depend on the machine.
    pub time: Option<Duration>,
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.nodes.map(|nodes| pluralize(nodes, "node"));
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let time = self.time.map(|time| format!("{} ms", time.as_millis()));
        let limits: Vec<String> = [nodes, depth, time].into_iter().flatten().collect();
        f.write_str(&limits.join(", "))
    }
}

/// A position to evaluate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The position. It has a legal move other than `without`.
    pub position: Position,
    /// A move that is excluded from the search.
    pub without: Option<Move>,
}

/// A line with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The score of the position from White's point of view.
    pub score: EvaluationScore,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The moves; never empty.
    pub moves: Vec<Move>,
}

/// The evaluation of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assessment {
    /// The best lines, the best first; at least one.
    pub lines: Vec<Line>,
    /// The depth since which the best move has been the best, in plies.
    pub settled: u32,
    /// The number of nodes searched for it.
    pub nodes: u64,
    /// The time of the search, which depends on the machine.
    pub time: Duration,
}

impl Assessment {
    /// The best line.
    pub fn best(&self) -> &Line {
        &self.lines[0]
    }

    /// Removes the part that is never shown, and therefore not cached: lines, moves, and the time below a millisecond.
    pub(super) fn cut(&mut self) {
        self.time = Duration::from_millis(u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX));
        self.lines.truncate(MAX_LINES);
        for line in &mut self.lines {
            line.moves.truncate(MAX_MOVES);
        }
    }
}

/// The reason why positions can no longer be evaluated.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    /// The machine lacks memory or threads.
    #[error("{0}")]
    Resource(#[from] ResourceError),
    /// The engine does not start, or has failed repeatedly.
    #[error("engine `{command}`: {problem}")]
    Engine {
        /// The command of the engine.
        command: String,
        /// The problem.
        problem: String,
    },
}

/// Evaluates positions one by one.
pub trait Evaluator {
    /// The evaluation of a position; `None` if the search was stopped.
    ///
    /// # Errors
    /// [`EvaluatorError`] if positions can no longer be evaluated.
    fn assess(&mut self, question: &Question) -> Result<Option<Assessment>, EvaluatorError>;
}

impl<V: Evaluator + ?Sized> Evaluator for Box<V> {
    fn assess(&mut self, question: &Question) -> Result<Option<Assessment>, EvaluatorError> {
        (**self).assess(question)
    }
}

/// The options that all evaluators of a run share.
#[derive(Clone, Debug)]
pub struct EvaluatorOptions {
    /// The budget for one position.
    pub budget: Budget,
    /// The number of lines, at least 1.
    pub multi_pv: usize,
    /// The size of the hash table of each evaluator, in MiB.
    pub hash_mib: usize,
    /// Signals that stop the work.
    pub signals: Arc<Signals>,
}

/// The moves for [`Limits::search_moves`]: the legal moves without the excluded one, or none if all are considered.
fn considered(question: &Question) -> Vec<Move> {
    let Some(without) = question.without else { return Vec::new() };
    question.position.legal_moves().into_iter().filter(|&mv| mv != without).collect()
}

/// Converts a score for the side to move to White's point of view.
fn seen_from_white(score: EvaluationScore, turn: Color) -> EvaluationScore {
    match (score, turn) {
        (score, Color::White) => score,
        (EvaluationScore::Centipawns(score), Color::Black) => EvaluationScore::Centipawns(-score),
        (EvaluationScore::Mate(moves), Color::Black) => EvaluationScore::Mate(-moves),
    }
}

/// An evaluator with Hematite's search.
pub struct OwnEvaluator {
    searcher: Searcher,
    options: EvaluatorOptions,
}

impl OwnEvaluator {
    /// A search with one thread and these endgame tablebases.
    ///
    /// # Errors
    /// [`EvaluatorError::Resource`] if there is not enough memory.
    pub fn new(options: EvaluatorOptions, tables: Option<Arc<Tablebase>>) -> Result<Self, EvaluatorError> {
        let mut searcher = Searcher::new(1, options.hash_mib)?;
        if tables.is_some() {
            searcher.set_tablebase(tables);
        }
        Ok(Self { searcher, options })
    }
}

/// The name of Hematite's search, which changes whenever its results do: besides the version, it contains the nodes of
/// two short searches.
///
/// # Errors
/// [`EvaluatorError::Resource`] if there is not enough memory.
pub fn own_name() -> Result<String, EvaluatorError> {
    /// A depth at which the network, the margins and the move ordering all matter.
    const DEPTH: u32 = 8;
    let mut searcher = Searcher::new(1, 1)?;
    let mut nodes = 0;
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        let position = crate::notation::position_from_fen(fen).expect("it is well known");
        let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
        let key_history = KeyHistory::new(&position);
        nodes += searcher.search_silently(Job { position, key_history, limits, multi_pv: 1 }).nodes;
    }
    let scale = scale_name();
    Ok(format!("Hematite {} ({nodes}; {scale})", env!("CARGO_PKG_VERSION")))
}

impl Evaluator for OwnEvaluator {
    fn assess(&mut self, question: &Question) -> Result<Option<Assessment>, EvaluatorError> {
        let EvaluatorOptions { budget, multi_pv, signals, .. } = &self.options;
        // Results for other positions must not have any influence.
        self.searcher.clear();
        let job = Job {
            position: question.position,
            key_history: KeyHistory::new(&question.position),
            limits: Limits {
                nodes: budget.nodes,
                depth: budget.depth,
                move_time: budget.time,
                search_moves: considered(question),
                ..Limits::default()
            },
            multi_pv: *multi_pv,
        };
        let turn = question.position.turn();
        let mut found = Found::default();
        let result = self.searcher.search(job, signals, &mut found);
        if signals.is_stopped() {
            return Ok(None);
        }
        let best = result.best_move.map(|best| (best, Some(lichess_score(result.score)), result.depth));
        Ok(found.conclude(best, turn).map(|assessment| Assessment { nodes: result.nodes, ..assessment }))
    }
}

/// The results that a search reports.
#[derive(Default)]
struct Found {
    /// The latest lines by rank, with scores for the side to move.
    lines: Vec<Option<Line>>,
    /// The best move, and the depth since which it has been the best.
    best: Option<(Move, u32)>,
    /// The latest bound of the best line's score, for the side to move.
    bound: Option<EvaluationScore>,
}

impl Found {
    /// Adds a line with an exact score.
    fn add(&mut self, rank: usize, line: Line) {
        /// A limit above the number of legal moves of any position.
        const MAX_RANK: usize = 256;
        if rank >= MAX_RANK {
            return;
        }
        if rank == 0 && self.best.is_none_or(|(best, _)| best != line.moves[0]) {
            self.best = Some((line.moves[0], line.depth));
        }
        if self.lines.len() <= rank {
            self.lines.resize(rank + 1, None);
        }
        let best = line.moves[0];
        if let Some(former) = self.lines[rank].replace(line)
            && former.moves[0] != best
        {
            // The search may end before it comes to the former line again.
            let mut others = self.lines[rank + 1..].iter_mut().flatten();
            if let Some(other) = others.find(|other| other.moves[0] == best) {
                *other = former;
            }
        }
    }

    /// Adds the line or the bound of an `info` line of an engine.
    fn add_info(&mut self, info: &Info, position: &Position) {
        match (info.score, line_of(info, position)) {
            (_, Some((rank, line))) => self.add(rank, line),
            (Some(InfoScore { value, bound, .. }), None) => {
                let is_best = info.multi_pv.is_none_or(|number| number <= 1);
                if is_best && bound != InfoBound::Exact {
                    self.bound = Some(score_of(value));
                }
            }
            (None, None) => {}
        }
    }

    /// The evaluation after the end of a search, by its answer: the best move, its score and the depth of the last
    /// iteration. If the best move comes from an incomplete iteration, which has only a bound, it has the score of the
    /// previous best line; without one, the bound, or else the score of the answer. `None` without an answer, or
    /// without any score.
    fn conclude(
        self,
        answer: Option<(Move, Option<EvaluationScore>, u32)>,
        turn: Color,
    ) -> Option<Assessment> {
        let (best, score, depth) = answer?;
        let settled = match self.best {
            Some((move_of_lines, since)) if move_of_lines == best => since,
            // The last iteration is incomplete.
            _ => depth + 1,
        };
        let lines: Vec<Line> = self.lines.into_iter().flatten().collect();
        let (same, others): (Vec<Line>, Vec<Line>) =
            lines.into_iter().partition(|line| line.moves[0] == best);
        let same = same.into_iter().next();
        let earlier = same.as_ref().or(others.first()).map(|line| line.score);
        // If a search ends between two windows, its score is a bound, and a bound that is a mate is far from any
        // evaluation.
        let score = earlier.or(self.bound).or(score)?;
        let moves = same.map_or_else(|| vec![best], |line| line.moves);
        let mut lines = vec![Line { score, depth, moves }];
        for line in others {
            if lines.iter().all(|other| other.moves[0] != line.moves[0]) {
                lines.push(line);
            }
        }
        for line in &mut lines {
            line.score = seen_from_white(line.score, turn);
        }
        Some(Assessment { lines, settled, nodes: 0, time: Duration::ZERO })
    }
}

impl Listener for Found {
    fn iteration(&mut self, iteration: &Iteration) {
        let Iteration { depth, multipv, score, bound, pv, .. } = iteration;
        let (rank, score) = (multipv.saturating_sub(1), lichess_score(*score));
        if *bound != Bound::Exact && rank == 0 {
            self.bound = Some(score);
        } else if *bound == Bound::Exact && !pv.is_empty() {
            self.add(rank, Line { score, depth: *depth, moves: pv.clone() });
        }
    }
}

/// Any UCI engine, as a process. It is restarted if it fails.
pub struct EngineEvaluator {
    command: String,
    config: EngineConfig,
    timeouts: Timeouts,
    launcher: Launcher,
    options: EvaluatorOptions,
    /// `None` after a failure, and while the evaluator is dropped.
    engine: Option<Engine>,
    /// The style in which castling moves are sent.
    castling: CastlingStyle,
}

impl EngineEvaluator {
    /// Starts the program named by `command`, with its arguments, and sets its options.
    ///
    /// # Errors
    /// [`EvaluatorError::Engine`] if the engine does not start, does not answer, or lacks a required option.
    pub fn start(
        command: &str,
        options: EvaluatorOptions,
        initial: Vec<InitialOption>,
        timeouts: Timeouts,
        launcher: Launcher,
    ) -> Result<Self, EvaluatorError> {
        let mut words = crate::client::words(command).into_iter();
        let config = EngineConfig {
            command: words.next().unwrap_or_default(),
            arguments: words.collect(),
            options: initial,
            ..EngineConfig::default()
        };
        Self::configured(config, options, timeouts, launcher)
    }

    /// Starts the program of a configuration, and sets its options.
    ///
    /// # Errors
    /// The same as for [`Self::start`].
    pub fn configured(
        mut config: EngineConfig,
        options: EvaluatorOptions,
        timeouts: Timeouts,
        launcher: Launcher,
    ) -> Result<Self, EvaluatorError> {
        let initial = &mut config.options;
        let usual = [
            ("Threads", 1, false),
            ("Hash", options.hash_mib, false),
            ("MultiPV", options.multi_pv, options.multi_pv > 1),
        ];
        for (name, value, is_required) in usual {
            if !initial.iter().any(|option| same_name(&option.name, name)) {
                initial.push(InitialOption { name: name.to_owned(), value: value.to_string(), is_required });
            }
        }
        let castling = CastlingStyle::Standard;
        let command = [std::slice::from_ref(&config.command), &config.arguments].concat().join(" ");
        let mut engine = Self { command, config, timeouts, launcher, options, engine: None, castling };
        match engine.launch() {
            Ok(running) => {
                engine.engine = Some(running);
                Ok(engine)
            }
            Err(error) => Err(engine.failure(&error.into())),
        }
    }

    /// The name of the engine, with the options that were set.
    pub fn name(&self) -> String {
        let name = self.engine.as_ref().map_or(self.command.as_str(), Engine::name);
        let options = self.config.options.iter();
        let options: Vec<String> =
            options.map(|option| format!("{}={}", option.name, option.value)).collect();
        format!("{name} ({})", options.join(", "))
    }

    /// The name that the engine states.
    pub fn short_name(&self) -> &str {
        self.engine.as_ref().map_or(&self.command, Engine::name)
    }

    fn launch(&mut self) -> Result<Engine, EngineError> {
        self.castling = CastlingStyle::Standard;
        Engine::start(&self.config, false, self.timeouts, &self.launcher, &Log::default())
    }

    fn failure(&self, problem: &SearchError) -> EvaluatorError {
        let problem = match problem {
            SearchError::Engine(error) => error.problem(),
            SearchError::NoAnswer(_) => problem.to_string(),
        };
        EvaluatorError::Engine { command: self.command.clone(), problem }
    }

    fn search(&mut self, question: &Question) -> Result<Option<Assessment>, SearchError> {
        let position = &question.position;
        if self.engine.is_none() {
            self.engine = Some(self.launch()?);
        }
        let castling = castling_style(position);
        let has_changed = std::mem::replace(&mut self.castling, castling) != castling;
        let Some(engine) = &mut self.engine else { return Ok(None) };
        if has_changed {
            engine.set_option(CHESS960_OPTION, &(castling == CastlingStyle::Chess960).to_string());
        }
        engine.begin_game()?;
        let Budget { nodes, depth, time } = self.options.budget;
        let time = time.map(|time| time.min(LONGEST_TIME));
        let search_moves = considered(question).into_iter();
        let go = GoTokens {
            nodes,
            depth,
            move_time: time,
            search_moves: search_moves.map(|mv| UciMove::new(mv, castling).to_string()).collect(),
            ..GoTokens::default()
        };
        let Timeouts { think, stop, .. } = self.timeouts;
        let timeout = time
            .map_or(SearchTimeout::Silence(think), |time| SearchTimeout::Total(time.saturating_add(stop)));
        let (mut found, mut nodes) = (Found::default(), 0);
        let signals = &self.options.signals;
        let mut add = |info: Option<&Info>| {
            if let Some(info) = info {
                nodes = info.nodes.unwrap_or(0).max(nodes);
                found.add_info(info, position);
            }
            if signals.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let tokens = PositionTokens::of(position, castling);
        let answer = engine.search_with_info(&tokens, &go, timeout, &mut add)?;
        if signals.is_stopped() {
            return Ok(None);
        }
        let best = answer.best.and_then(|text| parse_uci_move(&text, position).ok());
        let depth = found.lines.iter().flatten().next().map_or(0, |line| line.depth);
        let conclusion = found.conclude(best.map(|best| (best, None, depth)), position.turn());
        let assessment = conclusion.ok_or_else(|| SearchError::NoAnswer(Fen::new(position).to_string()))?;
        Ok(Some(Assessment { nodes, ..assessment }))
    }
}

/// The reason why an engine has not evaluated a position.
#[derive(Debug, thiserror::Error)]
enum SearchError {
    #[error("{0}")]
    Engine(#[from] EngineError),
    #[error("expected a legal move and a score before it, in {0}")]
    NoAnswer(String),
}

/// The rank of a line from 0 on, and the line, with a score for the side to move; `None` if it has no exact score or no
/// legal move.
fn line_of(info: &Info, position: &Position) -> Option<(usize, Line)> {
    let InfoScore { value, bound: InfoBound::Exact, .. } = info.score? else { return None };
    let moves = legal_line(position, &info.pv);
    if moves.is_empty() {
        return None;
    }
    let rank = info.multi_pv.map_or(0, |number| number.saturating_sub(1) as usize);
    Some((rank, Line { score: score_of(value), depth: info.depth.unwrap_or(0), moves }))
}

/// A score for the side to move, limited to plausible values.
fn score_of(value: InfoValue) -> EvaluationScore {
    match value {
        InfoValue::Centipawns(score) => {
            EvaluationScore::Centipawns(score.clamp(-TABLEBASE_CENTIPAWNS, TABLEBASE_CENTIPAWNS))
        }
        InfoValue::Mate(moves) => EvaluationScore::Mate(moves.clamp(-MAX_MATE, MAX_MATE)),
    }
}

/// The maximum number of moves to mate: longer mates have been found only by tablebases.
const MAX_MATE: i32 = 1000;
const _: () = assert!(MAX_MATE as usize > MAX_PLY);

impl Evaluator for EngineEvaluator {
    fn assess(&mut self, question: &Question) -> Result<Option<Assessment>, EvaluatorError> {
        let mut restarts = 0;
        loop {
            match self.search(question) {
                Ok(assessment) => return Ok(assessment),
                // The engine may have been interrupted by the same signal.
                Err(_) if self.options.signals.is_stopped() => return Ok(None),
                Err(error) => {
                    // Dropping the engine kills its process.
                    self.engine = None;
                    if restarts == MAX_RESTARTS {
                        return Err(self.failure(&error));
                    }
                    restarts += 1;
                }
            }
        }
    }
}

impl Drop for EngineEvaluator {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.quit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;
    use EvaluationScore::Centipawns;

    fn assess(evaluator: &mut dyn Evaluator, question: &Question) -> Assessment {
        evaluator.assess(question).expect("it can search").expect("it is not stopped")
    }

    /// Earlier searches have no influence, a move can be excluded, and lines are ranked.
    #[test]
    fn positions_are_evaluated_by_themselves() {
        let options = EvaluatorOptions {
            budget: Budget { nodes: Some(300), ..Budget::default() },
            multi_pv: 2,
            hash_mib: 1,
            signals: Arc::default(),
        };
        let mut own = OwnEvaluator::new(options, None).expect("a MiB");
        let position = Position::start();
        let question = Question { position, without: None };
        let first = assess(&mut own, &question);
        let best = first.best().moves[0];
        assert_eq!(first.lines.len(), 2);
        assert_ne!(first.lines[1].moves[0], best);
        let others = assess(&mut own, &Question { position, without: Some(best) });
        assert!(others.lines.iter().all(|line| line.moves[0] != best), "{others:?}");
        let after = position.after(best).0;
        let reply = assess(&mut own, &Question { position: after, without: None });
        assert!(matches!(reply.best().score, Centipawns(_)), "{reply:?}");
        assert_eq!(assess(&mut own, &question), first);
    }

    #[test]
    fn a_line_that_is_no_longer_the_best_is_kept() {
        let moves = Position::start().legal_moves();
        let [first, second] = [moves[0], moves[1]];
        let line = |mv, score, depth| Line { score: Centipawns(score), depth, moves: vec![mv] };
        let mut found = Found::default();
        found.add(0, line(first, 20, 5));
        found.add(1, line(second, 10, 5));
        // The search ends before it comes to the second line.
        found.add(0, line(second, 30, 6));
        let assessment =
            found.conclude(Some((second, None, 6)), Color::White).expect("an answer with a score");
        assert_eq!(assessment.lines, [line(second, 30, 6), line(first, 20, 5)]);
    }

    #[test]
    fn a_stopped_search_has_no_answer() {
        let signals = Arc::<Signals>::default();
        signals.stop();
        let budget = Budget { depth: Some(30), ..Budget::default() };
        let options = EvaluatorOptions { budget, multi_pv: 1, hash_mib: 1, signals };
        let mut own = OwnEvaluator::new(options, None).expect("a MiB");
        let question = Question { position: Position::start(), without: None };
        assert!(own.assess(&question).expect("nothing fails").is_none());
    }

    #[test]
    fn a_move_with_only_a_bound_has_the_score_before() {
        let position = Position::start();
        let exact = "depth 7 score cp 31 pv e2e4";
        let cases = [
            ("an exact score", &[exact][..], "e2e4", Some((Centipawns(31), 7))),
            (
                "a bound of a new best move",
                &[exact, "depth 8 score cp 50 lowerbound pv d2d4"],
                "d2d4",
                Some((Centipawns(31), 8)),
            ),
            ("a bound alone", &["depth 1 score cp 50 lowerbound pv d2d4"], "d2d4", Some((Centipawns(50), 1))),
            (
                "the last bound",
                &["depth 1 score cp 50 lowerbound pv d2d4", "depth 1 score mate 3 upperbound pv d2d4"],
                "d2d4",
                Some((EvaluationScore::Mate(3), 1)),
            ),
            ("the bound of another line", &["depth 1 multipv 2 score cp 5 upperbound pv d2d4"], "d2d4", None),
            ("no score", &["depth 1 pv d2d4"], "d2d4", None),
        ];
        for (name, reports, best, expected) in cases {
            let mut found = Found::default();
            for report in reports {
                found.add_info(&Info::parse(report), &position);
            }
            let depth = expected.map_or(0, |(_, depth)| depth - 1);
            let best = parse_uci_move(best, &position).expect(name);
            let concluded = found.conclude(Some((best, None, depth)), Color::White);
            let concluded = concluded.map(|found| (found.best().score, found.best().moves[0], found.settled));
            // The score was exact, or the move is the best since the iteration that is incomplete.
            let expected = expected.map(|(score, settled)| (score, best, settled));
            assert_eq!(concluded, expected, "{name}");
        }
    }

    /// A search that ends between two windows has a bound, which may be a mate.
    #[test]
    fn a_bound_at_the_end_is_no_score() {
        let best = parse_uci_move("e2e4", &Position::start()).expect("a legal move");
        let reported = |score, bound| Iteration {
            depth: 7,
            seldepth: 9,
            multipv: 1,
            score,
            bound,
            nodes: 1000,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tb_hits: None,
            pv: vec![best],
        };
        let (exact, far) = (Score::from_units(60), Score::from_units(i32::MIN));
        let mut found = Found::default();
        found.iteration(&reported(exact, Bound::Exact));
        found.iteration(&reported(far, Bound::Upper));
        let concluded = found.conclude(Some((best, Some(lichess_score(far)), 7)), Color::White);
        assert_eq!(concluded.map(|found| found.best().score), Some(lichess_score(exact)));

        let mut found = Found::default();
        found.iteration(&reported(far, Bound::Upper));
        let concluded = found.conclude(Some((best, None, 0)), Color::White);
        assert_eq!(concluded.map(|found| found.best().score), Some(lichess_score(far)));
    }

    #[test]
    fn lines_of_engines_are_read_as_far_as_they_can_be() {
        let position = Position::start();
        let read = |text: &str| line_of(&Info::parse(text), &position);
        let (rank, line) = read("depth 7 multipv 2 score cp 31 pv e2e4 e7e5 e1e3").expect("a line");
        assert_eq!((rank, line.score, line.depth, line.moves.len()), (1, Centipawns(31), 7, 2));
        for text in ["depth 7 score cp 31 lowerbound pv e2e4", "depth 7 score cp 31 pv e2e5", "string x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
