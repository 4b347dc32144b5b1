//! Matches that are killed and resumed.

use crate::arena::runner::{Place, run, start, wait_until};
use hematite::notation::pgn::{GameResult, games};
use hematite::rng::Rng;
use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::Duration;

/// The number of games that the saved state has counted.
fn counted(place: &Place, state: &str) -> u64 {
    let Ok(text) = std::fs::read_to_string(place.path(state)) else { return 0 };
    let object: serde_json::Value = serde_json::from_str(&text).expect("a state is never torn");
    object["progress"]["games"].as_u64().expect("a number")
}

/// The rounds of the games in a file. Each game must be complete, and each round must occur once.
fn rounds(text: &str) -> BTreeSet<String> {
    let mut rounds = BTreeSet::new();
    for read in games(text.as_bytes()) {
        let (game, errors) = read.expect("it can be read");
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(game.tags.get("Result"), Some(game.result.as_str()), "a game is torn");
        assert_eq!(game.tags.get("PlyCount"), Some(game.len().to_string().as_str()), "a game is torn");
        let round = game.tags.get("Round").expect("a round").to_owned();
        assert!(rounds.insert(round.clone()), "game {round} is there twice");
    }
    rounds
}

/// Checks that the files, up to the lengths stated in the saved state, contain exactly the games that the state counts,
/// in complete pairs.
fn check_state(place: &Place) {
    let state: serde_json::Value = serde_json::from_str(&place.text("g.pgn.state")).expect("never torn");
    let part = |name: &str, length: &str| {
        let length =
            state[length].as_u64().and_then(|length| usize::try_from(length).ok()).expect("a length");
        let text = place.text(name);
        assert!(length <= text.len(), "{name} has {} bytes, expected {length}", text.len());
        text[..length].to_owned()
    };
    let counted = state["progress"]["games"].as_u64();
    let found = rounds(&part("g.pgn", "pgn_len"));
    assert_eq!(Some(found.len() as u64), counted);
    assert_eq!(Some(part("end.epd", "epd_len").lines().count() as u64), counted);
    for round in &found {
        let (pair, game) = round.split_once('.').expect("a pair and a game");
        let other = if game == "1" { "2" } else { "1" };
        assert!(found.contains(&format!("{pair}.{other}")), "{round} is there without its other half");
    }
}

#[test]
fn no_game_is_lost_or_doubled_when_the_runner_is_killed() {
    const ROUNDS: u64 = 150;
    const KILLS: usize = 10;
    /// The maximum time from one kill to the next, in microseconds: some kills occur before the first engine has
    /// started, most in the middle of games or of writing them.
    const LONGEST: u64 = 150_000;
    let place = Place::new();
    let state = place.path("g.pgn.state");
    let words = format!(
        "--each nodes=1 --rounds {ROUNDS} --repeat --concurrency 2 --maxmoves 12 --pgn {} --epd-out {}",
        place.path("g.pgn"),
        place.path("end.epd")
    );
    // B loses a game now and then, and begins anew.
    let begin = place.arguments(&["name A delay 1", "name B seed 2 delay 1 illegal 9"], &words);
    let resume = ["match", "--resume", &state, "--json"].map(str::to_owned).to_vec();
    let mut rng = Rng::new(4);
    for _ in 0..KILLS {
        let has_begun = std::path::Path::new(&state).exists();
        let before = counted(&place, "g.pgn.state");
        let mut runner = start(if has_begun { &resume } else { &begin });
        // Half of the kills come at any time at all, half when the match has gone on.
        if rng.below(2) == 0 {
            wait_until("the match goes on", || counted(&place, "g.pgn.state") > before);
        }
        sleep(Duration::from_micros(rng.below(LONGEST)));
        runner.kill().expect("it can be killed");
        let status = runner.wait().expect("it has ended");
        assert!(!status.success(), "it was over before it was killed, expected a longer match");
        place.assert_no_process_left();
        if std::path::Path::new(&state).exists() {
            check_state(&place);
        }
    }
    let played = run(&resume);
    assert_eq!(played.code, Some(0), "{played:?}");
    let object = played.json();
    assert_eq!((object["played"].as_u64(), object["games"].as_u64()), (Some(2 * ROUNDS), Some(2 * ROUNDS)));
    let sum = |values: &serde_json::Value| -> u64 {
        values.as_array().expect("pairs").iter().filter_map(serde_json::Value::as_u64).sum()
    };
    assert_eq!(sum(&object["ptnml"]), ROUNDS);
    let ended: u64 =
        object["terminations"].as_object().expect("kinds").values().filter_map(|n| n.as_u64()).sum();
    assert_eq!(ended, 2 * ROUNDS);
    check_state(&place);
    let text = place.text("g.pgn");
    assert_eq!(rounds(&text).len() as u64, 2 * ROUNDS);
    // The table says what the games say.
    let results = games(text.as_bytes()).map(|read| read.expect("it can be read").0);
    let wins = results.filter(|game| {
        let winner = match game.result {
            GameResult::WhiteWins => game.tags.get("White"),
            GameResult::BlackWins => game.tags.get("Black"),
            _ => None,
        };
        winner == Some("A")
    });
    let wins = wins.count() as u64;
    assert!(wins > 0, "{object}");
    assert_eq!(Some(wins), object["wins"].as_u64());
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
    for second in [&arguments, &["match", "--resume", &place.path("state")].map(str::to_owned).to_vec()] {
        let played = run(second);
        assert_eq!(played.code, Some(2), "{played:?}");
        assert!(played.err.contains("another match writes this file"), "{played:?}");
    }
    runner.kill().expect("it can be killed");
    runner.wait().expect("it has ended");
    let played = run(&arguments);
    assert_eq!(played.code, Some(2), "{played:?}");
    assert!(played.err.contains("holds a match that is not over; --resume continues it"), "{}", played.err);
    let printed = run(&["match", "--resume", &place.path("state"), "--print-config"]);
    assert!(printed.out.contains("rounds = 1000\n"), "{printed:?}");
    place.assert_no_process_left();
}

