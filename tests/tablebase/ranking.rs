//! Ranking of the moves at the root, and searches with tablebases.

use crate::tablebase::sample::{position, tables};
use hematite::chess::{KeyHistory, Move, Position};
use hematite::notation::parse_uci_move;
use hematite::search::{Iteration, Job, Limits, Score, SearchOptions, SearchResult, Searcher, SyzygyOptions};
use hematite::tablebase::{Tablebase, Wdl};
use std::sync::Arc;

fn mv(position: &Position, text: &str) -> Move {
    parse_uci_move(text, position).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The results of a move, with the 50-move rule and without it.
fn outcomes(tables: &Tablebase, fen: &str, text: &str) -> [Wdl; 2] {
    let position = position(fen);
    let line = KeyHistory::new(&position);
    [true, false].map(|rule| {
        let ranking = tables
            .rank_root_moves(&position, &line, &[mv(&position, text)], rule)
            .expect("every table is there");
        assert!(ranking.has_dtz);
        ranking.moves[0].outcome
    })
}

#[test]
fn the_clock_turns_wins_into_draws() {
    let Some(tables) = tables() else { return };
    // Mate with bishop and knight takes 20 plies from here, if the knight goes to e4.
    let cases = [
        ("early", "8/6k1/4K3/6B1/8/8/5N2/8 w - - 0 1", "f2e4", [Wdl::Win, Wdl::Win]),
        ("late", "8/6k1/4K3/6B1/8/8/5N2/8 w - - 78 90", "f2e4", [Wdl::Win, Wdl::Win]),
        ("too late", "8/6k1/4K3/6B1/8/8/5N2/8 w - - 85 90", "f2e4", [Wdl::CursedWin, Wdl::Win]),
        ("at last", "8/6k1/4K3/6B1/8/8/5N2/8 w - - 99 90", "f2e4", [Wdl::Draw, Wdl::Win]),
        ("mate in time", "k7/8/1K6/8/8/8/8/6Q1 w - - 99 90", "g1g8", [Wdl::Win, Wdl::Win]),
        ("a piece given away", "8/6k1/4K3/6B1/8/8/5N2/8 w - - 0 1", "g5h6", [Wdl::Draw, Wdl::Draw]),
        ("stalemate", "k7/8/8/1K6/8/8/8/6Q1 w - - 0 1", "g1b6", [Wdl::Draw, Wdl::Draw]),
        ("lost", "8/8/8/8/8/2k5/1q6/4K3 w - - 0 1", "e1f1", [Wdl::Loss, Wdl::Loss]),
        ("nearly lost", "8/8/8/8/8/2k5/1q6/4K3 w - - 98 90", "e1f1", [Wdl::BlessedLoss, Wdl::Loss]),
    ];
    for (name, fen, text, expected) in cases {
        assert_eq!(outcomes(&tables, fen, text), expected, "{name}");
    }
}

fn search(tables: &Arc<Tablebase>, job: Job, wish: SyzygyOptions) -> (SearchResult, Vec<Iteration>) {
    let mut searcher = Searcher::new(1, 4).expect("a thread and 4 MiB");
    searcher.set_tablebase(Some(Arc::clone(tables)));
    searcher.set_options(SearchOptions { syzygy: wish, ..SearchOptions::default() });
    let mut iterations = Vec::new();
    let report = searcher.search(job, &Arc::default(), &mut iterations);
    (report, iterations)
}

fn job(fen: &str, nodes: u64) -> Job {
    let position = position(fen);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Job { key_history: KeyHistory::new(&position), position, limits, multi_pv: 1 }
}

const BISHOP_AND_KNIGHT_LATE: &str = "8/6k1/4K3/6B1/8/8/5N2/8 w - - 85 90";

#[test]
fn cursed_wins_are_draws_unless_there_is_no_such_rule() {
    let Some(tables) = tables().map(Arc::new) else { return };
    let wish = SyzygyOptions::default();
    let (report, _) = search(&tables, job(BISHOP_AND_KNIGHT_LATE, 2000), wish);
    assert_eq!(report.score, Score::DRAW);
    let without = SyzygyOptions { fifty_move_rule: false, ..wish };
    let (report, _) = search(&tables, job(BISHOP_AND_KNIGHT_LATE, 2000), without);
    assert!(report.score.is_win(), "{report:?}");
}

#[test]
fn moves_that_give_the_win_away_are_not_searched() {
    let Some(tables) = tables().map(Arc::new) else { return };
    // Only Kd6 wins; every other king move lets the pawn be stopped.
    let fen = "3k4/8/2K5/3P4/8/8/8/8 w - - 0 1";
    let ranking = {
        let position = position(fen);
        let moves = position.legal_moves();
        tables
            .rank_root_moves(&position, &KeyHistory::new(&position), &moves, true)
            .expect("every table is there")
    };
    let best: Vec<_> =
        ranking.moves.iter().filter(|ranked| ranked.outcome == Wdl::Win).map(|ranked| ranked.mv).collect();
    assert!(!best.is_empty() && best.len() < ranking.moves.len(), "{ranking:?}");
    for nodes in [1, 100, 3000] {
        let (report, iterations) = search(&tables, job(fen, nodes), SyzygyOptions::default());
        assert!(report.best_move.is_some_and(|mv| best.contains(&mv)), "{nodes}: {report:?}");
        assert!(report.score.is_win(), "{report:?}");
        assert!(iterations.iter().all(|iteration| iteration.tb_hits == Some(ranking.moves.len() as u64)));
    }
    // All moves are shown to who wants to see them, the best first, each with its value.
    let wanted = ranking.moves.len();
    let (_, iterations) =
        search(&tables, Job { multi_pv: wanted, ..job(fen, 20_000) }, SyzygyOptions::default());
    let deepest =
        iterations.iter().rev().find(|iteration| iteration.multipv == wanted).expect("all lines").depth;
    for iteration in iterations.iter().filter(|iteration| iteration.depth == deepest) {
        let is_win = best.contains(&iteration.pv[0]);
        assert_eq!(iteration.score.is_win(), is_win, "{iteration:?}");
        assert_eq!(iteration.multipv <= best.len(), is_win, "{iteration:?}");
    }
    // Of those that are asked for only.
    let loses = position(fen);
    let loses = mv(&loses, "c6c5");
    let restricted =
        Job { limits: Limits { search_moves: vec![loses], ..job(fen, 500).limits }, ..job(fen, 500) };
    let (report, _) = search(&tables, restricted, SyzygyOptions::default());
    assert_eq!(report.best_move, Some(loses));
}

#[test]
fn the_tree_sees_what_captures_lead_to() {
    let Some(tables) = tables().map(Arc::new) else { return };
    // Six men: rooks come off, and a pawn ending of four is won or not.
    let fen = "8/5pk1/8/8/8/r7/1R4PK/8 w - - 0 1";
    let wish = SyzygyOptions::default();
    let hits = |wish| search(&tables, job(fen, 20_000), wish).1.last().and_then(|last| last.tb_hits);
    assert!(hits(wish).is_some_and(|hits| hits > 3), "{:?}", hits(wish));
    assert_eq!(hits(SyzygyOptions { probe_limit: 0, ..wish }), None);
    assert!(hits(SyzygyOptions { probe_limit: 3, ..wish }) < hits(wish));
    assert!(hits(SyzygyOptions { probe_depth: 100, ..wish }) < hits(wish));
    // A capture into a won ending is as good as won: that of the knight, while that of the pawn draws.
    let wins = "8/8/8/2k5/8/8/3pK3/3R3n w - - 0 1";
    let (report, _) = search(&tables, job(wins, 20_000), wish);
    assert!(report.score.is_win(), "{report:?}");
    assert_eq!(report.best_move, Some(mv(&position(wins), "d1h1")));
}

#[test]
fn threads_count_apart_and_tell_the_sum() {
    let Some(tables) = tables().map(Arc::new) else { return };
    let mut searcher = Searcher::new(2, 4).expect("two threads and 4 MiB");
    searcher.set_tablebase(Some(tables));
    let mut iterations: Vec<Iteration> = Vec::new();
    searcher.search(job("8/5pk1/8/8/8/r7/1R4PK/8 w - - 0 1", 50_000), &Arc::default(), &mut iterations);
    let hits: Vec<_> = iterations.iter().filter_map(|iteration| iteration.tb_hits).collect();
    assert!(hits.is_sorted() && hits.last() > Some(&10), "{hits:?}");
}
