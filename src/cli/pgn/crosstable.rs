//! `hematite pgn crosstable`: cross tables of events, and the games of two players against each other.

use super::query::{quoted, with_terms};
use super::table::{
    Cell, Column, Common, JoinedName, Kind, QUIET, STRICT, Table, answer, column, found, join_notes,
    joined_names, points, result_cells, too_many,
};
use super::{Sifted, Wanted};
use crate::chess::Color;
use crate::cli::streams::IgnoreBrokenPipe;
use crate::cli::{CliError, ExitStatus};
use crate::database::{
    ColorNumbers, Cross, CrossEvent, CrossStyle, Crosstable, EventReport, GameFacts, HeadersOnly, Joined,
    Rounds, Standing, Tally, joined_players,
};
use crate::notation::pgn::GameResult;
use crate::notation::pluralize;
use serde::Serialize;
use std::cmp::Reverse;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  hematite pgn crosstable --query 'event:linares date:2002' games.pgn
  hematite pgn crosstable --style mentor swiss.pgn
  hematite pgn crosstable --style swiss --guess-rounds --html -o open.html games.pgn

Each event has a table: games with the same tags Event, EventDate, Section and Stage. Without EventDate it is also the
same Site, unless that is an address on the Internet, and no more than 90 days between two games. Names are joined as by
`hematite pgn players`. Players are ordered by points, then by Sonneborn-Berger and Buchholz scores. Styles:
  round-robin  a grid of results against each opponent
  swiss        a column for each round: opponent, color and result, such as 5w1
  mentor       the same with the points after the round, such as 05w1.5
  knockout     the matches of each round with their results
By default it is a knockout if all players but one have lost a match in a known round, and have none later, a grid if
all have met, and otherwise Swiss, unless there are no rounds. Exit code 1 if no game is found.";

/// Show the cross tables of events.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, mut_arg("strict", |arg| arg.help(STRICT)), mut_arg("quiet", |arg| arg.help(QUIET)))]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    common: Common,

    /// The kind of table [default: the one that fits the games].
    #[arg(long, value_name = "STYLE")]
    style: Option<Style>,

    /// The order of the players.
    #[arg(long, value_name = "KEY", default_value = "points")]
    sort: SortKey,

    /// Take the rounds from the order of the dates instead of the tags: a player has one game in a round.
    #[arg(long)]
    guess_rounds: bool,

    /// Join no names: each spelling is a player.
    #[arg(long)]
    exact: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum SortKey {
    Points,
    Name,
    Rating,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    RoundRobin,
    Swiss,
    Mentor,
    Knockout,
}

impl From<Style> for CrossStyle {
    fn from(style: Style) -> Self {
        match style {
            Style::RoundRobin => Self::RoundRobin,
            Style::Swiss => Self::Swiss,
            Style::Mentor => Self::Mentor,
            Style::Knockout => Self::Knockout,
        }
    }
}

#[derive(Serialize)]
struct CrossReport {
    read: u64,
    games: u64,
    events: Vec<EventReport>,
    joined: Vec<JoinedName>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let out = &mut IgnoreBrokenPipe::new(out);
        let mut cross = Cross::default();
        let (sifted, end) = self.common.sift(
            None,
            || HeadersOnly(Cross::default()),
            |cross, header, result| cross.0.add(header, result),
            |part| cross.merge(part.0).map_err(too_many),
        )?;
        let found_events = cross.events();
        let all = found_events.iter().flat_map(|event| &event.games);
        let joined = if self.exact { Joined::default() } else { joined_players(all) };
        let rounds = if self.guess_rounds { Rounds::ByDate } else { Rounds::Stated };
        let mut tables = Vec::new();
        let mut events = Vec::new();
        for event in &found_events {
            let mut table = Crosstable::new(&event.games, &joined, rounds);
            match self.sort {
                SortKey::Points => {}
                SortKey::Name => table.sort_by(|standing| standing.name.to_lowercase()),
                SortKey::Rating => table.sort_by(|standing| Reverse(standing.rating)),
            }
            let style = self.style.map_or_else(|| CrossStyle::of(&table), CrossStyle::from);
            tables.push(cross_table(event, &table, style));
            events.push(EventReport::new(event, style, &table));
        }
        let notes = join_notes(&joined);
        if !notes.is_empty() || tables.is_empty() {
            let facts = if tables.is_empty() { vec![found(sifted)] } else { Vec::new() };
            tables.push(Table { facts, notes, ..Table::default() });
        }
        let report =
            CrossReport { read: sifted.read, games: sifted.found, events, joined: joined_names(&joined) };
        self.common.write("Cross tables", &tables, &report, &end, out)?;
        answer(sifted, &end)
    }
}

