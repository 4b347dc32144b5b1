//! Players and their results, by the spellings of their names.

use super::names::{Joined, join_names};
use super::query::{Header, TagColumns};
use super::sieve::Follow;
use super::tally::{GameFacts, Tally, rating, year};
use super::tree::TooManyMoves;
use crate::chess::{Color, Move, Position};
use crate::notation::pgn::{Date, GameResult};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io;
use std::ops::ControlFlow;

/// The separator between several players of one side, as in consultation games (PGN standard, 8.1.1.5).
const SEPARATOR: char = ':';
/// The maximum number of names in memory.
const MAX_ENTRIES: usize = 1 << 22;
/// The tags of the names and the ratings of each side.
const TAGS: [(&str, &str); Color::COUNT] = [("White", "WhiteElo"), ("Black", "BlackElo")];
/// The tags with the titles of each side.
const TITLES: [&str; Color::COUNT] = ["WhiteTitle", "BlackTitle"];

/// A title such as GM or WFM: two to four capital letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Title([u8; Self::MOST]);

impl Title {
    const MOST: usize = 4;

    /// The title stated by a tag; `None` for `-` and other texts that are not titles.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim().as_bytes();
        let is_title = (2..=Self::MOST).contains(&text.len()) && text.iter().all(u8::is_ascii_uppercase);
        is_title.then(|| {
            let mut letters = [0; Self::MOST];
            letters[..text.len()].copy_from_slice(text);
            Self(letters)
        })
    }

    /// The titles of the players of a side; a consultation game has several.
    pub(super) fn of_side(header: &dyn Header, side: Color) -> impl Iterator<Item = Option<Self>> {
        header.tag(TITLES[side]).unwrap_or_default().split(SEPARATOR).map(Self::read)
    }
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.0.iter().take_while(|&&letter| letter > 0).map(|&letter| char::from(letter));
        f.pad(&letters.collect::<String>())
    }
}

impl Serialize for Title {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whether a name is known.
pub fn is_known_name(name: &str) -> bool {
    name.chars().any(char::is_alphanumeric)
}

/// The players of a side with the ratings stated in the tags; a consultation game has several.
pub fn players_of(header: &dyn Header, side: Color) -> impl Iterator<Item = (&str, Option<u16>)> {
    let (name, elo) = TAGS[side];
    let mut ratings = header.tag(elo).unwrap_or_default().split(SEPARATOR);
    let names = header.tag(name).unwrap_or_default().split(SEPARATOR);
    names.map(move |name| (name.trim(), ratings.next().and_then(rating)))
}

/// The date of a game with these tags.
pub(super) fn date(header: &dyn Header) -> Date {
    Date::parse_parts(header.tag("Date").unwrap_or_default())
}

/// The results of a player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Player {
    /// The games with White, from White's point of view.
    pub white: Tally,
    /// The games with Black, from Black's point of view.
    pub black: Tally,
    /// The latest rating, with the date of its game.
    latest: Option<(Date, u16)>,
    /// The latest title, with the date of its game.
    title: Option<(Date, Title)>,
}

impl Player {
    /// The sum of all games, in which results are not separated by color.
    fn sum(&self) -> Tally {
        let mut sum = self.white;
        sum.merge(&self.black);
        sum
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.white.games + self.black.games
    }

    /// The numbers of games won, drawn and lost.
    pub const fn results(&self) -> [u64; 3] {
        [
            self.white.white + self.black.black,
            self.white.draws + self.black.draws,
            self.white.black + self.black.white,
        ]
    }

    /// Twice the points.
    pub const fn half_points(&self) -> u64 {
        let [won, drawn, _] = self.results();
        2 * won + drawn
    }

    /// The percentage of points in games with a result.
    pub fn score(&self) -> Option<f64> {
        let finished = self.results().iter().sum::<u64>();
        (finished > 0).then(|| self.half_points() as f64 * 50.0 / finished as f64)
    }

    /// The latest rating.
    pub fn rating(&self) -> Option<u16> {
        self.latest.map(|(_, rating)| rating)
    }

    /// The latest title.
    pub fn title(&self) -> Option<Title> {
        self.title.map(|(_, title)| title)
    }

