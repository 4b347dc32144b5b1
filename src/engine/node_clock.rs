//! A clock that counts nodes, so that games do not depend on the speed of the machine.

use crate::search::Clock;
use std::num::NonZeroU64;
use std::time::Duration;

/// The time that a player has left, kept in nodes from the first move of a game on. What the
/// GUI's own clock shows later does not count: it runs by the time of day.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct NodeClock {
    /// `None` before the first move of a game.
    nodes_left: Option<u64>,
}

impl NodeClock {
    /// The clock to search with, at so many nodes to the millisecond.
    pub(super) fn read(&mut self, shown: Clock, rate: NonZeroU64) -> Clock {
        let nodes = |time: Duration| millis(time).saturating_mul(rate.get());
        let left = match self.nodes_left {
            None => nodes(shown.remaining),
            Some(left) => left.saturating_add(nodes(shown.increment)),
        };
        self.nodes_left = Some(left);
        Clock { remaining: Duration::from_millis(left / rate), ..shown }
    }

    /// A search on this clock has taken so many nodes.
    pub(super) fn spend(&mut self, nodes: u64) {
        self.nodes_left = self.nodes_left.map(|left| left.saturating_sub(nodes));
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_runs_by_nodes_from_the_first_move_on() {
        let rate = NonZeroU64::new(100).expect("not zero");
        let shown = |milliseconds| Clock {
            remaining: Duration::from_millis(milliseconds),
            increment: Duration::from_millis(10),
            moves_to_go: None,
        };
        let mut clock = NodeClock::default();
        assert_eq!(clock.read(shown(1000), rate).remaining, Duration::from_millis(1000));
        clock.spend(30_000);
        assert_eq!(clock.read(shown(1), rate).remaining, Duration::from_millis(710));
        clock.spend(u64::MAX);
        assert_eq!(clock.read(shown(1), rate).remaining, Duration::from_millis(10));
    }
}
