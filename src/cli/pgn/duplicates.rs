//! `hematite pgn duplicates`: games that occur more than once.

use super::compared_games::{Batch, Emit, Numbering, Passed};
use super::each_game::each_game;
use super::finder::Finder;
use super::table::{Cell, Column, Kind, Table, TableForm, TextStyle, column, page};
use super::{InputEnd, Inputs, QueryArg, Selection};
use crate::cli::streams::{IgnoreBrokenPipe, OutputArg, new_file, write_json};
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus, signals};
use crate::database::{
    Change, Collection, ComparedGame, DuplicateGroup, Duplicates, Encoded, Level, LineForm, Options, Part,
    Query, Reencoder, SameRules, Source, merge_game,
};
use crate::files::PathExcerpt;
use crate::notation::pgn::{DeferredBuilder, Export, Game, Place};
use crate::notation::{Excerpt, pluralize};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::ptr;

const EXAMPLES: &str = "\
Examples:
  hematite pgn duplicates games.pgn
  hematite pgn duplicates --level event archive/ -o clean.pgn --rejects dropped.pgn
  hematite pgn duplicates --merge a.pgn b.pgn -o merged.pgn --rejects dropped.pgn
  hematite pgn duplicates --of 12 --level moves games.pgn
  hematite pgn duplicates --query 'player:tal date:1960..1965' archive/
  hematite pgn duplicates new.pgn --not-in games.hdb -o missing.pgn
  hematite db duplicates --delete games.hdb
  hematite db duplicates --merge --delete games.hdb

Two games are one if they have the same initial position and the moves of one begin those of the other, which has at
most so many moves more, and if, by --level,
  moves    nothing else must agree
  players  the players are the same: surnames are equal, and given names or initials as far as both games have them
  event    also dates and events do not differ, as far as they are known
  result   also the results are the same
Each game of a group agrees with all others in this; one that fits several groups joins that of the nearest earlier game.
Games of less than 10 moves need the same players, dates and events. Comments, glyphs and variations do not matter. Of
each group the game with the most of them is kept, then the longest, then that with the most tags, then the first.
With --merge a more complete date or name of a player replaces that of the kept game. Without -o nothing is written but
the list. Exit code 1 if there are no duplicates. With --query only the games that it finds are compared, listed and
written.

With --not-in the games are listed or written that are in the files and not in the others, to which a query does not apply;
all files must be readable. Exit code 1 if there are none.";

/// The maximum number of moves by which the lengths of duplicates may differ.
const MAX_DIFFERENCE: u8 = 20;

/// Find games that occur more than once, and write the others or merge them.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    query: QueryArg,

    /// The tags that must agree besides the moves.
    #[arg(long, value_name = "LEVEL", default_value = "players")]
    level: LevelArg,

    /// The full moves by which the lengths of two games may differ.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = integer_in::<u8>(0..=MAX_DIFFERENCE))]
    length_difference: u8,

    /// Compare each game only with the next N [default: with all].
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(1..))]
    window: Option<usize>,

    /// Show only the duplicates of the Nth game.
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(1..), conflicts_with_all = ["output", "rejects", "merge"])]
    of: Option<usize>,

    /// Show or write the games instead that are not in this file, folder or collection; it may be given more than once.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["window", "of", "merge", "delete"])]
    not_in: Vec<PathBuf>,

    /// Join no names: players with different spellings are different.
    #[arg(long)]
    exact: bool,

    /// Add the tags, comments, glyphs and variations of the dropped games to those that are kept, with --output or
    /// --delete.
    #[arg(long)]
    merge: bool,

    /// Mark the games of a collection that would be dropped as deleted; `hematite db undo` brings them back. With
    /// --merge the games that are kept and get something are put after all others, in the same step.
    #[arg(long, conflicts_with_all = ["output", "rejects", "of", "broken", "TableForm"])]
    delete: bool,

    /// Write the dropped games to this file.
    #[arg(long, value_name = "FILE", requires = "output")]
    rejects: Option<PathBuf>,

    #[command(flatten)]
    form: TableForm,

    #[command(flatten)]
    target: OutputArg,

    #[command(flatten)]
    selection: Selection,
}

