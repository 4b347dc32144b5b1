//! Announced mates: all are true, and their lines are complete.

use crate::support::data;
use crate::support::engine::{Engine, infos};
use hematite::chess::KeyHistory;
use hematite::chess::{Outcome, Position};
use hematite::notation::{parse_uci_move, position_from_fen};
use hematite::uci::{InfoBound, InfoValue};

/// Positions with mates of all kinds, and the numbers of moves.
const MATES: [(&str, i32); 9] = [
    ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),
    ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 1),
    ("8/8/8/8/8/1k6/7r/K7 w - - 0 1", -1),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ("8/2P1P1P1/3PkP2/8/4K3/8/8/8 w - - 0 1", 3),
    ("r4rk1/pppqbp1p/3pp1p1/8/4P3/1P1P3R/PBP2PPP/R2Q2K1 w - - 0 1", 4),
    ("5k2/8/5K2/8/8/8/8/6R1 w - - 96 80", 2),
    // Just before the fifty moves are over.
    ("8/8/8/8/8/5k2/7q/5K2 w - - 98 80", -1),
    ("8/8/8/8/8/6k1/3q4/6K1 b - - 98 80", 1),
];

/// The number of nodes for each position: enough to find most of the mates, but not all.
const NODES: u32 = 10_000;
/// The number of nodes to find one of [`MATES`].
const FIND_NODES: u32 = 200_000;

/// All errors in the output for a position.
fn faults(engine: &mut Engine, fen: &str) -> Vec<String> {
    let root = position_from_fen(fen).expect(fen);
    engine.send("ucinewgame");
    engine.send(&format!("position fen {fen}"));
    engine.send(&format!("go nodes {NODES}"));
    let lines = engine.until("bestmove");
    let mut faults = Vec::new();
    for info in infos(&lines) {
        let Some(score) = info.score else { continue };
        let end = match follow(root, &info.pv) {
            Ok(end) => end,
            Err(fault) => {
                faults.push(format!("{fen}: {info}: {fault}"));
                continue;
            }
        };
        if let (InfoValue::Mate(moves), InfoBound::Exact) = (score.value, score.bound) {
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            if info.pv.len() != plies as usize || !matches!(end, Some(Outcome::Checkmate { .. })) {
                faults.push(format!("{fen}: {info}: {} moves, then {end:?}", info.pv.len()));
            }
        }
    }
    faults
}

/// The outcome after these moves, `None` if the game is not over; an error if a move is wrong.
fn follow(root: Position, moves: &[String]) -> Result<Option<Outcome>, String> {
    let (mut position, mut line) = (root, KeyHistory::new(&root));
    for (index, text) in moves.iter().enumerate() {
        let over = position.outcome(&line).filter(|outcome| index > 0 && !outcome.must_be_claimed());
        if let Some(outcome) = over {
            return Err(format!("the game is over before {text}: {outcome}"));
        }
        let mv = parse_uci_move(text, &position).map_err(|error| error.to_string())?;
        position = position.after(mv).0;
        line.push(&position);
    }
    Ok(position.outcome(&line))
}

#[test]
fn mates_are_true_and_their_lines_complete() {
    let suite = data("mates/mate_test_suite.epd").unwrap_or_default();
    let from_suite = suite.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let fields: Vec<_> = line.split_whitespace().take(4).collect();
        fields.join(" ")
    });
    let fens: Vec<String> = MATES.iter().map(|(fen, _)| (*fen).to_owned()).chain(from_suite).collect();
    for settings in [
        &[][..],
        &["setoption name MultiPV value 4"],
        &["setoption name Threads value 2", "setoption name Hash value 1"],
    ] {
        let mut engine = Engine::told(settings);
        let faults: Vec<_> = fens.iter().flat_map(|fen| faults(&mut engine, fen)).collect();
        assert_eq!(faults, [""; 0], "{settings:?}");
        engine.end().assert_well();
    }
}

#[test]
fn a_mate_is_found_to_the_move() {
    let mut engine = Engine::start();
    for (fen, moves) in MATES {
        engine.send("ucinewgame");
        engine.send(&format!("position fen {fen}"));
        engine.send(&format!("go mate {} nodes {FIND_NODES}", moves.unsigned_abs()));
        let lines = engine.until("bestmove");
        let found = infos(&lines).into_iter().rev().find_map(|info| info.score).map(|score| score.value);
        match found {
            Some(InfoValue::Mate(found)) => assert_eq!(found, moves, "{fen}: {lines:#?}"),
            other => panic!("{fen}: {other:?}"),
        }
    }
}

/// A search for a mate that does not exist ends.
#[test]
fn a_mate_that_is_not_there_is_denied() {
    let mut engine = Engine::start();
    for (fen, moves) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2),
        ("8/8/4k3/8/8/4K3/8/7B w - - 0 1", 3),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send(&format!("go mate {moves}"));
        let lines = engine.until("bestmove");
        assert!(lines.contains(&format!("info string there is no mate in {moves}")), "{lines:#?}");
    }
    engine.end().assert_well();
}
