//! Positions without a legal move, or with nothing to search.

use crate::support::engine::talk;

#[test]
fn no_move_where_the_game_is_over() {
    let cases = [
        ("mated", "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", "info depth 0 score mate 0"),
        ("stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
    ];
    for (name, fen, expected) in cases {
        for go in
            ["go depth 5", "go movetime 10", "go wtime 10 btime 10", "go infinite", "go searchmoves e2e4"]
        {
            let lines = talk(format!("position fen {fen}\n{go}\nstop\n")).lines;
            let said: Vec<_> = lines.iter().filter(|line| !line.starts_with("info string")).collect();
            assert_eq!(said, [expected, "bestmove (none)"], "{name}, {go}");
        }
    }
}

#[test]
fn a_move_wherever_there_is_one() {
    let cases = [
        ("one legal move", "7k/8/8/8/8/8/6r1/6K1 w - - 0 1"),
        ("bare kings", "7k/8/6K1/8/8/8/8/8 b - - 0 1"),
        ("fifty moves are over", "7k/8/6K1/8/8/8/8/R7 w - - 100 120"),
        ("more than seventy-five are over", "7k/8/6K1/8/8/8/8/R7 w - - 200 220"),
        ("no clocks stated", "7k/8/6K1/8/8/8/8/R7 w - -"),
        ("the largest clocks", "7k/8/6K1/8/8/8/8/R7 w - - 65535 65535"),
    ];
    for (name, fen) in cases {
        for go in ["go depth 4", "go nodes 1", "go wtime 1 btime 1"] {
            let ended = talk(format!("position fen {fen}\n{go}\n"));
            assert_eq!(ended.count("bestmove "), 1, "{name}");
            assert_eq!(ended.count("bestmove (none)"), 0, "{name}: {:?}", ended.lines);
        }
    }
}

#[test]
fn a_mate_is_announced() {
    let lines = talk("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo depth 4\n").lines;
    assert!(
        lines.iter().any(|line| line.contains(" score mate 1 ") && line.contains(" pv a1a8")),
        "{lines:#?}"
    );
    // No reply is to be thought about, since there is none.
    assert_eq!(lines.last().map(String::as_str), Some("bestmove a1a8"));
}
