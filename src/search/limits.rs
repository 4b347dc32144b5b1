//! What a search is given: the job with its limits, the preferences, and the signals while it runs.

use crate::chess::{Line, Move, Position};
use crate::tablebase::MAX_MEN;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is to be searched.
#[derive(Clone, Debug)]
pub struct Job {
    /// The position at the root.
    pub position: Position,
    /// The game up to and including the root.
    pub line: Line,
    /// What the search may use.
    pub limits: Limits,
    /// How many of the best moves are wanted, each with its line; at least 1.
    pub multi_pv: usize,
}

/// The bounds of one search; whatever is `None` does not bound it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Iterations of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// Begin no new iteration once so many nodes are spent.
    pub soft_nodes: Option<u64>,
    /// Look for a mate in this many full moves or fewer; stop when there is one, and when there is none.
    pub mate: Option<u32>,
    /// Time to be used for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move, from which the time for this move is taken.
    pub clock: Option<Clock>,
    /// Kept back of each time limit for what happens between the clock and the engine.
    pub move_overhead: Duration,
    /// Only these moves at the root; all legal ones if empty.
    pub search_moves: Vec<Move>,
}

/// What a chess clock shows the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` if the time must last for the rest of the game.
    pub moves_to_go: Option<u32>,
}

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

/// Shared between a running search and whoever commands it.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Signals {
    /// For a search on the opponent's time: its limits count only from [`Signals::ponder_hit`].
    pub fn pondering() -> Self {
        Self { pondering: AtomicBool::new(true), ..Self::default() }
    }

    /// The search is to end as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Has the search been told to end?
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The opponent has played the expected move: from now on limits count.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// Is it still the opponent's time?
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}
