//! Perft and bench.

use crate::support::engine::{Engine, talk};
use hematite::engine::bench;

#[test]
fn perft_is_divided() {
    for line in ["perft 3", "go perft 3"] {
        let lines = talk(format!("{line}\n")).lines;
        assert_eq!(lines.len(), 20 + 3, "{lines:#?}");
        assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:#?}");
        // Programs that drive Stockfish read the empty line at the end.
        assert_eq!(lines[20..], ["", "Nodes searched: 8902", ""]);
    }
    let cases = [
        ("nothing to play", "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", 3, 0),
        ("depth 0", "7k/8/8/8/8/8/8/K7 w - - 0 1", 0, 1),
        ("castling", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ];
    for (name, fen, depth, nodes) in cases {
        let ended = talk(format!("position fen {fen}\nperft {depth}\n"));
        assert_eq!(ended.count(&format!("Nodes searched: {nodes}")), 1, "{name}: {:?}", ended.lines);
        assert_eq!(ended.count("bestmove"), 0);
    }
    let lines = talk("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nperft 1\n").lines;
    assert!(lines.contains(&"e1g1: 1".to_owned()), "{lines:#?}");
}

#[test]
fn a_perft_can_be_stopped_and_lets_others_wait() {
    let mut engine = Engine::told(&["perft 40"]);
    assert_eq!(engine.until_ready(), [""; 0]);
    engine.send("fen");
    engine.send("stop");
    assert_eq!(engine.until("info string perft: stopped").len(), 1);
    engine.until("rnbqkbnr/");
}

#[test]
fn bench_counts_the_same_everywhere() {
    let depth = 3;
    let mut output = Vec::new();
    let options = bench::Options { depth, ..bench::Options::default() };
    let totals = bench::run(options, &mut output).expect("it runs");
    let text = String::from_utf8(output).expect("text");
    assert_eq!(text.lines().count(), 51);
    assert_eq!(text.lines().last(), Some(totals.to_string().as_str()));
    // Neither what was searched before nor what is set may matter.
    let script = format!(
        "setoption name Hash value 1\nsetoption name MultiPV value 3\ngo depth 4\nwait\nbench {depth}\n"
    );
    let mut engine = Engine::start();
    engine.send_bytes(script.as_bytes());
    let ended = engine.end();
    let errors: Vec<_> = ended.errors.lines().collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors[0].starts_with("Total time (ms) : "), "{errors:?}");
    assert_eq!(errors[1], format!("Nodes searched  : {}", totals.nodes));
    assert!(errors[2].starts_with("Nodes/second    : "), "{errors:?}");
    let lines = ended.lines;
    let last = lines.last().expect("a result");
    assert!(last.starts_with(&format!("{} nodes ", totals.nodes)), "{last}, expected {totals}");
    assert!(last.ends_with(" nps"), "{last}");
}

/// `bench` takes its values in the order of Stockfish: hash, threads, limit, positions, kind of limit, kind of
/// evaluation.
#[test]
fn a_bench_of_stockfish_has_the_same_depth() {
    let last = |line: &str| {
        let mut engine = Engine::told(&[line]);
        let lines = engine.until("50/50: ");
        let nodes = engine.until("").remove(0);
        (lines.len(), nodes.split(' ').next().expect("a number").to_owned())
    };
    assert_eq!(last("bench 1 1 3 default depth mixed"), last("bench 3 1 1"));
    let lines = talk_with_errors("bench 1 1 2 some.fen depth mixed\nquit\n");
    assert_eq!(lines[0], "info string bench: unknown token `some.fen`, skipped");
}

/// The output of the engine, which may also write to the terminal.
fn talk_with_errors(text: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send_bytes(text.as_bytes());
    engine.end().lines
}

/// The requested result is printed before the engine quits.
#[test]
fn quit_waits_for_a_result() {
    let cases = [
        ("bench 1", " nps"),
        ("perft 4", "Nodes searched: 197281"),
        ("go perft 3", "Nodes searched: 8902"),
        ("genfens 1 seed 1 book None", "info string genfens "),
    ];
    for (command, expected) in cases {
        let lines = talk_with_errors(&format!("{command}\nquit\n"));
        assert!(lines.iter().any(|line| line.contains(expected)), "{command}: {lines:#?}");
    }
    // Whoever does not want it says so.
    let mut engine = Engine::told(&["perft 40", "quit", "stop"]);
    engine.until("info string perft: stopped");
    engine.end_by_itself().assert_well();
}

#[test]
fn bench_says_what_it_cannot_do() {
    let lines = talk("bench 1 1 4000000000\n").lines;
    assert_eq!(lines, ["info string bench: no memory for a hash table of 4000000000 MiB"]);
}
