//! `hematite pgn tree`: the moves of games in a position.

use super::annotated::show_annotations;
use super::eco_tree::{count_lines, lines};
use super::move_orders::show_orders;
use super::table::{Cell, Common, Kind, QUIET, STRICT, Table, column, indented, too_many};
use super::tables::{NameOrder, NameRow, name_rows, name_table};
use super::tree_epd::TreeRecords;
use super::tree_games::{GameList, ListOrder};
use super::tree_place::{Place, PlaceArg, SHOWN, line_text, numbered, results};
use super::tree_report::OpeningReport;
use super::walk::{View, ViewKind, walk};
use super::{InputEnd, Sifted};
use crate::chess::{Color, Move, Position, Role};
use crate::cli::streams::IgnoreBrokenPipe;
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus, signals};
use crate::database::{Branch, GameFacts, NodeKey, Numbers, Root, Tally, Tree};
use crate::notation::eco::opening;
use crate::notation::{CastlingStyle, San, UciMove, pluralize};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  hematite pgn tree games.pgn
  hematite pgn tree --moves '1. e4 c5 2. Nf3' archive/
  hematite pgn tree --query 'white:kasparov date>=1990' --sort score games.pgn.zst
  hematite pgn tree --moves '1. d4' --depth 4 --min-games 10 games.pgn
  hematite pgn tree --names games.pgn
  hematite pgn tree --moves '1. c4 c5 2. Nf3 g6 3. d4' --orders games.pgn
  hematite pgn tree --moves '1. e4 c5' --annotated games.pgn
  hematite pgn tree --moves '1. e4 c5 2. Nf3' --list --sort elo --limit 5 games.pgn
  hematite pgn tree --moves '1. e4 c5 2. Nf3' --report --html -o sicilian.html games.hdb
  hematite pgn tree --eco --moves '1. e4 c5' --depth 2
  hematite pgn tree -i games.hdb
  hematite pgn tree --fen '8/8/8/8/1k6/8/1p4K1/8 b - - 0 50' --json games.pgn

Games count wherever they reach the position, by whatever order of moves; --exact counts only those that come by
the very moves of --moves. The score is that of the side that moves, in percent of the games with a result. The
performance is the rating for which that score against such opponents is to be expected: their average
rating + 400 log(score / (100 - score)), at most 800 more or less. N marks a move that was played once, in the last
year of the games here.
The main line of a game is read as long as the position may still come. Errors in it are printed on standard
error; with --broken or --strict all main lines are read to their end. Exit code 1 if no game reaches the position.";

const USAGE: &str = "hematite pgn tree [OPTIONS] <FILE>...
       hematite pgn tree --eco [OPTIONS]";

/// The title of the HTML page.
const TITLE: &str = "Opening tree";
/// The number of plies without an alternative after which a branch ends.
const SINGLE: u32 = 10;
/// The number of rows of each table of a report without `--limit`.
const REPORTED: usize = 10;
/// The number of parts of the names that are shown without `--depth`.
const NAME_DEPTH: u16 = 2;
/// The maximum depth of a tree, in plies.
const MAX_DEPTH: u16 = 200;

