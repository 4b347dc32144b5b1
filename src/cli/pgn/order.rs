//! `hematite pgn duplicates` and `hematite pgn split`: collections put in order.

use super::export::temporary_error;
use super::table::{Cell, Kind, Look, Table, TableForm, column, page};
use super::{Findings, InputEnd, Inputs, MAX_FINDINGS, Selection};
use crate::cli::streams::{IgnoreBrokenPipe, OutputArg, new_file, write_json};
use crate::cli::values::{byte_size, integer_in};
use crate::cli::{CliError, ExitStatus};
use crate::database::{
    Digest, DuplicateGroup, Duplicates, Level, Options, SameRules, Source, Spool, is_known_name, merge_game,
};
use crate::files::{PathExcerpt, without_packed_extension};
use crate::notation::pgn::{DeferredBuilder, Export, Game, GameBuilder, GameResult, PgnError, Visitor};
use crate::notation::pluralize;
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::ptr;

const DUPLICATE_EXAMPLES: &str = "\
Examples:
  hematite pgn duplicates games.pgn
  hematite pgn duplicates --level event archive/ -o clean.pgn --rejects dropped.pgn
  hematite pgn duplicates --merge a.pgn b.pgn -o merged.pgn --rejects dropped.pgn
  hematite pgn duplicates --of 12 --level moves games.pgn

Two games are one if they have the same initial position and the moves of one begin those of the other, which has at
most so many moves more, and if, by --level,
  moves    nothing else must agree
  players  the players are the same, with names joined as by `hematite pgn players`
  event    also dates and events do not differ, as far as they are known
  result   also the results are the same
Games of less than 10 moves need the same players, dates and events. Comments, glyphs and variations do not matter. Of
each group the game with the most of them is kept, then the longest, then that with the most tags, then the first.
Without -o nothing is written but the list. Exit code 1 if there are no duplicates.";

/// The most moves by which lengths may differ.
const MAX_DIFFERENCE: u8 = 20;

/// Find games that occur more than once, and write the others or merge them.
#[derive(clap::Args, Debug)]
#[command(after_help = DUPLICATE_EXAMPLES)]
pub(in crate::cli) struct DuplicateArguments {
    #[command(flatten)]
    inputs: Inputs,

    /// What must agree beside the moves.
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

    /// Join no names: players with different spellings are different.
    #[arg(long)]
    exact: bool,

