//! `hematite pgn player`: a report on the games of a player.

use super::query::{quoted, with_terms};
use super::table::{
    Cell, Common, JoinedName, Kind, QUIET, STRICT, Table, answer, column, found, join_notes, joined_names,
    result_cells,
};
use super::{Sifted, Wanted};
use crate::chess::Color;
use crate::cli::streams::IgnoreBrokenPipe;
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus};
use crate::database::{Career, Joined, OpeningPart, OpeningRow, PlayerRow, Tally};
use crate::notation::pluralize;
use crate::render::RatingCurve;
use serde::Serialize;
use std::cmp::Reverse;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  hematite pgn player tal games.pgn
  hematite pgn player 'kasparov garry' --query 'date>=1990' archive/
  hematite pgn player --exact 'Tal, Mihail' --html -o tal.html games.hdb
  hematite pgn player morphy --json games.pgn

NAME is compared as by the term `player:` of a query, or with --exact as a whole; all spellings that it finds are counted as one
player, and are listed. The report has the results with each color, by year with ratings and performance, of the openings with
White and with Black, and against each opponent, whose names are joined as by `hematite pgn players`. The latest ratings of each
month are a curve, on the terminal and on the page; --json has their numbers. Exit code 1 if there is no such game.";

/// Show the results, openings, opponents and ratings of one player.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, mut_arg("strict", |arg| arg.help(STRICT)), mut_arg("quiet", |arg| arg.help(QUIET)))]
pub(in crate::cli) struct Arguments {
    /// The player, such as tal or 'kasparov garry'.
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    common: Common,

    /// The name must be written exactly so, and the names of opponents are not joined.
    #[arg(long)]
    exact: bool,

    /// Count openings by this part of their names.
    #[arg(long, value_name = "PART", default_value = "variation")]
    by: super::tables::By,

    /// Show at most N openings of each color, and N opponents [default: 20, with --json all].
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(1..))]
    limit: Option<usize>,
}

/// The number of rows of a table without `--limit`.
const SHOWN: usize = 20;

#[derive(Serialize)]
struct Report {
    read: u64,
    names: Vec<Spelling>,
    #[serde(flatten)]
    player: PlayerRow,
    highest_rating: Option<u16>,
    years: Vec<YearRow>,
    ratings: Vec<MonthRating>,
    openings: Openings,
    opponents: Vec<PlayerRow>,
    joined: Vec<JoinedName>,
}

#[derive(Serialize)]
struct Spelling {
    name: String,
    games: u64,
}

/// The results of a year; `None` for games without a date.
#[derive(Serialize)]
struct YearRow {
    year: Option<u16>,
    #[serde(flatten)]
    player: PlayerRow,
    highest_rating: Option<u16>,
}

/// The latest rating of a month.
#[derive(Serialize)]
struct MonthRating {
    month: String,
    rating: u16,
}

#[derive(Serialize)]
struct Openings {
    as_white: Vec<OpeningRow>,
    as_black: Vec<OpeningRow>,
}

impl Report {
    /// Limits the openings of each color and the opponents to `limit` rows each.
    fn truncate(&mut self, limit: usize) {
        self.openings.as_white.truncate(limit);
        self.openings.as_black.truncate(limit);
        self.opponents.truncate(limit);
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether there are such games.
        let out = &mut IgnoreBrokenPipe::new(out);
        let files = self.common.inputs.files();
        if !self.exact && !self.name.chars().any(char::is_alphanumeric) {
            let problem = format!("found `{}`, expected a name with letters", self.name.escape_debug());
            return Err(CliError::Input { name: "NAME".to_owned(), problem });
        }
        let operator = if self.exact { '=' } else { ':' };
        let terms = format!("player{operator}{}", quoted(&self.name));
        let query = with_terms(&self.common.query, "NAME", &terms, files)?;
        let mut career = Career::default();
        let (sifted, end) = self.common.inputs.sift(
            Wanted { query: Some(&query), selection: self.common.selection, position: None },
            Career::default,
            |career, header, result| {
                // The query finds only games of the player.
                let side = query.named_player(header).unwrap_or(Color::White);
                career.add(header, result, side);
            },
            |part| {
                career.merge(part);
                Ok(())
            },
        )?;
        let joined = if self.exact { Joined::default() } else { career.joined() };
        let mut report = self.report(&career, &joined, sifted);
        let tables = self.tables(&report, &career, &joined, sifted);
        report.truncate(self.limit.unwrap_or(usize::MAX));
        self.common.write("Report on a player", &tables, &report, &end, out)?;
        answer(sifted, &end)
    }

