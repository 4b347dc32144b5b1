//! `hematite pgn players` and `hematite pgn openings`, and the tree of opening names.

use super::InputEnd;
use super::crosstable::head_to_head;
use super::query::check_names;
use super::table::{
    Cell, Column, Common, JoinedName, Kind, QUIET, STRICT, Table, answer, column, found, indented,
    join_notes, joined_names, too_many,
};
use crate::chess::Color;
use crate::cli::streams::IgnoreBrokenPipe;
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus};
use crate::database::{
    GameFacts, Joined, NamedGames, Numbers, OpeningNames, OpeningPart, OpeningRow, PlayerRow, Players,
    code_range,
};
use crate::notation::{percent, pluralize};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;

const PLAYER_EXAMPLES: &str = "\
Examples:
  hematite pgn players games.pgn
  hematite pgn players --query 'event:linares date:2002' --sort rating archive/
  hematite pgn players --between tal botvinnik games.pgn
  hematite pgn players --html -o players.html games.pgn
  hematite pgn players --spellings games.pgn > names.txt

The performance is the rating for which the score against the opponents is to be expected: their average
rating + 400 log(score / (100 - score)), at most 800 more or less. The rating is that of the latest game.

Names that differ a little are joined, unless --exact is given, and what was joined is printed:
  - case, accents, spaces and punctuation do not matter;
  - `First Last` is `Last, First` if that surname is also written with a comma;
  - initials and missing further names are completed, `Tal, M` to `Tal, Mihail`, if there is only one name with
    this surname in the games that they may stand for.
--spellings writes them as a table to be looked through, for `hematite pgn retag --names`.
Of a consultation game, whose players are separated by `:`, each player has it. Exit code 1 if no game is found.";

/// Show what players have scored, or how two of them have played against each other.
#[derive(clap::Args, Debug)]
#[command(after_help = PLAYER_EXAMPLES, mut_arg("strict", |arg| arg.help(STRICT)), mut_arg("quiet", |arg| arg.help(QUIET)))]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    common: Common,

    /// Show the games of two players against each other; names are compared as by the term `player:` of a query.
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["sort", "reverse", "min_games", "limit"])]
    between: Option<Vec<String>>,

    /// The order of the players.
    #[arg(long, value_name = "KEY", default_value = "score")]
    sort: SortKey,

    /// Reverse the order.
    #[arg(long)]
    reverse: bool,

    /// Leave out players with fewer games.
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = integer_in::<u64>(1..))]
    min_games: u64,

    /// Show at most N players.
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(1..))]
    limit: Option<usize>,

    /// Join no names: each spelling is a player.
    #[arg(long)]
    exact: bool,

    /// Write a line `FROM -> TO` for each spelling that is joined: a table for `hematite pgn retag --names`.
    #[arg(long, conflicts_with_all = ["exact", "between", "sort", "reverse", "min_games", "limit", "TableForm"])]
    spellings: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum SortKey {
    /// By points, the most first, then by name.
    Score,
    /// By the share of points.
    Percent,
    Name,
    /// By the latest rating.
    Rating,
    /// By the number of games.
    Games,
    /// By the performance.
    Performance,
}

/// The columns of a table of players. The column of titles is included if there are any.
fn player_columns(has_titles: bool) -> Vec<Column> {
    let right = ["Games", "Points", "%"];
    let mut columns = vec![column("#", Kind::Right), column("Name", Kind::Cut)];
    columns.extend(has_titles.then(|| column("Title", Kind::Left)));
    columns.extend(right.map(|name| column(name, Kind::Right)));
    columns.push(column("+ = -", Kind::Left));
    let right = ["White", "Black", "Elo", "Opp", "Perf"];
    columns.extend(right.map(|name| column(name, Kind::Right)));
    columns
}

fn player_cells(row: &PlayerRow, number: usize, has_titles: bool) -> Vec<Cell> {
    let mut cells = vec![(number as u64).into(), row.name.clone().into()];
    cells.extend(has_titles.then(|| Cell::optional(row.title)));
    cells.extend([
        row.games.into(),
        Cell::decimal(Some(row.points)),
        Cell::decimal(row.score),
        Cell::Bar([row.won, row.drawn, row.lost]),
        Cell::decimal(row.as_white.score),
        Cell::decimal(row.as_black.score),
        Cell::optional(row.rating),
        Cell::optional(row.average_opponent),
        Cell::optional(row.performance),
    ]);
    cells
}

