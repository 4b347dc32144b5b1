//! The names of openings and their codes in the Encyclopedia of Chess Openings, found by
//! position, so that transpositions are found too.
//!
//! The facts (code, name, moves) are those of the list of opening names of
//! <https://github.com/lichess-org/chess-openings>, which is in the public domain (CC0 1.0). An
//! [`OpeningList`] makes the embedded table from such a list.

mod opening;
mod table;

pub use opening::{EcoCode, EcoCodeError, Opening, OpeningError, OpeningProblem};
pub use table::OpeningList;

use crate::chess::{Key, Position};
use crate::notation::pgn::Game;
use once_cell::sync::Lazy;
use std::collections::HashMap;
use table::Reader;

/// Openings by the position they lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    /// In the order of the table.
    openings: Vec<Opening>,
    by_key: HashMap<Key, usize>,
}

static OPENINGS: Lazy<Openings> = Lazy::new(|| {
    Openings::from_table(include_str!("openings.tsv")).expect("the embedded table is what its test has made")
});

/// The openings that Hematite knows. They are parsed on first use.
pub fn openings() -> &'static Openings {
    &OPENINGS
}

/// The opening with this position.
pub fn opening(position: &Position) -> Option<&'static Opening> {
    OPENINGS.of(position)
}

impl Openings {
    /// Reads a table made by an [`OpeningList`].
    ///
    /// # Errors
    /// [`OpeningError`] for the first wrong line.
    pub fn from_table(table: &str) -> Result<Self, OpeningError> {
        let mut openings: Vec<Opening> = Vec::new();
        let mut by_key = HashMap::new();
        for row in Reader::new().read(table) {
            let (line, position, opening) = row?;
            if let Some(before) = by_key.insert(position.key(), openings.len()) {
                let before = openings[before].name.clone();
                let problem = OpeningProblem::Named { found: opening.name, before };
                return Err(OpeningError { line, problem });
            }
            openings.push(opening);
        }
        Ok(Self { openings, by_key })
    }

    /// The opening with this position, regardless of the clocks.
    pub fn of(&self, position: &Position) -> Option<&Opening> {
        self.by_key.get(&position.key()).map(|&index| &self.openings[index])
    }

    /// Every opening, sorted by its moves.
    pub fn iter(&self) -> std::slice::Iter<'_, Opening> {
        self.openings.iter()
    }

    /// The number of openings.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }
}

impl<'a> IntoIterator for &'a Openings {
    type Item = &'a Opening;
    type IntoIter = std::slice::Iter<'a, Opening>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The opening of a game: that of the last position of the main line that has a name.
pub fn opening_of(game: &Game) -> Option<&'static Opening> {
    let mut position = *game.start();
    let mut found = opening(&position);
    for node in game.mainline() {
        position = match game.mv(node) {
            Some(mv) => position.after(mv).0,
            None => position.after_null(),
        };
        found = opening(&position).or(found);
    }
    found
}

/// Names the opening of a game: sets the tags `ECO`, `Opening`, `Variation` and `SubVariation` by
/// [`opening_of`] it. A game whose opening has no name keeps its tags.
pub fn label(game: &mut Game) {
    let Some(found) = opening_of(game) else { return };
    game.tags.set("ECO", found.code().to_string());
    game.tags.set("Opening", found.family());
    for (name, value) in [("Variation", found.variation()), ("SubVariation", found.subvariation())] {
        match value {
            Some(value) => game.tags.set(name, value),
            None => game.tags.remove(name),
        }
    }
}
