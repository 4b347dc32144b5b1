//! The settings of a run besides its parameters, including the node limits of searches.

use super::Gains;
use crate::search::{Clock, Limits, MAX_HASH_MIB};
use crate::selfplay::{LEAST_NODES, OpeningsId};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The settings of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The node limits of the searches.
    #[serde(flatten)]
    pub time_control: NodeTimeControl,
    /// The size of each player's hash table, in MiB. It is cleared before each game.
    pub hash_mib: usize,
    /// The number of iterations.
    pub iterations: u64,
    /// The number of pairs of games in an iteration.
    pub pairs: u64,
    /// The step of the last iteration for each game won, relative to the squared perturbation: `r_end`.
    pub rate: f64,
    /// If the parameters are only screened: the distance of both players' values from those of the parameters, in
    /// steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<f64>,
    /// The seed of the directions, the roundings and the order of the openings.
    pub seed: u64,
    /// The start positions of games.
    pub openings: OpeningsId,
}

impl Settings {
    /// The range of the number of iterations.
    pub const ITERATIONS: RangeInclusive<u64> = 1..=10_000_000;
    /// The range of the number of pairs of games in an iteration.
    pub const PAIRS: RangeInclusive<u64> = 1..=10_000;
    /// The range of `r_end`.
    pub const RATES: RangeInclusive<f64> = 1e-9..=10.0;
    /// The default of `r_end`.
    pub const RATE: f64 = 0.002;

    /// The range of the distance of a screening.
    pub const SCREENS: RangeInclusive<f64> = 0.1..=100.0;

    /// The gain sequences.
    pub const fn gains(&self) -> Gains {
        Gains { iterations: self.iterations, rate: self.rate, screen: self.screen }
    }

    /// The problem with the first setting that is out of range, if any.
    pub(super) fn problem(&self) -> Option<String> {
        (self.time_control.problem())
            .or_else(|| out_of("hash_mib", &self.hash_mib, &(1..=MAX_HASH_MIB)))
            .or_else(|| out_of("iterations", &self.iterations, &Self::ITERATIONS))
            .or_else(|| out_of("pairs", &self.pairs, &Self::PAIRS))
            .or_else(|| out_of("rate", &self.rate, &Self::RATES))
            .or_else(|| self.screen.and_then(|steps| out_of("screen", &steps, &Self::SCREENS)))
    }
}

/// The problem with a value that is out of its range, if it is.
pub(super) fn out_of<T: PartialOrd + Display>(
    name: &str,
    value: &T,
    range: &RangeInclusive<T>,
) -> Option<String> {
    (!range.contains(value))
        .then(|| format!("{name} is {value}, expected {} to {}", range.start(), range.end()))
}

/// The number of nodes that each player may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NodeTimeControl {
    /// The same limit for every search.
    Search {
        /// The maximum number of nodes of a search.
        nodes: u64,
    },
    /// A clock that counts nodes: the time management decides how many a search uses.
    Clock {
        /// The number of nodes for the whole game.
        clock: u64,
        /// The number of nodes added after each move.
        increment: u64,
    },
}

impl NodeTimeControl {
    /// The range of the number of nodes of a search.
    pub const NODES: RangeInclusive<u64> = LEAST_NODES..=1_000_000_000;
    /// The range of the number of nodes on a clock.
    pub const CLOCKS: RangeInclusive<u64> = 1_000..=1_000_000_000_000;
    /// The range of the number of nodes that a clock adds after each move.
    pub const INCREMENTS: RangeInclusive<u64> = 0..=1_000_000_000;

    /// The number of nodes of a typical search.
    pub const fn usual_search(self) -> u64 {
        /// The number of moves for which a clock has to last.
        const MOVES: u64 = 40;
        match self {
            Self::Search { nodes } => nodes,
            Self::Clock { clock, increment } => clock / MOVES + increment,
        }
    }

    /// Whether there is a clock, so that the parameters of the time management have an effect.
    pub const fn has_clock(self) -> bool {
        matches!(self, Self::Clock { .. })
    }

