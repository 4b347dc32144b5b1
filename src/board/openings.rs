//! `/api/openings`: the list of named openings, with search.

use super::body::{Parameters, whole_number};
use super::failure::Failure;
use crate::chess::{Color, Position};
use crate::notation::eco::{Opening, openings};
use crate::notation::{Excerpt, San};
use axum::Json;
use once_cell::sync::Lazy;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The maximum number of openings in an answer.
const MAX_LISTED: usize = 500;
/// The maximum length of the search text, in bytes.
const MAX_TEXT: usize = 200;

/// The parameters of a list of openings.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Wanted {
    /// The searched words or moves; all must occur.
    text: String,
    sort: Order,
    #[serde(deserialize_with = "whole_number")]
    skip: usize,
    #[serde(deserialize_with = "whole_number")]
    limit: usize,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { text: String::new(), sort: Order::Eco, skip: 0, limit: 100 }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Order {
    Eco,
    Name,
    Moves,
}

/// An opening.
#[derive(Clone, Serialize)]
struct Row {
    eco: String,
    name: &'static str,
    /// The moves in SAN, with move numbers.
    moves: String,
    #[serde(skip)]
    lowercase: String,
    #[serde(skip)]
    opening: &'static Opening,
}

/// The JSON body of the answer.
#[derive(Serialize)]
pub(super) struct List {
    count: usize,
    rows: Vec<&'static Row>,
}

/// All openings, sorted by moves.
static ROWS: Lazy<Vec<Row>> = Lazy::new(|| {
    let mut rows: Vec<Row> = openings().iter().map(row).collect();
    rows.sort_by(|one, other| one.moves.cmp(&other.moves));
    rows
});

fn row(opening: &'static Opening) -> Row {
    let mut position = Position::start();
    let mut moves = String::new();
    for (ply, &mv) in opening.moves().iter().enumerate() {
        if position.turn() == Color::White {
            let _ = write!(moves, "{}. ", ply / 2 + 1); // writing to a string cannot fail
        }
        let _ = write!(moves, "{} ", San::new(&position, mv));
        position = position.after(mv).0;
    }
    moves.truncate(moves.trim_end().len());
    let eco = opening.code().to_string();
    let lowercase = format!("{eco} {} {moves}", opening.name()).to_lowercase();
    Row { eco, name: opening.name(), moves, lowercase, opening }
}

/// The position to which an opening leads, which is wanted by its whole name, its code or its moves. Of several with a
/// name or a code it is the one with the fewest moves.
///
/// # Errors
/// [`Failure`] if there is none.
pub(super) fn named(wanted: &str) -> Result<Position, Failure> {
    let lowercase = wanted.trim().to_lowercase();
    let found = ROWS.iter().filter(|row| {
        let texts = [row.name, row.eco.as_str(), row.moves.as_str()];
        texts.into_iter().any(|text| text.to_lowercase() == lowercase)
    });
    let Some(row) = found.min_by_key(|row| row.opening.moves().len()) else {
        let text = format!(
            "opening: found {}, expected the name, the code or the moves of one of /api/openings",
            Excerpt::new(wanted)
        );
        return Err(Failure::bad("bad_opening", text));
    };
    Ok(row.opening.moves().iter().fold(Position::start(), |position, &mv| position.after(mv).0))
}

/// Answers `GET /api/openings`.
///
/// # Errors
/// [`Failure`] if the text is too long.
pub(super) async fn list(Parameters(wanted): Parameters<Wanted>) -> Result<Json<List>, Failure> {
    if wanted.text.len() > MAX_TEXT {
        return Err(Failure::bad("too_long", format!("expected a text of at most {MAX_TEXT} bytes")));
    }
    let text = wanted.text.trim().to_lowercase();
    // Moves must be consecutive; words can occur in any order.
    let is_line = text.starts_with(|letter: char| letter.is_ascii_digit());
    let has_all = |row: &&Row| match is_line {
        true => row.lowercase.contains(&text),
        false => text.split_whitespace().all(|word| row.lowercase.contains(word)),
    };
    let mut rows: Vec<&Row> = ROWS.iter().filter(has_all).collect();
    match wanted.sort {
        Order::Eco => rows.sort_by(|one, other| (&one.eco, one.name).cmp(&(&other.eco, other.name))),
        Order::Name => rows.sort_by_key(|row| row.name),
        Order::Moves => {}
    }
    let count = rows.len();
    let rows = rows.into_iter().skip(wanted.skip).take(wanted.limit.min(MAX_LISTED)).collect();
    Ok(Json(List { count, rows }))
}