/// Show the moves that games play in a position, with their results.
#[derive(clap::Args, Debug)]
#[command(
    after_help = EXAMPLES,
    override_usage = USAGE,
    mut_arg("files", |arg| arg.required(false)),
    mut_arg("strict", |arg| arg.help(STRICT)),
    mut_arg("quiet", |arg| arg.help(QUIET)),
)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    place: PlaceArg,

    /// The plies below the position that are shown [default: 1], or with --names the parts of the names [default: 2].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_DEPTH))]
    depth: Option<u16>,

    /// End a branch after this many plies in which only one move was played.
    #[arg(long, value_name = "N", default_value_t = SINGLE, value_parser = integer_in::<u32>(1..))]
    stop_at_single: u32,

    /// Leave out moves of fewer games.
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = integer_in::<u64>(1..))]
    min_games: u64,

    /// The order of the moves of a position [default: games], or of the games of --list [default: appearance].
    #[arg(long, value_name = "KEY")]
    sort: Option<SortKey>,

    /// Show a tree of the names of the openings instead of moves.
    #[arg(long, conflicts_with_all = ["epd", "stop_at_single"])]
    names: bool,

    /// Show the orders of moves by which games come to the position from the start of the game instead, the most
    /// frequent first.
    #[arg(long, conflicts_with_all = ["names", "epd", "interactive", "exact", "depth", "stop_at_single", "sort"])]
    orders: bool,

    /// Show what games write about the moves of the position instead, in main lines and in variations: how many games
    /// have which glyphs, and the comments with their games.
    #[arg(long, conflicts_with_all = ["names", "orders", "epd", "interactive", "depth", "stop_at_single", "sort"])]
    annotated: bool,

    /// List the games that come to the position instead, with the move that they play there.
    #[arg(long, conflicts_with_all = ["names", "orders", "annotated", "epd", "interactive", "depth", "stop_at_single", "min_games"])]
    list: bool,

    /// Show a report of the position: its moves, the orders of moves that lead there,
    /// results by year, players, the games of the strongest players and the latest. The files are read several times.
    #[arg(long, conflicts_with_all = ["names", "orders", "annotated", "list", "epd", "interactive", "exact"])]
    report: bool,

    /// Show the tree of the lines of the openings that have names instead of games.
    #[arg(long, conflicts_with_all = ["files", "query", "query_file", "orders", "annotated", "list", "report", "epd"])]
    eco: bool,

    /// With --list, --annotated and --report: show at most N games, comments on a move, or rows of a table [default:
    /// 40, with --json all; of --report 10].
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(1..))]
    limit: Option<usize>,

    /// Walk through the tree: on a terminal with the arrow keys, a board beside the moves, else with lines of text.
    #[arg(long, short, conflicts_with_all = ["names", "epd", "json", "html", "csv", "output", "depth"])]
    interactive: bool,

    /// Write an EPD record for each position after a move: names in `eco` and `v0`, games in `c0`, the moves that lead
    /// there in `c1` and, of other orders, in `c2` to `c9`.
    #[arg(long, conflicts_with_all = ["json", "html", "csv"])]
    epd: bool,
}

/// The order of moves. Equal moves are ordered by their number of games, and then by their first appearance.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum SortKey {
    /// The most frequent first.
    Games,
    /// The best for the side that moves first.
    Score,
    /// Moves of pawns, knights, bishops, rooks, queens, kings, and castling; of names their codes.
    Kind,
    /// The one that comes first in the files first; of names the alphabet.
    Appearance,
    /// The highest average rating of those who play it first; of games that of both players.
    Elo,
    /// The latest first: of moves by the year of the last game.
    Date,
}

/// A move of the tree in the output.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    text: String,
    uci: String,
    #[serde(flatten)]
    numbers: Numbers,
    #[serde(skip_serializing_if = "Option::is_none")]
    eco: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    /// Whether the position after the move has been shown before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    transposes: bool,
    /// Whether the move was played only once, in the last year of the games.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    novelty: bool,
    /// Whether the games have more moves after this one, without alternatives.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    goes_on: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<Row>,
    #[serde(skip)]
    mv: Move,
    #[serde(skip)]
    after: Position,
    /// The move with its number.
    #[serde(skip)]
    shown: String,
}

impl Row {
    /// The row of a move, of whose position this many games are counted; `novelty_year` is that of
    /// [`latest_of_others`].
    fn new(position: &Position, mv: Move, tally: &Tally, games: u64, novelty_year: Option<u16>) -> Self {
        let (text, after) = San::new(position, mv).played();
        let named = opening(&after);
        Self {
            text: text.to_string(),
            uci: UciMove::new(mv, CastlingStyle::Standard).to_string(),
            numbers: Numbers::new(tally, games, position.turn()),
            eco: named.map(|opening| opening.code().to_string()),
            opening: named.map(|opening| opening.name().to_owned()),
            transposes: false,
            novelty: tally.games == 1 && novelty_year.is_some() && tally.last_year == novelty_year,
            goes_on: false,
            moves: Vec::new(),
            mv,
            after,
            shown: numbered(position, &text),
        }
    }
}

/// Creates the rows of a tree.
struct RowBuilder<'a> {
    tree: &'a Tree,
    root: &'a Root,
    arguments: &'a Arguments,
    shown: HashSet<NodeKey>,
}

impl<'a> RowBuilder<'a> {
    fn new(tree: &'a Tree, root: &'a Root, arguments: &'a Arguments) -> Self {
        Self { tree, root, arguments, shown: HashSet::new() }
    }

