//! Search limits from the tokens of `go`, and the clock that counts nodes.

use crate::chess::{Color, Position};
use crate::notation::parse_uci_move;
use crate::search::{Clock, Limits, MAX_PLY};
use crate::uci::GoTokens;
use std::num::NonZeroU64;
use std::time::Duration;

/// The limits of `go` for the side to move, and notes about them for the user.
///
/// If the time of the side to move is missing, that of the other side is used, or zero. A search whose only limit could
/// not be read has depth 1, since the GUI expects a move.
pub(super) fn limits(go: &GoTokens, position: &Position, move_overhead: Duration) -> (Limits, Vec<String>) {
    let mut notes = Vec::new();
    let mut limits = Limits {
        depth: go.depth.map(|depth| depth.min(MAX_PLY as u32)),
        nodes: go.nodes,
        soft_nodes: None,
        mate: go.mate,
        move_time: go.move_time,
        clock: go.has_clock().then(|| clock(go, position.turn(), &mut notes)),
        move_overhead,
        search_moves: Vec::new(),
    };
    for text in &go.search_moves {
        match parse_uci_move(text, position) {
            Ok(mv) if limits.search_moves.contains(&mv) => {}
            Ok(mv) => limits.search_moves.push(mv),
            Err(error) => notes.push(format!("searchmoves: {error}, skipped")),
        }
    }
    if limits.search_moves.is_empty() && !go.search_moves.is_empty() {
        notes.push("searchmoves: no legal move among them, all moves are searched".to_owned());
    }
    if go.has_unreadable_limit && !go.infinite && is_unlimited(&limits) {
        notes.push("go: no limit could be read, depth 1 is searched".to_owned());
        limits.depth = Some(1);
    }
    (limits, notes)
}

/// Whether a search with these limits does not end without `stop`.
pub(super) const fn is_unlimited(limits: &Limits) -> bool {
    limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.mate.is_none()
        && limits.move_time.is_none()
        && limits.clock.is_none()
}

fn clock(go: &GoTokens, turn: Color, notes: &mut Vec<String>) -> Clock {
    let (own, other, increment) = match turn {
        Color::White => (go.white_time, go.black_time, go.white_increment),
        Color::Black => (go.black_time, go.white_time, go.black_increment),
    };
    let remaining = own.or_else(|| {
        notes.push(format!(
            "go: no clock for {}, {} used",
            turn.name(),
            if other.is_some() { "the opponent's is" } else { "zero is" }
        ));
        other
    });
    Clock {
        remaining: remaining.unwrap_or_default(),
        increment: increment.unwrap_or_default(),
        moves_to_go: go.moves_to_go,
    }
}

/// The remaining time of a player, counted in nodes from the first move of a game. Later times of the GUI's clock are
/// ignored, since it measures real time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct NodeClock {
    /// The remaining nodes; `None` before the first move of a game.
    nodes_left: Option<u64>,
    /// The number of nodes at the first move, which is added at each time control.
    period: u64,
    /// The latest number of moves to the next time control.
    moves_to_go: Option<u32>,
}

impl NodeClock {
    /// The clock of the next search, at `rate` nodes per millisecond.
    pub(super) fn read(&mut self, shown: Clock, rate: NonZeroU64) -> Clock {
        let nodes = |time: Duration| millis(time).saturating_mul(rate.get());
        let left = match self.nodes_left {
            None => {
                self.period = nodes(shown.remaining);
                self.period
            }
            Some(left) => {
                let left = left.saturating_add(nodes(shown.increment));
                // The number of moves decreases until the time control is reached.
                let is_new_period = self.moves_to_go < shown.moves_to_go && self.moves_to_go.is_some();
                if is_new_period { left.saturating_add(self.period) } else { left }
            }
        };
        self.nodes_left = Some(left);
        self.moves_to_go = shown.moves_to_go;
        Clock { remaining: Duration::from_millis(left / rate), ..shown }
    }

    /// Subtracts the nodes of a search.
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
    use crate::uci::Command;

    // Limits

    fn go(line: &str) -> GoTokens {
        match Command::parse(line.as_bytes()).command {
            Some(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let start = Position::start();
        let e4 = start.play(parse_uci_move("e2e4", &start).expect("legal")).expect("legal");
        let cases = [
            ("White", start, "go wtime 100 btime 200 winc 3 binc 4 movestogo 5", (100, 3, Some(5), 0)),
            ("Black", e4, "go wtime 100 btime 200 winc 3 binc 4", (200, 4, None, 0)),
            ("only the opponent's", e4, "go wtime 100", (100, 0, None, 1)),
            ("only an increment", start, "go winc 100", (0, 100, None, 1)),
            ("only moves to go", start, "go movestogo 7", (0, 0, Some(7), 1)),
            ("below zero", start, "go wtime -100 btime 5", (0, 0, None, 0)),
        ];
        for (name, position, line, (remaining, increment, moves_to_go, notes)) in cases {
            let (limits, found) = limits(&go(line), &position, Duration::ZERO);
            let clock = Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            };
            assert_eq!((limits.clock, found.len()), (Some(clock), notes), "{name}: {found:?}");
        }
    }

    #[test]
    fn a_search_is_unlimited_only_if_that_was_meant() {
        let start = Position::start();
        let cases = [
            ("nothing", "go", true),
            ("infinite", "go infinite", true),
            ("moves only", "go searchmoves e2e4", true),
            ("ponder only", "go ponder", true),
            ("depth", "go depth 3", false),
            ("unreadable", "go depth three", false),
            ("missing", "go movetime", false),
            ("one of two readable", "go movetime x nodes 5", false),
            ("infinite all the same", "go depth x infinite", true),
        ];
        for (name, line, expected) in cases {
            let limits = limits(&go(line), &start, Duration::ZERO).0;
            assert_eq!(is_unlimited(&limits), expected, "{name}");
        }
    }

    #[test]
    fn search_moves_are_legal_and_different() {
        let start = Position::start();
        let cases = [
            ("both", "go searchmoves e2e4 d2d4", 2, 0),
            ("twice the same", "go searchmoves e2e4 e2e4", 1, 0),
            ("one illegal", "go searchmoves e2e5 d2d4", 1, 1),
            ("none legal", "go searchmoves e2e5 xyzzy", 0, 3),
            ("none at all", "go searchmoves", 0, 0),
        ];
        for (name, line, moves, notes) in cases {
            let (limits, found) = limits(&go(line), &start, Duration::ZERO);
            assert_eq!((limits.search_moves.len(), found.len()), (moves, notes), "{name}: {found:?}");
        }
    }

    // Node clock

    #[test]
    fn time_controls_add_the_time_of_the_first_move() {
        let rate = NonZeroU64::new(10).expect("not zero");
        let mut clock = NodeClock::default();
        let mut left = |moves_to_go| {
            let (remaining, increment) = (Duration::from_millis(1000), Duration::ZERO);
            let read = clock.read(Clock { remaining, increment, moves_to_go: Some(moves_to_go) }, rate);
            clock.spend(3_000);
            read.remaining.as_millis()
        };
        assert_eq!([3, 2, 1, 3, 2, 1, 3].map(&mut left), [1000, 700, 400, 1100, 800, 500, 1200]);
        // An unchanged number of moves is not a new time control.
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
