//! Info lines: legal, consistent, and as many as were asked for.

use crate::engine::{Engine, infos, talk};
use hematite::chess::Position;
use hematite::notation::{parse_uci_move, position_from_fen};
use hematite::uci::{Info, InfoBound};
use std::collections::BTreeSet;

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
            assert!(info.hash_full.is_none_or(|full| full <= 1000), "{fen}: {info}");
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