    fn rows(&mut self, node: NodeKey, position: &Position, depth: u32, single: u32) -> Vec<Row> {
        self.shown.insert(node);
        let mut branches = self.tree.branches(node, position);
        let games: u64 = branches.iter().map(|(_, branch)| branch.tally.games).sum();
        branches.retain(|(_, branch)| branch.tally.games >= self.arguments.min_games);
        let novelty_year = latest_of_others(branches.iter().map(|(_, branch)| &branch.tally));
        put_in_order(&mut branches, position, self.arguments.sort.unwrap_or(SortKey::Games));
        let row =
            |(mv, branch): &(Move, &Branch)| Row::new(position, *mv, &branch.tally, games, novelty_year);
        let mut rows: Vec<Row> = branches.iter().map(row).collect();
        let single = if rows.len() == 1 { single + 1 } else { 0 };
        if depth > 1 {
            for row in &mut rows {
                let child = self.root.child(node, row.mv, &row.after);
                let has_more = || !self.tree.branches(child, &row.after).is_empty();
                if self.shown.contains(&child) {
                    row.transposes = has_more();
                } else if single >= self.arguments.stop_at_single {
                    row.goes_on = has_more();
                } else {
                    row.moves = self.rows(child, &row.after, depth - 1, single);
                }
            }
        }
        rows
    }
}

/// Puts the moves of a position in this order; equal ones by their number of games, then by their first appearance.
fn put_in_order(branches: &mut [(Move, &Branch)], position: &Position, key: SortKey) {
    branches.sort_by_key(|(_, branch)| (Reverse(branch.tally.games), branch.first));
    match key {
        SortKey::Games => {}
        SortKey::Elo => branches.sort_by_key(|(_, branch)| Reverse(branch.tally.average_rating())),
        SortKey::Date => branches.sort_by_key(|(_, branch)| Reverse(branch.tally.last_year)),
        SortKey::Score => {
            let score = |tally: &Tally| tally.score(position.turn()).unwrap_or(-1.0);
            branches.sort_by(|a, b| score(&b.1.tally).total_cmp(&score(&a.1.tally)));
        }
        SortKey::Kind => branches.sort_by_key(|&(mv, _)| kind(position, mv)),
        SortKey::Appearance => branches.sort_by_key(|(_, branch)| branch.first),
    }
}

/// The last year of the games of a position, if some of the games are known to be earlier: a move that was played only
/// once, in this year, is a novelty.
fn latest_of_others<'a>(tallies: impl Iterator<Item = &'a Tally> + Clone) -> Option<u16> {
    let latest = tallies.clone().filter_map(|tally| tally.last_year).max()?;
    let is_older = |tally: &Tally| tally.games > 1 || tally.last_year.is_some_and(|year| year < latest);
    tallies.clone().any(is_older).then_some(latest)
}

