//! Whole games with the scores of their moves.

use super::GameError;
use crate::chess::{Move, Position};
use crate::search::Score;
use crate::selfplay::{GameResult, Ply, Termination, plies_before};

/// A game: every move is legal where it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    plies: Vec<Ply>,
    result: GameResult,
    termination: Termination,
}

impl Game {
    /// A game that was played.
    ///
    /// # Errors
    /// [`GameError::Illegal`] for the first move that is not legal, [`GameError::TooLong`] if
    /// there are more plies than two bytes can count.
    pub fn new(
        start: Position,
        plies: Vec<Ply>,
        result: GameResult,
        termination: Termination,
    ) -> Result<Self, GameError> {
        if plies.len() > usize::from(u16::MAX) {
            return Err(GameError::TooLong(plies.len()));
        }
        let mut position = start;
        for (ply, &Ply { mv, .. }) in plies.iter().enumerate() {
            position = position.play(mv).map_err(|_| GameError::Illegal { ply, mv })?;
        }
        Ok(Self { start, plies, result, termination })
    }

    /// The start position. Its clocks also count the moves before it.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Its moves with their scores.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The winner.
    pub const fn result(&self) -> GameResult {
        self.result
    }

    /// The reason for the end.
    pub const fn termination(&self) -> Termination {
        self.termination
    }

    /// Every position in which a move was chosen, in their order.
    pub fn samples(&self) -> Samples<'_> {
        Samples {
            position: self.start,
            ply: plies_before(&self.start),
            result: self.result,
            plies: self.plies.iter(),
        }
    }
}

/// A position of a game with its move, score and result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The move that was chosen.
    pub mv: Move,
    /// The score of the search, from the view of the side to move.
    pub score: Score,
    /// The result of the game.
    pub result: GameResult,
    /// Half-moves from the start of the game to the position.
    pub ply: u32,
}

/// The positions of a game, one after the other.
#[derive(Clone, Debug)]
pub struct Samples<'a> {
    position: Position,
    ply: u32,
    result: GameResult,
    plies: std::slice::Iter<'a, Ply>,
}

impl Iterator for Samples<'_> {
    type Item = Sample;

    #[inline]
    fn next(&mut self) -> Option<Sample> {
        let &Ply { mv, score } = self.plies.next()?;
        let sample = Sample { position: self.position, mv, score, result: self.result, ply: self.ply };
        // A game has only legal moves.
        self.position = self.position.after(mv).0;
        self.ply += 1;
        Some(sample)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.plies.size_hint()
    }
}

impl ExactSizeIterator for Samples<'_> {}
