//! HTTP routes of tournaments, and a WebSocket with updates.

use super::access::Peer;
use super::app::{App, Bearer};
use super::body::{JsonBody, Parameters};
use super::clock::unix_ms;
use super::conditions::NewTournament;
use super::engines::Engines;
use super::failure::Failure;
use super::game_routes::text;
use super::game_socket::greet;
use super::growing::{Growing, PAUSE, Wanted};
use super::hosted::{HostedGame, Standing};
use super::record::{self, Unplayed};
use super::saved::OfTournament;
use super::sockets::{End, Heartbeat, MAX_MESSAGE, close, expect_no_text, has_ended, limited, send_text};
use super::state::Seen;
use super::token::GameId;
use super::tournament::{Phase, Role, Tournament, TournamentAct};
use super::tournament_parts::Pairing;
use super::tournament_state::{TournamentState, TournamentSummary};
use super::tournaments::LiveTournament;
use crate::zone::Actor;
use axum::Json;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use tokio::sync::watch;

/// The cost of a new tournament in addition to the request, in requests of the limit.
const TOURNAMENT_COST: u32 = 8;
/// The number of games as PGN that cost as much as one request.
const GAMES_PER_COST: usize = 8;
/// The maximum number of tournaments in a list.
const MAX_LISTED: u32 = 200;

/// An act of a host or player.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActRequest {
    /// The version of the tournament that the act refers to.
    #[serde(default)]
    version: Option<u64>,
    act: TournamentAct,
}

#[derive(Serialize)]
struct Created<'a> {
    id: &'a str,
    tokens: Tokens,
    state: TournamentState<'a>,
}

#[derive(Serialize)]
struct Tokens {
    host: String,
}

#[derive(Serialize)]
struct StateMessage<'a> {
    state: TournamentState<'a>,
}

/// Answers `POST /api/tournaments`.
///
/// # Errors
/// [`Failure`] if the request is invalid, or the tournament cannot be written.
pub(super) async fn create(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    JsonBody(request): JsonBody<NewTournament>,
) -> Result<Response, Failure> {
    charge(&peer, TOURNAMENT_COST)?;
    let (live, host) = app.tournaments.create(request).await?;
    let tournament = live.tournament();
    let state = TournamentState::new(&live.id, &tournament, Role::Host, None, unix_ms());
    let created = Created { id: live.id.as_str(), tokens: Tokens { host: host.to_string() }, state };
    Ok((StatusCode::CREATED, Json(created)).into_response())
}

fn charge(peer: &Peer, cost: u32) -> Result<(), Failure> {
    if peer.connection.charge(cost) {
        return Ok(());
    }
    Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "too many requests"))
}

/// Answers `GET /api/tournaments`. For requests from other machines the list is empty, since anyone with the identifier
/// of a tournament may watch it.
///
/// # Errors
/// [`Failure`] if the tournaments cannot be read.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
) -> Result<Json<Vec<TournamentSummary>>, Failure> {
    if !peer.is_local {
        return Ok(Json(Vec::new()));
    }
    app.tournaments.list(MAX_LISTED).await.map(Json)
}

/// Answers `GET /api/tournaments/ID`.
///
/// # Errors
/// [`Failure`] if there is no such tournament, or the token does not belong to it.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    bearer: Bearer,
) -> Result<Response, Failure> {
    let live = app.tournaments.live(&id).await?;
    let tournament = live.tournament();
    let role = tournament.role(bearer.fingerprint)?;
    Ok(Json(TournamentState::new(&live.id, &tournament, role, None, unix_ms())).into_response())
}

/// Answers `POST /api/tournaments/ID/acts`.
///
/// # Errors
/// [`Failure`] if the act is refused.
pub(super) async fn act(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    bearer: Bearer,
    JsonBody(request): JsonBody<ActRequest>,
) -> Result<Response, Failure> {
    let live = app.tournaments.live(&id).await?;
    bearer.require()?;
    let joins = matches!(request.act, TournamentAct::Join { .. });
    let given = app.tournaments.act(&live, bearer.fingerprint, request.act, request.version).await?;
    let tournament = live.tournament();
    // A client that has joined receives the state as a player; a player who withdraws before the first round becomes a
    // spectator.
    let viewer = if joins { given.map(|token| token.fingerprint()) } else { bearer.fingerprint };
    let role = tournament.role(viewer).unwrap_or(Role::Spectator);
    let given = given.map(|token| token.to_string());
    Ok(Json(TournamentState::new(&live.id, &tournament, role, given.as_deref(), unix_ms())).into_response())
}