    /// Updates the title from a game with this date, as [`Self::see`] does for ratings.
    pub(super) fn see_title(&mut self, title: Option<(Date, Title)>) {
        if let Some((date, _)) = title
            && self.title.is_none_or(|(known, _)| known <= date)
        {
            self.title = title;
        }
    }

    /// The average rating of the opponents in games with a result.
    pub fn average_opponent(&self) -> Option<u64> {
        self.sum().average_opponent()
    }

    /// The performance rating, see [`Tally::performance`].
    pub fn performance(&self) -> Option<i64> {
        self.sum().performance()
    }

    /// The year of the latest game.
    pub fn last_year(&self) -> Option<u16> {
        self.white.last_year.max(self.black.last_year)
    }

    pub(super) fn add(&mut self, game: &GameFacts, side: Color, date: Date) {
        let tally = if side == Color::White { &mut self.white } else { &mut self.black };
        tally.add(game, side);
        let rating = game.ratings[side as usize].map(|rating| (date, rating));
        self.see(rating);
    }

    /// Updates the rating if its date is at least as late. If two dates are equal, the later game counts.
    fn see(&mut self, rating: Option<(Date, u16)>) {
        if let Some((date, _)) = rating
            && self.latest.is_none_or(|(known, _)| known <= date)
        {
            self.latest = rating;
        }
    }

    /// Adds later games.
    pub fn merge(&mut self, other: &Self) {
        self.white.merge(&other.white);
        self.black.merge(&other.black);
        self.see(other.latest);
        self.see_title(other.title);
    }
}

/// Counts the games of each player, by the spellings of the names.
#[derive(Clone, Default, Debug)]
pub struct Players {
    /// The index of each spelling in the list of players.
    numbers: HashMap<String, usize>,
    players: Vec<Player>,
    /// The number of sides without a name.
    pub unknown: u64,
    /// The meanings of tag values for the games that are being read.
    values: Option<Box<Values>>,
}

/// The player named by a tag value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Named {
    Nobody,
    /// The player with this number.
    One(usize),
    /// There are several players, so the game must be examined individually.
    Several,
}

/// The rating in a tag value: as a whole, and for the first of several players.
type Ratings = (Option<u16>, Option<u16>);

/// The meanings of tag values by their numbers; the first is for a missing tag.
#[derive(Clone, Debug)]
struct Values {
    names: [Vec<Named>; Color::COUNT],
    ratings: [Vec<Ratings>; Color::COUNT],
    titles: [Vec<Option<Title>>; Color::COUNT],
    dates: Vec<(Date, Option<u16>)>,
    results: Vec<GameResult>,
}

/// The meanings of all values of a tag.
fn meanings<T>(columns: TagColumns<'_>, tag: &str, meaning: impl FnMut(&str) -> T) -> io::Result<Vec<T>> {
    let values = columns.0.column(tag)?.map(|(values, _)| values).unwrap_or_default();
    Ok(std::iter::once("").chain(values).map(meaning).collect())
}

impl Values {
    fn read(columns: TagColumns<'_>, players: &mut Players) -> io::Result<Self> {
        let mut named = |value: &str| match value.trim() {
            name if name.contains(SEPARATOR) => Named::Several,
            name if is_known_name(name) => Named::One(players.number(name)),
            _ => Named::Nobody,
        };
        let ratings = |value: &str| (rating(value), value.split(SEPARATOR).next().and_then(rating));
        let [(white, white_elo), (black, black_elo)] = TAGS;
        let [white_title, black_title] = TITLES;
        let title = |value: &str| value.split(SEPARATOR).next().and_then(Title::read);
        Ok(Self {
            titles: [meanings(columns, white_title, title)?, meanings(columns, black_title, title)?],
            names: [meanings(columns, white, &mut named)?, meanings(columns, black, &mut named)?],
            ratings: [meanings(columns, white_elo, ratings)?, meanings(columns, black_elo, ratings)?],
            dates: meanings(columns, "Date", |value| (Date::parse_parts(value), year(value)))?,
            results: meanings(columns, "Result", |value| {
                GameResult::from_tag(value.as_bytes()).unwrap_or_default()
            })?,
        })
    }
}

