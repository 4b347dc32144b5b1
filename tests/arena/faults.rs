//! Engines that misbehave: each ends its game in its own way, and the match continues.

use crate::arena::runner::{Place, run};
use crate::support::{side_by_side, with_any_seconds};

struct Case {
    name: &'static str,
    /// The words that make the engine misbehave.
    manner: &'static str,
    /// The limits of both engines, and further options.
    limits: &'static str,
    /// The fault that its games are counted as; `None` if they end normally.
    fault: Option<&'static str>,
    /// The text in the log.
    told: &'static str,
}

#[test]
fn each_fault_is_a_termination_of_its_own_and_the_match_goes_on() {
    let cases = [
        Case { name: "good", manner: "seed 7", limits: "nodes=1", fault: None, told: "" },
        Case {
            name: "crash",
            manner: "crash 10",
            limits: "nodes=1",
            fault: Some("disconnect"),
            told: "disconnects: it has ended, expected `bestmove`; its last words: mock: cannot go on",
        },
        Case {
            name: "mute",
            manner: "mute 3",
            limits: "tc=0.5",
            fault: Some("stall"),
            told: "stalls: no answer in",
        },
        Case {
            name: "mute without a clock",
            manner: "mute 3",
            limits: "nodes=1",
            fault: Some("stall"),
            told: "stalls: no answer in",
        },
        Case {
            name: "flood",
            manner: "flood 3",
            limits: "tc=0.5",
            fault: Some("stall"),
            told: "stalls: no answer in",
        },
        Case {
            name: "flood without a clock",
            manner: "flood 3",
            limits: "nodes=1",
            fault: Some("stall"),
            told: "stalls: no answer in",
        },
        Case {
            name: "illegal",
            manner: "illegal 5",
            limits: "nodes=1",
            fault: Some("illegal move"),
            told: "plays an illegal move: `a1a8`",
        },
        Case {
            name: "slow",
            manner: "slow 4",
            limits: "tc=0.5+0.01 timemargin=10 --timeouts stop=60",
            fault: Some("time loss"),
            told: "loses on time",
        },
        Case {
            name: "slow for its move",
            manner: "slow 4",
            limits: "st=0.3 --timeouts stop=60",
            fault: Some("time loss"),
            told: "loses on time",
        },
        Case { name: "rubbish", manner: "rubbish", limits: "nodes=1", fault: None, told: "" },
        Case { name: "deaf", manner: "deaf", limits: "nodes=1", fault: None, told: "" },
    ];
    side_by_side(cases, |Case { name, manner, limits, fault, told }| {
        let place = Place::new();
        let words = format!(
            "--timeouts stop=0.2 think=0.6 quit=0.3 --each {limits} --rounds 2 --repeat --maxmoves 30 --json --pgn {}",
            place.path("games.pgn")
        );
        let played = place.play(&[&format!("{manner} name Bad"), "name Good"], &words);
        assert_eq!(played.code, Some(0), "{name}: {played:?}");
        let object = played.json();
        assert_eq!(object["played"], 4, "{name}: {object}");
        assert_eq!(object["names"], serde_json::json!(["Bad", "Good"]), "{name}");
        assert_eq!(object["faults"][1], serde_json::json!({}), "{name}: the other is not to blame");
        let pgn = place.text("games.pgn");
        assert_eq!(pgn.matches("[Event ").count(), 4, "{name}: {pgn}");
        match fault {
            Some(fault) => {
                assert!(object["faults"][0][fault].as_u64() > Some(0), "{name}: {object}");
                // A game may be lost before the fault can happen.
                assert_eq!(object["losses"], 4, "{name}: {object}");
                let flat = pgn.replace('\n', " ");
                assert!(flat.contains(told), "{name}: {pgn}");
            }
            None => assert_eq!(object["faults"][0], serde_json::json!({}), "{name}: {object}"),
        }
        let checked = hematite::notation::pgn::games(pgn.as_bytes());
        for read in checked {
            let (game, errors) = read.expect("it can be read");
            assert!(errors.is_empty(), "{name}: {errors:?}\n{pgn}");
            assert_eq!(game.tags.result(), Some(game.result), "{name}");
        }
    });
}

/// The queen mates, and the bare king never does: who is late loses only against the queen.
#[test]
fn a_flag_that_falls_against_a_bare_king_is_a_draw() {
    let place = Place::new();
    let book = place.path("queen.epd");
    std::fs::write(&book, "8/8/4k3/8/8/8/8/QK6 w - - 0 1\n").expect("the book is written");
    let cases = [
        ("a queen", ["slow 1 name Late", "name Other"], "1/2-1/2", "time loss, drawn"),
        ("a bare king", ["name Other", "slow 1 name Late"], "1-0", "time loss"),
    ];
    side_by_side(cases, |(name, manners, result, kind)| {
        let file = format!("{}.pgn", name.replace(' ', "-"));
        let words = format!(
            "--each tc=1+0.01 timemargin=10 --timeouts stop=60 --rounds 1 --openings {book} --json --pgn {}",
            place.path(&file)
        );
        let played = run(&place.arguments(&manners, &words));
        assert_eq!(played.code, Some(0), "{name}: {played:?}");
        let object = played.json();
        let late = usize::from(manners[1].contains("Late"));
        assert_eq!(object["played"], 1, "{name}: {object}");
        assert_eq!(object["faults"][late], serde_json::json!({ kind: 1 }), "{name}: {object}");
        let pgn = place.text(&file);
        for tag in [format!("[Result \"{result}\"]"), "[Termination \"time forfeit\"]".to_owned()] {
            assert!(pgn.contains(&tag), "{name}: {tag} is not in {pgn}");
        }
    });
    place.assert_no_process_left();
}

