//! Two games side by side.

use super::body::LongJsonBody;
use super::document::Document;
use super::failure::Failure;
use crate::database::{GameDifferences, TagDifference};
use axum::Json;
use serde::{Deserialize, Serialize};

/// Two games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    games: [Document; 2],
}

/// In what they differ, by the same words as `hematite pgn diff --json`.
#[derive(Serialize)]
pub(super) struct Comparison {
    equal: bool,
    /// The tags that differ.
    tags: Vec<ComparedTag>,
    other_start: bool,
    other_result: bool,
    /// The plies before the first move of the main line that differs.
    first_move: Option<usize>,
    /// The plies of the main line behind which there are other comments, signs or variations.
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
/// [`Failure`] if a move of them cannot be played.
pub(super) async fn show(
    LongJsonBody(Pair { games: [one, other] }): LongJsonBody<Pair>,
) -> Result<Json<Comparison>, Failure> {
    let compared = tokio::task::spawn_blocking(move || {
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
    compared.await.map_err(|_| Failure::busy("the server ends"))?.map(Json)
}
