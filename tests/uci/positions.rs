//! The command `position`.

use crate::support::engine::{Engine, talk};
use hematite::chess::{KeyHistory, Position};
use hematite::notation::{CastlingStyle, Fen, UciMove, position_from_fen};

#[test]
fn illegal_positions_are_refused_and_the_former_kept() {
    let cases = [
        ("empty", "", &["piece placement"][..]),
        ("not a FEN", "hello world", &["position refused"]),
        ("no king", "8/8/8/8/8/8/8/K7 w - - 0 1", &["Black has 0 kings"]),
        (
            "all that is wrong",
            "P7/8/8/8/8/8/8/KK6 w Q - 0 1",
            &["White has 2 kings", "Black has 0 kings", "a pawn on a8"],
        ),
        ("side not to move in check", "k7/8/8/8/8/8/8/KR6 w - - 0 1", &[][..]),
        ("the same, in check", "k7/8/8/8/8/8/8/R6K w - - 0 1", &["Black is in check from a1"]),
        ("not UTF-8", "\u{fffd}\u{fffd}", &["position refused"]),
    ];
    let mut engine = Engine::told(&["position startpos moves d2d4"]);
    for (name, fen, expected) in cases {
        engine.send(&format!("position fen {fen} moves e2e4"));
        let lines = engine.until_ready();
        if expected.is_empty() {
            // A control: this one is legal, but the move is not.
            assert!(lines[0].starts_with("info string position stops before move 1"), "{name}: {lines:?}");
            engine.send("position startpos moves d2d4");
            continue;
        }
        assert_eq!(lines.len(), 1, "{name}: {lines:?}");
        // An answer for the former one would be taken for that of the new one.
        let answer = engine.ask("go depth 3", "bestmove ");
        assert_eq!(answer, "bestmove (none)", "{name}");
        assert!(expected.iter().all(|part| lines[0].contains(part)), "{name}: {lines:?}");
        let kept = engine.ask("fen", "rnbqkbnr/");
        assert_eq!(kept, "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1", "{name}");
    }
}

/// Positions are repaired where many programs write them wrongly, or where the change does not affect the moves.
#[test]
fn positions_are_repaired() {
    let cases = [
        ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 0", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", "full-move number: 0"),
        ("r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K3 w Qkq - 0 1", "no rook"),
        ("r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", "", ""),
        ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "r3k2r/8/8/8/8/8/4K3/R6R w kq - 0 1", "White's king"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "en passant square: e6"),
        ("4k3/8/8/8/8/8/8/4K2R w KK e3 0 0", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling rights: `K`"),
    ];
    for (fen, expected, reason) in cases {
        let mut engine = Engine::told(&[&format!("position fen {fen}"), "fen", "go depth 1"]);
        let lines = engine.until("bestmove ");
        if expected.is_empty() {
            // A control: in Chess960 the king may stand there.
            assert_eq!(lines[0], fen);
            continue;
        }
        assert!(lines[0].starts_with("info string position: the FEN is repaired: "), "{fen}: {lines:?}");
        assert!(lines[0].contains(reason), "{fen}: {lines:?}");
        assert_eq!(lines[1], expected);
        assert_ne!(lines.last().map(String::as_str), Some("bestmove (none)"));
        // The same rule everywhere.
        let run = crate::support::binary::run(&["position", fen, "--json"], b"");
        assert_eq!((run.code, run.json()["fen"].as_str()), (Some(0), Some(expected)), "{fen}: {run:?}");
        assert!(run.err.starts_with("the FEN is repaired: ") && run.err.contains(reason), "{run:?}");
        let run = crate::support::binary::run(&["perft", "--fen", fen, "1"], b"");
        assert!(run.code == Some(0) && run.err.contains(reason), "{fen}: {run:?}");
        let moves = position_from_fen(expected).expect("it is repaired").legal_moves().len();
        let suite = format!("{fen} ;D1 {moves}\n");
        let run = crate::support::binary::run(&["perft", "--suite", "-"], suite.as_bytes());
        assert!(run.code == Some(0) && run.err.contains(reason), "{fen}: {run:?}");
        let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
        let run = crate::support::binary::run(&["pgn", "fen", "--last", "-"], game.as_bytes());
        assert!(run.out.contains(expected), "{fen}: {run:?}");
    }
    let record = "r3k2r/8/8/8/8/8/8/R3K3 w KQkq - bm O-O-O; id \"x\";\n";
    let run = crate::support::binary::run(&["epd", "check", "-"], record.as_bytes());
    assert!(
        format!("{}{}", run.out, run.err).contains("the FEN is repaired: castling rights: `K`"),
        "{run:?}"
    );
    let run = crate::support::binary::run(&["epd", "run", "--depth", "2", "-"], record.as_bytes());
    assert!(run.out.contains("/1 "), "{run:?}");
}

