//! The values of the UCI options.

use crate::search::{MAX_ELO, MAX_SKILL, Params, Score, SearchOptions, Strength, SyzygyOptions};
use std::num::NonZeroU64;
use std::time::Duration;

/// The values of the UCI options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Settings {
    /// The size of the hash table, in MiB.
    pub hash_mib: usize,
    /// The number of search threads.
    pub threads: usize,
    /// The number of best lines to print.
    pub multi_pv: usize,
    /// Whether the GUI may let the engine ponder. It has no effect, since `go ponder` states it.
    pub ponder: bool,
    /// The time reserved in each time limit for communication delays.
    pub move_overhead: Duration,
    /// The number of nodes that count as a millisecond of the clock; `None` if time is measured.
    pub nodes_time: Option<NonZeroU64>,
    /// The amount by which a draw scores below zero, in centipawns.
    pub contempt: i32,
    /// The skill level, from 0 to [`MAX_SKILL`], which is full strength.
    pub skill: u32,
    /// Whether the strength is limited to `elo`.
    pub is_limited: bool,
    /// The limited strength, in Elo.
    pub elo: u32,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether the engine uses its opening book.
    pub owns_book: bool,
    /// The number of plies of a game during which the book is used.
    pub book_plies: u32,
    /// The use of endgame tablebases, if there are any.
    pub syzygy: SyzygyOptions,
    /// Whether scores include win, draw and loss chances.
    pub shows_wdl: bool,
    /// Whether the user analyzes and does not play a game.
    pub is_analyzing: bool,
    /// Whether `info currline` is printed.
    pub show_currline: bool,
    /// Whether `info refutation` is printed.
    pub show_refutations: bool,
    /// Whether only the last lines of a search are printed.
    pub is_minimal: bool,
    /// The search parameters.
    pub params: Params,
}

impl Default for Settings {
    /// The values before any `setoption`.
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(10),
            nodes_time: None,
            contempt: 0,
            skill: MAX_SKILL,
            is_limited: false,
            elo: MAX_ELO,
            chess960: false,
            owns_book: false,
            book_plies: 255,
            syzygy: SyzygyOptions::default(),
            shows_wdl: false,
            is_analyzing: false,
            show_currline: false,
            show_refutations: false,
            is_minimal: false,
            params: Params::default(),
        }
    }
}

impl Settings {
    /// The limited strength; `None` for full strength.
    pub(super) fn strength(&self) -> Option<Strength> {
        if self.is_limited { Some(Strength::of_elo(self.elo)) } else { Strength::of_skill(self.skill) }
    }

    /// The options of every search. Analysis has no contempt, since its scores should be objective.
    pub(super) fn search_options(&self) -> SearchOptions {
        SearchOptions {
            contempt: if self.is_analyzing { 0 } else { Score::from_cp(self.contempt).units() },
            is_plain: false,
            nodes_per_millisecond: self.nodes_time,
            show_currline: self.show_currline && !self.is_minimal,
            show_refutations: self.show_refutations && !self.is_minimal,
            syzygy: self.syzygy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_is_limited_by_elo_or_else_by_skill() {
        let full = Settings::default();
        assert_eq!(full.strength(), None);
        let elo = Settings { elo: 1600, is_limited: true, ..full.clone() };
        assert_eq!(Settings { elo: 1600, ..full.clone() }.strength(), None);
        assert_eq!(elo.strength(), Some(Strength::of_elo(1600)));
        assert_eq!(Settings { skill: 0, ..elo }.strength(), Some(Strength::of_elo(1600)));
        assert_eq!(Settings { skill: 0, ..full }.strength(), Strength::of_skill(0));
    }

    #[test]
    fn analysis_has_no_contempt() {
        let settings = Settings { contempt: 20, is_analyzing: true, ..Settings::default() };
        assert_eq!(settings.search_options(), SearchOptions::default());
    }
}
