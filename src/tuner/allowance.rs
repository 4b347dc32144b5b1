//! How much the searches of a game may take, counted in nodes, so that no game depends on the machine.

use super::settings::out_of;
use crate::search::{Clock, Limits, Solo};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

/// What each player may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Allowance {
    /// The same for every search.
    Search {
        /// No search takes more nodes.
        nodes: u64,
    },
    /// A clock that counts nodes: how many a search takes is for the engine to decide.
    Clock {
        /// Nodes for the whole game.
        clock: u64,
        /// Nodes that are added after each move.
        increment: u64,
    },
}

impl Allowance {
    /// Nodes for a search.
    pub const NODES: RangeInclusive<u64> = Solo::LEAST_NODES..=1_000_000_000;
    /// Nodes on a clock.
    pub const CLOCKS: RangeInclusive<u64> = 1_000..=1_000_000_000_000;
    /// Nodes that a clock adds after each move.
    pub const INCREMENTS: RangeInclusive<u64> = 0..=1_000_000_000;

    /// Nodes of a usual search.
    pub const fn usual_search(self) -> u64 {
        /// For so many moves of a game a clock has to last.
        const MOVES: u64 = 40;
        match self {
            Self::Search { nodes } => nodes,
            Self::Clock { clock, increment } => clock / MOVES + increment,
        }
    }

    /// Is there a clock, so that it matters when a search ends?
    pub const fn has_clock(self) -> bool {
        matches!(self, Self::Clock { .. })
    }

    /// What is wrong with the first of its numbers that is out of range, if any is.
    pub fn problem(self) -> Option<String> {
        match self {
            Self::Search { nodes } => out_of("nodes", &nodes, &Self::NODES),
            Self::Clock { clock, increment } => out_of("clock", &clock, &Self::CLOCKS)
                .or_else(|| out_of("increment", &increment, &Self::INCREMENTS)),
        }
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search { nodes } => write!(f, "{nodes} nodes a move"),
            Self::Clock { clock, increment } => {
                write!(f, "a clock of {clock} nodes and {increment} more a move")
            }
        }
    }
}

/// What the two players of a game have left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purse {
    allowance: Allowance,
    /// The nodes on each player's clock.
    left: [u64; 2],
}

impl Purse {
    pub(super) const fn new(allowance: Allowance) -> Self {
        let left = match allowance {
            Allowance::Search { nodes } => nodes,
            Allowance::Clock { clock, .. } => clock,
        };
        Self { allowance, left: [left; 2] }
    }

    /// What this player's next search may take, with a node for a millisecond.
    pub(super) fn limits(&self, player: usize) -> Limits {
        // Even who has nothing left needs a move.
        let left = self.left[player].max(Solo::LEAST_NODES);
        let clock = match self.allowance {
            Allowance::Search { .. } => None,
            Allowance::Clock { increment, .. } => Some(Clock {
                remaining: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go: None,
            }),
        };
        Limits { nodes: Some(left), clock, ..Limits::default() }
    }

    /// This player has moved after a search of so many nodes.
    pub(super) fn spend(&mut self, player: usize, nodes: u64) {
        if let Allowance::Clock { increment, .. } = self.allowance {
            self.left[player] = self.left[player].saturating_sub(nodes).saturating_add(increment);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_and_is_wound_up_and_each_player_has_one() {
        let mut purse = Purse::new(Allowance::Clock { clock: 1000, increment: 10 });
        purse.spend(0, 300);
        assert_eq!([0, 1].map(|player| purse.limits(player).nodes), [Some(710), Some(1000)]);
        let clock = purse.limits(0).clock.expect("a clock");
        assert_eq!(
            (clock.remaining, clock.increment),
            (Duration::from_millis(710), Duration::from_millis(10))
        );
        purse.spend(0, u64::MAX);
        assert_eq!(purse.limits(0).nodes, Some(Solo::LEAST_NODES));
    }

    #[test]
    fn without_a_clock_every_search_may_take_the_same() {
        let mut purse = Purse::new(Allowance::Search { nodes: 500 });
        let limits = purse.limits(0);
        assert_eq!((limits.nodes, limits.clock), (Some(500), None));
        purse.spend(0, 500);
        assert_eq!(purse.limits(0), limits);
    }

    #[test]
    fn both_are_read_as_they_were_written() {
        let cases = [
            (Allowance::Search { nodes: 100 }, r#"{"nodes":100}"#),
            (Allowance::Clock { clock: 1000, increment: 10 }, r#"{"clock":1000,"increment":10}"#),
        ];
        for (allowance, text) in cases {
            assert_eq!(serde_json::to_string(&allowance).ok().as_deref(), Some(text));
            assert_eq!(serde_json::from_str::<Allowance>(text).ok(), Some(allowance));
        }
    }

    #[test]
    fn what_is_out_of_range_is_told() {
        let cases = [
            (Allowance::Search { nodes: 10 }, "nodes is 10, expected 50 to 1000000000"),
            (Allowance::Clock { clock: 10, increment: 0 }, "clock is 10, expected 1000 to 1000000000000"),
            (
                Allowance::Clock { clock: 1000, increment: u64::MAX },
                "increment is 18446744073709551615, expected 0 to",
            ),
        ];
        for (allowance, expected) in cases {
            assert!(allowance.problem().is_some_and(|problem| problem.starts_with(expected)), "{allowance}");
        }
        assert_eq!(Allowance::Clock { clock: 600_000, increment: 6_000 }.problem(), None);
    }
}