    /// Add the tags, comments, glyphs and variations of the dropped games to those that are kept.
    #[arg(long, requires = "output")]
    merge: bool,

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

/// What must agree beside the moves, as an argument.
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

impl DuplicateArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also states whether there are duplicates.
        let out = &mut IgnoreBrokenPipe::new(out);
        let mut end = InputEnd::default();
        let sources = self.inputs.sources(&mut end);
        let writes = self.target.is_given();
        if writes && sources.contains(&Source::Stdin) {
            let problem = "standard input cannot be read twice, expected files with --output";
            return Err(CliError::Usage(problem.to_owned()));
        }
        if self.rejects.as_deref().is_some_and(|rejects| self.target.names(rejects)) {
            let problem = "--output and --rejects name the same file, expected two";
            return Err(CliError::Usage(problem.to_owned()));
        }
        let rules = SameRules {
            level: self.level.into(),
            plies: 2 * usize::from(self.length_difference),
            window: self.window.unwrap_or(usize::MAX),
            is_exact: self.exact,
        };
        let mut games = Duplicates::new(rules);
        let mut places = Vec::new();
        let mut numbers = Numbering::new(&sources);
        each_reading(
            &self.inputs,
            self.selection,
            &sources,
            &mut end,
            &Reading {
                builder: || DeferredBuilder::new(self.inputs.builder()),
                errors: DeferredBuilder::errors,
                make: |builder: &mut DeferredBuilder| Digest::of_latest(builder, rules.plies),
            },
            &mut |source, digest| {
                places.push(numbers.next(source));
                games.push(digest);
                Ok(())
            },
        )?;
        let mut groups = games.groups();
        if let Some(wanted) = self.of {
            groups.retain(|group| group.games.contains(&(wanted - 1)));
        }
        if writes {
            let summary = self.write(&sources, &groups, games.len(), out)?;
            // A failure is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{summary}");
        } else {
            self.list(&sources, &games, &places, &groups, out)?;
        }
        let answer = if groups.is_empty() { ExitStatus::No } else { ExitStatus::Yes };
        Ok(answer.max(end.status()?))
    }

    fn list(
        &self,
        sources: &[Source],
        games: &Duplicates,
        places: &[(usize, u64)],
        groups: &[DuplicateGroup],
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let row = |index: usize, kept: usize| {
            let ([white, black, event], digest) = games.game(index);
            let (source, number) = places[index];
            DuplicateGame {
                is_kept: index == kept,
                file: sources[source].name(),
                game: number,
                white: white.to_owned(),
                black: black.to_owned(),
                result: digest.result.as_str(),
                date: digest.date_text.clone(),
                event: event.to_owned(),
                plies: digest.plies,
            }
        };
        let rows = |group: &DuplicateGroup| group.games.iter().map(|&index| row(index, group.kept)).collect();
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
        table.columns.extend(["White", "Black"].map(|name| column(name, Kind::Cut)));
        table.columns.extend(["Result", "Date"].map(|name| column(name, Kind::Left)));
        table.columns.push(column("Plies", Kind::Right));
        table.columns.extend(["Event", "File"].map(|name| column(name, Kind::Cut)));
        for (number, group) in groups.into_iter().enumerate() {
            for (index, game) in group.into_iter().enumerate() {
                table.push(vec![
                    Cell::optional((index == 0).then_some(number + 1)),
                    game.game.into(),
                    if game.is_kept { "*" } else { "" }.into(),
                    game.white.into(),
                    game.black.into(),
                    game.result.into(),
                    game.date.into(),
                    (game.plies as u64).into(),
                    game.event.into(),
                    game.file.into(),
                ]);
            }
        }
        let text =
            if self.form.html { page("Duplicates", &[table]) } else { table.text(Look::of_output(true)) };
        Ok(out.write_all(text.as_bytes())?)
    }

    /// Writes the games that are kept, and those that are dropped, and returns what was done.
    fn write(
        &self,
        sources: &[Source],
        groups: &[DuplicateGroup],
        count: usize,
        out: &mut dyn Write,
    ) -> Result<String, CliError> {
        // Where each game of a group belongs: to the kept one.
        let mut keeper: HashMap<usize, usize> = HashMap::new();
        for group in groups {
            keeper.extend(group.games.iter().map(|&index| (index, group.kept)));
        }
        let mut merged: HashMap<usize, Vec<String>> = HashMap::new();
        if self.merge {
            let mut index = 0;
            self.again(sources, count, &mut |text| {
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
        self.again(sources, count, &mut |text| {
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

    /// Reads all games again as text.
    fn again(
        &self,
        sources: &[Source],
        count: usize,
        take: &mut dyn FnMut(String) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut read = 0;
        let mut end = InputEnd::default();
        let quiet = self.selection.silent();
        each_game(
            &self.inputs,
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
            return Err(CliError::Usage("the files have changed while they were read".to_owned()));
        }
        end.check_target(&self.target)
    }
}

/// The number of games that are passed on at a time.
const BATCH: usize = 256;

/// Reads all games that are taken on several threads. Each thread makes something of them, which is taken in the order
/// of the input.
pub(super) fn each_game<T: Send + 'static>(
    inputs: &Inputs,
    selection: Selection,
    sources: &[Source],
    end: &mut InputEnd,
    make: &(impl Fn(&Game) -> T + Sync),
    take: &mut dyn FnMut(&Source, T) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let reading = Reading {
        builder: || inputs.builder(),
        errors: GameBuilder::errors,
        make: |builder: &mut GameBuilder| make(builder.game()),
    };
    each_reading(inputs, selection, sources, end, &reading, take)
}

/// How games are read, and what is made of each of them.
struct Reading<N, B, M> {
    /// What reads the games of a thread.
    builder: N,
    /// The errors in the game that it has read.
    errors: fn(&B) -> &[PgnError],
    make: M,
}

/// As [`each_game`], with any visitor.
fn each_reading<B: Visitor, T: Send + 'static>(
    inputs: &Inputs,
    selection: Selection,
    sources: &[Source],
    end: &mut InputEnd,
    reading: &Reading<impl Fn() -> B + Sync, B, impl Fn(&mut B) -> T + Sync>,
    take: &mut dyn FnMut(&Source, T) -> Result<(), CliError>,
) -> Result<(), CliError> {
    inputs.read_sources(
        Options::default(),
        sources,
        end,
        false,
        |part, emit| {
            let mut builder = (reading.builder)();
            let mut batch = Vec::new();
            let mut findings = Findings::default();
            while part.reader.read_game(&mut builder)? {
                if findings.add_game((reading.errors)(&builder), selection) {
                    batch.push((reading.make)(&mut builder));
                }
                if batch.len() >= BATCH || findings.found.len() >= MAX_FINDINGS {
                    emit((std::mem::take(&mut batch), std::mem::take(&mut findings)))?;
                }
            }
            emit((batch, findings))
        },
        &mut |source, bar, (batch, findings): (Vec<T>, Findings)| {
            selection.print(&findings.found, source, bar);
            batch.into_iter().try_for_each(|made| take(source, made))?;
            Ok(ControlFlow::Continue(()))
        },
    )
}

/// Counts the games of each source.
struct Numbering<'a> {
    sources: &'a [Source],
    current: usize,
    number: u64,
}

impl<'a> Numbering<'a> {
    const fn new(sources: &'a [Source]) -> Self {
        Self { sources, current: 0, number: 0 }
    }

    /// The index of the source, and the number of its next game from 1.
    fn next(&mut self, source: &Source) -> (usize, u64) {
        while self.sources.get(self.current).is_some_and(|earlier| !ptr::eq(earlier, source)) {
            (self.current, self.number) = (self.current + 1, 0);
        }
        self.number += 1;
        (self.current, self.number)
    }
}

/// The first of these games, with what the others have more.
fn merge_texts(text: &str, others: &[String]) -> String {
    let read = |text: &str| Game::read(text.as_bytes()).ok().flatten().map(|(game, _)| game);
    let Some(mut game) = read(text) else { return text.to_owned() };
    for other in others.iter().filter_map(|text| read(text)) {
        merge_game(&mut game, &other);
    }
    Export::new().game(&game)
}

const SPLIT_EXAMPLES: &str = "\
Examples:
  hematite pgn split --by player games.pgn -o players
  hematite pgn split --by month --tree archive/ -o by-month
  hematite pgn split --games 1000 games.pgn -o parts
  hematite pgn split --bytes 10M games.pgn.zst -o parts

Names of files: of a player `Lastname.pgn`, of an event `Event name.pgn`, of dates `1993.pgn`, `199304.pgn` and
`19930425.pgn`, with zeros for what is not known; signs that file systems refuse become underscores. Parts of a file
have its name and 1, 2, 3, or a, b, c if that ends in a digit. The games are written as `hematite pgn export` writes
them. Files that exist are refused, unless --replace is given; then nothing is written.";

/// Write the games of a collection to several files, by players, events, dates or sizes.
#[derive(clap::Args, Debug)]
#[command(after_help = SPLIT_EXAMPLES)]
pub(in crate::cli) struct SplitArguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    parts: Parts,

    /// With --by year, month or day: make folders `1993` and below them `199304`.
    #[arg(long)]
    tree: bool,

    /// The folder of the files.
    #[arg(long = "out-dir", short = 'o', value_name = "DIR")]
    folder: PathBuf,

    /// Replace files that exist.
    #[arg(long)]
    replace: bool,

    #[command(flatten)]
    selection: Selection,
}

#[derive(clap::Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
struct Parts {
    /// A file for each of these.
    #[arg(long, value_name = "WHAT")]
    by: Option<By>,
    /// Files of so many games.
    #[arg(long, value_name = "N", value_parser = integer_in::<u64>(1..))]
    games: Option<u64>,
    /// Files of at most so many bytes, unless one game has more. Bytes, or 64k, 10M.
    #[arg(long, value_name = "SIZE", value_parser = byte_size)]
    bytes: Option<u64>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// Players; a game is in the files of both.
    Player,
    Event,
    Site,
    Year,
    Month,
    Day,
    /// ECO codes: those of the tags.
    Eco,
    Result,
}

/// The longest name of a file, in characters, without what is added to it.
const MAX_NAME: usize = 100;

/// A name that every file system takes.
fn safe_name(text: &str) -> String {
    let is_safe = |letter: char| {
        !letter.is_control() && !matches!(letter, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    let safe: String =
        text.chars().map(|letter| if is_safe(letter) { letter } else { '_' }).take(MAX_NAME).collect();
    let safe = safe.trim().trim_matches('.').trim();
    // Names of devices on Windows.
    let is_device = ["con", "prn", "aux", "nul"].contains(&&*safe.to_lowercase());
    if !is_known_name(safe) {
        "Unknown".to_owned()
    } else if is_device {
        format!("{safe}_")
    } else {
        safe.to_owned()
    }
}

/// The name of the part of a file with this number, from 1.
fn part_name(stem: &str, number: u64) -> String {
    if !stem.ends_with(|letter: char| letter.is_ascii_digit()) {
        return format!("{stem}{number}");
    }
    const LETTERS: u64 = 26;
    let mut letters = Vec::new();
    let mut rest = number;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + (rest % LETTERS) as u8));
        rest /= LETTERS;
    }
    stem.chars().chain(letters.into_iter().rev()).collect()
}

