//! Commands during a search.

use crate::support::engine::Engine;
use std::thread;
use std::time::Duration;

/// Long enough for a short search to end. With a correct engine, tests that wait for this time pass in any case.
const A_WHILE: Duration = Duration::from_millis(150);

#[test]
fn an_infinite_search_ends_with_stop_and_not_before() {
    let cases = [
        ("plain", "position startpos", "go infinite"),
        ("without any token", "position startpos", "go"),
        ("only moves", "position startpos", "go searchmoves e2e4"),
        ("with a depth", "position startpos", "go infinite depth 1"),
        ("with nodes", "position startpos", "go nodes 10 infinite"),
        ("with a clock", "position startpos", "go wtime 10 btime 10 infinite"),
        ("mate in one", "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go infinite"),
        ("one legal move", "position fen 7k/8/8/8/8/8/6r1/6K1 w - - 0 1", "go infinite"),
        ("mated", "position fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", "go infinite"),
        ("stalemate", "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go infinite"),
        ("dead draw", "position fen 7k/8/6K1/8/8/8/8/8 b - - 0 1", "go infinite"),
        ("pondering", "position startpos", "go ponder depth 1"),
        ("pondering on a clock", "position startpos", "go ponder wtime 10 btime 10"),
        (
            "pondering on a mate",
            "position fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1",
            "go ponder wtime 10 btime 10",
        ),
    ];
    for (name, position, go) in cases {
        let mut engine = Engine::told(&[position, go]);
        thread::sleep(A_WHILE);
        let early = engine.until_ready();
        assert!(early.iter().all(|line| line.starts_with("info ")), "{name}: {early:#?}");
        engine.ask("stop", "bestmove ");
        engine.send("stop");
        assert_eq!(engine.until_ready(), [""; 0], "{name}");
    }
}

#[test]
fn some_commands_act_at_once() {
    let mut engine = Engine::told(&["go infinite"]);
    engine.ask("isready", "readyok");
    engine.ask("uci", "uciok");
    engine.ask("help", "The commands");
    engine.ask("register later", "info string registration");
    engine.ask("debug on", "info ");
    engine.ask("ponderhit", "info string ponderhit: there is no search");
    engine.ask("xyzzy", "info string unknown command");
    engine.send("stop");
    let lines = engine.until("bestmove ");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
}

/// After `bestmove`, the search is over for the GUI and for the engine.
#[test]
fn a_search_is_over_with_its_best_move() {
    let mut engine = Engine::told(&["debug on"]);
    for _ in 0..100 {
        engine.ask("go nodes 1", "bestmove ");
        engine.send("stop");
        assert_eq!(engine.until_ready(), ["info string stop: there is no search"]);
    }
    engine.end().assert_well();
}

/// The number of lines, all sent at once, exceeds the number that can be queued.
#[test]
fn searches_with_a_limit_are_finished_one_after_the_other() {
    const SEARCHES: usize = 800;
    let mut script = String::new();
    for number in 0..SEARCHES {
        let mv = ["e2e4", "d2d4", "g1f3"][number % 3];
        script += &format!("position startpos moves {mv}\nsetoption name MultiPV value 1\ngo depth 2\n");
    }
    let ended = crate::support::engine::talk(format!("{script}quit\n"));
    assert_eq!(ended.count("bestmove "), SEARCHES);
    // All but the last, which `quit` ends, reach their depth.
    assert!(ended.count("info depth 2 ") >= SEARCHES - 1, "{}", ended.count("info depth 2 "));
    assert_eq!(ended.count("info string"), 0, "{:#?}", ended.lines);
}