/// Answers `GET /api/tournaments/ID/pgn`: all games, including running ones, as a spectator sees them.
///
/// # Errors
/// [`Failure`] if there is no such tournament, or a game cannot be read.
pub(super) async fn pgn(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    Parameters(wanted): Parameters<Wanted>,
) -> Result<Response, Failure> {
    games(app, peer, &id, None, wanted).await
}

/// Answers `GET /api/tournaments/ID/rounds/NUMBER/pgn`: the games of a round, as a spectator sees them.
///
/// # Errors
/// [`Failure`] if there is no such tournament or round, or a game cannot be read.
pub(super) async fn round_pgn(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path((id, number)): Path<(String, usize)>,
    Parameters(wanted): Parameters<Wanted>,
) -> Result<Response, Failure> {
    games(app, peer, &id, Some(number), wanted).await
}

async fn games(
    app: Arc<App>,
    peer: Peer,
    id: &str,
    round: Option<usize>,
    wanted: Wanted,
) -> Result<Response, Failure> {
    let live = app.tournaments.live(id).await?;
    let is_there = |number: usize| (1..=live.tournament().round_count()).contains(&number);
    if round.is_some_and(|number| !is_there(number)) {
        return Err(Failure::not_found("there is no such round"));
    }
    let count = ids(&live.tournament(), round).len();
    charge(&peer, u32::try_from(count / GAMES_PER_COST).unwrap_or(u32::MAX))?;
    if !wanted.follow {
        return Ok(text(PGN, pgn_of(&app, &live.id, &live.tournament(), round).await?));
    }
    Ok(follow(app, live, round))
}

const PGN: &str = "application/x-chess-pgn";

/// The pairings of a round, or of all rounds, each with its round and board, counted from 1.
fn pairings(tournament: &Tournament, round: Option<usize>) -> impl Iterator<Item = (usize, usize, &Pairing)> {
    let rounds = tournament
        .rounds
        .iter()
        .enumerate()
        .filter(move |(index, _)| round.is_none_or(|round| index + 1 == round));
    rounds.flat_map(|(round, pairings)| {
        pairings.iter().enumerate().map(move |(board, pairing)| (round + 1, board + 1, pairing))
    })
}

/// The identifiers of the games of a round, or of all rounds.
fn ids(tournament: &Tournament, round: Option<usize>) -> Vec<GameId> {
    pairings(tournament, round).filter_map(|(_, _, pairing)| GameId::read(pairing.game.as_deref()?)).collect()
}

/// The games of a round, or of all rounds, and pairings that were decided without a game; byes are left out.
async fn pgn_of(
    app: &App,
    id: &GameId,
    tournament: &Tournament,
    round: Option<usize>,
) -> Result<String, Failure> {
    let mut pgn = String::new();
    for (round, board, pairing) in pairings(tournament, round) {
        if let Some(game) = pairing.game.as_deref().and_then(GameId::read) {
            pgn += &spectators_pgn(&app.lobby.room(&game).await?.game(), &app.engines);
        } else if let (Some(black), Some(outcome)) = (pairing.black, pairing.outcome)
            && !tournament.is_arena()
        {
            let conditions = &tournament.conditions;
            let player = |index: usize| {
                let player = &tournament.players[index];
                (player.name.as_str(), &player.kind)
            };
            let place =
                OfTournament { id: id.as_str().to_owned(), name: conditions.name.clone(), round, board };
            let unplayed = Unplayed {
                place: &place,
                players: [player(pairing.white), player(black)],
                time_control: conditions.game.time_control(),
                result: outcome.result(),
            };
            pgn += &unplayed.pgn();
        }
    }
    Ok(pgn)
}

/// The PGN of a game as a spectator sees it.
fn spectators_pgn(game: &HostedGame, engines: &Engines) -> String {
    record::pgn(Seen::new(game, Standing::Actor(Actor::Spectator)).game(), engines)
}

