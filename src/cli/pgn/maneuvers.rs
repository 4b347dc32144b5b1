//! `hematite pgn maneuvers`: the moves of games soon after a position.

use super::table::{Cell, Common, Kind, QUIET, STRICT, Table, column, too_many};
use super::tree_place::{PlaceArg, SHOWN, results};
use crate::chess::Color;
use crate::cli::streams::IgnoreBrokenPipe;
use crate::cli::values::{SideName, integer_in};
use crate::cli::{CliError, ExitStatus};
use crate::database::{GameFacts, Maneuver, ManeuverGames, Maneuvers, Numbers};
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  hematite pgn maneuvers --moves '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6' games.pgn
  hematite pgn maneuvers --moves '1. d4 Nf6' --ahead 15 --side black --routes archive/
  hematite pgn maneuvers --query 'white:karpov' --fen 'r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq -' \\
      --json games.pgn

A move counts once in a game, however often it is played within the next moves; its delay is the number of full
moves up to the first time. The routes of --routes are those of pieces that move twice or more, up to the last move
that counts. Exit code 1 if no game reaches the position.";

/// Show what is played within the next moves after a position, move by move or piece by piece.
#[derive(clap::Args, Debug)]
#[command(
    after_help = EXAMPLES,
    mut_arg("strict", |arg| arg.help(STRICT)),
    mut_arg("quiet", |arg| arg.help(QUIET)),
)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    place: PlaceArg,

    /// The full moves after the position that count.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = integer_in::<u32>(1..=100))]
    ahead: u32,

    /// Show one side only.
    #[arg(long, value_name = "SIDE")]
    side: Option<SideName>,

    /// Show the routes of pieces, such as Nb1-d2-f1-g3, instead of moves.
    #[arg(long)]
    routes: bool,

    /// Show at most N of each side [default: 40, with --json all].
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(1..))]
    limit: Option<usize>,
}

#[derive(Serialize)]
struct ManeuverRow {
    #[serde(rename = "move")]
    text: String,
    delay: f64,
    #[serde(flatten)]
    numbers: Numbers,
}

#[derive(Serialize)]
struct ManeuverReport {
    ahead: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_white: Option<Vec<ManeuverRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_black: Option<Vec<ManeuverRow>>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let out = &mut IgnoreBrokenPipe::new(out);
        let place = self.place.read(2 * self.ahead)?;
        let mut maneuvers = Maneuvers::new(Arc::clone(&place.root), self.routes);
        let (sifted, end) = self.common.sift(
            Some(place.root.key()),
            || Maneuvers::new(Arc::clone(&place.root), self.routes),
            |maneuvers, header, result| maneuvers.add(&GameFacts::new(header, result)),
            |part| maneuvers.merge(part).map_err(too_many),
        )?;
        let total = maneuvers.total;
        let of =
            |side: SideName| self.side.is_none_or(|shown| shown == side).then(|| self.rows(&maneuvers, side));
        let (white, black) = (of(SideName::White), of(SideName::Black));
        let head = Table {
            title: place.heading(),
            facts: vec![
                results(&total, sifted),
                format!("What is played within the next {} moves:", self.ahead),
            ],
            ..Table::default()
        };
        let sides = [("White", &white), ("Black", &black)].into_iter();
        let sides = sides.filter_map(|(name, rows)| Some((name, rows.as_ref()?)));
        let tables: Vec<Table> = [head]
            .into_iter()
            .chain(sides.map(|(name, (rows, left_out))| table(name, rows, *left_out)))
            .collect();
        let content = ManeuverReport {
            ahead: self.ahead,
            of_white: white.map(|rows| rows.0),
            of_black: black.map(|rows| rows.0),
        };
        self.common.write("Maneuvers", &tables, &place.report(&total, sifted, content), &end, out)?;
        let answer = if total.games > 0 { ExitStatus::Yes } else { ExitStatus::No };
        Ok(answer.max(end.status()?))
    }

    /// The rows of a side, and the number of those beyond the limit.
    fn rows(&self, maneuvers: &Maneuvers, side: SideName) -> (Vec<ManeuverRow>, usize) {
        let limit = self.limit.unwrap_or(if self.common.is_json() { usize::MAX } else { SHOWN });
        let side = Color::from(side);
        let sorted = maneuvers.sorted(side);
        let left_out = sorted.len().saturating_sub(limit);
        let row = |(maneuver, games): (&Maneuver, &ManeuverGames)| ManeuverRow {
            text: maneuver.text().to_owned(),
            delay: games.delay(),
            numbers: Numbers::new(&games.tally, maneuvers.total.games, side),
        };
        (sorted.into_iter().take(limit).map(row).collect(), left_out)
    }
}

/// The table of a side.
fn table(side: &str, rows: &[ManeuverRow], left_out: usize) -> Table {
    let mut table = Table { title: side.to_owned(), ..Table::default() };
    table.columns = vec![
        column("Move", Kind::Cut),
        column("Games", Kind::Right),
        column("%", Kind::Right),
        column("After", Kind::Right),
        column("+ = -", Kind::Left),
        column("Score", Kind::Right),
        column("Perf", Kind::Right),
        column("Last", Kind::Right),
    ];
    for ManeuverRow { text, delay, numbers } in rows {
        table.push(vec![
            text.clone().into(),
            numbers.games.into(),
            Cell::decimal(Some(numbers.share)),
            Cell::decimal(Some(*delay)),
            Cell::bar_of(numbers),
            Cell::decimal(numbers.score),
            Cell::optional(numbers.performance),
            Cell::optional(numbers.last_year),
        ]);
    }
    if table.rows.is_empty() {
        table.notes.push("nothing".to_owned());
    } else if left_out > 0 {
        table.notes.push(format!("and {left_out} more; --limit N shows them"));
    }
    table
}
