//! Solvers of positions, and their results.

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

/// The figures of a search at some moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SearchStats {
    /// Time since the search started.
    #[serde(rename = "seconds", serialize_with = "as_seconds")]
    pub elapsed: Duration,
    /// Nodes searched.
    pub nodes: u64,
    /// The iteration, in plies.
    pub depth: u32,
}

/// The opinion of a solver at some moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverInfo {
    /// The figures of the search.
    pub stats: SearchStats,
    /// The move that it would play.
    pub best: Move,
    /// Its score, if the solver states one.
    pub score: Option<InfoValue>,
    /// Whether an iteration is complete, so that the score is not a bound.
    pub is_complete: bool,
}

/// The answer of a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The figures of the search at its end.
    pub end: SearchStats,
    /// The move; `None` if there is none or it is not legal.
    pub best: Option<Move>,
    /// What an engine did in place of an answer that the rules allow.
    pub fault: Option<Fault>,
    /// The score of the move.
    pub score: Option<InfoValue>,
    /// The best line, starting with the best move; empty without one.
    pub pv: Vec<Move>,
}

impl Answer {
    /// No answer, but a fault.
    pub(super) fn failed(elapsed: Duration, fault: Fault) -> Self {
        let end = SearchStats { elapsed, nodes: 0, depth: 0 };
        Self { end, best: None, fault: Some(fault), score: None, pv: Vec::new() }
    }
}

/// A fault of an engine, which costs it a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// It answered with a text that is not a legal move.
    #[error("{0} is not legal")]
    IllegalMove(Excerpt),
    /// It ended, or did not answer in time, or did not start again after that.
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
    /// If the answer is right: the moment since which it has been.
    pub solution: Option<SearchStats>,
    /// The points it got, where there are points.
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
    /// Its name.
    fn name(&self) -> &str;

    /// The notation of castling in its results.
    fn castling(&self) -> CastlingStyle {
        CastlingStyle::Standard
    }

    /// Searches a position without knowledge of earlier ones, within the limits, and passes on every
    /// state of the search, or `None` while there is no new one; a break ends the search. A fault that costs
    /// one position is an answer.
    ///
    /// # Errors
    /// [`SolverError`] if it cannot continue with another position.
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
    /// An engine does not start, or fails again and again.
    #[error("engine `{command}`: {}{}", error.problem(), if *restarts > 0 { format!("; it was restarted {restarts} times in a row") } else { String::new() })]
    Engine {
        /// The command that starts it.
        command: String,
        /// The number of restarts before that, one after the other.
        restarts: usize,
        /// The problem.
        #[source]
        error: EngineError,
    },
}