    fn report(&self, career: &Career, joined: &Joined, sifted: Sifted) -> Report {
        let mut names: Vec<Spelling> =
            career.names.iter().map(|(name, &games)| Spelling { name: name.clone(), games }).collect();
        names.sort_by_key(|spelling| Reverse(spelling.games));
        let name = names.first().map_or(&*self.name, |spelling| &spelling.name);
        let highest = |year: Option<u16>| {
            let of_year = career.ratings().filter(|((of, _), _)| year.is_none_or(|year| year == *of));
            of_year.map(|(_, rating)| rating).max()
        };
        let openings = |side: Color| {
            let all = if side == Color::White { career.all.white.games } else { career.all.black.games };
            let names = &career.openings[side as usize];
            let mut rows = OpeningRow::seen_by(names, all, OpeningPart::from(self.by), side);
            rows.sort_by_key(|row| Reverse(row.tally.games));
            rows
        };
        let mut opponents: Vec<PlayerRow> =
            career.opponents(joined).iter().map(|(name, player)| PlayerRow::new(name, player)).collect();
        opponents.sort_by_key(|row| Reverse(row.games));
        let years = career
            .years
            .iter()
            .map(|(&year, player)| YearRow {
                year,
                player: PlayerRow::new(name, player),
                highest_rating: year.and_then(|year| highest(Some(year))),
            })
            .collect();
        Report {
            read: sifted.read,
            player: PlayerRow::new(name, &career.all),
            names,
            highest_rating: highest(None),
            years,
            ratings: career
                .ratings()
                .map(|((year, month), rating)| MonthRating {
                    month: if month > 0 { format!("{year}.{month:02}") } else { year.to_string() },
                    rating,
                })
                .collect(),
            openings: Openings { as_white: openings(Color::White), as_black: openings(Color::Black) },
            opponents,
            joined: joined_names(joined),
        }
    }

