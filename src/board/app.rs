//! The state shared by all requests.

use super::access::HostNames;
use super::clock::ServerClock;
use super::engines::{EngineSettings, Engines};
use super::failure::Failure;
use super::files::GameFile;
use super::limits::Limits;
use super::lobby::Lobby;
use super::places::Places;
use super::token::{Fingerprint, Token};
use super::tournaments::Tournaments;
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Mutex, Semaphore, watch};

/// The settings of the board.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port, which must be free; `None` for the usual port, or a free one.
    pub port: Option<u16>,
    /// Additional names of the server, as behind a proxy.
    pub hosts: Vec<String>,
    /// The file with the games that are being played.
    pub state: PathBuf,
    /// The file with the progress of the learners; `None` to store none.
    pub progress: Option<PathBuf>,
    /// The limits of each client address.
    pub limits: Limits,
    /// Files, folders and collections of games.
    pub files: Vec<PathBuf>,
    /// Another collection, to which games are saved; it is created if it is missing.
    pub collection: Option<PathBuf>,
    /// The engine to play against and to analyze with.
    pub engine: EngineSettings,
}

/// The state shared by all requests.
pub(super) struct App {
    /// The host names that the server accepts.
    pub(super) hosts: HostNames,
    /// The addresses for links to the server from other machines.
    pub(super) links: Vec<String>,
    /// The games.
    pub(super) lobby: Arc<Lobby>,
    /// The tournaments.
    pub(super) tournaments: Arc<Tournaments>,
    /// Files and collections of games.
    pub(super) files: Vec<Arc<GameFile>>,
    /// The index of the collection to which finished games are saved.
    pub(super) collection: Option<usize>,
    /// Held while one of the files is changed.
    pub(super) writer: Arc<Mutex<()>>,
    /// The places for requests that read the files.
    pub(super) readers: Arc<Semaphore>,
    /// The engine.
    pub(super) engines: Engines,
    /// The places for learners.
    pub(super) learners: Places,
    /// The file with the progress of the learners.
    pub(super) progress: Option<PathBuf>,
    /// The clock of the server.
    pub(super) clock: ServerClock,
    /// Becomes true when the server shuts down.
    pub(super) ending: watch::Receiver<bool>,
}

/// The token of a request, if there is one.
#[derive(Clone, Debug)]
pub(super) struct Bearer {
    /// The fingerprint of the token.
    pub(super) fingerprint: Option<Fingerprint>,
    /// The token as it was received.
    pub(super) text: Option<String>,
}

impl Bearer {
    /// Parses a token; `None` is a request without one.
    ///
    /// # Errors
    /// [`Failure`] if the text is not a token.
    pub(super) fn read(text: Option<&str>) -> Result<Self, Failure> {
        let Some(text) = text else { return Ok(Self { fingerprint: None, text: None }) };
        let token = Token::read(text).ok_or_else(|| Failure::unauthorized("this is not a token"))?;
        Ok(Self { fingerprint: Some(token.fingerprint()), text: Some(text.to_owned()) })
    }

    /// Refuses a request without a token.
    ///
    /// # Errors
    /// [`Failure`] if there is no token.
    pub(super) fn require(&self) -> Result<(), Failure> {
        match self.fingerprint {
            Some(_) => Ok(()),
            None => Err(Failure::unauthorized("expected the header `Authorization: Bearer TOKEN`")),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Bearer {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let malformed = || Failure::unauthorized("expected one header `Authorization: Bearer TOKEN`");
        let mut values = parts.headers.get_all(header::AUTHORIZATION).iter();
        let Some(value) = values.next() else { return Self::read(None) };
        if values.next().is_some() {
            return Err(malformed());
        }
        let token = value.to_str().ok().and_then(|value| value.split_once(' '));
        let token = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        Self::read(Some(token.ok_or_else(malformed)?.1.trim()))
    }
}
