//! The events of cross tables: games with the same tags, and without a date of the event those of one edition.

use super::players::{Title, date, is_known_name};
use super::query::Header;
use super::tally::GameFacts;
use super::tree::TooManyMoves;
use crate::chess::Color;
use crate::notation::pgn::{Date, GameResult};
use jiff::civil;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU16;

/// The maximum number of days between two games of an event without a date of its own: the editions of most events are
/// a year apart, and rounds of a league at most some weeks.
const MAX_PAUSE_DAYS: i64 = 90;

/// The maximum number of games of cross tables in memory.
const MAX_ENTRIES: usize = 1 << 22;

/// A game of a cross table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossGame {
    /// The names of White and Black.
    pub names: [String; 2],
    /// The ratings of White and Black.
    pub ratings: [Option<u16>; 2],
    /// The titles of White and Black.
    pub titles: [Option<Title>; 2],
    /// The result.
    pub result: GameResult,
    /// The first number of the round; `None` if unknown.
    pub round: Option<u32>,
    /// The date, as far as it is known.
    pub(super) date: Date,
}

/// The games of events, for cross tables.
#[derive(Clone, Default, Debug)]
pub struct Cross {
    /// The games with the same tags.
    games_by_tags: BTreeMap<EventKey, Vec<CrossGame>>,
    games: usize,
}

impl Cross {
    /// Adds a game between two players.
    pub fn add(&mut self, header: &dyn Header, result: GameResult) {
        let tag = |name: &str| header.tag(name).unwrap_or_default().trim().to_owned();
        let round = header.tag("Round").unwrap_or_default().trim();
        let first = round.split(|letter: char| !letter.is_ascii_digit()).next();
        let facts = GameFacts::new(header, result);
        let game = CrossGame {
            names: [tag("White"), tag("Black")],
            ratings: facts.ratings,
            titles: Color::ALL.map(|side| Title::of_side(header, side).next().flatten()),
            result,
            round: first.and_then(|number| number.parse().ok()).filter(|&round| round > 0),
            date: date(header),
        };
        if game.names.iter().all(|name| is_known_name(name)) {
            self.games += 1;
            self.games_by_tags.entry(EventKey::new(header)).or_default().push(game);
        }
    }

    /// Adds later games.
    ///
    /// # Errors
    /// [`TooManyMoves`] if there are too many games.
    pub fn merge(&mut self, other: Self) -> Result<(), TooManyMoves> {
        for (key, games) in other.games_by_tags {
            self.games_by_tags.entry(key).or_default().extend(games);
        }
        self.games += other.games;
        if self.games > MAX_ENTRIES { Err(TooManyMoves) } else { Ok(()) }
    }

    /// The events, in the order of their names and dates.
    pub fn events(self) -> Vec<CrossEvent> {
        let mut events: Vec<CrossEvent> = Vec::new();
        for (key, games) in self.games_by_tags {
            let editions = if key.has_editions() { editions(games) } else { vec![games] };
            let event =
                |games: Vec<CrossGame>| CrossEvent { key: key.clone(), years: years_of(&games), games };
            events.extend(editions.into_iter().map(event));
        }
        let is_same =
            |one: &CrossEvent, other: &CrossEvent| one.key.without_site() == other.key.without_site();
        for editions in events.chunk_by_mut(is_same) {
            let first = editions[0].key.site.clone();
            if editions.iter().all(|event| event.key.site == first) {
                editions.iter_mut().for_each(|event| event.key.site.clear());
            }
            if let [only] = editions {
                only.years = None;
            }
        }
        events
    }
}

/// The tags that the games of an event have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct EventKey {
    /// The name of the event.
    pub name: String,
    /// The date of the event, as stated.
    pub date: String,
    /// The section.
    pub section: String,
    /// The stage.
    pub stage: String,
    /// The site; empty if it is unknown or not compared.
    pub site: String,
}

impl EventKey {
    /// The tags of a game. Sites are only compared if the event has a name and no date; an address on the Internet,
    /// which is often that of the game, is none.
    fn new(header: &dyn Header) -> Self {
        let tag = |name: &str| header.tag(name).unwrap_or_default().trim().to_owned();
        let [name, date, section, stage, site] = ["Event", "EventDate", "Section", "Stage", "Site"].map(tag);
        let key = Self { name, date, section, stage, site: String::new() };
        let has_site = key.has_editions() && is_known_name(&site) && !site.contains("://");
        Self { site: if has_site { site } else { String::new() }, ..key }
    }

