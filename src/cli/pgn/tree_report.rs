//! `hematite pgn tree --report`: a complete report on the games of a position.

use super::InputEnd;
use super::move_orders::{OrderRow, count_orders, order_table};
use super::table::{Cell, Common, Kind, Table, column, result_cells};
use super::tree_games::{FirstGames, ListOrder, ListedGame, game_table, games_at};
use super::tree_place::Place;
use crate::chess::Color;
use crate::cli::CliError;
use crate::database::{GameFacts, Tally, WinDrawLoss, is_known_name, join_names, players_of};
use crate::notation::pgn::Game;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// The statistics of the games of a position.
#[derive(Serialize)]
pub(super) struct OpeningReport {
    orders: Vec<OrderRow>,
    years: Vec<YearRow>,
    white: Vec<PlayerRow>,
    black: Vec<PlayerRow>,
    strongest: Vec<ListedGame>,
    latest: Vec<ListedGame>,
}

/// The games of a year; `None` for games without a date.
#[derive(Serialize)]
struct YearRow {
    year: Option<u16>,
    games: u64,
    /// The numbers of games won by White, drawn, and won by Black.
    results: [u64; 3],
}

/// A player who has reached the position with one color.
#[derive(Serialize)]
struct PlayerRow {
    name: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

/// The number of games and the score of each spelling of a name, from the point of view of the side.
#[derive(Default)]
struct SideNames(HashMap<String, (u64, WinDrawLoss)>);

impl SideNames {
    fn add(&mut self, name: &str, facts: &GameFacts, side: Color) {
        let (games, score) = self.0.entry(name.to_owned()).or_default();
        *games += 1;
        score.add(facts.result, side);
    }

    /// The players with the most games; equal ones are sorted by name.
    fn rows(self, limit: usize) -> Vec<PlayerRow> {
        let joined = join_names(self.0.iter().map(|(name, (games, _))| (&**name, *games)));
        let mut players: BTreeMap<&str, PlayerRow> = BTreeMap::new();
        for (spelling, (games, score)) in &self.0 {
            let name = joined.name(spelling);
            let none = || PlayerRow { name: name.to_owned(), games: 0, won: 0, drawn: 0, lost: 0 };
            let row = players.entry(name).or_insert_with(none);
            row.games += games;
            row.won += score.won;
            row.drawn += score.drawn;
            row.lost += score.lost;
        }
        let mut rows: Vec<PlayerRow> = players.into_values().collect();
        rows.sort_by_key(|row| Reverse(row.games));
        rows.truncate(limit);
        rows
    }
}

/// The data read from a game.
struct ReadGame {
    listed: ListedGame,
    /// The names of the players of White and of Black.
    names: [Vec<String>; 2],
}

impl ReadGame {
    fn new(game: &Game, place: &Place) -> Option<Self> {
        let listed = ListedGame::new(game, place)?;
        let names = Color::ALL.map(|side| {
            let names = players_of(&game.tags, side).map(|(name, _)| name);
            names.filter(|name| is_known_name(name)).map(str::to_owned).collect()
        });
        Some(Self { listed, names })
    }
}

impl OpeningReport {
    /// Reads the games again; each list is limited to `limit` rows.
    pub(super) fn read(common: &Common, place: &Place, limit: usize) -> Result<(Self, InputEnd), CliError> {
        let orders = count_orders(common, place, 1)?.orders;
        let mut years: BTreeMap<Reverse<Option<u16>>, Tally> = BTreeMap::new();
        let mut sides = [SideNames::default(), SideNames::default()];
        let mut strongest = FirstGames::new(ListOrder::Elo, limit);
        let mut latest = FirstGames::new(ListOrder::Date, limit);
        let (_, end) = games_at(
            common,
            Some(place.root.key()),
            &|game| ReadGame::new(game, place),
            &mut |at, ReadGame { listed, names }| {
                let facts = listed.facts;
                years.entry(Reverse(facts.year)).or_default().add(&facts, Color::White);
                for (side, names) in Color::ALL.into_iter().zip(&names) {
                    names.iter().for_each(|name| sides[side as usize].add(name, &facts, side));
                }
                strongest.add(listed.clone(), &at);
                latest.add(listed, &at);
                ControlFlow::Continue(())
            },
        )?;
        let year = |(Reverse(year), tally): (Reverse<Option<u16>>, Tally)| YearRow {
            year,
            games: tally.games,
            results: [tally.white, tally.draws, tally.black],
        };
        let [white, black] = sides.map(|side| side.rows(limit));
        let report = Self {
            orders: orders.into_iter().take(limit).collect(),
            years: years.into_iter().map(year).collect(),
            white,
            black,
            strongest: strongest.finish(),
            latest: latest.finish(),
        };
        Ok((report, end))
    }

    /// The tables of the report.
    pub(super) fn tables(&self, limit: usize) -> Vec<Table> {
        let heading = |name: &str| name.to_owned();
        let mut years = Table { title: heading("Results by year"), ..Table::default() };
        years.columns =
            vec![column("Year", Kind::Left), column("Games", Kind::Right), column("+ = -", Kind::Left)];
        for row in self.years.iter().take(limit) {
            let year = row.year.map_or_else(|| "unknown".to_owned(), |year| year.to_string());
            years.push(vec![year.into(), row.games.into(), Cell::Bar(row.results)]);
        }
        vec![
            order_table(heading("Orders of moves"), &self.orders, limit),
            years,
            player_table(heading("Players of White"), &self.white),
            player_table(heading("Players of Black"), &self.black),
            game_table(heading("The games of the strongest players"), &self.strongest),
            game_table(heading("The latest games"), &self.latest),
        ]
    }
}

/// A table of players with their results in the position.
fn player_table(title: String, rows: &[PlayerRow]) -> Table {
    let mut table = Table { title, ..Table::default() };
    table.columns = vec![column("Name", Kind::Cut)];
    table.columns.extend(["Games", "Points", "%"].map(|name| column(name, Kind::Right)));
    table.columns.push(column("+ = -", Kind::Left));
    table.columns.extend(["+", "=", "-"].map(|name| column(name, Kind::Right)));
    for row in rows {
        table.push(result_cells(&row.name, row.games, [row.won, row.drawn, row.lost]));
    }
    table
}
