//! Saving games into the files and collections of the command line. Each change is atomic.

use super::access::Peer;
use super::app::App;
use super::body::LongJsonBody;
use super::document::Document;
use super::failure::Failure;
use super::file_steps::Step;
use super::files::{FileError, GameFile, Unwanted};
use crate::database::{Change, Collection, EditError, NewGame, Reencoder, own_text};
use crate::notation::pgn::{Export, Game, Place};
use axum::Json;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use xxhash_rust::xxh3::xxh3_64;

/// The origin of games from the page in a collection.
const ORIGIN: &str = "hematite board";

/// A game to be saved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    game: Document,
    /// The version of the game that is replaced.
    #[serde(default)]
    version: Option<String>,
}

/// The place of a saved game.
#[derive(Serialize)]
pub(super) struct Kept {
    /// The number of the game, counted from 1.
    number: u64,
    version: String,
}

/// A game of a file, with a hash of its content as the version.
#[derive(Serialize)]
pub(super) struct GameOfFile {
    #[serde(flatten)]
    document: Document,
    version: String,
}

impl GameOfFile {
    /// Converts a game.
    pub(super) fn new(game: &Game) -> Self {
        Self { document: Document::of(game), version: version(&Export::new().game(game)) }
    }
}

fn version(export: &str) -> String {
    format!("{:016x}", xxh3_64(export.as_bytes()))
}

/// Answers `PUT /api/files/F/games/N`.
///
/// # Errors
/// [`Failure`] if the game has changed since it was read, or the file cannot be changed.
pub(super) async fn replace(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path((file, number)): Path<(usize, u64)>,
    LongJsonBody(saved, _work): LongJsonBody<Saved>,
) -> Result<Json<Kept>, Failure> {
    save(&app, &peer, file, Some(number), saved).await.map(Json)
}

/// Answers `POST /api/files/F/games`.
///
/// # Errors
/// [`Failure`] if the file cannot be changed.
pub(super) async fn add(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    LongJsonBody(saved, _work): LongJsonBody<Saved>,
) -> Result<(StatusCode, Json<Kept>), Failure> {
    let kept = save(&app, &peer, file, None, saved).await?;
    Ok((StatusCode::CREATED, Json(kept)))
}

async fn save(
    app: &App,
    peer: &Peer,
    file: usize,
    number: Option<u64>,
    saved: Saved,
) -> Result<Kept, Failure> {
    with_writable(app, peer, file, move |file| put(file, number, &saved)).await
}

/// Runs work that changes a file on a blocking thread. Changes are serialized, so that each sees the result of the
/// previous one.
///
/// # Errors
/// [`Failure`] if the client may not change files, if the file cannot be changed, or of the work.
pub(super) async fn with_writable<T: Send + 'static>(
    app: &App,
    peer: &Peer,
    file: usize,
    work: impl FnOnce(&GameFile) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    peer.require_local("files can be changed only on the server's computer")?;
    let file = app.files.get(file).ok_or_else(|| Failure::not_found("there is no such file"))?;
    let file = Arc::clone(file);
    if !file.can_save() {
        return Err(Failure::conflict(
            "not_writable",
            format!("{} is a folder or an archive, expected a file of PGN or a collection", file.name),
        ));
    }
    let turn = Arc::clone(&app.writer).lock_owned().await;
    let done = tokio::task::spawn_blocking(move || {
        let done = work(&file);
        drop(turn);
        done
    });
    done.await.map_err(|_| Failure::busy("the server ends"))?
}

/// The failure of a change of a PGN file.
pub(super) fn refused(error: EditError) -> Failure {
    match error {
        EditError::File { .. } => Failure::conflict("not_changed", error.to_string()),
        EditError::Write(_) => Failure::not_saved(error.to_string()),
    }
}

/// The failure of a change of a collection.
pub(super) fn refused_collection(file: &GameFile, error: &io::Error) -> Failure {
    let text = format!("{}: {error}", file.name);
    if error.kind() == io::ErrorKind::ResourceBusy {
        Failure::conflict("busy_file", text)
    } else {
        Failure::not_saved(text)
    }
}

/// Replaces the game with this number, or appends a game.
fn put(file: &GameFile, number: Option<u64>, saved: &Saved) -> Result<Kept, Failure> {
    let export = Export::new().game(&saved.game.game()?);
    if let Some(number) = number {
        check_version(file, number, saved.version.as_deref())?;
    }
    let version = version(&export);
    let number = if file.is_collection() {
        put_in_collection(file.path(), number, export).map_err(|error| refused_collection(file, &error))?
    } else {
        let new = NewGame { text: own_text(export.as_bytes()).to_vec(), export };
        let step = match number {
            Some(number) => Step::Replace { number, new },
            None => Step::Add { new },
        };
        file.change(step).map_err(refused)?.number.unwrap_or_default()
    };
    Ok(Kept { number, version })
}

/// Fails if the game has changed since the client read it, so that no change is overwritten.
fn check_version(file: &GameFile, number: u64, known: Option<&str>) -> Result<(), Failure> {
    let Some(known) = known else {
        return Err(Failure::bad("no_version", "expected the version of the game that is replaced"));
    };
    let game = file.game(number, &Unwanted::new(AtomicBool::new(false))).map_err(|error| match error {
        FileError::NoGame(_) => Failure::not_found(error.to_string()),
        error => Failure::not_saved(error.to_string()),
    })?;
    if version(&Export::new().game(&game)) == known {
        return Ok(());
    }
    let text = format!("game {number} of {} has been changed since it was opened", file.name);
    Err(Failure::conflict("changed", text))
}

/// Appends games in PGN to a collection.
///
/// # Errors
/// If the collection cannot be changed, for example while another program changes it.
pub(super) fn append_to_collection(folder: &FilePath, pgn: String) -> io::Result<()> {
    let mut change = Change::open(folder)?;
    add_games(&mut change, pgn)?;
    change.finish()
}

/// Appends the new game to a collection, and marks the old one as deleted in the same step.
fn put_in_collection(folder: &FilePath, number: Option<u64>, export: String) -> io::Result<u64> {
    let mut change = Change::open(folder)?;
    let marks =
        number.map(|number| Collection::open(folder).map(|games| games.marks([number]))).transpose()?;
    add_games(&mut change, export)?;
    if let Some(marks) = marks {
        marks.apply(&mut change)?;
    }
    change.finish()?;
    Ok(Collection::open(folder)?.games())
}

fn add_games(change: &mut Change, pgn: String) -> io::Result<()> {
    let origin = change.add_origin(ORIGIN.to_owned(), None);
    let mut encoder = Reencoder::default();
    let mut add = |block| change.add(block, origin);
    encoder.add(pgn.into_bytes(), Place::START, None, &mut add)?;
    encoder.finish(&mut add)
}
