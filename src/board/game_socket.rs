//! `/api/games/ID/socket`: a game over a WebSocket. The server sends the state initially and after each change; the
//! client sends acts.

use super::access::Peer;
use super::app::{App, Bearer};
use super::body::parse;
use super::clock::millis_up;
use super::failure::Failure;
use super::hosted::{HostedGame, News, Standing};
use super::room::{Caller, Lags, Room};
use super::sockets::{End, Heartbeat, MAX_MESSAGE, Problem, close, has_ended, limited, send_text, text_of};
use super::state::{Seen, State as ShownState, Viewer};
use super::token::GameId;
use super::words::side_of;
use crate::chess::Color;
use crate::zone::{Act, Actor};
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, Path, State};
use axum::response::Response;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// The time limit for the first message of a client.
const HELLO_PATIENCE: Duration = Duration::from_secs(10);
/// The first message of a client.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Greeting {
    hello: Hello,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    #[serde(default)]
    token: Option<String>,
    /// The version that the client knows. It is ignored: the client always receives the current state.
    #[serde(default, rename = "version")]
    _version: Option<u64>,
    /// Whether the client wants to know the round-trip times of the players' connections.
    #[serde(default)]
    lag: bool,
}

/// A client that has sent its first message.
pub(super) struct Greeted {
    /// Its token.
    pub(super) bearer: Bearer,
    /// Whether it wants to know the round-trip times of the players' connections.
    wants_lags: bool,
}

/// Any later message of a client.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClientMessage {
    act: Act,
    /// An identifier that is returned in the answer.
    #[serde(default)]
    id: Option<Box<RawValue>>,
    #[serde(default)]
    version: Option<usize>,
}

/// A message to the client.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ServerMessage<'a> {
    State(Box<ShownState<'a>>),
    Refused(Problem),
    Lag(ShownLags),
}

/// The round-trip times of the players' connections.
#[derive(Serialize)]
struct ShownLags {
    white_ms: Option<u64>,
    black_ms: Option<u64>,
}

#[derive(Serialize)]
struct Sent<'a> {
    #[serde(flatten)]
    told: ServerMessage<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
}

/// Answers `GET /api/games/ID/socket`.
///
/// # Errors
/// [`Failure`] if there is no such game.
pub(super) async fn open(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Extension(peer): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let id = GameId::read(&id).ok_or_else(|| Failure::not_found("there is no such game"))?;
    let room = app.lobby.room(&id).await?;
    Ok(limited(upgrade, MAX_MESSAGE).on_upgrade(move |socket| serve(socket, app, room, peer)))
}

async fn serve(mut socket: WebSocket, app: Arc<App>, room: Arc<Room>, peer: Peer) {
    let end = match greet(&mut socket, &peer).await {
        Ok(Greeted { bearer, wants_lags }) => {
            let mut talk = Talk {
                app,
                games: room.watch(),
                lags: room.lags(),
                wants_lags,
                room,
                peer,
                bearer,
                present: None,
                is_counted: false,
                told: None,
            };
            let end = talk.run(&mut socket).await;
            talk.leave().await;
            end
        }
        Err(end) => end,
    };
    close(&mut socket, end).await;
}

/// Receives the first message of a client, with its token.
///
/// # Errors
/// [`End`] if it does not arrive in time, or is another message.
pub(super) async fn greet(socket: &mut WebSocket, peer: &Peer) -> Result<Greeted, End> {
    let Greeting { hello } = first_message(socket, peer).await?;
    let bearer = Bearer::read(hello.token.as_deref()).map_err(End::Broken)?;
    Ok(Greeted { bearer, wants_lags: hello.lag })
}

/// Receives the first message of a client.
///
/// # Errors
/// [`End`] if it does not arrive in time, or is another message.
pub(super) async fn first_message<T: DeserializeOwned>(
    socket: &mut WebSocket,
    peer: &Peer,
) -> Result<T, End> {
    let first = timeout(HELLO_PATIENCE, next_text(socket, peer)).await.map_err(|_| End::Gone)??;
    parse(first.as_bytes()).map_err(End::Broken)
}

/// The next text message. Pings are answered by the socket.
async fn next_text(socket: &mut WebSocket, peer: &Peer) -> Result<String, End> {
    loop {
        if let Some(text) = text_of(socket.recv().await, peer)? {
            return Ok(text);
        }
    }
}

/// The connection of a client after its first message.
struct Talk {
    app: Arc<App>,
    room: Arc<Room>,
    games: watch::Receiver<Arc<HostedGame>>,
    lags: watch::Receiver<Lags>,
    wants_lags: bool,
    peer: Peer,
    bearer: Bearer,
    /// The color of the player whose page this is.
    present: Option<Color>,
    /// Whether the client is counted as a spectator.
    is_counted: bool,
    /// The part of the state that was sent last.
    told: Option<News>,
}

impl Talk {
    async fn run(&mut self, socket: &mut WebSocket) -> End {
        match self.talk(socket).await {
            Ok(never) => match never {},
            Err(end) => end,
        }
    }

