//! A user's list of players, with their titles, FIDE numbers, ratings and teams for the tags of games, and the
//! spellings of their names. Values that change over the years have the date from which they apply.

use super::players::is_known_name;
use super::query::name_words;
use super::tally::year;
use crate::notation::pgn::Game;
use std::collections::{BTreeMap, HashMap};

/// The reason why a list cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PlayerListError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: String,
}

/// The content of a column of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Name,
    /// The year of birth, which distinguishes players with the same name.
    Birth,
    /// Other spellings of the name, separated by semicolons.
    Spellings,
    /// The date from which the rest of the line applies.
    Date,
    /// The value of a tag of the player's side; the name of the tag without `White` or `Black`.
    Tag(&'static str),
}

/// The names of the columns, which the first line lists in any order.
const COLUMNS: [(&str, Column); 8] = [
    ("name", Column::Name),
    ("title", Column::Tag("Title")),
    ("fide_id", Column::Tag("FideId")),
    ("elo", Column::Tag("Elo")),
    ("team", Column::Tag("Team")),
    ("birth", Column::Birth),
    ("date", Column::Date),
    ("spellings", Column::Spellings),
];

/// The separator between several players of a side, and between their values (PGN standard, 8.1.1.5 and 9.1).
const SEPARATOR: char = ':';
/// The value for a player who has none.
const NO_VALUE: &str = "-";

/// A year, a month and a day, with 0 for unknown parts.
type Day = [u16; 3];

/// A player of a list.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Listed {
    name: String,
    birth: Option<u16>,
    /// The known tags, by their names without `White` or `Black`, each with the day from which the value applies.
    tags: Vec<(&'static str, Day, String)>,
}

impl Listed {
    /// The values on a day: for each tag, the latest value that is not later than that day.
    fn values(&self, day: Day) -> impl Iterator<Item = (&'static str, &str)> {
        let names = COLUMNS.iter().filter_map(|&(_, column)| match column {
            Column::Tag(tag) => Some(tag),
            _ => None,
        });
        names.filter_map(move |wanted| {
            let so_far = self.tags.iter().filter(|(tag, from, _)| *tag == wanted && *from <= day);
            so_far.max_by_key(|(_, from, _)| *from).map(|(tag, _, value)| (*tag, &**value))
        })
    }
}

/// A list of players that can be searched by name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlayerList {
    players: Vec<Listed>,
    /// The indices of the players, by the words of their names and other spellings.
    by_name: HashMap<String, Vec<usize>>,
}

/// The day of a date such as 1992.11.04, 1992-11 or 1992; `None` if the year is unknown.
fn day_of(date: &str) -> Option<Day> {
    let mut fields = date.trim().split(['.', '-', '/']);
    let first = fields.next().filter(|year| year.len() == 4)?;
    let mut field = || fields.next().and_then(|field| field.parse().ok()).unwrap_or_default();
    Some([year(first)?, field(), field()])
}

/// The words of a name in alphabetical order, so that `First Last` equals `Last, First`.
fn key(name: &str) -> String {
    let mut words = name_words(name);
    words.sort_unstable();
    words.join(" ")
}

impl PlayerList {
    /// Reads lines of fields separated by tabs; the first line contains the names of the columns. Empty lines and lines
    /// that start with `#` are skipped.
    ///
    /// # Errors
    /// [`PlayerListError`] for the first line with a problem.
    pub fn read(text: &str) -> Result<Self, PlayerListError> {
        let mut columns: Option<Vec<Column>> = None;
        let mut list = Self::default();
        for (index, line) in text.lines().enumerate() {
            let error = |problem: String| PlayerListError { line: index + 1, problem };
            let content = line.trim_start_matches('\u{feff}').trim_end();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> = content.split('\t').map(str::trim).collect();
            let Some(columns) = &columns else {
                let column = |field: &&str| {
                    let wanted = field.to_ascii_lowercase();
                    COLUMNS.iter().find(|(name, _)| *name == wanted).map(|&(_, column)| column).ok_or_else(
                        || {
                            let names: Vec<&str> = COLUMNS.iter().map(|&(name, _)| name).collect();
                            error(format!("found a column `{field}`, expected {}", names.join(", ")))
                        },
                    )
                };
                let found = fields.iter().map(column).collect::<Result<Vec<Column>, _>>()?;
                if !found.contains(&Column::Name) {
                    return Err(error("found no column `name`, expected one".to_owned()));
                }
                columns = Some(found);
                continue;
            };
            if fields.len() > columns.len() {
                let (found, expected) = (fields.len(), columns.len());
                return Err(error(format!("found {found} fields, expected at most {expected}")));
            }
            let mut player = Listed::default();
            let (mut spellings, mut from) = (Vec::new(), None);
            for (&column, field) in columns.iter().zip(&fields).filter(|(_, field)| !field.is_empty()) {
                match column {
                    Column::Name => player.name = (*field).to_owned(),
                    Column::Tag(tag) => player.tags.push((tag, Day::default(), (*field).to_owned())),
                    Column::Spellings => spellings.extend(field.split(';').map(key)),
                    Column::Date => {
                        let day = day_of(field);
                        from = Some(day.ok_or_else(|| {
                            error(format!("found `{field}`, expected a date such as 1992.11.04 or 1992"))
                        })?);
                    }
                    Column::Birth => {
                        let born = year(field);
                        player.birth =
                            Some(born.ok_or_else(|| {
                                error(format!("found `{field}`, expected a year of birth"))
                            })?);
                    }
                }
            }
            if player.name.is_empty() {
                return Err(error("found no name, expected one".to_owned()));
            }
            // Otherwise, every player with an unknown name would receive these values.
            if !is_known_name(&player.name) {
                return Err(error(format!("found the name `{}`, expected one with letters", player.name)));
            }
            list.add(player, spellings, from);
        }
        Ok(list)
    }

