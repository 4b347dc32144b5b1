//! The lines of the named openings as games: each counts once, without a result.

use super::sieve::Follow;
use super::tally::GameFacts;
use super::tree::{Root, Tree};
use crate::chess::Position;
use crate::notation::eco::openings;
use std::sync::Arc;

impl Tree {
    /// The tree of the lines of named openings that reach the root.
    pub fn of_openings(root: Arc<Root>, with_names: bool) -> Self {
        let mut tree = Self::new(root, with_names);
        for opening in openings() {
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
        tree
    }
}