/// The cross table of an event, in the style for its kind.
pub(in crate::cli) fn event_table(event: &CrossEvent, table: &Crosstable) -> Table {
    cross_table(event, table, CrossStyle::of(table))
}

fn cross_table(event: &CrossEvent, table: &Crosstable, style: CrossStyle) -> Table {
    let name = Some(&event.key.name).filter(|name| !matches!(&***name, "" | "?")).cloned();
    let title = name.into_iter().chain(event.distinctions()).collect::<Vec<_>>().join(" · ");
    let title = if title.is_empty() { "Games without an event".to_owned() } else { title };
    let facts = format!(
        "{}, {}",
        pluralize(table.standings.len() as u64, "player"),
        pluralize(event.games.len() as u64, "game")
    );
    let mut shown = Table { title, facts: vec![facts], ..Table::default() };
    match style {
        CrossStyle::RoundRobin => grid(table, &mut shown),
        CrossStyle::Swiss | CrossStyle::Mentor => by_rounds(table, style == CrossStyle::Mentor, &mut shown),
        CrossStyle::Knockout => knockout(table, &mut shown),
    }
    if table.without_round > 0 && style != CrossStyle::RoundRobin {
        let count = pluralize(table.without_round, "game");
        shown.notes.push(format!("{count} without a round; --guess-rounds takes rounds from dates"));
    }
    shown
}

const fn result_sign(half_points: Option<u64>) -> &'static str {
    match half_points {
        None => "*",
        Some(0) => "0",
        Some(1) => "½",
        Some(_) => "1",
    }
}

/// The columns that all tables of players share, with others between them. The column of titles is included if there
/// are any.
fn columns_with(table: &Crosstable, between: impl Iterator<Item = Column>, tie_break: &str) -> Vec<Column> {
    let first = [column("#", Kind::Right), column("Name", Kind::Cut)];
    let title = has_titles(table).then(|| column("Title", Kind::Left));
    let last = ["Points", tie_break, "Perf"].map(|name| column(name, Kind::Right));
    first.into_iter().chain(title).chain([column("Elo", Kind::Right)]).chain(between).chain(last).collect()
}

fn has_titles(table: &Crosstable) -> bool {
    table.standings.iter().any(|standing| standing.player.title().is_some())
}

fn row_with(
    table: &Crosstable,
    index: usize,
    standing: &Standing,
    between: impl Iterator<Item = String>,
    tie_break: f64,
) -> Vec<Cell> {
    let first = [((index + 1) as u64).into(), standing.name.clone().into()];
    let title = has_titles(table).then(|| Cell::optional(standing.player.title()));
    let first = first.into_iter().chain(title).chain([Cell::optional(standing.rating)]);
    let last = [
        points(standing.half_points).into(),
        Cell::optional(Some(format!("{tie_break:.2}"))),
        Cell::optional(standing.player.performance()),
    ];
    first.chain(between.map(Cell::from)).chain(last).collect()
}

fn grid(table: &Crosstable, shown: &mut Table) {
    let count = table.standings.len();
    shown.columns =
        columns_with(table, (1..=count).map(|number| column(number.to_string(), Kind::Center)), "SB");
    for (index, standing) in table.standings.iter().enumerate() {
        let mut cells = vec![String::new(); count];
        "·".clone_into(&mut cells[index]);
        for game in &standing.games {
            cells[game.index].push_str(result_sign(game.half_points));
        }
        let tie_break = standing.sonneborn_berger as f64 / 4.0;
        shown.push(row_with(table, index, standing, cells.into_iter(), tie_break));
    }
}