    /// Adds a line. A line with a date adds values to the existing player with this name and birth year.
    fn add(&mut self, mut player: Listed, spellings: Vec<String>, from: Option<Day>) {
        if let Some(from) = from {
            player.tags.iter_mut().for_each(|(_, day, _)| *day = from);
        }
        let own = key(&player.name);
        let is_same = |index: &usize| {
            let other = &self.players[*index];
            key(&other.name) == own && (player.birth.is_none() || other.birth == player.birth)
        };
        let known = self.by_name.get(&own).and_then(|indices| indices.iter().copied().find(is_same));
        let index = match known.filter(|_| from.is_some()) {
            Some(index) => {
                self.players[index].tags.extend(player.tags);
                index
            }
            None => {
                self.players.push(player);
                self.players.len() - 1
            }
        };
        for name in spellings.into_iter().chain([own]).filter(|name| !name.is_empty()) {
            let indices = self.by_name.entry(name).or_default();
            if !indices.contains(&index) {
                indices.push(index);
            }
        }
    }

    /// The list's spelling of the name of a player of a game; `None` if the name is not in the list or is ambiguous.
    pub(super) fn spelling(&self, name: &str, game: &Game) -> Option<&str> {
        if self.players.is_empty() {
            return None;
        }
        let year = game.tags.get("Date").and_then(year);
        self.player(name, year).map(|player| &*player.name)
    }

    /// The player with this name who may have played in this year; `None` if there is none, or more than one.
    fn player(&self, name: &str, year: Option<u16>) -> Option<&Listed> {
        let is_born = |player: &&Listed| match (player.birth, year) {
            (Some(birth), Some(year)) => birth < year,
            _ => true,
        };
        let indices = self.by_name.get(&key(name))?;
        let mut players = indices.iter().map(|&index| &self.players[index]).filter(is_born);
        let first = players.next()?;
        players.next().is_none().then_some(first)
    }

