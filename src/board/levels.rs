//! The levels of strength of the engine.

use crate::search::{MAX_ELO, MIN_ELO};
use serde::Serialize;

/// A named strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Level {
    /// The name of the level.
    pub(super) name: &'static str,
    /// The Elo limit; `None` for full strength.
    pub(super) elo: Option<u32>,
    /// A description for people.
    pub(super) text: &'static str,
}

/// The levels, weakest first.
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

/// The level with this name, ignoring case.
pub(super) fn level(name: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|level| level.name.eq_ignore_ascii_case(name))
}

/// Whether the engine can be limited to this Elo.
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