/// The tags that duplicates must agree in besides the moves, as a value of an option.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum LevelArg {
    Moves,
    Players,
    Event,
    Result,
}

impl From<LevelArg> for Level {
    fn from(level: LevelArg) -> Self {
        match level {
            LevelArg::Moves => Self::Moves,
            LevelArg::Players => Self::Players,
            LevelArg::Event => Self::Event,
            LevelArg::Result => Self::Result,
        }
    }
}

#[derive(Serialize)]
struct DuplicateReport {
    games: usize,
    dropped: usize,
    groups: Vec<Vec<DuplicateGame>>,
}

#[derive(Serialize)]
struct DuplicateGame {
    is_kept: bool,
    file: String,
    game: u64,
    white: String,
    black: String,
    result: &'static str,
    date: String,
    event: String,
    plies: usize,
}

/// The report about games without duplicates in other sources.
#[derive(Serialize)]
struct MissingReport {
    games: usize,
    missing: Vec<DuplicateGame>,
}

/// The row of a game that is compared.
fn row(numbers: &Numbering<'_>, games: &Duplicates, index: usize, kept: usize) -> DuplicateGame {
    let ComparedGame { white, black, event, date, result, plies } = games.game(index);
    let (source, number) = numbers.place(index);
    DuplicateGame {
        is_kept: index == kept,
        file: source.name(),
        game: number,
        white: white.to_owned(),
        black: black.to_owned(),
        result: result.as_str(),
        date: date.to_owned(),
        event: event.to_owned(),
        plies,
    }
}

/// The columns of a game after its number.
fn game_columns() -> Vec<Column> {
    let mut columns: Vec<Column> = ["White", "Black"].map(|name| column(name, Kind::Cut)).into();
    columns.extend(["Result", "Date"].map(|name| column(name, Kind::Left)));
    columns.push(column("Plies", Kind::Right));
    columns.extend(["Event", "File"].map(|name| column(name, Kind::Cut)));
    columns
}

fn game_cells(game: DuplicateGame) -> Vec<Cell> {
    vec![
        Cell::tag(&game.white),
        Cell::tag(&game.black),
        game.result.into(),
        Cell::tag(&game.date),
        (game.plies as u64).into(),
        Cell::tag(&game.event),
        game.file.into(),
    ]
}

