//! `hematite pgn find`: the games that a query describes.

use super::finder::Finder;
use super::found_games::{Batch, Form, Found, JsonGame, JsonPlace, Outcome, Shown, Taken};
use super::list::{FILE_GAP, List, ListColumn};
use super::listed_games::ListedGames;
use super::one_game::{JsonHead, NamedOpening};
use super::{InputEnd, Inputs, Selection, read_query};
use crate::chess::Position;
use crate::cli::streams::{Input, Output, OutputArg, open_to_append};
use crate::cli::values::{byte_size, integer_in};
use crate::cli::{CliError, ExitStatus, OpeningListArg, terminal};
use crate::database::{Options, Part, Place, Places, Query, Sorter, Source};
use crate::files::LockFile;
use crate::notation::Fen;
use crate::notation::pgn::{Export, Game, Tags, push_collated, push_round};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite pgn find 'white:kasparov date>=1990 eco:E60..E99' games.pgn
  hematite pgn find 'player:tal player:botvinnik' --list archive/
  hematite pgn find 'player:tal' --list --csv --columns date,white,black,result games.pgn -o tal.csv
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

    /// Take only the games of this list, which `--json` has written; without a FILE, from the files that it names. A
    /// query is that of --query-file.
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

    #[command(flatten)]
    openings: OpeningListArg,
}

/// The value by which games are sorted.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum SortKey {
    Date,
    Event,
    Site,
    /// Part by part as numbers, unknown rounds first.
    Round,
    White,
    Black,
    /// The sum of both ratings.
    Elo,
    Eco,
    /// The name of the opening, from the tags or by the moves.
    Opening,
    Result,
    Plies,
}

impl SortKey {
    /// The sort key of a game for this value: bytes that are ordered as the values are.
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
                let (year, month, day) = game.tags.date().unwrap_or_default().numbers();
                [&year.to_be_bytes()[..], &[month, day]].concat()
            }
            Self::Event => tag("Event"),
            Self::Site => tag("Site"),
            Self::Round => {
                let mut key = Vec::new();
                push_round(&mut key, game.tags.get("Round").unwrap_or_default().trim());
                key
            }
            Self::White => tag("White"),
            Self::Black => tag("Black"),
            Self::Opening => text(&NamedOpening::of(game).name),
            Self::Result => text(game.result.as_str()),
            Self::Eco => text(&NamedOpening::of(game).code),
            Self::Elo => number(["WhiteElo", "BlackElo"].iter().map(|name| elo(&game.tags, name)).sum()),
            Self::Plies => number(game.mainline().count() as u64),
        }
    }
}

fn elo(tags: &Tags, name: &str) -> u64 {
    tags.get(name).and_then(|elo| elo.trim().parse::<u16>().ok()).unwrap_or_default().into()
}

/// The settings of a search.
struct Plan {
    /// Whether only the number of games is requested.
    only_counts: bool,
    list: List,
}

impl Arguments {
    pub(super) fn run(mut self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let query = self.take_query()?;
        let listed = self.from_list.as_deref().map(ListedGames::read).transpose()?;
        if let (true, Some(listed)) = (self.inputs.files.is_empty(), &listed) {
            self.inputs.files = listed.files.clone();
        }
        self.check(listed.is_some())?;
        let mut end = InputEnd::default();
        let sources = self.inputs.sources(&mut end);
        let plan = Plan { only_counts: self.only_counts(listed.is_some()), list: self.list(&sources) };
        let (output, _lock) = self.open(out)?;
        let range = (self.skip, self.limit.unwrap_or(u64::MAX));
        let memory = usize::try_from(self.memory).unwrap_or(usize::MAX);
        let sorter = self.sort().map(|_| Sorter::new(memory));
        let mut taken = Taken::new(self.form, plan.list.headings(), &sources, listed, range, sorter, output);
        self.inputs.read_sources(
            Options { by_segment: query.is_indexed(), ..Options::default() },
            &sources,
            &mut end,
            self.shares_terminal(),
            |part, emit| self.search(part, &query, &plan, emit),
            &mut |source, bar, batch: Batch| {
                self.selection.print(&batch.findings.found, source, bar);
                taken.add(source, batch)
            },
        )?;
        taken.finish_sorting()?;
        taken.write_counts()?;
        end.check_target(&self.target)?;
        let status = end.status()?;
        let (output, summary) = taken.into_parts();
        // A file to append to remains unchanged if no game is found, or if not all inputs could be read.
        if self.append.is_none() || summary.found > 0 && status == ExitStatus::Yes {
            output.finish()?;
        }
        if !self.selection.quiet && !self.form.only_counts() {
            // A failure to write is ignored: the games are written.
            let _ = writeln!(io::stderr(), "{summary}");
        }
        let answer = if summary.found > 0 { ExitStatus::Yes } else { ExitStatus::No };
        Ok(answer.max(status))
    }