/// What is the name of the file of a game, and what is told of it.
pub(super) struct Keys {
    /// The files without extension, each with what it is named after.
    pub files: Vec<(PathBuf, String)>,
    /// Whether the date that they are named after is incomplete.
    pub has_gap: bool,
}

/// The files of a game; with `is_tree` those of dates are in folders.
pub(super) fn keys(by: By, is_tree: bool, game: &Game) -> Keys {
    let tag = |name: &str| game.tags.get(name).unwrap_or_default().trim();
    // Other dates have no name of such a form.
    let date = game.tags.date().filter(|&(year, month, day)| year <= 9999 && month <= 12 && day <= 31);
    let (year, month, day) = date.unwrap_or_default();
    let named = |text: &str| (PathBuf::from(safe_name(text)), text.to_owned());
    let dated = |name: String| {
        let mut path = PathBuf::new();
        if is_tree && by != By::Year {
            path.push(format!("{year:04}"));
        }
        if is_tree && by == By::Day {
            path.push(format!("{year:04}{month:02}"));
        }
        path.push(&name);
        (path, name)
    };
    let (files, has_gap) = match by {
        By::Player => {
            let names = ["White", "Black"].iter().flat_map(|name| tag(name).split(':'));
            let mut files: Vec<_> = names
                .map(str::trim)
                .filter(|name| is_known_name(name))
                .map(|name| (named(name.split(',').next().unwrap_or_default()).0, name.to_owned()))
                .collect();
            files.dedup_by(|one, other| one.0 == other.0);
            if files.is_empty() {
                files.push(named("?"));
            }
            (files, false)
        }
        By::Event => (vec![named(tag("Event"))], false),
        By::Site => (vec![named(tag("Site"))], false),
        By::Eco => (vec![named(tag("ECO").get(..3).unwrap_or_default())], false),
        By::Result => (
            vec![named(match game.result {
                GameResult::Draw => "draw",
                GameResult::Unknown => "unfinished",
                won => won.as_str(),
            })],
            false,
        ),
        By::Year => (vec![dated(format!("{year:04}"))], year == 0),
        By::Month => (vec![dated(format!("{year:04}{month:02}"))], month == 0),
        By::Day => (vec![dated(format!("{year:04}{month:02}{day:02}"))], day == 0),
    };
    Keys { files, has_gap }
}

