//! Results and ratings of games, and the moves of a position with them.

use super::query::Header;
use crate::chess::{Color, Move};
use crate::notation::pgn::GameResult;
use std::fmt;

/// The facts about a game that are counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GameFacts {
    /// The result.
    pub result: GameResult,
    /// The ratings of White and Black.
    pub ratings: [Option<u16>; Color::COUNT],
    /// The year of the date.
    pub year: Option<u16>,
}

impl GameFacts {
    /// The facts of a game with these tags.
    pub fn new(header: &(impl Header + ?Sized), result: GameResult) -> Self {
        let rating = |name: &str| rating(header.tag(name)?);
        let year = header.tag("Date").and_then(year);
        Self { result, ratings: ["WhiteElo", "BlackElo"].map(rating), year }
    }
}

/// The year of a date.
pub(super) fn year(date: &str) -> Option<u16> {
    date.trim().get(..4)?.parse().ok().filter(|&year| year > 0)
}

/// The rating that a tag states.
pub fn rating(text: &str) -> Option<u16> {
    text.trim().parse().ok().filter(|&rating| rating > 0)
}

/// Results and ratings of games, from the point of view of one side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// The number of all games, including those without a result.
    pub games: u64,
    /// The number of games won by White.
    pub white: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of games won by Black.
    pub black: u64,
    /// The sum of the ratings of the side, and their number.
    ratings: (u64, u64),
    /// The sum of the opponents' ratings in games with a result, and their number.
    opponents: (u64, u64),
    /// Twice the points in the games of `opponents`.
    half_points: u64,
    /// The year of the latest game.
    pub last_year: Option<u16>,
}

impl Tally {
    /// Adds a game from the point of view of this side.
    #[inline]
    pub fn add(&mut self, game: &GameFacts, side: Color) {
        self.games += 1;
        let half_points = match game.result {
            GameResult::Unknown => None,
            GameResult::Draw => Some(1),
            won => Some(2 * u64::from(won == GameResult::win(side))),
        };
        self.white += u64::from(game.result == GameResult::WhiteWins);
        self.black += u64::from(game.result == GameResult::BlackWins);
        self.draws += u64::from(game.result == GameResult::Draw);
        if let Some(rating) = game.ratings[side as usize] {
            self.ratings = (self.ratings.0 + u64::from(rating), self.ratings.1 + 1);
        }
        if let (Some(rating), Some(half_points)) = (game.ratings[!side as usize], half_points) {
            self.opponents = (self.opponents.0 + u64::from(rating), self.opponents.1 + 1);
            self.half_points += half_points;
        }
        self.last_year = self.last_year.max(game.year);
    }

    /// All counts, as numbers that [`Self::from_numbers`] reads.
    pub(super) fn numbers(&self) -> [u64; Self::NUMBERS] {
        let [ratings, opponents] = [self.ratings, self.opponents];
        let last_year = self.last_year.unwrap_or(0).into();
        [
            self.games,
            self.white,
            self.draws,
            self.black,
            ratings.0,
            ratings.1,
            opponents.0,
            opponents.1,
            self.half_points,
            last_year,
        ]
    }

    /// The length of [`Self::numbers`].
    pub(super) const NUMBERS: usize = 10;

    /// The tally with these counts; `None` if it has more results than games.
    pub(super) fn from_numbers(numbers: [u64; Self::NUMBERS]) -> Option<Self> {
        let [games, white, draws, black, ratings, rated, opponents, rated_opponents, half_points, last_year] =
            numbers;
        let finished = white.checked_add(draws)?.checked_add(black)?;
        let last_year = u16::try_from(last_year).ok()?;
        let limit = u64::from(u32::MAX);
        let is_small = games <= limit && ratings.max(opponents) <= limit * u64::from(u16::MAX);
        let is_right =
            is_small && finished.max(rated).max(rated_opponents) <= games && half_points <= 2 * games;
        is_right.then_some(Self {
            games,
            white,
            draws,
            black,
            ratings: (ratings, rated),
            opponents: (opponents, rated_opponents),
            half_points,
            last_year: (last_year > 0).then_some(last_year),
        })
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.ratings = (self.ratings.0 + other.ratings.0, self.ratings.1 + other.ratings.1);
        self.opponents = (self.opponents.0 + other.opponents.0, self.opponents.1 + other.opponents.1);
        self.half_points += other.half_points;
        self.last_year = self.last_year.max(other.last_year);
    }

    /// The number of games with a result.
    pub const fn finished(&self) -> u64 {
        self.white + self.draws + self.black
    }

    /// The number of games without a result.
    pub const fn unfinished(&self) -> u64 {
        self.games - self.finished()
    }

    /// The percentage of points of a side in games with a result.
    pub fn score(&self, side: Color) -> Option<f64> {
        let won = if side == Color::White { self.white } else { self.black };
        let half_points = 2 * won + self.draws;
        (self.finished() > 0).then(|| half_points as f64 * 50.0 / self.finished() as f64)
    }

    /// The average rating of the side, rounded.
    pub fn average_rating(&self) -> Option<u64> {
        average(self.ratings)
    }

    /// The average rating of the opponents in games with a result, rounded.
    pub fn average_opponent(&self) -> Option<u64> {
        average(self.opponents)
    }

