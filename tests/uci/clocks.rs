//! All forms of `go` get one `bestmove`, whatever their tokens.

use crate::support::engine::{Engine, talk};

/// Forms of `go` whose search ends on its own.
const LIMITED: &[&str] = &[
    "go depth 1",
    "go depth 5",
    "go depth 0",
    "go depth -3",
    "go depth x",
    "go depth",
    "go nodes 1",
    "go nodes 0",
    "go nodes 2000",
    "go nodes -7",
    "go movetime 10",
    "go movetime 0",
    "go movetime -10",
    "go movetime x",
    "go mate 0 nodes 100",
    "go mate 1 movetime 20",
    "go wtime 0 btime 0",
    "go wtime 1 btime 1 winc 0 binc 0",
    "go wtime -100 btime -100",
    "go wtime -100 btime 5000",
    "go wtime 100",
    "go btime 100",
    "go winc 10",
    "go winc 10 binc 10",
    "go movestogo 1",
    "go wtime 100 btime 100 movestogo 0",
    "go wtime 100 btime 100 movestogo 1",
    "go wtime 100 btime 100 movestogo -4",
    "go wtime 100 btime 100 movestogo 99999999999999999999",
    "go wtime 100 btime 100 winc -1 binc -1",
    "go wtime x btime y",
    "go wtime 99999999999999999999999999 btime 1 depth 2",
    "go winc 99999999999999999999999999 wtime 9223372036854775807 depth 2",
    "go nodes 99999999999999999999999999 depth 2",
    "go depth 99999999999999999999999999 nodes 500",
    "go mate 99999999999999999999999999 depth 2",
    "go movetime 99999999999999999999999999 depth 2",
    "go movetime 1 depth 2 nodes 3 wtime 4 btime 5 winc 6 binc 7 movestogo 8 mate 9",
    "go searchmoves e2e4 d2d4 depth 3",
    "go depth 3 searchmoves e2e4 d2d4",
    "go depth 3 searchmoves e2e4 d2d4 nodes 400",
    "go depth 3 searchmoves",
    "go depth 3 searchmoves e2e5 xyzzy e9e9",
    "go joho depth 3 joho",
    "go \u{fffd} depth 3",
];

#[test]
fn one_best_move_for_each_limited_search() {
    for position in ["position startpos", "position startpos moves e2e4"] {
        let mut engine = Engine::told(&[position]);
        for line in LIMITED {
            engine.ask(line, "bestmove");
            // Nothing may follow, even after a late stop.
            engine.send("stop");
            let rest = engine.until_ready();
            assert_eq!(rest, [""; 0], "{position}, {line}");
        }
        let ended = engine.end();
        ended.assert_well();
        assert_eq!(ended.count("bestmove "), LIMITED.len());
    }
}

#[test]
fn oddities_are_said() {
    let cases = [
        ("go depth -3", "depth: `-3` is out of range, 1 is used"),
        ("go depth x", "go: no limit could be read, depth 1 is searched"),
        ("go nodes 5 joho", "go: unknown token `joho`, skipped"),
        ("go btime 100", "go: no clock for White, the opponent's is used"),
        ("go winc 1", "go: no clock for White, zero is used"),
        ("go depth 1 searchmoves e2e5", "searchmoves: e2e5 is not a legal move here, skipped"),
    ];
    for (line, expected) in cases {
        let lines = talk(line).lines;
        let expected = format!("info string {expected}");
        assert!(lines.contains(&expected), "{line}: {lines:#?}");
    }
}

#[test]
fn node_limits_are_exact() {
    for limit in [1_u64, 100, 5000] {
        let lines = talk(format!("go nodes {limit}\n")).lines;
        let counts: Vec<u64> = lines.iter().filter_map(|line| field(line, "nodes")).collect();
        assert!(!counts.is_empty(), "{lines:?}");
        assert!(counts.iter().all(|&nodes| nodes <= limit), "{limit}: {counts:?}");
        assert_eq!(counts.last(), Some(&limit), "the last line tells all nodes: {counts:?}");
    }
}

#[test]
fn several_threads_together_keep_to_the_limit_of_nodes() {
    for (threads, limit) in [(2, 1000_u64), (2, 20_000), (4, 1), (4, 10_000)] {
        // When the main thread finds nothing left, others may have drawn a little that they have not visited: more
        // where they have to wait for a core, but not each time.
        let mut found = Vec::new();
        let is_used_up = (0..20).any(|_| {
            let lines = talk(format!("setoption name Threads value {threads}\ngo nodes {limit}\n")).lines;
            let nodes = lines.iter().filter_map(|line| field(line, "nodes")).next_back();
            let nodes = nodes.expect("the last line tells all nodes");
            assert!(nodes <= limit, "{threads} threads, {nodes} of {limit}");
            found.push(nodes);
            nodes * 10 >= limit * 9 - 9
        });
        assert!(is_used_up, "{threads} threads, {found:?} of {limit}");
    }
}

#[test]
fn limited_searches_are_finished_at_the_end_of_the_input() {
    let cases =
        ["go depth 6", "go nodes 20000", "go movetime 100", "go wtime 500 btime 500", "go mate 1 depth 4"];
    for line in cases {
        for end in ["\n", ""] {
            let ended = talk(format!("position startpos\n{line}{end}"));
            assert_eq!(ended.count("bestmove "), 1, "{line}");
        }
    }
    let deep = talk("go depth 6").lines;
    assert!(deep.iter().any(|line| line.starts_with("info depth 6 ")), "{deep:#?}");
}

#[test]
fn unlimited_searches_are_ended_at_the_end_of_the_input() {
    for line in ["go infinite", "go", "go ponder", "go ponder wtime 1000 btime 1000", "go ponder depth 1"] {
        let ended = talk(format!("position startpos\n{line}\n"));
        assert_eq!(ended.count("bestmove "), 1, "{line}");
    }
}

/// The number after a token.
fn field(line: &str, token: &str) -> Option<u64> {
    let mut words = line.split(' ').skip_while(|&word| word != token);
    words.nth(1)?.parse().ok()
}
