//! How every search is to be done, whatever the job.

use crate::tablebase::MAX_MEN;
use std::num::NonZeroU64;

/// What a [`super::Searcher`] keeps to in every search until it is told otherwise. The default
/// is to play as well as it can, by the clock, and to tell no more than the best lines.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Preferences {
    /// By how much a draw is worse than nothing for the side to move at the root, in units of the
    /// search.
    pub contempt: i32,
    /// Limits of time count nodes, so many to the millisecond, and not what the clock shows.
    pub nodes_per_millisecond: Option<NonZeroU64>,
    /// Tell now and then which line is being looked at.
    pub tells_current_line: bool,
    /// Tell after each iteration how the moves that are not the best are answered.
    pub tells_refutations: bool,
    /// How endgame tables are used.
    pub endgames: EndgameUse,
}

/// How a search uses endgame tables, if it has any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameUse {
    /// Positions with as many men as the largest tables have are looked up only where as many plies are left to
    /// search. Smaller tables are more likely to be in memory, and always looked up.
    pub min_depth: i32,
    /// Positions with more men are not looked up; 0 for none at all.
    pub max_men: u32,
    /// Is a win a draw that takes longer than the 50-move rule allows?
    pub keeps_fifty_moves: bool,
}

impl Default for EndgameUse {
    /// Wherever it can be.
    fn default() -> Self {
        Self { min_depth: 1, max_men: MAX_MEN, keeps_fifty_moves: true }
    }
}
