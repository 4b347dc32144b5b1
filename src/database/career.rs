//! The career of one player: results by year and opponent, ratings by month, and the openings with each color.

use super::names::{Joined, join_names};
use super::players::{Player, date, is_known_name, players_of};
use super::query::Header;
use super::sieve::Follow;
use super::tally::GameFacts;
use super::tree::{CurrentOpening, OpeningNames};
use crate::chess::{Color, Move, Position};
use crate::notation::pgn::{Date, GameResult};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A year and a month: 1 to 12, or 0 if unknown.
pub type Month = (u16, u8);

/// The tags with the names of the players.
const NAMES: [&str; Color::COUNT] = ["White", "Black"];

/// Counts the games of one player.
#[derive(Clone, Default, Debug)]
pub struct Career {
    /// The spellings of the player's name, with the number of games of each.
    pub names: BTreeMap<String, u64>,
    /// The results of all games.
    pub all: Player,
    /// The results of each year; games without a year come first.
    pub years: BTreeMap<Option<u16>, Player>,
    /// The openings with White and with Black, each from the player's point of view.
    pub openings: [OpeningNames; Color::COUNT],
    /// The results against each spelling of an opponent.
    opponents: BTreeMap<String, Player>,
    /// The latest rating of each month, with the date of its game.
    ratings: BTreeMap<Month, (Date, u16)>,
    /// The opening of the current game.
    current: CurrentOpening,
}

impl Career {
    /// Adds the current game, in which the player has this color.
    pub fn add(&mut self, header: &dyn Header, result: GameResult, side: Color) {
        let (facts, date) = (GameFacts::new(header, result), date(header));
        let name = header.tag(NAMES[side as usize]).unwrap_or_default().trim();
        *self.names.entry(name.to_owned()).or_default() += 1;
        self.all.add(&facts, side, date);
        self.years.entry(facts.year).or_default().add(&facts, side, date);
        self.openings[side as usize].add_seen(self.current.opening(), &facts, side);
        // In consultation games, the game counts for each of the opponents.
        for (opponent, _) in players_of(header, !side).filter(|(name, _)| is_known_name(name)) {
            self.opponents.entry(opponent.to_owned()).or_default().add(&facts, side, date);
        }
        if let Some(rating) = facts.ratings[side as usize].filter(|_| date.year.is_some()) {
            let (year, month, _) = date.numbers();
            self.see_rating((year, month), (date, rating));
        }
    }

    /// If two ratings have the same date, that of the later game counts.
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

    /// The spellings of opponents, joined to names.
    pub fn joined(&self) -> Joined {
        join_names(self.opponents.iter().map(|(name, player)| (&**name, player.games())))
    }

    /// The results against each opponent by name, from this player's point of view.
    pub fn opponents(&self, joined: &Joined) -> BTreeMap<String, Player> {
        let mut opponents: BTreeMap<String, Player> = BTreeMap::new();
        for (name, player) in &self.opponents {
            opponents.entry(joined.name(name).to_owned()).or_default().merge(player);
        }
        opponents
    }

    /// The latest rating of each month, in chronological order.
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
