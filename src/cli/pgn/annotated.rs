//! `hematite pgn tree --annotated`: the glyphs and comments of games on the moves of a position.

use super::Sifted;
use super::table::{Common, Kind, Table, column};
use super::tree_games::{GamePlace, games_at};
use super::tree_place::{Place, numbered, results};
use crate::chess::{Move, Position};
use crate::cli::{CliError, ExitStatus};
use crate::database::{GameFacts, NotedMove, Tally};
use crate::notation::pgn::{Game, Nag};
use crate::notation::{CastlingStyle, San, UciMove, pluralize};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;

/// The maximum number of comments of a position that are kept; further ones are only counted.
const MAX_COMMENTS: usize = 1 << 16;

/// A move with its glyphs and comments.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    text: String,
    uci: String,
    /// The number of games with the move, in the main line or in a variation.
    games: u64,
    /// The number of these games with a glyph or a comment on the move.
    annotated: u64,
    nags: Vec<NagCount>,
    comments: Vec<Comment>,
    #[serde(skip)]
    left_out: usize,
}

/// The number of games with a glyph.
#[derive(Serialize)]
struct NagCount {
    nag: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    sign: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meaning: Option<String>,
    games: u64,
}

impl NagCount {
    fn new(nag: Nag, games: u64) -> Self {
        Self { nag: nag.0, sign: nag.sign(), meaning: nag.words().map(Into::into), games }
    }

    fn shown(&self) -> String {
        match self.sign {
            Some(sign) => format!("{sign} {}", self.games),
            None => format!("${} {}", self.nag, self.games),
        }
    }
}

/// A comment, and the game that it comes from.
#[derive(Clone, Serialize)]
struct Comment {
    file: String,
    game: u64,
    white: String,
    black: String,
    date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotator: Option<String>,
    nags: Vec<u8>,
    text: String,
}

#[derive(Serialize)]
struct Annotations {
    annotated: u64,
    moves: Vec<Row>,
}

/// The moves of a game in the position, and the data of the game.
struct Noted {
    moves: Vec<NotedMove>,
    facts: GameFacts,
    /// White, Black, the date and the annotator.
    names: [Option<String>; 4],
}

/// The annotations of a move.
#[derive(Default)]
struct Notes {
    games: u64,
    annotated: u64,
    nags: BTreeMap<u8, u64>,
    comments: Vec<Comment>,
    left_out: usize,
}

/// The annotations of all moves of the position.
#[derive(Default)]
struct Collected {
    /// The moves in the order of their first occurrence.
    moves: Vec<(Move, Notes)>,
    /// The number of games with a glyph or a comment on one of the moves.
    annotated: u64,
    /// The number of comments that are kept.
    held: usize,
}

impl Collected {
    fn add(&mut self, at: &GamePlace<'_>, game: Noted) {
        self.annotated += u64::from(game.moves.iter().any(NotedMove::is_annotated));
        let [white, black, date, annotator] = &game.names;
        let known = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
        for noted in game.moves {
            let index = self.moves.iter().position(|(mv, _)| *mv == noted.mv).unwrap_or_else(|| {
                self.moves.push((noted.mv, Notes::default()));
                self.moves.len() - 1
            });
            let notes = &mut self.moves[index].1;
            notes.games += 1;
            notes.annotated += u64::from(noted.is_annotated());
            for nag in &noted.nags {
                *notes.nags.entry(nag.0).or_default() += 1;
            }
            for text in noted.comments {
                if self.held >= MAX_COMMENTS {
                    notes.left_out += 1;
                    continue;
                }
                self.held += 1;
                notes.comments.push(Comment {
                    file: at.file.to_owned(),
                    game: at.number,
                    white: known(white),
                    black: known(black),
                    date: known(date),
                    annotator: annotator.clone(),
                    nags: noted.nags.iter().map(|nag| nag.0).collect(),
                    text,
                });
            }
        }
    }
}

