//! The mates that the engine announces exist, and its lines show them.

use crate::mates::collection::{self, Mate, STRIDE};
use crate::mates::prover::Prover;
use hematite::chess::{KeyHistory, Move, MoveKind, Position};
use hematite::notation::Fen;
use hematite::search::{Bound, Iteration, Job, Limits, Score, SearchResult, Searcher};
use std::collections::HashSet;
use std::time::Duration;

/// The number of nodes for each position.
const NODES: u64 = 10_000;
/// The size of the hash table in MiB, the smallest: entries are replaced, and survive from one position to the next.
const HASH_MIB: usize = 1;
/// The maximum number of positions for the proof of one claim.
const BUDGET: u64 = 5_000_000;

/// A way to search.
struct Mode {
    name: &'static str,
    threads: usize,
    multi_pv: usize,
    /// The minimum share of mates found at their shortest length, in percent.
    least_found: usize,
}

const MODES: [Mode; 3] = [
    Mode { name: "one line", threads: 1, multi_pv: 1, least_found: 45 },
    Mode { name: "three lines", threads: 1, multi_pv: 3, least_found: 40 },
    Mode { name: "two threads", threads: 2, multi_pv: 1, least_found: 45 },
];

/// The results of a mode.
#[derive(Default, Debug)]
struct Tally {
    positions: usize,
    /// The number of positions for which the shortest mate is announced at the end.
    shortest: usize,
    /// The number of positions for which a longer mate is announced at the end.
    longer: usize,
    /// The number of different claims that were proved.
    proved: usize,
    /// The number of different claims whose proof would take too long.
    open: usize,
    problems: Vec<String>,
}

/// The moves to mate that a report claims for the side to move, negative if it is mated. A bound is a claim only if the
/// true score can be no worse.
fn claim(iteration: &Iteration) -> Option<i32> {
    let moves = iteration.score.mate_in()?;
    let vacuous = if moves > 0 { Bound::Upper } else { Bound::Lower };
    (iteration.bound != vacuous).then_some(moves)
}

/// Whether the line is legal, has the length of the mate, and ends with it.
fn shows_mate(start: &Position, line: &[Move], moves: i32) -> bool {
    // Who mates makes the last move, who is mated does not.
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    let end = line.iter().try_fold(*start, |position, &mv| position.play(mv));
    let is_mate = |end: Position| end.is_check() && end.legal_moves().is_empty();
    line.len() == plies as usize && end.is_ok_and(is_mate)
}

/// Whether the claim is true for this first move; `None` if the proof would take too long.
fn is_true(prover: &mut Prover, start: &Position, first: Move, moves: i32) -> Option<bool> {
    let after = start.play(first).ok()?;
    let count = moves.unsigned_abs() as usize;
    if count > crate::mates::prover::MAX_MOVES {
        return None;
    }
    if moves > 0 { prover.is_lost(&after, count - 1).ok() } else { prover.is_won(&after, count).ok() }
}

impl Tally {
    /// Checks all claims of a mate.
    fn add(&mut self, prover: &mut Prover, mate: &Mate, report: &SearchResult, iterations: &[Iteration]) {
        self.positions += 1;
        let start = &mate.position;
        let mut problems = Vec::new();
        let mut claims = HashSet::new();
        for iteration in iterations {
            let told = || format!("{:?} {} {:?}", iteration.bound, iteration.score, iteration.pv);
            if iteration.pv.iter().try_fold(*start, |position, &mv| position.play(mv)).is_err() {
                problems.push(format!("illegal line: {}", told()));
            }
            let Some(moves) = claim(iteration) else { continue };
            if iteration.bound == Bound::Exact && !shows_mate(start, &iteration.pv, moves) {
                problems.push(format!("the line does not show the mate: {}", told()));
            }
            if iteration.multipv == 1 && moves < mate.moves as i32 {
                problems.push(format!("shorter than the shortest mate: {}", told()));
            }
            if let Some(&first) = iteration.pv.first()
                && claims.insert((first.bits(), moves))
            {
                match is_true(prover, start, first, moves) {
                    Some(true) => self.proved += 1,
                    Some(false) => problems.push(format!("not true: {}", told())),
                    None => self.open += 1,
                }
            }
        }
        let found = report.score.mate_in();
        self.shortest += usize::from(found == Some(mate.moves as i32));
        self.longer += usize::from(found.is_some_and(|moves| moves > mate.moves as i32));
        if mate.moves == 1 && found != Some(1) {
            problems.push(format!("a mate in one is missed: {report:?}"));
        }
        let last = iterations.iter().rfind(|iteration| iteration.multipv == 1);
        if last.map(|last| (last.score, last.pv.first())) != Some((report.score, report.best_move.as_ref())) {
            problems.push(format!("the result is not what was told last: {report:?}, {last:?}"));
        }
        let fen = Fen::new(start);
        self.problems.extend(problems.into_iter().map(|problem| format!("{}, {fen}: {problem}", mate.name)));
    }
}

