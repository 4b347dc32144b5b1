//! `hematite pgn show`: single games in a readable form.

use super::each_game::GameCounter;
use super::one_game::{JsonHead, NamedOpening};
use super::table::{QUIET, STRICT};
use super::{Findings, InputEnd, Inputs, MAX_FINDINGS, QueryArg, Selection, TEXT_BYTES};
use crate::chess::{Color, Position};
use crate::cli::streams::{IgnoreBrokenPipe, OutputArg, plain, write_json};
use crate::cli::values::{GameRange, Ply, integer_in};
use crate::cli::{CliError, ExitStatus};
use crate::database::{Options, Part, Query, Source, is_known_name, own_text};
use crate::notation::pgn::{Export, Game, GameBuilder, NodeId, SEVEN_TAG_ROSTER};
use crate::notation::{BoardText, Fen, San, SanMove};
use parking_lot::Mutex;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  hematite pgn show --game 3 games.pgn
  hematite pgn show --query 'white:tal black:smyslov' archive/
  hematite pgn show --game 3 --raw games.pgn > game.pgn
  hematite pgn show --game 1 --ply 20 games.pgn
  hematite pgn show --game 1 --from 12w --to 20b games.pgn

A game is shown by its players, event, opening, other tags, and the moves of the main line. With --raw it is its text
in the file, byte for byte with the comments before it; of a collection that is the text of a game with errors, and
the export of any other. Numbers are those of `hematite pgn find --list`: they count the games of each file.
Exit code 1 if there is no such game, or if one of them has no such position.";

/// The number of games that a thread examines before it passes on its results.
const MAX_GAMES: u64 = 1024;
/// The maximum length of a line of moves, in characters.
const MAX_COLUMNS: usize = 79;

/// Show games as text, or as they stand in their files.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, mut_arg("strict", |arg| arg.help(STRICT)), mut_arg("quiet", |arg| arg.help(QUIET)))]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Show the games with these numbers, such as 3,10..20 [default: all games].
    #[arg(long = "game", value_name = "NUMBERS", value_delimiter = ',', conflicts_with = "QueryArg")]
    games: Vec<GameRange>,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    form: Form,

    /// Show the moves of the main line from this ply or move on, such as 12w or 12b, and not those before.
    #[arg(long, value_name = "PLY|MOVE", conflicts_with = "raw")]
    from: Option<Ply>,

    /// Show the moves up to this one.
    #[arg(long, value_name = "PLY|MOVE", conflicts_with = "raw")]
    to: Option<Ply>,

    /// Also show the last position.
    #[arg(long, conflicts_with = "raw")]
    board: bool,

    /// Also show the position after N plies.
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(0..), conflicts_with_all = ["raw", "board"])]
    ply: Option<usize>,

    #[command(flatten)]
    target: OutputArg,

    #[command(flatten)]
    selection: Selection,
}

#[derive(clap::Args, Clone, Copy, Debug)]
#[group(multiple = false)]
struct Form {
    /// Show the text as it stands in the file.
    #[arg(long)]
    raw: bool,
    /// Write a JSON object on a line for each game.
    #[arg(long)]
    json: bool,
}

/// The words of the main line, without a space after move numbers: `1.e4`, `e5`, `2.Nf3`. `from` and `to` limit them to
/// a range of moves; the result is included if the range extends to the end.
pub(super) fn move_words(game: &Game, from: Option<Ply>, to: Option<Ply>) -> Vec<String> {
    if !game.unread().is_empty() {
        let words = game.unread().split_whitespace().map(str::to_owned);
        return words.chain([game.result.as_str().to_owned()]).collect();
    }
    let mut words = Vec::new();
    let mut position = *game.start();
    for (node, plies) in game.mainline().zip(1..) {
        let (fullmove, turn) = (position.fullmove_number(), position.turn());
        let place = |ply: Ply| ply.place_of(plies, fullmove, turn);
        if to.is_some_and(|to| place(to).is_gt()) {
            return words;
        }
        let number = match turn {
            Color::White => format!("{fullmove}."),
            Color::Black if words.is_empty() => format!("{fullmove}..."),
            Color::Black => String::new(),
        };
        let (text, after) = match game.mv(node) {
            Some(mv) => {
                let (text, after) = San::new(&position, mv).played();
                (text.to_string(), after)
            }
            None => (SanMove::NULL.to_owned(), position.after_null()),
        };
        if from.is_none_or(|from| place(from).is_ge()) {
            words.push(number + &text);
        }
        position = after;
    }
    words.push(game.result.as_str().to_owned());
    words
}