/// The order of the kinds of moves: pawn, knight, bishop, rook, queen, king, castling.
fn kind(position: &Position, mv: Move) -> usize {
    if mv.is_castle() {
        return Role::COUNT;
    }
    position.role_at(mv.from()).map_or(0, |role| role as usize)
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        self.check()?;
        if self.interactive {
            return self.walk(out);
        }
        // The exit code also reports whether there are such games.
        let out = &mut IgnoreBrokenPipe::new(out);
        if self.orders {
            show_orders(&self.common, &self.place.read(1)?, self.min_games, out)
        } else if self.annotated {
            show_annotations(&self.common, &self.place.read(1)?, self.min_games, self.shown_games(), out)
        } else if self.list {
            self.write_list(out)
        } else if self.names {
            self.write_names(out)
        } else {
            self.write_moves(out)
        }
    }

    /// Checks arguments that only belong to others, and those that are missing.
    fn check(&self) -> Result<(), CliError> {
        if self.limit.is_some() && !self.list && !self.annotated && !self.report {
            return Err(CliError::usage("--limit is for --list, --annotated and --report"));
        }
        if self.report && self.common.inputs.names_standard_input() {
            let problem = "--report: standard input cannot be read twice, expected files";
            return Err(CliError::usage(problem));
        }
        if !self.eco && self.common.inputs.files().is_empty() {
            return Err(CliError::usage("no FILE is given; `-` is standard input"));
        }
        Ok(())
    }

    /// The maximum number of games or comments that are listed.
    fn shown_games(&self) -> usize {
        self.limit.unwrap_or(if self.common.is_json() { usize::MAX } else { SHOWN })
    }

    /// Writes the games that come to the position.
    fn write_list(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let place = self.place.read(1)?;
        let order = match self.sort {
            None | Some(SortKey::Appearance) => ListOrder::Appearance,
            Some(SortKey::Elo) => ListOrder::Elo,
            Some(SortKey::Date) => ListOrder::Date,
            Some(SortKey::Games | SortKey::Score | SortKey::Kind) => {
                return Err(CliError::usage("--list: the order of games is elo, date or appearance"));
            }
        };
        let list = GameList::read(&self.common, &place, self.shown_games(), order)?;
        list.write(&self.common, &place, out)
    }

    /// Writes the names of the openings that games reach.
    fn write_names(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let place = self.place.read(1)?;
        let order = match self.sort.unwrap_or(SortKey::Games) {
            SortKey::Games => NameOrder::Games,
            SortKey::Score => NameOrder::Score,
            SortKey::Kind => NameOrder::Code,
            SortKey::Appearance => NameOrder::Alphabet,
            SortKey::Elo | SortKey::Date => {
                return Err(CliError::usage("--names: the order is games, score, kind or appearance"));
            }
        };
        let (tree, sifted, end) = self.count(&place)?;
        let depth = self.depth.unwrap_or(NAME_DEPTH);
        let rows = |names| name_rows(names, depth.into(), order, self.min_games);
        let names = tree.names.as_ref().map(rows).unwrap_or_default();
        let facts = vec![self.facts(&tree.total, sifted)];
        let table = Table { title: place.heading(), facts, ..name_table(&names) };
        let report = place.report(&tree.total, sifted, NameTree { names });
        self.common.write(TITLE, &[table], &report, &end, out)?;
        answer(&tree, &end)
    }

    /// Writes the moves of the position, in the requested form.
    fn write_moves(mut self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let depth = self.depth.unwrap_or(1).into();
        let place = self.place.read(depth)?;
        let (tree, sifted, end) = self.count(&place)?;
        let mut builder = RowBuilder::new(&tree, &place.root, &self);
        let moves = builder.rows(place.root.key(), &place.root.position, depth, 0);
        if self.epd {
            let records = records(&moves, &place);
            self.common.write_with(&end, out, |output| records.write(output))?;
            return answer(&tree, &end);
        }
        let table = self.move_table(&place, &moves, self.facts(&tree.total, sifted));
        if self.report {
            let limit = self.limit.unwrap_or(REPORTED);
            // Findings have already been printed.
            self.common.selection = self.common.selection.silent();
            let (found, _) = OpeningReport::read(&self.common, &place, limit)?;
            let tables: Vec<Table> = std::iter::once(table).chain(found.tables(limit)).collect();
            let report = place.report(&tree.total, sifted, FullReport { moves, found });
            self.common.write("Opening report", &tables, &report, &end, out)?;
        } else {
            let report = place.report(&tree.total, sifted, MoveTree { moves });
            self.common.write(TITLE, &[table], &report, &end, out)?;
        }
        answer(&tree, &end)
    }

    /// Walks through the tree interactively. Each position is counted when it is reached.
    fn walk(mut self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.common.inputs.names_standard_input() {
            let problem = "standard input has the commands of the walk, expected files of games";
            return Err(CliError::usage(problem));
        }
        signals::install_handlers()?;
        let first = self.place.read(1)?;
        let (start, line) = first.root.line();
        let (start, line) = (*start, line.to_vec());
        let mut status = None;
        let mut make = |moves: &[Move], kind: ViewKind| {
            let place = self.place.place(start, [&line, moves].concat(), 1);
            if kind == ViewKind::Games && !self.eco {
                let list = GameList::read(&self.common, &place, SHOWN, ListOrder::Appearance)?;
                return Ok(View {
                    position: place.root.position,
                    table: list.table(&place),
                    moves: Vec::new(),
                });
            }
            let (tree, sifted, end) = self.count(&place)?;
            // Findings have already been printed.
            self.common.selection = self.common.selection.silent();
            if status.is_none() {
                status = Some(answer(&tree, &end)?);
            }
            let mut builder = RowBuilder::new(&tree, &place.root, &self);
            let rows = builder.rows(place.root.key(), &place.root.position, 1, 0);
            let moves = rows.iter().map(|row| row.mv).collect();
            let table = self.move_table(&place, &rows, self.facts(&tree.total, sifted));
            Ok(View { position: place.root.position, table, moves })
        };
        walk(&mut make, out)?;
        Ok(status.unwrap_or(ExitStatus::No))
    }

    /// Counts the moves below a position.
    fn count(&self, place: &Place) -> Result<(Tree, Sifted, InputEnd), CliError> {
        if self.eco {
            return Ok(count_lines(place, self.names));
        }
        let mut tree = Tree::new(Arc::clone(&place.root), self.names);
        let (sifted, end) = self.common.sift(
            Some(place.root.key()),
            || Tree::new(Arc::clone(&place.root), self.names),
            |tree, header, result| tree.add(&GameFacts::new(header, result)),
            |part| tree.merge(part).map_err(too_many),
        )?;
        Ok((tree, sifted, end))
    }

    /// The counts as text for the line below the title.
    fn facts(&self, total: &Tally, sifted: Sifted) -> String {
        if self.eco { lines(total.games, sifted) } else { results(total, sifted) }
    }

    fn move_table(&self, place: &Place, moves: &[Row], results: String) -> Table {
        let mut table = Table { title: place.heading(), facts: vec![results], ..Table::default() };
        table.columns = vec![
            column("Move", Kind::Left),
            column(if self.eco { "Lines" } else { "Games" }, Kind::Right),
            column("%", Kind::Right),
            column("+ = -", Kind::Left),
            column("Score", Kind::Right),
            column("Elo", Kind::Right),
            column("Perf", Kind::Right),
            column("Last", Kind::Right),
            column("Opening", Kind::Cut),
        ];
        let mut marks = (false, false, false);
        add_rows(moves, 0, &mut table, &mut marks);
        if self.eco {
            // Opening lines have no results.
            const RESULTS: std::ops::Range<usize> = 3..8;
            table.columns.drain(RESULTS);
            table.rows.iter_mut().for_each(|row| drop(row.drain(RESULTS)));
        }
        if marks.0 {
            table.notes.push("= The position is shown above.".to_owned());
        }
        if marks.2 {
            table.notes.push("N Played once, in the last year of these games.".to_owned());
        }
        if marks.1 {
            let single = self.stop_at_single;
            table.notes.push(format!(
                "… Only one move at a time was played for {}; --stop-at-single N shows more.",
                pluralize(single.into(), "ply")
            ));
        }
        table
    }
}