#[test]
fn moves_are_played_up_to_one_that_is_illegal() {
    let cases = [
        ("wrong move", "e2e4 e7e6 e4e6 d7d5", "move 3 of 4: e4e6 is not a legal move here"),
        ("not a move", "e2e4 e7e6 xyzzy d7d5", "move 3 of 4: `xyzzy` is not a move"),
        ("null move", "e2e4 e7e6 0000 d7d5", "move 3 of 4: 0000 is not a legal move here"),
        ("in capitals", "e2e4 e7e6 E4E5", "move 3 of 3: `E4E5` is not a move"),
    ];
    for (name, moves, expected) in cases {
        let lines = talk(format!("position startpos moves {moves}\nfen\n")).lines;
        assert!(lines[0].contains(&format!("position stops before {expected}")), "{name}: {lines:?}");
        assert_eq!(lines[1], "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "{name}");
    }
}

#[test]
fn castling_is_read_in_both_ways_and_written_in_one() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for castling in ["e1g1", "e1h1"] {
        for (chess960, expected) in [(false, "bestmove e1g1"), (true, "bestmove e1h1")] {
            let lines = talk(format!(
                "setoption name UCI_Chess960 value {chess960}\nposition fen {fen}\n\
                 go depth 1 searchmoves {castling}\n"
            ))
            .lines;
            let last = lines.last().expect("a move is found");
            assert!(last.starts_with(expected), "{castling}, {chess960}: {lines:?}");
        }
        let lines = talk(format!("position fen {fen} moves {castling}\nfen\n")).lines;
        assert_eq!(lines, ["r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"]);
    }
    let lines = talk(
        "setoption name UCI_Chess960 value true\n\
         position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\nfen\ngo depth 3\n",
    )
    .lines;
    assert_eq!(lines[0], "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
}

#[test]
fn a_long_game_is_followed_to_its_end() {
    const PLIES: usize = 2000;
    let (moves, position) = long_game(PLIES);
    let lines = talk(format!("position startpos moves {}\nfen\ngo depth 3\n", moves.join(" "))).lines;
    assert_eq!(lines[0], Fen::new(&position).to_string());
    assert!(lines.last().expect("an answer").starts_with("bestmove "), "{lines:?}");
}

/// A game of this number of plies that is not over. It consists of random moves, or of knights moving back and forth
/// where it would otherwise end.
fn long_game(plies: usize) -> (Vec<String>, Position) {
    let mut state = 1_u64;
    loop {
        let mut position = Position::start();
        let mut line = KeyHistory::new(&position);
        let mut moves = Vec::new();
        while moves.len() < plies {
            let legal = position.legal_moves();
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Captures bring the end nearer.
            let quiet: Vec<_> =
                legal.iter().copied().filter(|&mv| position.captured_role(mv).is_none()).collect();
            let choice = if quiet.is_empty() { &legal[..] } else { &quiet[..] };
            let Some(&mv) = choice.get((state >> 33) as usize % choice.len().max(1)) else { break };
            moves.push(UciMove::new(mv, CastlingStyle::Standard).to_string());
            position = position.after(mv).0;
            line.push(&position);
        }
        if moves.len() == plies && !position.legal_moves().is_empty() {
            return (moves, position);
        }
    }
}
