//! Changes of a PGN file, each with its inverse.

use crate::database::{EditError, EditedFile, NewGame, Source, Wanted};
use std::slice;
use std::sync::Arc;

/// A change of a PGN file. Games are numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Inserts a game.
    Insert {
        /// The number of the inserted game, at most the number of games + 1.
        number: u64,
        /// The game.
        new: NewGame,
    },
    /// Appends a game.
    Add {
        /// The game.
        new: NewGame,
    },
    /// Inserts a copy of a game after it.
    Copy {
        /// The number of the game.
        number: u64,
    },
    /// Changes the number of a game.
    Move {
        /// The old number.
        number: u64,
        /// The new number.
        to: u64,
    },
    /// Replaces a game.
    Replace {
        /// The number of the game.
        number: u64,
        /// The new game.
        new: NewGame,
    },
    /// Deletes a game.
    Delete {
        /// The number of the game.
        number: u64,
    },
}

/// The undo step of a change, valid until the file changes again.
pub(super) struct Undo {
    /// [`GameFile::stamp`](super::files::GameFile::stamp) after the change.
    pub(super) stamp: String,
    /// A description of the change, such as `game 3 was deleted`.
    pub(super) text: String,
    /// The inverse change; `None` for a collection, which stores its changes itself.
    pub(super) step: Option<Step>,
}

/// The result of a change.
pub(super) struct Done {
    /// The number of the changed game; `None` if it has been deleted.
    pub(super) number: Option<u64>,
    /// The inverse change.
    pub(super) undo: Step,
    /// A description of the change, such as `game 3 was deleted`.
    pub(super) text: String,
}

/// Applies a change.
///
/// # Errors
/// If the file cannot be changed; it then remains unchanged.
pub(super) fn apply(file: &EditedFile, step: Step) -> Result<Done, EditError> {
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
            // If the new game becomes the last one, the previous game shows where to insert it.
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
