//! The games that reach a position: `hematite pgn tree --list`, and the input of `--annotated`.

use super::each_game::GameCounter;
use super::table::{Cell, Column, Common, Kind, Table, column};
use super::tree_place::{Place, numbered, results};
use super::{Findings, InputEnd, JsonHead, MAX_FINDINGS, Sifted};
use crate::cli::{CliError, ExitStatus};
use crate::database::{GameFacts, Options, Query, Tally, rating};
use crate::notation::San;
use crate::notation::pgn::{Date, Game, GameResult};
use serde::Serialize;
use std::cmp::Reverse;
use std::io::Write;
use std::ops::ControlFlow;

/// The number of games that are passed on at a time.
const BATCH: u64 = 1024;

/// The values that a thread has made from some games.
struct Batch<T> {
    games: u64,
    /// The values, with the number of each game in the batch, counted from 0.
    made: Vec<(u64, T)>,
    findings: Findings,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Self { games: 0, made: Vec::new(), findings: Findings::default() }
    }
}

/// The place of a game: its file, and its number in the file, counted from 1.
pub(super) struct GamePlace<'a> {
    pub file: &'a str,
    pub number: u64,
}

/// Reads the games that the query finds on several threads; if there is an index, only those with the position of this
/// key in their main lines. The values that `make` creates from them are taken in the order of the input, until `take`
/// returns a break.
pub(super) fn games_at<T: Send + 'static>(
    common: &Common,
    key: Option<u64>,
    make: &(impl Fn(&Game) -> Option<T> + Sync),
    take: &mut dyn FnMut(GamePlace<'_>, T) -> ControlFlow<()>,
) -> Result<(u64, InputEnd), CliError> {
    let query = common.query.read(common.inputs.files())?;
    let query = query.as_ref();
    let mut end = InputEnd::default();
    let sources = common.inputs.sources(&mut end);
    let (mut counter, mut read) = (GameCounter::new(&sources), 0);
    let by_segment = key.is_some() || query.is_some_and(Query::is_indexed);
    common.inputs.read_sources(
        Options { by_segment, ..Options::default() },
        &sources,
        &mut end,
        false,
        |part, emit| {
            let mut builder = common.inputs.builder();
            let mut batch = Batch::default();
            match key {
                Some(key) => part.reader.require(key)?,
                None => part.reader.require_found(query)?,
            }
            loop {
                if key.is_some() || query.is_some() {
                    batch.games += part.reader.skip(query)?;
                }
                if !part.reader.read_game(&mut builder)? {
                    break;
                }
                let index = batch.games;
                batch.games += 1;
                let (game, last) = (builder.game(), builder.last_position());
                if query.is_none_or(|query| query.is_true(game, last))
                    && batch.findings.add_game(builder.errors(), common.selection)
                    && let Some(made) = make(game)
                {
                    batch.made.push((index, made));
                }
                if batch.games >= BATCH || batch.findings.found.len() >= MAX_FINDINGS {
                    emit(std::mem::take(&mut batch))?;
                }
            }
            emit(batch)
        },
        &mut |source, bar, batch: Batch<T>| {
            common.selection.print(&batch.findings.found, source, bar);
            let ((_, start), name) = (counter.add(source, batch.games), source.name());
            read += batch.games;
            for (index, made) in batch.made {
                let place = GamePlace { file: &name, number: start + index + 1 };
                if take(place, made).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok((read, end))
}

/// A game of a list.
#[derive(Clone, Serialize)]
pub(super) struct ListedGame {
    #[serde(flatten)]
    head: JsonHead,
    /// The number of plies before the position.
    ply: usize,
    /// The next move of the game; `None` if the game ends in the position.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    #[serde(skip)]
    cells: Vec<Cell>,
    #[serde(skip)]
    pub facts: GameFacts,
    /// The sum of the ratings of both players.
    #[serde(skip)]
    elo: u32,
    /// The date, of which unknown parts count as the earliest.
    #[serde(skip)]
    date: Date,
}

/// The order of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ListOrder {
    /// In the order of the input.
    Appearance,
    /// By the sum of both players' ratings, the highest first.
    Elo,
    /// By date, the latest first.
    Date,
}

impl ListOrder {
    /// Sorts games; equal ones remain in the order of the files.
    fn sort(self, games: &mut [ListedGame]) {
        match self {
            Self::Appearance => {}
            Self::Elo => games.sort_by_key(|game| Reverse(game.elo)),
            Self::Date => games.sort_by_key(|game| Reverse(game.date)),
        }
    }
}

/// The number of games beyond the limit that are kept before the list is sorted and cut.
const SPARE: usize = 1 << 12;

/// The columns of the list after those of the file and the number.
const COLUMNS: [(&str, Kind); 8] = [
    ("White", Kind::Cut),
    ("Elo", Kind::Right),
    ("Black", Kind::Cut),
    ("Elo", Kind::Right),
    ("Result", Kind::Left),
    ("Date", Kind::Left),
    ("Move", Kind::Left),
    ("Event", Kind::Cut),
];

impl ListedGame {
    /// A game that reaches the position; `None` if it does not. The caller sets its place.
    pub(super) fn new(game: &Game, place: &Place) -> Option<Self> {
        let node = *place.root.nodes(game, false).first()?;
        let position = &place.root.position;
        let mv = game.next(node).and_then(|next| game.mv(next)).map(|mv| San::new(position, mv).to_string());
        let tag = |name: &str| Cell::tag(game.tags.get(name).unwrap_or_default());
        let result = if game.result == GameResult::Draw { "1/2" } else { game.result.as_str() };
        let shown = mv.as_deref().map(|san| numbered(position, san));
        let cells = vec![
            tag("White"),
            tag("WhiteElo"),
            tag("Black"),
            tag("BlackElo"),
            result.into(),
            tag("Date"),
            Cell::tag(&shown.unwrap_or_default()),
            tag("Event"),
        ];
        let ply = std::iter::successors(game.parent(node), |&before| game.parent(before)).count();
        let facts = GameFacts::new(&game.tags, game.result);
        let elo = ["WhiteElo", "BlackElo"].map(|name| game.tags.get(name).and_then(rating).unwrap_or(0));
        let date = game.tags.date().unwrap_or_default();
        let elo = elo.into_iter().map(u32::from).sum();
        Some(Self { head: JsonHead::new(game), ply, mv, cells, facts, elo, date })
    }
}

/// The first games in some order, with a limit.
pub(super) struct FirstGames {
    order: ListOrder,
    limit: usize,
    games: Vec<ListedGame>,
}

impl FirstGames {
    pub(super) const fn new(order: ListOrder, limit: usize) -> Self {
        Self { order, limit, games: Vec::new() }
    }

    /// Adds the next game with its place.
    pub(super) fn add(&mut self, mut game: ListedGame, at: &GamePlace<'_>) {
        let is_sorted = self.order != ListOrder::Appearance;
        let most = if is_sorted { self.limit.saturating_add(SPARE) } else { self.limit };
        if self.games.len() < most {
            (game.head.file, game.head.game) = (at.file.to_owned(), at.number);
            self.games.push(game);
        }
        if is_sorted && self.games.len() == most {
            self.order.sort(&mut self.games);
            self.games.truncate(self.limit);
        }
    }

    pub(super) fn finish(mut self) -> Vec<ListedGame> {
        self.order.sort(&mut self.games);
        self.games.truncate(self.limit);
        self.games
    }
}

/// Games as a table.
pub(super) fn game_table(title: String, games: &[ListedGame]) -> Table {
    let mut table = Table { title, ..Table::default() };
    let has_files = games.windows(2).any(|pair| pair[0].head.file != pair[1].head.file);
    let files: Vec<Column> = has_files.then(|| column("File", Kind::Cut)).into_iter().collect();
    let others = COLUMNS.map(|(name, kind)| column(name, kind));
    table.columns = files.into_iter().chain([column("Game", Kind::Right)]).chain(others).collect();
    for game in games {
        let file = has_files.then(|| Cell::from(&*game.head.file));
        let number = Cell::from(game.head.game);
        table.push(file.into_iter().chain([number]).chain(game.cells.iter().cloned()).collect());
    }
    table
}

/// The listed games of a position, with the numbers of all games.
pub(super) struct GameList {
    games: Vec<ListedGame>,
    total: Tally,
    sifted: Sifted,
    end: InputEnd,
}

#[derive(Serialize)]
struct ListReport<'a> {
    list: &'a [ListedGame],
}

impl GameList {
    /// Reads the games of a position, and keeps the first `limit` of them in this order.
    pub(super) fn read(
        common: &Common,
        place: &Place,
        limit: usize,
        order: ListOrder,
    ) -> Result<Self, CliError> {
        let (mut games, mut total) = (FirstGames::new(order, limit), Tally::default());
        let turn = place.root.position.turn();
        let (read, end) = games_at(
            common,
            Some(place.root.key()),
            &|game| ListedGame::new(game, place),
            &mut |at, game: ListedGame| {
                total.add(&game.facts, turn);
                games.add(game, &at);
                ControlFlow::Continue(())
            },
        )?;
        let games = games.finish();
        let sifted = Sifted { read, found: total.games };
        Ok(Self { games, total, sifted, end })
    }

    /// The list as a table.
    pub(super) fn table(&self, place: &Place) -> Table {
        let facts = vec![results(&self.total, self.sifted)];
        let mut table = Table { facts, ..game_table(place.heading(), &self.games) };
        let left_out = self.total.games - self.games.len() as u64;
        if left_out > 0 {
            table.notes.push(format!("and {left_out} more; --limit N shows them"));
        }
        table
    }

    /// Writes the list; the answer is whether any game reaches the position.
    pub(super) fn write(
        &self,
        common: &Common,
        place: &Place,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, CliError> {
        let report = place.report(&self.total, self.sifted, ListReport { list: &self.games });
        common.write("Games of a position", &[self.table(place)], &report, &self.end, out)?;
        let answer = if self.total.games > 0 { ExitStatus::Yes } else { ExitStatus::No };
        Ok(answer.max(self.end.status()?))
    }
}