#[test]
fn false_claims_are_noticed() {
    let fen = "k7/8/2K5/8/8/8/8/7R w - - 0 1";
    let mate = Mate { name: fen.to_owned(), position: crate::mates::position(fen), moves: 2 };
    let cases = [
        ("true", Bound::Exact, Score::mating(3), "c6b6 a8b8 h1h8", ""),
        ("true, but a bound", Bound::Lower, Score::mating(3), "c6b6", ""),
        ("nothing claimed", Bound::Exact, Score::from_units(900), "h1h7", ""),
        ("too short a line", Bound::Exact, Score::mating(3), "c6b6", "does not show"),
        ("too long a line", Bound::Exact, Score::mating(3), "c6b6 a8b8 h1g1 b8a8 g1g8", "does not show"),
        ("no mate in the end", Bound::Exact, Score::mating(3), "c6b6 a8b8 h1h7", "does not show"),
        ("an illegal line", Bound::Lower, Score::mating(3), "c6b6 a8a7", "illegal"),
        ("a mate too short", Bound::Exact, Score::mating(1), "h1h8", "shorter than the shortest"),
        ("a bound too short", Bound::Lower, Score::mating(1), "c6b6", "not true"),
        ("another move does not mate so soon", Bound::Lower, Score::mating(3), "h1h7", "not true"),
        ("a loss", Bound::Exact, Score::mated(2), "h1h7 a8b8", "not true"),
    ];
    for (name, bound, score, line, expected) in cases {
        let mut pv = Vec::new();
        let mut position = mate.position;
        for text in line.split_whitespace() {
            // An illegal move is made by its squares alone.
            let square = |range: std::ops::Range<usize>| text[range].parse().expect(name);
            let mv = Move::new(square(0..2), square(2..4), MoveKind::Normal);
            position = position.play(mv).unwrap_or(position);
            pv.push(mv);
        }
        let report =
            SearchResult { best_move: pv.first().copied(), ponder_move: None, score, depth: 9, nodes: 9 };
        let iteration = Iteration {
            depth: 9,
            seldepth: 9,
            multipv: 1,
            score,
            bound,
            nodes: 9,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tb_hits: None,
            pv,
        };
        let mut tally = Tally::default();
        tally.add(&mut Prover::new(BUDGET), &mate, &report, &[iteration]);
        let is_noticed = tally.problems.iter().any(|problem| problem.contains(expected));
        assert_eq!(
            (is_noticed, tally.problems.is_empty()),
            (!expected.is_empty(), expected.is_empty()),
            "{name}"
        );
    }
}

/// Searches every `stride`th mate in every mode.
fn check(stride: usize) {
    let mates = collection::mates(stride);
    let mut prover = Prover::new(BUDGET);
    for Mode { name, threads, multi_pv, least_found } in MODES {
        let mut searcher = Searcher::new(threads, HASH_MIB).expect("threads and a MiB");
        let mut tally = Tally::default();
        for mate in &mates {
            let position = mate.position;
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            let job = Job { position, key_history: KeyHistory::new(&position), limits, multi_pv };
            let mut iterations: Vec<Iteration> = Vec::new();
            let report = searcher.search(job, &Default::default(), &mut iterations);
            tally.add(&mut prover, mate, &report, &iterations);
        }
        let Tally { positions, shortest, longer, proved, open, problems } = tally;
        println!(
            "{name}: {positions} mates, {shortest} found, {longer} found longer; {proved} claims proved, {open} open, \
             {} problems",
            problems.len()
        );
        assert!(problems.is_empty(), "{name}:\n{}", problems.join("\n"));
        assert_eq!(positions, mates.len());
        assert!(shortest * 100 >= positions * least_found, "{name}: {shortest} of {positions} found");
    }
}

#[test]
fn a_sample_of_claims_is_true() {
    check(STRIDE);
}

/// Run with `--release` and `--nocapture`, which shows the numbers.
#[test]
#[ignore = "takes minutes"]
fn all_claims_are_true() {
    check(1);
}
