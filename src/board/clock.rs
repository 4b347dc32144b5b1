//! The time of the server, which stands still while the server is down.

use std::time::{Duration, Instant};

/// Counts milliseconds while the server runs. Nobody who sets the clock of the system changes it.
#[derive(Clone, Copy, Debug)]
pub struct ServerClock {
    base_ms: u64,
    started: Instant,
}

impl ServerClock {
    /// A clock that goes on from this count of milliseconds.
    pub fn from(base_ms: u64) -> Self {
        Self { base_ms, started: Instant::now() }
    }

    /// The count now.
    pub fn now_ms(&self) -> u64 {
        self.base_ms.saturating_add(millis(self.started.elapsed()))
    }

    /// When the count is this; at the start if it has been before.
    pub fn instant_of(&self, ms: u64) -> Instant {
        let ahead = Duration::from_millis(ms.saturating_sub(self.base_ms));
        // A deadline that no system can state never comes.
        self.started.checked_add(ahead).unwrap_or_else(|| self.started + NEVER)
    }
}

/// A century.
const NEVER: Duration = Duration::from_secs(100 * 366 * 86_400);

/// Whole milliseconds.
pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Milliseconds since 1970, by the clock of the system.
pub fn unix_ms() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, millis)
}
