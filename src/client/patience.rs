//! How long to wait.

use std::time::{Duration, Instant};

/// How long a search may take before it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// So long, whatever the engine says.
    Total(Duration),
    /// As long as the engine says something at least so often.
    Silence(Duration),
}

impl Patience {
    /// When a search is to be stopped that began at `start`, and in which something was `heard` last at this time.
    pub(super) fn deadline(self, start: Instant, heard: Instant) -> Instant {
        match self {
            Self::Total(total) => start + total,
            Self::Silence(longest) => heard + longest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_silence_begins_anew_with_each_line() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let heard = start + 5 * second;
        assert_eq!(Patience::Total(2 * second).deadline(start, heard), start + 2 * second);
        assert_eq!(Patience::Silence(2 * second).deadline(start, heard), start + 7 * second);
    }
}
