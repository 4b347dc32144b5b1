//! Games are saved into the files and collections that the command named, all or nothing.

use super::app::App;
use super::body::LongJsonBody;
use super::document::Document;
use super::failure::Failure;
use super::files::{FileError, GameFile, Unwanted};
use crate::database::{Change, Collection, EditError, EditedFile, NewGame, Reencoder, Wanted, own_text};
use crate::notation::pgn::{Export, Game, Place};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path as FilePath;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use xxhash_rust::xxh3::xxh3_64;

/// The source that games from the page have in a collection.
const ORIGIN: &str = "hematite board";

/// A game to be saved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    game: Document,
    /// The version of the game in the file that it takes the place of.
    #[serde(default)]
    version: Option<String>,
}

/// Where it is now.
#[derive(Serialize)]
pub(super) struct Kept {
    /// Counted from 1.
    number: u64,
    version: String,
}

/// A game of a file, with what tells it from the same game after a change.
#[derive(Serialize)]
pub(super) struct GameOfFile {
    #[serde(flatten)]
    document: Document,
    version: String,
}

impl GameOfFile {
    /// A game as it has been read.
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
/// [`Failure`] if the game in the file has changed, or the file cannot be changed.
pub(super) async fn replace(
    State(app): State<Arc<App>>,
    Path((file, number)): Path<(usize, u64)>,
    LongJsonBody(saved): LongJsonBody<Saved>,
) -> Result<Json<Kept>, Failure> {
    save(&app, file, Some(number), saved).await.map(Json)
}

/// Answers `POST /api/files/F/games`.
///
/// # Errors
/// [`Failure`] if the file cannot be changed.
pub(super) async fn add(
    State(app): State<Arc<App>>,
    Path(file): Path<usize>,
    LongJsonBody(saved): LongJsonBody<Saved>,
) -> Result<(StatusCode, Json<Kept>), Failure> {
    let kept = save(&app, file, None, saved).await?;
    Ok((StatusCode::CREATED, Json(kept)))
}

async fn save(app: &App, file: usize, number: Option<u64>, saved: Saved) -> Result<Kept, Failure> {
    if !app.is_local {
        return Err(Failure::forbidden("not_here", "only who sits at this machine changes files"));
    }
    let file = app.files.get(file).ok_or_else(|| Failure::not_found("there is no such file"))?;
    let file = Arc::clone(file);
    if !file.can_save() {
        return Err(Failure::conflict(
            "not_writable",
            format!("{} is a folder or an archive, expected a file of PGN or a collection", file.name),
        ));
    }
    // One at a time: the next one finds what this one has left.
    let turn = Arc::clone(&app.writer).lock_owned().await;
    let kept = tokio::task::spawn_blocking(move || {
        let kept = put(&file, number, &saved);
        drop(turn);
        kept
    });
    kept.await.map_err(|_| Failure::busy("the server ends"))?
}

/// Puts a game in the place of the one with this number, or behind all others.
fn put(file: &GameFile, number: Option<u64>, saved: &Saved) -> Result<Kept, Failure> {
    let export = Export::new().game(&saved.game.game()?);
    if let Some(number) = number {
        check_version(file, number, saved.version.as_deref())?;
    }
    let version = version(&export);
    let number = if file.is_collection() {
        put_in_collection(file.path(), number, export).map_err(|error| {
            let text = format!("{}: {error}", file.name);
            if error.kind() == io::ErrorKind::ResourceBusy {
                Failure::conflict("busy_file", text)
            } else {
                Failure::not_saved(text)
            }
        })?
    } else {
        put_in_file(file.path(), number, export).map_err(|error| match &error {
            EditError::File { .. } => Failure::conflict("not_changed", error.to_string()),
            EditError::Write(_) => Failure::not_saved(error.to_string()),
        })?
    };
    Ok(Kept { number, version })
}

/// What somebody else has changed meanwhile is not lost.
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

fn put_in_file(path: &FilePath, number: Option<u64>, export: String) -> Result<u64, EditError> {
    let file = EditedFile::open(path, true)?;
    let silent = Arc::new(|_: &crate::database::Source, _: &str| ());
    let new = NewGame { text: own_text(export.as_bytes()).to_vec(), export };
    let Some(number) = number else {
        let (found, games) = file.find(Wanted::Last, silent, &|_| ())?;
        let pieces = file.appended(found.get(&games), file.joined(slice::from_ref(&new)));
        file.check(&pieces, games + 1, games + 1, &[new.export])?;
        file.replace(&pieces, false)?;
        return Ok(games + 1);
    };
    let (found, games) = file.find(Wanted::Numbers(&|other| other == number), silent, &|_| ())?;
    file.check_number(number, games)?;
    let span = found.get(&number).ok_or_else(|| file.lost())?;
    file.put_back(number, span, &new, games, false)?;
    Ok(number)
}

/// Puts games, as PGN, behind all others of a collection.
///
/// # Errors
/// If it cannot be changed, as while another program changes it.
pub(super) fn append_to_collection(folder: &FilePath, pgn: String) -> io::Result<()> {
    let mut change = Change::open(folder)?;
    add_games(&mut change, pgn)?;
    change.finish()
}

/// In a collection the new game is the last one, and the old one is marked as deleted, in one step.
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
