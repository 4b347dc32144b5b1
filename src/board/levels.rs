//! How strong the engine plays against people.

use crate::search::{MAX_ELO, MIN_ELO};
use serde::Serialize;

/// A strength with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Level {
    /// Its name.
    pub(super) name: &'static str,
    /// Its Elo; `None` for all that the engine has.
    pub(super) elo: Option<u32>,
    /// Whom it suits.
    pub(super) text: &'static str,
}

/// The levels, the weakest first.
pub(super) const LEVELS: [Level; 8] = [
    Level { name: "Beginner", elo: Some(MIN_ELO), text: "for the first games: it often gives pieces away" },
    Level { name: "Learner", elo: Some(850), text: "it sees what is attacked, and not much more" },
    Level { name: "Casual", elo: Some(1150), text: "for who plays now and then" },
    Level { name: "Hobby", elo: Some(1500), text: "a good player at home" },
    Level { name: "Club", elo: Some(1800), text: "a player of a chess club" },
    Level { name: "Expert", elo: Some(2100), text: "a strong player of a club" },
    Level { name: "Master", elo: Some(2400), text: "a master of chess" },
    Level { name: "Full strength", elo: None, text: "all that the engine has: nobody wins" },
];

/// The strength of a level, by its name; `None` if there is no such level.
pub(super) fn level(name: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|level| level.name.eq_ignore_ascii_case(name))
}

/// Whether the engine can play at this strength.
pub(super) fn is_possible(elo: u32) -> bool {
    (MIN_ELO..=MAX_ELO).contains(&elo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise_within_what_the_engine_can() {
        let elos: Vec<u32> = LEVELS.iter().filter_map(|level| level.elo).collect();
        assert!(elos.is_sorted() && elos.iter().all(|&elo| is_possible(elo)));
        assert_eq!(level("club").and_then(|level| level.elo), Some(1800));
        assert_eq!(level("god"), None);
    }
}
