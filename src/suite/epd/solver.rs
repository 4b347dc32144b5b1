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

/// Figures of a search at some stats.
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

/// What a solver thinks at some stats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverInfo {
    /// When.
    pub stats: SearchStats,
    /// The move that it would play.
    pub best: Move,
    /// How good it thinks it is.
    pub score: Option<InfoValue>,
    /// Is an iteration complete, so that the score is no bound?
    pub is_complete: bool,
}

/// What a solver has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// When the search was over, and how deep it was.
    pub end: SearchStats,
    /// The move; `None` if there is none or it is not legal.
    pub best: Option<Move>,
    /// What an engine has said in place of a legal move.
    pub illegal: Option<Excerpt>,
    /// How good the solver thinks it is.
    pub score: Option<InfoValue>,
    /// What it expects to be played, the best move first; empty without one.
    pub pv: Vec<Move>,
}

/// The result of a case.
#[derive(Clone, Debug)]
pub struct CaseResult<'a> {
    /// The case.
    pub case: &'a Case,
    /// The answer of the solver.
    pub answer: Answer,
    /// If the answer is right: the stats since which it has been.
    pub solution: Option<SearchStats>,
    /// The points it got, where there are points.
    pub points: Option<u32>,
}

impl Serialize for CaseResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { case, answer, solution, points } = self;
        let position = case.epd.position();
        let (score_cp, mate) = match answer.score {
            Some(InfoValue::Centipawns(value)) => (Some(value), None),
            Some(InfoValue::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        let mut object = serializer.serialize_struct("CaseResult", 16)?;
        object.serialize_field("line", &case.line)?;
        object.serialize_field("id", &case.epd.id())?;
        object.serialize_field("fen", &Fen::new(position).to_string())?;
        object.serialize_field("goal", &case.goal.as_ref().map(ToString::to_string))?;
        object.serialize_field("san", &answer.best.map(|mv| San::new(position, mv).to_string()))?;
        let uci = answer.best.map(|mv| UciMove::new(mv, CastlingStyle::Standard).to_string());
        object.serialize_field("uci", &uci)?;
        object.serialize_field("illegal", &answer.illegal.as_ref().map(ToString::to_string))?;
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

/// Whoever thinks about positions.
pub trait Solver {
    /// What it is called.
    fn name(&self) -> &str;

    /// Thinks about a position of which it knows nothing yet, within the limits, and reports every
    /// info, or that there is no new one; a break ends the search.
    ///
    /// # Errors
    /// [`SolverError`] if it cannot go on.
    fn solve(
        &mut self,
        position: &Position,
        limits: &Limits,
        on_info: &mut dyn FnMut(Option<&SolverInfo>) -> ControlFlow<()>,
    ) -> Result<Answer, SolverError>;
}

/// Why a solver cannot go on.
#[derive(Debug, Error)]
pub enum SolverError {
    /// The machine lacks memory or threads.
    #[error("{0}")]
    Resource(#[from] ResourceError),
    /// An engine does not do what it should.
    #[error("engine `{command}`: {error}")]
    Engine {
        /// The command that starts it.
        command: String,
        /// What is wrong.
        #[source]
        error: EngineError,
    },
}
