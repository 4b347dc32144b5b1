//! `hematite pgn retag`: normalizes dates, names, sites, events and ratings, and sets or removes tags or derives them
//! from the moves.

use super::table::{Cell, Kind, Table, TextStyle, column, texts};
use super::{Findings, Inputs, MAX_FINDINGS, QueryArg, Selection, TEXT_BYTES, verdict};
use crate::cli::streams::{IgnoreBrokenPipe, Input, OutputArg, write_json};
use crate::cli::{CliError, ExitStatus};
use crate::database::{ChangeOutcome, DateOrder, PlayerList, Retag, RetagTable, TagChange};
use crate::notation::pgn::{Export, GameResult, START_TAGS};
use crate::notation::pluralize;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  hematite pgn retag --dry-run games.pgn
  hematite pgn retag games.pgn -o games.pgn
  hematite pgn retag --names names.txt --sites sites.txt archive/ -o clean.pgn
  hematite pgn retag --fix none --add plycount,eco,opening games.pgn -o named.pgn
  hematite pgn retag --fix none --query 'event:linares' --set Section=A --drop Source games.pgn -o new.pgn

What is repaired, unless --fix names less:
  dates    `1999-05-01`, `1999/5/1`, `1.5.1999`, `May 1, 1999` and `1999` become `1999.05.01` and `1999.??.??`;
           `1/5/1999` stays unless --date-order says which number is the day
  names    `Tal,M  N` becomes `Tal, M. N.`; several players, with `:` between them, are put in alphabetical
           order, their ratings and titles alike
  sites    `New York,NY (USA)` becomes `New York, NY USA`
  events   `Candidates  Tournament ,Group A` becomes `Candidates Tournament, Group A`
  ratings  `2500 (FIDE)` becomes `2500`, and `unrated` becomes `-`
What may be read in two ways stays as it is, and is counted. `First Last` becomes `Last, First` only by --names.

Tables have lines `FROM -> TO`; `#` starts a comment. A line `Last, First` in --names is the name for which `First
Last` stands. In --sites FROM may be a country behind the last comma: `Russia -> RUS`.

A list of --players has fields with tabs between them, and a first line with the names of the columns: name, title,
fide_id, elo, team, birth, spellings, and date, from which on the line is true, so that a player may have many lines. Tags
that are missing are set; of players with `:` between them, each has a field. Names that are recognized, by the words of
the name or by one of the spellings (`;` between them), are written as in the list, unless --fix leaves names out.

All else of a game is kept, and all games are written, as `hematite pgn export` writes them. Exit code 1 if a game has
moves that cannot be read, or with --strict if there is any error; with --dry-run if nothing would change.";

/// The number of different changes that are passed on at a time.
const MAX_CHANGES: usize = 1 << 12;
/// The maximum number of different changes that are listed.
const MAX_LISTED: usize = 1 << 20;

/// Put the tags of games in order: dates, names, sites, events, ratings, openings.
#[derive(clap::Args, Debug)]
#[command(
    after_help = EXAMPLES,
    mut_arg("query", |arg| arg.help("Change only the games that this query finds; docs/queries.md has the language")),
)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    rules: Rules,

    /// Write no games, but a table of the changes.
    #[arg(long, conflicts_with = "output")]
    dry_run: bool,

    /// With --dry-run: write one JSON object.
    #[arg(long, requires = "dry_run")]
    json: bool,

    #[command(flatten)]
    target: OutputArg,

    #[command(flatten)]
    selection: Selection,
}

