//! The games of a file are inserted, copied, moved and deleted, and the last change is undone.

use super::app::App;
use super::body::LongJsonBody;
use super::document::Document;
use super::failure::Failure;
use super::files::GameFile;
use super::saving::{refused, refused_collection, with_writable};
use crate::database::{Change, Collection, EditError, EditedFile, NewGame, Source, Wanted, own_text};
use crate::notation::pgn::Export;
use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use std::slice;
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

/// A change of a file of PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A game gets this number.
    Insert {
        /// The number.
        number: u64,
        /// The game.
        new: NewGame,
    },
    /// A game is put behind all others.
    Add {
        /// The game.
        new: NewGame,
    },
    /// A copy of a game is put behind it.
    Copy {
        /// The number of the game.
        number: u64,
    },
    /// A game gets another number.
    Move {
        /// The number of the game.
        number: u64,
        /// The new one.
        to: u64,
    },
    /// A game takes the place of another.
    Replace {
        /// The number.
        number: u64,
        /// The game.
        new: NewGame,
    },
    /// A game is deleted.
    Delete {
        /// The number of the game.
        number: u64,
    },
}

/// How a change is undone, as long as the file is as the change has left it.
pub(super) struct Undo {
    pub(super) stamp: String,
    /// What was done.
    pub(super) text: String,
    /// `None` for a collection, which knows itself how to undo its last change.
    step: Option<Step>,
}

/// What a change has led to.
pub(super) struct Done {
    /// The number of the game that was changed; `None` if it is gone.
    pub(super) number: Option<u64>,
    undo: Step,
    /// What was done.
    text: String,
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
    change(file, step).map(|done| done.number).map_err(refused)
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

/// Changes a file of PGN, and remembers how that is undone.
///
/// # Errors
/// If the file cannot be changed; it is as it was then.
pub(super) fn change(file: &GameFile, step: Step) -> Result<Done, EditError> {
    let edited = EditedFile::open(file.path(), matches!(step, Step::Add { .. }))?;
    let done = apply(&edited, step)?;
    let undo = Undo { stamp: file.stamp(), text: done.text.clone(), step: Some(done.undo.clone()) };
    *file.undo.lock() = Some(undo);
    Ok(done)
}

fn apply(file: &EditedFile, step: Step) -> Result<Done, EditError> {
    let silent = || Arc::new(|_: &Source, _: &str| ());
    let find = |is_wanted: &(dyn Fn(u64) -> bool + Sync), last: u64| {
        let (found, games) = file.find(Wanted::Numbers(is_wanted), silent(), &|_| ())?;
        file.check_number(last, games)?;
        Ok::<_, EditError>((found, games))
    };
    match step {
        Step::Add { new } => {
            let (found, games) = file.find(Wanted::Last, silent(), &|_| ())?;
            let pieces = file.appended(found.get(&games), file.joined(slice::from_ref(&new)));
            let number = games + 1;
            file.check(&pieces, number, number, &[new.export])?;
            file.replace(&pieces, false)?;
            let text = format!("game {number} was added");
            Ok(Done { number: Some(number), undo: Step::Delete { number }, text })
        }
        Step::Insert { number, new } => {
            // The game before it shows where a new last one belongs.
            let is_wanted = |other| other == number || Some(other) == number.checked_sub(1);
            let (found, games) = file.find(Wanted::Numbers(&is_wanted), silent(), &|_| ())?;
            let is_last = number == games + 1;
            let new_games = slice::from_ref(&new);
            let pieces = if is_last {
                file.appended(found.get(&games), file.joined(new_games))
            } else {
                file.check_number(number, games)?;
                file.inserted(found.get(&number).ok_or_else(|| file.lost())?, new_games)
            };
            file.check(&pieces, games + 1, number, &[new.export])?;
            file.replace(&pieces, false)?;
            let text = format!("game {number} was {}", if is_last { "added" } else { "inserted" });
            Ok(Done { number: Some(number), undo: Step::Delete { number }, text })
        }
        Step::Copy { number } => {
            let (found, _) = find(&|other| other == number, number)?;
            let new = found.get(&number).and_then(|span| NewGame::from_text(&span.text));
            let new = new.ok_or_else(|| file.lost())?;
            let done = apply(file, Step::Insert { number: number + 1, new })?;
            Ok(Done { text: format!("game {number} was copied"), ..done })
        }
        Step::Move { number, to } => {
            let is_wanted = |other| EditedFile::is_for_move(number, to, other);
            let (found, games) = find(&is_wanted, number.max(to))?;
            if number != to {
                let (pieces, export) = file.moved(number, to, found).ok_or_else(|| file.lost())?;
                file.check(&pieces, games, to, &export)?;
                file.replace(&pieces, false)?;
            }
            let undo = Step::Move { number: to, to: number };
            Ok(Done { number: Some(to), undo, text: format!("game {number} became game {to}") })
        }
        Step::Replace { number, new } => {
            let (found, games) = find(&|other| other == number, number)?;
            let span = found.get(&number).ok_or_else(|| file.lost())?;
            let old = NewGame::from_text(&span.text).ok_or_else(|| file.lost())?;
            file.put_back(number, span, &new, games, false)?;
            let undo = Step::Replace { number, new: old };
            Ok(Done { number: Some(number), undo, text: format!("game {number} was changed") })
        }
        Step::Delete { number } => {
            let (found, games) =
                find(&|other| other == number || Some(other) == number.checked_add(1), number)?;
            let span = found.get(&number).ok_or_else(|| file.lost())?;
            let old = NewGame::from_text(&span.text).ok_or_else(|| file.lost())?;
            let (pieces, deleted) = EditedFile::without(&found, &|other| other == number);
            file.check(&pieces, games - deleted, 1, &[])?;
            file.replace(&pieces, false)?;
            let undo = Step::Insert { number, new: old };
            Ok(Done { number: None, undo, text: format!("game {number} was deleted") })
        }
    }
}