#[test]
fn commands_wait_for_a_search_with_a_limit() {
    let cases = [
        ("position startpos moves e2e4", "fen", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"),
        ("ucinewgame", "d", "Fen: "),
        ("setoption name Hash value 1", "d", "Fen: "),
        ("go depth 1", "d", "Fen: "),
        ("eval", "d", "Final evaluation "),
        ("perft 1", "d", "Nodes searched: 20"),
        ("bench 1", "d", "50/50: "),
    ];
    for (command, next, expected) in cases {
        let mut engine = Engine::told(&["go depth 8", command, next]);
        let lines = engine.until("bestmove ");
        assert!(lines.iter().all(|line| line.starts_with("info depth ") || line.starts_with("bestmove ")));
        assert!(lines.iter().any(|line| line.starts_with("info depth 8 ")), "{command}: {lines:#?}");
        engine.until(expected);
    }
}

/// During a long search, commands that act at once are executed although others wait.
#[test]
fn some_commands_do_not_wait() {
    let mut engine = Engine::told(&["go depth 100", "position startpos moves e2e4", "isready"]);
    let lines = engine.until("readyok");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove ")), "{lines:#?}");
    engine.ask("stop", "bestmove ");
    engine.send("fen");
    engine.until("rnbqkbnr/pppppppp/8/8/4P3/");
    // A stop ends all searches before it.
    let mut engine = Engine::told(&["go depth 100", "position startpos moves d2d4", "go infinite", "stop"]);
    engine.until("bestmove ");
    engine.until("bestmove ");
    engine.send("quit");
    engine.end_by_itself().assert_well();
    // A ponder hit is for the search before it.
    let mut engine =
        Engine::told(&["go depth 5", "position startpos moves d2d4", "go ponder depth 2", "ponderhit"]);
    let lines = engine.until("bestmove ");
    assert!(lines.iter().any(|line| line.starts_with("info depth 5 ")), "{lines:#?}");
    engine.until("bestmove ");
    engine.end().assert_well();
}

#[test]
fn others_end_a_search_without_a_limit_and_are_done_then() {
    let cases = [
        ("position startpos moves e2e4", "fen", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"),
        ("ucinewgame", "isready", "readyok"),
        ("setoption name Hash value 1", "isready", "readyok"),
        ("setoption name Hash value many", "isready", "info string setoption: Hash: `many`"),
        ("setoption name Threads value 2", "isready", "readyok"),
        ("go depth 1", "isready", "bestmove "),
        ("d", "isready", "Fen: "),
        ("fen", "isready", "rnbqkbnr/"),
        ("eval", "isready", "Final evaluation "),
        ("perft 1", "isready", "Nodes searched: 20"),
        ("go perft 2", "isready", "Nodes searched: 400"),
        ("bench 1", "isready", "50/50: "),
    ];
    for (command, next, expected) in cases {
        for go in ["go infinite", "go", "go ponder wtime 1000 btime 1000"] {
            let mut engine = Engine::told(&[go, command, next]);
            let lines = engine.until("bestmove ");
            let word = command.split(' ').next().expect("a word");
            let note = format!("info string {word}: the search had no limit and ends here");
            assert!(lines.contains(&note), "{command}, {go}: {lines:#?}");
            engine.until(expected);
        }
    }
}

#[test]
fn ponder_hit_lets_the_clock_run() {
    let cases = [
        ("with a clock", "go ponder wtime 100 btime 100"),
        ("with a time", "go ponder movetime 20"),
        ("over already", "go ponder depth 1"),
        ("without a limit", "go ponder"),
    ];
    for (name, go) in cases {
        let mut engine = Engine::told(&["position startpos", go]);
        thread::sleep(A_WHILE);
        let early = engine.until_ready();
        assert!(early.iter().all(|line| line.starts_with("info ")), "{name}: {early:#?}");
        engine.ask("ponderhit", "bestmove ");
        engine.send("ponderhit");
        assert_eq!(engine.until_ready(), [""; 0], "{name}");
    }
    let mut engine = Engine::told(&["go ponder infinite depth 1", "ponderhit"]);
    thread::sleep(A_WHILE);
    let early = engine.until_ready();
    assert!(early.iter().all(|line| line.starts_with("info ")), "infinite as well: {early:#?}");
    engine.ask("stop", "bestmove ");
}

#[test]
fn quit_ends_at_once_whatever_goes_on() {
    for (command, best_moves) in [("go infinite", 1), ("go depth 100", 1), ("go ponder", 1)] {
        let mut engine = Engine::told(&[
            "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ]);
        engine.send(command);
        engine.until_ready();
        engine.send("quit");
        let ended = engine.end();
        ended.assert_well();
        assert_eq!(ended.count("bestmove "), best_moves, "{command}");
    }
}

#[test]
fn wait_holds_back_what_follows() {
    let mut engine = Engine::told(&[
        "go depth 6",
        "wait",
        "position startpos moves e2e4",
        "fen",
        "perft 3",
        "wait",
        "quit",
    ]);
    let lines = engine.until("bestmove ");
    assert!(lines.iter().any(|line| line.starts_with("info depth 6 ")), "{lines:#?}");
    engine.until("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b");
    engine.until("Nodes searched: 13160");
    engine.end().assert_well();
}

#[test]
fn nobody_waits_for_what_has_no_end() {
    for search in ["go infinite", "go ponder depth 1"] {
        let mut engine = Engine::told(&[search, "wait"]);
        let lines = engine.until_ready();
        assert!(lines.iter().any(|line| line.starts_with("info string wait: ")), "{search}: {lines:#?}");
        engine.send("quit");
        let ended = engine.end_by_itself();
        ended.assert_well();
        assert_eq!(ended.count("bestmove "), 1, "{search}");
    }
}