    fn tables(&self, report: &Report, career: &Career, joined: &Joined, sifted: Sifted) -> Vec<Table> {
        let limit = self.limit.unwrap_or(SHOWN);
        let mut head =
            Table { title: report.player.name.clone(), facts: vec![found(sifted)], ..Table::default() };
        if let Some(highest) = report.highest_rating {
            let latest = report.player.rating.map_or_else(String::new, |rating| format!(", latest {rating}"));
            head.facts.push(format!("Highest rating {highest}{latest}"));
        }
        if report.names.len() > 1 {
            let spellings: Vec<String> = report
                .names
                .iter()
                .take(SHOWN)
                .map(|name| format!("{} ({})", name.name, name.games))
                .collect();
            head.notes.push(format!("Spellings: {}", spellings.join("; ")));
        }
        head.columns = result_columns("Color");
        head.push(RatedResults::of_tally(&career.all.white, Color::White).cells("White"));
        head.push(RatedResults::of_tally(&career.all.black, Color::Black).cells("Black"));
        head.push(RatedResults::of_player(&report.player).cells("All"));

        let mut years =
            Table { title: "Years".to_owned(), columns: result_columns("Year"), ..Table::default() };
        years.columns.extend(["Elo", "Best"].map(|name| column(name, Kind::Right)));
        for YearRow { year, player, highest_rating } in &report.years {
            let name = year.map_or_else(|| "?".to_owned(), |year| year.to_string());
            let mut cells = RatedResults::of_player(player).cells(&name);
            cells.extend([Cell::optional(player.rating), Cell::optional(*highest_rating)]);
            years.push(cells);
        }
        let openings = [
            ("Openings with White", &report.openings.as_white, Color::White),
            ("Openings with Black", &report.openings.as_black, Color::Black),
        ];
        let mut tables = vec![head, years];
        let ratings: Vec<_> = career.ratings().collect();
        if let Some(curve) = RatingCurve::new(&ratings) {
            let facts = vec![curve.to_string()];
            tables.push(Table { title: "Ratings".to_owned(), facts, curve: Some(curve), ..Table::default() });
        }
        tables.extend(openings.map(|(title, rows, side)| opening_table(title, rows, side, limit)));
        let mut opponents =
            Table { title: "Opponents".to_owned(), columns: result_columns("Name"), ..Table::default() };
        for row in report.opponents.iter().take(limit) {
            opponents.push(RatedResults::of_player(row).cells(&row.name));
        }
        if report.opponents.len() > limit {
            let more = (report.opponents.len() - limit) as u64;
            opponents.notes.push(format!("and {}", pluralize(more, "more opponent")));
        }
        opponents.notes.extend(join_notes(joined));
        tables.push(opponents);
        tables
    }
}

fn result_columns(first: &str) -> Vec<super::table::Column> {
    let mut columns = vec![column(first, Kind::Cut)];
    columns.extend(["Games", "Points", "%"].map(|name| column(name, Kind::Right)));
    columns.push(column("+ = -", Kind::Left));
    columns.extend(["+", "=", "-", "Opp", "Perf"].map(|name| column(name, Kind::Right)));
    columns
}

/// The results of some games from the player's point of view.
struct RatedResults {
    games: u64,
    /// The numbers of games won, drawn and lost.
    results: [u64; 3],
    /// The average rating of the opponents.
    average_opponent: Option<u64>,
    /// The performance rating.
    performance: Option<i64>,
}

impl RatedResults {
    /// The results of the games in which the player has this color.
    fn of_tally(tally: &Tally, side: Color) -> Self {
        let (won, lost) = match side {
            Color::White => (tally.white, tally.black),
            Color::Black => (tally.black, tally.white),
        };
        Self {
            games: tally.games,
            results: [won, tally.draws, lost],
            average_opponent: tally.average_opponent(),
            performance: tally.performance(),
        }
    }

    fn of_player(row: &PlayerRow) -> Self {
        Self {
            games: row.games,
            results: [row.won, row.drawn, row.lost],
            average_opponent: row.average_opponent,
            performance: row.performance,
        }
    }

    /// A row of a table with [`result_columns`].
    fn cells(&self, name: &str) -> Vec<Cell> {
        let mut cells = result_cells(name, self.games, self.results);
        cells.extend([Cell::optional(self.average_opponent), Cell::optional(self.performance)]);
        cells
    }
}

/// The openings of the games with one color, at most `limit` of them.
fn opening_table(title: &str, rows: &[OpeningRow], side: Color, limit: usize) -> Table {
    let mut table = Table { title: title.to_owned(), ..Table::default() };
    table.columns = vec![column("ECO", Kind::Left)];
    table.columns.extend(result_columns("Opening"));
    for row in rows.iter().take(limit) {
        let mut cells = vec![Cell::from(&*row.eco)];
        cells.extend(RatedResults::of_tally(&row.tally, side).cells(&row.name));
        table.push(cells);
    }
    if rows.is_empty() {
        table.notes.push("none".to_owned());
    } else if rows.len() > limit {
        table.notes.push(format!("and {}", pluralize((rows.len() - limit) as u64, "more opening")));
    }
    table
}
