//! What a search may use, from the tokens of `go`.

use crate::chess::{Color, Position};
use crate::notation::parse_uci_move;
use crate::search::{Clock, Limits, MAX_PLY};
use crate::uci::GoTokens;
use std::time::Duration;

/// The limits that `go` states for the side to move, and what has to be said about them.
///
/// A clock that shows nothing for the side to move is taken to show what it shows for the
/// other, or else nothing left. A search whose only limit could not be read is as short as
/// can be, since whoever asked for it expects an answer.
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

/// Does nothing bound the search?
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
            "go: no clock for {}, {} taken",
            turn.name(),
            if other.is_some() { "the opponent's is" } else { "no time left is" }
        ));
        other
    });
    Clock {
        remaining: remaining.unwrap_or_default(),
        increment: increment.unwrap_or_default(),
        moves_to_go: go.moves_to_go,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::Command;

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
}