/// Wraps words into lines.
fn wrap(words: &[String], text: &mut String) {
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > MAX_COLUMNS {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
}

/// Tags that appear elsewhere in the head of a game.
const OWN_PLACE: [&str; 6] = ["WhiteElo", "BlackElo", "ECO", "Opening", "Variation", "SubVariation"];

/// The players, the event, the opening and the other tags, each on a line.
fn head(game: &Game) -> String {
    let tag = |name: &str| game.tags.get(name).unwrap_or("?");
    let known = |name: &str| game.tags.get(name).filter(|value| is_known_name(value));
    let player = |name: &str, elo: &str| match known(elo) {
        Some(elo) => format!("{} ({elo})", tag(name)),
        None => tag(name).to_owned(),
    };
    let (white, black) = (player("White", "WhiteElo"), player("Black", "BlackElo"));
    let mut lines = vec![format!("{white} – {black}  {}", game.result.as_str())];
    let round = known("Round").map(|round| format!("round {round}"));
    let parts = ["Event", "Site", "Date"].into_iter().filter_map(known).map(str::to_owned);
    let event: Vec<String> = parts.chain(round).collect();
    lines.push(event.join(", "));
    let NamedOpening { code, name, .. } = NamedOpening::of(game);
    lines.push(format!("{code} {name}"));
    let is_other =
        |name: &str| !OWN_PLACE.contains(&name) && !SEVEN_TAG_ROSTER.iter().any(|roster| roster.0 == name);
    let others: Vec<(&str, &str)> = game.tags.iter().filter(|(name, _)| is_other(name)).collect();
    /// The maximum length of a name with which others are aligned, in characters.
    const MAX_NAME: usize = 20;
    let width = others.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default().min(MAX_NAME);
    lines.extend(others.iter().map(|(name, value)| format!("{name:<width$}  {value}")));
    let lines = lines.iter().map(|line| plain(line.trim())).filter(|line| !line.is_empty());
    lines.map(|line| line + "\n").collect()
}

impl Arguments {
    /// The requested position, if the game has it, and the number of plies before it.
    fn position(&self, game: &Game) -> Option<(usize, Position)> {
        let all = game.mainline().count();
        let plies = if self.board { all } else { self.ply? };
        let node = match plies.checked_sub(1) {
            Some(before) => game.mainline().nth(before)?,
            None => NodeId::ROOT,
        };
        game.unread().is_empty().then(|| (plies, game.position(node)))
    }

    fn show(&self, game: &Game, text: Option<&[u8]>) -> Shown {
        if self.form.json {
            return Shown::Json(Box::new(JsonGame {
                head: JsonHead::new(game),
                moves: move_words(game, self.from, self.to).join(" "),
                fen: self.position(game).map(|(_, position)| Fen::new(&position).to_string()),
            }));
        }
        if let Some(text) = text {
            return Shown::Text(text_of_file(text));
        }
        let mut text = head(game);
        text.push('\n');
        wrap(&move_words(game, self.from, self.to), &mut text);
        if self.board || self.ply.is_some() {
            // Writing to a string cannot fail.
            let _ = match self.position(game) {
                Some((plies, position)) => {
                    let (board, fen) = (BoardText::new(position.board()), Fen::new(&position));
                    writeln!(text, "\nafter ply {plies}\n{board}\n{fen}")
                }
                None => writeln!(text, "\nThere is no such position in this game."),
            };
        }
        Shown::Text(text.into_bytes())
    }

    pub(super) fn run(mut self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether there are such games.
        let out = &mut IgnoreBrokenPipe::new(out);
        let query = self.query.read(self.inputs.files())?;
        if !self.games.is_empty() {
            // The numbers of games are known only if they are read in order.
            self.inputs.threads = Some(1);
        }
        let mut end = InputEnd::default();
        let sources = self.inputs.sources(&mut end);
        let choice = Choice::new(&self.games, query, &sources);
        let mut output = self.target.open(out)?;
        let (found, without_position) = self.write_games(&choice, &sources, &mut end, &mut output)?;
        end.check_target(&self.target)?;
        let status = end.status()?;
        output.finish()?;
        if found == 0 && !self.selection.quiet {
            // A failure to write is ignored: the exit code also reports it.
            let _ = writeln!(io::stderr(), "there is no such game");
        }
        let is_complete = found > 0 && without_position == 0;
        Ok(if is_complete { ExitStatus::Yes } else { ExitStatus::No }.max(status))
    }

    /// Writes the chosen games. Returns their number, and the number of those without the requested position.
    fn write_games(
        &self,
        choice: &Choice<'_>,
        sources: &[Source],
        end: &mut InputEnd,
        output: &mut dyn Write,
    ) -> Result<(u64, u64), CliError> {
        let mut counter = GameCounter::new(sources);
        let (mut found, mut without_position) = (0, 0);
        self.inputs.read_sources(
            Options { keeps_text: self.form.raw, ..Options::default() },
            sources,
            end,
            self.target.is_standard(),
            |part, emit| self.read_part(part, choice, emit),
            &mut |source, bar, batch: Batch| {
                let (current, before) = counter.add(source, batch.games);
                self.selection.print(&batch.findings.found, source, bar);
                for (index, shown) in batch.shown {
                    found += 1;
                    shown.write(&source.name(), before + index, found == 1, output)?;
                }
                without_position += batch.without_position;
                let is_done = current + 1 == sources.len() && choice.ends_before(before + batch.games + 1);
                Ok(if is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            },
        )?;
        Ok((found, without_position))
    }

    /// Reads the games of a part, and passes on the chosen ones.
    fn read_part(
        &self,
        part: &mut Part<'_>,
        choice: &Choice<'_>,
        emit: &mut dyn FnMut(Batch) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut builder = self.inputs.builder();
        let mut batch = Batch::default();
        let query = choice.query();
        part.reader.require_found(query)?;
        loop {
            if query.is_some() {
                batch.games += part.reader.skip(query)?;
            }
            if !part.reader.read_game(&mut builder)? {
                return emit(batch);
            }
            batch.games += 1;
            let (is_wanted, is_last) = choice.examine(part.source, &builder);
            if is_wanted && batch.findings.add_game(builder.errors(), self.selection) {
                self.add_shown(part, builder.game(), &mut batch)?;
            }
            if is_last || batch.is_full() {
                emit(std::mem::take(&mut batch))?;
            }
        }
    }

    /// Adds the output of the game that was read from this part.
    fn add_shown(&self, part: &mut Part<'_>, game: &Game, batch: &mut Batch) -> io::Result<()> {
        let text = if self.form.raw {
            let kept = part.reader.source_text()?.map(|(_, text)| text);
            Some(kept.unwrap_or_else(|| Export::new().game(game).into_bytes()))
        } else {
            None
        };
        let wants_position = self.board || self.ply.is_some();
        batch.without_position += u64::from(wants_position && self.position(game).is_none());
        let shown = self.show(game, text.as_deref());
        batch.bytes += shown.len();
        batch.shown.push((batch.games, shown));
        Ok(())
    }
}

/// The choice of the games that are shown.
enum Choice<'a> {
    /// By their numbers, up to this last one. The games are counted while they are read.
    Numbers(&'a [GameRange], u64, Mutex<GameCounter<'a>>),
    Query(Query),
    All,
}

impl<'a> Choice<'a> {
    fn new(numbers: &'a [GameRange], query: Option<Query>, sources: &'a [Source]) -> Self {
        let last = numbers.iter().map(|range| range.last()).max();
        match (last, query) {
            (Some(last), _) => Self::Numbers(numbers, last, Mutex::new(GameCounter::new(sources))),
            (None, Some(query)) => Self::Query(query),
            (None, None) => Self::All,
        }
    }

    const fn query(&self) -> Option<&Query> {
        match self {
            Self::Query(query) => Some(query),
            Self::Numbers(..) | Self::All => None,
        }
    }

    /// Whether the game that was read is chosen, and whether it is the last one of its source that can be.
    fn examine(&self, source: &Source, builder: &GameBuilder) -> (bool, bool) {
        match self {
            Self::Numbers(ranges, last, counter) => {
                let number = counter.lock().add(source, 1).1 + 1;
                (ranges.iter().any(|range| range.contains(number)), number == *last)
            }
            Self::Query(query) => (query.is_true(builder.game(), builder.last_position()), false),
            Self::All => (true, false),
        }
    }

    /// Whether all games with this number and those after it are left out.
    const fn ends_before(&self, number: u64) -> bool {
        matches!(self, Self::Numbers(_, last, _) if *last < number)
    }
}

/// The games that a thread has selected, each with its number in the batch, counted from 1.
#[derive(Default)]
struct Batch {
    games: u64,
    shown: Vec<(u64, Shown)>,
    bytes: usize,
    findings: Findings,
    /// The number of games without the requested position.
    without_position: u64,
}

impl Batch {
    const fn is_full(&self) -> bool {
        self.bytes >= TEXT_BYTES || self.games >= MAX_GAMES || self.findings.found.len() >= MAX_FINDINGS
    }
}

/// The output of a game.
enum Shown {
    Text(Vec<u8>),
    Json(Box<JsonGame>),
}

#[derive(Serialize)]
struct JsonGame {
    #[serde(flatten)]
    head: JsonHead,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
}

impl Shown {
    const fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Json(_) => 0,
        }
    }

    fn write(self, file: &str, number: u64, is_first: bool, out: &mut dyn Write) -> Result<(), CliError> {
        match self {
            Self::Text(text) => {
                out.write_all(if is_first { b"" } else { b"\n" })?;
                Ok(out.write_all(&text)?)
            }
            Self::Json(mut game) => {
                file.clone_into(&mut game.head.file);
                game.head.game = number;
                write_json(out, &game)
            }
        }
    }
}

/// The text of a game followed by a line end.
fn text_of_file(text: &[u8]) -> Vec<u8> {
    let line_end: &[u8] = if text.contains(&b'\r') { b"\r\n" } else { b"\n" };
    [own_text(text), line_end].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_moves_are_not_too_long() {
        let mut text = String::new();
        wrap(&vec!["12.Nxe5".to_owned(); 40], &mut text);
        assert!(text.lines().all(|line| line.chars().count() <= MAX_COLUMNS), "{text}");
        assert_eq!((text.split_whitespace().count(), text.lines().count()), (40, 4));
    }
}
