//! The server: it listens, serves each connection, and shuts down when it is stopped.

use super::access::{HostNames, Peer};
use super::app::{App, Settings};
use super::clock::ServerClock;
use super::engines::Engines;
use super::files::{GameFile, Unwanted};
use super::limits::Addresses;
use super::lobby::Lobby;
use super::places::Places;
use super::recording;
use super::routes::router;
use super::state_file::StoreError;
use super::store::Store;
use super::stream::{self, PatientStream};
use super::study_socket::MAX_LEARNERS;
use super::tournaments::Tournaments;
use crate::database::{Change, is_collection};
use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};

/// The first port that is tried, and the number of consecutive ports that are tried.
const USUAL_PORT: u16 = 8080;
const PORTS_TRIED: u16 = 20;
/// The number of threads that serve connections. Long tasks run on other threads.
const WORKERS: usize = 2;
/// The maximum number of threads for blocking tasks.
const MAX_BLOCKING: usize = 4;
/// The maximum number of simultaneous requests that read files of games. Each of them uses all cores.
const MAX_READERS: usize = 2;
/// The maximum number of simultaneous connections.
const MAX_CONNECTIONS: usize = 10_000;
/// The time limit for the head of a request, and for an idle connection.
const HEAD_PATIENCE: Duration = Duration::from_secs(30);
/// The maximum length of the head of a request, in bytes.
const MAX_HEAD: usize = 32 * 1024;
/// The time limit for connections to close at shutdown, and for threads to end.
pub(super) const END_PATIENCE: Duration = Duration::from_millis(400);
/// The pause after a connection could not be accepted, for example because the process has too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The reason why the server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port is taken, or the address is not one of this machine.
    #[error("{address}: {error}; expected a free port and an address of this machine")]
    Listen {
        /// The address and port that were requested.
        address: SocketAddr,
        /// The reason.
        error: io::Error,
    },
    /// A file of games cannot be read.
    #[error("{0}")]
    File(String),
    /// The file with the games cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system refused to start a thread.
    #[error("threads cannot be started: {0}")]
    Threads(#[source] io::Error),
}

/// A running server.
pub struct Server {
    address: SocketAddr,
    end: watch::Sender<bool>,
    thread: JoinHandle<()>,
    first: Option<Arc<GameFile>>,
}

impl Server {
    /// Starts the server.
    ///
    /// # Errors
    /// [`ServerError`] if the server cannot listen, or cannot open its files.
    pub fn start(settings: &Settings) -> Result<Self, ServerError> {
        let listener = listen(settings.address, settings.port)?;
        let address = listener.local_addr().map_err(ServerError::Threads)?;
        listener.set_nonblocking(true).map_err(ServerError::Threads)?;
        let open = |path: &PathBuf| GameFile::open(path).map(Arc::new);
        if let Some(collection) = &settings.collection {
            make_collection(collection)
                .map_err(|error| ServerError::File(format!("{}: {error}", collection.display())))?;
        }
        let added = settings.collection.iter().filter(|added| !settings.files.contains(added));
        let files = settings.files.iter().chain(added);
        let files = files.map(open).collect::<Result<Vec<_>, _>>();
        let files = files.map_err(|error| ServerError::File(error.to_string()))?;
        let first = files.first().map(Arc::clone);
        let store = Store::open(&settings.state)?;
        refuse_state_as_other(settings, &files)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(WORKERS)
            .max_blocking_threads(MAX_BLOCKING)
            .thread_name("board")
            .enable_all()
            .build()
            .map_err(ServerError::Threads)?;
        let (end, ending) = watch::channel(false);
        let app = runtime.block_on(prepare(settings, files, &store, address, ending.clone()))?;
        let addresses = Addresses::new(settings.limits);
        let run = move || run(runtime, listener, app, addresses, ending, &store);
        let thread =
            thread::Builder::new().name("board".to_owned()).spawn(run).map_err(ServerError::Threads)?;
        Ok(Self { address, end, thread, first })
    }

    /// The address and port on which the server listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether its first file contains a game.
    pub fn has_games(&self) -> bool {
        self.first.as_ref().is_some_and(|file| file.game(1, &Unwanted::default()).is_ok())
    }

    /// Stops the server. All acknowledged changes are on the disk.
    pub fn stop(self) {
        self.end.send_replace(true);
        let _ = self.thread.join();
    }
}

/// Fails if the state file is also used for something else. If the process closed another handle of the file, the
/// system would release the lock of the database (<https://www.sqlite.org/howtocorrupt.html>).
fn refuse_state_as_other(settings: &Settings, files: &[Arc<GameFile>]) -> Result<(), ServerError> {
    let state = settings.state.canonicalize().ok();
    let is_state = |path: &Path| state.is_some() && path.canonicalize().ok() == state;
    let option = if files.iter().any(|file| file.reads(is_state)) {
        "FILE"
    } else if settings.progress.as_deref().is_some_and(is_state) {
        "--progress"
    } else {
        return Ok(());
    };
    let state = settings.state.display();
    Err(ServerError::File(format!(
        "{state} has the games that are played, expected another file by {option}"
    )))
}

