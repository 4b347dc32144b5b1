//! The server for spectators of an engine match. It serves the page and the state, and nothing that it is asked changes
//! the match.

use super::access::{HostNames, Peer, check};
use super::diagram;
use super::document::write;
use super::failure::Failure;
use super::limits::{Addresses, Limits};
use super::live::{LiveMatch, LiveUpdate};
use super::routes::{asset, document, nothing, other_method};
use super::server::{END_PATIENCE, ServerError, accept, listen};
use super::sockets::{End, Heartbeat, MAX_MESSAGE, has_ended, send_text, serve, text_of};
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::response::{Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

/// The minimum time between two messages to a spectator.
const INTERVAL: Duration = Duration::from_millis(100);
/// The maximum number of simultaneous spectators.
const MAX_VIEWERS: u32 = 1000;
/// The address of the page.
const PAGE: &str = "/watch";

/// The state shared by all requests.
struct Watching {
    live: LiveMatch,
    /// The places for spectators.
    viewers: Arc<Semaphore>,
    /// Becomes true when the server shuts down.
    ending: watch::Receiver<bool>,
}

/// A server that shows a running match.
pub struct LiveServer {
    address: SocketAddr,
    end: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl LiveServer {
    /// Starts the server on this address and port; without a port, it looks for a free one.
    ///
    /// # Errors
    /// [`ServerError`] if the server cannot listen, or cannot start a thread.
    pub fn start(address: IpAddr, port: Option<u16>, live: LiveMatch) -> Result<Self, ServerError> {
        let listener = listen(address, port)?;
        let address = listener.local_addr().map_err(ServerError::Threads)?;
        listener.set_nonblocking(true).map_err(ServerError::Threads)?;
        // A single thread, since the match needs the others.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ServerError::Threads)?;
        let (end, ending) = watch::channel(false);
        let viewers = Arc::new(Semaphore::new(MAX_VIEWERS as usize));
        let router = router(Watching { live, viewers: Arc::clone(&viewers), ending: ending.clone() });
        let run = move || {
            runtime.block_on(async {
                if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                    accept(&listener, &router, &Addresses::new(Limits::default()), ending).await;
                }
                // Gives the sockets time to send the final state.
                let _ = timeout(END_PATIENCE, viewers.acquire_many(MAX_VIEWERS)).await;
            });
            runtime.shutdown_timeout(END_PATIENCE);
        };
        let thread =
            thread::Builder::new().name("live".to_owned()).spawn(run).map_err(ServerError::Threads)?;
        Ok(Self { address, end, thread })
    }

    /// The address of the page.
    pub fn page(&self) -> String {
        let ip = if self.address.ip().is_unspecified() {
            IpAddr::V4(std::net::Ipv4Addr::LOCALHOST)
        } else {
            self.address.ip()
        };
        format!("http://{}{PAGE}", SocketAddr::new(ip, self.address.port()))
    }

    /// Stops the server, after sending the final state to the spectators.
    pub fn stop(self) {
        self.end.send_replace(true);
        let _ = self.thread.join();
    }
}

fn router(watching: Watching) -> Router {
    Router::new()
        .route("/", get(async || Redirect::to(PAGE)))
        .route(PAGE, get(document))
        .route("/assets/{name}", get(asset))
        .route("/api/live", get(show))
        .route("/api/live/socket", get(open))
        // For copies of positions and games.
        .route("/api/diagram", get(diagram::show))
        .route("/api/analysis/write", post(write))
        .fallback(nothing)
        .method_not_allowed_fallback(other_method)
        .layer(middleware::from_fn_with_state(HostNames::default(), check))
        .with_state(Arc::new(watching))
}

/// Answers `GET /api/live`: the complete current state.
async fn show(State(watching): State<Arc<Watching>>) -> Json<LiveUpdate> {
    Json(watching.live.update(None).0)
}

/// Answers `GET /api/live/socket`.
///
/// # Errors
/// [`Failure`] if there are too many spectators.
async fn open(
    State(watching): State<Arc<Watching>>,
    Extension(peer): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let place = Arc::clone(&watching.viewers).try_acquire_owned();
    let place = place.map_err(|_| Failure::busy("too many watch"))?;
    Ok(serve(upgrade, MAX_MESSAGE, place, move |socket| {
        Box::pin(async move { tell(socket, &watching, &peer).await })
    }))
}

/// Sends changes until one side disconnects. Slow clients receive the latest state and skip those before it.
async fn tell(socket: &mut WebSocket, watching: &Watching, peer: &Peer) -> End {
    let (mut ending, mut changes) = (watching.ending.clone(), watching.live.changes());
    let mut heartbeat = Heartbeat::new();
    let mut known = None;
    let told = async {
        loop {
            let (update, version) = watching.live.update(known);
            send_text(socket, &update).await?;
            known = Some(version);
            let wait = sleep(INTERVAL);
            tokio::pin!(wait);
            let mut is_early = true;
            loop {
                tokio::select! {
                    () = &mut wait, if is_early => is_early = false,
                    is_changed = has_changed(&mut changes, version), if !is_early => {
                        if !is_changed {
                            return Err(End::ServerEnds);
                        }
                        break;
                    }
                    received = socket.recv() => {
                        heartbeat.heard();
                        if text_of(received, peer)?.is_some() {
                            return Err::<Infallible, _>(End::Broken(Failure::bad("bad_message", "nothing is asked here")));
                        }
                    }
                    () = heartbeat.is_due() => heartbeat.beat(socket).await?,
                    () = has_ended(&mut ending) => {
                        // The last message contains the reason for the end.
                        send_text(socket, &watching.live.update(known).0).await?;
                        return Err(End::ServerEnds);
                    }
                }
            }
        }
    };
    match told.await {
        Ok(never) => match never {},
        Err(end) => end,
    }
}

/// Waits for a newer version; false if there will be none.
async fn has_changed(changes: &mut watch::Receiver<u64>, version: u64) -> bool {
    changes.wait_for(|&newest| newest > version).await.is_ok()
}