#[derive(Serialize)]
struct PlayerReport {
    read: u64,
    games: u64,
    players: Vec<PlayerRow>,
    joined: Vec<JoinedName>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether there are such games.
        let out = &mut IgnoreBrokenPipe::new(out);
        if let Some([one, other]) = self.between.as_deref() {
            return head_to_head(&self.common, one, other, out);
        }
        check_names(self.common.inputs.files())?;
        let mut players = Players::default();
        let (sifted, end) = self.common.sift(
            None,
            Players::default,
            |players, header, result| players.add(header, result),
            |part| players.merge(part).map_err(too_many),
        )?;
        let joined = if self.exact { Joined::default() } else { players.joined() };
        if self.spellings {
            return self.write_spellings(&joined, &end, out);
        }
        let mut rows: Vec<PlayerRow> = players
            .by_name(&joined)
            .iter()
            .filter(|(_, player)| player.games() >= self.min_games)
            .map(|(name, player)| PlayerRow::new(name, player))
            .collect();
        // The rows are already sorted by name, and the sorts below are stable.
        match self.sort {
            SortKey::Score => rows.sort_by(|a, b| b.points.total_cmp(&a.points)),
            SortKey::Percent => {
                rows.sort_by(|a, b| b.score.unwrap_or(-1.0).total_cmp(&a.score.unwrap_or(-1.0)));
            }
            SortKey::Name => rows.sort_by_cached_key(|row| row.name.to_lowercase()),
            SortKey::Rating => rows.sort_by_key(|row| Reverse(row.rating)),
            SortKey::Games => rows.sort_by_key(|row| Reverse(row.games)),
            SortKey::Performance => rows.sort_by_key(|row| Reverse(row.performance)),
        }
        if self.reverse {
            rows.reverse();
        }
        let all = rows.len();
        rows.truncate(self.limit.unwrap_or(usize::MAX));
        let mut table = table_of_rows(&rows, all);
        table.facts = vec![format!("{}, {}", found(sifted), pluralize(all as u64, "player"))];
        if players.unknown > 0 {
            table.notes.push(format!("without a name: {}", pluralize(players.unknown, "side")));
        }
        table.notes.extend(join_notes(&joined));
        let report = PlayerReport {
            read: sifted.read,
            games: sifted.found,
            players: rows,
            joined: joined_names(&joined),
        };
        self.common.write("Players", &[table], &report, &end, out)?;
        answer(sifted, &end)
    }
}

impl Arguments {
    /// Writes the joined spellings as a table for `pgn retag`.
    fn write_spellings(
        &self,
        joined: &Joined,
        end: &InputEnd,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, CliError> {
        let groups = joined.groups();
        // Names that would not be read back as part of a line of the table are skipped.
        let is_plain = |text: &str| !text.contains("->") && !text.starts_with('#');
        let pairs = groups.iter().flat_map(|(name, spellings)| spellings.iter().map(|from| (*from, *name)));
        let pairs: Vec<(&str, &str)> =
            pairs.filter(|(from, name)| is_plain(from) && is_plain(name)).collect();
        self.common.write_with(end, out, |output| {
            pairs.iter().try_for_each(|(from, name)| Ok(writeln!(output, "{from} -> {name}")?))
        })?;
        let answer = if pairs.is_empty() { ExitStatus::No } else { ExitStatus::Yes };
        Ok(answer.max(end.status()?))
    }
}

/// The table of these players in their order; `all` is the total number of players.
fn table_of_rows(rows: &[PlayerRow], all: usize) -> Table {
    let has_titles = rows.iter().any(|row| row.title.is_some());
    let columns = player_columns(has_titles);
    let mut table = Table { title: "Players".to_owned(), columns, ..Table::default() };
    for (index, row) in rows.iter().enumerate() {
        table.push(player_cells(row, index + 1, has_titles));
    }
    if all > rows.len() {
        table.notes.push(format!("and {}", pluralize((all - rows.len()) as u64, "more player")));
    }
    table
}

/// The table of the players with the most points.
pub(in crate::cli) fn player_table(players: &Players, joined: &Joined, limit: usize) -> Table {
    let mut rows = PlayerRow::all(players, joined);
    let all = rows.len();
    rows.truncate(limit);
    table_of_rows(&rows, all)
}

const OPENING_EXAMPLES: &str = "\
Examples:
  hematite pgn openings games.pgn
  hematite pgn openings --query 'white:tal' --by name --sort score games.pgn
  hematite pgn openings --by eco --html -o openings.html archive/

The opening of a game is the last position of its main line that has a name. Exit code 1 if no game is found.";

/// Show which openings games have, and their results.
#[derive(clap::Args, Debug)]
#[command(after_help = OPENING_EXAMPLES, mut_arg("strict", |arg| arg.help(STRICT)), mut_arg("quiet", |arg| arg.help(QUIET)))]
pub(in crate::cli) struct OpeningArguments {
    #[command(flatten)]
    common: Common,

