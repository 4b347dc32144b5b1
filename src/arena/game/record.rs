//! A game as it was played.

use super::Termination;
use crate::chess::{Move, Position};
use crate::client::Thought;
use std::time::{Duration, SystemTime};

/// A move of a game.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// What the engine said and needed; `None` for a move of the opening.
    pub thought: Option<Thought>,
    /// What the mover's clock shows afterwards; `None` without a clock.
    pub left: Option<Duration>,
}

/// A whole game.
#[derive(Clone, Debug)]
pub struct Record {
    /// Where it began.
    pub start: Position,
    /// Its moves, those of the opening first.
    pub moves: Vec<PlayedMove>,
    /// Where it ended.
    pub end: Position,
    /// Why it ended.
    pub termination: Termination,
    /// When it began.
    pub started: SystemTime,
    /// How long it took.
    pub duration: Duration,
}
