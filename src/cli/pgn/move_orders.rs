//! `hematite pgn tree --orders`: the orders of moves by which games reach a position.

use super::table::{Cell, Common, Kind, Table, column, too_many};
use super::tree_place::{Place, SHOWN, line_text, results};
use super::{InputEnd, Sifted};
use crate::chess::Position;
use crate::cli::{CliError, ExitStatus};
use crate::database::{GameFacts, MoveOrders, Tally};
use crate::notation::{percent, pluralize};
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;

/// An order of moves.
#[derive(Serialize)]
pub(super) struct OrderRow {
    games: u64,
    share: Option<f64>,
    moves: String,
}

#[derive(Serialize)]
struct OrderList {
    orders: Vec<OrderRow>,
}

/// The orders of moves to a position, with the counts of games.
pub(super) struct CountedOrders {
    pub orders: Vec<OrderRow>,
    total: Tally,
    sifted: Sifted,
    end: InputEnd,
}

/// Counts the orders of moves that at least `min_games` games share.
pub(super) fn count_orders(
    common: &Common,
    place: &Place,
    min_games: u64,
) -> Result<CountedOrders, CliError> {
    let mut counted = MoveOrders::new(Arc::clone(&place.root));
    let (sifted, end) = common.sift(
        Some(place.root.key()),
        || MoveOrders::new(Arc::clone(&place.root)),
        |orders, header, result| orders.add(&GameFacts::new(header, result)),
        |part| counted.merge(part).map_err(too_many),
    )?;
    let total = counted.total;
    let orders: Vec<OrderRow> = counted
        .sorted()
        .into_iter()
        .take_while(|&(_, games)| games >= min_games)
        .map(|(line, games)| OrderRow {
            games,
            share: percent(games, total.games),
            moves: line_text(&Position::start(), line),
        })
        .collect();
    Ok(CountedOrders { orders, total, sifted, end })
}

/// The first `limit` orders as a table.
pub(super) fn order_table(title: String, orders: &[OrderRow], limit: usize) -> Table {
    let mut table = Table { title, ..Table::default() };
    table.columns = vec![column("Games", Kind::Right), column("%", Kind::Right), column("Moves", Kind::Left)];
    for row in orders.iter().take(limit) {
        let share = row.share.map(|share| format!("{share:.1}"));
        table.push(vec![row.games.into(), Cell::optional(share), row.moves.clone().into()]);
    }
    if orders.len() > limit {
        table.notes.push(format!("and {}", pluralize((orders.len() - limit) as u64, "more order")));
    }
    table
}

/// Shows the orders of moves that at least `min_games` games share.
pub(super) fn show_orders(
    common: &Common,
    place: &Place,
    min_games: u64,
    out: &mut dyn Write,
) -> Result<ExitStatus, CliError> {
    let CountedOrders { orders, total, sifted, end } = count_orders(common, place, min_games)?;
    let limit = if common.is_json() { usize::MAX } else { SHOWN };
    let facts = vec![results(&total, sifted)];
    let table = Table { facts, ..order_table(place.heading(), &orders, limit) };
    common.write(
        "Orders of moves",
        &[table],
        &place.report(&total, sifted, OrderList { orders }),
        &end,
        out,
    )?;
    let answer = if total.games > 0 { ExitStatus::Yes } else { ExitStatus::No };
    Ok(answer.max(end.status()?))
}
