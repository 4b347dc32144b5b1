//! Games of self-play: the loop that plays them, their results, the reasons for their ends, and tallies.

use super::Adjudicator;
use crate::chess::{Color, KeyHistory, Move, Outcome, Position};
use crate::search::{Score, SearchResult};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};

/// A move that a search chose, and its score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The value of the position before the move, from the view of the side that moved.
    pub score: Score,
}

/// A game that was played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The moves with their scores. After an adjudication the last one was chosen, but not played.
    pub plies: Vec<Ply>,
    /// The winner.
    pub result: GameResult,
    /// The reason for the end.
    pub termination: Termination,
    /// Nodes of all searches.
    pub nodes: u64,
}

/// Plays a game from `start` until the rules or the adjudicator end it. `search` chooses the move in a position, given
/// the game up to and including it. Returns `None` if `stop` is set before the end.
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
        // There is a legal move, or the game would be over.
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

/// The result of a game that is over by the rules, or by a claim, which the engine always makes.
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

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum GameResult {
    /// 0-1
    BlackWins,
    /// 1/2-1/2
    Draw,
    /// 1-0
    WhiteWins,
}

impl GameResult {
    /// All results, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// A win of this side.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// Half points of a side: 2 for a win, 1 for a draw, 0 for a loss.
    pub const fn half_points(self, color: Color) -> u8 {
        match color {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }

    /// The result with this code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

impl fmt::Display for GameResult {
    /// `1-0`, `1/2-1/2` or `0-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
        })
    }
}

/// The reason for the end of a game. The order is that of the codes in files: new ones come last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Termination {
    /// Mate.
    Checkmate,
    /// No legal move, no check.
    Stalemate,
    /// Neither side can give mate.
    InsufficientMaterial,
    /// Fifty moves by each side without progress.
    FiftyMoves,
    /// The same position for the third time.
    Repetition,
    /// Adjudicated a win after a long run of high scores.
    WinAdjudicated,
    /// Adjudicated a draw after a long run of scores near zero.
    DrawAdjudicated,
    /// Adjudicated a draw after too many plies.
    TooLong,
}

impl Termination {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::FiftyMoves,
        Self::Repetition,
        Self::WinAdjudicated,
        Self::DrawAdjudicated,
        Self::TooLong,
    ];

    /// The termination with this code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FiftyMoves => "fifty moves",
            Self::Repetition => "repetition",
            Self::WinAdjudicated => "win adjudicated",
            Self::DrawAdjudicated => "draw adjudicated",
            Self::TooLong => "too long",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Results of games from the view of one player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Games won minus games lost.
    pub const fn difference(&self) -> i64 {
        self.wins as i64 - self.losses as i64
    }

    /// Adds a game in which the player had this color.
    pub fn add(&mut self, result: GameResult, color: Color) {
        if result == GameResult::Draw {
            self.draws += 1;
        } else if result == GameResult::win(color) {
            self.wins += 1;
        } else {
            self.losses += 1;
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_places() {
        for termination in Termination::ALL {
            assert_eq!(Termination::from_code(termination as u8), Some(termination));
        }
        assert_eq!(Termination::from_code(Termination::ALL.len() as u8), None);
    }
}
