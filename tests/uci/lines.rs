//! Info lines: legal, consistent, and as many as requested.

use crate::support::engine::{Engine, infos, talk};
use hematite::chess::{KeyHistory, Position};
use hematite::notation::{Fen, parse_uci_move, position_from_fen};
use hematite::rng::Rng;
use hematite::uci::{Info, InfoBound};
use std::collections::{BTreeMap, BTreeSet};

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/4K3/8/1p5Q/k7 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "8/P5k1/1P4pp/8/8/5p2/1K4p1/8 w - - 0 1",
];

#[test]
fn every_line_is_legal_and_the_best_move_begins_the_last() {
    for fen in POSITIONS {
        let root = position_from_fen(fen).expect("a position");
        let lines = talk(format!("position fen {fen}\ngo depth 7\n")).lines;
        let mut last_pv = Vec::new();
        let mut last_nodes = 0;
        for info in infos(&lines) {
            assert!(info.score.is_some() && info.depth.is_some(), "{fen}: {info}");
            assert!(info.hashfull.is_none_or(|full| full <= 1000), "{fen}: {info}");
            assert!(info.nodes.is_none_or(|nodes| nodes >= last_nodes), "{fen}: {info}");
            last_nodes = info.nodes.unwrap_or(last_nodes);
            let mut position = root;
            for text in &info.pv {
                let mv =
                    parse_uci_move(text, &position).unwrap_or_else(|error| panic!("{fen}: {info}: {error}"));
                position = position.after(mv).0;
            }
            if info.score.is_some_and(|score| score.bound == InfoBound::Exact) && !info.pv.is_empty() {
                last_pv = info.pv;
            }
        }
        let last = lines.last().expect("an answer");
        assert!(last.starts_with(&format!("bestmove {}", last_pv[0])), "{fen}: {lines:#?}");
        if let Some((_, ponder)) = last.split_once(" ponder ") {
            assert_eq!(Some(ponder), last_pv.get(1).map(String::as_str), "{fen}");
        }
    }
}

/// A position after random moves that has a legal move.
fn random_position(rng: &mut Rng) -> Position {
    const MOST_PLIES: u64 = 60;
    let mut position = Position::start();
    for _ in 0..rng.below(MOST_PLIES) {
        let Some(&mv) = rng.choose(&position.legal_moves()) else { break };
        let after = position.after(mv).0;
        if after.legal_moves().is_empty() {
            break;
        }
        position = after;
    }
    position
}

/// The best move and the ponder move of an answer.
fn announced(answer: &str) -> (&str, Option<&str>) {
    let moves = answer.strip_prefix("bestmove ").expect("an answer");
    moves.split_once(" ponder ").map_or((moves, None), |(best, ponder)| (best, Some(ponder)))
}

/// The last lines agree with the best move, even if a search ends in the middle of an iteration.
#[test]
fn the_last_lines_are_what_is_announced() {
    const POSITIONS: usize = 24;
    const NODES: [u64; 6] = [1, 40, 300, 1000, 4000, 9000];
    let manners: [&[&str]; 7] = [
        &[],
        &["Minimal value true"],
        &["MultiPV value 3"],
        &["MultiPV value 3", "Minimal value true"],
        &["Threads value 2"],
        &["UCI_LimitStrength value true", "UCI_Elo value 1200"],
        &["UCI_LimitStrength value true", "UCI_Elo value 1200", "MultiPV value 5", "Minimal value true"],
    ];
    for options in manners {
        let mut engine = Engine::start();
        for option in options {
            engine.send(&format!("setoption name {option}"));
        }
        let mut rng = Rng::new(5);
        for number in 0..POSITIONS {
            let root = random_position(&mut rng);
            let fen = Fen::new(&root).to_string();
            engine.send(&format!("position fen {fen}"));
            engine.send(&format!("go nodes {}", NODES[number % NODES.len()]));
            let lines = engine.until("bestmove ");
            let what = || format!("{options:?} {fen}: {lines:#?}");
            let (best, ponder) = announced(lines.last().expect("an answer"));
            let mut last = BTreeMap::new();
            for info in infos(&lines).into_iter().filter(|info| !info.pv.is_empty()) {
                last.insert(info.multi_pv.unwrap_or(1), info.pv);
            }
            // A limited strength weakens only the best move where the clock does not count.
            if options.iter().any(|option| option.starts_with("UCI_LimitStrength")) {
                let moves: BTreeSet<_> = last.values().map(|pv| &pv[0]).collect();
                assert_eq!(moves.len(), last.len(), "the same move twice: {}", what());
                continue;
            }
            assert_eq!(last[&1][0], best, "{}", what());
            match (ponder, last[&1].get(1)) {
                (Some(ponder), told) => assert_eq!(told.map(String::as_str), Some(ponder), "{}", what()),
                (None, Some(reply)) => assert!(ends_the_game(&root, [best, reply]), "{}", what()),
                (None, None) => {}
            }
            let moves: BTreeSet<_> = last.values().map(|pv| &pv[0]).collect();
            assert_eq!(moves.len(), last.len(), "the same move twice: {}", what());
        }
    }
}

/// Whether the game is over after these moves.
fn ends_the_game(root: &Position, moves: [&str; 2]) -> bool {
    let mut position = *root;
    let mut line = KeyHistory::new(root);
    for text in moves {
        let mv = parse_uci_move(text, &position).expect("a legal move");
        position = position.after(mv).0;
        line.push(&position);
    }
    position.outcome(&line).is_some()
}

#[test]
fn as_many_lines_as_wanted_or_as_there_are_moves() {
    for (wanted, fen) in [(3, POSITIONS[0]), (256, POSITIONS[2]), (2, "7k/8/8/8/8/8/6r1/6K1 w - - 0 1")] {
        let moves = position_from_fen(fen).expect("a position").legal_moves().len();
        let mut engine = Engine::told(&[
            &format!("setoption name MultiPV value {wanted}"),
            &format!("position fen {fen}"),
            "go depth 4",
        ]);
        let lines = engine.until("bestmove ");
        let exact = |info: &Info| info.score.is_some_and(|score| score.bound == InfoBound::Exact);
        let deepest: Vec<Info> =
            infos(&lines).into_iter().filter(|info| info.depth == Some(4) && exact(info)).collect();
        let numbers: BTreeSet<_> = deepest.iter().filter_map(|info| info.multi_pv).collect();
        assert_eq!(numbers, (1..=wanted.min(moves) as u32).collect(), "{fen}: {lines:#?}");
        let firsts: BTreeSet<_> = deepest.iter().map(|info| &info.pv[0]).collect();
        assert_eq!(firsts.len(), wanted.min(moves), "{fen}: the same move twice");
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let start = Position::start();
    for line in [
        "go depth 5 searchmoves a2a3 h2h3",
        "go searchmoves a2a3 h2h3 depth 5",
        "go depth 5 searchmoves h2h3 a2a3 e2e5",
    ] {
        let lines = talk(format!("setoption name MultiPV value 5\n{line}\n")).lines;
        let found = infos(&lines);
        assert!(found.iter().any(|info| info.multi_pv == Some(2)), "{lines:#?}");
        for mv in found.iter().filter_map(|info| info.pv.first()) {
            assert!(parse_uci_move(mv, &start).is_ok() && (mv == "a2a3" || mv == "h2h3"), "{line}: {mv}");
        }
    }
}
