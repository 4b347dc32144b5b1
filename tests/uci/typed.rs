//! Commands that users type at a terminal or state as arguments.

use crate::support::engine::{Engine, talk};
use hematite::engine::{Console, Environment, run};
use std::io::{Cursor, Write};
use std::process::Command;
use std::sync::{Arc, Mutex};

/// The output of the binary for these arguments.
fn said(arguments: &[&str]) -> Vec<String> {
    let binary = crate::support::engine::binary();
    let output = Command::new(binary).args(arguments).output().expect("the binary runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn positions_and_moves_need_no_command() {
    let cases = [
        (
            "algebraic",
            "e4\n1... e5 2. Nf3\nfen\n",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        ),
        ("UCI", "e2e4 e7e5\nfen\n", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"),
        ("FEN", "8/8/8/8/8/8/8/K1k5 w - - 3 9\nfen\n", "8/8/8/8/8/8/8/K1k5 w - - 3 9"),
        (
            "castling",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nO-O\nfen\n",
            "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1",
        ),
        ("flipped", "e4\nflip\nfen\n", "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1"),
    ];
    for (name, text, expected) in cases {
        assert_eq!(talk(text).lines, [expected], "{name}");
    }
    let lines = talk("e4 e6 e6\nfen\n").lines;
    assert!(lines[0].starts_with("info string stops before move 3 of 3: "), "{lines:?}");
    assert!(lines[1].starts_with("rnbqkbnr/pppp1ppp/4p3/8/4P3/"), "{lines:?}");
    let lines = talk("8/8/8/8/8/8/8/8 w - - 0 1\nfen\n").lines;
    assert!(lines[0].starts_with("info string position refused"), "{lines:?}");
}

#[test]
fn a_gui_does_not_mean_moves_by_words() {
    let mut engine = Engine::told(&["uci"]);
    engine.until("uciok");
    engine.send("e2e4");
    assert_eq!(engine.until_ready(), ["info string unknown command `e2e4`, `help` lists all commands"]);
    assert!(engine.ask("fen", "").starts_with("rnbqkbnr/pppppppp/8/8/8/8/"));
}

#[test]
fn the_engine_tells_of_the_position_and_of_itself() {
    let moves = talk("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nmoves\n").lines;
    assert_eq!(moves[0], "Legal moves: 26");
    assert!(moves[1].contains(" O-O-O O-O") && moves[2].contains(" e1c1 e1g1"), "{moves:?}");
    let eval = talk("eval\n").lines;
    assert_eq!(eval.len(), 2 + 17 + 3, "{eval:#?}");
    assert!(eval[3].split_whitespace().all(|number| number.parse::<f64>().is_ok()), "{eval:#?}");
    let compiler = talk("compiler\n").lines;
    assert!(compiler.iter().any(|line| line.starts_with("Compiled by : rustc ")), "{compiler:#?}");
}

#[test]
fn the_speed_is_measured() {
    let lines = talk("speedtest 1 2 1\n").lines;
    for expected in ["Threads          : 2", "Hash (MiB)       : 1", "Positions        : 50"] {
        assert!(lines.iter().any(|line| line == expected), "{expected}: {lines:#?}");
    }
    let speed = lines.iter().find_map(|line| line.strip_prefix("Nodes per second : ")).expect("a speed");
    assert!(speed.parse::<u64>().is_ok_and(|speed| speed > 0), "{lines:#?}");
}

#[test]
fn openings_are_made() {
    let lines = talk("genfens 5 seed 7 book None\n").lines;
    assert_eq!(lines.len(), 5, "{lines:#?}");
    assert!(lines.iter().all(|line| line.starts_with("info string genfens ")), "{lines:#?}");
    assert_eq!(said(&["genfens 5 seed 7 book None", "quit"]), lines);
    let lines = talk("genfens 5 seed 7 book no/such/book.epd\n").lines;
    assert!(
        lines[0].starts_with("info string genfens: cannot read the book `no/such/book.epd`: "),
        "{lines:?}"
    );
}

#[test]
fn arguments_are_commands() {
    let lines = said(&["position startpos moves e2e4", "go depth 3", "fen", "go", "nodes", "50"]);
    let best: Vec<_> = lines.iter().enumerate().filter(|(_, line)| line.starts_with("bestmove ")).collect();
    let fen = lines.iter().position(|line| line.starts_with("rnbqkbnr/")).expect("a FEN");
    assert!(best.len() == 2 && best[0].0 < fen, "each is done before the next: {lines:#?}");
    assert!(lines[..fen].iter().any(|line| line.starts_with("info depth 3 ")), "{lines:#?}");
    assert_eq!(said(&["isready"]), ["readyok"]);
    assert_eq!(said(&["# nothing"]), [""; 0]);
}

/// A note would be overlooked in the output of a script, and a wrong search would run instead.
#[test]
fn words_that_mean_nothing_are_errors() {
    let cases: [(&[&str], &str); 7] = [
        (&["go", "depht", "5"], "error: `go depht 5`: go: unknown token `depht`\n"),
        (
            &["position startpos", "go depth five"],
            "error: `go depth five`: depth: `five` is not a whole number\n",
        ),
        (&["go depth"], "error: `go depth`: depth: nothing follows, expected a number\n"),
        (&["eval it", "go movetme 5"], "error: `go movetme 5`: go: unknown token `movetme`\n"),
        (&["what is it"], "error: `what is it`: unknown command `what is it`, `help` lists all commands\n"),
        (
            &["setoption Hash value 5", "go depth 1"],
            "error: `setoption Hash value 5`: setoption: unknown token",
        ),
        (&["position start", "go depth 1"], "error: `position start`: position: unknown token `start`\n"),
    ];
    for (arguments, expected) in cases {
        let run = crate::support::binary::run(arguments, b"");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}: {run:?}");
        assert!(run.err.starts_with(expected), "{arguments:?}: {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_infinite_search_of_the_arguments_goes_on_until_it_is_interrupted() {
    for arguments in [&["position startpos moves e2e4", "go infinite"][..], &["go"], &["go infinite", "d"]] {
        let mut engine = Engine::run(Command::new(crate::support::engine::binary()).args(arguments));
        engine.close();
        engine.until("info depth 9 ");
        engine.signal(rustix::process::Signal::INT);
        let ended = engine.end_by_itself();
        ended.assert_well();
        assert_eq!(ended.count("bestmove "), 1, "{arguments:?}: {:#?}", ended.lines);
        assert_eq!(ended.count("Fen: "), 0, "{arguments:?}: {:#?}", ended.lines);
    }
}

/// A writer whose content can be read.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The text as it appears on a terminal.
fn shown(text: &str) -> Vec<String> {
    let page = Page::default();
    let console = Some(Console { has_colors: false, width: 100 });
    let environment = Environment { console, ..Environment::default() };
    run(Cursor::new(text.to_owned()), page.clone(), environment);
    let bytes = page.0.lock().expect("nobody panics").clone();
    String::from_utf8(bytes).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn a_terminal_shows_a_table_until_a_gui_speaks() {
    let lines = shown("position startpos moves e2e4\ngo depth 5\n");
    assert!(lines[0].trim_start().starts_with("depth "), "{lines:#?}");
    assert!(lines[1..lines.len() - 1].iter().all(|line| line.contains(" 1...")), "{lines:#?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("Best move: ")), "{lines:#?}");
    let lines = shown("go mate 2\n");
    assert!(lines.iter().any(|line| line == "there is no mate in 2"), "{lines:#?}");
    let lines = shown("uci\ngo depth 5\n");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("info depth 5 ")), "{lines:#?}");
}
