//! The rows of a list of games: the tags, and details that require the moves.

use crate::chess::Color;
use crate::database::{Header, Place, Places, Query};
use crate::notation::eco::{EcoCode, Opening, opening_of};
use crate::notation::pgn::{Date, Game, GameResult, NodeId};
use once_cell::sync::Lazy;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The query for games with comments, glyphs or variations.
static ANNOTATED: Lazy<Option<Query>> = Lazy::new(|| "annotated".parse().ok());

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Row {
    pub(super) number: u64,
    white: String,
    black: String,
    result: &'static str,
    date: String,
    event: String,
    /// The ECO code of the tag, or else of the moves.
    eco: String,
    round: String,
    /// The ratings as in the tags.
    white_elo: String,
    black_elo: String,
    annotator: String,
    plies: Option<u32>,
    #[serde(flatten)]
    told: Option<Told>,
}

/// The details of a game that require its moves, and its source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Told {
    /// The ECO code of the moves, if the tags state none.
    #[serde(skip)]
    code: Option<EcoCode>,
    #[serde(skip)]
    plies: u32,
    /// The name of the opening: of the tags, or else of the moves.
    opening: String,
    /// Whether the tags state no opening, so that the moves determine it.
    opening_by_moves: bool,
    /// Whether the game has comments, glyphs or variations.
    annotated: bool,
    /// The path within a folder, or the file that was added to a collection.
    pub(super) file: Option<String>,
    /// The first place where the query matches.
    hit: Option<Hit>,
}

/// A place of a game where a query matches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Hit {
    /// The number of plies before it.
    ply: u32,
    /// The path to the position, as in the address of the page: for each move its index among the moves in the same
    /// position, counted from 0, separated by dots.
    path: String,
}

/// The results of games, from the point of view of the player named by the query, or of White.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub(super) struct Results {
    won: u64,
    drawn: u64,
    lost: u64,
    unfinished: u64,
    /// Whether the query names a player in some of the games.
    of_player: bool,
}

impl Results {
    /// Counts a game, in which the player named by the query has this color.
    pub(super) fn add(&mut self, row: &Row, player: Option<Color>) {
        self.of_player |= player.is_some();
        let (white_wins, black_wins) = (GameResult::WhiteWins.as_str(), GameResult::BlackWins.as_str());
        let (winning, losing) = match player {
            Some(Color::Black) => (black_wins, white_wins),
            _ => (white_wins, black_wins),
        };
        let count = match row.result {
            result if result == winning => &mut self.won,
            result if result == losing => &mut self.lost,
            result if result == GameResult::Draw.as_str() => &mut self.drawn,
            _ => &mut self.unfinished,
        };
        *count += 1;
    }

    /// The number of games.
    pub(super) const fn games(&self) -> u64 {
        self.won + self.drawn + self.lost + self.unfinished
    }
}

/// The order of a list.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Order {
    /// The order of the file.
    #[default]
    Number,
    White,
    Black,
    Event,
    /// Latest first.
    Latest,
    /// Earliest first; games without a date are last.
    Earliest,
    /// Highest sum of both ratings first.
    Rating,
}

/// The sort key of a row: whether the value is missing, a number, a text, and the number of the game.
pub(super) type OrderKey = (bool, i64, String, u64);

impl Order {
    /// The sort key of this row.
    pub(super) fn key(self, row: &Row) -> OrderKey {
        let elo = |text: &str| text.trim().parse::<u16>().map_or(0, i64::from);
        let by_text = |text: &str| (false, 0, text.to_lowercase());
        // If the year is unknown, the date is unknown.
        let day = Date::parse(row.date.trim()).filter(|date| date.year.is_some());
        let number = day.map_or(0, |date| {
            let (year, month, day) = date.numbers();
            (i64::from(year) * 100 + i64::from(month)) * 100 + i64::from(day)
        });
        let (is_unknown, number, text) = match self {
            Self::Number => by_text(""),
            Self::White => by_text(&row.white),
            Self::Black => by_text(&row.black),
            Self::Event => by_text(&row.event),
            Self::Latest => (day.is_none(), -number, String::new()),
            Self::Earliest => (day.is_none(), number, String::new()),
            Self::Rating => (false, -elo(&row.white_elo) - elo(&row.black_elo), String::new()),
        };
        (is_unknown, number, text, row.number)
    }

    /// Sorts the rows, and keeps the first `most` of them.
    pub(super) fn sort(self, rows: &mut Vec<Row>, most: usize) {
        if self != Self::Number {
            rows.sort_by_cached_key(|row| self.key(row));
        }
        rows.truncate(most);
    }
}

/// The value of a tag, if it is known.
fn stated<'a>(header: &'a (impl Header + ?Sized), name: &str) -> Option<&'a str> {
    header.tag(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"))
}

impl Row {
    /// A row with the tags of a game. `number` is its number, or its index in a batch.
    pub(super) fn new(number: u64, header: &dyn Header, result: GameResult) -> Self {
        let tag = |name: &str| header.tag(name).unwrap_or_default().to_owned();
        Self {
            number,
            white: tag("White"),
            black: tag("Black"),
            result: result.as_str(),
            date: tag("Date"),
            event: tag("Event"),
            eco: tag("ECO"),
            round: tag("Round"),
            white_elo: tag("WhiteElo"),
            black_elo: tag("BlackElo"),
            annotator: tag("Annotator"),
            plies: header.tag("PlyCount").and_then(|count| count.parse().ok()),
            told: None,
        }
    }

