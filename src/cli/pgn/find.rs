//! `hematite pgn find`: the games that a query describes.

use super::export::temporary_error;
use super::finder::Finder;
use super::list::{ListColumn, NUMBER_WIDTH, list_headings, list_row};
use super::one_game::{JsonHead, NamedOpening};
use super::{Findings, InputEnd, Inputs, MAX_FINDINGS, Selection, read_query};
use crate::chess::{Color, Position};
use crate::cli::streams::{Input, Output, OutputArg, open_to_append, write_json};
use crate::cli::values::{byte_size, integer_in};
use crate::cli::{CliError, ExitStatus};
use crate::database::{Options, Place, Places, Query, Score, Sorter};
use crate::files::LockFile;
use crate::notation::Fen;
use crate::notation::pgn::{Export, Game, GameResult, Tags, push_collated};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::ptr;

const EXAMPLES: &str = "\
Examples:
  hematite pgn find 'white:kasparov date>=1990 eco:E60..E99' games.pgn
  hematite pgn find 'player:tal player:botvinnik' --list archive/
  hematite pgn find 'material:KRPkr for 10' games.pgn.zst -o rook-endings.pgn
  hematite pgn find 'move:Bxh7+ then move:Ng5+ within 4' --fen games.pgn
  hematite pgn find --query-file french.query --sort date games.pgn
  hematite pgn find --from-list drawn-games.json -o drawn.pgn
  hematite pgn find result:draw --count --json archive/
  hematite pgn find result:draw games.pgn | hematite pgn find 'plies<40' --count -

The language of queries is described in docs/queries.md. The games are written as `hematite pgn export`
writes them. A line on standard error counts them: won, drawn and lost by White and, if the query names a
player, by that player.
Errors are printed on standard error if they are in games whose tags fit the query. Exit code 1 if no game
is found.";

const USAGE: &str = "hematite pgn find [OPTIONS] <QUERY> <FILE>...
       hematite pgn find [OPTIONS] --query-file <QUERIES> <FILE>...
       hematite pgn find [OPTIONS] --from-list <LIST> [FILE]...";

/// The number of bytes of found games that are passed on at a time.
const TEXT_BYTES: usize = 1 << 16;
/// The number of games after which a thread passes on what it has found.
const MAX_GAMES: u64 = 4096;

/// Find games by players, dates, openings, moves, positions and material.
#[derive(clap::Args, Debug)]
#[command(
    after_help = EXAMPLES,
    override_usage = USAGE,
    mut_arg("files", |arg| arg.required(false)),
    mut_arg("strict", |arg| arg.help("Count every finding, not only moves that are not read, for --broken")),
    mut_arg("quiet", |arg| arg.help("Print nothing on standard error but why the command fails")),
)]
pub(in crate::cli) struct Arguments {
    /// The query, such as 'player:tal result:1-0'; an empty one finds all games.
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: Option<OsString>,

    #[command(flatten)]
    inputs: Inputs,

    /// Read the query from this file; `#` starts a comment.
    #[arg(long, value_name = "FILE")]
    query_file: Option<PathBuf>,

    /// Take only the games of this list, which `--json` has written; without a FILE, from the files that it names. A query is
    /// that of --query-file.
    #[arg(long, value_name = "LIST")]
    from_list: Option<PathBuf>,

    #[command(flatten)]
    form: Form,

    /// With --list, the columns: names of tags, opening, ply (of the match) and plies, as in white,black,round,plies.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "list")]
    columns: Vec<ListColumn>,

    /// With --fen, --epd and --json: every position of a match, not only the first.
    #[arg(long)]
    all: bool,

    /// Sort the games found.
    #[arg(long, value_name = "KEY")]
    sort: Option<SortKey>,

    /// With --sort, hold this much in memory, and the rest in temporary files (in the folder that TMPDIR names):
    /// bytes, or 64M, 2G.
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = byte_size, requires = "sort")]
    memory: u64,

    /// Reverse the order of --sort.
    #[arg(long, requires = "sort")]
    reverse: bool,

    /// Leave out the first N games found.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = integer_in::<u64>(0..))]
    skip: u64,

    /// Write at most N games, and stop to read then.
    #[arg(long, value_name = "N", value_parser = integer_in::<u64>(1..))]
    limit: Option<u64>,

    #[command(flatten)]
    target: OutputArg,

    /// Add the games to the end of this file, which is created if necessary: all of them or, if the command
    /// fails, none.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "Form"])]
    append: Option<PathBuf>,

    #[command(flatten)]
    selection: Selection,
}

