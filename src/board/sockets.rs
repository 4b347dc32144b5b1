//! Common parts of the sockets: limits, reading, sending and closing.

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

/// The maximum length of a message, in bytes.
pub(super) const MAX_MESSAGE: usize = 64 * 1024;
/// The size of the read buffer of each socket, in bytes; small because there can be thousands of sockets.
const READ_BUFFER: usize = 4 * 1024;
/// The time limit for a client to accept a message.
const SEND_PATIENCE: Duration = Duration::from_secs(10);
/// The interval between pings to a client.
const PING_INTERVAL: Duration = Duration::from_secs(15);
/// The time without any message or pong after which a client is considered gone.
const SILENCE: Duration = Duration::from_secs(50);
/// The cost of a message, in requests of the limit.
const MESSAGE_COST: u32 = 1;

/// The content of a message without content.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Empty {}

/// An error in the form in which it is sent to a client.
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

/// The last message to a client that violates the protocol.
#[derive(Serialize)]
struct Broken {
    error: Problem,
}

/// The reason why a connection ends.
pub(super) enum End {
    /// The client has disconnected, or is too slow.
    Gone,
    /// The server shuts down.
    ServerEnds,
    /// The client violates the protocol.
    Broken(Failure),
}

/// Limits the length of messages on a socket, in bytes.
pub(super) fn limited(upgrade: WebSocketUpgrade, max_message: usize) -> WebSocketUpgrade {
    upgrade.max_message_size(max_message).max_frame_size(max_message).read_buffer_size(READ_BUFFER)
}

/// The conversation on a socket; it returns when the socket must be closed.
type Talk<'a> = Pin<Box<dyn Future<Output = End> + Send + 'a>>;

/// Answers a request for a socket. The socket keeps `place` until it is closed.
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

/// Starts the worker thread of a socket.
///
/// # Errors
/// [`End`] if the system refuses another thread.
pub(super) fn start_worker(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), End> {
    let spawned = thread::Builder::new().name(name.to_owned()).spawn(work);
    spawned.map(drop).map_err(|_| End::Broken(Failure::busy("no thread can be started")))
}

/// Checks with pings that a client is still connected.
pub(super) struct Heartbeat {
    pings: Interval,
    last_heard: Instant,
    /// The number of pings that have been sent. Each has its number as its content.
    sent: u64,
    /// The time at which the last ping was sent, until it is answered.
    unanswered_since: Option<Instant>,
}

impl Heartbeat {
    /// Starts with the client considered connected.
    pub(super) fn new() -> Self {
        Self { pings: interval(PING_INTERVAL), last_heard: Instant::now(), sent: 0, unanswered_since: None }
    }

    /// Records that a message or pong was received.
    pub(super) fn heard(&mut self) {
        self.last_heard = Instant::now();
    }

    /// The time since the last ping, if this message is the answer to it. Only the first answer counts.
    pub(super) fn round_trip(&mut self, received: Option<&Result<Message, axum::Error>>) -> Option<Duration> {
        match received {
            Some(Ok(Message::Pong(content))) if **content == self.sent.to_be_bytes() => {
                self.unanswered_since.take().map(|sent| sent.elapsed())
            }
            _ => None,
        }
    }

    /// Waits until the next ping is due.
    pub(super) async fn is_due(&mut self) {
        self.pings.tick().await;
    }

    /// Sends a ping.
    ///
    /// # Errors
    /// [`End`] if the client has been silent for too long, or does not accept data.
    pub(super) async fn beat(&mut self, socket: &mut WebSocket) -> Result<(), End> {
        if self.last_heard.elapsed() > SILENCE {
            return Err(End::Gone);
        }
        self.sent += 1;
        self.unanswered_since = Some(Instant::now());
        send(socket, Message::Ping(self.sent.to_be_bytes().to_vec().into())).await
    }
}

/// Passes messages of the client to `hear`, and messages of `told` to the client, until one side ends.
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

/// The text of a message; `None` for pings and pongs.
///
/// # Errors
/// [`End`] if the socket is closed or fails, if there are too many messages other than pongs, or if the message is not
/// text.
pub(super) fn text_of(
    received: Option<Result<Message, axum::Error>>,
    peer: &Peer,
) -> Result<Option<String>, End> {
    let message = received.ok_or(End::Gone)?.map_err(|error| {
        End::Broken(Failure::bad("bad_message", format!("the message cannot be read: {error}")))
    })?;
    // Pongs answer pings of the server.
    let is_free = matches!(message, Message::Pong(_) | Message::Close(_));
    if !is_free && !peer.connection.charge(MESSAGE_COST) {
        return Err(End::Broken(Failure::bad("too_many_requests", "too many messages")));
    }
    match message {
        Message::Text(text) => Ok(Some(text.to_string())),
        Message::Ping(_) | Message::Pong(_) => Ok(None),
        Message::Close(_) => Err(End::Gone),
        Message::Binary(_) => Err(End::Broken(Failure::bad("bad_message", "expected a message of text"))),
    }
}

/// Accepts pings and pongs, from a client that has nothing to say after its first message.
///
/// # Errors
/// [`End`] as for [`text_of`], and if the message is text.
pub(super) fn expect_no_text(received: Option<Result<Message, axum::Error>>, peer: &Peer) -> Result<(), End> {
    match text_of(received, peer)? {
        Some(_) => Err(End::Broken(Failure::bad("bad_message", "expected no message but the first"))),
        None => Ok(()),
    }
}

/// Sends a close frame with the reason.
pub(super) async fn close(socket: &mut WebSocket, end: End) {
    let (code, reason) = match &end {
        End::Gone => return,
        End::ServerEnds => (close_code::AWAY, "the server ends"),
        End::Broken(failure) => {
            let _ = send_text(socket, &Broken { error: failure.into() }).await; // the client may be gone
            (close_code::POLICY, failure.code)
        }
    };
    let frame = CloseFrame { code, reason: reason.into() };
    let _ = send(socket, Message::Close(Some(frame))).await; // the client may be gone
}

/// Sends a message as JSON.
///
/// # Errors
/// [`End`] if the client does not accept the message in time.
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

/// Waits until the server shuts down.
pub(super) async fn has_ended(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|ending| *ending).await; // an error is also the end
}