/// A pipe holds 64 KiB on Linux; a process that writes more waits until its data is read.
#[test]
fn an_engine_that_does_not_read_holds_up_nobody() {
    let place = Place::new();
    let book = place.path("long.pgn");
    // Each move takes five bytes of a line of the protocol.
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(4000);
    std::fs::write(&book, format!("{shuffle} e4 e5 *\n")).expect("the book is written");
    let words = format!(
        "--each nodes=1 --rounds 2 --repeat --maxmoves 9000 --openings {book} --timeouts stop=0.2 think=0.5 quit=0.2 --json --pgn {}",
        place.path("games.pgn")
    );
    // It has heard `uci`, `isready`, `ucinewgame` and `isready`.
    let played = place.play(&["unread 4 name Bad", "name Good"], &words);
    assert_eq!(played.code, Some(0), "{played:?}");
    let object = played.json();
    assert_eq!((object["played"].as_u64(), object["losses"].as_u64()), (Some(4), Some(4)), "{object}");
    assert_eq!(object["faults"], serde_json::json!([{ "stall": 4 }, {}]), "{object}");

    assert_eq!(place.text("games.pgn").replace('\n', " ").matches("no answer in").count(), 4);

    // An option may be as long.
    let config = place.path("match.toml");
    let engine = format!("[[engine]]\ncmd = {:?}\nargs = \"{}", crate::arena::runner::mock(), place.mark);
    let value = "x".repeat(100_000);
    let text = format!(
        "[each]\nnodes = 1\n[timeouts]\nping = 0.3\nquit = 0.2\n{engine} \"\n{engine} unread 1\"\noption = {{ Text = \"{value}\" }}\n"
    );
    std::fs::write(&config, text).expect("the file is written");
    let played = run(&["match", "--config", &config]);
    assert_eq!(played.code, Some(2), "{played:?}");
    assert!(with_any_seconds(&played.err).contains("no answer in N s, expected `readyok`"), "{}", played.err);
    place.assert_no_process_left();
}

#[test]
fn engines_that_cannot_be_used_are_refused_before_the_first_game() {
    let place = Place::new();
    let good = place.engine("");
    let cases: [(&str, Vec<String>, &str); 5] = [
        (
            "no such program",
            vec!["--engine".into(), "cmd=./no-such-engine".into()],
            "error: ./no-such-engine: no such program, expected a path",
        ),
        (
            "a program that is no engine",
            vec!["--engine".into(), "cmd=true".into()],
            "error: true: it has ended, expected `uciok`",
        ),
        ("silent", place.engine("silent"), "no answer in N s, expected `uciok`"),
        (
            "a misspelt option",
            [place.engine(""), vec!["option.Hsah=16".into()]].concat(),
            "option Hsah: the engine does not have it, did you mean Hash?",
        ),
        (
            "a bad value",
            [place.engine(""), vec!["option.Hash=0".into()]].concat(),
            "option Hash: `0`, expected a whole number from 1 to 1024",
        ),
    ];
    for (name, bad, message) in cases {
        let rest = "--each nodes=1 --timeouts start=1 quit=0.3".split(' ').map(str::to_owned).collect();
        let arguments = [vec!["match".to_owned()], good.clone(), bad, rest].concat();
        let played = run(&arguments);
        assert_eq!((played.code, played.out.as_str()), (Some(2), ""), "{name}: {played:?}");
        assert!(with_any_seconds(&played.err).contains(message), "{name}: {}", played.err);
        place.assert_no_process_left();
    }
}

#[test]
fn options_without_end_are_not_kept() {
    let place = Place::new();
    let played = place.play(&["", "options 1000000000"], "--each nodes=1");
    assert_eq!((played.code, played.out.as_str()), (Some(2), ""), "{played:?}");
    let message = "it declares more than 10000 options, expected `uciok`";
    assert!(played.err.contains(message), "{}", played.err);
}

#[test]
fn options_for_all_are_left_out_where_there_are_none() {
    let place = Place::new();
    let played = place.play(&["", ""], "--each nodes=1 option.Threads=1 option.hash=8 --maxmoves 2 --json");
    assert_eq!(played.code, Some(0), "{played:?}");
    assert_eq!(played.err.matches("has no option Threads, it is left out").count(), 2, "{}", played.err);
}