    /// The problem with the first number that is out of range, if any.
    pub fn problem(self) -> Option<String> {
        match self {
            Self::Search { nodes } => out_of("nodes", &nodes, &Self::NODES),
            Self::Clock { clock, increment } => out_of("clock", &clock, &Self::CLOCKS)
                .or_else(|| out_of("increment", &increment, &Self::INCREMENTS)),
        }
    }
}

impl fmt::Display for NodeTimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search { nodes } => write!(f, "{nodes} nodes a move"),
            Self::Clock { clock, increment } => {
                write!(f, "a clock of {clock} nodes and {increment} more a move")
            }
        }
    }
}

/// The remaining nodes of the two players of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeClocks {
    time_control: NodeTimeControl,
    /// The number of nodes on each player's clock.
    left: [u64; 2],
}

impl NodeClocks {
    pub(super) const fn new(time_control: NodeTimeControl) -> Self {
        let left = match time_control {
            NodeTimeControl::Search { nodes } => nodes,
            NodeTimeControl::Clock { clock, .. } => clock,
        };
        Self { time_control, left: [left; 2] }
    }

    /// The limits of this player's next search, with one node per millisecond.
    pub(super) fn limits(&self, player: usize) -> Limits {
        // A player without nodes still needs a move.
        let left = self.left[player].max(LEAST_NODES);
        let clock = match self.time_control {
            NodeTimeControl::Search { .. } => None,
            NodeTimeControl::Clock { increment, .. } => Some(Clock {
                remaining: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go: None,
            }),
        };
        Limits { nodes: Some(left), clock, ..Limits::default() }
    }

    /// Subtracts the nodes of a search from this player's clock, and adds the increment.
    pub(super) fn spend(&mut self, player: usize, nodes: u64) {
        if let NodeTimeControl::Clock { increment, .. } = self.time_control {
            self.left[player] = self.left[player].saturating_sub(nodes).saturating_add(increment);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clockruns_and_is_wound_up_and_each_player_has_one() {
        let mut clock = NodeClocks::new(NodeTimeControl::Clock { clock: 1000, increment: 10 });
        clock.spend(0, 300);
        assert_eq!([0, 1].map(|player| clock.limits(player).nodes), [Some(710), Some(1000)]);
        let time = clock.limits(0).clock.expect("a clock");
        assert_eq!((time.remaining, time.increment), (Duration::from_millis(710), Duration::from_millis(10)));
        clock.spend(0, u64::MAX);
        assert_eq!(clock.limits(0).nodes, Some(LEAST_NODES));
    }

    #[test]
    fn without_a_clockevery_search_may_take_the_same() {
        let mut clock = NodeClocks::new(NodeTimeControl::Search { nodes: 500 });
        let limits = clock.limits(0);
        assert_eq!((limits.nodes, limits.clock), (Some(500), None));
        clock.spend(0, 500);
        assert_eq!(clock.limits(0), limits);
    }

    #[test]
    fn both_are_read_as_they_were_written() {
        let cases = [
            (NodeTimeControl::Search { nodes: 100 }, r#"{"nodes":100}"#),
            (NodeTimeControl::Clock { clock: 1000, increment: 10 }, r#"{"clock":1000,"increment":10}"#),
        ];
        for (time_control, text) in cases {
            assert_eq!(serde_json::to_string(&time_control).ok().as_deref(), Some(text));
            assert_eq!(serde_json::from_str::<NodeTimeControl>(text).ok(), Some(time_control));
        }
    }

    #[test]
    fn values_out_of_range_are_reported() {
        let cases = [
            (NodeTimeControl::Search { nodes: 10 }, "nodes is 10, expected 50 to 1000000000"),
            (
                NodeTimeControl::Clock { clock: 10, increment: 0 },
                "clock is 10, expected 1000 to 1000000000000",
            ),
            (
                NodeTimeControl::Clock { clock: 1000, increment: u64::MAX },
                "increment is 18446744073709551615, expected 0 to",
            ),
        ];
        for (time_control, expected) in cases {
            assert!(
                time_control.problem().is_some_and(|problem| problem.starts_with(expected)),
                "{time_control}"
            );
        }
        assert_eq!(NodeTimeControl::Clock { clock: 600_000, increment: 6_000 }.problem(), None);
    }
}
