//! Endings that are won with tablebases.

use crate::tablebase::sample::{random, tables};
use hematite::chess::{FIFTY_MOVES, KeyHistory, Outcome, Position};
use hematite::rng::Rng;
use hematite::search::{Job, Limits, Searcher};
use hematite::tablebase::{Tablebase, Wdl};
use std::sync::Arc;

/// The number of nodes of each search: nearly none.
const NODES: u64 = 300;
/// More plies than any of these endings takes without losing time between captures.
const MOST_PLIES: usize = 200;

/// Plays a game to its end; both sides use the tables.
fn play(searcher: &mut Searcher, start: Position) -> (Outcome, usize) {
    let mut position = start;
    let mut line = KeyHistory::new(&position);
    for plies in 0..MOST_PLIES {
        if let Some(outcome) = position.outcome(&line) {
            return (outcome, plies);
        }
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let report = searcher.search(
            Job { position, key_history: line.clone(), limits, multi_pv: 1 },
            &Arc::default(),
            &mut (),
        );
        position = position.after(report.best_move.expect("there is a move")).0;
        line.push(&position);
    }
    panic!("no end after {MOST_PLIES} plies from {start:?}");
}

/// Positions that the side to move wins.
fn won(tables: &Tablebase, name: &str, seed: u64, count: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let positions = std::iter::repeat_with(|| random(&mut rng, name));
    positions.filter(|position| tables.probe_wdl(position) == Some(Wdl::Win)).take(count).collect()
}

#[test]
fn what_is_won_is_mated_within_the_fifty_move_rule() {
    let Some(tables) = tables().map(Arc::new) else { return };
    for (name, count) in
        [("KBNvK", 12), ("KRvK", 12), ("KQvKR", 12), ("KPvK", 12), ("KRvKP", 6), ("KBBvK", 6)]
    {
        let mut searcher = Searcher::new(1, 1).expect("a thread and a MiB");
        searcher.set_tablebase(Some(Arc::clone(&tables)));
        for start in won(&tables, name, 5, count) {
            let (outcome, plies) = play(&mut searcher, start);
            assert_eq!(
                outcome.winner(),
                Some(start.turn()),
                "{name}: {start:?}: {outcome:?} after {plies} plies"
            );
        }
    }
}

/// The win takes all remaining plies before the 50-move limit: none may be lost.
#[test]
fn the_last_chance_is_taken() {
    let Some(tables) = tables().map(Arc::new) else { return };
    let mut searcher = Searcher::new(1, 1).expect("a thread and a MiB");
    searcher.set_tablebase(Some(Arc::clone(&tables)));
    for start in won(&tables, "KBNvK", 6, 12) {
        let distance = tables.probe_dtz(&start).flatten().expect("it is won");
        let clock = u32::from(FIFTY_MOVES) - distance.longest();
        let mut setup = hematite::chess::Setup::from(&start);
        setup.halfmove_clock = clock as u16;
        let late = Position::try_from(setup).expect("the clock makes it no less legal");
        let (outcome, plies) = play(&mut searcher, late);
        assert_eq!(outcome.winner(), Some(start.turn()), "{late:?}: {outcome:?} after {plies} plies");
    }
}
