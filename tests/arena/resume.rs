//! Matches that are killed go on where they stopped.

use crate::runner::{Place, run, start, wait_until};
use hematite::notation::pgn::games;
use std::collections::BTreeSet;

/// How many games the saved state has counted.
fn counted(place: &Place, state: &str) -> u64 {
    let Ok(text) = std::fs::read_to_string(place.path(state)) else { return 0 };
    let object: serde_json::Value = serde_json::from_str(&text).expect("a state is never torn");
    object["progress"]["games"].as_u64().expect("a number")
}

#[test]
fn no_game_is_lost_or_doubled_when_the_runner_is_killed() {
    const ROUNDS: u64 = 30;
    const KILLS: usize = 5;
    let place = Place::new();
    let words = format!(
        "--each nodes=1 --rounds {ROUNDS} --repeat --concurrency 2 --maxmoves 12 --pgn {} --epd-out {}",
        place.path("g.pgn"),
        place.path("end.epd")
    );
    let mut arguments = place.arguments(&["name A delay 1", "name B seed 2 delay 1"], &words);
    for _ in 0..KILLS {
        let before = counted(&place, "g.pgn.state");
        let mut runner = start(&arguments);
        wait_until("the match goes on", || {
            counted(&place, "g.pgn.state") > before || runner.try_wait().is_ok_and(|end| end.is_some())
        });
        runner.kill().expect("it can be killed");
        runner.wait().expect("it has ended");
        place.assert_no_process_left();
        arguments = ["match", "--resume", &place.path("g.pgn.state"), "--json"].map(str::to_owned).to_vec();
    }
    let played = run(&arguments);
    assert_eq!(played.code, Some(0), "{played:?}");
    let object = played.json();
    assert_eq!((object["played"].as_u64(), object["games"].as_u64()), (Some(2 * ROUNDS), Some(2 * ROUNDS)));
    let pairs: u64 =
        object["ptnml"].as_array().expect("pairs").iter().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(pairs, ROUNDS);
    let text = place.text("g.pgn");
    let mut rounds = BTreeSet::new();
    for read in games(text.as_bytes()) {
        let (game, errors) = read.expect("it can be read");
        assert!(errors.is_empty(), "{errors:?}");
        let round = game.tags.get("Round").expect("a round").to_owned();
        assert!(rounds.insert(round.clone()), "game {round} is there twice");
    }
    assert_eq!(rounds.len() as u64, 2 * ROUNDS);
    assert_eq!(place.text("end.epd").lines().count() as u64, 2 * ROUNDS);
    place.assert_no_process_left();
}

#[test]
fn a_match_that_is_not_over_is_not_begun_anew() {
    let place = Place::new();
    let words = format!("--each nodes=1 --rounds 1000 --repeat --maxmoves 5 --state {}", place.path("state"));
    let arguments = place.arguments(&["", ""], &words);
    let mut runner = start(&arguments);
    wait_until("a pair is played", || counted(&place, "state") > 0);
    runner.kill().expect("it can be killed");
    runner.wait().expect("it has ended");
    let played = run(&arguments);
    assert_eq!(played.code, Some(2), "{played:?}");
    assert!(
        played.err.contains("holds a match that is not over; --resume goes on with it"),
        "{}",
        played.err
    );
    let printed = run(&["match", "--resume", &place.path("state"), "--print-config"]);
    assert!(printed.out.contains("rounds = 1000\n"), "{printed:?}");
    place.assert_no_process_left();
}

/// An orderly end: the state is saved, and engines are gone.
#[cfg(unix)]
#[test]
fn an_interrupted_match_ends_in_order() {
    let place = Place::new();
    let words = format!("--each tc=600 --rounds 1000 --repeat --state {}", place.path("state"));
    let arguments = place.arguments(&["delay 3", "mute 40"], &words);
    let mut runner = start(&arguments);
    wait_until("engines run", || !crate::runner::processes(&place.mark).is_empty());
    let status = std::process::Command::new("kill").args(["-INT", &runner.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()));
    let code = runner.wait().expect("it ends").code();
    // Before the handler is there, the signal itself ends it.
    assert!(matches!(code, Some(2) | None), "{code:?}");
    place.assert_no_process_left();
}
