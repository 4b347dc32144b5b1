//! The rows of tables about games: players, openings and the standings of events, as programs read them.

use super::names::Joined;
use super::players::{Player, Players, Title};
use super::tables::{CrossGame, Crosstable, Opponent, Standing};
use super::tally::Tally;
use super::tree::{NamedGames, OpeningNames};
use super::{Rounds, join_names};
use crate::chess::Color;
use crate::notation::percent;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The results of a player with one color.
#[derive(Clone, Serialize)]
pub struct ColorNumbers {
    /// All games.
    pub games: u64,
    /// Those that were won.
    pub won: u64,
    /// Those that were drawn.
    pub drawn: u64,
    /// Those that were lost.
    pub lost: u64,
    /// In percent.
    pub score: Option<f64>,
}

impl ColorNumbers {
    /// The numbers of games that a player had with this color.
    pub fn new(tally: &Tally, side: Color) -> Self {
        let (won, lost) =
            if side == Color::White { (tally.white, tally.black) } else { (tally.black, tally.white) };
        Self { games: tally.games, won, drawn: tally.draws, lost, score: tally.score(side) }
    }
}

/// Results as numbers.
#[derive(Clone, Serialize)]
pub struct Numbers {
    /// All games.
    pub games: u64,
    /// Of all the games that are looked at, in percent.
    pub share: f64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// Without a result.
    pub unfinished: u64,
    /// In percent.
    pub score: Option<f64>,
    /// Of the side whose numbers they are.
    pub average_rating: Option<u64>,
    /// Of the same side.
    pub performance: Option<i64>,
    /// The year of the latest game.
    pub last_year: Option<u16>,
}

impl Numbers {
    /// The numbers of games, of so many, seen by a side.
    pub fn new(tally: &Tally, all: u64, side: Color) -> Self {
        Self {
            games: tally.games,
            share: percent(tally.games, all).unwrap_or_default(),
            white: tally.white,
            draws: tally.draws,
            black: tally.black,
            unfinished: tally.unfinished(),
            score: tally.score(side),
            average_rating: tally.average_rating(),
            performance: tally.performance(),
            last_year: tally.last_year,
        }
    }
}

/// The numbers of a player.
#[derive(Clone, Serialize)]
pub struct PlayerRow {
    /// The name.
    pub name: String,
    /// All games.
    pub games: u64,
    /// Points of games with a result.
    pub points: f64,
    /// Of the possible points, in percent.
    pub score: Option<f64>,
    /// Games that were won.
    pub won: u64,
    /// Games that were drawn.
    pub drawn: u64,
    /// Games that were lost.
    pub lost: u64,
    /// Games without a result.
    pub unfinished: u64,
    /// The games with White.
    pub as_white: ColorNumbers,
    /// The games with Black.
    pub as_black: ColorNumbers,
    /// The latest one.
    pub rating: Option<u16>,
    /// The latest title, if the tags have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// The average rating of the opponents.
    pub average_opponent: Option<u64>,
    /// The rating for which the score is to be expected.
    pub performance: Option<i64>,
    /// The year of the latest game.
    pub last_year: Option<u16>,
}

impl PlayerRow {
    /// The numbers of a player of this name.
    pub fn new(name: &str, player: &Player) -> Self {
        let [won, drawn, lost] = player.results();
        Self {
            name: name.to_owned(),
            games: player.games(),
            points: player.half_points() as f64 / 2.0,
            score: player.score(),
            won,
            drawn,
            lost,
            unfinished: player.games() - won - drawn - lost,
            as_white: ColorNumbers::new(&player.white, Color::White),
            as_black: ColorNumbers::new(&player.black, Color::Black),
            rating: player.rating(),
            title: player.title(),
            average_opponent: player.average_opponent(),
            performance: player.performance(),
            last_year: player.last_year(),
        }
    }

    /// The players, those with the most points first, equal ones by name.
    pub fn all(players: &Players, joined: &Joined) -> Vec<Self> {
        let names = players.by_name(joined);
        let mut rows: Vec<Self> = names.iter().map(|(name, player)| Self::new(name, player)).collect();
        rows.sort_by(|a, b| b.points.total_cmp(&a.points));
        rows
    }
}

/// The part of the name of an opening by which games are counted together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningPart {
    /// The first part, such as Sicilian Defense.
    Family,
    /// The first two parts.
    Variation,
    /// The whole name.
    Name,
    /// The ECO code.
    Eco,
}

/// The numbers of an opening.
#[derive(Clone, Serialize)]
pub struct OpeningRow {
    /// The name, or the part of it.
    pub name: String,
    /// The code, or the first and the last one.
    pub eco: String,
    /// The results, with the score of the side whose openings they are, White if it is nobody's.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// The same, before they are numbers.
    #[serde(skip)]
    pub tally: Tally,
}

