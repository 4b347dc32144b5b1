//! The search as a whole: mates, draws, limits, lines, and threads.

use crate::support;
use hematite::chess::{KeyHistory, Move, Position};
use hematite::notation::{parse_uci_move, position_from_fen};
use hematite::search::{
    Bound, Clock, Iteration, Job, Limits, Listener, Score, SearchOptions, SearchResult, Searcher, Signals,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

const HASH_MIB: usize = 16;

fn searcher() -> Searcher {
    Searcher::new(1, HASH_MIB).expect("a thread and 16 MiB")
}

fn position(fen: &str) -> Position {
    position_from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn mv(position: &Position, text: &str) -> Move {
    parse_uci_move(text, position).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn job(position: Position, limits: Limits) -> Job {
    Job { key_history: KeyHistory::new(&position), position, limits, multi_pv: 1 }
}

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

fn nodes(count: u64) -> Limits {
    Limits { nodes: Some(count), ..Limits::default() }
}

fn run(searcher: &mut Searcher, job: Job) -> (SearchResult, Vec<Iteration>) {
    let mut iterations = Vec::new();
    let report = searcher.search(job, &Arc::default(), &mut iterations);
    (report, iterations)
}

/// Searches a position with a new searcher.
fn search(fen: &str, limits: Limits) -> (SearchResult, Vec<Iteration>) {
    run(&mut searcher(), job(position(fen), limits))
}

/// The position at the end of a line of legal moves.
fn follow(start: &Position, line: &[Move]) -> Position {
    line.iter().fold(*start, |position, &mv| position.play(mv).unwrap_or_else(|error| panic!("{error}")))
}

/// Checks that all reported lines are legal, and that all exact mates are reported with all their moves.
fn check_lines(name: &str, start: &Position, iterations: &[Iteration]) {
    for iteration in iterations {
        assert!(!iteration.pv.is_empty(), "{name}");
        let end = follow(start, &iteration.pv);
        if let (Some(moves), Bound::Exact) = (iteration.score.mate_in(), iteration.bound) {
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert_eq!(iteration.pv.len(), plies as usize, "{name}: {iteration:?}");
            assert!(end.is_check() && end.legal_moves().is_empty(), "{name}: {iteration:?}");
        }
    }
}

#[test]
fn quiet_moves_are_not_lost_behind_a_futile_killer() {
    // A killer of the other lines is futile here. The move that wins comes after it.
    let (result, _) = search("r5k1/3Bp3/1r2Ppp1/8/1nR5/4P3/p3KPP1/7R w - - 0 30", nodes(400_000));
    assert_eq!(result.best_move.map(|mv| format!("{mv:?}")).as_deref(), Some("c4h4"));
}

#[test]
fn mates_are_announced_with_all_their_moves() {
    let cases = [
        ("back rank", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("scholar's", "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1),
        ("queen and king", "3k4/8/3K4/8/8/8/8/5Q2 w - - 0 1", 1),
        ("end of a smothered mate", "5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", 2),
        ("rook and king", "k7/8/2K5/8/8/8/8/7R w - - 0 1", 2),
        ("two rooks", "2k5/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2),
        ("a waiting move", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("rook and king, farther", "1k6/8/8/2K5/8/8/8/7R w - - 0 1", 3),
        ("sealed in", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("smothered mate", "5r1k/6pp/8/3Q2N1/8/8/6PP/6K1 w - - 0 1", 4),
        ("two rooks, farther", "8/2k5/8/8/8/8/R7/1R2K3 w - - 0 1", 4),
    ];
    for (name, fen, moves) in cases {
        let limits = Limits { depth: Some(24), mate: Some(moves), ..Limits::default() };
        let (report, iterations) = search(fen, limits);
        let start = position(fen);
        check_lines(name, &start, &iterations);
        assert_eq!(report.score.mate_in(), Some(moves as i32), "{name}: {iterations:?}");
        assert_eq!(report.best_move, iterations.last().map(|iteration| iteration.pv[0]), "{name}");

        // Once the first move is played, the other side knows what is coming.
        let after = follow(&start, &[report.best_move.expect("a move")]);
        let (report, iterations) = run(&mut searcher(), job(after, depth(2 * moves + 20)));
        check_lines(name, &after, &iterations);
        assert_eq!(report.best_move.is_none(), moves == 1, "{name}");
        assert_eq!(report.score.mate_in(), Some(1 - moves as i32), "{name}");
    }
}

#[test]
fn mates_are_announced_with_all_their_moves_whatever_the_table_holds() {
    let fens = [
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
        "8/2k5/8/8/8/8/R7/1R2K3 w - - 0 1",
        "5r1k/6pp/8/3Q2N1/8/8/6PP/6K1 w - - 0 1",
        "8/8/8/3k4/8/8/R7/1R2K3 w - - 0 1",
        "8/8/8/2k5/8/8/8/4K2Q w - - 0 1",
        "8/8/8/3k4/8/8/8/4K2R w - - 0 1",
    ];
    let mut searcher = searcher();
    for plies in [10, 16, 12, 7, 18] {
        for fen in fens {
            for multi_pv in [1, 3] {
                let start = position(fen);
                let job = Job { multi_pv, ..job(start, depth(plies)) };
                let (_, iterations) = run(&mut searcher, job);
                check_lines(fen, &start, &iterations);
            }
        }
    }
}

#[test]
fn no_move_is_no_best_move() {
    let cases = [
        ("mated", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Score::mated(0)),
        ("stalemate", "k7/8/1Q6/8/8/8/8/K7 b - - 0 1", Score::DRAW),
    ];
    for (name, fen, score) in cases {
        let (report, iterations) = search(fen, depth(5));
        assert_eq!(report.best_move, None, "{name}");
        assert_eq!(report.score, score, "{name}");
        assert_eq!(report.nodes, 0, "{name}");
        assert!(iterations.is_empty(), "{name}");
    }
    let start = Position::start();
    let elsewhere = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let limits = Limits { search_moves: vec![mv(&elsewhere, "a1a8")], ..depth(3) };
    let (report, _) = run(&mut searcher(), job(start, limits));
    assert_eq!(report.best_move, None, "none of the moves to be searched is legal");
}

#[test]
fn stalemate_is_a_draw() {
    // A queen would leave Black without a move.
    let fen = "8/5P1k/8/5K2/8/8/8/8 w - - 0 1";
    for plies in [3, 6, 9] {
        let (report, _) = search(fen, depth(plies));
        assert_ne!(report.best_move, Some(mv(&position(fen), "f7f8q")), "depth {plies}");
        assert!(report.score > Score::from_units(300), "depth {plies}");
    }
    for plies in 2..8 {
        let fen = "k7/8/8/1Q6/8/8/8/K7 w - - 0 1";
        let (report, _) = search(fen, depth(plies));
        let after = follow(&position(fen), &[report.best_move.expect("a move")]);
        assert!(after.is_check() || !after.legal_moves().is_empty(), "depth {plies}");
        assert!(report.score > Score::from_units(300), "depth {plies}");
    }
}

#[test]
fn the_third_occurrence_is_a_draw_for_those_who_need_it() {
    // Black is without a queen, and the knights have gone out and home already.
    let start = position("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let mut line = KeyHistory::new(&start);
    let mut here = start;
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        here = follow(&here, &[mv(&here, text)]);
        line.push(&here);
    }
    for plies in [1, 4, 7] {
        let with_game = Job { key_history: line.clone(), ..job(here, depth(plies)) };
        let (report, _) = run(&mut searcher(), with_game);
        assert_eq!(report.score, Score::DRAW, "depth {plies}");
        assert_eq!(report.best_move, Some(mv(&here, "f6g8")), "depth {plies}");
        let (report, _) = run(&mut searcher(), job(here, depth(plies)));
        assert!(report.score < Score::from_units(-300), "depth {plies}: without the game there is no draw");
    }
}

#[test]
fn perpetual_check_saves_the_game() {
    // The queen checks on e1 and h4 for ever; anything else loses to the rooks.
    let fen = "6k1/1R1R4/8/8/7q/1PP5/6P1/6K1 b - - 0 1";
    let (report, iterations) = search(fen, depth(12));
    assert_eq!(report.score, Score::DRAW);
    check_lines("perpetual", &position(fen), &iterations);
}

#[test]
fn before_the_fifty_move_draw_progress_must_be_made() {
    for plies in [2, 5, 8] {
        let fen = "8/8/8/3k4/8/8/P6Q/K7 w - - 99 100";
        let (report, _) = search(fen, depth(plies));
        let from = report.best_move.expect("a move").from();
        assert_eq!(from.to_string(), "a2", "depth {plies}: anything but a pawn move draws");
        assert!(report.score > Score::from_units(300), "depth {plies}");
        let (report, _) = search("8/8/8/3k4/8/8/7Q/K7 w - - 99 100", depth(plies));
        assert_eq!(report.score, Score::DRAW, "depth {plies}: no progress to be made");
    }
    let (report, _) = search("k7/8/1K6/8/8/8/8/7R w - - 99 100", depth(4));
    assert_eq!(report.score.mate_in(), Some(1), "mate comes before the draw");
}

#[test]
fn plain_scores_do_not_depend_on_the_halfmove_clock() {
    let score = |is_plain, clock: u32| {
        let mut searcher = searcher();
        searcher.set_options(SearchOptions { is_plain, ..SearchOptions::default() });
        let position = position(&format!("8/5p2/4k3/8/3R4/4K3/4P1n1/8 w - - {clock} 80"));
        run(&mut searcher, job(position, depth(5))).0.score
    };
    assert_eq!(score(true, 0), score(true, 50));
    assert!(score(false, 50) < score(false, 0), "{} and {}", score(false, 50), score(false, 0));
    assert_ne!(score(false, 0), score(true, 0), "missing pieces and optimism matter in play");
}

#[test]
fn insufficient_material_is_a_draw() {
    let cases = [
        ("bare kings", "8/8/4k3/8/8/8/4K3/8 w - - 0 1"),
        ("a knight", "8/8/4k3/8/8/3N4/4K3/8 w - - 0 1"),
        ("the last pawn falls", "4k3/8/8/8/8/8/4p3/4K2b w - - 0 1"),
    ];
    for (name, fen) in cases {
        assert_eq!(search(fen, depth(6)).0.score, Score::DRAW, "{name}");
    }
}

#[test]
fn what_neither_side_can_ever_win_is_reported_as_a_draw() {
    for (name, fen) in [
        ("a wall of pawns", "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1"),
        ("a bishop behind it", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/3BK3 w - - 0 1"),
    ] {
        let (report, iterations) = search(fen, depth(6));
        assert_eq!(report.score, Score::DRAW, "{name}");
        assert!(iterations.iter().all(|iteration| iteration.score == Score::DRAW), "{name}");
    }
    // Where the other bishop opens the wall it is not.
    let (report, _) = search("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/2B1K3 w - - 0 1", depth(6));
    assert!(report.score > Score::DRAW);
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let start = Position::start();
    let wanted = [mv(&start, "a2a3"), mv(&start, "h2h4")];
    let limits = Limits { search_moves: wanted.to_vec(), ..depth(6) };
    let (report, iterations) = run(&mut searcher(), job(start, limits));
    assert!(report.best_move.is_some_and(|best| wanted.contains(&best)));
    assert!(iterations.iter().all(|iteration| wanted.contains(&iteration.pv[0])));
}

#[test]
fn several_lines_are_different_and_in_order() {
    let cases = [
        (
            "as many as asked for",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            4,
            4,
        ),
        ("as many as there are moves", "7k/8/8/8/8/8/r7/7K w - - 0 1", 50, 1),
        ("two moves", "7k/8/8/8/8/8/8/r6K w - - 0 1", 3, 2),
    ];
    for (name, fen, asked, expected) in cases {
        let start = position(fen);
        let (report, iterations) = run(&mut searcher(), Job { multi_pv: asked, ..job(start, depth(7)) });
        check_lines(name, &start, &iterations);
        let last: Vec<&Iteration> = iterations
            .iter()
            .filter(|iteration| iteration.depth == 7 && iteration.bound == Bound::Exact)
            .collect();
        assert_eq!(last.len(), expected, "{name}");
        for (index, pair) in last.windows(2).enumerate() {
            assert!(pair[0].score >= pair[1].score, "{name}: line {index}");
            assert!(last[..=index].iter().all(|line| line.pv[0] != pair[1].pv[0]), "{name}: line {index}");
        }
        assert!(last.iter().enumerate().all(|(index, line)| line.multipv == index + 1), "{name}");
        assert_eq!(report.best_move, Some(last[0].pv[0]), "{name}");
    }
}

#[test]
fn a_node_limit_is_exact_with_one_thread() {
    let mut searcher = searcher();
    for limit in [1, 2, 17, 1000, 1024, 1025, 54_321] {
        let (report, _) = run(&mut searcher, job(Position::start(), nodes(limit)));
        assert_eq!(report.nodes, limit);
        assert!(report.best_move.is_some(), "{limit} nodes");
    }
}

#[test]
fn a_node_is_a_move_that_is_made() {
    // The only move leads to a position without captures.
    let (result, _) = search("k7/8/1K6/8/8/8/8/7R b - - 0 1", depth(1));
    assert_eq!(result.nodes, 1);
}

#[test]
fn the_result_is_what_was_told_last() {
    let fens = [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
        "5r1k/6pp/8/3Q2N1/8/8/6PP/6K1 w - - 0 1",
        "8/8/8/4p3/8/K7/8/2kq4 b - - 0 1",
    ];
    for (fen, multi_pv) in fens.into_iter().flat_map(|fen| [(fen, 1), (fen, 3)]) {
        // The search is interrupted anywhere in an iteration.
        for limit in (1_000..20_000).step_by(700) {
            let (report, iterations) =
                run(&mut searcher(), Job { multi_pv, ..job(position(fen), nodes(limit)) });
            let last = iterations.iter().rfind(|iteration| iteration.multipv == 1).expect("an iteration");
            let told = (last.score, last.pv.first().copied());
            assert_eq!(told, (report.score, report.best_move), "{fen}, {multi_pv} lines, {limit} nodes");
            check_lines(fen, &position(fen), &iterations);
        }
    }
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
    let mut searcher = searcher();
    let first = run(&mut searcher, job(position(fen), depth(11)));
    searcher.clear();
    let second = run(&mut searcher, job(position(fen), depth(11)));
    assert_eq!(first.0, second.0);
    let lines = |iterations: &[Iteration]| -> Vec<_> {
        iterations.iter().map(|iteration| (iteration.nodes, iteration.pv.clone(), iteration.score)).collect()
    };
    assert_eq!(lines(&first.1), lines(&second.1));
    assert_eq!(search(fen, depth(11)).0, first.0, "a new searcher knows no more than a cleared one");
}

#[test]
fn stop_ends_any_search() {
    /// A listener that stops the search when the first iteration is reported.
    struct Stopper(Arc<Signals>);
    impl Listener for Stopper {
        fn iteration(&mut self, _: &Iteration) {
            self.0.stop();
        }
    }
    for threads in [1, 2, 4] {
        let mut searcher = Searcher::new(threads, HASH_MIB).expect("threads");
        for signals in [Signals::default(), Signals::pondering()] {
            let signals = Arc::new(signals);
            let job = job(Position::start(), Limits::default());
            let report = searcher.search(job, &signals, &mut Stopper(Arc::clone(&signals)));
            assert!(report.best_move.is_some(), "{threads} threads");
        }
        let signals = Arc::new(Signals::default());
        signals.stop();
        let report = searcher.search(job(Position::start(), Limits::default()), &signals, &mut ());
        assert!(report.best_move.is_some(), "{threads} threads, stopped before it began");
    }
}

#[test]
fn a_search_that_is_stopped_before_it_begins_plays_what_one_ply_finds() {
    for fen in [
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    ] {
        let signals = Arc::new(Signals::default());
        signals.stop();
        let stopped = searcher().search(job(position(fen), Limits::default()), &signals, &mut ());
        let (shallow, _) = search(fen, depth(1));
        assert_eq!((stopped.best_move, stopped.score), (shallow.best_move, shallow.score), "{fen}");
        assert_eq!(stopped.nodes, shallow.nodes, "{fen}");
    }
}

#[test]
fn several_threads_find_what_one_finds() {
    let mut searcher = Searcher::new(3, HASH_MIB).expect("threads");
    let fen = "5r1k/6pp/8/3Q2N1/8/8/6PP/6K1 w - - 0 1";
    let limits = Limits { mate: Some(4), ..depth(30) };
    let (report, iterations) = run(&mut searcher, job(position(fen), limits.clone()));
    assert_eq!(report.score.mate_in(), Some(4));
    check_lines("three threads", &position(fen), &iterations);
    searcher.set_threads(1).expect("fewer threads");
    let (report, _) = run(&mut searcher, job(position(fen), limits));
    assert_eq!(report.score.mate_in(), Some(4));
}

#[test]
fn what_the_machine_lacks_is_refused_and_the_searcher_goes_on() {
    const PEBIBYTE: usize = 1 << 30;
    let mut searcher = searcher();
    assert!(searcher.set_hash(PEBIBYTE).is_err());
    assert!(searcher.set_threads(1_000_000).is_err());
    let (report, _) = run(&mut searcher, job(Position::start(), depth(5)));
    assert!(report.best_move.is_some());
    searcher.set_hash(1).expect("a MiB");
    let (report, _) = run(&mut searcher, job(Position::start(), depth(5)));
    assert!(report.best_move.is_some());
}

#[test]
fn an_empty_clock_still_brings_a_move() {
    let clock = Clock { remaining: Duration::ZERO, increment: Duration::ZERO, moves_to_go: Some(0) };
    let limits = Limits { clock: Some(clock), move_overhead: Duration::from_millis(10), ..Limits::default() };
    let (report, _) = run(&mut searcher(), job(Position::start(), limits));
    assert!(report.best_move.is_some());
    let limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
    let (report, _) = run(&mut searcher(), job(Position::start(), limits));
    assert!(report.best_move.is_some());
}

#[test]
fn clocked_searches_end_within_their_clock() {
    let mut searcher = searcher();
    for remaining in [50, 200] {
        let remaining = Duration::from_millis(remaining);
        let clock = Clock { remaining, increment: Duration::ZERO, moves_to_go: None };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        // A busy machine may let it wait for longer than the clock shows, but not each time.
        let is_in_time = (0..20).any(|_| {
            let begin = Instant::now();
            let (report, _) = run(&mut searcher, job(Position::start(), limits.clone()));
            assert!(report.best_move.is_some());
            begin.elapsed() < remaining
        });
        assert!(is_in_time, "{remaining:?}");
    }
}

#[test]
fn the_only_move_takes_no_time() {
    let clock =
        Clock { remaining: Duration::from_secs(100_000), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    // It would think for an hour, so the test ends only if it does not.
    let (report, _) = search("7k/8/8/8/8/5b2/r7/7K w - - 0 1", limits);
    assert!(report.best_move.is_some());
}

#[test]
fn the_suite_of_mates_is_solved_with_complete_lines() {
    // Nobody has found a mate here: there is none, unless it is Black's move.
    const WRONG: &str = "1r1r2k1/p4ppp/1qp5/4Pb2/3b1P2/1PP2N2/P2BQ1PP/2KR3R w - -";
    let Some(text) = support::data("mates/mate_test_suite.epd") else { return };
    let mut searcher = searcher();
    let (mut unsolved, mut asked) = (Vec::new(), 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((fen, rest)) = line.split_once(" dm ") else { continue };
        let wanted: u32 = rest.trim_end_matches(';').trim().parse().expect("a number of moves");
        let start = position(fen);
        searcher.clear();
        let limits = Limits { mate: Some(wanted), ..nodes(1_000_000) };
        let (report, iterations) = run(&mut searcher, job(start, limits));
        check_lines(line, &start, &iterations);
        asked += 1;
        if report.score.mate_in() != Some(wanted as i32) {
            unsolved.push(fen);
        }
    }
    assert_eq!((unsolved, asked), (vec![WRONG], 20));
}
