//! Commands in any order: each `go` has one `bestmove`.

use crate::support::engine::Engine;
use crate::support::fuzz_cases;
use hematite::rng::Rng;
use std::thread;
use std::time::Duration;

const COMMANDS: [&str; 28] = [
    "go depth 3",
    "go infinite",
    "go",
    "go ponder depth 2",
    "go ponder wtime 50 btime 50",
    "go movetime 5",
    "go nodes 300",
    "go wtime 20 btime 20 winc 1 binc 1",
    "go searchmoves e2e4 g1f3 depth 2",
    "go mate 2 nodes 200",
    "stop",
    "stop",
    "ponderhit",
    "isready",
    "uci",
    "setoption name Hash value 2",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name MultiPV value 3",
    "setoption name Skill Level value 3",
    "setoption name UCI_ShowRefutations value true",
    "setoption name Clear Hash",
    "position startpos moves e2e4",
    "position fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1 moves h1h2 h8h7 h2h3 h7h6 h3h4",
    "position fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1",
    "position fen nonsense",
    "ucinewgame",
    "joho go movetime 1",
];

/// The number of sequences that one engine receives in turn.
const SEQUENCES: u32 = 300;
const COMMANDS_OF_ONE: u64 = 14;

#[test]
fn each_go_has_one_best_move_in_any_sequence() {
    let mut engine = Engine::start();
    for seed in 0..u64::from(fuzz_cases(SEQUENCES)) {
        let mut rng = Rng::new(seed);
        let mut searches = 0;
        let before = engine.said();
        for _ in 0..rng.below(COMMANDS_OF_ONE) {
            let command = rng.choose(&COMMANDS).copied().unwrap_or_default();
            searches += usize::from(command.contains("go "));
            searches += usize::from(command == "go");
            engine.send(command);
            if rng.below(4) == 0 {
                thread::sleep(Duration::from_millis(rng.below(3)));
            }
        }
        // What ends the last search, if it has not ended by itself.
        engine.send("position startpos");
        engine.send("debug on");
        engine.ask("ponderhit", "info string ponderhit: there is no search");
        engine.send("debug off");
        let lines = engine.lines_from(before);
        let found = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(found, searches, "sequence {seed}: {}", engine.transcript());
    }
    engine.end().assert_well();
}