    /// The tags that editions at several sites have in common.
    fn without_site(&self) -> [&str; 4] {
        [&self.name, &self.date, &self.section, &self.stage]
    }

    /// Whether the games may be of several editions: the event has a name and no date.
    fn has_editions(&self) -> bool {
        is_known_name(&self.name) && !is_known_name(&self.date)
    }
}

/// The games of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossEvent {
    /// The tags; the site is only there if it distinguishes the event from another one.
    pub key: EventKey,
    /// The first and the last year of the games, if they distinguish the event from another one.
    pub years: Option<(u16, u16)>,
    /// The games in the order of the input.
    pub games: Vec<CrossGame>,
}

impl CrossEvent {
    /// Section, stage, site and date, as far as they are known and distinguish the event from others of its name.
    pub fn distinctions(&self) -> Vec<String> {
        let EventKey { section, stage, site, date, .. } = &self.key;
        let tags = [section, stage, site, date].into_iter().filter(|text| is_known_name(text)).cloned();
        let years =
            |(first, last)| if first == last { format!("{first}") } else { format!("{first}–{last}") };
        tags.chain(self.years.map(years)).collect()
    }
}

/// The first and the last known year of games.
fn years_of(games: &[CrossGame]) -> Option<(u16, u16)> {
    let years = || games.iter().filter_map(|game| game.date.year).map(NonZeroU16::get);
    years().min().zip(years().max())
}

/// The first and the last possible day of a date as numbers of days; `None` if the year is unknown. A day or a month
/// that the calendar does not have is unknown.
fn span_of(date: Date) -> Option<(i64, i64)> {
    let year = i16::try_from(date.year?.get()).ok()?;
    let (_, month, day) = date.numbers();
    let date =
        |month: u8, day: u8| civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok();
    /// The number of hours of a day.
    const HOURS: i64 = 24;
    let number = |date: civil::Date| date.duration_since(civil::Date::constant(1, 1, 1)).as_hours() / HOURS;
    if let Some(exact) = date(month, day) {
        return Some((number(exact), number(exact)));
    }
    let first = date(month, 1).or_else(|| date(1, 1))?;
    let last = if date(month, 1).is_some() { first.last_of_month() } else { first.last_of_year() };
    Some((number(first), number(last)))
}

/// Separates the games of an event where it pauses for more than [`MAX_PAUSE_DAYS`]. A game of which only the year is
/// known belongs to the edition of the game before it, if that is of the same year, or to the first one of this year; a
/// game without a year belongs to that of the game before it.
fn editions(games: Vec<CrossGame>) -> Vec<Vec<CrossGame>> {
    let is_vague = |game: &CrossGame| game.date.month.is_none();
    let spans = |is_wanted: &dyn Fn(&CrossGame) -> bool| -> BTreeSet<(i64, i64)> {
        games.iter().filter(|game| is_wanted(game)).filter_map(|game| span_of(game.date)).collect()
    };
    let mut editions: Vec<(i64, i64)> = Vec::new();
    for (first, last) in spans(&|game| !is_vague(game)) {
        match editions.last_mut() {
            Some((_, end)) if first - *end <= MAX_PAUSE_DAYS => *end = last.max(*end),
            _ => editions.push((first, last)),
        }
    }
    let meets = |one: (i64, i64), other: (i64, i64)| one.0 <= other.1 && other.0 <= one.1;
    for year in spans(&is_vague) {
        if !editions.iter().any(|&edition| meets(edition, year)) {
            editions.push(year);
        }
    }
    editions.sort_unstable();
    let mut separated = vec![Vec::new(); editions.len().max(1)];
    let mut latest = 0;
    for game in games {
        if let Some(span) = span_of(game.date)
            && !editions.get(latest).is_some_and(|&edition| meets(edition, span))
        {
            latest = editions.iter().position(|&edition| meets(edition, span)).unwrap_or(latest);
        }
        separated[latest].push(game);
    }
    separated.retain(|games| !games.is_empty());
    separated
}
