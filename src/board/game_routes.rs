//! HTTP routes of games.

use super::access::Peer;
use super::app::{App, Bearer};
use super::body::{JsonBody, Parameters, whole_number};
use super::failure::Failure;
use super::growing::{Growing, PAUSE, Wanted};
use super::hosted::{HostedGame, Standing};
use super::new_game::NewGame;
use super::record;
use super::room::{Caller, Done, Room};
use super::saved::{SavedRematch, Summary};
use super::sockets::has_ended;
use super::state::{Seen, State as ShownState, Viewer};
use super::token::GameId;
use super::words::side_of;
use crate::chess::Color;
use crate::notation::{Correspondent, Operation, parse_epd};
use crate::zone::{Act, Actor, Journal, Message, MessageError, last_record};
use axum::Json;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::sync::Arc;

/// The cost of a new game in addition to the request, in requests of the limit.
const GAME_COST: u32 = 4;
/// The content type of PGN.
const PGN: &str = "application/x-chess-pgn";
/// The maximum number of games in a list.
const MAX_LISTED: u32 = 200;

/// The requested part of a list.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Part {
    #[serde(deserialize_with = "whole_number")]
    skip: u32,
    #[serde(deserialize_with = "whole_number")]
    limit: u32,
}

impl Default for Part {
    fn default() -> Self {
        Self { skip: 0, limit: MAX_LISTED }
    }
}

/// An act of a player, arbiter or assistant.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActRequest {
    /// The version of the game that the act refers to.
    #[serde(default)]
    version: Option<usize>,
    act: Act,
}

#[derive(Serialize)]
struct Created<'a> {
    id: &'a str,
    tokens: Tokens,
    swapped: bool,
    state: ShownState<'a>,
}

#[derive(Serialize)]
struct Tokens {
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    arbiter: String,
}

/// Answers `POST /api/games`.
///
/// # Errors
/// [`Failure`] if the request is invalid, or the game cannot be written.
pub(super) async fn create(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    JsonBody(request): JsonBody<NewGame>,
) -> Result<Response, Failure> {
    if !peer.connection.charge(GAME_COST) {
        return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "too many games"));
    }
    let (made, _room) = app.lobby.create(request).await?;
    let text = |color: Color| made.tokens[color as usize].map(|token| token.to_string());
    let tokens =
        Tokens { white: text(Color::White), black: text(Color::Black), arbiter: made.arbiter.to_string() };
    let viewer = Viewer { standing: Standing::Actor(Actor::Arbiter), own_token: None, given_token: None };
    let state = ShownState::new(&made.hosted, viewer, app.clock.now_ms());
    let created = Created { id: made.hosted.id.as_str(), tokens, swapped: made.swapped, state };
    Ok((StatusCode::CREATED, Json(created)).into_response())
}

/// Answers `GET /api/games`. For requests from other machines the list is empty, since anyone with the identifier of a
/// game may watch it.
///
/// # Errors
/// [`Failure`] if the games cannot be read.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Parameters(part): Parameters<Part>,
) -> Result<Json<Vec<Summary>>, Failure> {
    if !peer.is_local {
        return Ok(Json(Vec::new()));
    }
    app.lobby.list(part.skip, part.limit.min(MAX_LISTED)).await.map(Json)
}

/// The room of the game with this identifier.
///
/// # Errors
/// [`Failure`] if there is no such game.
pub(super) async fn room(app: &App, id: &str) -> Result<Arc<Room>, Failure> {
    let id = GameId::read(id).ok_or_else(|| Failure::not_found("there is no such game"))?;
    app.lobby.room(&id).await
}

/// Answers `GET /api/games/ID`.
///
/// # Errors
/// [`Failure`] if there is no such game, or the token does not belong to it.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    bearer: Bearer,
) -> Result<Response, Failure> {
    let game = room(&app, &id).await?.game();
    answer(&app, &game, &bearer, None)
}

