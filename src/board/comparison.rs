//! `/api/analysis/compare`: the differences of two games.

use super::body::LongJsonBody;
use super::document::Document;
use super::failure::Failure;
use crate::database::{GameDifferences, TagDifference};
use axum::Json;
use serde::{Deserialize, Serialize};

/// The body of the request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    games: [Document; 2],
}

/// The differences, with the same names as in `hematite pgn diff --json`.
#[derive(Serialize)]
pub(super) struct Comparison {
    equal: bool,
    /// The tags that differ.
    tags: Vec<ComparedTag>,
    other_start: bool,
    other_result: bool,
    /// The number of plies before the first difference in the main line.
    first_move: Option<usize>,
    /// The plies of the main line after which the comments differ; the same for glyphs and variations below.
    comments: Vec<usize>,
    glyphs: Vec<usize>,
    variations: Vec<usize>,
}

#[derive(Serialize)]
struct ComparedTag {
    name: String,
    values: [Option<String>; 2],
}

/// Answers `POST /api/analysis/compare`.
///
/// # Errors
/// [`Failure`] if a move of a game is illegal.
pub(super) async fn show(pair: LongJsonBody<Pair>) -> Result<Json<Comparison>, Failure> {
    let compared = pair.process(|Pair { games: [one, other] }| {
        let found = GameDifferences::new(&one.game()?, &other.game()?);
        let equal = found.is_empty();
        let tag = |TagDifference { name, values }| ComparedTag { name, values };
        Ok(Comparison {
            equal,
            tags: found.tags.into_iter().map(tag).collect(),
            other_start: found.has_other_start,
            other_result: found.has_other_result,
            first_move: found.first_move,
            comments: found.comments,
            glyphs: found.glyphs,
            variations: found.variations,
        })
    });
    compared.await.map(Json)
}
