//! What all requests share.

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

/// How the board is to be served.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port, which must be free; `None` for the usual one, or one that is free.
    pub port: Option<u16>,
    /// Names by which the server is asked for, as behind a proxy.
    pub hosts: Vec<String>,
    /// The file with the games that are played.
    pub state: PathBuf,
    /// The file with the progress of who studies here; `None` to keep none.
    pub progress: Option<PathBuf>,
    /// What each address may ask for.
    pub limits: Limits,
    /// Files, folders and collections of games.
    pub files: Vec<PathBuf>,
    /// Another collection, to which games are saved; it is made if it is missing.
    pub collection: Option<PathBuf>,
    /// The engine to play against and to analyze with.
    pub engine: EngineSettings,
}

/// What all requests share.
pub(super) struct App {
    /// Whom the server answers.
    pub(super) hosts: HostNames,
    /// Whether only programs of this machine reach it.
    pub(super) is_local: bool,
    /// Addresses by which others reach it.
    pub(super) links: Vec<String>,
    /// The games.
    pub(super) lobby: Arc<Lobby>,
    /// The tournaments.
    pub(super) tournaments: Arc<Tournaments>,
    /// Files and collections of games.
    pub(super) files: Vec<Arc<GameFile>>,
    /// The number of the collection into which finished games go.
    pub(super) collection: Option<usize>,
    /// Whose turn it is to change one of them.
    pub(super) writer: Arc<Mutex<()>>,
    /// Places for those who read them.
    pub(super) readers: Arc<Semaphore>,
    /// The engine.
    pub(super) engines: Engines,
    /// Places for those who study.
    pub(super) learners: Places,
    /// The file with their progress.
    pub(super) progress: Option<PathBuf>,
    /// The time.
    pub(super) clock: ServerClock,
    /// Becomes true when the server ends.
    pub(super) ending: watch::Receiver<bool>,
}

/// The token of a request, if it has one.
#[derive(Clone, Debug)]
pub(super) struct Bearer {
    /// By what it is recognized.
    pub(super) fingerprint: Option<Fingerprint>,
    /// As it came.
    pub(super) text: Option<String>,
}

impl Bearer {
    /// A token as it is written, or none.
    ///
    /// # Errors
    /// [`Failure`] if no token is written like that.
    pub(super) fn read(text: Option<&str>) -> Result<Self, Failure> {
        let Some(text) = text else { return Ok(Self { fingerprint: None, text: None }) };
        let token = Token::read(text).ok_or_else(|| Failure::unauthorized("this is not a token"))?;
        Ok(Self { fingerprint: Some(token.fingerprint()), text: Some(text.to_owned()) })
    }

    /// Refuses a request without a token.
    ///
    /// # Errors
    /// [`Failure`] if there is none.
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