/// What is written of the games; by default the games themselves.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(multiple = true)]
struct Form {
    /// Write the number of games only, of several files for each; with --json as one JSON object.
    #[arg(long, conflicts_with_all = ["list", "files_with_matches", "fen", "epd"])]
    count: bool,
    /// Write a table: number, players, ratings, result, date, ECO code, opening, ply of the match, event.
    #[arg(long, conflicts_with_all = ["files_with_matches", "fen", "epd", "json"])]
    list: bool,
    /// Write the names of the files with a game that is found.
    #[arg(long, conflicts_with_all = ["fen", "epd", "json"])]
    files_with_matches: bool,
    /// Write the position of each match as a FEN; of a game that is found without its moves, the initial one.
    #[arg(long, conflicts_with_all = ["epd", "json"])]
    fen: bool,
    /// The same as EPD.
    #[arg(long, conflicts_with = "json")]
    epd: bool,
    /// Write a JSON object on a line for each game.
    #[arg(long)]
    json: bool,
}

impl Form {
    /// Whether no more is to be known of the games than their number.
    const fn only_counts(self) -> bool {
        self.count || self.files_with_matches
    }
}

/// What games are sorted by.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum SortKey {
    Date,
    Event,
    White,
    Black,
    /// The sum of both ratings.
    Elo,
    Eco,
    Plies,
}

impl SortKey {
    /// The value for a game, as bytes that compare as the values do.
    fn of(self, game: &Game) -> Vec<u8> {
        let text = |text: &str| {
            let mut key = Vec::new();
            push_collated(&mut key, &text.to_lowercase());
            key
        };
        let tag = |name: &str| text(game.tags.get(name).unwrap_or_default());
        let number = |number: u64| number.to_be_bytes().to_vec();
        match self {
            Self::Date => {
                let (year, month, day) = game.tags.date().unwrap_or_default();
                [&year.to_be_bytes()[..], &[month, day]].concat()
            }
            Self::Event => tag("Event"),
            Self::White => tag("White"),
            Self::Black => tag("Black"),
            Self::Eco => text(&NamedOpening::of(game).code),
            Self::Elo => number(["WhiteElo", "BlackElo"].iter().map(|name| elo(&game.tags, name)).sum()),
            Self::Plies => number(game.mainline().count() as u64),
        }
    }
}

fn elo(tags: &Tags, name: &str) -> u64 {
    tags.get(name).and_then(|elo| elo.trim().parse::<u16>().ok()).unwrap_or_default().into()
}

/// A game that is found.
struct Found {
    /// Its number among the games of the batch, counted from 0.
    index: u64,
    shown: Shown,
    outcome: Outcome,
    key: Option<Vec<u8>>,
}

/// What is counted of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outcome {
    result: GameResult,
    /// The side of the player whom the query names.
    player: Option<Color>,
}

impl Outcome {
    const PLAYERS: [Option<Color>; 3] = [None, Some(Color::White), Some(Color::Black)];

    /// It as a byte, which stands before the text of a game that is sorted.
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

/// What is written of it.
enum Shown {
    Nothing,
    Text(String),
    /// A row of the table, behind the game's number.
    Row(String),
    Json(Box<JsonGame>),
}

impl Shown {
    const fn len(&self) -> usize {
        match self {
            Self::Nothing | Self::Json(_) => 0,
            Self::Text(text) | Self::Row(text) => text.len(),
        }
    }
}

/// A game as JSON.
#[derive(Serialize)]
struct JsonGame {
    #[serde(flatten)]
    head: JsonHead,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matches: Vec<JsonPlace>,
}

/// The numbers of games as JSON.
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
struct JsonPlace {
    ply: u32,
    fen: String,
}

/// What a thread has found in some games.
#[derive(Default)]
struct Batch {
    games: u64,
    found: Vec<Found>,
    /// Games that are found, of which no more is to be known.
    counted: u64,
    bytes: usize,
    findings: Findings,
}

impl Batch {
    const fn is_full(&self) -> bool {
        self.bytes >= TEXT_BYTES || self.games >= MAX_GAMES || self.findings.found.len() >= MAX_FINDINGS
    }
}

/// The games found, counted.
#[derive(Default, Debug)]
struct Summary {
    read: u64,
    found: u64,
    white: Score,
    player: Option<Score>,
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
        write!(f, "{} of {} games: {} for White", self.found, self.read, self.white)?;
        match self.player {
            Some(score) => write!(f, ", {score} for the player named"),
            None => Ok(()),
        }
    }
}