/// Answers `POST /api/games/ID/acts`.
///
/// # Errors
/// [`Failure`] if the act is refused.
pub(super) async fn act(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    bearer: Bearer,
    JsonBody(request): JsonBody<ActRequest>,
) -> Result<Response, Failure> {
    let room = room(&app, &id).await?;
    bearer.require()?;
    let done = room.act(Caller::Token(bearer.fingerprint), request.act, request.version).await?;
    answer_done(&app, &done, bearer)
}

/// Answers `POST /api/games/ID/rematch`.
///
/// # Errors
/// [`Failure`] if the rematch is refused.
pub(super) async fn rematch(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    bearer: Bearer,
) -> Result<Response, Failure> {
    let room = room(&app, &id).await?;
    bearer.require()?;
    let game = room.game();
    let engines = Color::ALL.into_iter().filter(|&color| game.is_engine(color)).count();
    let places = app.lobby.places(engines)?;
    let done = room.rematch(Caller::Token(bearer.fingerprint)).await?;
    if let Some(SavedRematch::Made(id)) = &done.game.rematch
        && let Some(id) = GameId::read(id)
    {
        // Opening the room starts the clocks of the new game.
        app.lobby.room_with(&id, places).await?;
    }
    answer_done(&app, &done, bearer)
}

/// Answers `GET /api/games/ID/pgn`.
///
/// # Errors
/// [`Failure`] if there is no such game, or the token does not belong to it.
pub(super) async fn pgn(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Parameters(wanted): Parameters<Wanted>,
    bearer: Bearer,
) -> Result<Response, Failure> {
    let room = room(&app, &id).await?;
    let game = room.game();
    let standing = game.standing(bearer.fingerprint)?;
    if wanted.follow {
        return Ok(follow(&app, &room, standing));
    }
    Ok(text(PGN, record::pgn(Seen::new(&game, standing).game(), &app.engines)))
}

/// Sends the PGN again after each change, until the game is over.
fn follow(app: &App, room: &Room, standing: Standing) -> Response {
    let (growing, sender) = Growing::new();
    let mut games = room.watch();
    let mut ending = app.ending.clone();
    let engines = app.engines.clone();
    tokio::spawn(async move {
        let mut told = String::new();
        loop {
            let game = Arc::clone(&games.borrow_and_update());
            let pgn = record::pgn(Seen::new(&game, standing).game(), &engines);
            if pgn != told {
                if sender.send(pgn.clone()).await.is_err() {
                    return; // the client has disconnected
                }
                told = pgn;
            }
            if game.game.ending().is_some() {
                return;
            }
            tokio::select! {
                changed = games.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
                () = has_ended(&mut ending) => return,
            }
            tokio::time::sleep(PAUSE).await;
        }
    });
    growing.into_response(PGN)
}

/// The parameters of an EPD record for correspondence.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Correspondence {
    /// The addresses of both sides; empty to leave them out.
    sender: String,
    receiver: String,
    /// The number of the game among those between the two players.
    game: Option<NonZeroU32>,
}

/// The body with a received record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Received {
    epd: String,
}

/// Answers `GET /api/games/ID/epd`: the last act of a player, as a record for the opponent.
///
/// # Errors
/// [`Failure`] if there is no such game, or no act that a record can express.
pub(super) async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Parameters(between): Parameters<Correspondence>,
    bearer: Bearer,
) -> Result<Response, Failure> {
    let game = room(&app, &id).await?.game();
    let seen = Seen::new(&game, game.standing(bearer.fingerprint)?);
    let game = seen.game();
    let mut epd = last_record(&game.game).map_err(not_a_record)?;
    // The sender is the side to move in the position of the record.
    let side = epd.position().turn();
    let name = |color: Color| game.game.seat(color).player.clone().unwrap_or_default();
    if !between.sender.is_empty() {
        epd.set(Operation::Sender(Correspondent { address: between.sender, name: name(side) }));
    }
    if !between.receiver.is_empty() {
        epd.set(Operation::Receiver(Correspondent { address: between.receiver, name: name(!side) }));
    }
    if let Some(number) = between.game {
        epd.set(Operation::GameSelector(number));
    }
    Ok(text("text/plain; charset=utf-8", format!("{epd}\n")))
}

