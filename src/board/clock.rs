//! The clock of the server, which stops while the server does not run.

use std::time::{Duration, Instant};

/// A count of milliseconds while the server runs, independent of the clock of the system.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerClock {
    base_ms: u64,
    started: Instant,
}

impl ServerClock {
    /// A clock that continues from this count of milliseconds.
    pub(super) fn from(base_ms: u64) -> Self {
        Self { base_ms, started: Instant::now() }
    }

    /// The current count in milliseconds.
    pub(super) fn now_ms(&self) -> u64 {
        self.base_ms.saturating_add(millis(self.started.elapsed()))
    }

    /// The instant at which the count reaches `ms`; the start of the clock if that was earlier.
    pub(super) fn instant_of(&self, ms: u64) -> Instant {
        let ahead = Duration::from_millis(ms.saturating_sub(self.base_ms));
        // An instant that the system cannot represent is replaced by one that is never reached.
        self.started.checked_add(ahead).unwrap_or_else(|| self.started + NEVER)
    }
}

/// 100 years.
const NEVER: Duration = Duration::from_secs(100 * 366 * 86_400);

/// The duration in whole milliseconds.
pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The duration in milliseconds, rounded up.
pub(super) fn millis_up(time: Duration) -> u64 {
    const MICROS_PER_MILLI: u128 = 1000;
    u64::try_from(time.as_micros().div_ceil(MICROS_PER_MILLI)).unwrap_or(u64::MAX)
}

/// The milliseconds since 1970, by the clock of the system.
pub(super) fn unix_ms() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, millis)
}