#[test]
fn only_the_state_of_a_match_that_is_over_is_overwritten() {
    let place = Place::new();
    let state = place.path("state");
    let words = format!("--each nodes=1 --maxmoves 2 --state {state}");
    let begin = || place.play(&["", ""], &words);
    assert_eq!((begin().code, begin().code), (Some(0), Some(0)), "a second match after the first");
    let saved = place.text("state");
    let cases = [
        ("a suite", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"1\";\n", "not the state of a match: "),
        ("nothing", "", "not the state of a match: "),
        ("other JSON", "{\"rounds\": 3}", "not the state of a match: missing field `version`"),
        (
            "another version",
            &saved.replace("\"version\":1", "\"version\":2"),
            "state of version 2, expected version 1",
        ),
        ("no more than a version", "{\"version\": 7}", "state of version 7, expected version 1"),
    ];
    for (name, content, message) in cases {
        std::fs::write(&state, content).expect("the file is written");
        let played = begin();
        assert_eq!(played.code, Some(2), "{name}: {played:?}");
        assert!(
            played.err.contains(message) && played.err.contains("is not overwritten"),
            "{name}: {played:?}"
        );
        assert_eq!(place.text("state"), content, "{name}");
    }
    assert!(!std::path::Path::new(&place.path("state.lock")).exists());
}

/// A state must be a regular file: a device may never end, and a pipe may block its reader.
#[cfg(unix)]
#[test]
fn a_state_is_a_file() {
    let place = Place::new();
    let begin = place.arguments(&["", ""], "--each nodes=1 --maxmoves 2 --state /dev/null");
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    for arguments in
        [begin, words("match --resume /dev/null"), words("match --resume /dev/null --print-config")]
    {
        let played = run(&arguments);
        assert_eq!(played.code, Some(2), "{played:?}");
        assert_eq!(played.err, "error: /dev/null: a device, expected a regular file\n");
    }
}

