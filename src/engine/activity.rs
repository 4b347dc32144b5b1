//! What the engine is doing.

use super::answer::Answer;
use super::node_clock::NodeClock;
use crate::search::Signals;
use std::sync::Arc;

/// What is under way.
pub(super) enum Activity {
    /// Nothing.
    Idle,
    /// A search, whose best move has not been announced yet, or whose thread is not ready for another.
    Searching(Search),
    /// A perft or a bench.
    Batch(Arc<Signals>),
}

/// A search from `go` to `bestmove`.
pub(super) struct Search {
    /// How it is told to stop.
    pub signals: Arc<Signals>,
    /// What comes of it.
    pub answer: Arc<Answer>,
    /// Its nodes are time on a clock that counts them.
    pub is_on_node_clock: bool,
    /// What that clock shows if the opponent plays the expected move.
    pub expected_node_clock: Option<NodeClock>,
    /// Nothing would end it after `ponderhit`.
    pub is_unlimited: bool,
    /// The thread that searched is done with it.
    pub is_over: bool,
}

impl Search {
    /// Must the best move be held back, even if the search is over?
    pub(super) fn is_held(&self) -> bool {
        self.answer.hold().is_on()
    }

    /// Is it a search on the opponent's time?
    pub(super) fn is_pondering(&self) -> bool {
        self.answer.hold().is_pondering
    }

    /// Is nothing left to be done or told?
    pub(super) fn is_settled(&self) -> bool {
        self.is_over && self.answer.is_told()
    }

    /// Ends the search; the best move may be announced.
    pub(super) fn stop(&self) {
        self.signals.stop();
        self.answer.release();
    }

    /// The opponent has played the expected move. A search that was given no limit at all
    /// answers now, since nobody may ever tell it to.
    pub(super) fn ponder_hit(&self) {
        self.signals.ponder_hit();
        self.answer.ponder_hit();
        if self.is_unlimited && !self.is_held() {
            self.signals.stop();
        }
    }
}
