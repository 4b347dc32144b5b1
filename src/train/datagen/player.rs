//! The games of a run, each determined by its number: an opening from a book, or an initial position with random moves;
//! and the moves chosen by searches.

use super::{DatagenError, Openings, Settings};
use crate::chess::{Position, Setup, chess960_back_rank};
use crate::nnue::Network;
use crate::rng::Rng;
use crate::search::{Job, Limits, SearchOptions, Searcher};
use crate::selfplay::{self, Adjudicator, Counted, is_level, random_walk};
use crate::train::data::Game;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum number of openings that are tried for a game. This many consecutive decided ones are not due to chance.
const MAX_OPENINGS: usize = 1000;

/// The number of back ranks of Chess960.
const BACK_RANKS: u64 = 960;
const PERCENT: u64 = 100;

/// A game, and the work that it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// The number of nodes of the searches of its moves.
    pub nodes: u64,
    /// The number of openings that were rejected before.
    pub dropped: u64,
}

/// Plays the games of a run, one after the other.
pub struct SelfPlay {
    settings: Arc<Settings>,
    book: Option<Arc<Openings>>,
    searcher: Searcher,
    /// Makes the games of this seed different from those of other seeds.
    salt: u64,
}

impl SelfPlay {
    /// A player with a separate hash table that evaluates with this network.
    ///
    /// # Errors
    /// [`DatagenError::Resource`] if there is no memory for the hash table.
    pub fn new(
        settings: Arc<Settings>,
        book: Option<Arc<Openings>>,
        network: Arc<Network>,
        seed: u64,
    ) -> Result<Self, DatagenError> {
        let mut searcher = Searcher::new(1, settings.hash_mib)?;
        searcher.set_network(network);
        searcher.set_options(SearchOptions { is_plain: settings.plain_scores, ..SearchOptions::default() });
        Ok(Self { settings, book, searcher, salt: Rng::new(seed).next_u64() })
    }

    /// Plays the game with this number; `None` if `stop` is set before the end.
    ///
    /// # Errors
    /// [`DatagenError::Openings`] if no opening is found that is not decided.
    pub fn play(&mut self, number: u64, stop: &AtomicBool) -> Result<Option<Played>, DatagenError> {
        let mut rng = Rng::new(self.salt ^ number);
        self.searcher.clear();
        let Settings { opening_nodes, opening_score, .. } = *self.settings;
        let limits = limits(opening_nodes, opening_nodes.saturating_mul(2));
        for dropped in 0..MAX_OPENINGS {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let start = random_opening(&self.settings, self.book.as_deref(), &mut rng);
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

/// The opening of a game: one from the book or an initial position, and some random moves. `None` if these moves have
/// ended the game.
fn random_opening(settings: &Settings, book: Option<&Openings>, rng: &mut Rng) -> Option<Position> {
    let start = if rng.below(PERCENT) < u64::from(settings.frc_percent) {
        shuffled(rng)
    } else {
        book.and_then(|book| book.choose(rng)).copied().unwrap_or_else(Position::start)
    };
    let plies = u64::from(settings.random_plies) + rng.below(2);
    random_walk(start, plies, rng)
}

/// An initial position of Chess960 or double Chess960.
fn shuffled(rng: &mut Rng) -> Position {
    let mut rank = || {
        let number = rng.below(BACK_RANKS) as u16;
        chess960_back_rank(number).expect("the number is below 960")
    };
    let (white, black) = (rank(), rank());
    let is_same = rng.below(2) == 0;
    let setup = Setup::double_chess960(white, if is_same { white } else { black });
    Position::try_from(setup).expect("initial positions are legal")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Color, Role};
    use std::path::Path;

    /// The openings of many games.
    fn openings(settings: &Settings, book: Option<&Openings>) -> Vec<Position> {
        (0..400).filter_map(|seed| random_opening(settings, book, &mut Rng::new(seed))).collect()
    }

    #[test]
    fn either_side_may_move_first_after_the_random_plies() {
        let settings = Settings { random_plies: 8, ..Settings::new(100) };
        let openings = openings(&settings, None);
        let white = openings.iter().filter(|position| position.turn() == Color::White).count();
        assert!((150..250).contains(&white), "{white} of {}", openings.len());
        assert!(openings.iter().all(|position| position.fullmove_number() == 5));
    }

    #[test]
    fn the_share_of_shuffled_starts_is_that_of_the_settings() {
        let settings = |frc_percent| Settings { random_plies: 0, frc_percent, ..Settings::new(100) };
        // A random move may have been made, but in the standard initial position only by a pawn or a knight.
        let is_shuffled = |position: &&Position| {
            let start = Position::start();
            let others = [Role::Bishop, Role::Rook, Role::Queen, Role::King];
            others.into_iter().any(|role| position.role(role) != start.role(role))
        };
        let count = |percent| openings(&settings(percent), None).iter().filter(is_shuffled).count();
        assert_eq!(count(0), 0);
        assert!((50..110).contains(&count(20)), "{}", count(20));
        assert!(count(100) > 390);
    }

    #[test]
    fn the_settings_state_whether_scores_are_plain() {
        let scores = |plain_scores| {
            let settings = Settings { plain_scores, ..Settings::new(100) };
            let mut player = SelfPlay::new(settings.into(), None, crate::nnue::embedded(), 1).expect("a MiB");
            let played =
                player.play(0, &AtomicBool::new(false)).expect("there are openings").expect("not stopped");
            played.game.plies().iter().map(|ply| ply.score).collect::<Vec<_>>()
        };
        assert_ne!(scores(true), scores(false));
        assert_eq!(scores(true), scores(true));
    }

    #[test]
    fn every_opening_of_a_book_is_used() {
        let positions: Vec<Position> =
            Position::start().legal_moves().into_iter().map(|mv| Position::start().after(mv).0).collect();
        let book = Openings::new(Path::new("moves"), positions.clone()).expect("it has positions");
        let settings = Settings { random_plies: 0, book: Some(book.id().clone()), ..Settings::new(100) };
        let openings = openings(&settings, Some(&book));
        for position in positions {
            let after = position.legal_moves().into_iter().map(|mv| position.after(mv).0);
            assert!(after.chain([position]).any(|position| openings.contains(&position)));
        }
    }
}
