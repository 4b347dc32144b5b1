//! The interface of a search: the job with its limits, the options, the signals during the search, and the
//! listener to which it reports.

use super::Score;
use crate::chess::{KeyHistory, Move, Position};
use crate::tablebase::MAX_PIECES;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The position to search and the limits of the search.
#[derive(Clone, Debug)]
pub struct Job {
    /// The root position.
    pub position: Position,
    /// The game up to and including the root position.
    pub key_history: KeyHistory,
    /// The limits of the search.
    pub limits: Limits,
    /// The number of principal variations; at least 1.
    pub multi_pv: usize,
}

/// The limits of one search. `None` means no limit.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// The number of iterations.
    pub depth: Option<u32>,
    /// The number of nodes of all threads together, which are the moves made; exact with one thread.
    pub nodes: Option<u64>,
    /// Start no new iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Search for a mate in at most this many moves; stop when it is found or refuted.
    pub mate: Option<u32>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move, from which the time for this move is computed.
    pub clock: Option<Clock>,
    /// Time reserved in each time limit for communication delays.
    pub move_overhead: Duration,
    /// The root moves to search; empty for all legal moves.
    pub search_moves: Vec<Move>,
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Remaining time.
    pub remaining: Duration,
    /// Increment after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` if the time must last for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// Options that apply to every search of a [`super::Searcher`] until they are changed. By default there is no
/// contempt, evaluations are scaled for play, time limits use the clock, and only principal variations are reported.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchOptions {
    /// The amount by which a draw scores below zero for the side to move at the root, in search units.
    pub contempt: i32,
    /// Evaluations are those of the network and the correction histories: they are not scaled toward a draw by the
    /// halfmove clock and by missing pieces, and there is no optimism. Scores that a network learns must be plain: it
    /// would learn the scaling, to which the search adds its own, so that each generation would evaluate endgames a
    /// little lower than the one before.
    pub is_plain: bool,
    /// Time limits count nodes, this many per millisecond, instead of time.
    pub nodes_per_millisecond: Option<NonZeroU64>,
    /// Report the line being searched once per second.
    pub show_currline: bool,
    /// Report after each iteration the refutations of the moves that are not best.
    pub show_refutations: bool,
    /// The use of endgame tablebases.
    pub syzygy: SyzygyOptions,
}

/// The use of endgame tablebases in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyzygyOptions {
    /// The minimum depth for probing positions with as many pieces as the largest tables have. Smaller tables
    /// are more likely to be cached, and are always probed.
    pub probe_depth: i32,
    /// The maximum number of pieces of probed positions; 0 to disable probing.
    pub probe_limit: u32,
    /// Whether a win that takes longer than the 50-move rule allows is a draw.
    pub fifty_move_rule: bool,
}

impl Default for SyzygyOptions {
    /// Probe at every depth, and follow the 50-move rule.
    fn default() -> Self {
        Self { probe_depth: 1, probe_limit: MAX_PIECES, fifty_move_rule: true }
    }
}

/// Signals to a running search, shared with the thread that controls it.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Signals {
    /// Signals for pondering: limits count only after [`Signals::ponder_hit`].
    pub fn pondering() -> Self {
        Self { pondering: AtomicBool::new(true), ..Self::default() }
    }

    /// Stops the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search must stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag that [`Signals::stop`] sets, for work other than a search.
    pub const fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The opponent has played the expected move: from now on limits count.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the search is still pondering.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}

/// Receives the progress of a search.
pub trait Listener {
    /// An iteration has been completed, or one of its principal variations has, or a score has left the
    /// aspiration window.
    fn iteration(&mut self, _iteration: &Iteration) {}

    /// The main thread starts to search the `number`th root move, counted from 1. Not called during the first second.
    fn root_move(&mut self, _depth: u32, _mv: Move, _number: usize, _elapsed: Duration) {}

    /// There is no mate in this many moves or fewer.
    fn no_mate(&mut self, _moves: usize) {}

    /// The line being searched, if requested in [`SearchOptions`].
    fn current_line(&mut self, _line: &[Move]) {}

    /// A root move that is not best, and the reply that refutes it, if known; if requested in
    /// [`SearchOptions`].
    fn refutation(&mut self, _mv: Move, _reply: Option<Move>) {}
}

/// Ignores all reports.
impl Listener for () {}

/// Collects all iterations.
impl Listener for Vec<Iteration> {
    fn iteration(&mut self, iteration: &Iteration) {
        self.push(iteration.clone());
    }
}

/// The relation of a score to the true value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    /// The true value.
    Exact,
    /// The true value is the score or more.
    Lower,
    /// The true value is the score or less.
    Upper,
}

impl Bound {
    /// The bound of a score found with the window from `alpha` to `beta`.
    pub(super) fn of(score: Score, alpha: Score, beta: Score) -> Self {
        if score >= beta {
            Self::Lower
        } else if score <= alpha {
            Self::Upper
        } else {
            Self::Exact
        }
    }

    /// Whether a score with this bound proves that the value is at least beta or below beta.
    pub(super) fn proves(self, score: Score, beta: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score < beta,
        }
    }
}

/// The state of a search after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The depth, in plies.
    pub depth: u32,
    /// The selective depth, in plies.
    pub seldepth: u32,
    /// The MultiPV number of the line, counted from 1.
    pub multipv: usize,
    /// The score of the line for the side to move.
    pub score: Score,
    /// The bound type of the score.
    pub bound: Bound,
    /// Nodes of all threads: the moves made, null moves included.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// The fill level of the hash table, in permille.
    pub hashfull: u32,
    /// Tablebase hits of all threads; `None` without tablebases.
    pub tb_hits: Option<u64>,
    /// The principal variation; never empty.
    pub pv: Vec<Move>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_prove_what_they_say() {
        let (beta, above, below) = (Score::from_units(10), Score::from_units(20), Score::from_units(0));
        let cases = [
            (Bound::Exact, above, true),
            (Bound::Exact, below, true),
            (Bound::Lower, above, true),
            (Bound::Lower, beta, true),
            (Bound::Lower, below, false),
            (Bound::Upper, above, false),
            (Bound::Upper, beta, false),
            (Bound::Upper, below, true),
        ];
        for (bound, score, expected) in cases {
            assert_eq!(bound.proves(score, beta), expected, "{bound:?} {score}");
        }
    }
}
