//! Openings of games: a book or initial positions, and random moves.

use super::{Openings, Settings};
use crate::chess::{Position, Setup, chess960_back_rank};
use crate::rng::Rng;
use crate::selfplay::random_walk;

/// Arrangements of the back rank in Chess960.
const BACK_RANKS: u64 = 960;
const PERCENT: u64 = 100;

/// The opening of a game: one of the book or an initial position, and some random moves. `None` if the moves have ended
/// the game.
pub(super) fn random(settings: &Settings, book: Option<&Openings>, rng: &mut Rng) -> Option<Position> {
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

    /// Openings of many games.
    fn openings(settings: &Settings, book: Option<&Openings>) -> Vec<Position> {
        (0..400).filter_map(|seed| random(settings, book, &mut Rng::new(seed))).collect()
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
        // One move may have been made, but of the initial position only by a pawn or a knight.
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
