//! The moves of a position that the named openings and a book have: `/api/openings/tree` and `/api/book`.

use super::app::App;
use super::body::JsonBody;
use super::failure::Failure;
use super::files::root;
use super::named_book;
use super::positions::Line;
use crate::book::BookMove;
use crate::chess::{Move, Position};
use crate::database::{Branch, Tree};
use crate::notation::eco::opening;
use crate::notation::{San, UciMove, percent};
use crate::uci::castling_style;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::sync::Arc;

/// A position, the moves that follow, and a book.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BookLine {
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    /// The name of the book; `None` for the first one.
    #[serde(default)]
    book: Option<String>,
}

/// A move of the lines of named openings.
#[derive(Serialize)]
pub(super) struct LineRow {
    #[serde(flatten)]
    named: NamedMove,
    /// The number of lines with the move.
    lines: u64,
    /// The share of these lines among those with a move in the position, in percent.
    percent: f64,
}

/// A move of a book.
#[derive(Serialize)]
pub(super) struct BookRow {
    #[serde(flatten)]
    named: NamedMove,
    weight: u16,
    /// The share of the weight among all moves of the position, in percent.
    percent: f64,
}

/// A move in both notations, and the opening of the position after it.
#[derive(Serialize)]
struct NamedMove {
    uci: String,
    san: String,
    eco: Option<String>,
    opening: Option<String>,
}

impl NamedMove {
    fn new(position: &Position, mv: Move) -> Self {
        let (san, after) = San::new(position, mv).played();
        let name = opening(&after);
        Self {
            uci: UciMove::new(mv, castling_style(position)).to_string(),
            san: san.to_string(),
            eco: name.map(|name| name.code().to_string()),
            opening: name.map(|name| name.name().to_owned()),
        }
    }
}

/// Answers `POST /api/openings/tree`.
///
/// # Errors
/// [`Failure`] if the position is invalid, or a move is illegal.
pub(super) async fn openings(JsonBody(line): JsonBody<Line>) -> Result<Json<Vec<LineRow>>, Failure> {
    let played = line.play()?;
    let rows = tokio::task::spawn_blocking(move || {
        let root = root(played.start, played.moves);
        let tree = Tree::of_openings(Arc::clone(&root), false);
        let mut branches = tree.branches(root.key(), &played.position);
        branches.sort_by_key(|(_, branch)| (Reverse(branch.tally.games), branch.first));
        let sum = branches.iter().map(|(_, branch)| branch.tally.games).sum();
        let row = |(mv, branch): &(Move, &Branch)| {
            let lines = branch.tally.games;
            LineRow {
                named: NamedMove::new(&played.position, *mv),
                lines,
                percent: percent(lines, sum).unwrap_or_default(),
            }
        };
        branches.iter().map(row).collect()
    });
    rows.await.map_err(|_| Failure::busy("the server ends")).map(Json)
}

/// Answers `POST /api/book`.
///
/// # Errors
/// [`Failure`] if there is no book or none with this name, the position is invalid, or a move is illegal.
pub(super) async fn book(
    State(app): State<Arc<App>>,
    JsonBody(BookLine { fen, moves, book }): JsonBody<BookLine>,
) -> Result<Json<Vec<BookRow>>, Failure> {
    let books = app.engines.books();
    let [first, ..] = books else {
        return Err(Failure::not_found("there is no book: the board was started without --book"));
    };
    let book = match &book {
        Some(name) => &named_book::find(books, name)?.book,
        None => &first.book,
    };
    let position = Line { fen, moves }.play()?.position;
    let moves = book.moves(&position);
    let sum = moves.iter().map(|found| u64::from(found.weight)).sum();
    let row = |&BookMove { mv, weight, .. }: &BookMove| BookRow {
        named: NamedMove::new(&position, mv),
        weight,
        percent: percent(weight.into(), sum).unwrap_or_default(),
    };
    Ok(Json(moves.iter().map(row).collect()))
}