#[derive(Serialize)]
struct MoveTree {
    moves: Vec<Row>,
}

#[derive(Serialize)]
struct FullReport {
    moves: Vec<Row>,
    #[serde(flatten)]
    found: OpeningReport,
}

#[derive(Serialize)]
struct NameTree {
    names: Vec<NameRow>,
}

fn add_rows(rows: &[Row], depth: usize, table: &mut Table, marks: &mut (bool, bool, bool)) {
    for row in rows {
        let mark = if row.transposes {
            marks.0 = true;
            "= "
        } else if row.goes_on {
            marks.1 = true;
            "… "
        } else if row.novelty {
            marks.2 = true;
            "N "
        } else {
            ""
        };
        let name = match (&row.eco, &row.opening) {
            (Some(code), Some(name)) => format!("{mark}{code} {name}"),
            _ => mark.trim_end().to_owned(),
        };
        let Numbers { games, share, score, average_rating, performance, last_year, .. } = row.numbers;
        table.push(vec![
            indented(depth, &row.shown).into(),
            games.into(),
            Cell::decimal(Some(share)),
            Cell::bar_of(&row.numbers),
            Cell::decimal(score),
            Cell::optional(average_rating),
            Cell::optional(performance),
            Cell::optional(last_year),
            name.into(),
        ]);
        add_rows(&row.moves, depth + 1, table, marks);
    }
}

/// Whether games reach the position; an error of the inputs comes first.
fn answer(tree: &Tree, end: &InputEnd) -> Result<ExitStatus, CliError> {
    let answer = if tree.total.games > 0 { ExitStatus::Yes } else { ExitStatus::No };
    Ok(answer.max(end.status()?))
}

/// The EPD records of the positions after these moves of a place.
fn records(moves: &[Row], place: &Place) -> TreeRecords {
    let (start, line) = place.root.line();
    let mut records = TreeRecords::default();
    add_records(moves, &line_text(start, line), place.root.position.turn(), &mut records);
    records
}

/// Adds the positions after the moves of these rows; `line` is the line that leads to them.
fn add_records(rows: &[Row], line: &str, turn: Color, records: &mut TreeRecords) {
    for row in rows {
        let text = match (turn, line.is_empty()) {
            (Color::Black, false) => format!("{line} {}", row.text),
            (_, true) => row.shown.clone(),
            _ => format!("{line} {}", row.shown),
        };
        records.add(row.after, &row.numbers, text.clone());
        add_records(&row.moves, &text, !turn, records);
    }
}
