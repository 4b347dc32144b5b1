//! The move orders by which games reach a position.

use super::sieve::Follow;
use super::tally::{GameFacts, Tally};
use super::tree::{Root, TooManyMoves};
use crate::chess::{Move, Position};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The maximum number of move orders in memory: a few hundred megabytes.
const MAX_ORDERS: usize = 1 << 20;

/// Counts the move orders from the initial position to the root of a tree, game by game.
#[derive(Clone, Debug)]
pub struct MoveOrders {
    root: Arc<Root>,
    orders: HashMap<Vec<Move>, u64>,
    /// The results of the games that reach the root, from the point of view of the side to move there.
    pub total: Tally,
    /// The moves of the current game, and whether they lead to the root.
    line: Vec<Move>,
    is_reached: bool,
}

impl MoveOrders {
    /// Starts without games.
    pub fn new(root: Arc<Root>) -> Self {
        Self { root, orders: HashMap::new(), total: Tally::default(), line: Vec::new(), is_reached: false }
    }

    /// Adds the current game if it reaches the root.
    pub fn add(&mut self, game: &GameFacts) {
        if self.is_reached {
            self.total.add(game, self.root.position.turn());
            *self.orders.entry(self.line.clone()).or_default() += 1;
        }
    }

    /// Adds the move orders of other games.
    ///
    /// # Errors
    /// [`TooManyMoves`] if there would be too many move orders.
    pub fn merge(&mut self, other: Self) -> Result<(), TooManyMoves> {
        self.total.merge(&other.total);
        for (line, games) in other.orders {
            *self.orders.entry(line).or_default() += games;
        }
        if self.orders.len() > MAX_ORDERS { Err(TooManyMoves) } else { Ok(()) }
    }

    /// The move orders with their numbers of games, the most frequent first, and shorter ones first among equals.
    pub fn sorted(&self) -> Vec<(&[Move], u64)> {
        let mut sorted: Vec<(&[Move], u64)> =
            self.orders.iter().map(|(line, &games)| (line.as_slice(), games)).collect();
        let bits = |line: &[Move]| line.iter().map(|mv| mv.bits()).collect::<Vec<_>>();
        sorted.sort_by_cached_key(|&(line, games)| (Reverse(games), line.len(), bits(line)));
        sorted
    }

    /// Whether the game must be followed beyond this position.
    fn look(&mut self, position: &Position) -> ControlFlow<()> {
        self.is_reached = self.root.is_here(position);
        if self.is_reached || !self.root.may_follow(position) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Follow for MoveOrders {
    fn begin(&mut self, start: Option<&Position>) -> ControlFlow<()> {
        self.line.clear();
        self.is_reached = false;
        match start {
            Some(start) if start.key() == Position::start().key() => self.look(start),
            _ => ControlFlow::Break(()),
        }
    }

    fn play(&mut self, _: &Position, mv: Option<Move>, after: &Position) -> ControlFlow<()> {
        let Some(mv) = mv else { return ControlFlow::Break(()) };
        self.line.push(mv);
        self.look(after)
    }
}