#[test]
fn a_match_goes_on_with_its_own_book_alone() {
    let place = Place::new();
    let (book, state) = (place.path("book.epd"), place.path("state"));
    let write = |path: &str, text: &str| std::fs::write(path, text).expect("the file is written");
    write(&book, "4k3/8/8/8/8/8/4P3/4K3 w - -\n");
    let words = format!("--each nodes=1 --maxmoves 2 --openings {book} --state {state}");
    assert_eq!(place.play(&["", ""], &words).code, Some(0));
    let resume = || run(&["match", "--resume", &state]);
    assert_eq!(resume().code, Some(0));
    for (other, message) in [
        (
            "4k3/8/8/8/8/8/3P4/4K3 w - -\n",
            "the book has other openings than when the match started: checksum ",
        ),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/3P4/4K3 w - -\n", "the book has 2 openings, expected 1"),
    ] {
        write(&book, other);
        let played = resume();
        assert_eq!(played.code, Some(2), "{played:?}");
        assert!(played.err.contains(message), "{played:?}");
    }
    // Earlier programs counted the openings alone.
    write(&book, "4k3/8/8/8/8/8/3P4/4K3 w - -\n");
    let mut saved: serde_json::Value = serde_json::from_str(&place.text("state")).expect("a state");
    saved.as_object_mut().expect("an object").remove("checksum").expect("a checksum");
    write(&state, &saved.to_string());
    assert_eq!(resume().code, Some(0));
}

/// An interrupted match saves its state and leaves no engines.
#[cfg(unix)]
#[test]
fn an_interrupted_match_ends_in_order() {
    let place = Place::new();
    let words = format!("--each tc=600 --rounds 1000 --repeat --state {}", place.path("state"));
    let arguments = place.arguments(&["delay 3", "mute 40"], &words);
    let mut runner = start(&arguments);
    wait_until("engines run", || !crate::arena::runner::processes(&place.mark).is_empty());
    let status = std::process::Command::new("kill").args(["-INT", &runner.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()));
    let code = runner.wait().expect("it ends").code();
    // Before the handler is there, the signal itself ends it.
    assert!(matches!(code, Some(2) | None), "{code:?}");
    place.assert_no_process_left();
}

#[test]
fn a_knockout_goes_on_where_it_stopped() {
    let place = Place::new();
    let state = place.path("g.pgn.state");
    let words = format!(
        "--tournament knockout --each nodes=1 --rounds 2 --repeat --maxmoves 3 --resign movecount=1 score=500 --pgn {}",
        place.path("g.pgn")
    );
    let engines = [
        "name A score 0 delay 20",
        "name B score -900",
        "name C score -900",
        "name D score -900",
        "name E score -900",
    ];
    let mut runner = start(&place.arguments(&engines, &words));
    wait_until("the match goes on", || counted(&place, "g.pgn.state") > 0);
    runner.kill().expect("it can be killed");
    runner.wait().expect("it has ended");
    place.assert_no_process_left();
    let object = run(&["match", "--resume", &state, "--json"]).json();
    // D and E, B and C: two pairs and ten more; A and D, A and B: two pairs.
    assert_eq!((&object["winner"], &object["played"]), (&"A".into(), &(2 * 24 + 2 * 4).into()), "{object}");
    assert_eq!(rounds(&place.text("g.pgn")).len(), 2 * 24 + 2 * 4);
    place.assert_no_process_left();
}

#[test]
fn states_of_earlier_programs_are_resumed() {
    let place = Place::new();
    let state = place.path("state");
    let words = format!("--each nodes=1 --rounds 2 --repeat --maxmoves 2 --state {state}");
    assert_eq!(place.play(&["", ""], &words).code, Some(0));
    let saved: serde_json::Value = serde_json::from_str(&place.text("state")).expect("a state");
    let plan = saved["plan"].as_str().expect("a text");
    assert!(plan.contains("games = 2\n") && plan.contains("repeat = 2\n"), "{plan}");
    let resume = |plan: &str, games: u64| {
        let mut earlier = saved.clone();
        earlier["plan"] = plan.into();
        earlier["is_finished"] = false.into();
        earlier["progress"]["total_games"] = games.into();
        std::fs::write(&state, earlier.to_string()).expect("the file is written");
        run(&["match", "--resume", &state, "--json"])
    };
    // They stated whether there are pairs, and knew fewer keys.
    let earlier = plan
        .replace("games = 2\n", "")
        .replace("repeat = 2\n", "repeat = true\n")
        .replace("rounds = 2\n", "rounds = 3\n");
    let played = resume(&earlier, 6);
    assert_eq!((played.code, &played.json()["played"]), (Some(0), &6.into()), "{played:?}");
    let later = resume(&format!("no-such-key = 1\n{plan}"), 4);
    assert_eq!(later.code, Some(2), "{later:?}");
    assert!(later.err.contains("unknown key `no-such-key`"), "{}", later.err);
}