    /// Sets the tags of a side, `White` or `Black`, that are missing or unknown, if the list contains the player. In
    /// consultation games, each player has a field of the tag.
    pub(super) fn complete(&self, game: &mut Game, side: &str) {
        if self.players.is_empty() {
            return;
        }
        let date = game.tags.get("Date");
        let (year, day) = (date.and_then(year), date.and_then(day_of).unwrap_or_default());
        let Some(names) = game.tags.get(side) else { return };
        let players: Vec<Option<&Listed>> =
            names.split(SEPARATOR).map(|name| self.player(name, year)).collect();
        let mut values: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
        for (index, player) in players.iter().enumerate() {
            for (tag, value) in player.iter().flat_map(|player| player.values(day)) {
                values.entry(tag).or_default().push((index, value));
            }
        }
        for (tag, values) in values {
            let tag = format!("{side}{tag}");
            let stated = game.tags.get(&tag).unwrap_or_default().to_owned();
            let mut fields: Vec<&str> = stated.split(SEPARATOR).collect();
            // The fields cannot be assigned to players if their numbers differ.
            if fields.len() != players.len() && is_known_name(&stated) {
                continue;
            }
            fields.resize(players.len(), NO_VALUE);
            let unknown = values.into_iter().filter(|&(index, _)| !is_known_name(fields[index]));
            let unknown: Vec<(usize, &str)> = unknown.collect();
            if unknown.is_empty() {
                continue;
            }
            for (index, value) in unknown {
                fields[index] = value;
            }
            let fields = fields.iter().map(|field| if field.is_empty() { NO_VALUE } else { field });
            let joined = fields.collect::<Vec<_>>().join(&SEPARATOR.to_string());
            game.tags.set(tag, joined);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_have_dates_and_consultants_fields() {
        let text = "name\tdate\telo\ttitle\tspellings\nTal, Mihail\t\t\tGM\tTal, Michail; Tahl\n\
                    Tal, Mihail\t1957\t2500\nTal, Mihail\t1960-05\t2700\nAdams, M.\t1890\t2400\n";
        let list = PlayerList::read(text).expect("a list");
        let tags = |names: &str, date: &str, elo: &str| {
            let mut game = Game::default();
            game.tags.set("White", names);
            game.tags.set("Date", date);
            game.tags.set("WhiteElo", elo);
            list.complete(&mut game, "White");
            ["WhiteElo", "WhiteTitle"].map(|name| game.tags.get(name).unwrap_or_default().to_owned())
        };
        assert_eq!(tags("Tal, Mihail", "1960.05.07", ""), ["2700", "GM"]);
        assert_eq!(tags("tahl", "1960.04.30", "-"), ["2500", "GM"]);
        // The month is unknown, so only the earlier rating is certain.
        assert_eq!(tags("Tal, Mihail", "1960.??.??", "?"), ["2500", "GM"]);
        assert_eq!(tags("Tal, Mihail", "1950.01.01", "-"), ["-", "GM"]);
        assert_eq!(tags("Tal, Mihail", "????.??.??", ""), ["", "GM"]);
        assert_eq!(tags("Adams, M.:Tal, Mihail:Other", "1961.01.01", ""), ["2400:2700:-", "-:GM:-"]);
        assert_eq!(tags("Adams, M.:Tal, Mihail", "1961.01.01", "-:2690"), ["2400:2690", "-:GM"]);
        assert_eq!(tags("Adams, M.:Tal, Mihail", "1961.01.01", "2690"), ["2690", "-:GM"]);
        let mut game = Game::default();
        game.tags.set("Date", "1960.01.01");
        assert_eq!(list.spelling("michail TAL", &game), Some("Tal, Mihail"));
        assert_eq!(list.spelling("Tal, M", &game), None);
        let error = PlayerList::read("name\tdate\nTal\tsoon\n").expect_err("it is no date").to_string();
        assert_eq!(error, "line 2: found `soon`, expected a date such as 1992.11.04 or 1992");
    }

    #[test]
    fn players_are_told_apart_by_their_years() {
        let text = "# mine\nname\tbirth\ttitle\tfide_id\telo\n\
                    Tal, Mihail\t1936\tGM\t\t2705\nSmith, John\t1950\tIM\t1\nSmith, John\t1990\tFM\t2\n";
        let list = PlayerList::read(text).expect("a list");
        let tags = |name: &str, date: &str| {
            let mut game = Game::default();
            game.tags.set("White", name);
            game.tags.set("Date", date);
            game.tags.set("WhiteElo", "-");
            list.complete(&mut game, "White");
            let tag = |name: &str| game.tags.get(name).unwrap_or_default().to_owned();
            [tag("WhiteTitle"), tag("WhiteFideId"), tag("WhiteElo")]
        };
        assert_eq!(tags("Mihail Tal", "1960.??.??"), ["GM", "", "2705"]);
        assert_eq!(tags("TAL, Mihail", "1930.01.01"), ["", "", "-"]);
        assert_eq!(tags("Smith, John", "1980.01.01"), ["IM", "1", "-"]);
        // The name may belong to either player.
        assert_eq!(tags("Smith, John", "2010.01.01"), ["", "", "-"]);
        assert_eq!(tags("Smith, J", "1980.01.01"), ["", "", "-"]);
        for (wrong, expected) in [
            ("name\tage\n", "line 1: found a column `age`, expected name, title"),
            ("title\n", "line 1: found no column `name`"),
            ("name\tbirth\nA\tx\n", "line 2: found `x`, expected a year of birth"),
            ("name\nA\tB\n", "line 2: found 2 fields, expected at most 1"),
            ("name\ttitle\n\tGM\n", "line 2: found no name"),
            ("name\ttitle\n?\tGM\n", "line 2: found the name `?`, expected one with letters"),
        ] {
            let error = PlayerList::read(wrong).expect_err(expected).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
