//! All games of one player: results by year and opponent, ratings month by month, and the openings with each color.

use super::names::{Joined, join_names};
use super::players::{Date, Player, date, is_known_name, players_of};
use super::query::Header;
use super::sieve::Follow;
use super::tally::GameFacts;
use super::tree::{CurrentOpening, OpeningNames};
use crate::chess::{Color, Move, Position};
use crate::notation::pgn::GameResult;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A year and a month: 1 to 12, or 0 if it is not known.
pub type Month = (u16, u8);

/// The names of the players.
const NAMES: [&str; Color::COUNT] = ["White", "Black"];

/// Counts the games of a player.
#[derive(Clone, Default, Debug)]
pub struct Career {
    /// The spellings of the name, with their games.
    pub names: BTreeMap<String, u64>,
    /// All games.
    pub all: Player,
    /// The games of each year; those without one come first.
    pub years: BTreeMap<Option<u16>, Player>,
    /// The openings with White, seen by White, and with Black, seen by Black.
    pub openings: [OpeningNames; Color::COUNT],
    /// The games against each spelling of an opponent.
    opponents: BTreeMap<String, Player>,
    /// The latest rating of each month.
    ratings: BTreeMap<Month, (Date, u16)>,
    /// The opening of the game that is followed.
    current: CurrentOpening,
}

impl Career {
    /// Adds the game that was followed, in which the player has this color.
    pub fn add(&mut self, header: &dyn Header, result: GameResult, side: Color) {
        let (facts, date) = (GameFacts::new(header, result), date(header));
        let name = header.tag(NAMES[side as usize]).unwrap_or_default().trim();
        *self.names.entry(name.to_owned()).or_default() += 1;
        self.all.add(&facts, side, date);
        self.years.entry(facts.year).or_default().add(&facts, side, date);
        self.openings[side as usize].add_seen(self.current.opening(), &facts, side);
        // Of opponents who consult, each has the game.
        for (opponent, _) in players_of(header, !side).filter(|(name, _)| is_known_name(name)) {
            self.opponents.entry(opponent.to_owned()).or_default().add(&facts, side, date);
        }
        if let Some(rating) = facts.ratings[side as usize].filter(|_| date.0 > 0) {
            self.see_rating((date.0, date.1), (date, rating));
        }
    }

    /// Of the same day, the later game counts.
    fn see_rating(&mut self, month: Month, rating: (Date, u16)) {
        let known = self.ratings.entry(month).or_insert(rating);
        if known.0 <= rating.0 {
            *known = rating;
        }
    }

    /// Adds later games.
    pub fn merge(&mut self, other: Self) {
        for (name, games) in other.names {
            *self.names.entry(name).or_default() += games;
        }
        self.all.merge(&other.all);
        for (year, player) in other.years {
            self.years.entry(year).or_default().merge(&player);
        }
        for (own, other) in self.openings.iter_mut().zip(other.openings) {
            own.merge(other);
        }
        for (name, player) in other.opponents {
            self.opponents.entry(name).or_default().merge(&player);
        }
        for (month, rating) in other.ratings {
            self.see_rating(month, rating);
        }
    }

    /// Which spellings of opponents are one name.
    pub fn joined(&self) -> Joined {
        join_names(self.opponents.iter().map(|(name, player)| (&**name, player.games())))
    }

    /// The games against each opponent, by name; won and lost are those of this player.
    pub fn opponents(&self, joined: &Joined) -> BTreeMap<String, Player> {
        let mut opponents: BTreeMap<String, Player> = BTreeMap::new();
        for (name, player) in &self.opponents {
            opponents.entry(joined.name(name).to_owned()).or_default().merge(player);
        }
        opponents
    }

    /// The latest rating of each month, in the order of time.
    pub fn ratings(&self) -> impl Iterator<Item = (Month, u16)> {
        self.ratings.iter().map(|(&month, &(_, rating))| (month, rating))
    }
}

impl Follow for Career {
    fn begin(&mut self, start: Option<&Position>) -> ControlFlow<()> {
        self.current.begin(start)
    }

    fn play(&mut self, before: &Position, mv: Option<Move>, after: &Position) -> ControlFlow<()> {
        self.current.play(before, mv, after)
    }
}