/// The options for changes of tags.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct Rules {
    /// Repair only these, or none [default: all of them].
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    fix: Vec<Fix>,

    /// The order of day and month in dates that leave it open.
    #[arg(long, value_name = "ORDER")]
    date_order: Option<OrderArg>,

    /// Replace names by this table.
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,

    /// Replace sites, or countries at their ends, by this table.
    #[arg(long, value_name = "FILE")]
    sites: Option<PathBuf>,

    /// Replace events by this table.
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,

    /// Give players who have no rating the one of this table.
    #[arg(long, value_name = "FILE")]
    ratings: Option<PathBuf>,

    /// Set the titles, FIDE numbers, ratings and teams that are missing by this list of players, and write names as it
    /// has them.
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,

    /// Set these tags by the moves; opening stands for Opening, Variation and SubVariation.
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    add: Vec<Added>,

    /// Set a tag.
    #[arg(long, value_name = "TAG=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,

    /// Remove these tags.
    #[arg(long, value_name = "TAGS", value_delimiter = ',', value_parser = dropped)]
    drop: Vec<String>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Fix {
    Dates,
    Names,
    Sites,
    Events,
    Ratings,
    None,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum OrderArg {
    /// Day, month, year.
    Dmy,
    /// Month, day, year.
    Mdy,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Added {
    Plycount,
    Eco,
    Opening,
}

/// Parses the name of a tag that may be changed.
fn tag_name(name: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err("expected a name of letters, digits and underscores".to_owned());
    }
    if START_TAGS.contains(&name) {
        return Err(format!("the moves of a game depend on {name}, expected another tag"));
    }
    Ok(name.to_owned())
}

fn dropped(name: &str) -> Result<String, String> {
    if name == "Result" {
        return Err("every game has a result, expected another tag".to_owned());
    }
    tag_name(name)
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| "expected TAG=VALUE".to_owned())?;
    let is_result = GameResult::ALL.iter().any(|result| result.as_str() == value);
    if name == "Result" && !is_result {
        return Err("expected the result 1-0, 0-1, 1/2-1/2 or *".to_owned());
    }
    if value.contains(char::is_control) {
        return Err("expected a value without control characters".to_owned());
    }
    Ok((tag_name(name)?, value.to_owned()))
}

