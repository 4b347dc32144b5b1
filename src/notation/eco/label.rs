//! The tags that name an opening.

use super::opening;
use crate::notation::pgn::Game;

/// Names the opening of a game: sets the tags `ECO`, `Opening`, `Variation` and `SubVariation` by
/// the last position of the main line that has a name. A game whose opening has no name keeps what
/// it has.
pub fn label(game: &mut Game) {
    let mut position = *game.start();
    let mut found = opening(&position);
    for node in game.mainline() {
        position = match game.mv(node) {
            Some(mv) => position.after(mv).0,
            None => position.after_null(),
        };
        found = opening(&position).or(found);
    }
    let Some(found) = found else { return };
    game.tags.set("ECO", found.code().to_string());
    game.tags.set("Opening", found.family());
    for (name, value) in [("Variation", found.variation()), ("SubVariation", found.subvariation())] {
        match value {
            Some(value) => game.tags.set(name, value),
            None => game.tags.remove(name),
        }
    }
}