impl Arguments {
    pub(super) fn run(mut self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let query = self.take_query()?;
        let listed = self.from_list.as_deref().map(ListedGames::read).transpose()?;
        if let (true, Some(listed)) = (self.inputs.files.is_empty(), &listed) {
            self.inputs.files = listed.files.clone();
        }
        // A list without games names no file, and nothing is found in it.
        if self.inputs.files.is_empty() && listed.is_none() {
            return Err(CliError::Usage("no FILE is given; `-` is standard input".to_owned()));
        }
        if self.all && !(self.form.fen || self.form.epd || self.form.json) {
            return Err(CliError::Usage("--all is for --fen, --epd and --json".to_owned()));
        }
        if self.form.only_counts() {
            self.sort = None;
        }
        if self.columns.is_empty() {
            self.columns = ListColumn::usual();
        }
        let mut end = InputEnd::default();
        let sources = self.inputs.sources(&mut end);
        let mut counts = vec![0_u64; sources.len()];
        let (mut output, _lock) = self.open(out)?;
        let mut sorter = Sorter::new(usize::try_from(self.memory).unwrap_or(usize::MAX));
        let mut summary = Summary::default();
        // The number of games of the current source that are behind, and those found.
        let (mut current, mut before) = (0, 0);
        let writer = Writer { form: self.form, columns: &self.columns, with_files: sources.len() > 1 };
        let (mut to_skip, limit) = (self.skip, self.limit.unwrap_or(u64::MAX));
        let only_counts = self.form.count
            && self.skip == 0
            && self.limit.is_none()
            && !self.selection.is_thorough()
            && listed.is_none();
        self.inputs.read_sources(
            Options { by_segment: query.is_indexed(), ..Options::default() },
            &sources,
            &mut end,
            self.target.is_standard() && self.append.is_none(),
            |part, emit| {
                let mut finder = Finder::new(self.inputs.builder(), &query);
                let mut batch = Batch::default();
                part.reader.require_found(Some(&query))?;
                if only_counts
                    && let Some(position) = query.only_position()
                    && let Some(counted) = part.reader.counted(position)?
                {
                    batch.counted += counted.total.games;
                }
                loop {
                    let passed = part.reader.skip_counting(Some(&query), only_counts)?;
                    batch.games += passed.games;
                    batch.counted += passed.found;
                    if !part.reader.read_game(&mut finder)? {
                        break;
                    }
                    self.examine(&mut finder, only_counts, &mut batch);
                    batch.games += 1;
                    if batch.is_full() {
                        emit(std::mem::take(&mut batch))?;
                    }
                }
                emit(batch)
            },
            &mut |source, bar, batch: Batch| {
                while sources.get(current).is_some_and(|earlier| !ptr::eq(earlier, source)) {
                    (current, before) = (current + 1, 0);
                }
                self.selection.print(&batch.findings.found, source, bar);
                let start = before;
                before += batch.games;
                let read_before = summary.read;
                summary.read += batch.games;
                summary.found += batch.counted;
                counts.iter_mut().skip(current).take(1).for_each(|count| *count += batch.counted);
                for found in batch.found {
                    let number = start + found.index + 1;
                    if listed.as_ref().is_some_and(|listed| !listed.has(&source.name(), number)) {
                        continue;
                    }
                    if let Some(key) = found.key {
                        let mut text = vec![found.outcome.to_byte()];
                        writer.write(found.shown, &source.name(), number, false, &mut text)?;
                        sorter.push(key, text).map_err(temporary_error)?;
                        continue;
                    }
                    if to_skip > 0 {
                        to_skip -= 1;
                        continue;
                    }
                    summary.add(found.outcome);
                    if summary.found == 1 {
                        writer.begin(&mut output)?;
                    }
                    let is_first = counts.get_mut(current).is_some_and(|count| {
                        *count += 1;
                        *count == 1
                    });
                    writer.write(found.shown, &source.name(), number, is_first, &mut output)?;
                    if summary.found >= limit {
                        summary.read = read_before + found.index + 1;
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
        sorter.finish(&mut |_, text| {
            let Some((&outcome, text)) = text.split_first() else { return Ok(()) };
            if to_skip > 0 || summary.found >= limit {
                to_skip = to_skip.saturating_sub(1);
                return Ok(());
            }
            Outcome::of_byte(outcome).into_iter().for_each(|outcome| summary.add(outcome));
            if summary.found == 1 {
                writer.begin(&mut output)?;
            }
            output.write_all(text)
        })?;
        if self.form.count && self.form.json {
            let files =
                sources.iter().zip(&counts).map(|(source, &found)| FileCount { file: source.name(), found });
            let (read, found) = (summary.read, summary.found);
            write_json(&mut output, &Count { read, found, files: files.collect() })?;
        } else if self.form.count {
            let list = sources.iter().zip(&counts).filter(|_| writer.with_files);
            for (source, count) in list {
                writeln!(output, "{}: {count}", source.name())?;
            }
            if !writer.with_files {
                writeln!(output, "{}", summary.found)?;
            }
        }
        end.check_target(&self.target)?;
        let status = end.status()?;
        // A file to which nothing is added stays as it is, and one to which not all would be added.
        if self.append.is_none() || summary.found > 0 && status == ExitStatus::Yes {
            output.finish()?;
        }
        if !self.selection.quiet && !self.form.only_counts() {
            // A failure is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{summary}");
        }
        let answer = if summary.found > 0 { ExitStatus::Yes } else { ExitStatus::No };
        Ok(answer.max(status))
    }

    /// The query of the arguments or of the file; then the first argument is the name of a file of games.
    fn take_query(&mut self) -> Result<Query, CliError> {
        let first = self.query.take();
        let (name, text) = match &self.query_file {
            Some(path) => {
                self.inputs.files.splice(..0, first.map(PathBuf::from));
                Input::open(path)?.read_text()?
            }
            None if self.from_list.is_some() => {
                self.inputs.files.splice(..0, first.map(PathBuf::from));
                ("query".to_owned(), String::new())
            }
            None => {
                let first = first.unwrap_or_default();
                let text =
                    first.to_str().ok_or_else(|| CliError::Usage("the query is not UTF-8".to_owned()))?;
                ("query".to_owned(), text.to_owned())
            }
        };
        read_query(name, &text, self.inputs.files())
    }

    fn open<'a>(&self, out: &'a mut dyn Write) -> Result<(Output<'a>, Option<LockFile>), CliError> {
        match &self.append {
            Some(path) => open_to_append(path).map(|(output, lock)| (output, Some(lock))),
            None => {
                let output = match self.form {
                    Form { fen: true, .. } => self.target.open_as("fen", out)?,
                    Form { epd: true, .. } => self.target.open_as("epd", out)?,
                    Form { count: true, .. }
                    | Form { list: true, .. }
                    | Form { files_with_matches: true, .. }
                    | Form { json: true, .. } => self.target.open(out)?,
                    Form { .. } => self.target.open_as("pgn", out)?,
                };
                Ok((output, None))
            }
        }
    }

    /// Asks the query about the game that has been read.
    fn examine(&self, finder: &mut Finder<'_>, only_counts: bool, batch: &mut Batch) {
        if finder.is_ruled_out || !batch.findings.add_game(finder.builder.errors(), self.selection) {
            return;
        }
        match finder.look() {
            Some(false) => return,
            Some(true) if only_counts => {
                batch.counted += 1;
                return;
            }
            Some(true) | None => {}
        }
        let places = match self.form {
            Form { count: true, .. } => Places::None,
            _ if self.all => Places::All,
            Form { list: true, .. }
            | Form { fen: true, .. }
            | Form { epd: true, .. }
            | Form { json: true, .. } => Places::First,
            _ => Places::None,
        };
        let last = finder.builder.last_position().copied();
        let game: &Game = finder.builder.game();
        let Some(places) = finder.query.find(game, game, last.as_ref(), places) else { return };
        let shown = self.show(game, &places);
        batch.bytes += shown.len();
        batch.found.push(Found {
            index: batch.games,
            shown,
            outcome: Outcome { result: game.result, player: finder.query.named_player(&game.tags) },
            key: self.sort.map(|key| self.sort_key(key, game)),
        });
    }

    /// What a game is sorted by. Games with equal keys stay in their order, also if that of the keys is reversed.
    fn sort_key(&self, key: SortKey, game: &Game) -> Vec<u8> {
        let mut key = key.of(game);
        if self.reverse {
            key.iter_mut().for_each(|byte| *byte = !*byte);
        }
        key
    }

    fn show(&self, game: &Game, places: &[Place]) -> Shown {
        match self.form {
            Form { count: true, .. } | Form { files_with_matches: true, .. } => Shown::Nothing,
            Form { list: true, .. } => Shown::Row(list_row(&self.columns, game, places)),
            Form { fen: true, .. } | Form { epd: true, .. } => {
                let mut text = String::new();
                let start = [game.start()];
                let positions = places.iter().map(|place| &place.position);
                for position in positions.chain(start.into_iter().filter(|_| places.is_empty())) {
                    write_position(position, self.form.epd, &mut text);
                }
                Shown::Text(text)
            }
            Form { json: true, .. } => {
                let place =
                    |place: &Place| JsonPlace { ply: place.ply, fen: Fen::new(&place.position).to_string() };
                let (head, matches) = (JsonHead::new(game), places.iter().map(place).collect());
                Shown::Json(Box::new(JsonGame { head, matches }))
            }
            Form { .. } => Shown::Text(Export::new().game(game)),
        }
    }
}

/// The games of a list that `--json` has written.
struct ListedGames {
    /// The files, in the order of the list.
    files: Vec<PathBuf>,
    /// The numbers of the games of each file, counted from 1.
    games: HashMap<String, HashSet<u64>>,
}

impl ListedGames {
    /// # Errors
    /// [`CliError::Input`] if it cannot be read, or a line is not an object with `file` and `game`.
    fn read(path: &Path) -> Result<Self, CliError> {
        #[derive(Deserialize)]
        struct Line {
            file: String,
            game: u64,
        }
        let (name, text) = Input::open(path)?.read_text()?;
        let mut list = Self { files: Vec::new(), games: HashMap::new() };
        for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            let Line { file, game } = serde_json::from_str(text).map_err(|error| CliError::Input {
                name: name.clone(),
                problem: format!(
                    "line {}: expected an object with `file` and `game`, as `pgn find --json` writes it ({error})",
                    index + 1
                ),
            })?;
            let games = list.games.entry(file.clone()).or_insert_with(|| {
                list.files.push(PathBuf::from(file));
                HashSet::new()
            });
            games.insert(game);
        }
        Ok(list)
    }

    fn has(&self, file: &str, game: u64) -> bool {
        self.games.get(file).is_some_and(|games| games.contains(&game))
    }
}

fn write_position(position: &Position, is_epd: bool, text: &mut String) {
    let fen = Fen::new(position);
    // Writing to a string cannot fail.
    let _ = if is_epd {
        let (number, clock) = (position.fullmove_number(), position.halfmove_clock());
        writeln!(text, "{} fmvn {number}; hmvc {clock};", fen.without_counters())
    } else {
        writeln!(text, "{fen}")
    };
}

/// Writes the games found.
#[derive(Clone, Copy)]
struct Writer<'a> {
    form: Form,
    /// Those of a list.
    columns: &'a [ListColumn],
    /// Whether there are several files, so that each game is written with the name of its own.
    with_files: bool,
}

impl Writer<'_> {
    /// What is written before the first game.
    fn begin(self, out: &mut dyn Write) -> io::Result<()> {
        if !self.form.list {
            return Ok(());
        }
        writeln!(out, "{:>width$} {}", "Game", list_headings(self.columns), width = NUMBER_WIDTH)
    }

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
            Shown::Row(row) => {
                let width = NUMBER_WIDTH;
                let file = if self.with_files { format!("  {file}") } else { String::new() };
                writeln!(out, "{number:>width$} {row}{file}")?;
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
