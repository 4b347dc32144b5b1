//! What may be told to a search while it runs.

use std::sync::atomic::{AtomicBool, Ordering};

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

    /// The flag that [`Signals::stop`] sets, for work that is not a search.
    pub const fn stop_flag(&self) -> &AtomicBool {
        &self.stop
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
