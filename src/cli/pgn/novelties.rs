//! `hematite pgn novelties`: the first new move of games compared with earlier games.

use super::table::{Cell, Common, Kind, QUIET, STRICT, Table, column, too_many};
use super::{InputEnd, Inputs, Selection, Sifted, Wanted};
use crate::cli::streams::IgnoreBrokenPipe;
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus};
use crate::database::{Examined, FirstMoves, Novelty, Played, Visits, keys_of};
use crate::notation::{CastlingStyle, Fen, MoveNumber, San, SanMove, UciMove, pluralize};
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  hematite pgn novelties games.pgn
  hematite pgn novelties new.pgn --reference archive.hdb
  hematite pgn novelties --query 'white:carlsen' --min-games 10 games.pgn --reference archive/ --json

Each game is followed to its last position to which an earlier game came, by whatever moves; the next move is the
novelty. Earlier are the games of --reference or, without it, those of the same files, whose date is certain to be
before: a date such as 1993.??.?? may be any day of that year, and games of the same day are not earlier. A game without
a year is earlier than none, and none is earlier than it, so it is not shown. Exit code 1 if there is no novelty.";

/// The title of the HTML page.
const TITLE: &str = "Novelties";
/// The default number of plies of a game to compare: later moves are not opening moves, and positions with few pieces
/// recur.
const PLIES: u16 = 60;
/// The maximum number of plies.
const MAX_PLIES: u16 = 1000;

/// Show where games leave what was played before them.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, mut_arg("strict", |arg| arg.help(STRICT)), mut_arg("quiet", |arg| arg.help(QUIET)))]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    common: Common,

    /// The files, folders and collections of earlier games [default: the same files].
    #[arg(long, value_name = "FILE", num_args = 1..)]
    reference: Vec<PathBuf>,

    /// Look at this many plies of a game.
    #[arg(long, value_name = "N", default_value_t = PLIES, value_parser = integer_in::<u16>(1..=MAX_PLIES))]
    plies: u16,

    /// Leave out novelties in positions to which fewer games came before; 0 shows games with nothing before them, too.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<usize>(0..))]
    min_games: usize,
}

/// The identification of a game in the output.
#[derive(Serialize)]
struct GameName {
    white: String,
    black: String,
    event: String,
    round: String,
    date: String,
}

impl From<&Played> for GameName {
    fn from(game: &Played) -> Self {
        let [white, black, event, round] = game.texts.clone();
        Self { white, black, event, round, date: game.date.clone() }
    }
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    game: GameName,
    ply: usize,
    #[serde(rename = "move")]
    text: String,
    uci: String,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    eco: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    games: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<GameName>,
    /// The move with its number.
    #[serde(skip)]
    shown: String,
}

#[derive(Serialize)]
struct Report {
    read: u64,
    games: usize,
    undated: usize,
    novelties: Vec<Row>,
}

impl Row {
    fn new(game: &Examined, novelty: &Novelty) -> Self {
        let position = &novelty.position;
        let text =
            novelty.mv.map_or_else(|| SanMove::NULL.to_owned(), |mv| San::new(position, mv).to_string());
        let uci = novelty.mv.map_or(UciMove::Null, |mv| UciMove::new(mv, CastlingStyle::Standard));
        let named = game.opening();
        Self {
            game: (&game.played).into(),
            ply: novelty.ply,
            shown: format!("{} {text}", MoveNumber::of(position)),
            text,
            uci: uci.to_string(),
            fen: Fen::new(position).to_string(),
            eco: named.map(|opening| opening.code().to_string()),
            opening: named.map(|opening| opening.name().to_owned()),
            games: novelty.games,
            last: novelty.last.as_ref().map(Into::into),
        }
    }
}