    /// Converts the index in a batch to the number of the game, counted from 1; `before` is the number of games before
    /// the batch.
    pub(super) fn behind(self, before: u64) -> Self {
        Self { number: before + self.number + 1, ..self }
    }

    /// Adds the details of the game.
    pub(super) fn take(&mut self, told: Told) {
        if let Some(code) = told.code {
            self.eco = code.to_string();
        }
        self.plies = Some(told.plies);
        self.told = Some(told);
    }
}

impl Told {
    /// The details of a game that the query finds.
    pub(super) fn of(game: &Game, query: &Query) -> Self {
        let found = opening_of(game);
        let is_coded = stated(game, "ECO").is_some();
        let is_named = stated(game, "Opening").is_some();
        let opening = opening_name(game, found);
        Self {
            code: found.filter(|_| !is_coded).map(Opening::code),
            plies: u32::try_from(game.mainline().count()).unwrap_or(u32::MAX),
            opening,
            opening_by_moves: found.is_some() && !is_coded && !is_named,
            annotated: ANNOTATED.as_ref().is_some_and(|annotated| annotated.is_true(game, None)),
            file: game.source().map(|source| source.name.clone()),
            hit: hits_of(game, query, Places::First).into_iter().next(),
        }
    }
}

/// The name of the opening of a game: that of its tags, or else that of its moves, which is `found`.
fn opening_name(game: &Game, found: Option<&Opening>) -> String {
    let parts = ["Opening", "Variation", "SubVariation"].map(|name| stated(game, name));
    match parts[0] {
        Some(_) => parts.into_iter().flatten().collect::<Vec<_>>().join(": "),
        None => found.map_or_else(String::new, |opening| opening.name().to_owned()),
    }
}

/// The code and the name of the opening of a game: those of its tags, or else those of its moves.
pub(super) fn opening_told(game: &Game) -> (String, String) {
    let found = opening_of(game);
    let code = stated(game, "ECO").map(str::to_owned);
    let code = code.or_else(|| found.map(|opening| opening.code().to_string()));
    (code.unwrap_or_default(), opening_name(game, found))
}

/// The places of a game where a query matches.
pub(super) fn hits_of(game: &Game, query: &Query, places: Places) -> Vec<Hit> {
    let found = query.find(game, game, None, places).unwrap_or_default();
    if found.is_empty() {
        return Vec::new();
    }
    // Moves of lines in comments are not nodes of the game, and have no path.
    let mut own = HashSet::from([NodeId::ROOT]);
    let mut open = vec![NodeId::ROOT];
    while let Some(node) = open.pop() {
        open.extend(game.children(node).filter(|&child| own.insert(child)));
    }
    let hit = |place: &Place| Hit { ply: place.ply, path: path_of(game, place.node) };
    found.iter().filter(|place| own.contains(&place.node)).map(hit).collect()
}

/// The path to a move of the game.
fn path_of(game: &Game, node: NodeId) -> String {
    let mut steps = Vec::new();
    let mut at = node;
    while let Some(parent) = game.parent(at) {
        let index = game.children(parent).position(|child| child == at).unwrap_or(0);
        steps.push(index.to_string());
        at = parent;
    }
    steps.reverse();
    steps.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::games;

    fn game(text: &str) -> Game {
        games(text.as_bytes()).next().expect("a game").expect("it can be read").0
    }

    #[test]
    fn places_have_paths() {
        let game = game("1. e4 e5 (1... c5 2. Nf3 {2. Nc3 Nc6} d6) 2. Nf3 Nc6 *");
        let paths = |query: &str| -> Vec<(u32, String)> {
            let hits = hits_of(&game, &query.parse().expect(query), Places::All);
            hits.into_iter().map(|hit| (hit.ply, hit.path)).collect()
        };
        assert_eq!(paths("move:Nf3"), [(3, "0.0.0".to_owned())]);
        assert_eq!(paths("move:Nf3 in:variations"), [(3, "0.0.0".to_owned()), (3, "0.1.0".to_owned())]);
        assert_eq!(paths("move:Nc3 in:comments"), [], "it is no move of the game");
        assert_eq!(paths("move:a3"), []);
        assert_eq!(paths("white:none"), [], "it has no place");
    }

    #[test]
    fn rows_are_put_in_order() {
        let row = |number: u64, date: &str, white: &str| {
            let game =
                game(&format!("[White \"{white}\"]\n[Date \"{date}\"]\n[WhiteElo \"{number}000\"]\n\n*"));
            Row::new(number, &game, game.result)
        };
        let rows = [row(1, "1990.??.??", "b"), row(2, "????.??.??", "A"), row(3, "1992.11.04", "c")];
        for (order, expected) in [
            (Order::Number, [1, 2, 3]),
            (Order::White, [2, 1, 3]),
            (Order::Latest, [3, 1, 2]),
            (Order::Earliest, [1, 3, 2]),
            (Order::Rating, [3, 2, 1]),
        ] {
            let mut sorted = rows.to_vec();
            order.sort(&mut sorted, 3);
            assert_eq!(sorted.iter().map(|row| row.number).collect::<Vec<_>>(), expected, "{order:?}");
        }
    }
}
