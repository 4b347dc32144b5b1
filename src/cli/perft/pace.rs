//! How fast was it?

use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// Nodes and the time they took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Pace {
    nodes: u64,
    seconds: f64,
    /// Millions of nodes a second.
    mnps: f64,
}

impl Pace {
    pub(super) fn new(nodes: u64, elapsed: Duration) -> Self {
        // A clock that has not moved yet stands for its smallest step.
        let seconds = elapsed.max(Duration::from_nanos(1)).as_secs_f64();
        Self { nodes, seconds, mnps: nodes as f64 / seconds / 1e6 }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes, {:.3} seconds, {:.1} Mnps", self.nodes, self.seconds, self.mnps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_nodes_seconds_and_millions_a_second() {
        let pace = Pace::new(3_000_000, Duration::from_millis(1500));
        assert_eq!(pace.to_string(), "3000000 nodes, 1.500 seconds, 2.0 Mnps");
        assert!(Pace::new(1, Duration::ZERO).mnps.is_finite());
    }
}