    /// The part of the name by which openings are counted.
    #[arg(long, value_name = "PART", default_value = "family")]
    by: By,

    /// The order of the openings.
    #[arg(long, value_name = "KEY", default_value = "games")]
    sort: OpeningKey,

    /// Reverse the order.
    #[arg(long)]
    reverse: bool,

    /// Leave out openings of fewer games.
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = integer_in::<u64>(1..))]
    min_games: u64,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// The first part of the name, such as Sicilian Defense.
    Family,
    /// The first two parts.
    Variation,
    /// The whole name.
    Name,
    /// The ECO code.
    Eco,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum OpeningKey {
    Games,
    /// White's score, the best first.
    Score,
    Name,
    Eco,
}

impl From<By> for OpeningPart {
    fn from(by: By) -> Self {
        match by {
            By::Family => Self::Family,
            By::Variation => Self::Variation,
            By::Name => Self::Name,
            By::Eco => Self::Eco,
        }
    }
}

#[derive(Serialize)]
struct OpeningReport {
    read: u64,
    games: u64,
    unnamed: u64,
    openings: Vec<OpeningRow>,
}

impl OpeningArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let out = &mut IgnoreBrokenPipe::new(out);
        let mut names = OpeningNames::default();
        let (sifted, end) = self.common.sift(
            None,
            OpeningNames::default,
            |names, header, result| names.add(&GameFacts::new(header, result)),
            |part| {
                names.merge(part);
                Ok(())
            },
        )?;
        let rows = self.rows(&names, sifted.found);
        let mut table = table_of_openings(&rows, sifted.found, names.unnamed.games);
        table.facts = vec![format!("{}, {}", found(sifted), pluralize(rows.len() as u64, "opening"))];
        let unnamed = names.unnamed.games;
        let report = OpeningReport { read: sifted.read, games: sifted.found, unnamed, openings: rows };
        self.common.write("Openings", &[table], &report, &end, out)?;
        answer(sifted, &end)
    }

    fn rows(&self, names: &OpeningNames, all: u64) -> Vec<OpeningRow> {
        let mut rows = OpeningRow::all(names, all, self.by.into());
        rows.retain(|row| row.tally.games >= self.min_games);
        match self.sort {
            OpeningKey::Games => rows.sort_by_key(|row| Reverse(row.tally.games)),
            OpeningKey::Score => rows.sort_by(|a, b| {
                let score = |row: &OpeningRow| row.tally.score(Color::White).unwrap_or(-1.0);
                score(b).total_cmp(&score(a))
            }),
            OpeningKey::Name => rows.sort_by(|a, b| a.name.cmp(&b.name)),
            OpeningKey::Eco => rows.sort_by(|a, b| a.eco.cmp(&b.eco)),
        }
        if self.reverse {
            rows.reverse();
        }
        rows
    }
}

/// The table of these openings in their order; `all` is the number of games, of which `unnamed` have no opening.
fn table_of_openings(rows: &[OpeningRow], all: u64, unnamed: u64) -> Table {
    let columns = vec![
        column("ECO", Kind::Left),
        column("Opening", Kind::Cut),
        column("Games", Kind::Right),
        column("%", Kind::Right),
        column("+ = -", Kind::Left),
        column("White", Kind::Right),
        column("Elo", Kind::Right),
        column("Last", Kind::Right),
    ];
    let mut table = Table { title: "Openings".to_owned(), columns, ..Table::default() };
    for row in rows {
        table.push(vec![
            row.eco.clone().into(),
            row.name.clone().into(),
            row.tally.games.into(),
            Cell::decimal(percent(row.tally.games, all)),
            Cell::bar(&row.tally),
            Cell::decimal(row.tally.score(Color::White)),
            Cell::optional(row.tally.average_rating()),
            Cell::optional(row.tally.last_year),
        ]);
    }
    if unnamed > 0 {
        table.notes.push(format!("without a name: {}", pluralize(unnamed, "game")));
    }
    table
}

