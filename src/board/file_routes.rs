//! HTTP routes of files and collections of games.

use super::access::Peer;
use super::app::App;
use super::body::{JsonBody, Parameters, whole_number};
use super::failure::Failure;
use super::file_details::Notable;
use super::files::{FileError, GameFile, Neighbors, Unwanted, Window, root};
use super::game_rows::{Hit, Order};
use super::positions::Line;
use super::saving::GameOfFile;
use crate::chess::Position;
use crate::database::Tree;
use crate::notation::eco::opening;
use crate::notation::{Fen, San, UciMove};
use crate::uci::castling_style;
use axum::Json;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;

/// The maximum number of games in an answer.
const MAX_GAMES: u64 = 1000;
/// The maximum number of notable games of each kind.
const MAX_NOTABLE: usize = 20;

/// The parameters of a list of games.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Part {
    query: String,
    sort: Order,
    #[serde(deserialize_with = "whole_number")]
    skip: u64,
    #[serde(deserialize_with = "whole_number")]
    limit: u64,
}

impl Default for Part {
    fn default() -> Self {
        Self { query: String::new(), sort: Order::Number, skip: 0, limit: 100 }
    }
}

/// The list in which neighbors are requested.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct NeighborParameters {
    query: String,
    sort: Order,
}

/// The query whose hits are requested.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct HitParameters {
    query: String,
}

/// The body of a request for a tree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeRequest {
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    query: String,
}

/// The body of a request for notable games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotableRequest {
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    query: String,
    #[serde(default = "usual_notable")]
    limit: usize,
}

const fn usual_notable() -> usize {
    4
}

/// A move of a tree.
#[derive(Serialize)]
pub(super) struct TreeRow {
    uci: String,
    san: String,
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    /// The score of the side to move, in percent.
    score: Option<f64>,
    average_rating: Option<u64>,
    performance: Option<i64>,
    last_year: Option<u16>,
    opening: Option<String>,
}

/// Answers `GET /api/files/F/games`.
///
/// # Errors
/// [`Failure`] if there is no such file, the query is invalid, or the file cannot be read.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    Parameters(Part { query, sort, skip, limit }): Parameters<Part>,
) -> Result<Json<Window>, Failure> {
    let limit = limit.min(MAX_GAMES);
    with_file(&app, &peer, file, move |file, unwanted| file.window(&query, sort, skip, limit, unwanted))
        .await
        .map(Json)
}

/// Answers `GET /api/files/F/games/N`.
///
/// # Errors
/// [`Failure`] if there is no such game, or the file cannot be read.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path((file, number)): Path<(usize, u64)>,
) -> Result<Json<GameOfFile>, Failure> {
    let game = with_file(&app, &peer, file, move |file, unwanted| {
        file.game(number, unwanted).map(|game| GameOfFile::new(&game))
    });
    game.await.map(Json)
}

/// Answers `GET /api/files/F/games/N/neighbors`.
///
/// # Errors
/// [`Failure`] if there is no such file, the query is invalid, or the file cannot be read.
pub(super) async fn neighbors(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path((file, number)): Path<(usize, u64)>,
    Parameters(NeighborParameters { query, sort }): Parameters<NeighborParameters>,
) -> Result<Json<Neighbors>, Failure> {
    with_file(&app, &peer, file, move |file, unwanted| file.neighbors(&query, sort, number, unwanted))
        .await
        .map(Json)
}

/// Answers `GET /api/files/F/games/N/hits`.
///
/// # Errors
/// [`Failure`] if there is no such game, the query is invalid, or the file cannot be read.
pub(super) async fn hits(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path((file, number)): Path<(usize, u64)>,
    Parameters(HitParameters { query }): Parameters<HitParameters>,
) -> Result<Json<Vec<Hit>>, Failure> {
    with_file(&app, &peer, file, move |file, unwanted| file.hits(number, &query, unwanted)).await.map(Json)
}

