//! Solvers of positions and their results.

use super::Case;
use crate::chess::{Move, Position};
use crate::client::EngineError;
use crate::notation::{CastlingStyle, Excerpt, Fen, San, UciMove};
use crate::search::{Limits, ResourceError};
use crate::uci::InfoValue;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::ops::ControlFlow;
use std::time::Duration;
use thiserror::Error;

/// The statistics of a search at some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SearchStats {
    /// The time since the start of the search.
    #[serde(rename = "seconds", serialize_with = "as_seconds")]
    pub elapsed: Duration,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The iteration, in plies.
    pub depth: u32,
}

/// The current result of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverInfo {
    /// The statistics of the search.
    pub stats: SearchStats,
    /// The best move.
    pub best: Move,
    /// The score, if the solver states one.
    pub score: Option<InfoValue>,
    /// Whether an iteration is complete, so that the score is not a bound.
    pub is_complete: bool,
}

/// The answer of a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The statistics at the end of the search.
    pub end: SearchStats,
    /// The best move; `None` if there is none or it is not legal.
    pub best: Option<Move>,
    /// The fault of the engine, if it did not give a valid answer.
    pub fault: Option<Fault>,
    /// The score of the move.
    pub score: Option<InfoValue>,
    /// The best line, starting with the best move; empty without one.
    pub pv: Vec<Move>,
}

impl Answer {
    /// An answer without a move, because of a fault.
    pub(super) fn failed(elapsed: Duration, fault: Fault) -> Self {
        let end = SearchStats { elapsed, nodes: 0, depth: 0 };
        Self { end, best: None, fault: Some(fault), score: None, pv: Vec::new() }
    }
}

/// A fault of an engine, which fails a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The answer is not a legal move.
    #[error("{0} is not legal")]
    IllegalMove(Excerpt),
    /// The engine ended, did not answer in time, or could not be restarted after that.
    #[error("{0}")]
    NoAnswer(String),
}

/// The result of a case.
#[derive(Clone, Debug)]
pub struct CaseResult<'a> {
    /// The case.
    pub case: &'a Case,
    /// The answer of the solver.
    pub answer: Answer,
    /// The notation of castling in UCI.
    pub castling: CastlingStyle,
    /// The statistics since which the answer has been right, if it is right.
    pub solution: Option<SearchStats>,
    /// The points of the answer, if the case has points.
    pub points: Option<u32>,
}

impl Serialize for CaseResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { case, answer, castling, solution, points } = self;
        let position = case.epd.position();
        let (score_cp, mate) = match answer.score {
            Some(InfoValue::Centipawns(value)) => (Some(value), None),
            Some(InfoValue::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        let mut object = serializer.serialize_struct("CaseResult", 17)?;
        object.serialize_field("line", &case.line)?;
        object.serialize_field("id", &case.epd.id())?;
        object.serialize_field("fen", &Fen::new(position).to_string())?;
        object.serialize_field("goal", &case.goal.as_ref().ok().map(ToString::to_string))?;
        object.serialize_field("san", &answer.best.map(|mv| San::new(position, mv).to_string()))?;
        let uci = answer.best.map(|mv| UciMove::new(mv, *castling).to_string());
        object.serialize_field("uci", &uci)?;
        let illegal = match &answer.fault {
            Some(Fault::IllegalMove(text)) => Some(text.to_string()),
            _ => None,
        };
        object.serialize_field("illegal", &illegal)?;
        object.serialize_field("fault", &answer.fault.as_ref().map(ToString::to_string))?;
        object.serialize_field("score_cp", &score_cp)?;
        object.serialize_field("mate", &mate)?;
        object.serialize_field("depth", &answer.end.depth)?;
        object.serialize_field("nodes", &answer.end.nodes)?;
        object.serialize_field("seconds", &answer.end.elapsed.as_secs_f64())?;
        object.serialize_field("points", points)?;
        object.serialize_field("max_points", &case.points.as_ref().map(|points| points.max()))?;
        object.serialize_field("solved", &solution.is_some())?;
        object.serialize_field("solution", solution)?;
        object.end()
    }
}

pub(super) fn as_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// A solver of positions.
pub trait Solver {
    /// The name of the solver.
    fn name(&self) -> &str;

    /// The notation of castling in results.
    fn castling(&self) -> CastlingStyle {
        CastlingStyle::Standard
    }

    /// Searches a position without knowledge of earlier ones, within the limits. Passes each state of the search to
    /// `on_info`, or `None` while there is no new one; a break ends the search. A fault that fails only this position
    /// is an answer.
    ///
    /// # Errors
    /// [`SolverError`] if the solver cannot continue with another position.
    fn solve(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_info: &mut dyn FnMut(Option<&SolverInfo>) -> ControlFlow<()>,
    ) -> Result<Answer, SolverError>;
}

/// The reason why a solver cannot continue.
#[derive(Debug, Error)]
pub enum SolverError {
    /// The machine lacks memory or threads.
    #[error("{0}")]
    Resource(#[from] ResourceError),
    /// An engine does not start, or fails repeatedly.
    #[error("engine `{command}`: {}{}", error.problem(), if *restarts > 0 { format!("; it was restarted {restarts} times in a row") } else { String::new() })]
    Engine {
        /// The command that starts it.
        command: String,
        /// The number of consecutive restarts before the error.
        restarts: usize,
        /// The problem.
        #[source]
        error: EngineError,
    },
}