    /// Refuses a search without files, and `--all` without a format that it applies to.
    ///
    /// # Errors
    /// [`CliError::Usage`] in these cases.
    fn check(&self, has_list: bool) -> Result<(), CliError> {
        // An empty list names no file, so nothing is found.
        if self.inputs.files.is_empty() && !has_list {
            return Err(CliError::usage("no FILE is given; `-` is standard input"));
        }
        if self.all && !(self.form.fen || self.form.epd || self.form.json) {
            return Err(CliError::usage("--all is for --fen, --epd and --json"));
        }
        Ok(())
    }

    /// The sort key of games; `None` if only their number is requested.
    fn sort(&self) -> Option<SortKey> {
        self.sort.filter(|_| !self.form.only_counts())
    }

    /// Whether games may be counted without reading them.
    fn only_counts(&self, has_list: bool) -> bool {
        let takes_all = self.skip == 0 && self.limit.is_none() && !has_list;
        self.form.count && takes_all && !self.selection.is_thorough()
    }

    /// Whether standard output is used for the games that are found.
    fn shares_terminal(&self) -> bool {
        self.target.is_standard() && self.append.is_none()
    }

    /// The columns of the list, limited to the width of the terminal if it is written there.
    fn list(&self, sources: &[Source]) -> List {
        if self.form.csv {
            return List::csv(&self.columns);
        }
        let names = sources.iter().filter(|_| sources.len() > 1).map(|source| source.name().chars().count());
        let behind = names.max().map_or(0, |width| width + FILE_GAP.len());
        let limit = if self.shares_terminal() && io::stdout().is_terminal() {
            terminal::size().map(|(columns, _)| columns.saturating_sub(behind))
        } else {
            None
        };
        List::new(&self.columns, limit)
    }

    /// Searches a part of the input, and passes on the games that it finds.
    fn search(
        &self,
        part: &mut Part<'_>,
        query: &Query,
        plan: &Plan,
        emit: &mut dyn FnMut(Batch) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut finder = Finder::new(self.inputs.builder(), query);
        let mut batch = Batch::default();
        part.reader.require_found(Some(query))?;
        if plan.only_counts
            && let Some(position) = query.only_position()
            && let Some(counted) = part.reader.counted(position)?
        {
            batch.counted += counted.total.games;
        }
        loop {
            let passed = part.reader.skip_counting(Some(query), plan.only_counts)?;
            batch.games += passed.games;
            batch.counted += passed.found;
            if !part.reader.read_game(&mut finder)? {
                return emit(batch);
            }
            self.examine(&mut finder, plan, &mut batch);
            batch.games += 1;
            if batch.is_full() {
                emit(std::mem::take(&mut batch))?;
            }
        }
    }

    /// The query from the arguments or from a file; in the latter case the first argument is a file of games.
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
                let text = first.to_str().ok_or_else(|| CliError::usage("the query is not UTF-8"))?;
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

    /// Evaluates the query on the game that has been read.
    fn examine(&self, finder: &mut Finder<'_>, plan: &Plan, batch: &mut Batch) {
        if finder.is_ruled_out || !batch.findings.add_game(finder.builder.errors(), self.selection) {
            return;
        }
        match finder.look() {
            Some(false) => return,
            Some(true) if plan.only_counts => {
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
        let shown = self.show(game, &places, &plan.list);
        batch.bytes += shown.len();
        batch.found.push(Found {
            index: batch.games,
            shown,
            outcome: Outcome { result: game.result, player: finder.query.named_player(&game.tags) },
            key: self.sort().map(|key| self.sort_key(key, game)),
        });
    }

    /// The bytes by which a game is sorted. Games with equal keys stay in their order, even if that of the keys is
    /// reversed.
    fn sort_key(&self, key: SortKey, game: &Game) -> Vec<u8> {
        let mut key = key.of(game);
        if self.reverse {
            key.iter_mut().for_each(|byte| *byte = !*byte);
        }
        key
    }

    fn show(&self, game: &Game, places: &[Place], list: &List) -> Shown {
        match self.form {
            Form { count: true, .. } | Form { files_with_matches: true, .. } => Shown::Nothing,
            Form { list: true, .. } => Shown::Row(list.row(game, places)),
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