    async fn talk(&mut self, socket: &mut WebSocket) -> Result<std::convert::Infallible, End> {
        let mut ending = self.app.ending.clone();
        let mut heartbeat = Heartbeat::new();
        self.tell(socket, None, None).await?;
        self.arrive().await?;
        let has_known = self.lags.borrow_and_update().iter().any(Option::is_some);
        if self.wants_lags && has_known {
            self.tell_lags(socket).await?;
        }
        loop {
            tokio::select! {
                received = socket.recv() => {
                    heartbeat.heard();
                    if let (Some(color), Some(time)) = (self.present, heartbeat.round_trip(received.as_ref())) {
                        self.room.tell_lag(color, Some(millis_up(time)));
                    }
                    if let Some(text) = text_of(received, &self.peer)? {
                        self.obey(socket, &text).await?;
                    }
                }
                changed = self.games.changed() => {
                    changed.map_err(|_| End::ServerEnds)?;
                    self.tell_news(socket).await?;
                }
                changed = self.lags.changed(), if self.wants_lags => {
                    changed.map_err(|_| End::ServerEnds)?;
                    self.tell_lags(socket).await?;
                }
                () = heartbeat.is_due() => heartbeat.beat(socket).await?,
                () = has_ended(&mut ending) => return Err(End::ServerEnds),
            }
        }
    }

    /// Sends the state if the change is visible to the client. For changes that are private to another player, nothing
    /// is sent, so that not even their time is revealed.
    async fn tell_news(&mut self, socket: &mut WebSocket) -> Result<(), End> {
        let game = Arc::clone(&self.games.borrow_and_update());
        let standing = game.standing(self.bearer.fingerprint).map_err(End::Broken)?;
        if self.told == Some(game.news(standing)) { Ok(()) } else { self.tell(socket, None, None).await }
    }

    /// Sends the state.
    async fn tell(
        &mut self,
        socket: &mut WebSocket,
        id: Option<&RawValue>,
        given: Option<&str>,
    ) -> Result<(), End> {
        let game = Arc::clone(&self.games.borrow_and_update());
        let standing = game.standing(self.bearer.fingerprint).map_err(End::Broken)?;
        let viewer = Viewer { standing, own_token: self.bearer.text.as_deref(), given_token: given };
        self.told = Some(game.news(standing));
        let seen = Seen::new(&game, standing);
        let state = seen.state(viewer, self.app.clock.now_ms());
        send_text(socket, &Sent { told: ServerMessage::State(Box::new(state)), id }).await
    }

    /// Sends the round-trip times of the players' connections. Spectators do not get them.
    async fn tell_lags(&mut self, socket: &mut WebSocket) -> Result<(), End> {
        let [white_ms, black_ms] = *self.lags.borrow_and_update();
        let standing = self.games.borrow().standing(self.bearer.fingerprint).map_err(End::Broken)?;
        match standing {
            Standing::Invited(_) | Standing::TooLate | Standing::Actor(Actor::Spectator) => Ok(()),
            Standing::Actor(_) => {
                let told = ServerMessage::Lag(ShownLags { white_ms, black_ms });
                send_text(socket, &Sent { told, id: None }).await
            }
        }
    }

    /// Executes the act of a message, and answers it.
    async fn obey(&mut self, socket: &mut WebSocket, text: &str) -> Result<(), End> {
        let ClientMessage { act, id, version } = parse(text.as_bytes()).map_err(End::Broken)?;
        let done = match self.room.act(Caller::Token(self.bearer.fingerprint), act, version).await {
            Ok(done) => done,
            Err(failure) => {
                let sent = Sent { told: ServerMessage::Refused((&failure).into()), id: id.as_deref() };
                return send_text(socket, &sent).await;
            }
        };
        let given = done.token.map(|token| token.to_string());
        // A client that has taken a seat continues with the token of the seat; the token of an assistant is only passed
        // on.
        let standing = done.game.standing(self.bearer.fingerprint).map_err(End::Broken)?;
        if let Some(token) = &given
            && standing == Standing::TooLate
        {
            self.bearer = Bearer::read(Some(token)).map_err(End::Broken)?;
            self.arrive().await?;
        }
        self.tell(socket, id.as_deref(), given.as_deref()).await
    }

    /// Reports the presence of a player or spectator, once.
    async fn arrive(&mut self) -> Result<(), End> {
        let standing = self.room.game().standing(self.bearer.fingerprint).map_err(End::Broken)?;
        let actor = match standing {
            Standing::Actor(actor) => actor,
            Standing::TooLate => Actor::Spectator,
            Standing::Invited(_) => return Ok(()),
        };
        if actor == Actor::Spectator && !self.is_counted {
            self.is_counted = true;
            self.room.tell_watching(true).await;
        }
        let color = side_of(actor).filter(|&color| actor == Actor::player(color));
        if let (Some(color), None) = (color, self.present) {
            self.present = Some(color);
            self.room.tell_presence(color, true).await;
        }
        Ok(())
    }

    /// Reports that the page has been closed.
    async fn leave(&mut self) {
        if self.is_counted {
            self.room.tell_watching(false).await;
        }
        if let Some(color) = self.present.take() {
            self.room.tell_lag(color, None);
            self.room.tell_presence(color, false).await;
        }
    }
}
