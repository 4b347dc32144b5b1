//! The rows of tables about games for programs: players, openings and the standings of events.

use super::cross_events::{CrossEvent, CrossGame};
use super::names::Joined;
use super::players::{Player, Players, Title};
use super::tables::{Crosstable, Opponent, Standing};
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
    /// The number of all games.
    pub games: u64,
    /// The number of games won.
    pub won: u64,
    /// The number of games drawn.
    pub drawn: u64,
    /// The number of games lost.
    pub lost: u64,
    /// The score in percent.
    pub score: Option<f64>,
}

impl ColorNumbers {
    /// The results of a player with this color.
    pub fn new(tally: &Tally, side: Color) -> Self {
        let (won, lost) =
            if side == Color::White { (tally.white, tally.black) } else { (tally.black, tally.white) };
        Self { games: tally.games, won, drawn: tally.draws, lost, score: tally.score(side) }
    }
}

/// Results of games as numbers.
#[derive(Clone, Serialize)]
pub struct Numbers {
    /// The number of all games.
    pub games: u64,
    /// The percentage of all games that were examined.
    pub share: f64,
    /// The number of games won by White.
    pub white: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of games won by Black.
    pub black: u64,
    /// The number of games without a result.
    pub unfinished: u64,
    /// The score in percent.
    pub score: Option<f64>,
    /// The average rating of the side for which the numbers are computed.
    pub average_rating: Option<u64>,
    /// The performance rating of the same side.
    pub performance: Option<i64>,
    /// The year of the latest game.
    pub last_year: Option<u16>,
}

impl Numbers {
    /// The numbers of a tally from the point of view of a side; `all` is the number of all games.
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

/// The results of a player.
#[derive(Clone, Serialize)]
pub struct PlayerRow {
    /// The name.
    pub name: String,
    /// The number of all games.
    pub games: u64,
    /// The points in games with a result.
    pub points: f64,
    /// The percentage of the possible points.
    pub score: Option<f64>,
    /// The number of games won.
    pub won: u64,
    /// The number of games drawn.
    pub drawn: u64,
    /// The number of games lost.
    pub lost: u64,
    /// The number of games without a result.
    pub unfinished: u64,
    /// The results with White.
    pub as_white: ColorNumbers,
    /// The results with Black.
    pub as_black: ColorNumbers,
    /// The latest rating.
    pub rating: Option<u16>,
    /// The latest title, if the tags state one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// The average rating of the opponents.
    pub average_opponent: Option<u64>,
    /// The performance rating: the rating for which the score is the expected one.
    pub performance: Option<i64>,
    /// The year of the latest game.
    pub last_year: Option<u16>,
}

impl PlayerRow {
    /// The row of a player with this name.
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

    /// The rows of all players, those with the most points first, and by name for equal points.
    pub fn all(players: &Players, joined: &Joined) -> Vec<Self> {
        let names = players.by_name(joined);
        let mut rows: Vec<Self> = names.iter().map(|(name, player)| Self::new(name, player)).collect();
        rows.sort_by(|a, b| b.points.total_cmp(&a.points));
        rows
    }
}

/// The part of the name of an opening by which games are grouped.
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

/// The results of an opening.
#[derive(Clone, Serialize)]
pub struct OpeningRow {
    /// The name, or the part of it that defines the group.
    pub name: String,
    /// The ECO code, or the first and the last code.
    pub eco: String,
    /// The results, with the score of the side whose openings are counted, or of White.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// The results as a tally.
    #[serde(skip)]
    pub tally: Tally,
}

impl OpeningRow {
    /// The rows of the openings in alphabetical order of their groups; `all` is the number of all games.
    pub fn all(names: &OpeningNames, all: u64, part: OpeningPart) -> Vec<Self> {
        Self::seen_by(names, all, part, Color::White)
    }

    /// The rows of openings whose games were counted from the point of view of this side.
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

    /// The rows of the openings, those with the most games first.
    pub fn most_first(names: &OpeningNames, all: u64, part: OpeningPart) -> Vec<Self> {
        let mut rows = Self::all(names, all, part);
        rows.sort_by_key(|row| Reverse(row.tally.games));
        rows
    }
}

/// The first and the last ECO code of an opening.
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
    /// A column for each round, with the points after it.
    Mentor,
    /// The matches of each round.
    Knockout,
}

impl CrossStyle {
    /// The style that fits the games.
    pub fn of(table: &Crosstable) -> Self {
        /// The maximum number of columns of rounds; with more, a grid is used.
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
    /// Section, stage, site and date or years, as far as they distinguish the event from others of its name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    distinctions: Vec<String>,
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
    /// The number of the opponent in the table, counted from 1.
    opponent: usize,
    color: &'static str,
    points: Option<f64>,
    round: Option<u32>,
}

impl EventReport {
    /// The table of an event.
    pub fn new(event: &CrossEvent, style: CrossStyle, table: &Crosstable) -> Self {
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
            event: event.key.name.clone(),
            distinctions: event.distinctions(),
            style,
            rounds: table.rounds.clone(),
            without_round: table.without_round,
            players: table.standings.iter().map(player).collect(),
        }
    }

    /// The table of the games of an event, in the style that fits it.
    pub fn fitting(event: &CrossEvent, joined: &Joined) -> Self {
        let table = Crosstable::new(&event.games, joined, Rounds::Stated);
        Self::new(event, CrossStyle::of(&table), &table)
    }
}

/// The spellings of the players in these games, joined to names.
pub fn joined_players<'a>(games: impl Iterator<Item = &'a CrossGame>) -> Joined {
    let mut names: BTreeMap<&str, u64> = BTreeMap::new();
    for name in games.flat_map(|game| &game.names) {
        *names.entry(name).or_default() += 1;
    }
    join_names(names)
}