/// Answers `POST /api/games/ID/epd`: executes the acts of a record that the opponent has sent.
///
/// # Errors
/// [`Failure`] if the record does not fit the game, or an act is refused.
pub(super) async fn receive(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    bearer: Bearer,
    JsonBody(Received { epd }): JsonBody<Received>,
) -> Result<Response, Failure> {
    let room = room(&app, &id).await?;
    bearer.require()?;
    let epd = parse_epd(epd.trim()).map_err(|error| Failure::bad("bad_epd", error.to_string()))?;
    let game = room.game();
    // The answer tells about the current position, which spectators may not know yet.
    let standing = game.standing(bearer.fingerprint)?;
    if !matches!(standing, Standing::Actor(actor) if side_of(actor).is_some()) {
        return Err(Failure::forbidden("not_yours", "records are for the players of the game"));
    }
    let message = Message::read(&game.game, &epd).map_err(not_a_record)?;
    let caller = Caller::Token(bearer.fingerprint);
    let mut done = None;
    for act in message.acts {
        // A draw offer that accompanies a move is dropped if the move ends the game.
        let is_over = |done: &Done| done.game.game.ending().is_some();
        if done.as_ref().is_some_and(is_over) {
            break;
        }
        let version = done.as_ref().map_or(game.version(), |done: &Done| done.game.version());
        done = Some(room.act(caller, act, Some(version)).await?);
    }
    let done = done.ok_or_else(|| not_a_record(MessageError::Empty))?;
    answer_done(&app, &done, bearer)
}

fn not_a_record(error: MessageError) -> Failure {
    Failure::conflict("bad_record", error.to_string())
}

/// Answers `GET /api/games.pgn`: all games of the server, for requests from this machine.
///
/// # Errors
/// [`Failure`] if the games cannot be read, or the request comes from another machine.
pub(super) async fn all_pgn(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
) -> Result<Response, Failure> {
    peer.require_local("all games can be saved only on the server's computer")?;
    Ok(text(PGN, app.lobby.pgn_of_all().await?))
}

/// Answers `GET /api/games/ID/journal`, for the arbiter.
///
/// # Errors
/// [`Failure`] if there is no such game, or the token is not the arbiter's.
pub(super) async fn journal(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    bearer: Bearer,
) -> Result<Response, Failure> {
    let game = room(&app, &id).await?.game();
    if game.standing(bearer.fingerprint)? != Standing::Actor(Actor::Arbiter) {
        return Err(Failure::forbidden("not_yours", "the journal is for the arbiter"));
    }
    let journal = Journal::of(&game.game, game.head.start.clone()).write();
    let journal = journal.map_err(|error| Failure::busy(error.to_string()))?;
    Ok(text("application/x-ndjson", journal))
}

/// A response with a text of this content type.
pub(super) fn text(kind: &'static str, text: String) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], text).into_response()
}

/// The state for the owner of a token.
fn answer(app: &App, game: &HostedGame, bearer: &Bearer, given: Option<&str>) -> Result<Response, Failure> {
    let own_token = given.or(bearer.text.as_deref());
    let standing = game.standing(bearer.fingerprint)?;
    let viewer = Viewer { standing, own_token, given_token: given };
    Ok(Json(Seen::new(game, standing).state(viewer, app.clock.now_ms())).into_response())
}

/// The state after an act. A client that has just taken a seat receives the state of the seat; the token of an
/// assistant is only passed on.
fn answer_done(app: &App, done: &Done, bearer: Bearer) -> Result<Response, Failure> {
    let given = done.token.map(|token| token.to_string());
    let is_seat = done.game.standing(bearer.fingerprint)? == Standing::TooLate;
    let bearer = match &given {
        Some(token) if is_seat => Bearer::read(Some(token))?,
        _ => bearer,
    };
    answer(app, &done.game, &bearer, given.as_deref())
}
