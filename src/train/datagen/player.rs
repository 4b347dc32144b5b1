//! A game of the engine against itself.

use super::adjudicator::Adjudicator;
use super::{Book, DatagenError, Settings, opening};
use crate::chess::{Line, Outcome, Position};
use crate::nnue::Network;
use crate::rng::Rng;
use crate::search::{Job, Limits, Solo};
use crate::train::data::{Game, GameResult, Ply, Termination, plies_before};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Openings that are tried for a game. So many decided ones in a row are no chance.
const MAX_OPENINGS: usize = 1000;

/// A game, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// Nodes of the searches of its moves.
    pub nodes: u64,
    /// Openings that were dropped before.
    pub dropped: u64,
}

/// Plays the games of a run, one after the other.
pub struct Player {
    settings: Arc<Settings>,
    book: Option<Arc<Book>>,
    solo: Solo,
    /// What makes the games of this seed others than those of another.
    salt: u64,
}

impl Player {
    /// A player with a hash table of its own, who evaluates with this network.
    ///
    /// # Errors
    /// [`DatagenError::Resource`] if there is no memory for that.
    pub fn new(
        settings: Arc<Settings>,
        book: Option<Arc<Book>>,
        network: Arc<Network>,
        seed: u64,
    ) -> Result<Self, DatagenError> {
        let mut solo = Solo::new(settings.hash_mib).map_err(DatagenError::Resource)?;
        solo.set_network(network);
        Ok(Self { settings, book, solo, salt: Rng::new(seed).next_u64() })
    }

    /// Plays the game with this number; `None` if it was told to stop before the end.
    ///
    /// # Errors
    /// [`DatagenError::Openings`] if no opening is found that is still open.
    pub fn play(&mut self, number: u64, stop: &AtomicBool) -> Result<Option<Played>, DatagenError> {
        let mut rng = Rng::new(self.salt ^ number);
        self.solo.clear();
        for dropped in 0..MAX_OPENINGS {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let start = opening::random(&self.settings, self.book.as_deref(), &mut rng);
            if let Some(start) = start.filter(|start| self.is_open(start)) {
                return Ok(self
                    .play_from(start, stop)
                    .map(|played| Played { dropped: dropped as u64, ..played }));
            }
        }
        Err(DatagenError::Openings(MAX_OPENINGS))
    }

    /// Is it worth while to play from here?
    fn is_open(&mut self, start: &Position) -> bool {
        let line = Line::new(start);
        if start.outcome(&line).is_some() {
            return false;
        }
        let nodes = self.settings.opening_nodes;
        let report = self.solo.search(job(*start, line, nodes, nodes.saturating_mul(2)));
        report.score.value().abs() <= self.settings.opening_score
    }

    fn play_from(&mut self, start: Position, stop: &AtomicBool) -> Option<Played> {
        let Settings { soft_nodes, hard_nodes, adjudication, .. } = *self.settings;
        let mut adjudicator = Adjudicator::new(adjudication);
        let mut position = start;
        let mut line = Line::new(&start);
        let mut plies = Vec::new();
        let mut nodes = 0;
        let (result, termination) = loop {
            if let Some(outcome) = position.outcome(&line) {
                break ended(outcome);
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let report = self.solo.search(job(position, line.clone(), soft_nodes, hard_nodes));
            nodes += report.nodes;
            // There is a legal move, or the game would be over.
            let mv = report.best?;
            plies.push(Ply { mv, score: report.score });
            if let Some(end) = adjudicator.judge(position.turn(), report.score, plies_before(&position)) {
                break end;
            }
            position = position.after(mv).0;
            line.push(&position);
        };
        let game = Game::new(start, plies, result, termination).ok()?;
        Some(Played { game, nodes, dropped: 0 })
    }
}

fn job(position: Position, line: Line, soft: u64, hard: u64) -> Job {
    let limits = Limits { soft_nodes: Some(soft), nodes: Some(hard), ..Limits::default() };
    Job { position, line, limits, multi_pv: 1 }
}

/// The result of a game that the rules have ended, or let a player end: the engine claims.
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