/// The first moves of the selected games, up to `plies` plies, and the numbers of games.
pub(in crate::cli) fn first_moves(
    inputs: &Inputs,
    wanted: Wanted<'_>,
    plies: usize,
) -> Result<(Vec<Examined>, Sifted, InputEnd), CliError> {
    let mut games = Vec::new();
    let (sifted, end) = inputs.sift(
        wanted,
        || FirstMoves::new(plies),
        |moves, header, _| moves.add(Played::new(header)),
        |part| {
            games.extend(part.games);
            Ok(())
        },
    )?;
    Ok((games, sifted, end))
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether there are such games.
        let out = &mut IgnoreBrokenPipe::new(out);
        let plies = self.plies.into();
        let Common { inputs, query, selection, .. } = &self.common;
        let query = query.read(inputs.files())?;
        let wanted = Wanted { query: query.as_ref(), selection: *selection, position: None };
        let (games, sifted, end) = first_moves(inputs, wanted, plies)?;
        let mut status = end.status()?;
        let mut earlier;
        if self.reference.is_empty() {
            earlier = Visits::of(Arc::new(keys_of(&games)));
            earlier.add_games(&games).map_err(too_many)?;
        } else {
            // Findings in the reference games are not part of the answer.
            let reference = Inputs::of(self.reference.clone(), self.common.inputs.threads);
            let end;
            (earlier, end) = earlier_games(&games, &reference, self.common.selection.silent())?;
            end.check_target(&self.common.target)?;
            status = status.max(end.status()?);
        }
        earlier.sort();
        let rows: Vec<Row> = games
            .par_iter()
            .filter_map(|game| {
                let novelty = earlier.novelty(game)?;
                (novelty.games >= self.min_games).then(|| Row::new(game, &novelty))
            })
            .collect();
        let undated = games.iter().filter(|game| game.played.is_undated()).count();
        let answer = if rows.is_empty() { ExitStatus::No } else { ExitStatus::Yes };
        let table = table(&rows, games.len(), undated);
        let report = Report { read: sifted.read, games: games.len(), undated, novelties: rows };
        self.common.write(TITLE, &[table], &report, &end, out)?;
        Ok(answer.max(status))
    }
}

/// The moves of the reference games that reach positions of these games.
pub(in crate::cli) fn earlier_games(
    games: &[Examined],
    reference: &Inputs,
    selection: Selection,
) -> Result<(Visits, InputEnd), CliError> {
    let wanted = Arc::new(keys_of(games));
    let mut earlier = Visits::of(Arc::clone(&wanted));
    let (_, end) = reference.sift(
        Wanted { query: None, selection, position: None },
        || Visits::of(Arc::clone(&wanted)),
        |visits, header, _| visits.add(Played::new(header)),
        |part| earlier.merge(part).map_err(too_many),
    )?;
    Ok((earlier, end))
}

fn table(rows: &[Row], games: usize, undated: usize) -> Table {
    let mut table = Table { title: TITLE.to_owned(), ..Table::default() };
    table.facts = vec![format!("{} of {}", rows.len(), pluralize(games as u64, "game"))];
    table.columns = vec![
        column("White", Kind::Cut),
        column("Black", Kind::Cut),
        column("Date", Kind::Left),
        column("Ply", Kind::Right),
        column("Move", Kind::Left),
        column("Before", Kind::Right),
        column("Last", Kind::Cut),
        column("Opening", Kind::Cut),
        column("Position", Kind::Cut),
    ];
    for row in rows {
        let last = |last: &GameName| format!("{} - {}, {}", last.white, last.black, last.date);
        let opening = match (&row.eco, &row.opening) {
            (Some(code), Some(name)) => format!("{code} {name}"),
            _ => String::new(),
        };
        table.push(vec![
            row.game.white.clone().into(),
            row.game.black.clone().into(),
            row.game.date.clone().into(),
            (row.ply as u64).into(),
            row.shown.clone().into(),
            (row.games as u64).into(),
            Cell::optional(row.last.as_ref().map(last)),
            opening.into(),
            row.fen.clone().into(),
        ]);
    }
    if undated > 0 {
        table.notes.push(format!("{} without a year left out", pluralize(undated as u64, "game")));
    }
    table
}