/// Shows the annotations of the moves of a position that at least `min_games` games contain, with at most `limit`
/// comments on each move.
pub(super) fn show_annotations(
    common: &Common,
    place: &Place,
    min_games: u64,
    limit: usize,
    out: &mut dyn Write,
) -> Result<ExitStatus, CliError> {
    let position = place.root.position;
    let make = |game: &Game| {
        let nodes = place.root.nodes(game, true);
        let tag = |name: &str| game.tags.get(name).map(str::to_owned);
        (!nodes.is_empty()).then(|| Noted {
            moves: NotedMove::at(game, &nodes, true),
            facts: GameFacts::new(&game.tags, game.result),
            names: [tag("White"), tag("Black"), tag("Date"), tag("Annotator")],
        })
    };
    let mut total = Tally::default();
    let mut collected = Collected::default();
    // The position may also occur in variations, which the index does not include.
    let (read, end) = games_at(common, None, &make, &mut |at, game: Noted| {
        total.add(&game.facts, position.turn());
        collected.add(&at, game);
        ControlFlow::Continue(())
    })?;
    let Collected { moves: mut all, annotated, .. } = collected;
    all.retain(|(_, notes)| notes.games >= min_games);
    all.sort_by_key(|(_, notes)| (Reverse(notes.annotated), Reverse(notes.games)));
    let row = |(mv, notes): (Move, Notes)| Row {
        text: San::new(&position, mv).to_string(),
        uci: UciMove::new(mv, CastlingStyle::Standard).to_string(),
        games: notes.games,
        annotated: notes.annotated,
        nags: notes.nags.into_iter().map(|(nag, games)| NagCount::new(Nag(nag), games)).collect(),
        comments: notes.comments,
        left_out: notes.left_out,
    };
    let mut moves: Vec<Row> = all.into_iter().map(row).collect();
    let sifted = Sifted { read, found: total.games };
    let facts = vec![
        results(&total, sifted),
        format!("{} with notes on moves here, in main lines or in variations", pluralize(annotated, "game")),
    ];
    let mut tables = vec![Table { title: place.heading(), facts, ..move_table(&position, &moves) }];
    let commented = moves.iter().filter(|row| !row.comments.is_empty());
    tables.extend(commented.map(|row| comment_table(numbered(&position, &row.text), row, limit)));
    moves.iter_mut().for_each(|row| row.comments.truncate(limit));
    let report = place.report(&total, sifted, Annotations { annotated, moves });
    common.write("Annotations", &tables, &report, &end, out)?;
    let answer = if annotated > 0 { ExitStatus::Yes } else { ExitStatus::No };
    Ok(answer.max(end.status()?))
}

/// The table of moves with their glyphs.
fn move_table(position: &Position, moves: &[Row]) -> Table {
    let columns = vec![
        column("Move", Kind::Left),
        column("Games", Kind::Right),
        column("Annotated", Kind::Right),
        column("Glyphs", Kind::Left),
    ];
    let mut table = Table { columns, ..Table::default() };
    for row in moves {
        let nags: Vec<String> = row.nags.iter().map(NagCount::shown).collect();
        let name = numbered(position, &row.text);
        table.push(vec![name.into(), row.games.into(), row.annotated.into(), nags.join(", ").into()]);
    }
    table
}

/// The table of comments on a move, at most `limit` of them.
fn comment_table(title: String, row: &Row, limit: usize) -> Table {
    let mut table = Table { title, ..Table::default() };
    table.columns = vec![
        column("Game", Kind::Left),
        column("Players", Kind::Cut),
        column("Date", Kind::Left),
        column("Comment", Kind::Left),
    ];
    for comment in row.comments.iter().take(limit) {
        let Comment { file, game, white, black, date, annotator, nags, text } = comment;
        let signs: String =
            nags.iter().filter_map(|&nag| Nag(nag).sign()).map(|sign| format!("{sign} ")).collect();
        let by = annotator.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
        table.push(vec![
            format!("{file}#{game}").into(),
            format!("{white} – {black}").into(),
            date.clone().into(),
            format!("{signs}{text}{by}").into(),
        ]);
    }
    let left_out = row.comments.len().saturating_sub(limit) + row.left_out;
    if left_out > 0 {
        table.notes.push(format!("and {left_out} more; --json has all that are held"));
    }
    table
}