impl Players {
    /// Adds a game.
    pub fn add(&mut self, header: &dyn Header, result: GameResult) {
        let facts = GameFacts::new(header, result);
        let date = date(header);
        for side in Color::ALL {
            let mut titles = Title::of_side(header, side);
            for (name, rating) in players_of(header, side) {
                let title = titles.next().flatten();
                if !is_known_name(name) {
                    self.unknown += 1;
                    continue;
                }
                let mut facts = facts;
                facts.ratings[side as usize] = rating;
                let number = self.number(name);
                self.players[number].add(&facts, side, date);
                self.players[number].see_title(title.map(|title| (date, title)));
            }
        }
    }

    /// The index of the player with this name, who is added if new.
    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.numbers.insert(name.to_owned(), self.players.len());
        self.players.push(Player::default());
        self.players.len() - 1
    }

    /// The players with games. Others were only named by games that do not count.
    fn named(&self) -> impl Iterator<Item = (&str, &Player)> {
        let players = self.numbers.iter().map(|(name, &number)| (&**name, &self.players[number]));
        players.filter(|(_, player)| player.games() > 0)
    }

    /// Adds the results of later games.
    ///
    /// # Errors
    /// [`TooManyMoves`] if there are too many names.
    pub fn merge(&mut self, other: Self) -> Result<(), TooManyMoves> {
        for (name, player) in other.named() {
            let number = self.number(name);
            self.players[number].merge(player);
        }
        self.unknown += other.unknown;
        if self.players.len() > MAX_ENTRIES { Err(TooManyMoves) } else { Ok(()) }
    }

    /// The spellings of the players, joined to names.
    pub fn joined(&self) -> Joined {
        join_names(self.named().map(|(name, player)| (name, player.games())))
    }

    /// The players by name.
    pub fn by_name(&self, joined: &Joined) -> BTreeMap<String, Player> {
        let mut players: BTreeMap<String, Player> = BTreeMap::new();
        let mut spellings: Vec<_> = self.named().collect();
        spellings.sort_unstable_by_key(|&(name, _)| name);
        for (spelling, player) in spellings {
            players.entry(joined.name(spelling).to_owned()).or_default().merge(player);
        }
        players
    }
}

/// Only tags are needed.
impl Follow for Players {
    const WANTS_MOVES: bool = false;
    const WANTS_COLUMNS: bool = true;

    fn begin(&mut self, _: Option<&Position>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn play(&mut self, _: &Position, _: Option<Move>, _: &Position) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    /// Interprets each tag value only once, not for each game.
    fn add_columns(&mut self, columns: TagColumns<'_>, games: &[usize]) -> io::Result<()> {
        let values = match self.values.take() {
            Some(values) => values,
            None => Box::new(Values::read(columns, self)?),
        };
        let numbers = |tag: &str| columns.0.numbers(tag);
        let of = |numbers: Option<&[u32]>, game: usize| {
            numbers.and_then(|numbers| numbers.get(game)).map_or(0, |&number| number as usize)
        };
        let [(white, white_elo), (black, black_elo)] = TAGS;
        let names = [numbers(white)?, numbers(black)?];
        let ratings = [numbers(white_elo)?, numbers(black_elo)?];
        let titles = [numbers(TITLES[0])?, numbers(TITLES[1])?];
        let (dates, results) = (numbers("Date")?, numbers("Result")?);
        for &game in games {
            // Every number has a value, which was checked when the values were read.
            let result = values.results[of(results, game)];
            let sides = Color::ALL.map(|side| values.names[side][of(names[side], game)]);
            if sides.contains(&Named::Several) {
                columns.0.show(game, &mut |header| self.add(header, result))?;
                continue;
            }
            let rated = Color::ALL.map(|side| values.ratings[side][of(ratings[side], game)]);
            let (date, year) = values.dates[of(dates, game)];
            for side in Color::ALL {
                let Named::One(number) = sides[side] else {
                    self.unknown += 1;
                    continue;
                };
                let mut facts = GameFacts { result, ratings: rated.map(|(whole, _)| whole), year };
                facts.ratings[side as usize] = rated[side].1;
                self.players[number].add(&facts, side, date);
                let title = values.titles[side][of(titles[side], game)];
                self.players[number].see_title(title.map(|title| (date, title)));
            }
        }
        self.values = Some(values);
        Ok(())
    }
}