impl SplitArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.tree && !matches!(self.parts.by, Some(By::Year | By::Month | By::Day)) {
            return Err(CliError::Usage("--tree is for --by year, month and day".to_owned()));
        }
        let mut end = InputEnd::default();
        let sources = self.inputs.sources(&mut end);
        let mut spool = Spool::new().map_err(temporary_error)?;
        let mut gaps = 0_u64;
        let mut counter = (None, 0_u64, 0_u64, 0_u64);
        each_game(
            &self.inputs,
            self.selection,
            &sources,
            &mut end,
            &|game| (self.parts.by.map(|by| keys(by, self.tree, game)), Export::new().game(game)),
            &mut |source, (keys, text)| {
                if let Some(Keys { files, has_gap }) = keys {
                    gaps += u64::from(has_gap);
                    return push(&mut spool, &text, files);
                }
                let (current, part, games, bytes) = &mut counter;
                if *current != Some(ptr::from_ref(source)) {
                    (*current, *part, *games, *bytes) = (Some(ptr::from_ref(source)), 0, 0, 0);
                }
                let length = text.len() as u64;
                let is_full = self.parts.games.is_some_and(|most| *games >= most)
                    || self.parts.bytes.is_some_and(|most| *bytes + length > most);
                if *part == 0 || is_full {
                    (*part, *games, *bytes) = (*part + 1, 0, 0);
                }
                (*games, *bytes) = (*games + 1, *bytes + length);
                let name = part_name(&safe_name(&stem(source)), *part);
                push(&mut spool, &text, vec![(PathBuf::from(name), source.name())])
            },
        )?;
        let status = end.status()?;
        let count = spool.targets().count() as u64;
        write_files(spool, &self.folder, self.replace)?;
        if gaps > 0 {
            // A failure is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{} with an incomplete date", pluralize(gaps, "game"));
        }
        writeln!(out, "{} in {}", pluralize(count, "file"), PathExcerpt::new(&self.folder))?;
        Ok(status)
    }
}

