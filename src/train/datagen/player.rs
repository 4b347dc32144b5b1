//! The games of a run, each from its number.

use super::{DatagenError, Openings, Settings, opening};
use crate::chess::Position;
use crate::nnue::Network;
use crate::rng::Rng;
use crate::search::{Job, Limits, Searcher};
use crate::selfplay::{self, Adjudicator, Counted, is_level};
use crate::train::data::Game;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Openings that are tried for a game. This many decided ones in a row are not chance.
const MAX_OPENINGS: usize = 1000;

/// A game, and the work it took.
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
pub struct SelfPlay {
    settings: Arc<Settings>,
    book: Option<Arc<Openings>>,
    searcher: Searcher,
    /// Makes the games of this seed others than those of another.
    salt: u64,
}

impl SelfPlay {
    /// A player with its own hash table, which evaluates with this network.
    ///
    /// # Errors
    /// [`DatagenError::Resource`] if there is no memory for that.
    pub fn new(
        settings: Arc<Settings>,
        book: Option<Arc<Openings>>,
        network: Arc<Network>,
        seed: u64,
    ) -> Result<Self, DatagenError> {
        let mut searcher = Searcher::new(1, settings.hash_mib)?;
        searcher.set_network(network);
        Ok(Self { settings, book, searcher, salt: Rng::new(seed).next_u64() })
    }

    /// Plays the game with this number; `None` if `stop` is set before the end.
    ///
    /// # Errors
    /// [`DatagenError::Openings`] if no opening is found that is still open.
    pub fn play(&mut self, number: u64, stop: &AtomicBool) -> Result<Option<Played>, DatagenError> {
        let mut rng = Rng::new(self.salt ^ number);
        self.searcher.clear();
        let Settings { opening_nodes, opening_score, .. } = *self.settings;
        let limits = limits(opening_nodes, opening_nodes.saturating_mul(2));
        for dropped in 0..MAX_OPENINGS {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let start = opening::random(&self.settings, self.book.as_deref(), &mut rng);
            let is_open =
                |start: &Position| is_level(start, &mut self.searcher, limits.clone(), opening_score);
            if let Some(start) = start.filter(is_open) {
                let game = self.play_from(&start, stop);
                return Ok(game.map(|(game, nodes)| Played { game, nodes, dropped: dropped as u64 }));
            }
        }
        Err(DatagenError::Openings(MAX_OPENINGS))
    }

    /// Plays a game, and counts the nodes.
    fn play_from(&mut self, start: &Position, stop: &AtomicBool) -> Option<(Game, u64)> {
        let Settings { soft_nodes, hard_nodes, adjudication, .. } = *self.settings;
        let limits = limits(soft_nodes, hard_nodes);
        let adjudicator = Adjudicator::new(adjudication, Counted::Game);
        let selfplay::Game { plies, result, termination, nodes } =
            selfplay::play(start, adjudicator, stop, |&position, line| {
                let job = Job { position, key_history: line.clone(), limits: limits.clone(), multi_pv: 1 };
                self.searcher.search_silently(job)
            })?;
        let game = Game::new(*start, plies, result, termination).ok()?;
        Some((game, nodes))
    }
}

fn limits(soft: u64, hard: u64) -> Limits {
    Limits { soft_nodes: Some(soft), nodes: Some(hard), ..Limits::default() }
}