fn by_rounds(table: &Crosstable, is_mentor: bool, shown: &mut Table) {
    // Numbers have at least two digits, as in 05w1.5.
    let digits = table.standings.len().to_string().len().max(2);
    let rounds = table.rounds.iter().map(|round| column(round.to_string(), Kind::Left));
    shown.columns = columns_with(table, rounds, "Buchholz");
    for (index, standing) in table.standings.iter().enumerate() {
        let mut total = 0;
        let mut cells: Vec<String> = Vec::new();
        for round in &table.rounds {
            let games = standing.games.iter().filter(|game| game.round == Some(*round));
            let entries: Vec<String> = games
                .map(|game| {
                    total += game.half_points.unwrap_or_default();
                    let number = game.index + 1;
                    let color = if game.color == Color::White { 'w' } else { 'b' };
                    if is_mentor {
                        format!("{number:0digits$}{color}{}", points(total))
                    } else {
                        format!("{number}{color}{}", result_sign(game.half_points))
                    }
                })
                .collect();
            cells.push(if entries.is_empty() { "-".to_owned() } else { entries.join(" ") });
        }
        let tie_break = standing.buchholz as f64 / 2.0;
        shown.push(row_with(table, index, standing, cells.into_iter(), tie_break));
    }
}

fn knockout(table: &Crosstable, shown: &mut Table) {
    shown.columns = vec![
        column("Round", Kind::Left),
        column("Player", Kind::Cut),
        column("", Kind::Right),
        column("", Kind::Left),
        column("Player", Kind::Cut),
        column("Games", Kind::Left),
    ];
    let matches = table.matches();
    let name = |index: usize| table.standings[index].name.clone();
    let mut winner = None;
    let mut last_round = None;
    for found in &matches {
        let mut half_points = found.half_points();
        let (mut sides, mut games) = (found.players, found.games.clone());
        // The winner is listed first.
        if half_points[0] < half_points[1] {
            sides.reverse();
            half_points.reverse();
            games = games.into_iter().map(|points| points.map(|points| 2 - points)).collect();
        }
        winner = (half_points[0] > half_points[1]).then_some(sides[0]);
        let shown_round = found.round.filter(|_| last_round != found.round);
        last_round = found.round;
        let signs: Vec<&str> = games.iter().map(|points| result_sign(*points)).collect();
        shown.push(vec![
            Cell::optional(shown_round),
            name(sides[0]).into(),
            points(half_points[0]).into(),
            points(half_points[1]).into(),
            name(sides[1]).into(),
            signs.join(" ").into(),
        ]);
    }
    if let Some(winner) = winner.filter(|_| table.is_knockout()) {
        shown.notes.push(format!("Winner: {}", name(winner)));
    }
}

/// The games of two players.
pub(super) fn head_to_head(
    common: &Common,
    one: &str,
    other: &str,
    out: &mut dyn Write,
) -> Result<ExitStatus, CliError> {
    let terms = format!("player:{} player:{}", quoted(one), quoted(other));
    let query = with_terms(&common.query, "--between", &terms, common.inputs.files())?;
    let mut duel = Duel::default();
    let (sifted, end) = common.inputs.sift(
        Wanted { query: Some(&query), selection: common.selection, position: None },
        || HeadersOnly(Duel::default()),
        |duel, header, result| {
            let tag = |name: &str| header.tag(name).unwrap_or_default().to_owned();
            // The query finds only games of the first player.
            let side = query.named_player(header).unwrap_or(Color::White);
            duel.0.add(&GameFacts::new(header, result), side);
            if duel.0.games.len() < MAX_LISTED {
                duel.0.games.push(DuelGame {
                    date: tag("Date"),
                    event: tag("Event"),
                    round: tag("Round"),
                    white: tag("White"),
                    black: tag("Black"),
                    result: result.as_str(),
                    eco: tag("ECO"),
                    first_is_white: side == Color::White,
                });
            }
        },
        |part| {
            duel.merge(part.0);
            Ok(())
        },
    )?;
    let tables = duel.tables(one, other, sifted);
    common.write("Head to head", &tables, &duel.report(one, other), &end, out)?;
    answer(sifted, &end)
}

/// The maximum number of listed games of two players.
const MAX_LISTED: usize = 10_000;

/// The games of two players against each other.
#[derive(Default)]
struct Duel {
    /// Results from the point of view of the first player.
    white: Tally,
    black: Tally,
    /// Results from the point of view of the second player.
    other: Tally,
    games: Vec<DuelGame>,
}