impl Arguments {
    pub(in crate::cli) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether there are duplicates.
        let out = &mut IgnoreBrokenPipe::new(out);
        let mut end = InputEnd::default();
        let mut sources = self.inputs.sources(&mut end);
        let own = sources.len();
        sources.extend(super::sources(&self.not_in, "pgn", &mut end));
        let sources = sources;
        let query = self.query.read(self.inputs.files())?;
        let writes = self.target.is_given();
        if self.merge && !writes && !self.delete {
            let problem =
                "--merge writes games, expected --output FILE, or --delete for those of a collection";
            return Err(CliError::usage(problem));
        }
        if writes && sources.contains(&Source::Stdin) {
            let problem = "standard input cannot be read twice, expected files with --output";
            return Err(CliError::usage(problem));
        }
        if self.rejects.as_deref().is_some_and(|rejects| self.target.names(rejects)) {
            let problem = "--output and --rejects name the same file, expected two";
            return Err(CliError::usage(problem));
        }
        let rules = SameRules {
            level: self.level.into(),
            plies: 2 * usize::from(self.length_difference),
            window: self.window.unwrap_or(usize::MAX),
            is_exact: self.exact,
        };
        // No other process changes the collection while its games are compared.
        let change = self.delete.then(|| open_to_delete(&sources)).transpose()?;
        let mut numbers = Numbering::new(&sources, query.is_some());
        let games = self.compare(rules, query.as_ref(), own, &mut end, &mut numbers)?;
        let mut groups = games.groups();
        if !self.not_in.is_empty() {
            // Games of an unreadable part of a file would appear to be missing.
            if end.status()? != ExitStatus::Yes {
                let problem = "nothing is listed or written, since not all games can be read";
                return Err(CliError::failed(problem));
            }
            return self.show_difference(query.as_ref(), &sources[..own], &numbers, &games, &groups, out);
        }
        if let Some(wanted) = self.of {
            let wanted = numbers.index(wanted - 1);
            groups.retain(|group| wanted.is_some_and(|wanted| group.games.contains(&wanted)));
        }
        if let Some((collection, mut change)) = change {
            if end.status()? != ExitStatus::Yes {
                let problem = "nothing is deleted, since not all games can be read";
                return Err(CliError::Failed(format!("{}: {problem}", PathExcerpt::new(collection))));
            }
            let fail =
                |error: io::Error| CliError::Failed(format!("{}: {error}", PathExcerpt::new(collection)));
            let merged = if self.merge {
                self.merge_within(&mut change, &groups, &numbers, &fail)?
            } else {
                Vec::new()
            };
            let deleted = delete(collection, change, &groups, &merged, &numbers).map_err(fail)?;
            let deleted = pluralize(deleted, "game");
            let merged = match merged.len() {
                0 => String::new(),
                count => format!(", {} merged", pluralize(count as u64, "game")),
            };
            writeln!(out, "{}: {deleted} deleted{merged}", collection.display())?;
        } else if writes {
            let summary = self.write(query.as_ref(), &sources, &groups, games.len(), out)?;
            // A failure to write is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{summary}");
        } else {
            self.list(&numbers, &games, &groups, out)?;
        }
        let answer = if groups.is_empty() { ExitStatus::No } else { ExitStatus::Yes };
        Ok(answer.max(end.status()?))
    }

    /// Reads all games to be compared, and counts those of each source. Of the first `own` sources these are the games
    /// that the query finds, if there is one.
    fn compare(
        &self,
        rules: SameRules,
        query: Option<&Query>,
        own: usize,
        end: &mut InputEnd,
        numbers: &mut Numbering<'_>,
    ) -> Result<Duplicates, CliError> {
        let (selection, sources) = (self.selection, numbers.sources);
        let is_stored = |source: &Source| matches!(source, Source::Collection(_));
        let form = if sources.iter().any(is_stored) { LineForm::Numbers } else { LineForm::Moves };
        let mut games = Duplicates::new(rules, form);
        self.inputs.read_sources(
            Options { by_segment: query.is_some_and(Query::is_indexed), ..Options::default() },
            sources,
            end,
            false,
            |part, emit| {
                let is_own = sources[..own].iter().any(|source| ptr::eq(source, part.source));
                let mut batch = Batch::new(rules, form);
                match query.filter(|_| is_own) {
                    Some(query) => self.add_found(part, query, &mut batch, emit)?,
                    None => self.add_all(part, &mut batch, emit)?,
                }
                emit(batch)
            },
            &mut |source, bar, batch: Batch| {
                selection.print(&batch.findings.found, source, bar);
                numbers.add(source, &batch);
                games.append(&batch.digests);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(games)
    }

    /// Adds all games of a part of a source.
    fn add_all(&self, part: &mut Part<'_>, batch: &mut Batch, emit: &mut Emit<'_>) -> io::Result<()> {
        let mut builder = DeferredBuilder::new(self.inputs.builder());
        loop {
            // Games that are not read have no errors.
            if self.selection.takes(false) {
                batch.digests.add_unread(&mut part.reader)?;
            }
            if !part.reader.read_game(&mut builder)? {
                return Ok(());
            }
            if batch.findings.add_game(builder.errors(), self.selection) {
                batch.digests.add_latest(&mut builder);
            }
            batch.pass_on(emit)?;
        }
    }

    /// Adds the games of a part of a source that the query finds.
    fn add_found(
        &self,
        part: &mut Part<'_>,
        query: &Query,
        batch: &mut Batch,
        emit: &mut Emit<'_>,
    ) -> io::Result<()> {
        let mut finder = Finder::new(self.inputs.builder(), query);
        part.reader.require_found(Some(query))?;
        let mut found = Passed::default();
        loop {
            found.games += part.reader.skip(Some(query))?;
            if !part.reader.read_game(&mut finder)? {
                batch.passed = Some(found);
                return Ok(());
            }
            if finder.finds() && batch.findings.add_game(finder.builder.errors(), self.selection) {
                batch.digests.add_latest(&mut finder.builder);
                found.taken.push(found.games);
            }
            found.games += 1;
            if batch.is_full() {
                batch.passed = Some(std::mem::take(&mut found));
                batch.pass_on(emit)?;
            }
        }
    }

    /// Lists or writes the games of these sources that are duplicates of none of the others.
    fn show_difference(
        &self,
        query: Option<&Query>,
        own: &[Source],
        numbers: &Numbering<'_>,
        games: &Duplicates,
        groups: &[DuplicateGroup],
        out: &mut dyn Write,
    ) -> Result<ExitStatus, CliError> {
        let count = numbers.end(own.len());
        // Groups are in the order of the input, and the games of --not-in are the last ones.
        let shared = groups.iter().filter(|group| group.games.last().is_some_and(|&last| last >= count));
        let shared: BTreeSet<usize> =
            shared.flat_map(|group| group.games.iter().copied()).filter(|&index| index < count).collect();
        let missing: Vec<usize> = (0..count).filter(|index| !shared.contains(index)).collect();
        if self.target.is_given() {
            // The index of the kept game is that of no game, so all games are dropped.
            let left_out = |&index: &usize| DuplicateGroup { games: vec![index], kept: games.len() };
            let groups: Vec<DuplicateGroup> = shared.iter().map(left_out).collect();
            let summary = self.write(query, own, &groups, count, out)?;
            // A failure to write is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{summary}");
        } else {
            let rows = missing.iter().map(|&index| row(numbers, games, index, index)).collect();
            self.list_missing(rows, count, out)?;
        }
        Ok(if missing.is_empty() { ExitStatus::No } else { ExitStatus::Yes })
    }

    fn list_missing(
        &self,
        missing: Vec<DuplicateGame>,
        games: usize,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        if self.form.json {
            return write_json(out, &MissingReport { games, missing });
        }
        let mut table = Table { title: "Games that are not in the others".to_owned(), ..Table::default() };
        table.facts = vec![format!("{} of {}", missing.len(), pluralize(games as u64, "game"))];
        table.columns = vec![column("Game", Kind::Right)];
        table.columns.extend(game_columns());
        for game in missing {
            let mut cells = vec![Cell::from(game.game)];
            cells.extend(game_cells(game));
            table.push(cells);
        }
        self.print(table, out)
    }

    fn print(&self, table: Table, out: &mut dyn Write) -> Result<(), CliError> {
        let text = match self.form {
            TableForm { html: true, .. } => page(&table.title.clone(), &[table]),
            TableForm { csv: true, .. } => table.csv(),
            _ => table.text(TextStyle::of_output(true)),
        };
        Ok(out.write_all(text.as_bytes())?)
    }

    fn list(
        &self,
        numbers: &Numbering<'_>,
        games: &Duplicates,
        groups: &[DuplicateGroup],
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let rows = |group: &DuplicateGroup| {
            group.games.iter().map(|&index| row(numbers, games, index, group.kept)).collect()
        };
        let groups: Vec<Vec<DuplicateGame>> = groups.iter().map(rows).collect();
        let dropped = groups.iter().map(|group| group.len() - 1).sum();
        let games = games.len();
        if self.form.json {
            return write_json(out, &DuplicateReport { games, dropped, groups });
        }
        let mut table = Table { title: "Duplicates".to_owned(), ..Table::default() };
        table.facts = vec![format!(
            "{} of {}, in {}; * is kept",
            pluralize(dropped as u64, "duplicate"),
            pluralize(games as u64, "game"),
            pluralize(groups.len() as u64, "group")
        )];
        table.columns =
            vec![column("Group", Kind::Right), column("Game", Kind::Right), column("", Kind::Left)];
        table.columns.extend(game_columns());
        for (number, group) in groups.into_iter().enumerate() {
            for (index, game) in group.into_iter().enumerate() {
                let mut cells = vec![
                    Cell::optional((index == 0).then_some(number + 1)),
                    game.game.into(),
                    if game.is_kept { "*" } else { "" }.into(),
                ];
                cells.extend(game_cells(game));
                table.push(cells);
            }
        }
        self.print(table, out)
    }

    /// Writes the kept games, and the dropped ones to their file; returns a summary.
    fn write(
        &self,
        query: Option<&Query>,
        sources: &[Source],
        groups: &[DuplicateGroup],
        count: usize,
        out: &mut dyn Write,
    ) -> Result<String, CliError> {
        // The kept game of the group of each game.
        let mut keeper: HashMap<usize, usize> = HashMap::new();
        for group in groups {
            keeper.extend(group.games.iter().map(|&index| (index, group.kept)));
        }
        let mut merged: HashMap<usize, Vec<String>> = HashMap::new();
        if self.merge {
            let mut index = 0;
            self.again(query, sources, count, &mut |text| {
                if let Some(&kept) = keeper.get(&index).filter(|&&kept| kept != index) {
                    merged.entry(kept).or_default().push(text);
                }
                index += 1;
                Ok(())
            })?;
        }
        let mut output = self.target.open(out)?;
        let mut rejects = match &self.rejects {
            Some(path) => Some(new_file(path)?),
            None => None,
        };
        let (mut index, mut dropped) = (0, 0_u64);
        self.again(query, sources, count, &mut |text| {
            let is_dropped = keeper.get(&index).is_some_and(|&kept| kept != index);
            if is_dropped {
                dropped += 1;
                if let Some(rejects) = &mut rejects {
                    rejects.write_all(text.as_bytes())?;
                }
            } else if let Some(others) = merged.get(&index) {
                output.write_all(merge_texts(&text, others).as_bytes())?;
            } else {
                output.write_all(text.as_bytes())?;
            }
            index += 1;
            Ok(())
        })?;
        if let Some(rejects) = rejects {
            rejects.commit()?;
        }
        output.finish()?;
        Ok(format!("{} dropped, {} written", pluralize(dropped, "game"), count as u64 - dropped))
    }

    /// Adds to the collection the merged versions of games whose duplicates have additional content; returns the
    /// indices of these games.
    fn merge_within(
        &self,
        change: &mut Change,
        groups: &[DuplicateGroup],
        numbers: &Numbering<'_>,
        fail: &dyn Fn(io::Error) -> CliError,
    ) -> Result<Vec<usize>, CliError> {
        // The games of groups by their numbers in the collection.
        let grouped = groups.iter().flat_map(|group| &group.games);
        let grouped: HashMap<u64, usize> = grouped.map(|&index| (numbers.place(index).1, index)).collect();
        let mut games: HashMap<usize, StoredGame> = HashMap::new();
        let mut read = 0;
        let end = self.inputs.read_to_store(
            |part, emit| {
                let mut builder = self.inputs.builder();
                while let Some(place) = part.reader.next_place()? {
                    let origin = part.reader.origin()?;
                    if !part.reader.read_game(&mut builder)? {
                        break;
                    }
                    emit(StoredGame { text: Export::new().game(builder.game()), place, origin })?;
                }
                Ok(())
            },
            &mut |_, _, game: StoredGame| {
                read += 1;
                if let Some(&index) = grouped.get(&read) {
                    games.insert(index, game);
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
        if end.status()? != ExitStatus::Yes {
            return Err(CliError::failed("nothing is deleted, since not all games can be read"));
        }
        let mut merged = Vec::new();
        let mut encoder = Reencoder::default();
        let mut add = |block: Encoded| {
            let origin = block.origin().unwrap_or(0);
            change.add(block, origin)
        };
        for group in groups {
            let others = group.games.iter().filter(|&&index| index != group.kept);
            let others: Vec<String> = others.filter_map(|index| Some(games.remove(index)?.text)).collect();
            let Some(kept) = games.remove(&group.kept) else { continue };
            let text = merge_texts(&kept.text, &others);
            if text != kept.text {
                merged.push(group.kept);
                encoder.add(text.into_bytes(), kept.place, kept.origin, &mut add).map_err(fail)?;
            }
        }
        encoder.finish(&mut add).map_err(fail)?;
        Ok(merged)
    }

    /// Reads all games that are compared again, as text.
    fn again(
        &self,
        query: Option<&Query>,
        sources: &[Source],
        count: usize,
        take: &mut dyn FnMut(String) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut read = 0;
        let mut end = InputEnd::default();
        let quiet = self.selection.silent();
        each_game(
            &self.inputs,
            query,
            quiet,
            sources,
            &mut end,
            &|game| Export::new().game(game),
            &mut |_, text| {
                read += 1;
                take(text)
            },
        )?;
        if read != count {
            return Err(CliError::failed("the files have changed while they were read"));
        }
        end.check_target(&self.target)?;
        self.rejects.iter().try_for_each(|rejects| end.check_target(&OutputArg::of(rejects.clone())))
    }
}

/// Opens the only source, which must be a collection, for a change.
fn open_to_delete(sources: &[Source]) -> Result<(&Path, Change), CliError> {
    let [Source::Collection(path)] = sources else {
        let names: Vec<String> = sources.iter().map(Source::name).collect();
        let found = Excerpt::new(&names.join(", "));
        let problem =
            format!("--delete marks games of a collection, found {found}, expected one and nothing else");
        return Err(CliError::Usage(problem));
    };
    signals::install_handlers()?;
    let change = Change::open(path)
        .map_err(|error| CliError::Failed(format!("{}: {error}", PathExcerpt::new(path))))?;
    Ok((path, change))
}

/// Marks all games of groups except the kept ones as deleted, and returns their number. Games in `merged` are also
/// marked, since their merged versions have already been added.
fn delete(
    collection: &Path,
    mut change: Change,
    groups: &[DuplicateGroup],
    merged: &[usize],
    numbers: &Numbering<'_>,
) -> io::Result<u64> {
    let dropped = groups.iter().flat_map(|group| group.games.iter().filter(|&&index| index != group.kept));
    let mut numbers: Vec<u64> = dropped.chain(merged).map(|&index| numbers.place(index).1).collect();
    numbers.sort_unstable();
    if !numbers.is_empty() {
        Collection::open(collection)?.marks(numbers.iter().copied()).apply(&mut change)?;
        change.finish()?;
    }
    Ok((numbers.len() - merged.len()) as u64)
}

/// A game of a collection, with the data that remain when it is stored again.
struct StoredGame {
    text: String,
    place: Place,
    origin: Option<usize>,
}

/// The text of the first game, extended by additional content of the others.
fn merge_texts(text: &str, others: &[String]) -> String {
    let read = |text: &str| Game::read(text.as_bytes()).ok().flatten().map(|(game, _)| game);
    let Some(mut game) = read(text) else { return text.to_owned() };
    for other in others.iter().filter_map(|text| read(text)) {
        merge_game(&mut game, &other);
    }
    Export::new().game(&game)
}