/// The table of the opening families with the most games.
pub(in crate::cli) fn opening_table(names: &OpeningNames, all: u64, limit: usize) -> Table {
    let mut rows = OpeningRow::most_first(names, all, OpeningPart::Family);
    let others = rows.len().saturating_sub(limit);
    rows.truncate(limit);
    let mut table = table_of_openings(&rows, all, names.unnamed.games);
    if others > 0 {
        table.notes.insert(0, format!("and {}", pluralize(others as u64, "more opening")));
    }
    table
}

/// The order of a tree of names. Equal entries are in alphabetical order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameOrder {
    Games,
    Score,
    Code,
    Alphabet,
}

/// The tree of opening names by their parts.
#[derive(Default)]
struct NameNode {
    games: Option<NamedGames>,
    children: BTreeMap<&'static str, NameNode>,
}

/// An opening, or a part of its name.
#[derive(Serialize)]
pub(super) struct NameRow {
    name: &'static str,
    eco: String,
    #[serde(flatten)]
    numbers: Numbers,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<NameRow>,
}

/// The tree of names down to this depth, without openings of fewer than `min_games` games.
pub(super) fn name_rows(
    names: &OpeningNames,
    depth: usize,
    order: NameOrder,
    min_games: u64,
) -> Vec<NameRow> {
    let mut root = NameNode::default();
    let mut all = 0;
    for games in names.sorted() {
        all += games.tally.games;
        let opening = games.opening;
        let parts = [Some(opening.family()), opening.variation(), opening.subvariation()];
        let mut node = &mut root;
        for part in parts.into_iter().flatten().take(depth) {
            node = node.children.entry(part).or_default();
            match &mut node.games {
                Some(own) => own.merge(&games),
                own => *own = Some(games),
            }
        }
    }
    sorted_names(root, all + names.unnamed.games, order, min_games)
}

fn sorted_names(node: NameNode, all: u64, order: NameOrder, min_games: u64) -> Vec<NameRow> {
    let mut rows = Vec::new();
    for (name, child) in node.children {
        let Some(games) = child.games.filter(|games| games.tally.games >= min_games) else { continue };
        let children = NameNode { games: None, children: child.children };
        let names = sorted_names(children, games.tally.games, order, min_games);
        let numbers = Numbers::new(&games.tally, all, Color::White);
        rows.push(NameRow { name, eco: code_range(&games), numbers, names });
    }
    match order {
        NameOrder::Games => rows.sort_by_key(|row| Reverse(row.numbers.games)),
        NameOrder::Score => rows.sort_by(|a, b| {
            let score = |row: &NameRow| row.numbers.score.unwrap_or(-1.0);
            score(b).total_cmp(&score(a))
        }),
        NameOrder::Code => rows.sort_by(|a, b| a.eco.cmp(&b.eco)),
        NameOrder::Alphabet => {}
    }
    rows
}

/// The tree of names as a table.
pub(super) fn name_table(names: &[NameRow]) -> Table {
    let columns = vec![
        column("Opening", Kind::Cut),
        column("ECO", Kind::Left),
        column("Games", Kind::Right),
        column("%", Kind::Right),
        column("+ = -", Kind::Left),
        column("White", Kind::Right),
        column("Last", Kind::Right),
    ];
    let mut table = Table { columns, ..Table::default() };
    add_names(names, 0, &mut table);
    table
}

fn add_names(rows: &[NameRow], depth: usize, table: &mut Table) {
    for row in rows {
        let Numbers { games, share, score, last_year, .. } = row.numbers;
        table.push(vec![
            indented(depth, row.name).into(),
            row.eco.clone().into(),
            games.into(),
            Cell::decimal(Some(share)),
            Cell::bar_of(&row.numbers),
            Cell::decimal(score),
            Cell::optional(last_year),
        ]);
        add_names(&row.names, depth + 1, table);
    }
}
