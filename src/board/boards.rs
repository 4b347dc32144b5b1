//! `/api/boards`: several games at once, as lists show them with small boards.

use super::access::Peer;
use super::app::App;
use super::body::Parameters;
use super::clock::millis;
use super::failure::Failure;
use super::hosted::Standing;
use super::state::Seen;
use super::token::GameId;
use super::words::side;
use crate::chess::Color;
use crate::notation::Fen;
use crate::zone::Actor;
use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The maximum number of games in an answer.
const MAX_BOARDS: usize = 12;

/// The query parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// The ids of the games, separated by commas.
    games: String,
}

/// The answer.
#[derive(Serialize)]
pub(super) struct Boards {
    boards: Vec<ShownBoard>,
}

/// The data of a small board.
#[derive(Serialize)]
pub(super) struct ShownBoard {
    id: String,
    phase: &'static str,
    /// The pieces, as FEN has them.
    pieces: String,
    turn: &'static str,
    plies: usize,
    /// The squares of the last move.
    last: Option<[String; 2]>,
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    running: Option<&'static str>,
    /// The time until the running clock begins to lose time.
    delay_ms: Option<u64>,
    result: Option<&'static str>,
}

/// Answers `GET /api/boards`. Games that are not there are left out.
///
/// # Errors
/// [`Failure`] if too many games are asked for, or too often.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Parameters(Wanted { games }): Parameters<Wanted>,
) -> Result<Json<Boards>, Failure> {
    let ids: Vec<&str> = games.split(',').filter(|id| !id.is_empty()).collect();
    if ids.len() > MAX_BOARDS {
        let text = format!("games: found {}, expected at most {MAX_BOARDS}", ids.len());
        return Err(Failure::bad("too_many_games", text));
    }
    let cost = u32::try_from(ids.len()).unwrap_or(u32::MAX);
    if !peer.connection.charge(cost) {
        return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "too many requests"));
    }
    let mut boards = Vec::with_capacity(ids.len());
    for id in ids.into_iter().filter_map(GameId::read) {
        let Ok(room) = app.lobby.room(&id).await else { continue };
        let game = room.game();
        let seen = Seen::new(&game, Standing::Actor(Actor::Spectator));
        boards.push(ShownBoard::new(&seen, app.clock.now_ms()));
    }
    Ok(Json(Boards { boards }))
}

impl ShownBoard {
    /// The part of a game that a viewer sees.
    pub(super) fn new(seen: &Seen<'_>, now_ms: u64) -> Self {
        let (hosted, at) = (seen.game(), seen.game().moment(seen.now_ms(now_ms)));
        let game = &hosted.game;
        let fen = Fen::new(game.position()).to_string();
        let left = |color| game.clocks().left(color, at).map(millis);
        Self {
            id: hosted.id.as_str().to_owned(),
            phase: hosted.phase_name(),
            pieces: fen.split(' ').next().unwrap_or_default().to_owned(),
            turn: side(game.position().turn()),
            plies: game.plies().len(),
            last: game
                .plies()
                .last()
                .map(|ply| [ply.mv.from(), ply.mv.landing()].map(|square| square.to_string())),
            white_ms: left(Color::White),
            black_ms: left(Color::Black),
            running: game.clocks().running().map(side),
            delay_ms: game.clocks().until_charged(at).map(millis),
            result: game.ending().map(|ending| ending.result()),
        }
    }
}