    /// The performance rating: the rating for which the points against these opponents are the expected ones; at most
    /// 800 above or below the average of the opponents.
    pub fn performance(&self) -> Option<i64> {
        let (sum, count) = self.opponents;
        if count == 0 {
            return None;
        }
        /// The rating difference for a perfect or zero score, as used by FIDE.
        const MOST: f64 = 800.0;
        /// The rating difference at which the odds are ten to one.
        const TENFOLD: f64 = 400.0;
        let share = self.half_points as f64 / (2 * count) as f64;
        let difference = TENFOLD * (share / (1.0 - share)).log10();
        Some((sum as f64 / count as f64 + difference.clamp(-MOST, MOST)).round() as i64)
    }
}

fn average((sum, count): (u64, u64)) -> Option<u64> {
    (count > 0).then(|| (sum + count / 2) / count)
}

/// Results from the point of view of one side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct WinDrawLoss {
    /// The number of games won.
    pub won: u64,
    /// The number of games drawn.
    pub drawn: u64,
    /// The number of games lost.
    pub lost: u64,
}

impl WinDrawLoss {
    /// Adds a game from the point of view of this side; a game without a result does not count.
    pub fn add(&mut self, result: GameResult, side: Color) {
        match result {
            GameResult::Draw => self.drawn += 1,
            GameResult::Unknown => {}
            _ if result == GameResult::win(side) => self.won += 1,
            _ => self.lost += 1,
        }
    }
}

impl fmt::Display for WinDrawLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.won, self.drawn, self.lost)?;
        let games = self.won + self.drawn + self.lost;
        if games > 0 {
            let points = self.won as f64 + self.drawn as f64 / 2.0;
            write!(f, " ({:.1} %)", points * 100.0 / games as f64)?;
        }
        Ok(())
    }
}

/// A move of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Branch {
    /// Its games, from the point of view of the side that moves.
    pub tally: Tally,
    /// The number of the first game with the move, in the order of the input, and the index of the move in that game.
    pub first: (u64, usize),
}

/// The moves of a position, counted in many games of a collection.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counted {
    /// The games with the position, from the point of view of the side to move.
    pub total: Tally,
    /// The moves. Their first games are counted from 1 at the start of the part that is read.
    pub moves: Vec<(Move, Branch)>,
}

/// Counts the moves of a position.
#[derive(Default)]
pub(super) struct Counting {
    counted: Counted,
    /// For each move, the games in which it is the only one played in the position, as in nearly all games: they are
    /// added to the rest at the end.
    alone: Vec<Tally>,
    /// The index of the latest move, which is often the next one, too.
    latest: usize,
}

impl Counting {
    /// Adds a game with the position, in which these moves were played, each listed once; `number` is its number in the
    /// part.
    pub(super) fn add(&mut self, facts: &GameFacts, side: Color, moves: &[Move], number: u64) {
        let is_alone = moves.len() == 1;
        if !is_alone {
            self.counted.total.add(facts, side);
        }
        for (index, &mv) in moves.iter().enumerate() {
            let known = &mut self.counted.moves;
            if known.get(self.latest).is_none_or(|&(latest, _)| latest != mv) {
                self.latest = known.iter().position(|&(other, _)| other == mv).unwrap_or_else(|| {
                    known.push((mv, Branch { first: (number, index), ..Branch::default() }));
                    self.alone.push(Tally::default());
                    known.len() - 1
                });
            }
            let place = self.latest;
            let tally = if is_alone { &mut self.alone[place] } else { &mut known[place].1.tally };
            tally.add(facts, side);
        }
    }

    /// The counts of all games that were added.
    pub(super) fn counted(&mut self) -> &Counted {
        for ((_, branch), alone) in self.counted.moves.iter_mut().zip(&mut self.alone) {
            branch.tally.merge(alone);
            self.counted.total.merge(alone);
            *alone = Tally::default();
        }
        &self.counted
    }

    /// Starts again without games.
    pub(super) fn clear(&mut self) {
        self.counted.total = Tally::default();
        self.counted.moves.clear();
        self.alone.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(result: GameResult, white: u16, black: u16, year: u16) -> GameFacts {
        GameFacts { result, ratings: [Some(white), Some(black)], year: Some(year) }
    }

    #[test]
    fn performances_follow_from_points_and_opponents() {
        let mut tally = Tally::default();
        assert_eq!((tally.performance(), tally.score(Color::White)), (None, None));
        tally.add(&game(GameResult::WhiteWins, 2400, 2300, 1990), Color::White);
        assert_eq!((tally.performance(), tally.average_rating()), (Some(3100), Some(2400)));
        tally.add(&game(GameResult::Draw, 2401, 2500, 1989), Color::White);
        // Three quarters of the points correspond to a rating difference of 191.
        assert_eq!((tally.performance(), tally.average_rating()), (Some(2591), Some(2401)));
        tally.add(&game(GameResult::Unknown, 2400, 1000, 1991), Color::White);
        assert_eq!((tally.performance(), tally.unfinished()), (Some(2591), 1));
        assert_eq!((tally.score(Color::White), tally.score(Color::Black)), (Some(75.0), Some(25.0)));
        assert_eq!(tally.last_year, Some(1991));
        let mut lost = Tally::default();
        lost.add(&game(GameResult::WhiteWins, 2400, 2300, 1990), Color::Black);
        assert_eq!(lost.performance(), Some(1600));
    }
}