#[derive(Serialize)]
struct DuelGame {
    date: String,
    event: String,
    round: String,
    white: String,
    black: String,
    result: &'static str,
    eco: String,
    #[serde(skip)]
    first_is_white: bool,
}

#[derive(Serialize)]
struct DuelReport<'a> {
    players: [&'a str; 2],
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    as_white: ColorNumbers,
    as_black: ColorNumbers,
    performance: Option<i64>,
    performance_of_other: Option<i64>,
    list: &'a [DuelGame],
}

impl Duel {
    fn add(&mut self, game: &GameFacts, side: Color) {
        match side {
            Color::White => self.white.add(game, side),
            Color::Black => self.black.add(game, side),
        }
        self.other.add(game, !side);
    }

    fn merge(&mut self, other: Self) {
        self.white.merge(&other.white);
        self.black.merge(&other.black);
        self.other.merge(&other.other);
        self.games.extend(other.games);
        self.games.truncate(MAX_LISTED);
    }

    /// The numbers of games won, drawn and lost by the first player: with White, with Black, and in total.
    fn results(&self) -> [[u64; 3]; 3] {
        let white = [self.white.white, self.white.draws, self.white.black];
        let black = [self.black.black, self.black.draws, self.black.white];
        [white, black, [white[0] + black[0], white[1] + black[1], white[2] + black[2]]]
    }

    fn sum(&self) -> Tally {
        let mut sum = self.white;
        sum.merge(&self.black);
        sum
    }

    /// The name of a player in the spelling of the games.
    fn name<'a>(&'a self, given: &'a str, is_first: bool) -> &'a str {
        self.games
            .last()
            .map_or(given, |game| if game.first_is_white == is_first { &game.white } else { &game.black })
    }

    fn report<'a>(&'a self, one: &'a str, other: &'a str) -> DuelReport<'a> {
        let [won, drawn, lost] = self.results()[2];
        DuelReport {
            players: [self.name(one, true), self.name(other, false)],
            games: self.sum().games,
            won,
            drawn,
            lost,
            as_white: ColorNumbers::new(&self.white, Color::White),
            as_black: ColorNumbers::new(&self.black, Color::Black),
            performance: self.sum().performance(),
            performance_of_other: self.other.performance(),
            list: &self.games,
        }
    }

    fn tables(&self, one: &str, other: &str, sifted: Sifted) -> [Table; 2] {
        let [first, second] = [self.name(one, true), self.name(other, false)];
        let mut score =
            Table { title: format!("{first} – {second}"), facts: vec![found(sifted)], ..Table::default() };
        score.columns = ["", "Games", "Points", "%"].map(|name| column(name, Kind::Right)).into();
        score.columns.push(column("+ = -", Kind::Left));
        score.columns.extend(["+", "=", "-"].map(|name| column(name, Kind::Right)));
        let games = [self.white.games, self.black.games, self.sum().games];
        for ((name, results), games) in ["White", "Black", "All"].iter().zip(self.results()).zip(games) {
            score.push(result_cells(name, games, results));
        }
        let performances = [(first, self.sum().performance()), (second, self.other.performance())];
        for (name, performance) in performances {
            score
                .notes
                .extend(performance.map(|performance| format!("Performance of {name}: {performance}")));
        }
        let columns = ["Date", "Round"].map(|name| column(name, Kind::Left)).into();
        let mut list = Table { columns, ..Table::default() };
        list.columns.extend(["White", "Black"].map(|name| column(name, Kind::Cut)));
        list.columns.extend(["Result", "ECO"].map(|name| column(name, Kind::Left)));
        list.columns.push(column("Event", Kind::Cut));
        for game in &self.games {
            let result = if game.result == GameResult::Draw.as_str() { "½-½" } else { game.result };
            let cells = [&*game.date, &game.round, &game.white, &game.black, result, &game.eco, &game.event];
            list.push(cells.map(Cell::from).into());
        }
        let all = self.sum().games;
        if all > self.games.len() as u64 {
            list.notes.push(format!("and {} more games", all - self.games.len() as u64));
        }
        [score, list]
    }
}
