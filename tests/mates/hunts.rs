//! Mate searches (`go mate`) find existing mates at their exact length, and no others.

use crate::mates::collection::{self, Mate, STRIDE};
use hematite::chess::{KeyHistory, Move, Position};
use hematite::notation::Fen;
use hematite::search::{Bound, Iteration, Job, Limits, Listener, SearchResult, Searcher};

/// The maximum number of nodes for each mate, far more than most need.
const NODES: u64 = 20_000_000;
const HASH_MIB: usize = 1;

/// A listener that records the reports of a search.
#[derive(Default)]
struct Ear {
    iterations: Vec<Iteration>,
    /// The number of moves in which a mate was refuted.
    refuted: Option<usize>,
}

impl Listener for Ear {
    fn iteration(&mut self, iteration: &Iteration) {
        self.iterations.push(iteration.clone());
    }

    fn no_mate(&mut self, moves: usize) {
        self.refuted = Some(moves);
    }
}

fn ask(searcher: &mut Searcher, position: Position, moves: usize) -> (SearchResult, Ear) {
    let limits = Limits { mate: Some(moves as u32), nodes: Some(NODES), ..Limits::default() };
    let job = Job { position, key_history: KeyHistory::new(&position), limits, multi_pv: 1 };
    let mut ear = Ear::default();
    searcher.clear();
    (searcher.search(job, &Default::default(), &mut ear), ear)
}

fn is_mate(start: Position, line: &[Move]) -> bool {
    let end = line.iter().try_fold(start, |position, &mv| position.play(mv));
    end.is_ok_and(|end| end.is_check() && end.legal_moves().is_empty())
}

/// All errors in the answers for an existing mate, and for one that does not exist.
fn faults(searcher: &mut Searcher, mate: &Mate) -> Vec<String> {
    let mut faults = Vec::new();
    let fen = Fen::new(&mate.position);
    let (report, ear) = ask(searcher, mate.position, mate.moves);
    let last = ear.iterations.last().map(|last| (last.score, last.bound, last.pv.clone()));
    let shows = last.as_ref().is_some_and(|(score, bound, pv)| {
        (*score, *bound) == (report.score, Bound::Exact)
            && pv.len() == 2 * mate.moves - 1
            && pv.first() == report.best_move.as_ref()
            && is_mate(mate.position, pv)
    });
    if report.score.mate_in() != Some(mate.moves as i32) || !shows || ear.refuted.is_some() {
        faults.push(format!("{}, {fen}: mate in {}: {report:?}, {last:?}", mate.name, mate.moves));
    }
    if let Some(fewer) = mate.moves.checked_sub(1).filter(|&fewer| fewer > 0) {
        let (report, ear) = ask(searcher, mate.position, fewer);
        let is_claimed = report.score.mate_in().is_some_and(|moves| (1..=fewer as i32).contains(&moves));
        if is_claimed || ear.refuted != Some(fewer) {
            faults.push(format!("{}, {fen}: no mate in {fewer}: {report:?}, {:?}", mate.name, ear.refuted));
        }
    }
    faults
}

fn check(stride: usize) {
    let mut searcher = Searcher::new(1, HASH_MIB).expect("a thread and a MiB");
    let mates = collection::mates(stride);
    let faults: Vec<_> = mates.iter().flat_map(|mate| faults(&mut searcher, mate)).collect();
    println!("{} of {} mates have faults", faults.len(), mates.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_sample_of_mates_is_found_when_asked_for() {
    check(STRIDE);
}

/// Run with `--release` and `--nocapture`, which shows the numbers.
#[test]
#[ignore = "takes minutes"]
fn all_mates_are_found_when_asked_for() {
    check(1);
}

/// If the side to move is the one that is mated, the length of its longest defense is reported.
#[test]
fn a_lost_side_is_told_how_long_it_lives() {
    let mut searcher = Searcher::new(1, HASH_MIB).expect("a thread and a MiB");
    for (fen, moves) in [("k7/8/1K6/8/8/8/8/7R b - - 0 1", 1), ("1k6/8/3K4/8/8/8/8/7R b - - 0 1", 5)] {
        let start = crate::mates::position(fen);
        let (report, ear) = ask(&mut searcher, start, moves);
        assert_eq!(report.score.mate_in(), Some(-(moves as i32)), "{fen}");
        let pv = &ear.iterations.last().expect("it was told").pv;
        assert_eq!(pv.len(), 2 * moves, "{fen}");
        assert!(is_mate(start, pv), "{fen}");
    }
}

/// A mate that the 50-move rule turns into a draw is not reported, but one just before it is.
#[test]
fn fifty_moves_end_a_hunt() {
    let mut searcher = Searcher::new(1, HASH_MIB).expect("a thread and a MiB");
    for (clock, expected) in [(94, Some(3)), (95, Some(3)), (96, None), (99, None)] {
        let start = crate::mates::position(&format!("1k6/8/8/2K5/8/8/8/7R w - - {clock} 90"));
        let (report, ear) = ask(&mut searcher, start, 3);
        assert_eq!(report.score.mate_in(), expected, "{clock}");
        assert_eq!(ear.refuted.is_some(), expected.is_none(), "{clock}");
    }
}
