//! The games that `hematite pgn find` finds: their selection, counting and output.

use super::each_game::GameCounter;
use super::export::temporary_error;
use super::list::{FILE_GAP, NUMBER_WIDTH};
use super::listed_games::ListedGames;
use super::one_game::JsonHead;
use super::{Findings, MAX_FINDINGS, TEXT_BYTES};
use crate::chess::Color;
use crate::cli::CliError;
use crate::cli::streams::{Output, write_json};
use crate::database::{Sorter, Source, WinDrawLoss};
use crate::files::csv_field;
use crate::notation::pgn::GameResult;
use crate::notation::pluralize;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// The number of games after which a thread passes on what it has found.
const MAX_GAMES: u64 = 4096;

/// The form in which games are written; by default as PGN.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(multiple = true)]
pub(super) struct Form {
    /// Write the number of games only, of several files for each; with --json as one JSON object.
    #[arg(long, conflicts_with_all = ["list", "files_with_matches", "fen", "epd"])]
    pub count: bool,
    /// Write a table: number, players, ratings, result, date, ECO code, opening, ply of the match, event.
    #[arg(long, conflicts_with_all = ["files_with_matches", "fen", "epd", "json"])]
    pub list: bool,
    /// With --list, write it as CSV: in full, the file behind each game, and nothing for what is not there.
    #[arg(long, requires = "list")]
    pub csv: bool,
    /// Write the names of the files with a game that is found.
    #[arg(long, conflicts_with_all = ["fen", "epd", "json"])]
    pub files_with_matches: bool,
    /// Write the position of each match as a FEN; of a game that is found without its moves, the initial one.
    #[arg(long, conflicts_with_all = ["epd", "json"])]
    pub fen: bool,
    /// The same as EPD.
    #[arg(long, conflicts_with = "json")]
    pub epd: bool,
    /// Write a JSON object on a line for each game.
    #[arg(long)]
    pub json: bool,
}

impl Form {
    /// Whether only the number of games is requested.
    pub(super) const fn only_counts(self) -> bool {
        self.count || self.files_with_matches
    }
}

/// A game that the query has found.
pub(super) struct Found {
    /// The number of the game in its batch, counted from 0.
    pub index: u64,
    pub shown: Shown,
    pub outcome: Outcome,
    pub key: Option<Vec<u8>>,
}

/// The properties of a game that are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    pub result: GameResult,
    /// The color of the player whom the query names.
    pub player: Option<Color>,
}

impl Outcome {
    const PLAYERS: [Option<Color>; 3] = [None, Some(Color::White), Some(Color::Black)];

    /// The outcome as a byte, which is stored before the text of a game that is sorted.
    fn to_byte(self) -> u8 {
        let all = GameResult::ALL.iter().flat_map(|result| Self::PLAYERS.map(|player| (*result, player)));
        all.take_while(|&all| all != (self.result, self.player)).count() as u8
    }

    fn of_byte(byte: u8) -> Option<Self> {
        let (result, player) =
            (usize::from(byte) / Self::PLAYERS.len(), usize::from(byte) % Self::PLAYERS.len());
        Some(Self { result: *GameResult::ALL.get(result)?, player: Self::PLAYERS[player] })
    }
}

/// The output of a game.
pub(super) enum Shown {
    Nothing,
    Text(String),
    /// A row of the list, after the number of the game.
    Row(String),
    Json(Box<JsonGame>),
}

impl Shown {
    /// The number of bytes that are kept for the output.
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Nothing | Self::Json(_) => 0,
            Self::Text(text) | Self::Row(text) => text.len(),
        }
    }
}

/// A game as JSON.
#[derive(Serialize)]
pub(super) struct JsonGame {
    #[serde(flatten)]
    pub head: JsonHead,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<JsonPlace>,
}

/// Numbers of games as JSON.
#[derive(Serialize)]
struct Count {
    read: u64,
    found: u64,
    files: Vec<FileCount>,
}

#[derive(Serialize)]
struct FileCount {
    file: String,
    found: u64,
}

#[derive(Serialize)]
pub(super) struct JsonPlace {
    pub ply: u32,
    pub fen: String,
}

/// The games that a thread has found in part of the input.
#[derive(Default)]
pub(super) struct Batch {
    pub games: u64,
    pub found: Vec<Found>,
    /// The number of found games that are only counted.
    pub counted: u64,
    pub bytes: usize,
    pub findings: Findings,
}

impl Batch {
    /// Whether the batch should be passed on.
    pub(super) const fn is_full(&self) -> bool {
        self.bytes >= TEXT_BYTES || self.games >= MAX_GAMES || self.findings.found.len() >= MAX_FINDINGS
    }
}

/// The counts of the games found.
#[derive(Default, Debug)]
pub(super) struct Summary {
    read: u64,
    pub found: u64,
    white: WinDrawLoss,
    player: Option<WinDrawLoss>,
}

impl Summary {
    fn add(&mut self, Outcome { result, player }: Outcome) {
        self.found += 1;
        self.white.add(result, Color::White);
        if let Some(side) = player {
            self.player.get_or_insert_default().add(result, side);
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}: {} for White", self.found, pluralize(self.read, "game"), self.white)?;
        match self.player {
            Some(score) => write!(f, ", {score} for the player named"),
            None => Ok(()),
        }
    }
}

/// Writes the games found.
#[derive(Clone, Copy)]
struct Writer {
    form: Form,
    /// Whether there are several files, so that each game is written with the name of its file.
    with_files: bool,
}

