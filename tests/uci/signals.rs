//! Signals that end a program.

use crate::support::engine::Engine;
use rustix::process::Signal;

const SIGNALS: [(&str, Signal); 3] =
    [("SIGINT", Signal::INT), ("SIGTERM", Signal::TERM), ("SIGHUP", Signal::HUP)];

#[test]
fn a_signal_ends_the_search_and_then_the_program() {
    let cases = [
        ("nothing", 0),
        ("go infinite", 1),
        ("go depth 100", 1),
        ("go wtime 3600000 btime 3600000", 1),
        ("go ponder wtime 1000 btime 1000", 1),
        ("perft 40", 0),
        ("bench 100", 0),
        ("speedtest 100 1 1", 0),
    ];
    for (name, signal) in SIGNALS {
        for (command, best_moves) in cases {
            let mut engine = Engine::told(&["position startpos moves e2e4"]);
            if command != "nothing" {
                engine.send(command);
            }
            engine.until_ready();
            engine.signal(signal);
            let ended = engine.end_by_itself();
            ended.assert_well();
            assert_eq!(ended.count("bestmove "), best_moves, "{name}, {command}: {:?}", ended.lines);
        }
    }
}

#[test]
fn a_signal_ends_a_search_that_the_end_of_the_input_has_left_to_itself() {
    let mut engine = Engine::told(&["go depth 100"]);
    engine.until_ready();
    engine.close();
    engine.signal(Signal::TERM);
    let ended = engine.end_by_itself();
    ended.assert_well();
    assert_eq!(ended.count("bestmove "), 1, "{:?}", ended.lines);
}
