//! `/api/files/F/novelty`: the first move of a game that was not played before it in the games of a file.

use super::access::Peer;
use super::app::App;
use super::body::LongJsonBody;
use super::document::Document;
use super::failure::Failure;
use super::file_routes::with_file;
use super::files::{FileError, GameFile, Unwanted};
use crate::database::{Examined, Header, Played, Query, TooManyMoves, Visits, keys_of};
use crate::notation::San;
use axum::Json;
use axum::extract::{Extension, Path, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The body of the request: the game, and a query for the games to compare with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoveltyRequest {
    game: Document,
    #[serde(default)]
    query: String,
}

/// The JSON body of the answer.
#[derive(Serialize)]
pub(super) struct Found {
    /// The novelty; `None` if all positions of the game have been played before.
    novelty: Option<Novelty>,
}

/// A move of the main line that leads to a new position.
#[derive(Serialize)]
struct Novelty {
    /// The ply, counted from 1.
    ply: usize,
    san: String,
    /// The number of earlier games with the position before the move.
    games: usize,
    /// The latest of these games.
    last: Option<EarlierGame>,
}

#[derive(Serialize)]
struct EarlierGame {
    white: String,
    black: String,
    event: String,
    date: String,
}

/// Answers `POST /api/files/F/novelty`.
///
/// # Errors
/// [`Failure`] if there is no such file, the game or the query is invalid, or the file cannot be read.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    LongJsonBody(NoveltyRequest { game, query }, _work): LongJsonBody<NoveltyRequest>,
) -> Result<Json<Found>, Failure> {
    let game = game.game()?;
    let novelty = with_file(&app, &peer, file, move |file, unwanted| {
        file.novelty(&Examined::of_main_line(&game), &file.query(&query)?, unwanted)
    });
    novelty.await.map(|novelty| Json(Found { novelty }))
}

impl GameFile {
    fn novelty(
        &self,
        game: &Examined,
        query: &Query,
        unwanted: &Unwanted,
    ) -> Result<Option<Novelty>, FileError> {
        let wanted = Arc::new(keys_of(std::slice::from_ref(game)));
        let mut visits = Visits::of(Arc::clone(&wanted));
        let add = |visits: &mut Visits, header: &dyn Header, _| visits.add(Played::new(header));
        let merge = |part: Visits| visits.merge(part).map_err(|_| TooManyMoves);
        self.sift(query, || Visits::of(Arc::clone(&wanted)), add, merge, unwanted)?;
        visits.sort();
        Ok(visits.novelty(game).map(|found| Novelty {
            ply: found.ply,
            san: found.mv.map_or_else(|| "--".to_owned(), |mv| San::new(&found.position, mv).to_string()),
            games: found.games,
            last: found.last.map(|Played { texts: [white, black, event, _], date, .. }| EarlierGame {
                white,
                black,
                event,
                date,
            }),
        }))
    }
}
