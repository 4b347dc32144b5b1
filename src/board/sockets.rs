//! What the sockets have in common: their limits, what is read and sent, and how they end.

use super::access::Peer;
use super::app::App;
use super::failure::Failure;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::convert::Infallible;
use std::pin::Pin;
use std::thread;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, Interval, interval, timeout};

/// The longest message.
pub(super) const MAX_MESSAGE: usize = 64 * 1024;
/// What each socket has to read into. A thousand of them have as much as this a thousand times.
const READ_BUFFER: usize = 4 * 1024;
/// How long a client may take for what is sent.
const SEND_PATIENCE: Duration = Duration::from_secs(10);
/// How often a client is asked whether it is still there.
const PING_INTERVAL: Duration = Duration::from_secs(15);
/// How long nothing may be heard of a client.
const SILENCE: Duration = Duration::from_secs(50);
/// What a message costs of what an address may ask for.
const MESSAGE_COST: u32 = 1;

/// The content of a message that has none.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Empty {}

/// What was wrong, as a client is told.
#[derive(Clone, Serialize)]
pub(super) struct Problem {
    pub(super) text: Cow<'static, str>,
    pub(super) code: &'static str,
}

impl From<&Failure> for Problem {
    fn from(failure: &Failure) -> Self {
        Self { text: failure.text.clone(), code: failure.code }
    }
}

/// The last message to a client that does not keep to the protocol.
#[derive(Serialize)]
struct Broken {
    error: Problem,
}

/// Why a connection ends.
pub(super) enum End {
    /// The other side has gone, or is too slow.
    Gone,
    /// The server ends.
    ServerEnds,
    /// The other side does not keep to the protocol.
    Broken(Failure),
}

/// A socket whose messages have at most this many bytes.
pub(super) fn limited(upgrade: WebSocketUpgrade, max_message: usize) -> WebSocketUpgrade {
    upgrade.max_message_size(max_message).max_frame_size(max_message).read_buffer_size(READ_BUFFER)
}

/// What is said on a socket, until it ends.
type Talk<'a> = Pin<Box<dyn Future<Output = End> + Send + 'a>>;

/// Answers a request for a socket, which keeps its place among those that are open until it is closed.
pub(super) fn serve(
    upgrade: WebSocketUpgrade,
    max_message: usize,
    place: impl Send + 'static,
    talk: impl for<'a> FnOnce(&'a mut WebSocket) -> Talk<'a> + Send + 'static,
) -> Response {
    limited(upgrade, max_message).on_upgrade(async move |mut socket| {
        let end = talk(&mut socket).await;
        close(&mut socket, end).await;
        drop(place);
    })
}

/// Starts the thread that works for a socket.
///
/// # Errors
/// [`End`] if there cannot be one more.
pub(super) fn start_worker(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), End> {
    let spawned = thread::Builder::new().name(name.to_owned()).spawn(work);
    spawned.map(drop).map_err(|_| End::Broken(Failure::busy("no thread can be started")))
}

/// Finds out whether a client is still there.
pub(super) struct Heartbeat {
    pings: Interval,
    last_heard: Instant,
}

impl Heartbeat {
    /// It is there now.
    pub(super) fn new() -> Self {
        Self { pings: interval(PING_INTERVAL), last_heard: Instant::now() }
    }

    /// Something has come from it, if only an answer to a ping.
    pub(super) fn heard(&mut self) {
        self.last_heard = Instant::now();
    }

    /// Waits until it is to be asked.
    pub(super) async fn is_due(&mut self) {
        self.pings.tick().await;
    }

    /// Asks it.
    ///
    /// # Errors
    /// [`End`] if it has been silent for too long, or takes nothing.
    pub(super) async fn beat(&self, socket: &mut WebSocket) -> Result<(), End> {
        if self.last_heard.elapsed() > SILENCE {
            return Err(End::Gone);
        }
        send(socket, Message::Ping(Vec::new().into())).await
    }
}

/// Passes on what a client says, and to it what it is told, until one of them ends.
pub(super) async fn exchange<T: Serialize>(
    socket: &mut WebSocket,
    app: &App,
    peer: &Peer,
    mut hear: impl FnMut(&str) -> Result<(), End>,
    told: &mut mpsc::Receiver<T>,
) -> End {
    let mut ending = app.ending.clone();
    let mut heartbeat = Heartbeat::new();
    let exchange = async {
        loop {
            tokio::select! {
                received = socket.recv() => {
                    heartbeat.heard();
                    if let Some(text) = text_of(received, peer)? {
                        hear(&text)?;
                    }
                }
                told = told.recv() => send_text(socket, &told.ok_or(End::ServerEnds)?).await?,
                () = heartbeat.is_due() => heartbeat.beat(socket).await?,
                () = has_ended(&mut ending) => return Err::<Infallible, _>(End::ServerEnds),
            }
        }
    };
    match exchange.await {
        Ok(never) => match never {},
        Err(end) => end,
    }
}

/// The text of what has come; `None` for what only shows that somebody is there.
///
/// # Errors
/// [`End`] if nothing comes any more, or something else than text.
pub(super) fn text_of(
    received: Option<Result<Message, axum::Error>>,
    peer: &Peer,
) -> Result<Option<String>, End> {
    let message = received.ok_or(End::Gone)?.map_err(|error| {
        End::Broken(Failure::bad("bad_message", format!("the message cannot be read: {error}")))
    })?;
    if !peer.connection.charge(MESSAGE_COST) {
        return Err(End::Broken(Failure::bad("too_many_requests", "too many messages")));
    }
    match message {
        Message::Text(text) => Ok(Some(text.to_string())),
        Message::Ping(_) | Message::Pong(_) => Ok(None),
        Message::Close(_) => Err(End::Gone),
        Message::Binary(_) => Err(End::Broken(Failure::bad("bad_message", "expected a message of text"))),
    }
}

/// Says good-bye.
pub(super) async fn close(socket: &mut WebSocket, end: End) {
    let (code, reason) = match &end {
        End::Gone => return,
        End::ServerEnds => (close_code::AWAY, "the server ends"),
        End::Broken(failure) => {
            let _ = send_text(socket, &Broken { error: failure.into() }).await; // it may have gone
            (close_code::POLICY, failure.code)
        }
    };
    let frame = CloseFrame { code, reason: reason.into() };
    let _ = send(socket, Message::Close(Some(frame))).await; // it may have gone
}

/// Sends a message as JSON.
///
/// # Errors
/// [`End`] if the other side takes nothing.
pub(super) async fn send_text(socket: &mut WebSocket, message: &impl Serialize) -> Result<(), End> {
    let text = serde_json::to_string(message).map_err(|_| End::Gone)?;
    send(socket, Message::Text(text.into())).await
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), End> {
    match timeout(SEND_PATIENCE, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}

/// Waits until the server ends.
pub(super) async fn has_ended(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|ending| *ending).await; // whoever would say it may be gone, too
}
