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
    /// What was there at the first move, and is added at each time control.
    period: u64,
    /// What the GUI has said last of the moves to the next time control.
    moves_to_go: Option<u32>,
}

impl NodeClock {
    /// The clock to search with, at so many nodes to the millisecond.
    pub(super) fn read(&mut self, shown: Clock, rate: NonZeroU64) -> Clock {
        let nodes = |time: Duration| millis(time).saturating_mul(rate.get());
        let left = match self.nodes_left {
            None => {
                self.period = nodes(shown.remaining);
                self.period
            }
            Some(left) => {
                let left = left.saturating_add(nodes(shown.increment));
                // The moves to go become fewer, until a time control has been reached.
                let is_new_period = self.moves_to_go < shown.moves_to_go && self.moves_to_go.is_some();
                if is_new_period { left.saturating_add(self.period) } else { left }
            }
        };
        self.nodes_left = Some(left);
        self.moves_to_go = shown.moves_to_go;
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
    fn time_controls_add_what_was_there_at_first() {
        let rate = NonZeroU64::new(10).expect("not zero");
        let mut clock = NodeClock::default();
        let mut left = |moves_to_go| {
            let (remaining, increment) = (Duration::from_millis(1000), Duration::ZERO);
            let read = clock.read(Clock { remaining, increment, moves_to_go: Some(moves_to_go) }, rate);
            clock.spend(3_000);
            read.remaining.as_millis()
        };
        assert_eq!([3, 2, 1, 3, 2, 1, 3].map(&mut left), [1000, 700, 400, 1100, 800, 500, 1200]);
        // A GUI that always says the same may mean anything.
        assert_eq!([3, 3].map(left), [900, 600]);
    }

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