impl OpeningRow {
    /// The openings of so many games in the alphabetical order of what is counted together.
    pub fn all(names: &OpeningNames, all: u64, part: OpeningPart) -> Vec<Self> {
        Self::seen_by(names, all, part, Color::White)
    }

    /// The same of games that have been counted as this side sees them.
    pub fn seen_by(names: &OpeningNames, all: u64, part: OpeningPart, side: Color) -> Vec<Self> {
        let mut groups: BTreeMap<String, NamedGames> = BTreeMap::new();
        for games in names.sorted() {
            let opening = games.opening;
            let key = match (part, opening.variation()) {
                (OpeningPart::Name, _) => opening.name().to_owned(),
                (OpeningPart::Eco, _) => opening.code().to_string(),
                (OpeningPart::Variation, Some(variation)) => format!("{}: {variation}", opening.family()),
                _ => opening.family().to_owned(),
            };
            groups.entry(key).and_modify(|own| own.merge(&games)).or_insert(games);
        }
        let is_code = part == OpeningPart::Eco;
        let row = |(key, games): (String, NamedGames)| Self {
            name: if is_code { games.opening.family().to_owned() } else { key.clone() },
            eco: if is_code { key } else { code_range(&games) },
            numbers: Numbers::new(&games.tally, all, side),
            tally: games.tally,
        };
        groups.into_iter().map(row).collect()
    }

    /// The same, those with the most games first.
    pub fn most_first(names: &OpeningNames, all: u64, part: OpeningPart) -> Vec<Self> {
        let mut rows = Self::all(names, all, part);
        rows.sort_by_key(|row| Reverse(row.tally.games));
        rows
    }
}

/// The first and the last code of an opening.
pub fn code_range(games: &NamedGames) -> String {
    let (first, last) = games.codes;
    if first == last { first.to_string() } else { format!("{first}–{last}") }
}

/// The kind of a cross table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrossStyle {
    /// A grid of results against each opponent.
    RoundRobin,
    /// A column for each round.
    Swiss,
    /// The same with the points after each round.
    Mentor,
    /// The matches of each round.
    Knockout,
}

impl CrossStyle {
    /// The one that fits the games.
    pub fn of(table: &Crosstable) -> Self {
        /// More columns of rounds than this are a grid instead.
        const MAX_ROUNDS: usize = 40;
        if table.is_knockout() {
            Self::Knockout
        } else if table.is_complete() || table.rounds.is_empty() || table.rounds.len() > MAX_ROUNDS {
            Self::RoundRobin
        } else {
            Self::Swiss
        }
    }
}

/// A cross table.
#[derive(Clone, Serialize)]
pub struct EventReport {
    event: String,
    style: CrossStyle,
    rounds: Vec<u32>,
    without_round: u64,
    players: Vec<StandingReport>,
}

#[derive(Clone, Serialize)]
struct StandingReport {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<Title>,
    rating: Option<u16>,
    points: f64,
    sonneborn_berger: f64,
    buchholz: f64,
    performance: Option<i64>,
    games: Vec<EntryReport>,
}

#[derive(Clone, Serialize)]
struct EntryReport {
    /// The number of the opponent in the order of the table, from 1.
    opponent: usize,
    color: &'static str,
    points: Option<f64>,
    round: Option<u32>,
}

impl EventReport {
    /// The table of an event with these tags Event, EventDate and Section.
    pub fn new(event: &[String; 3], style: CrossStyle, table: &Crosstable) -> Self {
        let entry = |game: &Opponent| EntryReport {
            opponent: game.index + 1,
            color: game.color.name(),
            points: game.half_points.map(|half_points| half_points as f64 / 2.0),
            round: game.round,
        };
        let player = |standing: &Standing| StandingReport {
            name: standing.name.clone(),
            title: standing.player.title(),
            rating: standing.rating,
            points: standing.half_points as f64 / 2.0,
            sonneborn_berger: standing.sonneborn_berger as f64 / 4.0,
            buchholz: standing.buchholz as f64 / 2.0,
            performance: standing.player.performance(),
            games: standing.games.iter().map(entry).collect(),
        };
        Self {
            event: event[0].clone(),
            style,
            rounds: table.rounds.clone(),
            without_round: table.without_round,
            players: table.standings.iter().map(player).collect(),
        }
    }

    /// The table of the games of an event, in the style that fits it.
    pub fn fitting(event: &[String; 3], games: &[CrossGame], joined: &Joined) -> Self {
        let table = Crosstable::new(games, joined, Rounds::Stated);
        Self::new(event, CrossStyle::of(&table), &table)
    }
}

/// Which spellings in these games are one name.
pub fn joined_players<'a>(games: impl Iterator<Item = &'a CrossGame>) -> Joined {
    let mut names: BTreeMap<&str, u64> = BTreeMap::new();
    for name in games.flat_map(|game| &game.names) {
        *names.entry(name).or_default() += 1;
    }
    join_names(names)
}