/// Sends all games again after each change of one of them, until no more changes can occur.
fn follow(app: Arc<App>, live: Arc<LiveTournament>, round: Option<usize>) -> Response {
    let (growing, sender) = Growing::new();
    tokio::spawn(async move {
        let mut changes = live.watch();
        let mut ending = app.ending.clone();
        let mut told = String::new();
        loop {
            let tournament = Arc::clone(&changes.borrow_and_update());
            let ids = ids(&tournament, round);
            // Only running games can change.
            let mut watched = Vec::new();
            for (_, _, id) in tournament.played() {
                if ids.contains(&id)
                    && let Ok(room) = app.lobby.room(&id).await
                {
                    let mut games = room.watch();
                    games.borrow_and_update();
                    watched.push(games);
                }
            }
            let Ok(pgn) = pgn_of(&app, &live.id, &tournament, round).await else { return };
            if pgn != told {
                if sender.send(pgn.clone()).await.is_err() {
                    return; // the client has disconnected
                }
                told = pgn;
            }
            let is_done = match round {
                None => tournament.phase == Phase::Over,
                Some(number) => tournament.is_decided(number),
            };
            if is_done {
                return;
            }
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = any_changed(watched) => {}
                () = sender.closed() => return,
                () = has_ended(&mut ending) => return,
            }
            tokio::time::sleep(PAUSE).await;
        }
    });
    growing.into_response(PGN)
}

/// Waits until one of the games changes; forever if there are none.
pub(super) async fn any_changed(games: Vec<watch::Receiver<Arc<HostedGame>>>) {
    type Change = Pin<Box<dyn Future<Output = ()> + Send>>;
    let mut changes: Vec<Change> = games
        .into_iter()
        .map(|mut game| Box::pin(async move { drop(game.changed().await) }) as Change)
        .collect();
    poll_fn(|context| {
        let is_any = changes.iter_mut().any(|change| change.as_mut().poll(context).is_ready());
        if is_any { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Answers `GET /api/tournaments/ID/socket`.
///
/// # Errors
/// [`Failure`] if there is no such tournament.
pub(super) async fn open_socket(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Extension(peer): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let live = app.tournaments.live(&id).await?;
    Ok(limited(upgrade, MAX_MESSAGE).on_upgrade(async move |mut socket| {
        let end = match talk(&mut socket, &app, &live, &peer).await {
            Ok(never) => match never {},
            Err(end) => end,
        };
        close(&mut socket, end).await;
    }))
}

/// Greets a client, and counts its page as long as it is open.
async fn talk(
    socket: &mut WebSocket,
    app: &App,
    live: &Arc<LiveTournament>,
    peer: &Peer,
) -> Result<Infallible, End> {
    let bearer = greet(socket, peer).await?.bearer;
    let Some(token) = bearer.fingerprint else { return tell(socket, app, live, peer, &bearer).await };
    live.open_page(token);
    let end = tell(socket, app, live, peer, &bearer).await;
    live.close_page(token);
    // When the server ends, all pages are closed, and come back.
    if !matches!(end, Err(End::ServerEnds)) {
        app.tournaments.leave(live, token).await;
    }
    end
}

/// Sends the state to a client, initially and after each change.
async fn tell(
    socket: &mut WebSocket,
    app: &App,
    live: &LiveTournament,
    peer: &Peer,
    bearer: &Bearer,
) -> Result<Infallible, End> {
    let mut changes = live.watch();
    let mut ending = app.ending.clone();
    let mut heartbeat = Heartbeat::new();
    loop {
        let tournament = Arc::clone(&changes.borrow_and_update());
        let role = tournament.role(bearer.fingerprint).map_err(End::Broken)?;
        send_text(
            socket,
            &StateMessage { state: TournamentState::new(&live.id, &tournament, role, None, unix_ms()) },
        )
        .await?;
        loop {
            tokio::select! {
                received = socket.recv() => {
                    heartbeat.heard();
                    expect_no_text(received, peer)?;
                }
                changed = changes.changed() => {
                    changed.map_err(|_| End::ServerEnds)?;
                    break;
                }
                () = heartbeat.is_due() => heartbeat.beat(socket).await?,
                () = has_ended(&mut ending) => return Err(End::ServerEnds),
            }
        }
    }
}