/// The name of a source without its folder and extensions.
fn stem(source: &Source) -> String {
    let Some(path) = source.path() else { return "games".to_owned() };
    let name = match source {
        Source::Member(_, member) => PathBuf::from(&member.name),
        _ => without_packed_extension(path).to_owned(),
    };
    name.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// Adds a game to files, whose names differ by more than their case, since some file systems know no other.
fn push(spool: &mut Spool<PathBuf>, text: &str, files: Vec<(PathBuf, String)>) -> Result<(), CliError> {
    let files = files.into_iter().map(|(name, origin)| (name.to_string_lossy().to_lowercase(), name, origin));
    spool.push(text, files).map_err(temporary_error)
}

/// Writes all files. Those that share a name are told.
fn write_files(mut spool: Spool<PathBuf>, folder: &Path, replace: bool) -> Result<(), CliError> {
    let path = |name: &Path| {
        let mut path = folder.join(name).into_os_string();
        path.push(".pgn");
        PathBuf::from(path)
    };
    if let Some(found) = spool.targets().map(|name| path(name)).find(|path| !replace && path.exists()) {
        let problem = "exists, expected a new file; --replace replaces it";
        return Err(CliError::Usage(format!("{}: {problem}", PathExcerpt::new(&found))));
    }
    for target in spool.take_targets() {
        let path = path(&target.name);
        let mut file = new_file(&path)?;
        spool.copy(&target, &mut file)?;
        file.commit()?;
        if target.origins.len() > 1 {
            let origins: Vec<&str> = target.origins.iter().map(|origin| &**origin).collect();
            // A failure is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{} has games of {}", PathExcerpt::new(&path), origins.join("; "));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe() {
        let cases = [
            ("Linares 18th", "Linares 18th"),
            ("a/b\\c:d*?\"<>|", "a_b_c_d______"),
            ("../../etc", "_.._etc"),
            ("..", "Unknown"),
            ("?", "Unknown"),
            ("", "Unknown"),
            (" con ", "con_"),
            ("Ståhlberg", "Ståhlberg"),
            ("a\nb\0", "a_b_"),
        ];
        for (text, expected) in cases {
            assert_eq!(safe_name(text), expected, "{text:?}");
        }
        assert_eq!(safe_name(&"é".repeat(500)).chars().count(), MAX_NAME);
    }

    #[test]
    fn parts_have_numbers_or_letters() {
        let parts = |stem, numbers: &[u64]| -> Vec<String> {
            numbers.iter().map(|&number| part_name(stem, number)).collect()
        };
        assert_eq!(parts("games", &[1, 2, 30]), ["games1", "games2", "games30"]);
        assert_eq!(
            parts("twic92", &[1, 2, 26, 27, 52, 53, 702, 703]),
            ["twic92a", "twic92b", "twic92z", "twic92aa", "twic92az", "twic92ba", "twic92zz", "twic92aaa"]
        );
    }
}