impl Writer {
    fn write(
        self,
        shown: Shown,
        file: &str,
        number: u64,
        is_first: bool,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        match shown {
            Shown::Nothing if self.form.files_with_matches && is_first => writeln!(out, "{file}")?,
            Shown::Nothing => {}
            Shown::Text(text) => out.write_all(text.as_bytes())?,
            Shown::Row(row) if self.form.csv => writeln!(out, "{number},{row},{}", csv_field(file))?,
            Shown::Row(row) => {
                let width = NUMBER_WIDTH;
                let (gap, file) = if self.with_files { (FILE_GAP, file) } else { ("", "") };
                writeln!(out, "{number:>width$}{row}{gap}{file}")?;
            }
            Shown::Json(mut game) => {
                file.clone_into(&mut game.head.file);
                game.head.game = number;
                write_json(out, &game)?;
            }
        }
        Ok(())
    }
}

/// The selected part of the games found, in the order of the input.
pub(super) struct Taken<'a> {
    sources: &'a [Source],
    listed: Option<ListedGames>,
    writer: Writer,
    /// The headings of the list.
    headings: String,
    /// The number of games still to be skipped, and the maximum number of games to be written.
    to_skip: u64,
    limit: u64,
    counter: GameCounter<'a>,
    /// The number of games found in each source.
    counts: Vec<u64>,
    summary: Summary,
    /// Sorts the games before they are written.
    sorter: Option<Sorter>,
    output: Output<'a>,
}

impl<'a> Taken<'a> {
    /// Selects from the games found in these sources, optionally restricted to listed ones, those in the range.
    pub(super) fn new(
        form: Form,
        headings: String,
        sources: &'a [Source],
        listed: Option<ListedGames>,
        (to_skip, limit): (u64, u64),
        sorter: Option<Sorter>,
        output: Output<'a>,
    ) -> Self {
        Self {
            sources,
            listed,
            writer: Writer { form, with_files: sources.len() > 1 },
            headings,
            to_skip,
            limit,
            counter: GameCounter::new(sources),
            counts: vec![0; sources.len()],
            summary: Summary::default(),
            sorter,
            output,
        }
    }

    /// Takes the games of a batch; returns a break when the limit is reached.
    pub(super) fn add(&mut self, source: &Source, batch: Batch) -> Result<ControlFlow<()>, CliError> {
        let (current, start) = self.counter.add(source, batch.games);
        let read_before = self.summary.read;
        self.summary.read += batch.games;
        self.summary.found += batch.counted;
        self.count(current, batch.counted);
        let name = source.name();
        let listed = self.listed.as_ref().map(|listed| listed.of(&name));
        for found in batch.found {
            let number = start + found.index + 1;
            if listed.as_ref().is_some_and(|listed| !listed.contains(&number)) {
                continue;
            }
            if let (Some(key), Some(sorter)) = (found.key, &mut self.sorter) {
                let mut text = vec![found.outcome.to_byte()];
                self.writer.write(found.shown, &name, number, false, &mut text)?;
                sorter.push(&key, &text).map_err(temporary_error)?;
                continue;
            }
            if self.to_skip > 0 {
                self.to_skip -= 1;
                continue;
            }
            self.summary.add(found.outcome);
            self.begin()?;
            let is_first = self.count(current, 1) == 1;
            self.writer.write(found.shown, &name, number, is_first, &mut self.output)?;
            if self.summary.found >= self.limit {
                self.summary.read = read_before + found.index + 1;
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Adds to the number of games found in a source, and returns the new number.
    fn count(&mut self, source: usize, games: u64) -> u64 {
        self.counts.get_mut(source).map_or(0, |count| {
            *count += games;
            *count
        })
    }

    /// Writes the headings before the first game.
    fn begin(&mut self) -> io::Result<()> {
        if !self.writer.form.list || self.summary.found != 1 {
            return Ok(());
        }
        writeln!(self.output, "{}", self.headings)
    }

    /// Writes the games in sorted order.
    pub(super) fn finish_sorting(&mut self) -> Result<(), CliError> {
        let Some(sorter) = self.sorter.take() else { return Ok(()) };
        Ok(sorter.finish(&mut |_, text| {
            let Some((&outcome, text)) = text.split_first() else { return Ok(()) };
            if self.to_skip > 0 || self.summary.found >= self.limit {
                self.to_skip = self.to_skip.saturating_sub(1);
                return Ok(());
            }
            Outcome::of_byte(outcome).into_iter().for_each(|outcome| self.summary.add(outcome));
            self.begin()?;
            self.output.write_all(text)
        })?)
    }

    /// Writes the numbers of games, if they are requested.
    pub(super) fn write_counts(&mut self) -> Result<(), CliError> {
        if !self.writer.form.count {
            return Ok(());
        }
        let counts = self.sources.iter().zip(&self.counts);
        let (read, found) = (self.summary.read, self.summary.found);
        if self.writer.form.json {
            let files = counts.map(|(source, &found)| FileCount { file: source.name(), found }).collect();
            return write_json(&mut self.output, &Count { read, found, files });
        }
        if !self.writer.with_files {
            return Ok(writeln!(self.output, "{found}")?);
        }
        for (source, count) in counts {
            writeln!(self.output, "{}: {count}", source.name())?;
        }
        Ok(())
    }

    /// The output, which the caller must finish, and the counts.
    pub(super) fn into_parts(self) -> (Output<'a>, Summary) {
        (self.output, self.summary)
    }
}
