//! `hematite pgn tree --eco`: the tree of the lines of openings, of which each counts as a game.

use super::tree_place::Place;
use super::{InputEnd, Sifted};
use crate::chess::Position;
use crate::cli::CliError;
use crate::cli::streams::Input;
use crate::database::{Follow, GameFacts, Tree};
use crate::notation::eco::{Opening, OpeningList, Openings, openings};
use crate::notation::pluralize;
use std::path::Path;
use std::sync::Arc;

/// The openings of a tree.
#[derive(Default)]
pub(super) struct OpeningSource {
    /// Those of the user's list, if there is one.
    own: Option<Openings>,
}

impl OpeningSource {
    /// Those of a list of the user, with lines of a code, a name and moves, or without one those that Hematite knows.
    ///
    /// # Errors
    /// [`CliError::Input`] if it cannot be read, with the first line that is wrong.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, CliError> {
        let Some(path) = path else { return Ok(Self::default()) };
        let (name, text) = Input::open(path)?.read_text()?;
        let mut list = OpeningList::default();
        let read = list.add(&text).and_then(|()| Openings::from_table(&list.table()));
        let own = read.map_err(|error| CliError::Input { name, problem: error.to_string() })?;
        Ok(Self { own: Some(own) })
    }

    fn all(&self) -> &Openings {
        self.own.as_ref().unwrap_or_else(|| openings())
    }

    /// The opening with this position.
    pub(super) fn of(&self, position: &Position) -> Option<&Opening> {
        self.all().of(position)
    }

    /// Counts their lines below a position.
    pub(super) fn count(
        &self,
        place: &Place,
        with_names: bool,
    ) -> Result<(Tree, Sifted, InputEnd), CliError> {
        let mut tree = Tree::new(Arc::clone(&place.root), with_names);
        for opening in self.all() {
            let mut position = Position::start();
            let mut goes_on = tree.begin(Some(&position)).is_continue();
            for &mv in opening.moves() {
                if !goes_on {
                    break;
                }
                let after = position.after(mv).0;
                goes_on = tree.play(&position, Some(mv), &after).is_continue();
                position = after;
            }
            tree.add(&GameFacts::default());
        }
        let sifted = Sifted { read: self.all().len() as u64, found: tree.total.games };
        let mut end = InputEnd::default();
        end.status.add();
        Ok((tree, sifted, end))
    }
}

/// How many lines there are, as the line below the title.
pub(super) fn lines(found: u64, sifted: Sifted) -> String {
    format!("{found} of {} of openings", pluralize(sifted.read, "line"))
}
