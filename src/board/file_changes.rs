//! The games of a file are inserted, copied, moved and deleted, and the last change is undone.

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
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A change that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// The state of the file as the list of its games had it.
    stamp: String,
    change: Wish,
}

/// What is to be done. Games are counted from 1.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
enum Wish {
    /// A new game gets this number.
    Insert {
        number: u64,
        game: Box<Document>,
    },
    /// A copy of a game is put behind it.
    Copy {
        number: u64,
    },
    /// A game gets another number.
    Move {
        number: u64,
        to: u64,
    },
    Delete {
        number: u64,
    },
    /// The last change is undone.
    Undo {},
}

impl Wish {
    /// Whether a game is meant that cannot be there.
    const fn has_zero(&self) -> bool {
        match self {
            Self::Insert { number, .. } | Self::Copy { number } | Self::Delete { number } => *number == 0,
            Self::Move { number, to } => *number == 0 || *to == 0,
            Self::Undo {} => false,
        }
    }
}

/// What has been done.
#[derive(Serialize)]
pub(super) struct Changed {
    /// The number of the game that was changed; `None` if it is gone.
    number: Option<u64>,
    stamp: String,
    /// What was done, as it can be undone.
    undo: Option<String>,
}

/// Answers `POST /api/files/F/changes`.
///
/// # Errors
/// [`Failure`] if the file has been changed meanwhile or cannot be changed.
pub(super) async fn make(
    State(app): State<Arc<App>>,
    Path(file): Path<usize>,
    LongJsonBody(Asked { stamp, change }): LongJsonBody<Asked>,
) -> Result<Json<Changed>, Failure> {
    let changed = with_writable(&app, file, move |file| {
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

fn nothing_to_undo() -> Failure {
    Failure::conflict("no_undo", "there is no change of this board that could be undone")
}

fn of_file(file: &GameFile, wish: Wish) -> Result<Option<u64>, Failure> {
    let step = match wish {
        Wish::Insert { number, game } => {
            let export = Export::new().game(&game.game()?);
            Step::Insert { number, new: NewGame { text: own_text(export.as_bytes()).to_vec(), export } }
        }
        Wish::Copy { number } => Step::Copy { number },
        Wish::Move { number, to } => Step::Move { number, to },
        Wish::Delete { number } => Step::Delete { number },
        Wish::Undo {} => {
            let stamp = file.stamp();
            let undo = file.undo.lock().take().filter(|undo| undo.stamp == stamp);
            undo.and_then(|undo| undo.step).ok_or_else(nothing_to_undo)?
        }
    };
    file.change(step).map(|done| done.number).map_err(refused)
}

/// A collection keeps the order of its games: they can be deleted, which marks them, and that can be undone.
fn of_collection(file: &GameFile, wish: Wish) -> Result<Option<u64>, Failure> {
    let failure = |error: std::io::Error| refused_collection(file, &error);
    match wish {
        Wish::Delete { number } => {
            let games = Collection::open(file.path()).map_err(failure)?;
            if number == 0 || number > games.games() {
                return Err(Failure::not_found(format!("there is no game {number}")));
            }
            let mut change = Change::open(file.path()).map_err(failure)?;
            games.marks([number]).apply(&mut change).map_err(failure)?;
            change.finish().map_err(failure)?;
            let text = format!("game {number} was deleted");
            *file.undo.lock() = Some(Undo { stamp: file.stamp(), text, step: None });
            Ok(None)
        }
        Wish::Undo {} => {
            let stamp = file.stamp();
            file.undo.lock().take().filter(|undo| undo.stamp == stamp).ok_or_else(nothing_to_undo)?;
            let mut change = Change::open(file.path()).map_err(failure)?;
            change.undo().ok_or_else(nothing_to_undo)?;
            change.finish().map_err(failure)?;
            Ok(None)
        }
        Wish::Insert { .. } | Wish::Copy { .. } | Wish::Move { .. } => {
            let text = format!("{} is a collection, which keeps the order of its games", file.name);
            Err(Failure::conflict("keeps_order", text))
        }
    }
}
