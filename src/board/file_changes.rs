//! `POST /api/files/F/changes`: inserts, copies, moves and deletes games of a file, and undoes the last change.

use super::access::Peer;
use super::app::App;
use super::body::LongJsonBody;
use super::document::Document;
use super::failure::Failure;
use super::file_steps::{Step, Undo};
use super::files::GameFile;
use super::saving::{refused, refused_collection, with_writable};
use crate::database::{Change, Collection, NewGame, own_text};
use crate::notation::pgn::Export;
use axum::Json;
use axum::extract::{Extension, Path, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A change of a file in a known state.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeRequest {
    /// The stamp that was sent with the list of games.
    stamp: String,
    change: FileChange,
}

/// A change of a file. Games are numbered from 1.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
enum FileChange {
    /// Inserts a game with this number.
    Insert {
        number: u64,
        game: Box<Document>,
    },
    /// Inserts a copy of a game after it.
    Copy {
        number: u64,
    },
    /// Changes the number of a game.
    Move {
        number: u64,
        to: u64,
    },
    Delete {
        number: u64,
    },
    /// Undoes the last change.
    Undo {},
}

impl FileChange {
    /// Whether the change names game 0, which does not exist.
    const fn has_zero(&self) -> bool {
        match self {
            Self::Insert { number, .. } | Self::Copy { number } | Self::Delete { number } => *number == 0,
            Self::Move { number, to } => *number == 0 || *to == 0,
            Self::Undo {} => false,
        }
    }
}

/// The result of a change.
#[derive(Serialize)]
pub(super) struct Changed {
    /// The number of the changed game; `None` if it has been deleted.
    number: Option<u64>,
    stamp: String,
    /// The text of the last change, if it can be undone.
    undo: Option<String>,
}

/// Answers `POST /api/files/F/changes`.
///
/// # Errors
/// [`Failure`] if the file has changed since the list was read, or cannot be changed.
pub(super) async fn make(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Path(file): Path<usize>,
    LongJsonBody(ChangeRequest { stamp, change }, _work): LongJsonBody<ChangeRequest>,
) -> Result<Json<Changed>, Failure> {
    let changed = with_writable(&app, &peer, file, move |file| {
        if file.stamp() != stamp {
            let text = format!("{} has been changed meanwhile; nothing is done", file.name);
            return Err(Failure::conflict("changed", text));
        }
        if change.has_zero() {
            return Err(Failure::not_found("there is no game 0: games are counted from 1"));
        }
        let number = if file.is_collection() { of_collection(file, change)? } else { of_file(file, change)? };
        let undo = file.undo.lock().as_ref().map(|undo| undo.text.clone());
        Ok(Changed { number, stamp: file.stamp(), undo })
    });
    changed.await.map(Json)
}

/// Calls `take` with the last change, if the file has not changed since. The change is kept, since undoing it may fail,
/// for example while another program changes the file.
fn with_undo<T>(file: &GameFile, take: impl FnOnce(&Undo) -> Option<T>) -> Result<T, Failure> {
    let stamp = file.stamp();
    let undo = file.undo.lock();
    undo.as_ref().filter(|undo| undo.stamp == stamp).and_then(take).ok_or_else(nothing_to_undo)
}

fn nothing_to_undo() -> Failure {
    Failure::conflict("no_undo", "there is no change of this board that could be undone")
}

fn of_file(file: &GameFile, change: FileChange) -> Result<Option<u64>, Failure> {
    let step = match change {
        FileChange::Insert { number, game } => {
            let export = Export::new().game(&game.game()?);
            Step::Insert { number, new: NewGame { text: own_text(export.as_bytes()).to_vec(), export } }
        }
        FileChange::Copy { number } => Step::Copy { number },
        FileChange::Move { number, to } => Step::Move { number, to },
        FileChange::Delete { number } => Step::Delete { number },
        FileChange::Undo {} => with_undo(file, |undo| undo.step.clone())?,
    };
    file.change(step).map(|done| done.number).map_err(refused)
}

/// Changes a collection. Collections keep the order of their games: games can only be deleted, which marks them, and
/// this can be undone.
fn of_collection(file: &GameFile, change: FileChange) -> Result<Option<u64>, Failure> {
    let failure = |error: std::io::Error| refused_collection(file, &error);
    match change {
        FileChange::Delete { number } => {
            let open = || Collection::open(file.path()).map_err(failure);
            if number > open()?.games() {
                return Err(Failure::not_found(format!("there is no game {number}")));
            }
            let mut change = Change::open(file.path()).map_err(failure)?;
            // Read again, since from here on no other program changes the collection.
            open()?.marks([number]).apply(&mut change).map_err(failure)?;
            change.finish().map_err(failure)?;
            let text = format!("game {number} was deleted");
            *file.undo.lock() = Some(Undo { stamp: file.stamp(), text, step: None });
            Ok(None)
        }
        FileChange::Undo {} => {
            with_undo(file, |_| Some(()))?;
            let mut change = Change::open(file.path()).map_err(failure)?;
            change.undo().ok_or_else(nothing_to_undo)?;
            change.finish().map_err(failure)?;
            *file.undo.lock() = None;
            Ok(None)
        }
        FileChange::Insert { .. } | FileChange::Copy { .. } | FileChange::Move { .. } => {
            let text = format!("{} is a collection, which keeps the order of its games", file.name);
            Err(Failure::conflict("keeps_order", text))
        }
    }
}
