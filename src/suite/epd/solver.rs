//! Solvers of positions, and their results.

use super::Case;
use crate::chess::{Move, Position};
use crate::client::EngineError;
use crate::notation::Excerpt;
use crate::search::ResourceError;
use crate::uci::InfoValue;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// A moment of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Time since the search began.
    pub elapsed: Duration,
    /// Nodes searched.
    pub nodes: u64,
    /// The iteration, in plies.
    pub depth: u32,
}

/// What a solver thinks at some moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thought {
    /// When.
    pub moment: Moment,
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
    pub end: Moment,
    /// The move; `None` if there is none or it is not legal.
    pub best: Option<Move>,
    /// What an engine has said in place of a legal move.
    pub illegal: Option<Excerpt>,
    /// How good the solver thinks it is.
    pub score: Option<InfoValue>,
    /// What it expects to be played, the best move first; empty without one.
    pub pv: Vec<Move>,
}

/// What has become of a case.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    /// The case.
    pub case: &'a Case,
    /// What was answered.
    pub answer: Answer,
    /// If the answer is right: the moment since which it has been.
    pub solution: Option<Moment>,
    /// The points it got, where there are points.
    pub points: Option<u32>,
}

/// Whoever thinks about positions.
pub trait Solver {
    /// What it is called.
    fn name(&self) -> &str;

    /// Thinks about a position of which it knows nothing yet, within the budget, and tells every
    /// thought, or that there is no new one; a break ends the search.
    ///
    /// # Errors
    /// [`SolverError`] if it cannot go on.
    fn solve(
        &mut self,
        position: &Position,
        budget: Budget,
        hear: &mut dyn FnMut(Option<&Thought>) -> ControlFlow<()>,
    ) -> Result<Answer, SolverError>;
}

/// Why a solver cannot go on.
#[derive(Debug)]
pub enum SolverError {
    /// The machine lacks memory or threads.
    Resource(ResourceError),
    /// An engine does not do what it should.
    Engine {
        /// The command that starts it.
        command: String,
        /// What is wrong.
        error: EngineError,
    },
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource(error) => error.fmt(f),
            Self::Engine { command, error } => write!(f, "engine `{command}`: {error}"),
        }
    }
}

impl std::error::Error for SolverError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Resource(error) => Some(error),
            Self::Engine { error, .. } => Some(error),
        }
    }
}

impl From<ResourceError> for SolverError {
    fn from(error: ResourceError) -> Self {
        Self::Resource(error)
    }
}

/// The bounds of one search; what is `None` does not bound it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Time for each position.
    pub time: Option<Duration>,
    /// Nodes for each position.
    pub nodes: Option<u64>,
    /// Depth of the search, in plies.
    pub depth: Option<u32>,
    /// The mate to look for, in moves.
    pub mate: Option<u32>,
}