/// Answers `POST /api/files/F/tree`.
///
/// # Errors
/// [`Failure`] if there is no such file, the position or the query is invalid, or the file cannot be read.
pub(super) async fn tree(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    JsonBody(TreeRequest { fen, moves, query }): JsonBody<TreeRequest>,
) -> Result<Json<Vec<TreeRow>>, Failure> {
    let played = Line { fen, moves }.play()?;
    let root = root(played.start, played.moves);
    let rows = with_file(&app, &peer, file, move |file, unwanted| {
        let query = file.query(&query)?;
        file.tree(&root, &query, unwanted).map(|tree| rows(&tree, root.key(), &played.position))
    });
    rows.await.map(Json)
}

/// Answers `POST /api/files/F/notable`.
///
/// # Errors
/// As [`tree`].
pub(super) async fn notable(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    JsonBody(NotableRequest { fen, moves, query, limit }): JsonBody<NotableRequest>,
) -> Result<Json<Notable>, Failure> {
    let played = Line { fen, moves }.play()?;
    // The initial position is recognized by the tags, so no game has to be replayed.
    let is_start = played.position == Position::start();
    let position =
        if is_start { "tag.FEN:none".to_owned() } else { format!("fen:\"{}\"", Fen::new(&played.position)) };
    let notable = with_file(&app, &peer, file, move |file, unwanted| {
        file.notable(&query, &position, limit.min(MAX_NOTABLE), unwanted)
    });
    notable.await.map(Json)
}

fn rows(tree: &Tree, key: u64, position: &crate::chess::Position) -> Vec<TreeRow> {
    let mut branches = tree.branches(key, position);
    branches.sort_by_key(|(_, branch)| (Reverse(branch.tally.games), branch.first));
    let row = |(mv, branch): (crate::chess::Move, &crate::database::Branch)| {
        let tally = &branch.tally;
        let (san, after) = San::new(position, mv).played();
        TreeRow {
            uci: UciMove::new(mv, castling_style(position)).to_string(),
            san: san.to_string(),
            games: tally.games,
            white: tally.white,
            draws: tally.draws,
            black: tally.black,
            score: tally.score(position.turn()),
            average_rating: tally.average_rating(),
            performance: tally.performance(),
            last_year: tally.last_year,
            opening: opening(&after).map(|opening| opening.name().to_owned()),
        }
    };
    branches.into_iter().map(row).collect()
}

/// Sets a flag when a request is canceled, which drops its future.
struct CancelOnDrop(Unwanted);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs work that reads a file on a blocking thread, after waiting for a place. The collection with the games that were
/// played here is read only for requests from this machine.
pub(super) async fn with_file<T: Send + 'static>(
    app: &App,
    peer: &Peer,
    file: usize,
    work: impl FnOnce(&GameFile, &Unwanted) -> Result<T, FileError> + Send + 'static,
) -> Result<T, Failure> {
    if app.collection == Some(file) {
        peer.require_local("the games played here are shown only on the server's computer")?;
    }
    let file = app.files.get(file).ok_or_else(|| Failure::not_found("there is no such file"))?;
    let file = Arc::clone(file);
    let places: Arc<Semaphore> = Arc::clone(&app.readers);
    let ends = || Failure::busy("the server ends");
    let place = places.acquire_owned().await.map_err(|_| ends())?;
    let unwanted = Unwanted::new(AtomicBool::new(false));
    let guard = CancelOnDrop(Arc::clone(&unwanted));
    let result = tokio::task::spawn_blocking(move || {
        let result = work(&file, &unwanted);
        drop(place);
        result
    });
    let result = result.await.map_err(|_| ends())?;
    drop(guard);
    result.map_err(failure)
}

/// Converts an error of a file.
pub(super) fn failure(error: FileError) -> Failure {
    match error {
        FileError::NoGame(_) => Failure::not_found(error.to_string()),
        FileError::Query { text, column } => {
            let failure = Failure::bad("bad_query", text);
            match column {
                Some(column) => failure.at_column(column),
                None => failure,
            }
        }
        FileError::Tree(_) => Failure::bad("too_many_moves", error.to_string()),
        FileError::Unwanted => Failure::busy("the server ends"),
        FileError::Read(text) => Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "bad_file", text),
    }
}
