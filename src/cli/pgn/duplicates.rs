//! `hematite pgn duplicates`: games that occur more than once.

use super::each_game::{Reading, each_game, each_reading};
use super::table::{Cell, Kind, Look, Table, TableForm, column, page};
use super::{InputEnd, Inputs, Selection};
use crate::cli::streams::{IgnoreBrokenPipe, OutputArg, new_file, write_json};
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus};
use crate::database::{Digest, DuplicateGroup, Duplicates, Level, SameRules, Source, merge_game};
use crate::notation::pgn::{DeferredBuilder, Export, Game};
use crate::notation::pluralize;
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::ptr;

const EXAMPLES: &str = "\
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
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
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

impl Arguments {
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