/// Reads a table or a list of the user; the default is an empty one.
///
/// # Errors
/// [`CliError::Input`] if the file cannot be read, or for the first invalid line.
fn read_list<T: Default, E: Display>(
    path: Option<&Path>,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, CliError> {
    let Some(path) = path else { return Ok(T::default()) };
    let (name, text) = Input::open(path)?.read_text()?;
    parse(&text).map_err(|error| CliError::Input { name, problem: error.to_string() })
}

/// Whether a change is made: unclear values remain unchanged.
pub(in crate::cli) const fn is_made(change: &TagChange) -> bool {
    !matches!(change.outcome, ChangeOutcome::Unclear(_))
}

/// The results of some games.
#[derive(Default)]
struct Batch {
    text: String,
    read: u64,
    /// The number of games that change.
    changed: u64,
    changes: HashMap<TagChange, u64>,
    findings: Findings,
}

impl Batch {
    fn is_full(&self) -> bool {
        self.text.len() >= TEXT_BYTES
            || self.changes.len() >= MAX_CHANGES
            || self.findings.found.len() >= MAX_FINDINGS
    }
}

/// All changes, with the number of games of each.
#[derive(Default)]
pub(in crate::cli) struct Changes {
    pub read: u64,
    /// The number of games that change.
    pub changed: u64,
    games: HashMap<TagChange, u64>,
    /// The number of changes beyond the maximum that are listed.
    unlisted: u64,
}

impl Changes {
    /// Adds a change that occurs in this number of games.
    pub(in crate::cli) fn add(&mut self, change: TagChange, games: u64) {
        if self.games.len() >= MAX_LISTED && !self.games.contains_key(&change) {
            self.unlisted += games;
        } else {
            *self.games.entry(change).or_default() += games;
        }
    }

    /// The number of unusual values that remain unchanged.
    fn unclear(&self) -> u64 {
        self.games.iter().filter(|(change, _)| !is_made(change)).map(|(_, games)| games).sum()
    }

    /// The summary of the numbers of changed games.
    pub(in crate::cli) fn summary(&self) -> String {
        let unclear = match self.unclear() {
            0 => String::new(),
            count => format!("; {} left as they are, which --dry-run shows", pluralize(count, "odd value")),
        };
        format!("{} of {} changed{unclear}", self.changed, pluralize(self.read, "game"))
    }
}

#[derive(Serialize)]
struct Report {
    read: u64,
    games: u64,
    changes: Vec<ChangeRow>,
    unclear: Vec<UnclearRow>,
}

#[derive(Serialize)]
struct ChangeRow {
    tag: String,
    from: Option<String>,
    to: Option<String>,
    games: u64,
}

#[derive(Serialize)]
struct UnclearRow {
    tag: String,
    value: String,
    reason: &'static str,
    games: u64,
}

impl Rules {
    /// The rules with their tables.
    ///
    /// # Errors
    /// [`CliError`] if a table cannot be read.
    pub(in crate::cli) fn retag(&self) -> Result<Retag, CliError> {
        let fixes =
            |what: Fix| self.fix.is_empty() || self.fix.contains(&what) && !self.fix.contains(&Fix::None);
        Ok(Retag {
            fixes_dates: fixes(Fix::Dates),
            fixes_names: fixes(Fix::Names),
            fixes_sites: fixes(Fix::Sites),
            fixes_events: fixes(Fix::Events),
            fixes_ratings: fixes(Fix::Ratings),
            order: self.date_order.map(|order| match order {
                OrderArg::Dmy => DateOrder::DayFirst,
                OrderArg::Mdy => DateOrder::MonthFirst,
            }),
            names: read_list(self.names.as_deref(), RetagTable::read)?,
            sites: read_list(self.sites.as_deref(), RetagTable::read)?,
            events: read_list(self.events.as_deref(), RetagTable::read)?,
            ratings: read_list(self.ratings.as_deref(), RetagTable::read)?,
            players: read_list(self.players.as_deref(), PlayerList::read)?,
            adds_ply_count: self.add.contains(&Added::Plycount),
            adds_eco: self.add.contains(&Added::Eco),
            adds_opening: self.add.contains(&Added::Opening),
            drop: self.drop.clone(),
            set: self.set.clone(),
        })
    }
}

impl Arguments {
    /// The arguments of a dry run on a collection.
    pub(in crate::cli) fn dry_run(collection: &Path, query: QueryArg, rules: Rules, json: bool) -> Self {
        Self {
            inputs: Inputs::of(vec![collection.to_owned()], None),
            query,
            rules,
            dry_run: true,
            json,
            target: OutputArg::default(),
            selection: Selection::all(),
        }
    }

    pub(in crate::cli) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let retag = self.rules.retag()?;
        let query = self.query.read(self.inputs.files())?;
        let writes = !self.dry_run;
        // The exit code of a dry run also reports whether anything would change.
        let mut silent;
        let out: &mut dyn Write = if writes {
            out
        } else {
            silent = IgnoreBrokenPipe::new(out);
            &mut silent
        };
        let shares_terminal = writes && self.target.is_standard();
        let mut changes = Changes::default();
        let mut has_broken = false;
        let mut output = self.target.open_as("pgn", out)?;
        let end = self.inputs.read(
            shares_terminal,
            |part, emit| {
                let mut builder = self.inputs.builder();
                let mut batch = Batch::default();
                while part.reader.read_game(&mut builder)? {
                    batch.read += 1;
                    let is_broken = builder.errors().iter().any(|error| error.problem.is_unread());
                    let is_taken = batch.findings.add_game(builder.errors(), self.selection);
                    let is_meant = query
                        .as_ref()
                        .is_none_or(|query| query.is_true(builder.game(), builder.last_position()));
                    if is_taken && is_meant {
                        let found = retag.apply(builder.game_mut(), is_broken);
                        batch.changed += u64::from(found.iter().any(is_made));
                        for change in found {
                            *batch.changes.entry(change).or_default() += 1;
                        }
                    }
                    if is_taken && writes {
                        Export::new().write(builder.game(), &mut batch.text);
                    }
                    if batch.is_full() {
                        emit(std::mem::take(&mut batch))?;
                    }
                }
                emit(batch)
            },
            |source, bar, batch: Batch| {
                has_broken |= batch.findings.has_broken;
                self.selection.print(&batch.findings.found, source, bar);
                changes.read += batch.read;
                changes.changed += batch.changed;
                for (change, games) in batch.changes {
                    changes.add(change, games);
                }
                Ok(output.write_all(batch.text.as_bytes())?)
            },
        )?;
        end.check_target(&self.target)?;
        let status = end.status()?;
        if self.dry_run {
            let answer = if changes.changed > 0 { ExitStatus::Yes } else { ExitStatus::No };
            self.list(changes, &mut output)?;
            output.finish()?;
            return Ok(answer.max(status));
        }
        output.finish()?;
        if !self.selection.quiet {
            // A failure to write is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{}", changes.summary());
        }
        Ok(verdict(has_broken).max(status))
    }

    /// Writes the changes that would be made.
    fn list(&self, changes: Changes, out: &mut dyn Write) -> Result<(), CliError> {
        let Changes { read, changed, games, unlisted } = changes;
        let mut report = Report { read, games: changed, changes: Vec::new(), unclear: Vec::new() };
        for (TagChange { tag, from, outcome }, games) in games {
            let to = match outcome {
                ChangeOutcome::To(to) => Some(to),
                ChangeOutcome::Dropped => None,
                ChangeOutcome::Unclear(reason) => {
                    let value = from.unwrap_or_default();
                    report.unclear.push(UnclearRow { tag, value, reason, games });
                    continue;
                }
            };
            report.changes.push(ChangeRow { tag, from, to, games });
        }
        let by_games = |one: &ChangeRow, other: &ChangeRow| {
            (&one.tag, Reverse(one.games), &one.from, &one.to).cmp(&(
                &other.tag,
                Reverse(other.games),
                &other.from,
                &other.to,
            ))
        };
        report.changes.sort_by(by_games);
        report.unclear.sort_by(|one, other| {
            (&one.tag, Reverse(one.games), &one.value).cmp(&(&other.tag, Reverse(other.games), &other.value))
        });
        if self.json {
            return write_json(out, &report);
        }
        let mut tables = vec![Table { title: "Changes".to_owned(), ..Table::default() }];
        tables[0].facts = vec![format!("{changed} of {} would change", pluralize(read, "game"))];
        tables[0].columns = vec![
            column("Tag", Kind::Left),
            column("Old", Kind::Cut),
            column("New", Kind::Cut),
            column("Games", Kind::Right),
        ];
        for row in report.changes {
            let value =
                |value: Option<String>, none: &str| Cell::from(value.unwrap_or_else(|| none.to_owned()));
            tables[0].push(vec![
                row.tag.into(),
                value(row.from, ""),
                value(row.to, "(removed)"),
                row.games.into(),
            ]);
        }
        if unlisted > 0 {
            tables[0].notes.push(format!("and {}", pluralize(unlisted, "more change")));
        }
        if !report.unclear.is_empty() {
            let mut unclear = Table { title: "Left as they are".to_owned(), ..Table::default() };
            unclear.columns = vec![
                column("Tag", Kind::Left),
                column("Value", Kind::Cut),
                column("Games", Kind::Right),
                column("Reason", Kind::Left),
            ];
            for row in report.unclear {
                unclear.push(vec![row.tag.into(), row.value.into(), row.games.into(), row.reason.into()]);
            }
            tables.push(unclear);
        }
        let text = texts(&tables, TextStyle::of_output(true));
        Ok(out.write_all(text.as_bytes())?)
    }
}