/// Creates an empty collection, unless it exists.
fn make_collection(path: &Path) -> io::Result<()> {
    match is_collection(path) {
        true => Ok(()),
        false => Change::create(path)?.finish(),
    }
}

pub(super) fn listen(address: IpAddr, port: Option<u16>) -> Result<TcpListener, ServerError> {
    let try_port = |port| {
        let address = SocketAddr::new(address, port);
        TcpListener::bind(address).map_err(|error| ServerError::Listen { address, error })
    };
    if let Some(port) = port {
        return try_port(port);
    }
    let usual = (USUAL_PORT..USUAL_PORT + PORTS_TRIED).find_map(|port| try_port(port).ok());
    usual.map_or_else(|| try_port(0), Ok)
}

async fn prepare(
    settings: &Settings,
    files: Vec<Arc<GameFile>>,
    store: &Store,
    address: SocketAddr,
    ending: watch::Receiver<bool>,
) -> Result<Arc<App>, ServerError> {
    let clock = ServerClock::from(store.clock_ms().await?);
    let engines = Engines::new(settings.engine.clone());
    let lobby = Lobby::open(store.clone(), clock, engines.clone()).await?;
    let tournaments = Tournaments::open(Arc::clone(&lobby), clock).await?;
    let hosts = HostNames::new(&settings.hosts);
    let readers = Arc::new(Semaphore::new(MAX_READERS));
    Ok(Arc::new(App {
        collection: settings
            .collection
            .as_deref()
            .and_then(|path| files.iter().position(|file| file.path() == path)),
        files,
        writer: Arc::default(),
        readers,
        links: links(address, &settings.hosts),
        hosts,
        lobby,
        tournaments,
        engines,
        learners: Places::new(MAX_LEARNERS),
        progress: settings.progress.clone(),
        clock,
        ending,
    }))
}

/// The addresses for links to the server from other machines.
fn links(address: SocketAddr, hosts: &[String]) -> Vec<String> {
    let mut links: Vec<String> = hosts.iter().map(|host| format!("https://{host}")).collect();
    let port = address.port();
    if address.ip().is_unspecified() {
        // Nothing is sent: connecting only selects the own address that would be used for other hosts.
        let own = UdpSocket::bind((address.ip(), 0)).and_then(|socket| {
            socket.connect(if address.is_ipv4() { "192.0.2.1:9" } else { "[2001:db8::1]:9" })?;
            socket.local_addr()
        });
        links.extend(own.map(|own| format!("http://{}", SocketAddr::new(own.ip(), port))));
    } else if !address.ip().is_loopback() {
        links.push(format!("http://{address}"));
    }
    links
}

fn run(
    runtime: Runtime,
    listener: TcpListener,
    app: Arc<App>,
    addresses: Addresses,
    ending: watch::Receiver<bool>,
    store: &Store,
) {
    runtime.block_on(async {
        let keeper = tokio::spawn(Arc::clone(&app.lobby).keep());
        let starter = tokio::spawn(Arc::clone(&app.tournaments).keep());
        let recorder = app.collection.map(|number| tokio::spawn(recording::keep(Arc::clone(&app), number)));
        let router = router(Arc::clone(&app), app.hosts.clone());
        if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
            accept(&listener, &router, &addresses, ending).await;
        }
        app.engines.end();
        keeper.abort();
        starter.abort();
        recorder.iter().for_each(tokio::task::JoinHandle::abort);
        if app.lobby.has_running_clock() {
            let _ = store.write_clock(app.clock.now_ms()).await; // the server ends in any case
        }
    });
    runtime.shutdown_timeout(END_PATIENCE);
    store.close();
}

pub(super) async fn accept(
    listener: &tokio::net::TcpListener,
    router: &Router,
    addresses: &Addresses,
    mut ending: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let end = ending.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = ending.wait_for(|ending| *ending) => break,
        };
        let Ok((stream, remote)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // Connections above the limit are closed immediately.
        let Some(connection) = addresses.connect(remote.ip()) else { continue };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let Ok(local) = stream.local_addr() else { continue };
        // Messages are short, and must not be delayed to be merged.
        let _ = stream.set_nodelay(true);
        let peer = Peer { local, remote, is_local: false, connection: Arc::new(connection) };
        let (router, ending) = (router.clone(), end.clone());
        tokio::spawn(async move {
            serve(PatientStream::new(stream, stream::PATIENCE), router, peer, ending).await;
            drop(place);
        });
    }
    // Sockets send a close frame.
    let all = u32::try_from(MAX_CONNECTIONS).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(END_PATIENCE, places.acquire_many(all)).await;
}

async fn serve(stream: PatientStream, router: Router, peer: Peer, mut ending: watch::Receiver<bool>) {
    let service = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer.clone());
        service.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_PATIENCE)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = async { drop(ending.wait_for(|ending| *ending).await) } => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await; // the connection has ended, with or without an error
}
