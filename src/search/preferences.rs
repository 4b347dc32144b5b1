//! How every search is to be done, whatever the job.

use std::num::NonZeroU64;

/// What a [`super::Searcher`] keeps to in every search until it is told otherwise. The default
/// is to play as well as it can, by the clock, and to tell no more than the best lines.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Preferences {
    /// By how much a draw is worse than nothing for the side to move at the root, in centipawns.
    pub contempt: i32,
    /// Limits of time count nodes, so many to the millisecond, and not what the clock shows.
    pub nodes_per_millisecond: Option<NonZeroU64>,
    /// Tell now and then which line is being looked at.
    pub tells_current_line: bool,
    /// Tell after each iteration how the moves that are not the best are answered.
    pub tells_refutations: bool,
}
