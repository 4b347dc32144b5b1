//! `POST /api/games/ID/pieces`: an electronic board reports its pieces. The move that they show is made.

use super::app::{App, Bearer};
use super::body::JsonBody;
use super::failure::Failure;
use super::game_routes::room;
use super::room::Caller;
use super::state::{Seen, State as ShownState, Viewer};
use super::words::side_of;
use crate::notation::UciMove;
use crate::zone::{Act, BoardPieces, Phase, SquareDifference};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The body.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reported {
    pieces: BoardPieces,
}

/// The answer.
#[derive(Serialize)]
struct Recognized<'a> {
    /// The move that was made.
    #[serde(rename = "move")]
    mv: Option<String>,
    /// The squares on which the electronic board differs from the game, after the move.
    differences: Vec<SquareDifference>,
    state: ShownState<'a>,
}

/// Answers `POST /api/games/ID/pieces`. If the player with this token is to move and the pieces are those after a
/// legal move, the move is made. The answer names the squares on which the boards differ: the opponent's last move,
/// which must be made on the electronic board, a move that is not finished, or an illegal one.
///
/// # Errors
/// [`Failure`] if there is no such game, the token does not belong to it, or the move is refused.
pub(super) async fn report(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    bearer: Bearer,
    JsonBody(Reported { pieces }): JsonBody<Reported>,
) -> Result<Response, Failure> {
    let room = room(&app, &id).await?;
    let mut game = room.game();
    let standing = game.standing(bearer.fingerprint)?;
    let position = game.game.position();
    let is_to_move =
        game.game.phase() == Phase::Playing && side_of(standing.actor()) == Some(position.turn());
    let found = pieces.move_from(position).filter(|_| is_to_move);
    let text = found.map(|mv| UciMove::new(mv, game.castling_style()).to_string());
    if let Some(mv) = found {
        let caller = Caller::Token(bearer.fingerprint);
        game = room.act(caller, Act::Move { mv: mv.into() }, Some(game.version())).await?.game;
    }
    let seen = Seen::new(&game, standing);
    let viewer = Viewer { standing, own_token: bearer.text.as_deref(), given_token: None };
    let recognized = Recognized {
        mv: text,
        differences: pieces.differences(seen.game().game.position()),
        state: seen.state(viewer, app.clock.now_ms()),
    };
    Ok(Json(recognized).into_response())
}
