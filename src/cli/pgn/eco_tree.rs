//! `hematite pgn tree --eco`: the tree of opening lines, each of which counts as a game.

use super::tree_place::Place;
use super::{InputEnd, Sifted};
use crate::database::Tree;
use crate::notation::eco::openings;
use crate::notation::pluralize;
use std::sync::Arc;

/// Counts the lines of named openings below a position.
pub(super) fn count_lines(place: &Place, with_names: bool) -> (Tree, Sifted, InputEnd) {
    let tree = Tree::of_openings(Arc::clone(&place.root), with_names);
    let sifted = Sifted { read: openings().len() as u64, found: tree.total.games };
    let mut end = InputEnd::default();
    end.status.add();
    (tree, sifted, end)
}

/// The number of lines, as text for the line below the title.
pub(super) fn lines(found: u64, sifted: Sifted) -> String {
    format!("{found} of {} of openings", pluralize(sifted.read, "line"))
}
