//! The game loop of self-play.

use super::{Adjudicator, GameResult, Termination};
use crate::chess::{KeyHistory, Move, Outcome, Position};
use crate::search::{Score, SearchResult};
use std::sync::atomic::{AtomicBool, Ordering};

/// A move chosen by a search, and its score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The value of the position before the move, from the point of view of the side that moved.
    pub score: Score,
}

/// A game that was played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The moves with their scores. After an adjudication the last one was chosen but not played.
    pub plies: Vec<Ply>,
    /// The result.
    pub result: GameResult,
    /// The reason for the end.
    pub termination: Termination,
    /// The number of nodes of all searches.
    pub nodes: u64,
}

/// Plays a game from `start` until the rules or the adjudicator end it. `search` chooses the move in a position and
/// receives the game up to and including it. Returns `None` if `stop` is set before the end.
pub fn play(
    start: &Position,
    mut adjudicator: Adjudicator,
    stop: &AtomicBool,
    mut search: impl FnMut(&Position, &KeyHistory) -> SearchResult,
) -> Option<Game> {
    let mut position = *start;
    let mut key_history = KeyHistory::new(start);
    let mut plies = Vec::new();
    let mut nodes = 0;
    let (result, termination) = loop {
        if let Some(outcome) = position.outcome(&key_history) {
            break ended(outcome);
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let result = search(&position, &key_history);
        nodes += result.nodes;
        // There is a legal move, since the game would be over otherwise.
        let mv = result.best_move?;
        plies.push(Ply { mv, score: result.score });
        if let Some(end) = adjudicator.judge(&position, result.score) {
            break end;
        }
        position = position.after(mv).0;
        key_history.push(&position);
    };
    Some(Game { plies, result, termination, nodes })
}

/// The result of a game that is over by the rules, or by a claim, since the engine claims every draw.
fn ended(outcome: Outcome) -> (GameResult, Termination) {
    let termination = match outcome {
        Outcome::Checkmate { .. } => Termination::Checkmate,
        Outcome::Stalemate => Termination::Stalemate,
        Outcome::InsufficientMaterial => Termination::InsufficientMaterial,
        Outcome::SeventyFiveMoves | Outcome::FiftyMoves => Termination::FiftyMoves,
        Outcome::FivefoldRepetition | Outcome::ThreefoldRepetition => Termination::Repetition,
    };
    (outcome.winner().map_or(GameResult::Draw, GameResult::win), termination)
}
