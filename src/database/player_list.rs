//! A list of players that the user has written, with their titles, FIDE numbers, ratings and teams for the tags of games.

use super::players::is_known_name;
use super::query::fold;
use super::tally::year;
use crate::notation::pgn::Game;
use std::collections::HashMap;

/// A list that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PlayerListError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

/// What a column of a list has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Name,
    /// The year of birth, which distinguishes players of one name.
    Birth,
    /// What a tag of the side has: its name behind `White` or `Black`.
    Tag(&'static str),
}

/// The names of the columns, which the first line has in some order.
const COLUMNS: [(&str, Column); 6] = [
    ("name", Column::Name),
    ("title", Column::Tag("Title")),
    ("fide_id", Column::Tag("FideId")),
    ("elo", Column::Tag("Elo")),
    ("team", Column::Tag("Team")),
    ("birth", Column::Birth),
];

/// A player of a list.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Listed {
    name: String,
    birth: Option<u16>,
    /// The tags that are known, by their names behind `White` or `Black`.
    tags: Vec<(&'static str, String)>,
}

/// Players by their names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlayerList {
    players: HashMap<String, Vec<Listed>>,
}

/// The words of a name in alphabetical order: `First Last` is the same as `Last, First`.
fn key(name: &str) -> String {
    let folded = fold(name);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.join(" ")
}

impl PlayerList {
    /// Reads lines of fields with tabs between them; the first line has the names of the columns. Empty lines and those that
    /// start with `#` are skipped.
    ///
    /// # Errors
    /// [`PlayerListError`] for the first line that is wrong.
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
            for (&column, field) in columns.iter().zip(&fields).filter(|(_, field)| !field.is_empty()) {
                match column {
                    Column::Name => player.name = (*field).to_owned(),
                    Column::Tag(tag) => player.tags.push((tag, (*field).to_owned())),
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
            // Otherwise every player without a known name would get these values.
            if !is_known_name(&player.name) {
                return Err(error(format!("found the name `{}`, expected one with letters", player.name)));
            }
            list.players.entry(key(&player.name)).or_default().push(player);
        }
        Ok(list)
    }

    /// The player of this name who may have played in this year; `None` if several may have.
    fn player(&self, name: &str, year: Option<u16>) -> Option<&Listed> {
        let is_born = |player: &&Listed| match (player.birth, year) {
            (Some(birth), Some(year)) => birth < year,
            _ => true,
        };
        let mut players = self.players.get(&key(name))?.iter().filter(is_born);
        let first = players.next()?;
        players.next().is_none().then_some(first)
    }

    /// Sets the tags of a side, `White` or `Black`, that are missing or state nothing, if the list has its player.
    pub(super) fn complete(&self, game: &mut Game, side: &str) {
        if self.players.is_empty() {
            return;
        }
        let year = game.tags.get("Date").and_then(year);
        let Some(player) = game.tags.get(side).and_then(|name| self.player(name, year)) else { return };
        for (tag, value) in &player.tags {
            let tag = format!("{side}{tag}");
            if !game.tags.get(&tag).is_some_and(is_known_name) {
                game.tags.set(tag, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Both may be meant.
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
